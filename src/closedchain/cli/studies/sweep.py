"""`sweep`: another study for every combination of values."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

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
from closedchain.cli.studies.members import KEEP, ends, figures_of_members, kept, listed, reasons
from closedchain.cli.studies.references import paths
from closedchain.exceptions import MechanismError
from closedchain.language import tr

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

    given, study = swept(m, {"analysis": analysis, **arguments}), SWEPT[analysis]
    if study is simulate.STUDY:
        return cc.sweep(m, listed(values), cc.simulate, keep=kept(keep), **simulate.as_python(**given))

    def one(each: Any, **more: Any) -> Any:
        return study.calc(each.mechanism, **more)

    # What the result calls its analysis.
    one.__name__ = study.name
    return cc.sweep(m, listed(values), one, keep=kept(keep), **given)


def say(ds: Any) -> str:
    """How many members there are and how they ended, then the reasons of those that failed."""
    shape = " x ".join(f"{ds.sizes[dim]} {dim}" for dim in ds["status"].dims)
    text = [tr("sweep over {shape}: {ends}", shape=shape, ends=ends(ds)), *reasons(ds)]
    return "\n".join([*text, *figures_of_members(ds)])


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """Peaks and RMS over the swept value."""
    import closedchain as cc

    if cc.plot.FIGURES["sweep"].fits(ds):
        yield "members", cc.plot.FIGURES["sweep"].draw(ds, title=tr("{name}: sweep", name=m.name))


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
        KEEP,
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
