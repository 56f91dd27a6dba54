"""Chains by Denavit-Hartenberg rows; each row becomes a body and a joint named NAME.1, NAME.2, …"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from closedchain.description.bodies import Body
from closedchain.description.chain_frames import ChainFrame
from closedchain.description.document import FrozenMap, Place
from closedchain.description.joints import read_joint
from closedchain.description.kinds import Fields, Number, Word
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Readable, Reader, key, read_table_of
from closedchain.description.references import At, PointReference
from closedchain.description.values import Value

TYPES = ("revolute", "prismatic")


@dataclass(frozen=True, kw_only=True)
class Row(Readable):
    """One row: a, d [m], alpha, theta [rad] and the joint's type; the varying one of d, theta is the constant added
    to."""

    a: Value = key(Number("m", default=0.0), "length of the common normal")
    alpha: Value = key(Number("rad", default=0.0), "twist angle")
    d: Value = key(Number("m", default=0.0), "offset along the axis")
    theta: Value = key(Number("rad", default=0.0), "angle about the axis")
    type: str = key(Word(lambda: TYPES, "revolute", "joint type of a chain"), "revolute or prismatic")


@dataclass(frozen=True)
class Rows:
    """The list of rows."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Rows."""
        if not isinstance(raw, tuple) or not raw:
            return reader.note(
                place,
                f"{shown(raw)} is not a list of rows.",
                "Write rows = [{ a = …, alpha = …, d = …, theta = … }, …].",
            )
        rows = tuple(read_table_of(Row, entry, place / k, reader) for k, entry in enumerate(raw))
        if WRONG in rows:
            return WRONG
        turn = {"alpha": "turn", "theta": "turn"}
        return tuple(
            replace(row, **{name: replace(getattr(row, name), role=role) for name, role in turn.items()})
            for row in rows
        )

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """Never: rows are required."""
        return WRONG

    def schema(self, planar: bool) -> dict[str, Any]:
        """A list of objects."""
        from closedchain.description.schema import table_schema

        return {"type": "array", "items": table_schema(Row, planar), "minItems": 1}


@dataclass(frozen=True, kw_only=True)
class Chain(Readable):
    """A serial chain as said: start (key `from`): where it begins; convention; rows."""

    name: str
    start: At = key(PointReference(), "the point or frame it starts from", required=True, name="from")
    convention: str = key(
        Word(lambda: ("standard", "modified"), what="convention"), "standard or modified", required=True
    )
    rows: tuple[Row, ...] = key(Rows(), "one row per joint", required=True)


def member_names(name: str, raw: Any) -> list[str]:
    """Names of the bodies (and joints) that the table of a chain expands to: NAME.1, NAME.2, …"""
    rows = raw.get("rows") if isinstance(raw, FrozenMap) else None
    return [f"{name}.{k + 1}" for k in range(len(rows))] if isinstance(rows, tuple) else []


def chain_frames(chain: Chain, k: int) -> tuple[ChainFrame, ChainFrame]:
    """Frames of joint k (from 0) of a chain on the body before and on its own body."""
    row, name = chain.rows[k], f"{chain.name}.{k + 1}"
    parent = chain.start.point if k == 0 else None
    constant = (("z", "turn", row.theta), ("z", "shift", row.d))
    link = (("x", "shift", row.a), ("x", "turn", row.alpha))
    if chain.convention == "standard":
        return ChainFrame(name, parent, ()), ChainFrame(name, None, (*constant, *link), inverse=True)
    return ChainFrame(name, parent, (*reversed(link), *constant)), ChainFrame(name, None, ())


def put_frames(chain: Chain, bodies: dict[str, Body]) -> None:
    """Put the frames of a chain's joints on the bodies they connect, under the joints' names."""
    for k in range(len(chain.rows)):
        name = f"{chain.name}.{k + 1}"
        before = chain.start.body if k == 0 else f"{chain.name}.{k}"
        base, moving = chain_frames(chain, k)
        bodies[before] = bodies[before].with_points({name: base})
        bodies[name] = bodies[name].with_points({name: moving})


BY_ROW = ("type", "between", "axis")


def read_chain_joint(chain: Chain, name: str, raw: Any, place: Place, reader: Reader) -> Any:
    """The Joint of one row; `[joints."NAME.2"]` may add guess, rate, limits and what acts along the coordinate."""
    k = int(name.rpartition(".")[2]) - 1
    row, before = chain.rows[k], chain.start.body if k == 0 else f"{chain.name}.{k}"
    if not isinstance(raw, Mapping):
        return reader.note(place, f"{shown(raw)} is not a table.", "Write it as a table { key = value, … }.")
    for word in BY_ROW:
        if word in raw:
            reader.note(
                place / word, f"the {word} follows from the chain {chain.name}.", f"Change chains.{chain.name} instead."
            )
    if before not in reader.bodies or name not in reader.bodies:
        return WRONG
    more = {word: entry for word, entry in raw.items() if word not in BY_ROW}
    between = (f"{before}.{name}", f"{name}.{name}")
    return read_joint(name, FrozenMap({"type": row.type, "between": between, **more}), place, reader)
