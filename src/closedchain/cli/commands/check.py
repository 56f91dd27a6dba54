"""Says what a mechanism is: freedoms, loops, redundancy, and every mistake with its place."""

from typing import Annotated, Any

import typer

from closedchain.cli.files import File, load
from closedchain.cli.output import say, say_json
from closedchain.cli.studies.planned import planned


def check(
    file: File,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Loads the file, checks its studies and asks for its mobility."""
    import closedchain as cc

    m = load(file)
    plan = planned(m)
    found = cc.mobility(m)
    if json:
        say_json(
            {"name": m.name, "planar": m.planar, "bodies": len(m.bodies), "joints": len(m.joints), "mobility": found}
        )
        return
    plane = "planar" if m.planar else "spatial"
    say(f"{m.name}: {plane}, {len(m.bodies)} bodies with ground, {len(m.joints)} joints")
    say(str(found))
    say(drives(m, found))
    for study in plan:
        say(f"study {study.name}: {study.kind}" + ("" if study.study else " (not in this version)"))


def drives(m: Any, found: Any) -> str:
    """How the actuators compare with the freedoms that matter."""
    count, dof = len(m.actuators), found.dof - found.idle
    text = f"{count} actuator{'' if count == 1 else 's'} for {dof} freedom{'' if dof == 1 else 's'}"
    if count > dof:
        return f"{text}: redundantly driven"
    return text if count == dof else f"{text}: {dof - count} not driven by an actuator"
