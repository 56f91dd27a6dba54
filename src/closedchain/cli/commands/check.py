"""Says what a mechanism is: freedoms, loops, redundancy, and every mistake with its place."""

from typing import Annotated, Any

import typer

from closedchain.cli.files import File
from closedchain.cli.output import say, say_json
from closedchain.cli.studies.planned import load_planned
from closedchain.language import plural, tr

GROUP = "Start here"
EXAMPLES = (
    ("closedchain check mechanism.toml", "Freedoms, loops, drives and studies, or every mistake"),
    ("closedchain check mechanism.toml --json", "The same for a program"),
)


def check(
    file: File,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Loads the file, checks its studies and asks for its mobility."""
    import closedchain as cc

    m, plan = load_planned(file)
    found = cc.mobility(m)
    if json:
        say_json(
            {
                "name": m.name,
                "planar": m.planar,
                "bodies": len(m.bodies),
                "joints": len(m.joints),
                "mobility": found,
                "remarks": m.remarks(),
            }
        )
        return
    say(
        tr(
            "{name}: {plane}, {bodies} bodies with ground, {joints} joints",
            name=m.name,
            plane=tr("planar") if m.planar else tr("spatial"),
            bodies=len(m.bodies),
            joints=len(m.joints),
        )
    )
    say(str(found))
    say(drives(m, found))
    for remark in m.remarks():
        say(tr("note: {remark}", remark=remark))
    for study in plan:
        text = tr("study {name}: {kind}", name=study.name, kind=study.kind)
        say(text if study.study else f"{text} {tr('(not in this version)')}")


def drives(m: Any, found: Any) -> str:
    """How the actuators compare with the freedoms that matter."""
    count, dof = len(m.actuators), found.dof - found.idle
    motors = plural(count, "{n} actuator", "{n} actuators")
    text = tr("{motors} for {freedoms}", motors=motors, freedoms=plural(dof, "{n} freedom", "{n} freedoms"))
    if count > dof:
        return tr("{text}: redundantly driven", text=text)
    return text if count == dof else tr("{text}: {n} not driven by an actuator", text=text, n=dof - count)
