"""`linearise`: eigenfrequencies, damping ratios and mode shapes of small motions."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import joints
from closedchain.language import tr


def calc(m: Any, pose: dict[str, Any] | None = None, rates: dict[str, Any] | None = None) -> Any:
    """The linear model about a pose, by default about the static equilibrium."""
    import closedchain as cc

    return cc.linearise(m, pose, rates)


def say(ds: Any) -> str:
    """Every mode with its frequency, damping ratio and the joint that moves most."""
    rows = []
    for k in range(ds.sizes["mode"]):
        shape = abs(ds["shape"].sel(part="real").values[k])
        most = str(ds["rate"].values[shape.argmax()]) if shape.size else ""
        numbers = [float(ds[name].values[k]) for name in ("frequency", "damping_ratio", "eigenvalue_real")]
        rows.append([f"  {k + 1}", *numbers, most])
    names = ", ".join(map(str, ds["independent"].values))
    head = tr("linearise: {count} independent coordinates: {names}", count=ds.sizes["independent"], names=names)
    unbalance = float(ds["unbalance"])
    if unbalance > 1e-6:
        rest = tr("the pose is not at rest (largest acceleration {size:.3g} 1/s^2)", size=unbalance)
        head = f"{head}; {rest}"
    if not rows:
        return tr("linearise: no freedom is left, all are driven by motions; take a motion out or give it as an effort")
    columns = ["  " + tr("mode"), tr("frequency [Hz]"), tr("damping ratio"), tr("growth [1/s]"), tr("moves most")]
    return "\n".join([head, table(columns, rows)])


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The mode shapes."""
    import closedchain as cc

    if cc.plot.FIGURES["mode_shapes"].fits(ds):
        yield "modes", cc.plot.FIGURES["mode_shapes"].draw(ds, title=tr("{name}: mode shapes", name=m.name))


STUDY = Study(
    name="linearise",
    meaning="eigenfrequencies, damping ratios and mode shapes of small motions",
    arguments=(
        Argument(
            "pose",
            "coordinates to linearise about, such as A=30deg; the equilibrium otherwise",
            Values(),
            refers=joints,
        ),
        Argument("rates", "rates of a steady motion, such as A=10", Values(), refers=joints),
    ),
    calc=calc,
    say=say,
    figures=figures,
    group="Forces and dynamics",
    examples=(
        ("closedchain linearise mechanism.toml", "Frequencies and damping about the equilibrium"),
        ("closedchain linearise mechanism.toml --pose A=30deg", "About a pose"),
    ),
)
