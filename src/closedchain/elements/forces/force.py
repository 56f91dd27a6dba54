"""A given force at a point of a body."""

from closedchain.elements.family import VectorParameter
from closedchain.elements.forces.contract import AXES, ForceKind, Number, Values, force_vector, in_ground
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.numbers import Vec3


def wrench(p: Values, base: FrameState, moving: FrameState, t: Number) -> Wrench:
    """The vector, at the point, in ground axes or turning with the body."""
    return Wrench(in_ground(p, force_vector(p["vector"]), moving), Vec3.zero())


def supply(p: Values, base: FrameState, moving: FrameState, t: Number) -> Number:
    """F·v [W]."""
    return wrench(p, base, moving, t).force.dot(moving.v)


FORCE = ForceKind(
    name="force",
    meaning="given force at a point",
    attach="point",
    parameters=(VectorParameter("vector", ("N", "N", "N"), "the force", in_plane=(0, 1), timed=True), AXES),
    wrench=wrench,
    supply=supply,
)
