"""A mechanism as its user described it: bodies, joints, drives, forces; checked, frozen, comparable; no mechanics."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from closedchain.description.assembly import Content, read_mechanism
from closedchain.description.bodies import Body
from closedchain.description.chains import Chain
from closedchain.description.couplings import Coupling
from closedchain.description.dimensions import other_kinds
from closedchain.description.document import FrozenMap, freeze, thaw, with_entry
from closedchain.description.drives import Actuator, Motion
from closedchain.description.evaluation import evaluator, parameter_numbers
from closedchain.description.forces import Force
from closedchain.description.joints import Joint
from closedchain.description.outputs import Output, Study
from closedchain.description.remarks import remarks
from closedchain.description.replacing import unknown_path, with_number
from closedchain.description.rereading import Former
from closedchain.description.tables import Table
from closedchain.description.values import Value
from closedchain.description.walk import values_in
from closedchain.exceptions import Finding, MechanismError

Number = Any


class Mechanism:
    """What the user said about a mechanism, frozen; equal to another one that says the same.

    Made by `cc.load`, `Mechanism.from_dict`, or step by step with `Mechanism.build` and the calls named like the tables
    of the file. Everything is checked when it is first used (or by `checked()`): MechanismError lists every mistake.
    """

    __slots__ = ("__dict__", "_document", "_folder", "_former", "_source", "_tables")

    def __init__(
        self,
        document: FrozenMap[Any],
        folder: Path | None = None,
        tables: Mapping[str, Table] | None = None,
        source: str = "",
    ):
        """Use `cc.load`, `from_dict` or `build`; this takes frozen data.

        folder: where tables are looked for; tables: those already read; source: the file's name for messages.
        """
        object.__setattr__(self, "_document", document)
        object.__setattr__(self, "_folder", folder)
        object.__setattr__(self, "_tables", FrozenMap(tables or {}))
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_former", None)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, folder: str | Path | None = None, source: str = "") -> "Mechanism":
        """The mechanism of nested dicts and lists with the structure of a file; raises MechanismError.

        folder: where the tables of motions are looked for (default: the current folder).
        """
        return cls(freeze(data), Path(folder) if folder is not None else None, source=source).checked()

    # What was said, table by table ------------------------------------------------------------------------------------

    @cached_property
    def content(self) -> Content:
        """The checked tables together; raises MechanismError with every mistake."""
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[Content, Former]:
        folder = self._folder if self._folder is not None else Path.cwd()
        read = read_mechanism(self._document, folder, self._tables, self._source, former=self._former)
        object.__setattr__(self, "_former", None)
        return read

    def checked(self) -> "Mechanism":
        """This mechanism, once every mistake has been looked for; raises MechanismError with all of them."""
        _ = self.content
        return self

    @property
    def name(self) -> str:
        """The mechanism's name ("" where none was said)."""
        return self.content.name

    @property
    def description(self) -> str:
        """A sentence about it ("" where none was said)."""
        return self.content.description

    @property
    def planar(self) -> bool:
        """Whether it moves in x-y."""
        return self.content.planar

    @property
    def gravity(self) -> tuple[Value, ...]:
        """Gravity [m/s²], 2 (planar) or 3 Values."""
        return self.content.gravity

    @property
    def parameters(self) -> FrozenMap[Value]:
        """Parameters by name."""
        return self.content.parameters

    @property
    def bodies(self) -> FrozenMap[Body]:
        """Bodies by name in file order, `ground` first where it stands first, bodies of chains last."""
        return self.content.bodies

    @property
    def joints(self) -> FrozenMap[Joint]:
        """Joints by name in file order, joints of chains last."""
        return self.content.joints

    @property
    def couplings(self) -> FrozenMap[Coupling]:
        """Couplings by name."""
        return self.content.couplings

    @property
    def actuators(self) -> FrozenMap[Actuator]:
        """Actuators by name."""
        return self.content.actuators

    @property
    def motions(self) -> FrozenMap[Motion]:
        """Prescribed motions of points by name."""
        return self.content.motions

    @property
    def forces(self) -> FrozenMap[Force]:
        """Forces by name."""
        return self.content.forces

    @property
    def chains(self) -> FrozenMap[Chain]:
        """Chains as said, by name."""
        return self.content.chains

    @property
    def outputs(self) -> FrozenMap[Output]:
        """Outputs by name."""
        return self.content.outputs

    @property
    def studies(self) -> FrozenMap[Study]:
        """Studies by name."""
        return self.content.studies

    @property
    def tables(self) -> FrozenMap[Table]:
        """Tables of motion by the name they have in the file, with their content for provenance."""
        return self.content.tables

    @property
    def source(self) -> str:
        """The file it was loaded from, "" for others."""
        return self._source

    # Numbers ----------------------------------------------------------------------------------------------------------

    @cached_property
    def _values(self) -> FrozenMap[Value]:
        base: Mechanism | None = self.__dict__.pop("_base", None)
        return values_in(self.content, self._document, (base.content, base.values()) if base is not None else None)

    def values(self) -> FrozenMap[Value]:
        """Every number by its path ("bodies.B.points.P.0"), in file order, defaults included."""
        return self._values

    def parameter_numbers(self, leaf: Callable[[Value], Number] | None = None) -> dict[str, Number]:
        """Number of every parameter; `leaf` gives the number of a literal (default: its value in SI)."""
        return parameter_numbers(self.parameters, leaf)

    def evaluator(
        self, leaf: Callable[[Value], Number] | None = None, free: Iterable[str] = ()
    ) -> Callable[[Value], Number]:
        """A function that gives the number of any Value that does not use time, for Point.pose, Joint.frames and the
        model.

        leaf: number of a literal, such as a traced symbol (default: its value in SI). Literals that are structure
        (Value.folded: zeros, quarter turns of chains) stay Python floats and are not asked for, unless their path is
        in `free`.
        """
        return evaluator(self.parameters, leaf, free)

    @cached_property
    def structure(self) -> tuple[Any, ...]:
        """A hashable key: mechanisms with equal keys differ only in numbers that are inputs of the same kernels.

        Everything said but the numbers of literals; of those only which are structural (Value.folded), and the signs
        of directions.
        """
        from closedchain.description.walk import structure_of

        return structure_of(self.content)

    def evaluate(self, value: Value | str, t: float | None = None) -> float:
        """Number in SI of a Value, or of the path of one; `t` [s] for a function of time."""
        if isinstance(value, str):
            value = self._value_at(value)
        names = self.parameter_numbers()
        if value.uses_time and t is None:
            raise MechanismError(Finding(value.path, f"{value.text!r} is a function of time.", "Give the time t."))
        return float(value.evaluate(names if t is None else {**names, "t": float(t)}))

    def _value_at(self, path: str) -> Value:
        found = self.values().get(path)
        if found is None:
            raise MechanismError(unknown_path(path, self.values()), self._source)
        return found

    def with_values(self, values: Mapping[str, float | str]) -> "Mechanism":
        """The same mechanism with other numbers: path -> number in SI, quantity or expression.

        Raises MechanismError for a path that no number has (naming the nearest one), or where the numbers are wrong.

        >>> import closedchain as cc
        >>> m = cc.Mechanism.from_dict({"parameters": {"l": 0.1}, "bodies": {"ground": {}}})
        >>> m.with_values({"parameters.l": "120 mm"}).evaluate("parameters.l")
        0.12
        """
        self.require_paths(values)
        known = self.values()
        document = self._document
        for path, value in values.items():
            document = with_number(document, known, path, freeze(value))
        changed = Mechanism(document, self._folder, self.tables, self._source)
        object.__setattr__(changed, "_former", self._read[1])
        changed.__dict__["_base"] = self
        said = [path for path, value in values.items() if path.startswith("parameters.") and isinstance(value, str)]
        if found := other_kinds(self.parameters, changed.checked().parameters, said):
            raise MechanismError(found, self._source)
        return changed

    def require_paths(self, paths: Iterable[str]) -> None:
        """Raise MechanismError with every path that names no number of the file."""
        known = self.values()
        if unknown := [unknown_path(path, known) for path in paths if path not in known]:
            raise MechanismError(unknown, self._source)

    def remarks(self) -> list[Finding]:
        """What is allowed and looks like a slip: parameters of another dimension, turning bodies without inertia."""
        return remarks(self.content, self._document, self.values())

    # Files and building -----------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """What was said as nested dicts and lists with the structure of a file; `from_dict` makes an equal mechanism
        of it."""
        return thaw(self._document)

    def to_text(self) -> str:
        """What was said as the text of a TOML file."""
        return self._text

    @cached_property
    def _text(self) -> str:
        from closedchain.description.files.writing import dumps

        return dumps(self._document)

    def to_toml(self, path: str | Path) -> None:
        """Write a file that loads to an equal mechanism; tables of motion are written beside it."""
        from closedchain.description.files.toml import save

        save(self, Path(path))

    @classmethod
    def build(cls, name: str = "", *, folder: str | Path | None = None, **keys: Any) -> "Mechanism":
        """Start a mechanism in Python: keys of the table `mechanism` (planar, gravity, description).

        Every further call adds one entry and gives a new mechanism; checks come at the end or on use.

        >>> import closedchain as cc
        >>> m = (
        ...     cc.Mechanism.build("pendulum", planar=True, gravity=[0, -9.81])
        ...     .body("ground", points={"A": [0, 0]})
        ...     .body("rod", mass=1.0, com=[0.5, 0], inertia=0.1, points={"A": [0, 0], "tip": [1, 0]})
        ...     .joint("A", "revolute", between=("ground.A", "rod.A"))
        ...     .output("tip", "rod.tip")
        ... )
        >>> list(m.checked().joints)
        ['A']
        """
        head = {"name": name, **keys} if name else dict(keys)
        document = freeze({"mechanism": head, "bodies": {"ground": {}}})
        return cls(document, Path(folder) if folder is not None else None)

    def with_table(self, table: str, name: str, **keys: Any) -> "Mechanism":
        """The same mechanism with an entry `[table.name]` of the file more (or another one in its place)."""
        said = {key: value for key, value in keys.items() if value is not None}
        document = with_entry(self._document, (table, name), freeze(said))
        return Mechanism(document, self._folder, self._tables, self._source)

    def parameter(self, name: str, value: float | str) -> "Mechanism":
        """With a parameter."""
        return Mechanism(
            with_entry(self._document, ("parameters", name), freeze(value)), self._folder, self._tables, self._source
        )

    def body(self, name: str, **keys: Any) -> "Mechanism":
        """With a body: mass, com, inertia, inertia_at, points, shape."""
        return self.with_table("bodies", name, **keys)

    def joint(self, name: str, type: str | None = None, between: Any = None, **keys: Any) -> "Mechanism":
        """With a joint: type, between, and further keys of the file."""
        return self.with_table("joints", name, type=type, between=between, **keys)

    def coupling(self, name: str, sum: Mapping[str, Any], equals: Any = None, **keys: Any) -> "Mechanism":
        """With a coupling: factors by coordinate, and what the sum equals."""
        return self.with_table("couplings", name, sum=sum, equals=equals, **keys)

    def actuator(self, name: str, joint: str, **keys: Any) -> "Mechanism":
        """With an actuator on a joint: motion, effort or control."""
        return self.with_table("actuators", name, joint=joint, **keys)

    def motion(self, name: str, of: str, **keys: Any) -> "Mechanism":
        """With a prescribed motion of a point: x, y, z, rotation, angle."""
        return self.with_table("motions", name, of=of, **keys)

    def force(self, name: str, kind: str, **keys: Any) -> "Mechanism":
        """With a force of a kind."""
        return self.with_table("forces", name, kind=kind, **keys)

    def chain(self, name: str, **keys: Any) -> "Mechanism":
        """With a Denavit-Hartenberg chain: from (or start), convention, rows."""
        if "start" in keys:
            keys = {"from": keys.pop("start"), **keys}
        return self.with_table("chains", name, **keys)

    def output(self, name: str, point: str) -> "Mechanism":
        """With an output."""
        return self.with_table("outputs", name, point=point)

    def study(self, name: str, kind: str, **arguments: Any) -> "Mechanism":
        """With a study: an analysis and its arguments."""
        return self.with_table("studies", name, kind=kind, **arguments)

    # Frozen value -----------------------------------------------------------------------------------------------------

    def _key(self) -> tuple[Any, ...]:
        # reading is needed only where an expression reads a table
        said_tables = "table(" in repr(self._document).replace(" ", "")
        order = tuple(
            (table, *entries) for table, entries in sorted(self._document.items()) if isinstance(entries, Mapping)
        )
        return (self._document, order, self.tables if said_tables else ())

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._document)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A mechanism never changes; with_values and the building calls give new ones.")

    def __reduce__(self):
        # tables travel along, so the copy needs no files
        return (Mechanism, (self._document, self._folder, self._carried_tables(), self._source))

    def _carried_tables(self) -> Mapping[str, Table]:
        return self.content.tables if "content" in self.__dict__ else self._tables

    def __repr__(self) -> str:
        head = self._document.get("mechanism")
        name = head.get("name", "") if isinstance(head, Mapping) else ""
        counts = ", ".join(
            f"{len(entries)} {table}"
            for table, entries in self._document.items()
            if table != "mechanism" and hasattr(entries, "__len__")
        )
        return f"<Mechanism {name!r}: {counts}>"
