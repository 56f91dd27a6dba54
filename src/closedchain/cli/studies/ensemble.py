"""`ensemble`: simulations of many members, one per start or per set of values, paired and not combined."""

from typing import Any

from closedchain.cli.studies import simulate
from closedchain.cli.studies.arguments import Argument, Values
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.members import KEEP, ends, figures_of_members, kept, listed, reasons
from closedchain.cli.studies.references import joints, paths
from closedchain.exceptions import MechanismError
from closedchain.language import tr


def calc(
    m: Any, keep: list[str], starts: dict[str, Any] | None = None, values: dict[str, Any] | None = None,
    **arguments: Any,
) -> Any:  # fmt: skip
    """The members along the dimension `member`."""
    import closedchain as cc

    given = simulate.as_python(**arguments)
    # Every member has a start of its own.
    given |= {"starts": members(m, {"starts": starts, "values": values}), "values": values and listed(values)}
    return cc.ensemble(m, keep=kept(keep), **{name: each for name, each in given.items() if name != "start"})


def members(m: Any, arguments: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Starts, one per member, of lists by coordinate; raises MechanismError where lengths differ or nothing is said."""
    starts, values = arguments.get("starts"), arguments.get("values")
    if not starts and not values:
        raise MechanismError('give starts = { A = [0.1, 0.2] } or values = { "parameters.l" = [0.1, 0.2] }.')
    lists = listed({**(starts or {}), **(values or {})})
    if len({len(each) for each in lists.values()}) != 1:
        counts = ", ".join(f"{name} {len(each)}" for name, each in lists.items())
        raise MechanismError(f"members are paired, so every list is as long as the others; there are {counts}.")
    if not starts:
        return None
    each = listed(starts)
    count = len(next(iter(each.values())))
    return [{name: column[k] for name, column in each.items()} for k in range(count)]


def say(ds: Any) -> str:
    """How the members ended, then the reasons of those that failed."""
    head = tr("ensemble of {count} members: {ends}", count=ds.sizes["member"], ends=ends(ds))
    return "\n".join([head, *reasons(ds), *figures_of_members(ds)])


STUDY = Study(
    name="ensemble",
    meaning="simulations of many members, one per start or set of values, in lanes",
    arguments=(
        Argument("starts", "coordinates at the start, one per member, such as A=0.1,0.2", Values(), refers=joints),
        Argument("values", "values by path, one per member, such as parameters.l=0.1,0.2", Values(), refers=paths),
        KEEP,
        *(each for each in simulate.STUDY.arguments if each.name != "start"),
    ),
    check=members,
    calc=calc,
    say=say,
    group="Many runs and long-term motion",
    examples=(
        ("closedchain ensemble mechanism.toml --starts A=0.1,0.2,0.3 --until 1s", "One run per start"),
        (
            "closedchain ensemble mechanism.toml --values parameters.l=0.1,0.2 --starts A=1,2 --until 1s --keep final",
            "Pairs of a value and a start, of which the last state is kept",
        ),
    ),
)
