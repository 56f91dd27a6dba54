"""What an applied force answers: its wrench, what it stores, takes and brings in.

1. `attach` says what the file names: "pair" (`between`, two points with frames), "point" (`on` a point), "body"
   (`on` a body), "joint" (`joint`, a coordinate).
2. `wrench(p, base, moving, t)`: force and moment on the moving side about the moving frame's origin, ground
   axes. The opposite acts on the base side at the same place in space: Wrench.moved. For "point" and "body" only
   the moving side exists and the base is the fixed ground frame.
3. `energy(p, base, moving)` [J], `dissipation(p, base, moving, t)` [W] ≥ 0 and `supply(p, base, moving, t)` [W]
   account for its power: power on both sides = −dE/dt − dissipation + supply. Constant and time-dependent force
   vectors are supply.
4. `joint`: of "joint" kinds, the effort on the coordinate by the contract of joint efforts; they have no wrench.
5. `p` holds the parameters by name; vectors as tuples of `VectorParameter.size` numbers; timed ones as their
   values at t.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.elements.family import Parameter, Problem, Switch, VectorParameter, no_problems
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.elements.joint_efforts.contract import JointEffort
from closedchain.numbers import Vec3

Number = Any
Values = Mapping[str, Any]


def no_wrench(p: Values, base: FrameState, moving: FrameState, t: Number) -> Wrench:
    """Of forces that act on a joint coordinate."""
    return Wrench(Vec3.zero(), Vec3.zero())


def no_energy(p: Values, base: FrameState, moving: FrameState) -> Number:
    """Stores nothing."""
    return 0.0


def no_power(p: Values, base: FrameState, moving: FrameState, t: Number) -> Number:
    """Takes or brings in nothing."""
    return 0.0


@dataclass(frozen=True)
class ForceKind:
    """An applied force: see the numbered contract of this module."""

    name: str
    meaning: str
    attach: str
    parameters: tuple[Parameter | VectorParameter | Switch, ...]
    wrench: Callable[[Values, FrameState, FrameState, Number], Wrench] = no_wrench
    energy: Callable[[Values, FrameState, FrameState], Number] = no_energy
    dissipation: Callable[[Values, FrameState, FrameState, Number], Number] = no_power
    supply: Callable[[Values, FrameState, FrameState, Number], Number] = no_power
    joint: JointEffort | None = None
    check: Callable[[Values], tuple[Problem, ...]] = no_problems


def force_vector(numbers: Sequence[Number]) -> Vec3:
    """Two numbers in the plane or three in space."""
    return Vec3(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0.0)


def moment_vector(numbers: Sequence[Number]) -> Vec3:
    """One number about +z in the plane or three in space."""
    return Vec3(0.0, 0.0, numbers[0]) if len(numbers) == 1 else Vec3(*numbers)


AXES = Parameter("axes", "", "the axes the vector is given in", default="ground", choices=("ground", "body"))


def in_ground(p: Values, vector: Vec3, frame: FrameState) -> Vec3:
    """A vector given in the axes that the file names, turned into ground axes."""
    return frame.R @ vector if p["axes"] == "body" else vector
