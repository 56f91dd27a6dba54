"""How cost grows with size: N equal four-bars in a row, tracing, compiling, and one evaluation.

Tracing calls the formulas once in Python, so a machine-code kernel pays for itself after about as many evaluations as
its first value takes times the time of tracing. Empty the cache of kernels first to see compiling.
"""

import time
from typing import Any

import numpy as np
from measuring import Row, per_lane, per_operation, per_state

import closedchain as cc
from closedchain.analyses.preparing import prepare
from closedchain.model.dynamics_kernels import rhs_kernel

SIZES = (1, 3, 10, 30)


def chain(n: int) -> Any:
    """N four-bars of links of 1 m and 1 kg, upright, leaning a little so that no links line up."""
    link = {"mass": 1.0, "com": [0.5, 0], "inertia": "1/12", "points": {"B": [1, 0]}}
    bodies: dict[str, Any] = {"ground": {"points": {f"A{k}": [k, 0] for k in range(n + 1)}}}
    joints: dict[str, Any] = {}
    for k in range(n + 1):
        bodies[f"rocker{k}"] = link
        joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"rocker{k}.origin"], "guess": "80 deg"}
    for k in range(1, n + 1):
        bodies[f"coupler{k}"] = link
        before = [f"rocker{k - 1}.B", f"coupler{k}.origin"]
        joints[f"B{k}"] = {"type": "revolute", "between": before, "guess": "-80 deg"}
        joints[f"C{k}"] = {"type": "revolute", "between": [f"coupler{k}.B", f"rocker{k}.B"], "cut": True}
    about = {"planar": True, "gravity": [0, -9.81]}
    return cc.Mechanism.from_dict({"mechanism": about, "bodies": bodies, "joints": joints})


def rows(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """Tracing and compiling of the right-hand side, one state and per lane, for every size."""
    found = []
    for n in sizes:
        setting, y0 = prepare(cc.compile(chain(n)), None)
        start = time.process_time()
        kernel = rhs_kernel(setting)
        traced = time.process_time()
        c, x = kernel.constants(setting.model.parameters.values), np.concatenate([[0.0], y0])
        kernel(x, c)
        ready, count = time.process_time(), kernel.instructions
        found += [
            Row(f"{n} four-bars: tracing", (traced - start) * 1e3, "ms", None, count),
            Row(f"{n} four-bars: first value", (ready - traced) * 1e3, "ms", None, count),
            Row(f"{n} four-bars: one state", per_state(kernel, c, x), "ns", None, count),
            Row(f"{n} four-bars: per lane", per_lane(kernel, c, x), "ns", None, count, count * per_operation()),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
