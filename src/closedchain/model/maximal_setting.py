"""What a simulation in maximal coordinates is made of: bodies, joints, and where everything stands in its state.

The state is y = [body coordinates, body rates, angles of all joints, extra states, coordinates of the ideal mechanism,
input work, dissipated energy]. The angles are integrated from their rates, so that whole turns count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from closedchain.algorithms.contact import MEMORY
from closedchain.algorithms.maximal import Connection, FreeBodies, FreeBody
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.compile import compile_kernel, trace
from closedchain.elements.joints import Ball, JointType, Rotation, Screw
from closedchain.model.build import joint_parameters, offsets, vector
from closedchain.model.dynamics_kernels import IdealMotion
from closedchain.model.loads import extra_states, gaps_in_order
from closedchain.model.loose import loose_closure
from closedchain.model.model import Drive, Model, label
from closedchain.model.topology import acted_on

Number = Any
# Kernels take Baumgarte's alpha and beta as parameters of their own, so other values need no new kernels.
BAUMGARTE = ("alpha", "beta")


def angle_places(form: JointType) -> list[int]:
    """Places of the angles among a joint's coordinates."""
    found, place = [], 0
    for step in form.steps(dict.fromkeys((parameter.name for parameter in form.parameters), 0.0)):
        if isinstance(step, Rotation | Screw):
            found.append(place)
        place += 4 if isinstance(step, Ball) else 1
    return found


@dataclass(frozen=True)
class MaximalSetting:
    """What is simulated: model (for names, parameters and loose joints), imposed coordinates, the ideal motion."""

    model: Model
    drive: Drive
    ideal: IdealMotion | None = None

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Moving bodies in file order."""
        return tuple(name for name in self.model.mechanism.bodies if name != "ground")

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Index of every body, GROUND for the fixed one."""
        return {"ground": GROUND} | {name: index for index, name in enumerate(self.bodies)}

    @cached_property
    def angles(self) -> tuple[tuple[str, int], ...]:
        """(joint, place among its coordinates) of every angle, in file order."""
        return tuple((name, place) for name, form in self.model.forms.items() for place in angle_places(form))

    @cached_property
    def involved(self) -> frozenset[str]:
        """Joints whose coordinates something acts on, drives or relates."""
        driven = set(self.drive.coordinates)
        forms = self.model.forms.items()
        return frozenset(acted_on(self.model.mechanism)) | {
            name for name, form in forms if any(label(name, part) in driven for part in form.rates)
        }

    @cached_property
    def rates(self) -> tuple[str, ...]:
        """Labels of the rates of the involved joints, in file order."""
        forms = self.model.forms
        return tuple(label(name, part) for name in forms if name in self.involved for part in forms[name].rates)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of the parts of the state y, in order."""
        planar, count = self.model.mechanism.planar, len(self.bodies)
        ideal = self.ideal.states if self.ideal else 0
        poses, rates = count * (3 if planar else 7), count * (3 if planar else 6)
        return (poses, rates, len(self.angles), len(extra_states(self.model)), ideal, 1, 1)

    @property
    def states(self) -> int:
        """Length of y."""
        return sum(self.sizes)

    @cached_property
    def gaps(self) -> tuple[tuple[str, int], ...]:
        """(loose joint, gap) of every place that can touch, in the order of the memory."""
        return gaps_in_order(self.model)

    @property
    def memory(self) -> int:
        """Length of the memory: mode and approach speed of every gap."""
        return MEMORY * len(self.gaps)

    @property
    def inputs(self) -> dict[str, int]:
        """Inputs of the kernels."""
        return {"t": 1, "y": self.states, "memory": self.memory}

    @property
    def key(self) -> tuple:
        """What the kernels of this setting are known by."""
        return ("maximal", self.drive, self.ideal.key if self.ideal else None)

    def split(self, y: Sequence[Number]) -> list[list[Number]]:
        """The parts of the state y."""
        parts, start = [], 0
        for size in self.sizes:
            parts.append(list(y[start : start + size]))
            start += size
        return parts

    def kernel(self, name: str, function, inputs: Mapping[str, int] | None = None):
        """The kernel of a function(parameters, baumgarte, **inputs), compiled once."""
        key, kernels = (name, self.key), self.model.kernels
        if key not in kernels:
            parameters = {"parameters": len(self.model.parameters.paths), "baumgarte": len(BAUMGARTE)}
            kernels[key] = compile_kernel(trace(function, inputs or self.inputs, parameters))
        return kernels[key]


def free_bodies(setting: MaximalSetting, parameters: Sequence[Number] | None = None) -> FreeBodies:
    """Bodies and joints in numbers; `parameters` stands for the parameter vector (default: its values)."""
    model = setting.model
    mechanism, evaluate = model.mechanism, model.parameters.evaluator(parameters)
    bodies = tuple(FreeBody(name, *mechanism.bodies[name].mass_properties(evaluate)) for name in setting.bodies)
    connections = []
    for name, joint in mechanism.joints.items():
        base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
        closure = joint.form.closure
        if name in model.topology.loose:
            closure = loose_closure(joint, mechanism.planar)
        screws = [step for step in joint.form.steps(joint_parameters(mechanism, joint, evaluate))
                  if isinstance(step, Screw)]  # fmt: skip
        connections.append(
            Connection(
                name, setting.places[joint.base.body], base, setting.places[joint.moving.body], moving, closure,
                joint.form, offsets(mechanism, joint, evaluate), screws[0].pitch if screws else 0.0,
            )
        )  # fmt: skip
    gravity = vector(mechanism.gravity, evaluate)
    return FreeBodies(bodies, tuple(connections), mechanism.planar, gravity, model.size)
