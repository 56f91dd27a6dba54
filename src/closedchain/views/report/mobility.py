"""What the mechanism is: freedoms, redundant rows, drives; as figures, a table and sentences."""

from collections.abc import Sequence
from typing import Any

from closedchain.exceptions import ClosedChainError
from closedchain.language import plural, tr
from closedchain.views.report.sections.contract import Figure
from closedchain.views.report.table import Column, Table, words


def mobility_of(m: Any) -> Any:
    """The mobility, or None where the mechanism does not assemble."""
    from closedchain.analyses.mobility import mobility

    if m is None:
        return None
    try:
        return mobility(m)
    except ClosedChainError:
        return None


def figure(m: Any, found: Any) -> list[Figure]:
    """The freedoms, at the head of the page."""
    drives = plural(len(m.actuators), "{n} actuator", "{n} actuators", "no actuator")
    if found.idle:
        drives = tr("{n} idle, {drives}", n=found.idle, drives=drives)
    return [Figure(tr("Freedoms"), str(found.dof), drives)]


def findings(m: Any, found: Any) -> list[str]:
    """How many freedoms, whether something is redundant or idle, how it is driven."""
    freedoms = plural(found.dof, "{n} freedom", "{n} freedoms", "no freedom")
    loops = plural(found.loops, "{n} independent loop", "{n} independent loops", "no closed loop")
    said = [tr("{freedoms}, {loops}.", freedoms=freedoms, loops=loops)]
    if found.redundant:
        said.append(
            tr(
                "{rows} redundant: the mechanism is overconstrained, and errors of its dimensions strain it.",
                rows=plural(found.redundant, "{n} constraint row is", "{n} constraint rows are"),
            )
        )
    if found.idle:
        said.append(
            tr(
                "{freedoms} idle, in {joints}: no output, driven joint or mass centre moves in it.",
                freedoms=plural(found.idle, "{n} freedom is", "{n} freedoms are"),
                joints=", ".join(found.idle_joints),
            )
        )
    count, needed = len(m.actuators), found.dof - found.idle
    if count > needed:
        said.append(
            tr(
                "{count} actuators drive {freedoms}: efforts can be shared in many ways.",
                count=count,
                freedoms=plural(needed, "{n} freedom", "{n} freedoms", "no freedom"),
            )
        )
    elif 0 < count < needed:
        said.append(tr("{count} of {needed} freedoms are driven by an actuator.", count=count, needed=needed))
    return said


def tables(found: Any) -> list[Table]:
    """The count of freedoms."""
    rows: Sequence[tuple[str, int]] = (
        (tr("Moving bodies"), found.bodies),
        (tr("Independent loops"), found.loops),
        (tr("Constraint rows"), found.rows),
        (tr("Rank"), found.rank),
        (tr("Redundant rows"), found.redundant),
        (tr("Freedoms by counting (Grübler)"), found.gruebler),
        (tr("Freedoms"), found.dof),
        (tr("Idle freedoms"), found.idle),
    )
    columns = [words(tr("Count"), [name for name, _ in rows]), Column("", [str(value) for _, value in rows])]
    return [Table(tr("Mobility"), columns)]
