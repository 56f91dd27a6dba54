"""Drives that say one thing twice: two actuators on a coordinate, two motions for one component, empty couplings."""

from typing import TYPE_CHECKING

from closedchain.description.checks.numbers import Numbers
from closedchain.description.document import Place
from closedchain.description.drives import check_actuator, check_motion
from closedchain.description.reading import Reader

if TYPE_CHECKING:
    from closedchain.description.assembly import Content

ROTATIONS = frozenset({"roll", "pitch", "yaw", "angle"})


def check_drives(content: "Content", numbers: Numbers, reader: Reader) -> None:
    """See the module."""
    driven: dict[str, str] = {}
    for actuator in content.actuators.values():
        place = Place() / "actuators" / actuator.name
        check_actuator(actuator, place, reader)
        other = driven.setdefault(actuator.joint.text, actuator.name)
        if other != actuator.name:
            reader.note(
                place / "joint",
                f"{actuator.joint.text} is driven by {other} already.",
                "Keep one of the two actuators.",
            )
    _check_motions(content, reader)
    for coupling in content.couplings.values():
        factors = numbers.all_of(value for _, value in coupling.sum)
        if factors is not None and not any(factors):
            reader.note(
                Place() / "couplings" / coupling.name / "sum",
                "all factors are zero.",
                "Give the ratio of the coordinates.",
            )


def _check_motions(content: "Content", reader: Reader) -> None:
    """A component of a point, and the orientation of a body, are prescribed once; no body by more than it can move."""
    freedoms = 3 if content.planar else 6
    said: dict[tuple[str, str], str] = {}
    counts: dict[str, int] = {}
    for motion in content.motions.values():
        place = Place() / "motions" / motion.name
        check_motion(motion, place, reader)
        body = motion.of.body
        repeated = False
        for component in motion.components:
            turns = component in ROTATIONS
            other = said.setdefault((body if turns else motion.of.text, component), motion.name)
            if other != motion.name:
                repeated = True
                what = f"orientation of {body}" if turns else f"{component} of {motion.of.text}"
                reader.note(place, f"the {what} is prescribed by motion {other} already.", "Keep one of the two.")
        counts[body] = counts.get(body, 0) + len(motion.components)
        if counts[body] > freedoms and not repeated:
            reader.note(
                place,
                f"{counts[body]} components are prescribed for body {body}, which has {freedoms} freedoms.",
                "Remove some.",
            )
