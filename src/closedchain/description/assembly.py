"""From the data of a file to checked tables: reads every table, expands chains, and raises all mistakes at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from closedchain.description.bodies import Body
from closedchain.description.chains import Chain, member_names, put_frames, read_chain_joint
from closedchain.description.checks import check_all
from closedchain.description.checks.numbers import Numbers
from closedchain.description.couplings import Coupling
from closedchain.description.document import FrozenMap, Place
from closedchain.description.drives import Actuator, Motion
from closedchain.description.expressions import RESERVED
from closedchain.description.forces import Force, read_force
from closedchain.description.joints import Joint, read_joint
from closedchain.description.kinds import Flag, Text, Vector, read_named, read_value
from closedchain.description.names import suggest
from closedchain.description.outputs import Output, Study, read_study
from closedchain.description.reading import WRONG, Readable, Reader, key, read_table_of
from closedchain.description.rereading import Former, again, unchanged_table
from closedchain.description.tables import Table
from closedchain.description.values import Value
from closedchain.exceptions import MechanismError


@dataclass(frozen=True, kw_only=True)
class Head(Readable):
    """The table `mechanism`."""

    name: str = key(Text(""), "name")
    planar: bool = key(Flag(), "whether it moves in x-y")
    gravity: tuple[Value, ...] = key(Vector("m/s^2", default=0.0), "gravity")
    description: str = key(Text(""), "a sentence about it")


@dataclass(frozen=True)
class Content:
    """The checked tables of a mechanism; see Mechanism for what each holds."""

    name: str
    planar: bool
    gravity: tuple[Value, ...]
    description: str
    parameters: FrozenMap[Value]
    bodies: FrozenMap[Body]
    joints: FrozenMap[Joint]
    couplings: FrozenMap[Coupling]
    actuators: FrozenMap[Actuator]
    motions: FrozenMap[Motion]
    forces: FrozenMap[Force]
    chains: FrozenMap[Chain]
    outputs: FrozenMap[Output]
    studies: FrozenMap[Study]
    tables: FrozenMap[Table]


TABLES = (
    "mechanism", "parameters", "bodies", "joints", "couplings", "actuators", "motions", "forces", "chains", "outputs",
    "studies",
)  # fmt: skip


def read_mechanism(
    document: FrozenMap[Any],
    folder: Path,
    tables: Mapping[str, Table],
    source: str,
    former: Former | None = None,
) -> tuple[Content, Former]:
    """The tables of a document, and its reading for others; raises MechanismError with every mistake.

    former: the reading of a document that differs in numbers alone.
    """
    reader = Reader(document, folder, tables)
    # frames of chains are put on bodies, which are then no longer what was read
    reader.former = None if "chains" in document else former
    top = Place()
    for name in document:
        if name not in TABLES:
            reader.note(top / name, f"there is no table {name}.", suggest(name, TABLES, "table"))
    parameters = _read_parameters(document, reader)
    reader.numbers = Numbers(parameters, reader)
    head = _read_head(document, reader)
    reader.planar = head.planar
    members = _chain_members(document, reader)
    _read_bodies(document, reader, members)
    chains = _read_chains(document, reader, members)
    _read_joints(document, reader, members, chains)
    content = Content(
        name=head.name,
        planar=head.planar,
        gravity=head.gravity or (),
        description=head.description,
        parameters=parameters,
        bodies=FrozenMap(reader.bodies),
        joints=FrozenMap(reader.joints),
        couplings=_named(
            document, reader, "couplings", lambda n, raw, p: read_table_of(Coupling, raw, p, reader, name=n)
        ),
        actuators=_named(
            document, reader, "actuators", lambda n, raw, p: read_table_of(Actuator, raw, p, reader, name=n)
        ),
        motions=_named(document, reader, "motions", lambda n, raw, p: read_table_of(Motion, raw, p, reader, name=n)),
        forces=_named(document, reader, "forces", lambda n, raw, p: read_force(n, raw, p, reader)),
        chains=chains,
        outputs=_named(document, reader, "outputs", lambda n, raw, p: read_table_of(Output, raw, p, reader, name=n)),
        studies=_named(document, reader, "studies", lambda n, raw, p: read_study(n, raw, p, reader)),
        tables=FrozenMap(reader.tables),
    )
    check_all(content, reader)
    if reader.findings:
        raise MechanismError(reader.findings, source)
    return content, Former(document, content, reader.notes)


def _read_head(document: FrozenMap[Any], reader: Reader) -> Head:
    raw = document.get("mechanism", FrozenMap())
    if isinstance(raw, Mapping) and raw.get("planar") is True:
        reader.planar = True
    head = read_table_of(Head, raw, Place() / "mechanism", reader)
    return head if isinstance(head, Head) else Head(name="", planar=False, gravity=(), description="")


def _read_parameters(document: FrozenMap[Any], reader: Reader) -> FrozenMap[Value]:
    raw = document.get("parameters")
    # every name is known before the first expression is read
    reader.parameters = tuple(raw) if isinstance(raw, Mapping) else ()

    def read(name: str, written: Any, place: Place) -> Any:
        if name in RESERVED:
            return reader.note(place, f"{name} already means something in expressions.", "Choose another name.")
        return read_value(written, "", place, reader)

    return read_named(raw, Place() / "parameters", reader, read)


def _chain_members(document: FrozenMap[Any], reader: Reader) -> dict[str, list[str]]:
    """Names of the bodies and joints of every chain."""
    chains = document.get("chains")
    if not isinstance(chains, Mapping):
        return {}
    return {name: member_names(name, raw) for name, raw in chains.items()}


def _read_bodies(document: FrozenMap[Any], reader: Reader, members: Mapping[str, list[str]]) -> None:
    own = [name for names in members.values() for name in names]
    raw = document.get("bodies", FrozenMap())
    place = Place() / "bodies"
    whole = unchanged_table("bodies", reader)
    if whole is not None:
        reader.bodies = dict(whole)
        return
    read = again("bodies", reader, lambda n, t, p: read_table_of(Body, t, p, reader, name=n))
    bodies = read_named(raw, place, reader, read, own)
    reader.bodies = {name: body for name, body in bodies.items() if name not in own}
    for name in own:
        said = raw.get(name) if isinstance(raw, Mapping) else None
        body = (
            bodies.get(name) if said is not None else read_table_of(Body, FrozenMap(), place / name, reader, name=name)
        )
        if body is not None:
            reader.bodies[name] = body
    reader.broken_bodies = {*reader.names("bodies"), *own} - set(reader.bodies)
    if "ground" not in reader.names("bodies"):
        reader.broken_bodies.add("ground")
        reader.note(
            place / "ground",
            "the fixed body is missing.",
            "Add [bodies.ground] with the points that joints start from.",
        )


def _read_chains(document: FrozenMap[Any], reader: Reader, members: Mapping[str, list[str]]) -> FrozenMap[Chain]:
    """The chains; their joints' frames are put on the bodies."""
    chains = _named(document, reader, "chains", lambda n, raw, p: read_table_of(Chain, raw, p, reader, name=n))
    if chains and reader.planar:
        reader.note("chains", "chains are spatial, the mechanism is planar.", "Leave planar out, or write joints.")
    for chain in chains.values():
        if all(name in reader.bodies for name in members[chain.name]):
            put_frames(chain, reader.bodies)
    return chains


def _read_joints(
    document: FrozenMap[Any], reader: Reader, members: Mapping[str, list[str]], chains: Mapping[str, Chain]
) -> None:
    own = {name: chain for chain, names in members.items() for name in names}
    raw = document.get("joints", FrozenMap())

    def read(name: str, table: Any, place: Place) -> Any:
        if name in own:
            chain = chains.get(own[name])
            return WRONG if chain is None else read_chain_joint(chain, name, table, place, reader)
        return read_joint(name, table, place, reader)

    whole = unchanged_table("joints", reader)
    if whole is not None:
        reader.joints = dict(whole)
        return
    joints = read_named(raw, Place() / "joints", reader, again("joints", reader, read), own)
    reader.joints = {name: joint for name, joint in joints.items() if name not in own}
    for name in own:
        said = raw.get(name) if isinstance(raw, Mapping) else None
        joint = joints.get(name) if said is not None else read(name, FrozenMap(), Place() / "joints" / name)
        if isinstance(joint, Joint):
            reader.joints[name] = joint
    reader.broken_joints = {*reader.names("joints"), *own} - set(reader.joints)


def _named(
    document: FrozenMap[Any], reader: Reader, table: str, read: Callable[[str, Any, Place], Any]
) -> FrozenMap[Any]:
    whole = unchanged_table(table, reader)
    if whole is not None:
        return whole
    return read_named(document.get(table), Place() / table, reader, again(table, reader, read))
