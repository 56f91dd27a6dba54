"""Other programs on the same mechanisms from the same numbers: shift manipulator, four-bar, 6-UPS.

Each gets the assembled mechanism as links with hinges and slides in ground axes, and points that close the loops. The
own right-hand side stands above them. The programs are optional, see `asking.py`.
"""

from typing import Any

import numpy as np
from asking import answer
from measuring import Row, best, per_state
from right_hand_sides import forward, released

import closedchain as cc
from closedchain.algorithms.chain import place, placed_link
from closedchain.analyses.integration import hybrid_problem
from closedchain.analyses.preparing import prepare
from closedchain.analyses.simulate import loop_kernels
from closedchain.numerics.driver import integrate

EXAMPLES = ("shift_manipulator", "four_bar", "gough_stewart")
PEERS = ("mujoco", "exudyn", "pinocchio")
RTOL, SHORT, LONG = 1e-10, 0.1, 0.6  # tolerance, lengths of the two runs [s]


def neutral(m: cc.Mechanism, start: Any = None) -> dict[str, Any]:
    """The assembled mechanism in ground axes: links with masses and the hinges and slides that carry them."""
    setting, y = prepare(cc.compile(m), start)
    tree, planar = setting.model.tree(), setting.model.mechanism.planar
    placed = place(tree, y[: tree.coordinates].tolist())
    links = []
    for link, here in zip(tree.links, placed, strict=True):
        before = len(placed_link(placed, link.parent).columns)
        links.append(
            {
                "parent": link.parent,
                "R": numbers(here.frame.R, (3, 3)),
                "p": numbers(here.frame.p, (3,)),
                "mass": float(link.mass),
                "com": numbers(link.com, (3,)),
                "inertia": inertia(numbers(link.inertia, (3, 3)), planar),
                "joints": [joint(column) for column in here.columns[before:]],
            }
        )
    closures = []
    for cut in tree.cuts:
        at = placed_link(placed, cut.base_link).frame @ cut.base
        closures.append({"a": cut.base_link, "b": cut.moving_link, "at": numbers(at.p, (3,))})
    return {"planar": planar, "gravity": numbers(tree.gravity, (3,)), "links": links, "closures": closures}


def numbers(values: Any, shape: tuple[int, ...]) -> list:
    """A vector or matrix as lists of floats."""
    rows = [list(row) for row in values] if len(shape) == 2 else list(values)
    return np.array(rows, float).reshape(shape).tolist()


def inertia(tensor: list, planar: bool) -> list:
    """The inertia of a slender body where a planar mechanism tells no more than one number."""
    if not planar:
        return tensor
    I = tensor[2][2] or 1e-6
    return np.diag([0.5 * I, 0.5 * I, I]).tolist()


def joint(column: Any) -> dict[str, Any]:
    """A column of the Jacobian as a hinge or a slide."""
    hinge = not column.s.is_zero()
    axis = np.array(list(column.s if hinge else column.v), float)
    at = numbers(column.R, (3,))
    return {"kind": "hinge" if hinge else "slide", "axis": (axis / np.linalg.norm(axis)).tolist(), "at": at}


def time_step(example: str) -> float:
    """Time of one accepted step with all its evaluations and projections, from a long run less a short one [ns]."""
    setting, y0 = prepare(cc.compile(released(example)), None)
    problem, memory = hybrid_problem(loop_kernels(setting)), np.zeros(setting.memory)

    def run(until: float) -> tuple[float, int]:
        def once() -> Any:
            return integrate(problem, 0.0, y0, memory, until, np.array([0.0, until]), RTOL, RTOL / 100)

        return best(once), once().counts.accepted

    (short, few), (long, many) = run(SHORT), run(LONG)
    return (long - short) / (many - few) * 1e9


def rows() -> list[Row]:
    """The own right-hand side, then each program that is installed."""
    found = []
    for example in EXAMPLES:
        kernel, c, x = forward(example)
        found.append(Row(f"{example}: right-hand side", per_state(kernel, c, x), "ns", None, kernel.instructions))
        found.append(Row(f"{example}: time step (DOP853, {RTOL:g})", time_step(example), "ns"))
        question = neutral(released(example))
        for peer in PEERS:
            for figure, time in answer(peer, f"with_{peer}.py", question).items():
                found.append(Row(f"{example}: {figure}", time, "ns"))
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
