"""The `[studies]` of a mechanism, checked against what each analysis may be told."""

from dataclasses import dataclass
from typing import Any

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


def planned(m: Any) -> list[Planned]:
    """The studies of a mechanism in the file's order; raises MechanismError with every mistake in them."""
    from closedchain.description.names import suggest

    known = studies()
    plan: list[Planned] = []
    found: list[Finding] = []
    names = m.parameter_numbers()
    for name, entry in m.studies.items():
        place, kind = f"studies.{name}", entry.kind
        if kind in FORTHCOMING:
            plan.append(Planned(name, kind, None, {}))
        elif kind not in known:
            found.append(Finding(f"{place}.kind", f"{kind!r} is no analysis.", suggest(kind, known, "analysis")))
        else:
            try:
                plan.append(Planned(name, kind, known[kind], known[kind].read(entry.arguments_as_said, place, names)))
            except MechanismError as error:
                found += error.findings
    if found:
        raise MechanismError(found, m.name)
    return plan
