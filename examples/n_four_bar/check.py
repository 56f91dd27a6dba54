"""N-four-bar (N = 2) against the exact solution: phi'' = c sin phi, c = ((N+1)/2 + N) g / ((N+1)/3 + N)."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

# the top of the first link; recomputed from the equation above to the digits shown
EXACT = {5.0: (-0.8113104610051074, -0.5846155453489755), 10.0: (0.3284581115408154, 0.944518538178601)}


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    ds = cc.simulate(m, 10.0, times=[0.0, *EXACT], rtol=1e-10, atol=1e-12)
    top = ds["position"].sel(point="top").values[1:]
    error = np.abs(top - np.array(list(EXACT.values()))).max()
    energy = ds["kinetic_energy"] + ds["potential_energy"]
    drift = float(abs(energy - energy[0]).max())
    for what, value, tolerance in (("the top", error, 1e-7), ("energy", drift, 1e-6)):
        if not value <= tolerance:
            sys.exit(f"n_four_bar: {what} is off by {value:.1e} after ten seconds, more than {tolerance:.0e}.")
    print(f"n_four_bar: ten seconds through singular positions end within {error:.0e} m, energy within {drift:.0e} J")


if __name__ == "__main__":
    main()
