"""Values of laws, forces and clearances that are wrong together; the leaves themselves say what."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from closedchain.description.checks.numbers import Numbers
from closedchain.description.clearances import Clearance
from closedchain.description.document import Place
from closedchain.description.forces import force_kinds
from closedchain.description.reading import Reader
from closedchain.description.values import Value, ValueProblem, make_value
from closedchain.elements.clearances import clearance_kinds
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.family import Problem
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.loose_joint import problems

if TYPE_CHECKING:
    from closedchain.description.assembly import Content


def check_laws(content: "Content", numbers: Numbers, reader: Reader) -> None:
    """Clearances and friction of joints, forces."""
    for joint in content.joints.values():
        place = Place() / "joints" / joint.name
        if joint.clearance is not None:
            _check_clearance(joint.clearance, place / "clearance", content.planar, numbers, reader)
        if joint.friction is not None:
            p = plain(joint.friction.parameters, numbers)
            if p is not None:
                _note(friction_laws[joint.friction.law].check(p), place / "friction", reader)
    for force in content.forces.values():
        p = plain(force.parameters, numbers)
        if p is not None:
            _note(force_kinds()[force.kind].check(p), Place() / "forces" / force.name, reader)


def plain(parameters: Mapping[str, Any], numbers: Numbers) -> dict[str, Any] | None:
    """Parameters as plain floats, tuples of them and words; None where a number is not known (it is a mistake, or
    uses t)."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Value):
            found[name] = numbers.of(value)
        elif isinstance(value, tuple):
            found[name] = numbers.all_of(value)
            if found[name] is not None:
                found[name] = tuple(found[name])
        else:
            found[name] = value
        if found[name] is None:
            return None
    return found


def _check_clearance(clearance: Clearance, place: Place, planar: bool, numbers: Numbers, reader: Reader) -> None:
    kind, law = clearance_kinds[clearance.kind], contact_laws[clearance.normal]
    takes = {parameter.name for parameter in kind.parameters}
    missing = [name for name in law.geometry if name in takes and name not in clearance.parameters]
    for name in missing:
        reader.note(place, f"the key {name!r} is missing, which the law {law.name} needs.", f"Add {name} = ….")
    p = plain(clearance.parameters, numbers)
    # ranges first: a check of values together trusts each of them
    broken = any(finding.place.startswith(place.path) for finding in reader.findings)
    if p is None or broken:
        return
    friction, by_material = friction_laws[clearance.friction], clearance.material is not None
    _note(problems(kind, law, friction, p, planar, by_material), place, reader)
    _check_stiffness(clearance, p, place, reader)


def _check_stiffness(clearance: Clearance, p: Mapping[str, Any], place: Place, reader: Reader) -> None:
    """A contact stiffness with a unit: the dimension follows from the exponent."""
    stiffness = clearance.parameters.get("stiffness")
    if isinstance(stiffness, Value) and stiffness.unit == "" and stiffness.is_literal and "exponent" in p:
        try:
            make_value(stiffness.written, f"N/m^{p['exponent']:g}")
        except ValueProblem as problem:
            reader.note(place / "stiffness", f"{problem}.", problem.remedy)


def _note(problems: tuple[Problem, ...], place: Place, reader: Reader) -> None:
    for name, sentence in problems:
        reader.note(place / name, sentence, "Change it or the value it disagrees with.")
