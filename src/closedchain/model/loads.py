"""What acts on the mechanism, filled with numbers at one instant: forces, springs, friction, motors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from closedchain.algorithms.applied import CoordinateLoad, FrameForce, FrictionLoad, Loads, Motor
from closedchain.algorithms.chain import AT_REST
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.compile import Symbol, directional_derivative
from closedchain.description import Actuator, Force, Value
from closedchain.elements.controls import control_kinds
from closedchain.elements.forces import force_kinds
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.model.model import Model, label

Number = Any
Evaluate = Callable[[Value], Number]
# Coordinate label -> value, rate and effort in the ideal mechanism, for controllers that follow "motion".
Ideal = Mapping[str, tuple[Number, Number, Number]]


def extra_states(model: Model) -> list[str]:
    """Names of the states beside coordinates and rates: controllers first, then friction laws."""
    names = []
    for actuator in model.mechanism.actuators.values():
        if actuator.control is not None:
            names += [f"{actuator.name}.{state}" for state in control_kinds[actuator.control.kind].states]
    for name, joint in model.mechanism.joints.items():
        if joint.friction is not None:
            for part in model.forms[name].rates:
                names += [f"{label(name, part)}.{state}" for state in friction_laws[joint.friction.law].states]
    return names


def make_loads(
    model: Model, t: Number, numbers: Sequence[Number] | None = None, ideal: Ideal | None = None, motors: bool = True
) -> Loads:
    """Everything that acts at time t.

    numbers: the parameter vector (default: its values). ideal: what controllers with target "motion" follow. motors: False
    leaves the actuators out (inverse dynamics asks for their efforts).
    """
    evaluate = model.parameters.evaluator(numbers, t=t)
    place = {name: position for position, name in enumerate(extra_states(model))}
    return Loads(
        t,
        tuple(frame_force(model, force, evaluate) for force in model.mechanism.forces.values() if force.joint is None),
        tuple(coordinate_loads(model, evaluate)),
        tuple(friction_loads(model, evaluate, place)),
        tuple(motor_loads(model, t, evaluate, place, ideal or {})) if motors else (),
    )


def plain(parameters: Mapping[str, Any], evaluate: Evaluate) -> dict[str, Any]:
    """Parameters of a leaf as numbers, tuples of numbers, words and switches."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Value):
            found[name] = evaluate(value)
        elif isinstance(value, tuple):
            found[name] = tuple(evaluate(entry) for entry in value)
        else:
            found[name] = value
    return found


def frame_force(model: Model, force: Force, evaluate: Evaluate) -> FrameForce:
    """A force between two frames, or on one of them."""
    kind = force_kinds[force.kind]
    values = plain(force.parameters, evaluate)
    link_of = model.topology.link_of
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


def coordinate_loads(model: Model, evaluate: Evaluate):
    """Springs, dampers and stops of the joints, and forces along joints."""
    for name, joint in model.mechanism.joints.items():
        for index, part in enumerate(model.forms[name].rates):
            where = label(name, part)
            for kind, values in (("stiffness", joint.stiffness), ("damping", joint.damping)):
                if index < len(values) and not values[index].is_zero:
                    element = joint_efforts[kind]
                    yield CoordinateLoad(where, element, {kind: evaluate(values[index])}, *model.locate(where))
            pair = joint.limits[index] if joint.limits is not None and index < len(joint.limits) else None
            if joint.stop is not None and pair is not None:
                values = plain(joint.stop.parameters, evaluate)
                values |= {"lower": evaluate(pair[0]), "upper": evaluate(pair[1])}
                yield CoordinateLoad(where, joint_efforts["stop"], values, *model.locate(where))
    for force in model.mechanism.forces.values():
        if force.joint is not None:
            element = force_kinds[force.kind].joint
            assert element is not None
            yield CoordinateLoad(
                force.name, element, plain(force.parameters, evaluate), *model.locate(force.joint.text)
            )


def friction_loads(model: Model, evaluate: Evaluate, place: Mapping[str, int]):
    """Friction of the joints."""
    for name, joint in model.mechanism.joints.items():
        if joint.friction is None:
            continue
        law = friction_laws[joint.friction.law]
        values = plain(joint.friction.parameters, evaluate)
        for part in model.forms[name].rates:
            where = label(name, part)
            start = place[f"{where}.{law.states[0]}"] if law.states else 0
            yield FrictionLoad(where, law, values, *model.locate(where), start)


def is_driven(actuator: Actuator) -> bool:
    """Whether the actuator's coordinate is imposed: by its own motion, or by nothing said, as in the ideal mechanism."""
    return actuator.motion is not None


def motor_loads(model: Model, t: Number, evaluate: Evaluate, place: Mapping[str, int], ideal: Ideal):
    """Actuators that make an effort, given or controlled."""
    for actuator in model.mechanism.actuators.values():
        where = actuator.joint.text
        coordinate, rate = model.locate(where)
        if actuator.effort is not None:
            yield Motor(actuator.name, coordinate, rate, effort=evaluate(actuator.effort))
        elif actuator.control is not None:
            control = actuator.control
            kind = control_kinds[control.kind]
            values = {"limit": float("inf"), **plain(control.parameters, evaluate)}
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
