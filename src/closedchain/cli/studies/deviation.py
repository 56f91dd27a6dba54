"""`deviation`: how far play takes the outputs from the ideal motion at the same time."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies import simulate
from closedchain.cli.studies.contract import Study
from closedchain.language import tr

PARTS = ("position", "velocity", "acceleration")


def calc(m: Any, until: float, clearance: Any = True, **arguments: Any) -> Any:
    """The simulation with play less the one without, from 0 to `until` [s]."""
    import closedchain as cc

    progress = arguments.pop("progress", None)
    further: dict[str, Any] = {} if progress is None else {"progress": lambda part: progress(0.9 * part)}
    loose = simulate.calc(m, until=until, clearance=clearance, **arguments, **further)
    return cc.deviation(loose, simulate.calc(m, until=until, clearance=False, **arguments))


def say(ds: Any) -> str:
    """Largest and RMS errors of every output."""
    units = {name: ds[f"{name}_largest"].attrs["units"] for name in PARTS if f"{name}_largest" in ds}
    heads = [f"{tr(name)} [{unit}]" for name, unit in units.items()]
    rows = [
        [f"  {point} {word}", *(float(ds[f"{name}_{kind}"].sel(point=point)) for name in units)]
        for point in map(str, ds["point"].values)
        for kind, word in (("largest", tr("largest")), ("rms", "RMS"))
    ]
    largest = ", ".join(f"{tr(name)} {float(ds[f'{name}_largest'].max()):.4g} {unit}" for name, unit in units.items())
    head = tr("errors of the outputs by play: at most {largest}", largest=largest)
    return "\n".join([head, table(["  " + tr("output"), *heads], rows)])


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """Sizes of the errors over time."""
    import closedchain as cc

    names = [f"{name}_distance" for name in PARTS if f"{name}_distance" in ds]
    yield "errors", cc.plot.channels(ds, names, title=tr("{name}: errors", name=m.name))


STUDY = Study(
    name="deviation",
    meaning="errors of the outputs by play: the simulation with loose joints less the ideal one at the same time",
    arguments=simulate.STUDY.arguments,
    calc=calc,
    say=say,
    figures=figures,
    group="Accuracy and play",
    examples=(
        ("closedchain deviation mechanism.toml --until 1s", "All joints that the file makes loose"),
        ("closedchain deviation mechanism.toml --until 1s --clearance B1", "What one loose joint costs"),
    ),
    tells_progress=True,
)
