"""What acts on the mechanism, filled with numbers at one instant: forces, springs, friction, motors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.applied import CoordinateLoad, FrameForce, FrictionLoad, Loads, Motor
from closedchain.algorithms.chain import AT_REST
from closedchain.algorithms.contact import MEMORY, LooseJoint
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.compile import Symbol, directional_derivative
from closedchain.description import Actuator, Force, Value
from closedchain.elements.clearances import clearance_kinds
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.contact_laws.materials import contact_modulus, stiffness_from_material
from closedchain.elements.controls import control_kinds
from closedchain.elements.forces import force_kinds
from closedchain.elements.frame_state import FrameState
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.exceptions import MechanismError
from closedchain.model.loose import values_of
from closedchain.model.model import Model, label
from closedchain.numbers import Vec3

Number = Any
Evaluate = Callable[[Value], Number]
# Coordinate label -> value, rate and effort in the ideal mechanism, for controllers that follow "motion".
Ideal = Mapping[str, tuple[Number, Number, Number]]


@dataclass(frozen=True)
class Places:
    """Where a formulation keeps coordinates (label -> coordinate and rate index) and bodies (name -> index)."""

    locate: Callable[[str], tuple[int, int]]
    body: Mapping[str, int]


def extra_states(model: Model) -> list[str]:
    """Names of the states beside coordinates and rates: controllers, friction of joints, friction of contacts."""
    if ("extra states",) in model.kernels:
        return model.kernels[("extra states",)]
    names = []
    for actuator in model.mechanism.actuators.values():
        if actuator.control is not None:
            names += [f"{actuator.name}.{state}" for state in control_kinds[actuator.control.kind].states]
    for name, joint in model.mechanism.joints.items():
        if joint.friction is not None:
            for part in model.forms[name].rates:
                names += [f"{label(name, part)}.{state}" for state in friction_laws[joint.friction.law].states]
    for name in loose_in_order(model):
        clearance = model.mechanism.joints[name].clearance
        assert clearance is not None
        states = friction_laws[clearance.friction].states
        names += [f"{name}.contact{gap}.{state}" for gap in range(gap_count(model, name)) for state in states]
    model.kernels[("extra states",)] = names
    return names


def loose_in_order(model: Model) -> list[str]:
    """Loose joints in file order."""
    return [name for name in model.mechanism.joints if name in model.topology.loose]


def gap_count(model: Model, name: str) -> int:
    """Number of places where a loose joint can touch, the same for all values."""
    if ("gaps", name) in model.kernels:
        return model.kernels["gaps", name]
    clearance = model.mechanism.joints[name].clearance
    assert clearance is not None
    zero = Vec3(0.0, 0.0, 0.0)
    centred = FrameState(AT_REST.R, zero, zero, zero)
    values = values_of(clearance.parameters, model.parameters.evaluator())
    model.kernels["gaps", name] = len(clearance_kinds[clearance.kind].gaps(values, centred, centred))
    return model.kernels["gaps", name]


def gaps_in_order(model: Model) -> tuple[tuple[str, int], ...]:
    """(loose joint, gap) of every place that can touch, in the order of the memory."""
    return tuple((name, gap) for name in loose_in_order(model) for gap in range(gap_count(model, name)))


def loose_joint_loads(model: Model, at: Places, evaluate: Evaluate, place: Mapping[str, int], latched: bool):
    """Joints with play, each with its gap geometry, contact law and friction law."""
    memory = 0
    for name in loose_in_order(model):
        joint = model.mechanism.joints[name]
        clearance = joint.clearance
        assert clearance is not None
        kind, law = clearance_kinds[clearance.kind], contact_laws[clearance.normal]
        friction = friction_laws[clearance.friction]
        values = values_of(clearance.parameters, evaluate)
        geometry = kind.law_values(values)
        # The word `journal` says which side carries the pin; its radius stands beside it.
        known = values | {name: value for name, value in geometry.items() if name != "journal"}
        if clearance.material is not None:
            sides = (clearance.material.bore, clearance.material.journal)
            constants = [evaluate(value) for side in sides for value in (side.youngs, side.poisson)]
            if law.material == "stiffness":
                known["stiffness"] = stiffness_from_material(geometry["bore"], geometry["journal"], *constants)
            else:
                known[law.material] = contact_modulus(*constants)
        base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
        gaps = gap_count(model, name)
        start = place[f"{name}.contact0.{friction.states[0]}"] if friction.states else 0
        yield LooseJoint(
            name, kind, law, friction, values, known, at.body[joint.base.body], base,
            at.body[joint.moving.body], moving, gaps, memory, start, latched,
        )  # fmt: skip
        memory += MEMORY * gaps


def make_loads(
    model: Model,
    t: Number,
    numbers: Sequence[Number] | None = None,
    ideal: Ideal | None = None,
    motors: bool = True,
    places: Places | None = None,
    latched: bool = False,
) -> Loads:
    """Everything that acts at time t.

    numbers: the parameter vector (default: its values). ideal: what controllers with target "motion" follow. motors:
    False leaves the actuators out (inverse dynamics asks for their efforts). places: where coordinates and bodies stand
    (default: in the tree). latched: which piece of its friction law acts at a contact is latched.
    """
    at = places or Places(model.locate, model.topology.link_of)
    evaluate = model.parameters.evaluator(numbers, t=t)
    place = {name: position for position, name in enumerate(extra_states(model))}
    return Loads(
        t,
        tuple(frame_force(at, force, evaluate) for force in model.mechanism.forces.values() if force.joint is None),
        tuple(coordinate_loads(model, at, evaluate)),
        tuple(friction_loads(model, at, evaluate, place)),
        tuple(motor_loads(model, at, t, evaluate, place, ideal or {})) if motors else (),
        tuple(loose_joint_loads(model, at, evaluate, place, latched)),
    )


def frame_force(at: Places, force: Force, evaluate: Evaluate) -> FrameForce:
    """A force between two frames, or on one of them."""
    kind = force_kinds[force.kind]
    values = values_of(force.parameters, evaluate)
    link_of = at.body
    if force.between is not None:
        base, moving = force.between
        return FrameForce(
            force.name, kind, values, link_of[base.body], Frame(*base.point.pose(evaluate)), link_of[moving.body],
            Frame(*moving.point.pose(evaluate)),
        )  # fmt: skip
    if force.point is not None:
        body, frame = force.point.body, Frame(AT_REST.R, force.point.point.position(evaluate))
    else:
        assert force.body is not None
        body, frame = force.body, AT_REST
    return FrameForce(force.name, kind, values, GROUND, AT_REST, link_of[body], frame)


def coordinate_loads(model: Model, at: Places, evaluate: Evaluate):
    """Springs, dampers and stops of the joints, and forces along joints.

    Raises MechanismError for a spring or a stop on an angular velocity: a ball has no angle that it could act on.
    """
    for name, joint in model.mechanism.joints.items():
        for index, part in enumerate(model.forms[name].rates):
            where = label(name, part)
            for kind, values in (("stiffness", joint.stiffness), ("damping", joint.damping)):
                if index < len(values) and not values[index].is_zero:
                    require_coordinate(model, name, part, kind, needed=kind == "stiffness")
                    element = joint_efforts[kind]
                    yield CoordinateLoad(where, element, {kind: evaluate(values[index])}, *at.locate(where))
            pair = joint.limits[index] if joint.limits is not None and index < len(joint.limits) else None
            if joint.stop is not None and pair is not None:
                require_coordinate(model, name, part, "stop", needed=True)
                values = values_of(joint.stop.parameters, evaluate)
                values |= {"lower": evaluate(pair[0]), "upper": evaluate(pair[1])}
                yield CoordinateLoad(where, joint_efforts["stop"], values, *at.locate(where))
    for force in model.mechanism.forces.values():
        if force.joint is not None:
            element = force_kinds[force.kind].joint
            assert element is not None
            yield CoordinateLoad(
                force.name, element, values_of(force.parameters, evaluate), *at.locate(force.joint.text)
            )


def require_coordinate(model: Model, joint: str, part: str, what: str, needed: bool) -> None:
    """Raise MechanismError where something needs the coordinate of a rate that has none."""
    if needed and part not in model.forms[joint].coordinates:
        raise MechanismError(
            f"joints.{joint}.{what}: the rotation {part} of a {model.forms[joint].name} joint is no coordinate that a "
            "spring or stop could act on; use a force of kind bushing."
        )


def friction_loads(model: Model, at: Places, evaluate: Evaluate, place: Mapping[str, int]):
    """Friction of the joints."""
    for name, joint in model.mechanism.joints.items():
        if joint.friction is None:
            continue
        law = friction_laws[joint.friction.law]
        values = values_of(joint.friction.parameters, evaluate)
        for part in model.forms[name].rates:
            where = label(name, part)
            start = place[f"{where}.{law.states[0]}"] if law.states else 0
            yield FrictionLoad(where, law, values, *at.locate(where), start)


def motor_loads(model: Model, at: Places, t: Number, evaluate: Evaluate, place: Mapping[str, int], ideal: Ideal):
    """Actuators that make an effort, given or controlled."""
    for actuator in model.mechanism.actuators.values():
        where = actuator.joint.text
        coordinate, rate = at.locate(where)
        if actuator.effort is not None:
            yield Motor(actuator.name, coordinate, rate, effort=evaluate(actuator.effort))
        elif actuator.control is not None:
            control = actuator.control
            kind = control_kinds[control.kind]
            values = {"limit": float("inf"), **values_of(control.parameters, evaluate)}
            goal, goal_rate, effort = followed(model, actuator, t, evaluate, ideal)
            start = place[f"{actuator.name}.{kind.states[0]}"] if kind.states else 0
            forward = effort if control.feedforward else 0.0
            yield Motor(actuator.name, coordinate, rate, None, kind, values, goal, goal_rate, forward, start)


def followed(model: Model, actuator: Actuator, t: Number, evaluate: Evaluate, ideal: Ideal):
    """Target of a controller, its rate, and the ideal effort."""
    assert actuator.control is not None
    target = actuator.control.target
    value, rate, effort = ideal.get(actuator.joint.text, (0.0, 0.0, 0.0))
    if isinstance(target, Value):
        value = evaluate(target)
        rate = rate_of_time(target, value, t, model)
    return value, rate, effort


def rate_of_time(target: Value, value: Number, t: Number, model: Model) -> Number:
    """d target / dt: exact from the graph, by central differences where the mechanics runs on floats."""
    if not target.uses_time:
        return 0.0
    if isinstance(t, Symbol):
        return directional_derivative([value], {t: 1.0})[0]
    step = 1e-5
    ends = [model.parameters.evaluator(t=t + sign * step)(target) for sign in (1.0, -1.0)]
    return (ends[0] - ends[1]) / (2.0 * step)
