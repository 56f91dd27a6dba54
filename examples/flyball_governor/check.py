"""Stiff flyball governor: the slider's height at four instants, and the energy balance."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

HEIGHT = {0.1: 0.523836475570, 1.0: 0.501420922380, 5.0: 0.535563103722, 10.0: 0.619622917061}


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    ds = cc.simulate(m, 10.0, times=[0.0, *HEIGHT])
    error = np.abs(ds["q"].sel(coordinate="slide").values[1:] - list(HEIGHT.values())).max()
    balance = ds["kinetic_energy"] + ds["potential_energy"] + ds["dissipated_energy"]
    drift = float(abs(balance - balance[0]).max())
    for what, value, tolerance in (("the slider", error, 1e-8), ("energy", drift, 1e-6)):
        if not value <= tolerance:
            sys.exit(f"flyball_governor: {what} is off by {value:.1e}, more than {tolerance:.0e}.")
    print(f"flyball_governor: the slider's height within {error:.0e} m over ten seconds, energy within {drift:.0e} J")


if __name__ == "__main__":
    main()
