"""Other programs on the same mechanisms from the same numbers: shift manipulator, four-bar, 6-UPS.

Each gets the assembled mechanism as links with hinges and slides in ground axes, and points that close the loops. The
own right-hand side stands above them. The programs are optional (extra `bench`); PEERS names another interpreter that
has them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measuring import Row, per_state
from right_hand_sides import forward, released

import closedchain as cc
from closedchain.algorithms.chain import place, placed_link
from closedchain.analyses.preparing import prepare

EXAMPLES = ("shift_manipulator", "four_bar", "gough_stewart")
PEERS = ("mujoco", "exudyn", "pinocchio")
MODULES = {"pinocchio": "pin"}


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


def run(command: list[str], said: str = "") -> subprocess.CompletedProcess[str]:
    """A command that is given a text."""
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)


def rows() -> list[Row]:
    """The own right-hand side, then each program that is installed."""
    interpreter = os.environ.get("PEERS", sys.executable)
    missing = [peer for peer in PEERS if run([interpreter, "-c", f"import {peer}"]).returncode]
    for peer in missing:
        print(f"{peer} is not installed: pip install {MODULES.get(peer, peer)} to compare with it.")
    found = []
    for example in EXAMPLES:
        kernel, c, x = forward(example)
        found.append(Row(f"{example}: right-hand side", per_state(kernel, c, x), "ns", None, kernel.instructions))
        said = json.dumps(neutral(released(example)))
        for peer in PEERS:
            if peer in missing:
                continue
            script = Path(__file__).parent / "peers" / f"with_{peer}.py"
            done = run([interpreter, str(script)], said)
            if done.returncode:
                print(f"{peer} failed on {example}: {done.stderr.strip().splitlines()[-1]}")
                continue
            for figure, time in json.loads(done.stdout.strip().splitlines()[-1]).items():
                found.append(Row(f"{example}: {figure}", time, "ns"))
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
