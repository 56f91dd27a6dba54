"""Variables that a question may be asked with respect to: joint coordinates, components of point motions, actuators."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from closedchain.algorithms.chain import placed_link
from closedchain.algorithms.constraints import POSE_PARTS
from closedchain.algorithms.influence import Rate, coordinate_rate, frame_rate
from closedchain.algorithms.tree import Frame
from closedchain.analyses.loop_rates import LoopRates
from closedchain.description import Motion
from closedchain.exceptions import MechanismError, SingularConfigurationError
from closedchain.numbers import Mat3

GIMBAL = 1e-6


@dataclass(frozen=True, eq=False)
class Variable:
    """A chosen variable: its name, its unit ("rad" or "m"), its scaled rate S v over the scaled rates v of all joints.

    S: (nv,); dS[m, n]: derivative of S[n] along rate m, (nv, nv).
    """

    name: str
    unit: str
    S: np.ndarray
    dS: np.ndarray


def actuated(rates: LoopRates) -> list[str]:
    """Actuated coordinates in file order, each once."""
    return list(dict.fromkeys(actuator.joint.text for actuator in rates.model.mechanism.actuators.values()))


def expand(rates: LoopRates, names: Sequence[str] | str | None) -> list[str]:
    """Names of single variables: actuated coordinates for None, joints and motions with several parts spread.

    A name means a joint or one of its rates, else a motion or one of its components, else an actuator.

    Raises MechanismError for names that do not exist.
    """
    mechanism = rates.model.mechanism
    if names is None:
        found = actuated(rates)
        if not found:
            names = ", ".join(independent(rates)) or "none"
            raise MechanismError(
                "no joint is actuated; name joint coordinates or motions with wrt, or give the file actuators. An "
                f"independent set is {names}."
            )
        return found
    found = []
    for name in [names] if isinstance(names, str) else list(names):
        if not isinstance(name, str):
            raise MechanismError(f"{name!r} names no variable; give joints, coordinates or motions by their names.")
        if name in rates.model.tree_rates:
            found.append(name)
        elif name in mechanism.joints:
            parts = [f"{name}.{part}" for part in rates.model.forms[name].rates]
            if not parts:
                raise MechanismError(f"joint {name!r} is fixed and has no coordinate; name a joint that moves.")
            found += parts
        elif name in mechanism.motions:
            found += [f"{name}.{part}" for part in mechanism.motions[name].components]
        elif motion_part(rates, name) is not None:
            found.append(name)
        elif name in mechanism.actuators:
            found.append(mechanism.actuators[name].joint.text)
        else:
            raise MechanismError(unknown(rates, name))
    return found


def unknown(rates: LoopRates, name: str) -> str:
    """Sentence about a name that is no variable."""
    mechanism = rates.model.mechanism
    if name in rates.model.tree_coordinates:
        joint = name.rpartition(".")[0]
        parts = ", ".join(f"{joint}.{part}" for part in rates.model.forms[joint].rates if part.startswith("w"))
        return f"{name!r} is part of a quaternion, which has no rate of its own; use the angular velocities {parts}."
    motions = [f"{motion.name}.{part}" for motion in mechanism.motions.values() for part in motion.components]
    known = [*rates.model.rates, *motions]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}."
    return f"{name!r} is neither a joint coordinate nor a component of a motion; {hint}"


def motion_part(rates: LoopRates, name: str) -> tuple[Motion, str] | None:
    """The motion and the component of a name "motion.component", None where there is none."""
    head, _, part = name.rpartition(".")
    motion = rates.model.mechanism.motions.get(head)
    return (motion, part) if motion is not None and part in motion.components else None


def find_variable(rates: LoopRates, name: str) -> Variable:
    """The variable of a name that `expand` gives."""
    index = rates.model.tree_rates.get(name)
    if index is not None:
        return as_variable(rates, name, rates.model.tree_units[index], coordinate_rate(index))
    found = motion_part(rates, name)
    assert found is not None, "names come from expand"
    motion, part = found
    unit = "m" if part in "xyz" else "rad"
    body = placed_link(rates.placed, rates.model.topology.link_of[motion.of.body])
    # The orientation of a motion is that of the body, whatever frame its point carries.
    frame = Frame(Mat3.identity(), motion.of.point.position(rates.model.parameters.evaluator()))
    upright = (body.frame @ frame).R[2, 0]
    if not rates.planar and unit == "rad" and 1.0 - abs(upright) < GIMBAL**2:
        raise SingularConfigurationError(
            f"motion {motion.name!r} stands at pitch = {'-' if upright > 0 else ''}90 deg, where roll and yaw turn "
            "about the same axis; choose joint coordinates there."
        )
    return as_variable(rates, name, unit, frame_rate(body, frame, POSE_PARTS[part], rates.planar))


def as_variable(rates: LoopRates, name: str, unit: str, rate: Rate) -> Variable:
    """The variable in scaled arrays."""
    nv = len(rates.unit)
    S, dS = np.zeros(nv), np.zeros((nv, nv))
    for n, value in rate.entries.items():
        S[n] = value
    for (m, n), value in rate.derivatives.items():
        dS[m, n] = value
    scale = 1.0 / (rates.model.size if unit == "m" else 1.0)
    return Variable(name, unit, S * rates.unit * scale, dS * rates.unit[:, None] * rates.unit * scale)


def independent(rates: LoopRates, preferred: Sequence[str] = ()) -> list[str]:
    """Independent variables that leave only idle freedoms: preferred ones, actuated ones, any joint, in file order.

    Coordinates that can be driven come before the angular velocities of ball joints.
    """
    chosen: list[str] = []
    model = rates.model
    scalars = [name for name in model.rates if name in model.tree_coordinates]
    left = rates.freedoms
    moving, _ = rates.split_idle(among=left)
    for name in dict.fromkeys([*preferred, *actuated(rates), *scalars, *model.rates]):
        if moving.shape[1] == 0:
            break
        S = find_variable(rates, name).S
        if np.linalg.norm(S @ moving) > 1e-4:
            chosen.append(name)
            _, _, Vt = np.linalg.svd((S @ left)[None])
            left = left @ Vt[1:].T
            moving, _ = rates.split_idle(among=left)
    return chosen
