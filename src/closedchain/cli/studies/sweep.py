"""`sweep`: another study for every combination of values."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies import (
    contact_statistics,
    drive_summary,
    envelope,
    errors,
    influence,
    inverse_dynamics,
    kinematics,
    simulate,
    singularities,
)
from closedchain.cli.studies.arguments import Argument, AsSaid, Said, Values, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import paths
from closedchain.exceptions import ClosedChainError, MechanismError
from closedchain.language import as_is, tr

COLUMNS = 6
SWEPT = {
    each.STUDY.name: each.STUDY
    for each in (
        simulate,
        kinematics,
        inverse_dynamics,
        drive_summary,
        contact_statistics,
        errors,
        envelope,
        influence,
        singularities,
    )
}


def further() -> tuple[Argument, ...]:
    """The arguments of the studies that can be swept, each once; which of them are needed depends on the study."""
    found: dict[str, Argument] = {}
    for study in SWEPT.values():
        for argument in study.arguments:
            if argument.name in ("values", "keep"):
                continue
            same = found.setdefault(argument.name, replace(argument, default=None, required=False))
            if (same.refers, same.kind) != (argument.refers, argument.kind):
                kind = same.kind if same.kind == argument.kind else AsSaid()
                found[argument.name] = replace(same, refers=None, kind=kind)
    return tuple(found.values())


def swept(m: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the study that is swept, with its defaults; raises MechanismError where they do not fit it."""
    given = {name: each for name, each in arguments.items() if name not in ("values", "analysis", "keep")}
    analysis = arguments["analysis"]
    study = SWEPT.get(analysis)
    if study is None:
        raise MechanismError(f"analysis is {analysis!r}; these can be swept: {', '.join(SWEPT)}.")
    known = {argument.name: argument for argument in study.arguments}
    unknown = [name for name in given if name not in known]
    missing = [name for name, each in known.items() if each.required and name not in given]
    if unknown or missing:
        wrong = f"has no argument {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
        raise MechanismError(f"{analysis} {wrong}.")
    names = m.parameter_numbers()
    for name, value in given.items():
        if isinstance(value, Said):
            given[name] = known[name].kind.read(value.one if not known[name].kind.many else value.raw, names)
    given = {name: each.default for name, each in known.items() if each.default is not None} | given
    wrong = study.mistakes(m, given, "")
    if wrong:
        raise MechanismError("; ".join(f"{each.place}: {each.message}".strip(".: ") for each in wrong) + ".")
    return given


def calc(m: Any, values: dict[str, Any], analysis: str, keep: list[str], **arguments: Any) -> Any:
    """The study at every combination of the values."""
    import closedchain as cc
    from closedchain.analyses.keep import WAYS

    given, study = swept(m, {"analysis": analysis, **arguments}), SWEPT[analysis]
    kept = keep[0] if len(keep) == 1 and keep[0] in WAYS else keep
    lists = {path: each if isinstance(each, list) else [each] for path, each in values.items()}
    if study is not simulate.STUDY:
        return cc.sweep(m, lists, lambda each, **more: study.calc(each.mechanism, **more), keep=kept, **given)
    import numpy as np

    samples, after = given.pop("samples"), given.pop("after", 0.0)
    if given.get("times") is None:
        given["times"] = np.linspace(after, given["until"], samples)
    if given.get("start"):
        given["start"] = {name: tuple(x) if isinstance(x, list) else x for name, x in given["start"].items()}
    return cc.sweep(m, lists, cc.simulate, keep=kept, **given)


def say(ds: Any) -> str:
    """How many members there are and how they ended, then the reasons of those that failed."""
    shape = " x ".join(f"{ds.sizes[dim]} {dim}" for dim in ds["status"].dims)
    text = [tr("sweep over {shape}: {ends}", shape=shape, ends=ends(ds)), *reasons(ds)]
    return "\n".join([*text, *figures_of_members(ds)])


def figures_of_members(ds: Any) -> list[str]:
    """A table with the largest sizes of every member of a sweep over one number, as far as it fits on a line."""
    from closedchain.results import digest, swept_dims

    dims = swept_dims(ds)
    if len(dims) != 1:
        return []
    found, path = digest(ds), dims[0]
    columns: dict[str, Any] = {}
    for name in sorted(map(str, found.data_vars), key=lambda name: not re.search("peak|largest", name)):
        array, word = found[name], name.removesuffix("_peak").replace("_", " ")
        if name.endswith("_rms") or array.ndim > 2 or not array.size or not abs(array.fillna(0.0)).max() > 0.0:
            continue
        if array.ndim == 1:
            columns[f"{word} [{array.attrs.get('units', '')}]"] = array.values
            continue
        labels = str(array.dims[1])
        for label in map(str, array[labels].values):
            unit = unit_at(ds, name, labels, label)
            columns[f"{word} {label} [{unit}]"] = array.sel({labels: label}).values
    heads = list(columns)[:COLUMNS]
    if not heads:
        return []
    rows = [
        [f"  {value:.6g}" if isinstance(value, float) else f"  {value}", *(float(columns[head][k]) for head in heads)]
        for k, value in enumerate(ds[path].values.tolist())
    ]
    return [tr("largest at the samples"), table([f"  {path}", *heads], rows)]


def unit_at(ds: Any, name: str, dim: str, label: str) -> str:
    """Unit of a figure at a label: its own, or where labels differ that of the variable it tells of."""
    from closedchain.results import units_of

    of = name if name in ds else name.removesuffix("_peak")
    unit = units_of(ds, of, {dim: label})
    return str(ds[f"{dim}_unit"].sel({dim: label}).item()) if unit == "mixed" and f"{dim}_unit" in ds else unit


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """Peaks and RMS over the swept value."""
    import closedchain as cc

    if cc.plot.FIGURES["sweep"].fits(ds):
        yield "members", cc.plot.FIGURES["sweep"].draw(ds, title=tr("{name}: sweep", name=m.name))


def ends(ds: Any) -> str:
    """How many members ended how."""
    import numpy as np

    names, counts = np.unique(ds["status"].values, return_counts=True)
    return ", ".join(f"{n} {as_is(str(name))}" for name, n in zip(names, counts, strict=True))


def reasons(ds: Any) -> list[str]:
    """Why members failed, one line per reason; raises ClosedChainError where all did."""
    found = sorted({str(reason).splitlines()[-1].strip() for reason in ds["reason"].values.ravel() if str(reason)})
    if "done" not in ds["status"].values:
        raise ClosedChainError(tr("no member of the sweep could be run: {reasons}", reasons="; ".join(found)))
    return ["  " + tr("failed: {reason}", reason=reason) for reason in found]


STUDY = Study(
    name="sweep",
    meaning="another study for every combination of values of numbers in the file",
    arguments=(
        Argument("values", "values by path, such as parameters.l=0.1,0.2", Values(), required=True, refers=paths),
        Argument(
            "analysis",
            f"what is done for each: {', '.join(SWEPT)}",
            Words(),
            default="simulate",
        ),
        Argument("keep", "samples, final, events, statistics, or variables", Words(many=True), default=["samples"]),
        *further(),
    ),
    check=swept,
    calc=calc,
    say=say,
    figures=figures,
    group="Many runs and long-term motion",
    examples=(
        (
            "closedchain sweep mechanism.toml --values parameters.crank=0.1,0.12 --until 1s",
            "A simulation for every value",
        ),
        (
            "closedchain sweep mechanism.toml --values parameters.crank=0.1,0.12 --analysis kinematics --until 1s",
            "Another analysis",
        ),
    ),
)
