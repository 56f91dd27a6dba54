"""A four-bar swinging under gravity: how far every program is from the crank's angle after 1 s and 5 s, and how fast.

Ground pivots A (0, 0) and D (0.4, 0) m; crank 0.15, coupler 0.35, rocker 0.30 m; uniform rods of 0.3, 0.7, 0.6 kg;
from rest with the crank at 60 degrees and the coupler above. The angles below hold to 1e-11: both
formulations reach them (`tests/validation/test_dynamics.py`).
"""

import math
import time

from asking import answer
from measuring import Row
from peer_comparison import neutral

import closedchain as cc

ANGLES = {1.0: -4.018284296456655, 5.0: -2.041247777209523}
START = {"A": math.pi / 3}
PEERS = ("mujoco", "pinocchio", "exudyn")


def four_bar() -> cc.Mechanism:
    """The mechanism."""

    def rod(mass: float, length: float) -> dict:
        return {
            "mass": mass,
            "com": [length / 2, 0],
            "inertia": mass * length**2 / 12,
            "points": {"end": [length, 0]},
        }

    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -9.81]},
            "bodies": {
                "ground": {"points": {"D": [0.4, 0]}},
                "crank": rod(0.3, 0.15),
                "coupler": rod(0.7, 0.35),
                "rocker": rod(0.6, 0.30),
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": "60 deg"},
                "B": {"type": "revolute", "between": ["crank.end", "coupler.origin"], "guess": "-40 deg"},
                "C": {"type": "revolute", "between": ["coupler.end", "rocker.end"]},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "100 deg"},
            },
        }
    )


def own(rtol: float) -> list[Row]:
    """Errors and time of this program; the second run of a process is timed, kernels are compiled then."""
    m = four_bar()
    name, rows = f"closedchain, rtol {rtol:g}", []
    for until, angle in ANGLES.items():
        for _ in range(2):
            start = time.process_time()
            ds = cc.simulate(m, until=until, start=START, times=[0.0, until], rtol=rtol, atol=rtol / 100)
            taken = time.process_time() - start
        rows.append(Row(f"{name}: error at {until:g} s", abs(float(ds.q.sel(coordinate="A")[-1]) - angle), "rad"))
    return [*rows, Row(f"{name}: time for 5 s", 1e3 * taken, "ms")]


def rows() -> list[Row]:
    """The own results, then those of each program that is installed."""
    found = [*own(1e-6), *own(1e-10)]
    question = {**neutral(four_bar(), START), "angles": {str(t): angle for t, angle in ANGLES.items()}}
    for peer in PEERS:
        for name, result in answer(peer, f"swing_with_{peer}.py", question).items():
            for until, error in zip(ANGLES, result["errors"], strict=True):
                found.append(Row(f"{name}: error at {until:g} s", error, "rad"))
            found.append(Row(f"{name}: time for 5 s", result["ms"], "ms"))
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
