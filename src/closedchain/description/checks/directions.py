"""Directions have a length, the z and x of a frame are not parallel, and a starting quaternion is not zero."""

from typing import TYPE_CHECKING

from closedchain.description.bodies import Point
from closedchain.description.checks.numbers import Numbers
from closedchain.description.document import Place
from closedchain.description.frames import PARALLEL
from closedchain.description.reading import Reader

if TYPE_CHECKING:
    from closedchain.description.assembly import Content


def check_directions(content: "Content", numbers: Numbers, reader: Reader) -> None:
    """See the module."""
    for place, direction in reader.directions:
        values = numbers.all_of(direction)
        if values is not None and not any(values):
            reader.note(place, "a zero vector has no direction.", "Write a vector with a length.")
    if not content.planar:
        for body in content.bodies.values():
            for point in body.points.values():
                if isinstance(point, Point) and point.x is not None:
                    _check_frame(point, Place() / "bodies" / body.name / "points" / point.name, numbers, reader)
    for joint in content.joints.values():
        if joint.guess is not None and len(joint.guess) == len(joint.form.coordinates) > len(joint.form.rates):
            quaternion = numbers.all_of(joint.guess[-4:])
            if quaternion is not None and not any(quaternion):
                reader.note(
                    Place() / "joints" / joint.name / "guess",
                    "a zero quaternion is no rotation.",
                    "Write w, x, y, z or a rotation vector.",
                )


def _check_frame(point: Point, place: Place, numbers: Numbers, reader: Reader) -> None:
    assert point.x is not None
    x = numbers.all_of(point.x)
    z = [0.0, 0.0, 1.0] if point.z is None else numbers.all_of(point.z)
    if x is None or z is None or not any(x) or not any(z):
        return
    scale_x, scale_z = max(map(abs, x)), max(map(abs, z))
    a, b = [s / scale_x for s in x], [s / scale_z for s in z]
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    if sum(s * s for s in cross) <= PARALLEL * sum(s * s for s in a) * sum(s * s for s in b):
        said = "body z, which is the frame's z," if point.z is None else "z"
        reader.note(place, f"the frame's x is parallel to {said} so it does not turn it.", "Choose an x across z.")
