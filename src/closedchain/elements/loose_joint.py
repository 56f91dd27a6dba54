"""What must agree between the three free choices of a loose joint: gap geometry, contact law and friction law."""

from collections.abc import Mapping
from typing import Any

from closedchain.elements.clearances.contract import ClearanceKind
from closedchain.elements.contact_laws.contract import ContactLaw
from closedchain.elements.family import Problem
from closedchain.elements.friction_laws.contract import FrictionLaw

HERTZIAN = 1.5


def problems(
    kind: ClearanceKind,
    normal: ContactLaw,
    friction: FrictionLaw,
    p: Mapping[str, Any],
    planar: bool,
    by_material: bool,
) -> tuple[Problem, ...]:
    """What is wrong with the values together: (key, sentence) each; nothing when the joint can be simulated.

    p: plain values by name of all three, without those that follow from materials. planar: in a planar mechanism.
    by_material: the file gives materials.
    """
    found: list[Problem] = [*kind.check(p, planar), *normal.check(p), *friction.check(p)]
    known = kind.law_values(p)
    for name in normal.geometry:
        if name not in known:
            takes = any(parameter.name == name for parameter in kind.parameters)
            remedy = f"give {name}" if takes and p.get(name) is None else "choose another law"
            found.append(("normal", f"the law {normal.name} needs the {name} of a pin in its bore; {remedy}."))
    if by_material and normal.material == "stiffness" and "bore" not in known:
        sentence = f"gives the stiffness of a pin in its bore, which a {kind.name} is not. Give the stiffness itself."
        found.append(("material", sentence))
    if kind.turning and friction.states:
        sentence = (
            f"the law {friction.name} remembers one direction, and the slip of a {kind.name} has two; choose another."
        )
        found.append(("friction", sentence))
    if by_material and normal.material == "stiffness" and p["exponent"] != HERTZIAN:
        sentence = (
            f"is {p['exponent']:g}; the stiffness of two materials goes with {HERTZIAN:g}. Give the stiffness itself."
        )
        found.append(("exponent", sentence))
    return tuple(found)
