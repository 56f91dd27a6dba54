"""The independent loops of a mechanism, each cut at an intermediate body into a right and a left path."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from closedchain.analyses.paths import carried_along, other_end
from closedchain.analyses.pose import find_point
from closedchain.description import At, Mechanism
from closedchain.exceptions import Finding, MechanismError
from closedchain.model import Model
from closedchain.model.topology import GROUND_BODY, Carried


@dataclass(frozen=True)
class Loop:
    """A closed loop of joints: its name (the joint that the spanning tree opens), its base body, its joints in order.

    The order starts at the base body, runs to the moving side of the opened joint, across it, and back.
    """

    name: str
    base: str
    joints: tuple[str, ...]


@dataclass(frozen=True)
class CutLoop:
    """A loop cut at a point of an intermediate body: right path with the loop's order, left path against it."""

    loop: Loop
    at: At
    right: tuple[Carried, ...]
    left: tuple[Carried, ...]


def find_loops(model: Model) -> list[Loop]:
    """The independent loops of a mechanism, one for every opened joint, in file order."""
    mechanism = model.mechanism
    parent = {
        link.body: (link.joint, other_end(mechanism, link.joint, link.body))
        for link in model.topology.links
        if link.body
    }

    def branch(body: str) -> list[str]:
        joints = []
        while body != GROUND_BODY:
            joint, body = parent[body]
            joints.append(joint)
        return joints[::-1]

    loops = []
    for opened in model.topology.cuts:
        joint = mechanism.joints[opened.joint]
        right, left = branch(joint.moving.body), branch(joint.base.body)
        shared = 0
        while shared < min(len(right), len(left)) and right[shared] == left[shared]:
            shared += 1
        base = GROUND_BODY
        for name in right[:shared]:
            base = other_end(mechanism, name, base)
        loops.append(Loop(opened.joint, base, (*right[shared:], opened.joint, *left[shared:][::-1])))
    order = {name: position for position, name in enumerate(mechanism.joints)}
    return sorted(loops, key=lambda loop: order[loop.name])


def choose_loops(model: Model, loop: str | int | None) -> list[Loop]:
    """All loops for None; else the one of that position, or of that opened joint, or the only one through that joint.

    Raises MechanismError where there is none.
    """
    loops = find_loops(model)
    listed = "; ".join(f"{k}: {each.name} ({', '.join(each.joints)})" for k, each in enumerate(loops))
    if not loops:
        raise MechanismError("the mechanism has no closed loop; cc.chain_influence describes open chains.")
    if loop is None:
        return loops
    if isinstance(loop, int):
        if not -len(loops) <= loop < len(loops):
            raise MechanismError(Finding("", f"there is no loop {loop}.", f"The loops are {listed}."))
        return [loops[loop]]
    found = [each for each in loops if each.name == loop] or [each for each in loops if loop in each.joints]
    if len(found) == 1:
        return found
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise MechanismError(
            Finding("", f"joint {loop!r} belongs to the loops {names}.", "Name the one that is meant.")
        )
    near = get_close_matches(loop, model.mechanism.joints, 1)
    hint = f"Did you mean {near[0]!r}? " if near and near[0] != loop else ""
    raise MechanismError(Finding("", f"no loop passes {loop!r}.", f"{hint}The loops are {listed}."))


def cut_loops(model: Model, loops: list[Loop], intermediate: str | Mapping[str, str] | None) -> list[CutLoop]:
    """Every loop cut at its intermediate body.

    intermediate: "body" or "body.point", for every loop that passes it; or {loop: body}; by default the moving side of
    the opened joint (the base side where the moving side is the loop's base).

    Raises MechanismError for a body that no loop passes, or that is the base of the loop.
    """
    names = {loop.name for loop in loops}
    if isinstance(intermediate, Mapping):
        strangers = [name for name in intermediate if name not in names]
        if strangers:
            raise MechanismError(Finding("", f"{strangers[0]!r} is no loop.", f"The loops are {', '.join(names)}."))
        return [cut_loop(model.mechanism, loop, intermediate.get(loop.name)) for loop in loops]
    if intermediate is None:
        return [cut_loop(model.mechanism, loop, None) for loop in loops]
    at = locate(model.mechanism, intermediate)
    passing = [loop for loop in loops if at.body in loop_bodies(model.mechanism, loop)]
    if not passing:
        raise MechanismError(Finding("", f"no loop passes body {at.body!r}.", bodies_of(model.mechanism, loops)))
    return [cut_loop(model.mechanism, loop, intermediate if loop in passing else None) for loop in loops]


def loop_bodies(mechanism: Mechanism, loop: Loop) -> list[str]:
    """Bodies of a loop in its order, without its base."""
    return [carried.body for carried in carried_along(mechanism, loop.joints[:-1], loop.base)]


def bodies_of(mechanism: Mechanism, loops: list[Loop]) -> str:
    """Sentence that lists the bodies one may choose."""
    known = dict.fromkeys(body for loop in loops for body in loop_bodies(mechanism, loop))
    return f"Choose one of {', '.join(known)}."


def locate(mechanism: Mechanism, name: str) -> At:
    """The origin of a body, or a point "body.point"."""
    if name in mechanism.bodies:
        return At(name, mechanism.bodies[name].points["origin"])
    return find_point(mechanism, name)


def cut_loop(mechanism: Mechanism, loop: Loop, intermediate: str | None) -> CutLoop:
    """A loop cut at an intermediate body."""
    if intermediate is None:
        opened = mechanism.joints[loop.name]
        body = opened.moving.body if opened.moving.body != loop.base else opened.base.body
        at = locate(mechanism, body)
    else:
        at = locate(mechanism, intermediate)
    bodies = loop_bodies(mechanism, loop)
    if at.body not in bodies:
        why = "is the base of" if at.body == loop.base else "is not in"
        raise MechanismError(Finding("", f"body {at.body!r} {why} loop {loop.name!r}.", bodies_of(mechanism, [loop])))
    count = bodies.index(at.body) + 1
    right = carried_along(mechanism, loop.joints[:count], loop.base)
    left = carried_along(mechanism, loop.joints[count:][::-1], loop.base)
    return CutLoop(loop, at, right, left)


__all__ = ["CutLoop", "Loop", "choose_loops", "cut_loops", "find_loops"]
