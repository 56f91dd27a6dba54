"""The `[studies]` of a mechanism, checked against what each analysis may be told and what the mechanism has."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from closedchain.cli.files import load
from closedchain.cli.studies import FORTHCOMING, studies
from closedchain.cli.studies.contract import Study
from closedchain.exceptions import Finding, MechanismError


@dataclass(frozen=True)
class Planned:
    """A study of a file: its name, kind, analysis (None where this version has none yet) and arguments.

    usual: it was chosen for a file that names no studies.
    """

    name: str
    kind: str
    study: Study | None
    arguments: dict[str, Any]
    usual: bool = False


def load_planned(file: Path) -> tuple[Any, list[Planned]]:
    """The mechanism of a file and its studies; raises MechanismError with every mistake in both."""
    try:
        m = load(file)
    except MechanismError as error:
        raise MechanismError([*error.findings, *unknown_kinds(file)], error.source) from None
    return m, planned(m)


def planned(m: Any) -> list[Planned]:
    """The studies of a mechanism in the file's order; raises MechanismError with every mistake in them."""
    known = studies()
    plan: list[Planned] = []
    found: list[Finding] = []
    names = m.parameter_numbers()
    for name, entry in m.studies.items():
        place, kind = f"studies.{name}", entry.kind
        if kind in FORTHCOMING:
            plan.append(Planned(name, kind, None, {}))
        elif kind not in known:
            found.append(unknown_kind(place, kind, known))
        else:
            try:
                arguments = known[kind].read(entry.arguments_as_said, place, names)
            except MechanismError as error:
                found += error.findings
                continue
            found += known[kind].mistakes(m, arguments, place)
            plan.append(Planned(name, kind, known[kind], arguments))
    if found:
        raise MechanismError(found, m.source or m.name)
    return plan


def unknown_kind(place: str, kind: str, known: Mapping[str, Any]) -> Finding:
    """The mistake of a study whose kind no analysis has."""
    from closedchain.description.names import suggest

    commands = {study.command: name for name, study in known.items()}
    remedy = f"Did you mean {commands[kind]}?" if kind in commands else suggest(kind, known, "analysis")
    return Finding(f"{place}.kind", f"{kind!r} is no analysis.", remedy)


def unknown_kinds(file: Path) -> list[Finding]:
    """Unknown kinds and arguments of studies in a file whose mechanism cannot be read, as far as it is TOML at all."""
    try:
        said = tomllib.loads(file.read_text("utf-8-sig")).get("studies", {})
    except (OSError, ValueError, RecursionError):
        return []
    known, found = studies(), []
    for name, entry in said.items() if isinstance(said, Mapping) else ():
        kind = entry.get("kind") if isinstance(entry, Mapping) else None
        if not isinstance(kind, str) or kind in FORTHCOMING:
            continue
        if kind not in known:
            found.append(unknown_kind(f"studies.{name}", kind, known))
            continue
        found += known[kind].unknown((each for each in entry if each != "kind"), f"studies.{name}")
    return found
