"""A loose joint: the shift manipulator with play in B1 for 50 ms, 29 contact switches, alone and in lanes.

The error is the largest difference of the positions below from a run with located events; two tolerances agree there to
2e-12 m.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from measuring import Row, best, per_operation

import closedchain as cc
from closedchain.analyses.integration import first_memory, hybrid_problem
from closedchain.analyses.preparing import prepare
from closedchain.analyses.simulate import latches_friction, loop_kernels, report
from closedchain.numerics.driver import integrate
from closedchain.numerics.ensemble import ensemble

FILE = Path(__file__).with_name("loose_joint.toml")
START = {"A2": 1.523946970593265, "A3": -0.3549330515342801}
UNTIL = 0.05
TIMES = np.array([0.01, 0.02, 0.03, 0.05])
P = np.array([
    (0.1593499050532, 0.1148671173823),
    (0.157375941024, 0.114541532541),
    (0.154139550961, 0.114038353791),
    (0.144320568933, 0.112508226155),
])  # fmt: skip
MEMBERS = 64
# Tolerances at which all 29 switches are found and the error stays far below 1e-6 m, and the defaults.
TOLERANCES = ((1e-5, 1e-7), (1e-6, 1e-8), (1e-8, 1e-10))


def rows() -> list[Row]:
    """Time, evaluations and error of one run and of a member in lanes on one core."""
    model = cc.compile(cc.load(FILE))
    setting, y0 = prepare(model, START, ("B1",))
    wide = loop_kernels(setting)
    found = []
    for rtol, atol in TOLERANCES:
        # kinks of friction are located in single runs at tight tolerances
        kernels = loop_kernels(replace(setting, latched=latches_friction(setting, rtol)))
        memory, count = first_memory(kernels, y0), wide.rhs.instructions

        problem, together = hybrid_problem(kernels, rtol), hybrid_problem(wide, rtol)

        def alone(rtol=rtol, atol=atol, problem=problem, memory=memory):
            return integrate(problem, 0.0, y0, memory, UNTIL, TIMES, rtol, atol)

        def lanes(rtol=rtol, atol=atol, problem=together, memory=memory):
            states = np.repeat(y0[None], MEMBERS, axis=0)
            return ensemble(problem, 0.0, states, memory, UNTIL, TIMES, rtol, atol, threads=1)

        solution = alone()
        values = report(setting, solution.t, solution.y, solution.memory)
        places = dict(zip(setting.model.mechanism.outputs, np.moveaxis(values["position"], -1, 1), strict=True))
        error = float(np.abs(places["P"].reshape(len(TIMES), -1)[:, :2] - P).max())
        name = f"loose joint, rtol {rtol:.0e}"
        floor = solution.counts.rhs * count * per_operation() * 1e-6
        found += [
            Row(f"{name}: one run", best(alone) * 1e3, "ms", 1.0, count),
            Row(f"{name}: member in lanes", best(lanes, 10) / MEMBERS * 1e3, "ms", 0.35, count, floor),
            Row(f"{name}: evaluations", solution.counts.rhs, "", 4900),
            Row(f"{name}: contact switches", int((solution.events.index < 2 * len(setting.gaps)).sum()), ""),
            Row(f"{name}: error", error, "m", 1e-6),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
