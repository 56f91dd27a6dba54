"""The limbs of a parallel mechanism: the disjoint chains of joints from ground to a platform body."""

from collections.abc import Mapping, Sequence

from closedchain.analyses.paths import shortest_path
from closedchain.description import Mechanism
from closedchain.exceptions import Finding, MechanismError
from closedchain.model.topology import GROUND_BODY, Carried


def find_limbs(mechanism: Mechanism, platform: str) -> list[tuple[Carried, ...]]:
    """The chain of every limb from ground to the platform body, in file order of their first joints.

    Bodies joined by fixed joints count as one; bodies that hang on a limb without leading on are left out.

    Raises MechanismError where the mechanism is no set of disjoint chains, naming the body where a limb branches.
    """
    group = rigid_groups(mechanism)
    ground, top = group[GROUND_BODY], group[platform]
    if ground == top:
        raise MechanismError(Finding("", f"body {platform!r} is fixed to ground.", "Name a platform that moves."))
    ends = {
        name: (group[joint.base.body], group[joint.moving.body])
        for name, joint in mechanism.joints.items()
        if joint.form.freedoms and group[joint.base.body] != group[joint.moving.body]
    }
    limbs: list[tuple[str, ...]] = [(name,) for name, pair in ends.items() if set(pair) == {ground, top}]
    for bodies in components(ends, (ground, top)):
        limb = limb_through(ends, bodies, ground, top)
        if limb:
            limbs.append(limb)
    if not limbs:
        raise MechanismError(
            Finding("", f"no joints lead from ground to body {platform!r}.", "Name a platform that limbs carry.")
        )
    fixed = [name for name, joint in mechanism.joints.items() if not joint.form.freedoms]
    chains = [shortest_path(mechanism, GROUND_BODY, platform, {*limb, *fixed}) for limb in limbs]
    order = {name: position for position, name in enumerate(mechanism.joints)}
    return sorted(
        chains, key=lambda chain: min(order[carried.joint] for carried in chain if carried.joint not in fixed)
    )


def rigid_groups(mechanism: Mechanism) -> dict[str, str]:
    """Body -> the body that stands for all bodies joined to it by fixed joints."""
    group = {body: body for body in mechanism.bodies}
    for joint in mechanism.joints.values():
        if joint.form.freedoms == 0:
            kept, merged = group[joint.base.body], group[joint.moving.body]
            group = {body: kept if root == merged else root for body, root in group.items()}
    return group


def components(ends: Mapping[str, tuple[str, str]], terminals: Sequence[str]) -> list[set[str]]:
    """Sets of bodies connected with each other when the terminals are taken away."""
    label: dict[str, str] = {}
    for pair in ends.values():
        inner = [body for body in pair if body not in terminals]
        for body in inner:
            label.setdefault(body, body)
        if len(inner) == 2 and label[inner[0]] != label[inner[1]]:
            kept, merged = label[inner[0]], label[inner[1]]
            label = {body: kept if root == merged else root for body, root in label.items()}
    return [{body for body in label if label[body] == root} for root in dict.fromkeys(label.values())]


def limb_through(ends: Mapping[str, tuple[str, str]], bodies: set[str], ground: str, top: str) -> tuple[str, ...]:
    """The joints of the limb through some connected bodies, () where they do not lead from ground to the platform.

    Raises MechanismError where the limb branches.
    """
    joints = {name: pair for name, pair in ends.items() if bodies & set(pair)}
    if not all(any(end in pair for pair in joints.values()) for end in (ground, top)):
        return ()
    while dead := {body for body in bodies if sum(body in pair for pair in joints.values()) == 1}:
        bodies = bodies - dead
        joints = {name: pair for name, pair in joints.items() if not dead & set(pair)}
    branching = [body for body in bodies if sum(body in pair for pair in joints.values()) > 2]
    at_ends = [[name for name, pair in joints.items() if end in pair] for end in (ground, top)]
    if branching or any(len(names) != 1 for names in at_ends):
        where = f"at body {branching[0]!r}" if branching else "at its end"
        there = [name for name, pair in joints.items() if branching and branching[0] in pair] or max(at_ends, key=len)
        raise MechanismError(
            Finding(
                "",
                f"a limb from ground to the platform branches {where} (joints {', '.join(there)}); limb coefficients "
                "belong to limbs that are simple, disjoint chains.",
                "Use cc.influence for any closed mechanism, or cc.chain_influence for one path.",
            )
        )
    return tuple(joints)


__all__ = ["find_limbs"]
