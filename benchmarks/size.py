"""How cost grows with size: N equal four-bars in a row, tracing, compiling at both levels, and one evaluation.

    python benchmarks/size.py                  the table
    python benchmarks/size.py docs/size.svg    the figure

Everything grows linearly. Tracing calls the formulas once in Python, so machine code pays for itself after as many
evaluations as compiling takes times the time of tracing: one or two when compiled quickly, a handful when optimised.
Optimised code is a third faster, which pays for its compiling after some million evaluations at any size; as machine
code is kept on disk, mechanisms are optimised as long as waiting for it takes some two seconds (N = 100, see
LARGEST_OPTIMISED), larger ones are compiled quickly.
"""

import sys
import time
import tomllib
from typing import Any

import numpy as np
from measuring import Row, per_lane, per_operation, per_state

import closedchain as cc
from closedchain.analyses.preparing import prepare
from closedchain.model.dynamics_kernels import rhs_kernel

SIZES = (1, 2, 5, 10, 20, 50, 100)
TIMES = np.linspace(0.0, 1.0, 1000)


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


def driven(n: int) -> Any:
    """The same row of four-bars, its first crank given."""
    document = tomllib.loads(chain(n).to_text())
    document["actuators"] = {"motor": {"joint": "A0", "motion": "80*pi/180 + 0.3*sin(t)"}}
    return cc.Mechanism.from_dict(document)


def seconds(run: Any) -> float:
    """Processor time of one run [s]."""
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(n: int) -> dict[str, float]:
    """Figures of N four-bars by name: times [s], time of one state at either level of compiling [ns]."""
    cc.kinematics(driven(1), TIMES[:2])  # what is imported when first used
    found = {"kinematics": seconds(lambda: cc.kinematics(driven(n), TIMES))}
    model = cc.compile(chain(n))
    found["preparing"] = seconds(lambda: prepare(model, None))
    setting, y0 = prepare(model, None)
    found["tracing"] = seconds(lambda: rhs_kernel(setting))
    kernel = rhs_kernel(setting)
    c, x = kernel.constants(setting.model.parameters.values), np.concatenate([[0.0], y0])
    for name, level in (("optimised", 1), ("quick", 0)):
        fresh = kernel.at_level(level, cache=False)
        found[f"compiling, {name}"] = seconds(lambda fresh=fresh: fresh(x, c))
        found[f"one state, {name}"] = per_state(fresh, c, x)
    found["per lane"] = per_lane(kernel, c, x)
    return found | {"operations": kernel.instructions}


def rows(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """For every size: preparing, tracing and compiling of the right-hand side, one state, per lane, and kinematics."""
    rows = []
    for n in sizes:
        found = measure(n)
        count = int(found.pop("operations"))
        for name, value in found.items():
            timed = name.startswith(("one", "per"))
            floor = count * per_operation() if name == "per lane" else None
            rows.append(Row(f"{n} four-bars: {name}", value, "ns" if timed else "s", None, count, floor))
    return rows


def draw(path: str) -> None:
    """The figure of the documentation: one evaluation, and what is waited for before it, against N."""
    import matplotlib
    from matplotlib.figure import Figure

    found = [measure(n) for n in SIZES]
    lines = (
        ("one state, optimised", "ns", "C0", "-"),
        ("one state, quick", "ns", "C0", "--"),
        ("per lane", "ns", "C2", "-"),
        ("compiling, optimised", "s", "C0", "-"),
        ("compiling, quick", "s", "C0", "--"),
        ("tracing", "s", "C1", "-"),
    )
    with matplotlib.rc_context({"svg.hashsalt": "closedchain", "font.size": 8}):
        figure = Figure(figsize=(7.0, 2.8), layout="constrained")
        panels: dict[str, Any] = dict(zip(("ns", "s"), figure.subplots(1, 2), strict=True))
        for name, unit, colour, style in lines:
            panels[unit].loglog(SIZES, [each[name] for each in found], style, marker=".", color=colour, label=name)
        for unit, title in (("ns", "right-hand side [ns]"), ("s", "before the first value [s]")):
            panels[unit].set(xlabel="number of four-bars", ylabel=title)
            panels[unit].legend(frameon=False)
            panels[unit].grid(alpha=0.3)
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    from measuring import table

    if len(sys.argv) > 1:
        draw(sys.argv[1])
    else:
        print(table(rows()))
