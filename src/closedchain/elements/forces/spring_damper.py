"""Spring and damper along the line between two points."""

from closedchain.elements.family import Parameter
from closedchain.elements.forces.contract import ForceKind, Number, Values
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.numbers import Vec3, maximum, sqrt

# nearer points count as coincident: the line has no direction, force and damping fade to zero [m]
COINCIDENT = 1e-12


def line(base: FrameState, moving: FrameState) -> tuple[Number, Vec3, Number]:
    """Distance l [m], direction from base to moving point, and l̇ [m/s]."""
    d = moving.p - base.p
    length = sqrt(maximum(d.dot(d), COINCIDENT * COINCIDENT))
    n = d / length
    return length, n, (moving.v - base.v).dot(n)


def tension(p: Values, length: Number, rate: Number) -> Number:
    """F = F₀ + k (l − l₀) + c l̇ [N], positive where it pulls the points together."""
    return p["force"] + p["stiffness"] * (length - p["length"]) + p["damping"] * rate


def wrench(p: Values, base: FrameState, moving: FrameState, t: Number) -> Wrench:
    """−F n at the moving point.

    Where the points coincide the line has no direction and the force is zero; a free length of zero needs no direction.
    """
    length, n, rate = line(base, moving)
    return Wrench(-(n * tension(p, length, rate)), Vec3.zero())


def energy(p: Values, base: FrameState, moving: FrameState) -> Number:
    """k (l − l₀)²/2 + F₀ (l − l₀) [J]."""
    stretch = line(base, moving)[0] - p["length"]
    return (0.5 * p["stiffness"] * stretch + p["force"]) * stretch


def dissipation(p: Values, base: FrameState, moving: FrameState, t: Number) -> Number:
    """c l̇² [W]."""
    rate = line(base, moving)[2]
    return p["damping"] * rate * rate


SPRING_DAMPER = ForceKind(
    name="spring-damper",
    meaning="spring and damper along the line between two points",
    attach="pair",
    parameters=(
        Parameter("stiffness", "N/m", "stiffness k", default=0.0, lower=0.0),
        Parameter("damping", "N s/m", "damping c", default=0.0, lower=0.0),
        Parameter("length", "m", "free length l₀", default=0.0, lower=0.0),
        Parameter("force", "N", "preload F₀ at the free length, positive pulls the points together", default=0.0),
    ),
    wrench=wrench,
    energy=energy,
    dissipation=dissipation,
)
