"""Inertia that a body can have: not negative, and no principal moment above the sum of the two others."""

from typing import TYPE_CHECKING

import numpy as np

from closedchain.description.bodies import Body
from closedchain.description.checks.numbers import Numbers
from closedchain.description.document import Place
from closedchain.description.reading import Reader
from closedchain.description.values import Value
from closedchain.exceptions import MechanismError

if TYPE_CHECKING:
    from closedchain.description.assembly import Content

# Of the largest moment: numbers rounded to four digits pass.
ROUNDING = 1e-4


def check_inertia(content: "Content", numbers: Numbers, reader: Reader) -> None:
    """Inertia of every body, about its mass centre."""
    for body in content.bodies.values():
        if ("bodies", body.name) in reader.settled:
            continue
        used: list[Value] = [body.mass, *body.com, *body.inertia]
        if body.inertia_at is not None:
            used += getattr(body.inertia_at, "at", ())
        if numbers.all_of(used) is not None:
            _check_body(body, numbers, reader)


def _check_body(body: Body, numbers: Numbers, reader: Reader) -> None:
    place = Place() / "bodies" / body.name / "inertia"

    def evaluate(value: Value) -> float:
        number = numbers.of(value)
        if number is None:
            raise MechanismError("")
        return number

    try:
        tensor = np.array([list(row) for row in body.mass_properties(evaluate)[2]], dtype=float)
    except MechanismError:
        return
    moved = "" if body.inertia_at is None else " about the mass centre (moved there from inertia_at)"
    if len(body.inertia) == 1:
        if tensor[2, 2] < -ROUNDING * abs(evaluate(body.inertia[0])) or (not moved and tensor[2, 2] < 0.0):
            reader.note(
                place,
                f"the inertia{moved} is {tensor[2, 2]:g} kg m²; it cannot be negative.",
                "Check mass, com and inertia.",
            )
        return
    moments = np.linalg.eigvalsh(tensor)
    tolerance = ROUNDING * max(abs(moments))
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    if moments[0] < -tolerance or (len(body.inertia) == 3 and not moved and moments[0] < 0.0):
        reader.note(
            place,
            f"the principal moments{moved} are {shown} kg m²; none can be negative.",
            "Six numbers are xx, yy, zz, xy, xz, yz of the tensor (xy = −∫xy dm).",
        )
    elif moments[2] > moments[0] + moments[1] + tolerance:
        reader.note(
            place,
            f"the principal moments{moved} are {shown} kg m²; no moment of a body is above the sum of the two others.",
            "Check the numbers and their order.",
        )
