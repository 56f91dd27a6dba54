"""Ball in a socket with radial play."""

from closedchain.elements.clearances.contract import (
    APPROACH_FLOOR,
    BORE,
    INITIAL,
    JOURNAL,
    RADIAL,
    ClearanceKind,
    Gap,
    Values,
    check_round,
    round_values,
)
from closedchain.elements.clearances.cylinder import CENTRE, safe_length, sides
from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Vec3

# slower slips fade to zero instead of having a direction [m/s]
TINY_SLIP = 1e-12


def gaps(p: Values, base: FrameState, moving: FrameState) -> tuple[Gap, ...]:
    """One gap: δ = |e| − c; the tangent points along the slip of the moving side's surface point, v_T = |slip|."""
    socket, ball = sides(p, base, moving)
    c, R_B = p["radial"], p["bore"]
    e = ball.p - socket.p
    size = safe_length(e, CENTRE * c)
    n = e / size
    Q_socket, Q_ball = socket.p + n * R_B, ball.p + n * (R_B - c)
    delta_dot = (ball.v - socket.v).dot(n)
    Q_base, Q_moving, n = (Q_ball, Q_socket, -n) if p["journal"] == "base" else (Q_socket, Q_ball, n)
    velocity = moving.velocity_at(Q_moving) - base.velocity_at(Q_base)
    along = velocity - n * velocity.dot(n)
    slip = safe_length(along, TINY_SLIP)
    return (Gap(size - c, delta_dot, slip, n, along / slip, Q_base, Q_moving),)


def eccentricity(p: Values, base: FrameState, moving: FrameState) -> Vec3:
    """From the socket's centre to the ball's [m]."""
    socket, ball = sides(p, base, moving)
    return ball.p - socket.p


SPHERICAL_SOCKET = ClearanceKind(
    name="spherical-socket",
    meaning="ball in a socket with radial play",
    joints=("spherical",),
    parameters=(RADIAL, BORE, JOURNAL, INITIAL, APPROACH_FLOOR),
    released=lambda p, planar: ((0, 1, 2), ()),
    gaps=gaps,
    eccentricity=eccentricity,
    law_values=round_values,
    check=check_round,
    planar=False,
    turning=True,
)
