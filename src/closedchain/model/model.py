"""The model: a mechanism with its numbering, its parameter vector and its kernels, compiled when first used."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from closedchain.algorithms.constraints import POSE_PARTS, System
from closedchain.algorithms.tree import Tree
from closedchain.compile import ReferenceKernel, Traced, compile_kernel, trace, uncollected
from closedchain.description import Mechanism, Motion, Value
from closedchain.elements.joints import JointType
from closedchain.exceptions import MechanismError
from closedchain.model.build import make_couplings, make_motion, make_tree, offsets
from closedchain.model.parameters import Parameters
from closedchain.model.prescribed import MARK
from closedchain.model.topology import Topology, find_topology, joint_form

Number = Any
# How kernels come about: optimised machine code kept on disk, machine code made quickly, plain Python on floats.
CODES = {
    "machine": lambda traced, stream: compile_kernel(traced, stream=stream),
    "quick": lambda traced, stream: compile_kernel(traced, level=0, cache=False, stream=stream),
    "none": lambda traced, stream: ReferenceKernel(traced),
}


def label(joint: str, part: str) -> str:
    """Public name of a joint's coordinate or rate."""
    return f"{joint}.{part}" if part else joint


@dataclass(frozen=True)
class Drive:
    """Which motions are given: driven coordinates by label, and whether the file's point motions hold."""

    coordinates: tuple[str, ...] = ()
    motions: bool = False


@dataclass(eq=False)
class Model:
    """A mechanism resolved: topology, parameter vector, kernels on demand.

    mechanism: what the user said; topology: numbering; parameters: names and values of the kernels' parameter vector;
    kernels: shared by all models of the same structure and code; code: how they are made, see `compile`; poses: what
    assembly found for given values, to be asked for again.
    """

    mechanism: Mechanism
    topology: Topology
    parameters: Parameters
    kernels: dict[Any, Any] = field(default_factory=dict, repr=False)
    code: str = "machine"
    poses: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Labels of all coordinates, in file order."""
        return tuple(label(name, part) for name, form in self.forms.items() for part in form.coordinates)

    @cached_property
    def rates(self) -> tuple[str, ...]:
        """Labels of all rates, in file order."""
        return tuple(label(name, part) for name, form in self.forms.items() for part in form.rates)

    @cached_property
    def forms(self) -> Mapping[str, JointType]:
        """Type of every joint as it stands in this mechanism."""
        return {name: joint.form for name, joint in self.mechanism.joints.items()}

    def form(self, joint: str) -> JointType:
        """Type of a joint, or of the carrier of a prescribed body."""
        return joint_form(self.mechanism, joint, self.topology.loose)

    @cached_property
    def tree_coordinates(self) -> dict[str, int]:
        """Index in the tree's coordinates by label, for joints that are in the tree."""
        return {
            label(name, part): slot.coordinate + k
            for name, slot in self.topology.slots.items()
            for k, part in enumerate(self.form(name).coordinates)
        }

    @cached_property
    def tree_rates(self) -> dict[str, int]:
        """Index in the tree's rates by label, for joints that are in the tree."""
        return {
            label(name, part): slot.rate + k
            for name, slot in self.topology.slots.items()
            for k, part in enumerate(self.form(name).rates)
        }

    @cached_property
    def counted(self) -> tuple[int, int]:
        """Coordinates of the moving bodies, and rows of the joints and couplings that hold them: Grübler's count."""
        per_body = 3 if self.mechanism.planar else 6
        rows = sum(per_body - form.freedoms for form in self.forms.values()) + len(self.mechanism.couplings)
        return per_body * (len(self.topology.link_of) - 1), rows

    @cached_property
    def tree_units(self) -> tuple[str, ...]:
        """Unit of every tree rate times second: "rad" or "m"."""
        units = [""] * self.topology.rates
        for name, slot in self.topology.slots.items():
            form = self.form(name)
            units[slot.rate : slot.rate + form.freedoms] = form.units
        return tuple(units)

    @cached_property
    def coordinate_units(self) -> tuple[str, ...]:
        """Unit of every tree coordinate; the parts of a quaternion count as angles."""
        units = [""] * self.topology.coordinates
        for name, slot in self.topology.slots.items():
            form = self.form(name)
            parts = dict(zip(form.rates, form.units, strict=True))
            for k, part in enumerate(form.coordinates):
                units[slot.coordinate + k] = parts.get(part, "rad")
        return tuple(units)

    @cached_property
    def opened(self) -> tuple[str, ...]:
        """Joints that are not in the tree and whose coordinates are read off their two bodies."""
        return tuple(cut.joint for cut in self.topology.cuts if not cut.rigid)

    @cached_property
    def prescribed(self) -> tuple[str, ...]:
        """Motions whose bodies are carried from ground as prescribed."""
        return tuple(link.joint.removeprefix(MARK) for link in self.topology.links if link.joint.startswith(MARK))

    @property
    def followed(self) -> tuple[Motion, ...]:
        """The other point motions, which bring constraint rows."""
        return tuple(motion for name, motion in self.mechanism.motions.items() if name not in self.prescribed)

    @cached_property
    def size(self) -> float:
        """The largest distance of two named points of one body [m]; 1 where all coincide."""
        chosen = self.kernels.get("points")
        if chosen is None:
            chosen = self.kernels["points"] = self.parameters.places_behind(
                lambda a: a[0] == "bodies" and "points" in a
            )
        known, numbers = self.kernels.setdefault("size", {}), self.parameters.values[chosen].tobytes()
        if numbers not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[numbers] = self._measured_size()
        return known[numbers]

    def _measured_size(self) -> float:
        evaluate = self.parameters.evaluator()
        largest = 0.0
        for body in self.mechanism.bodies.values():
            places = np.array([list(point.pose(evaluate)[1]) for point in body.points.values()], float)
            if len(places) > 1:
                gaps = np.linalg.norm(places[:, None, :] - places[None, :, :], axis=-1)
                largest = max(largest, float(gaps.max()))
        return largest or 1.0

    def tree(self, numbers: Sequence[Number] | None = None) -> Tree:
        """The tree in numbers; `numbers` stands for the parameter vector (default: its values)."""
        if numbers is None:
            return self._own_tree
        return make_tree(self.mechanism, self.topology, self.parameters.evaluator(numbers), self.size)

    @cached_property
    def _own_tree(self) -> Tree:
        return make_tree(self.mechanism, self.topology, self.parameters.evaluator(), self.size)

    def goals(self, drive: Drive) -> list[tuple[str, Value | None]]:
        """Names and time functions of the given motions, in the order of the kernels' vector of goals."""
        functions = {actuator.joint.text: actuator.motion for actuator in self.mechanism.actuators.values()}
        for motion in self.prescribed:
            components = self.mechanism.motions[motion].components
            functions |= {f"{MARK}{motion}.{part}": value for part, value in components.items()}
        found = [(name, functions.get(name)) for name in drive.coordinates]
        if drive.motions:
            for motion in self.followed:
                found += [(f"{motion.name}.{part}", value) for part, value in motion.components.items()]
        return found

    def system(self, drive: Drive = Drive(), numbers: Sequence[Number] | None = None) -> System:
        """Tree, couplings and given motions in numbers."""
        evaluate = self.parameters.evaluator(numbers)
        tree = self.tree(numbers)
        couplings = make_couplings(self.mechanism, self.locate, evaluate)
        driven = tuple((self.tree_coordinates[name], self.rate_place(name)) for name in drive.coordinates)
        names = [name for name, _ in self.goals(drive)]
        motions = []
        if drive.motions:
            for motion in self.followed:
                parts = {POSE_PARTS[part]: names.index(f"{motion.name}.{part}") for part in motion.components}
                motions.append(make_motion(self.topology, motion, parts, evaluate))
        return System(tree, self.mechanism.planar, couplings, driven, tuple(motions), len(names))

    def rate_place(self, name: str) -> int:
        """Tree index of a rate, by label; raises MechanismError where its pin tilts, so that it has no angle alone."""
        if name in self.tree_rates:
            return self.tree_rates[name]
        raise MechanismError(
            f"joints.{name}: its pin tilts in the bore, so that it has no angle of its own that a motor, a spring, "
            'friction or a coupling could act on. Give its clearance kind = "revolute-pin", in which it does not tilt; '
            'formulation = "multipliers" also takes efforts, controllers, springs and friction there.'
        )

    def locate(self, name: str) -> tuple[int, int]:
        """Tree indices of a coordinate and its rate, by label; a ball's rates have its quaternion's first."""
        rate = self.rate_place(name)
        return self.tree_coordinates.get(name, self.tree_coordinates.get(f"{name.rpartition('.')[0]}.qw", -1)), rate

    def kernel(
        self, key: Any, function: Callable[..., Mapping[str, Any]], inputs: Mapping[str, int], stream: bool = False
    ):
        """The kernel of a function(parameters=..., **inputs), traced and compiled once per structure and key.

        stream: it writes long results.
        """
        if key not in self.kernels:
            with uncollected():
                self.kernels[key] = self.make_kernel(self.traced(function, inputs), stream)
        return self.kernels[key]

    def make_kernel(self, traced: Traced, stream: bool = False) -> Any:
        """The kernel of a trace, made in this model's way."""
        return CODES[self.code](traced, stream)

    def traced(self, function: Callable[..., Mapping[str, Any]], inputs: Mapping[str, int]):
        """The trace of a function over the inputs and the parameter vector."""
        return trace(function, inputs, {"parameters": len(self.parameters.paths)})

    def offsets(self, joint: str, numbers: Sequence[Number] | None = None) -> tuple[Number, ...]:
        """What is added to a joint's geometric coordinates."""
        return offsets(self.mechanism, self.mechanism.joints[joint], self.parameters.evaluator(numbers))


_KERNELS: dict[Any, dict[Any, Any]] = {}
_MODELS: dict[Any, Model] = {}
_TOPOLOGIES: dict[Any, Topology] = {}
_REMEMBERED = 64


def compile(
    mechanism: Mechanism | Model,
    keep: Iterable[str] = (),
    live: Iterable[str] = (),
    prescribed: Iterable[str] = (),
    loose: Iterable[str] = (),
    code: str | None = None,
) -> Model:
    """The model of a mechanism; remembered, so asking again costs nothing.

    mechanism: a Mechanism (or a Model, returned as it is when nothing else is asked). keep: joints whose coordinates
    must stand in the tree. live: paths of literal zeros that must be inputs of the kernels. prescribed: motions of the
    file that give a whole pose and whose bodies are carried from ground as prescribed. loose: joints whose play is free
    to move. code: "machine" (optimised, kept on disk; the default of a Mechanism), "quick" (machine code made five
    times sooner and half as fast, not kept) or "none" (the same mechanics as plain Python on floats, slow, to compare
    with and to step through); every analysis of the model runs on it.

    Mechanisms that differ in nonzero numbers alone share their kernels.

    >>> import closedchain as cc
    >>> pendulum = cc.Mechanism.from_dict({
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [0.0, 0.0, -1.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "axis": [0, 1, 0]}},
    ... })
    >>> cc.compile(pendulum).coordinates
    ('A',)
    """
    if code is None:
        code = mechanism.code if isinstance(mechanism, Model) else "machine"
    if code not in CODES:
        raise MechanismError(f"code is {code!r}; choose one of {', '.join(CODES)}.")
    keep, live, prescribed, loose = frozenset(keep), frozenset(live), tuple(prescribed), frozenset(loose)
    if isinstance(mechanism, Model):
        same = prescribed == mechanism.prescribed and loose == mechanism.topology.loose
        if keep <= set(mechanism.topology.slots) and not live and same and code == mechanism.code:
            return mechanism
        mechanism = mechanism.mechanism
    key = (mechanism, keep, live, prescribed, loose, code)
    model = _MODELS.get(key)
    if model is None:
        found = mechanism.__dict__.setdefault("_parameters", {})
        parameters = found.get(live)
        if parameters is None:
            parameters = found[live] = Parameters(mechanism, live)
        asked = (mechanism.structure, keep, prescribed, loose)
        topology = _TOPOLOGIES.get(asked)
        if topology is None:
            topology = _TOPOLOGIES[asked] = find_topology(mechanism, keep, prescribed, loose)
        structure = (topology.links, topology.cuts, topology.loose, parameters.structure, code)
        model = Model(mechanism, topology, parameters, _KERNELS.setdefault(structure, {}), code)
        for store in (_MODELS, _KERNELS, _TOPOLOGIES):
            while len(store) > _REMEMBERED:
                store.pop(next(iter(store)))
        _MODELS[key] = model
    return model
