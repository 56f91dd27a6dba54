"""What the numbers rest on: gravity, parameters, drives, laws and their parameters, tolerances, versions."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from closedchain.language import tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.markup import Html, el
from closedchain.views.report.table import Column, Table, render, words


def assumptions(m: Any, chapters: Sequence[Chapter]) -> list[Html]:
    """Everything that was assumed, as tables and short lists."""
    found = [facts(general(m, chapters))]
    if m is not None:
        said = m.to_dict()
        for table in (parameters(m), drives(m, said), loose_joints(m, said), elements(said)):
            if table is not None:
                found.append(render(table))
        sources = laws(m)
        if sources:
            found.append(el("ul", [el("li", each) for each in sources], class_="sources"))
    settings = studies(chapters)
    if settings is not None:
        found.append(render(settings))
    return found


def general(m: Any, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    """Gravity, the plane, and the versions of the programs."""
    if m is not None:
        vector = [f"{float(m.evaluate(value)):.6g}".replace("-", "\u2212") for value in m.gravity]
        zero = all(entry == "0" for entry in vector)
        yield tr("Gravity"), tr("none") if zero else f"({', '.join(vector)}) m/s²"
        yield tr("Space"), tr("planar, motion in x-y") if m.planar else tr("spatial, z upwards in the pictures")
    made = sorted({str(c.data.attrs.get("closedchain_version", "")) for c in chapters if c.ds is not None} - {""})
    if made:
        yield tr("Computed with"), f"closedchain {', '.join(made)}"
    yield tr("Report made with"), ", ".join(versions())
    yield (
        tr("Units"),
        tr("SI in all files; tables and curves in the units that they name. Axes are those of the ground."),
    )


def versions() -> list[str]:
    """This program and what it computes with."""
    from importlib.metadata import PackageNotFoundError, version

    from closedchain import __version__

    found = [f"closedchain {__version__}", f"Python {platform.python_version()}"]
    for name in ("numpy", "numba", "llvmlite", "xarray"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found


def facts(pairs: Iterator[tuple[str, str]]) -> Html:
    """Short facts as a list of terms."""
    return el("dl", [el("div", el("dt", term), el("dd", text)) for term, text in pairs], class_="facts")


def parameters(m: Any) -> Table | None:
    """Parameters as said, with their numbers in SI."""
    if not m.parameters:
        return None
    numbers = m.parameter_numbers()
    return Table(
        tr("Parameters"),
        [
            words(tr("Name"), list(m.parameters)),
            words(tr("As said"), [value.text for value in m.parameters.values()]),
            Column(tr("In SI"), [f"{float(numbers[name]):.6g}".replace("-", "\u2212") for name in m.parameters]),
        ],
    )


def drives(m: Any, said: Mapping[str, Any]) -> Table | None:
    """Actuators and prescribed motions as said."""
    rows = []
    for name, entry in said.get("actuators", {}).items():
        how = [said_as(key, value) for key, value in entry.items() if key != "joint"]
        rows.append(
            (name, tr("actuator on {joint}", joint=entry.get("joint", "")), "; ".join(how) or tr("free to follow"))
        )
    for name, entry in said.get("motions", {}).items():
        how = [said_as(key, value) for key, value in entry.items() if key != "of"]
        rows.append((name, tr("motion of {point}", point=entry.get("of", "")), "; ".join(how)))
    if not rows:
        return None
    heads = (tr("Drive"), tr("Of"), tr("As said"))
    return Table(tr("Drives"), [words(head, list(cells)) for head, cells in zip(heads, zip(*rows), strict=True)])


def loose_joints(m: Any, said: Mapping[str, Any]) -> Table | None:
    """Play, contact law and friction law of every loose joint."""
    rows = []
    for name, joint in m.joints.items():
        clearance = joint.clearance
        if clearance is None:
            continue
        raw = dict(said.get("joints", {}).get(name, {}).get("clearance", {}))
        rest = [said_as(key, value) for key, value in raw.items() if key not in ("kind", "normal", "friction")]
        rows.append((name, clearance.kind, clearance.normal, clearance.friction, "; ".join(rest)))
    if not rows:
        return None
    heads = (tr("Loose joint"), tr("Gap"), tr("Contact law"), tr("Friction law"), tr("Parameters as said"))
    return Table(tr("Play and laws"), [words(head, list(cells)) for head, cells in zip(heads, zip(*rows), strict=True)])


def laws(m: Any) -> list[str]:
    """Formula and source of every law used."""
    from closedchain.elements.contact_laws import contact_laws
    from closedchain.elements.friction_laws import friction_laws

    used: dict[str, str] = {}
    for joint in m.joints.values():
        if joint.clearance is None:
            continue
        for family, name in ((contact_laws, joint.clearance.normal), (friction_laws, joint.clearance.friction)):
            law = family.get(name)
            if law is not None and name != "none":
                used[name] = f"{name}: {law.meaning} ({law.source})"
    return list(used.values())


def elements(said: Mapping[str, Any]) -> Table | None:
    """Springs, dampers, friction, stops and forces as said."""
    rows = []
    for name, entry in said.get("joints", {}).items():
        own = [said_as(k, entry[k]) for k in ("stiffness", "damping", "friction", "limits", "stop") if k in entry]
        if own:
            rows.append((name, tr("joint"), "; ".join(own)))
    for name, entry in said.get("forces", {}).items():
        rows.append(
            (name, str(entry.get("kind", "")), "; ".join(said_as(k, v) for k, v in entry.items() if k != "kind"))
        )
    for name, entry in said.get("couplings", {}).items():
        rows.append((name, tr("coupling"), "; ".join(said_as(k, v) for k, v in entry.items())))
    if not rows:
        return None
    heads = (tr("Name"), tr("Kind"), tr("As said"))
    return Table(
        tr("Forces, springs and friction"),
        [words(head, list(cells)) for head, cells in zip(heads, zip(*rows), strict=True)],
    )


def studies(chapters: Sequence[Chapter]) -> Table | None:
    """What every analysis was told, and what it chose itself."""
    rows = []
    for chapter in chapters:
        if chapter.ds is None:
            continue
        told = {key: value for key, value in chapter.settings.items() if key not in ("steps", "evaluations")}
        if chapter.moves:
            time = chapter.data["time"].values
            told = {
                "times": tr(
                    "{count} from {start} to {end} s", count=len(time), start=f"{time[0]:g}", end=f"{time[-1]:g}"
                )
            } | {key: value for key, value in told.items() if key not in ("times", "until")}
        rows.append(
            (chapter.name, chapter.kind, "; ".join(said_as(k, v) for k, v in told.items() if v not in (None, {}, [])))
        )
    if not rows:
        return None
    heads = (tr("Study"), tr("Analysis"), tr("Settings"))
    return Table(
        tr("Settings of the studies"), [words(head, list(cells)) for head, cells in zip(heads, zip(*rows), strict=True)]
    )


def said_as(key: str, value: Any) -> str:
    """A key with its value as a file says it: radial = 0.2 mm.

    >>> said_as("control", {"kind": "pd", "kp": 8})
    'control: kind = pd, kp = 8'
    """
    if isinstance(value, Mapping):
        return f"{key}: {', '.join(said_as(str(k), v) for k, v in value.items())}"
    if isinstance(value, list | tuple):
        return f"{key} = {', '.join(_plain(each) for each in value)}"
    return f"{key} = {_plain(value)}"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(said_as(str(k), v) for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_plain(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
