"""Singular configurations at a pose: which matrix loses rank, what it means, how far away the next one is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from closedchain.analyses.distances import distances
from closedchain.analyses.input_output import Watched
from closedchain.analyses.limb_influence import Limb, limb_influence
from closedchain.analyses.lost_motion import (
    WHOLE,
    gained,
    lost_directions,
    lost_outputs,
    moving_directions,
    uncontrolled,
)
from closedchain.analyses.mobility import listed, tangent_at
from closedchain.analyses.pose import Pose, read_pose
from closedchain.analyses.screws import Screw
from closedchain.analyses.surroundings import Surroundings
from closedchain.analyses.tangent import Configurations
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.language import as_is, plural, tr
from closedchain.model import Model, compile

ORDER = ("constraint", "forward", "inverse")


@dataclass(frozen=True)
class Singularities:
    """What is singular at a pose; `str()` explains it.

    kinds: the kinds found, empty where the pose is regular:
        "constraint": the loop equations lose rank against the poses near by, so the number of freedoms itself grows;
        "forward": with all motors locked something can still move (beyond idle freedoms, and beyond what a constraint
        singularity explains);
        "inverse": an output, or a limb with a motor, loses a motion: a motor can turn while the output stands still.
    kind: the first of constraint, forward, inverse that was found, or "none".
    measures: distances, by name; lengths are fractions of the characteristic length "length" [m], the mechanism's size.
        "constraint": smallest singular value of the loop equations that is not zero near by;
        "forward": least share of the motors in a motion of the mechanism: smallest singular value of the map from
        motions (scaled joint rates of norm 1) to motor rates; "passive": smallest singular value of the passive columns
        W of the loop equations, which vanishes at forward and at constraint singularities;
        "inverse": smallest singular value of the map from motor rates to an output; "manipulability": the product of
        all; both for the worst output, and with ".NAME" for each one (its point; "NAME.body": the twist of its body);
        "limb.NAME": smallest singular value of the limb with that first joint.
        With "_condition" behind a name: largest over smallest singular value.
    directions: kind -> screws: the motion that is uncontrolled (forward); gained against poses near by, or uncontrolled
        where branches of motion meet (constraint); lost (inverse): what is possible near by and, lengths over the
        characteristic one, stands normal to all that is possible here.
    motors, outputs: coordinates and outputs that were considered.
    freedoms, generic_freedoms: first-order freedoms here and at poses near by.
    losses: outputs (points, "NAME.body" whole bodies) and limbs that lose a motion.
    everywhere: whether the motors leave something uncontrolled at all poses near by too.
    """

    kinds: frozenset[str]
    measures: dict[str, float]
    directions: dict[str, tuple[Screw, ...]]
    motors: tuple[str, ...]
    outputs: tuple[str, ...]
    freedoms: int
    generic_freedoms: int
    losses: tuple[str, ...]
    everywhere: bool

    @property
    def kind(self) -> str:
        """The first kind found in the order constraint, forward, inverse, or "none"."""
        return next((kind for kind in ORDER if kind in self.kinds), "none")

    def __str__(self) -> str:
        return "\n".join(sentences(self))


def singularities(mechanism: Mechanism | Model, pose: Pose) -> Singularities:
    """Tell constraint, forward (actuation) and inverse (limb) singularities at a pose apart.

    mechanism: the mechanism; its motors are the joints with an actuator, its outputs the file's outputs and moved
    points. Where it has none: the last bodies of open chains, else the platform (the body with most joints, three at
    least), else the bodies that joints without a motor carry from ground. pose: an assembled pose.

    Ranks are compared with those at assembled poses near by, so mechanisms that are overconstrained, underactuated or
    redundant everywhere are not taken for singular (Gosselin and Angeles 1990; Zlatanov, Fenton and Benhabib 1995).

    Raises MechanismError for a pose of another mechanism, AssemblyError for one that is not closed.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {
    ...         "ground": {}, "crank": {"points": {"B": [0.1, 0]}}, "rod": {"points": {"C": [0.3, 0]}}, "slider": {},
    ...     },
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
    ...         "B": {"type": "revolute", "between": ["crank.B", "rod.origin"]},
    ...         "C": {"type": "revolute", "between": ["rod.C", "slider.origin"]},
    ...         "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.4},
    ...     },
    ...     "actuators": {"engine": {"joint": "S"}},
    ...     "outputs": {"pin": {"point": "crank.B"}},
    ... })
    >>> cc.singularities(m, cc.assemble(m, {"A": 0.0})).kinds
    frozenset({'forward'})
    >>> cc.singularities(m, cc.assemble(m, {"A": 1.0})).kind
    'none'
    """
    configurations = Configurations(compile(mechanism))
    around = Surroundings(configurations, tangent_at(configurations, pose))
    limbs = limbs_of(around.model, pose, around.outputs)
    losses, stretched = lost_outputs(around) if around.judged else [], lost_limbs(around, limbs)
    directions: dict[str, tuple[Screw, ...]] = {}
    if around.growth > 0:
        directions["constraint"] = moving_directions(around, gained(around))
    if around.judged and around.seen.uncontrolled().shape[1] - around.loose > around.growth:
        directions["forward"] = moving_directions(around, uncontrolled(around))
    if losses or stretched:
        directions["inverse"] = lost_directions(around, losses or [item.name + WHOLE for item in around.outputs])
    labels = {rate: name for name, rate in around.model.tree_rates.items()}
    return Singularities(
        kinds=frozenset(directions),
        measures=distances(around, limbs),
        directions=directions,
        motors=tuple(labels[rate] for rate in around.inputs),
        outputs=tuple(item.name for item in around.outputs),
        freedoms=around.here.freedoms,
        generic_freedoms=around.generic,
        losses=(*losses, *(f"limb {name}" for name in stretched)),
        everywhere=around.judged and all(other.uncontrolled().shape[1] > around.loose for other in around.near),
    )


def limbs_of(model: Model, pose: Pose, outputs: Sequence[Watched]) -> tuple[Limb, ...]:
    """The limbs of the bodies that carry outputs, where they are simple, disjoint chains; each limb once."""
    found: dict[tuple[str, ...], Limb] = {}
    for body in dict.fromkeys(item.body for item in outputs):
        try:
            limbs = limb_influence(model, pose, f"{body}.origin")
        except MechanismError:  # a limb branches, or nothing but the ground carries the body
            continue
        for limb in limbs if len(limbs) > 1 else ():
            found.setdefault(limb.joints, limb)
    return tuple({limb.name: limb for limb in reversed(found.values())}.values())


def lost_limbs(around: Surroundings, limbs: Sequence[Limb]) -> list[str]:
    """Limbs with a motor whose rank is less than near by; a constraint singularity explains what its limbs lose."""
    suspects = [limb for limb in limbs if limb.driven and limb.singular]
    if not suspects or not around.judged or around.growth > 0:
        return []
    usual: dict[tuple[str, ...], int] = {}
    for tangent in around.neighbours:
        for limb in limbs_of(around.model, read_pose(around.model, tangent.q.tolist()), around.outputs):
            usual[limb.joints] = max(usual.get(limb.joints, 0), limb.rank)
    return [limb.name for limb in suspects if limb.rank < usual[limb.joints]]


def sentences(found: Singularities) -> Iterable[str]:
    """The explanation, line by line, in the reader's language."""
    if not found.kinds:
        yield tr("Regular: no matrix loses rank at this pose.")
    if "constraint" in found.kinds:
        yield tr(
            "Constraint singularity: the loop equations lose rank, {freedoms} to first order instead of {usual} "
            "near by.",
            freedoms=plural(found.freedoms, "{n} freedom", "{n} freedoms", "no freedom"),
            usual=found.generic_freedoms,
        )
        yield from (f"  {screw}" for screw in found.directions["constraint"])
    if "forward" in found.kinds:
        yield tr(
            "Forward (actuation) singularity: with {motors} locked the mechanism can still move.",
            motors=listed(found.motors),
        )
        if found.everywhere:
            yield "  " + tr("So it can at all poses near by: these motors do not suffice to hold it.")
        yield from (f"  {screw}" for screw in found.directions["forward"])
    if "inverse" in found.kinds:
        names = [
            name for name in found.losses if name.removesuffix(WHOLE) == name or name[: -len(WHOLE)] not in found.losses
        ]
        one = len(names) == 1
        lost = tr("{names} loses", names=listed(names)) if one else tr("{names} lose", names=listed(names))
        yield tr("Inverse (limb) singularity: {lost} a motion that is possible near by.", lost=lost)
        yield from (f"  {screw}" for screw in found.directions["inverse"])
    if not found.motors:
        yield tr("No joint has an actuator, so forward and inverse singularities are not defined.")
    measures = [
        tr(
            "{kind} {value:.3g} (condition {condition:.3g})",
            kind=as_is(kind),
            value=found.measures[kind],
            condition=found.measures[kind + "_condition"],
        )
        for kind in ORDER
        if kind in found.measures
    ]
    if measures:
        yield tr(
            "Smallest singular values, lengths over {length:.4g} m: {measures}.",
            length=found.measures["length"],
            measures=", ".join(measures),
        )
