"""A slider-crank with a loose wrist pin at 5000 rpm, one revolution; and Exudyn's nearest equivalent where it is there.

Errors are those of the slider's velocity after 1 ms, before chaos amplifies every difference: against a run at the
least tolerance. Exudyn is asked for Hunt and Crossley's law with a sphere in a hollow sphere; the own run it is
compared with has that law and an error that is no larger.
"""

from typing import Any

import numpy as np
from asking import answer
from measuring import Row, best

import closedchain as cc
from closedchain.analyses.integration import first_memory, hybrid_problem
from closedchain.analyses.preparing import prepare
from closedchain.analyses.simulate import loop_kernels, report
from closedchain.numerics.driver import integrate

CRANK, ROD, SPEED, UNTIL = 0.05, 0.12, 5000 * 2 * np.pi / 60, 60 / 5000
BORE, RADIAL, STIFFNESS, RESTITUTION = 0.01, 5e-4, 6.610198e10, 0.9
SAMPLES = 12
FINEST = 1e-13
# Relative tolerances that are tried for 2e-8 m/s, and against the other program.
OWN, EQUAL = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12), (1e-4, 1e-5, 1e-6, 1e-7)
STEPS = (48_000, 192_000)


def slider_crank(normal: str) -> cc.Mechanism:
    """The mechanism with a contact law."""
    law = {"normal": normal, "stiffness": STIFFNESS, "exponent": 1.5, "restitution": RESTITUTION}
    rod = {"mass": 0.21, "com": [ROD / 2, 0], "inertia": 2.5e-4, "points": {"B": [0, 0], "C": [ROD, 0]}}
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {},
            "crank": {"mass": 0.30, "com": [CRANK / 2, 0], "inertia": 1e-4, "points": {"B": [CRANK, 0]}},
            "rod": rod,
            "slider": {"mass": 0.14},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.0},
            "B": {"type": "revolute", "between": ["crank.B", "rod.B"], "guess": 0.0},
            "C": {
                "type": "revolute", "between": ["rod.C", "slider.origin"], "guess": 0.0,
                "clearance": {"radial": RADIAL, "bore": BORE, **law},
            },
            "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": CRANK + ROD},
        },
        "actuators": {"motor": {"joint": "A", "motion": f"{SPEED!r}*t"}},
        "outputs": {"P": {"point": "slider.origin"}},
    })  # fmt: skip


class Revolution:
    """One revolution of the mechanism with a law, ready to be integrated."""

    def __init__(self, normal: str):
        self.setting, self.y0 = prepare(cc.compile(slider_crank(normal)), None, ("C",))
        kernels = loop_kernels(self.setting)
        self.problems = {rtol: hybrid_problem(kernels, rtol) for rtol in (*EQUAL, *OWN, FINEST)}
        self.memory = first_memory(kernels, self.y0)
        self.instructions = kernels.rhs.instructions
        self.reference = self.velocity(self.solve(FINEST))

    def solve(self, rtol: float) -> Any:
        """Integrate it."""
        times = np.linspace(0.0, UNTIL, SAMPLES + 1)
        return integrate(self.problems[rtol], 0.0, self.y0, self.memory, UNTIL, times, rtol, rtol * 1e-3)

    def velocity(self, solution: Any) -> np.ndarray:
        """Of the slider, at the samples."""
        return np.ravel(report(self.setting, solution.t, solution.y, solution.memory)["velocity"][0, 0])

    def error(self, velocity: Any) -> float:
        """After 1 ms."""
        return abs(float(velocity[1]) - float(self.reference[1]))


def exudyn() -> list[dict[str, Any]]:
    """What Exudyn gives for the numbers of steps, nothing where it is not installed."""
    question = {
        "crank": CRANK, "rod": ROD, "speed": SPEED, "bore": BORE, "radial": RADIAL, "stiffness": STIFFNESS,
        "restitution": RESTITUTION, "until": UNTIL, "samples": SAMPLES, "steps": STEPS,
    }  # fmt: skip
    return list(answer("exudyn", "loose_with_exudyn.py", question))


def rows() -> list[Row]:
    """The own run to 2e-8 m/s, then the comparison at equal error."""
    name = "slider-crank with a loose pin, one revolution"
    own = Revolution("lankarani-nikravesh")
    rtol = next(rtol for rtol in OWN if own.error(own.velocity(own.solve(rtol))) <= 2e-8)
    solution = own.solve(rtol)
    found = [
        Row(f"{name}: time", best(lambda: own.solve(rtol)) * 1e3, "ms", 2.0, own.instructions),
        Row(f"{name}: error after 1 ms", own.error(own.velocity(solution)), "m/s", 2e-8),
        Row(f"{name}: evaluations", solution.counts.rhs, ""),
    ]
    other = Revolution("hunt-crossley")
    for theirs in exudyn():
        error = other.error(theirs["v"])
        equal = next(rtol for rtol in EQUAL if other.error(other.velocity(other.solve(rtol))) <= error)
        mine, label = best(lambda rtol=equal: other.solve(rtol)), f"{name}: Exudyn, {theirs['steps']} steps"
        found += [
            Row(label, theirs["time"] * 1e3, "ms"),
            Row(f"{label}: its error after 1 ms", error, "m/s"),
            Row(f"{label}: the own run of no larger error, part of its time", mine / theirs["time"], "", 0.01),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
