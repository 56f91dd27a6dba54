"""All benchmarks in one table: figure, target, measured, instructions, floor.

    python benchmarks/run.py            everything
    python benchmarks/run.py andrews    those whose file names are given

Times are the least of many runs in processor time; the floor is the kernel's operations at the rate of independent
multiply-adds measured in the same run. Other programs are compared where they are installed (extra `bench`).
"""

import importlib
import sys

from measuring import table

TOPICS = (
    "kinematics_throughput",
    "right_hand_sides",
    "inverse_dynamics",
    "loose_joint",
    "loose_slider_crank",
    "andrews",
    "size",
    "start_up",
    "peer_comparison",
    "four_bar_accuracy",
)


def main() -> None:
    """Run the topics that were asked for."""
    asked = sys.argv[1:] or TOPICS
    unknown = [name for name in asked if name not in TOPICS]
    if unknown:
        sys.exit(f"{', '.join(unknown)}: no such benchmark; there are {', '.join(TOPICS)}.")
    rows = []
    for name in asked:
        found = importlib.import_module(name).rows()
        print(f"\n{table(found)}", flush=True)
        rows += found
    missed = [row for row in rows if row.target is not None and not reached(row)]
    print(f"\n{sum(row.target is not None for row in rows) - len(missed)} targets reached, {len(missed)} missed:")
    print("\n".join(f"  {row.figure}" for row in missed))


def reached(row) -> bool:
    """Whether the measured figure is on the right side of its target."""
    return row.measured >= row.target if row.unit.endswith("states/s") else row.measured <= row.target


if __name__ == "__main__":
    main()
