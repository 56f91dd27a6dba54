"""A given moment on a body."""

from closedchain.elements.family import VectorParameter
from closedchain.elements.forces.contract import AXES, ForceKind, Number, Values, in_ground, moment_vector
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.numbers import Vec3


def wrench(p: Values, base: FrameState, moving: FrameState, t: Number) -> Wrench:
    """The vector, in ground axes or turning with the body; in the plane one number about +z."""
    return Wrench(Vec3.zero(), in_ground(p, moment_vector(p["vector"]), moving))


def supply(p: Values, base: FrameState, moving: FrameState, t: Number) -> Number:
    """M·ω [W]."""
    return wrench(p, base, moving, t).moment.dot(moving.w)


MOMENT = ForceKind(
    name="moment",
    meaning="given moment on a body",
    attach="body",
    parameters=(VectorParameter("vector", ("N m", "N m", "N m"), "the moment", in_plane=(2,), timed=True), AXES),
    wrench=wrench,
    supply=supply,
)
