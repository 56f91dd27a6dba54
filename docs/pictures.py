"""Draws the pictures of README and documentation anew: python3 run.py python docs/pictures.py."""

from pathlib import Path

import matplotlib
import numpy as np

import closedchain as cc

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"


def main() -> None:
    """The shift manipulator with the paths of its outputs."""
    m = cc.load(EXAMPLES / "shift_manipulator" / "mechanism.toml")
    ds = cc.kinematics(m, np.linspace(0.0, 0.85, 201))
    # The same picture on every machine: no date, no random names inside.
    with matplotlib.rc_context({"svg.hashsalt": "closedchain"}):
        figure = cc.plot.mechanism(m, cc.assemble(m), path=ds, width=6.0)
        figure.savefig(DOCS / "shift_manipulator.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
