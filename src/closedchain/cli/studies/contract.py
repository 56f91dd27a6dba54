"""What an analysis tells the command line: its name, its arguments, how it is called, and which figures show it.

1. `name`: the `kind` of a study; `command`: the command, by default the name with `-` for `_`.
2. `arguments`: everything that may be said, once, for files and options.
3. `calc(m, **arguments)`: the result as a dataset; it receives only arguments that were given or have a default.
4. `say(ds)`: the result as text for a terminal; its first line stands for it in `run`.
5. `figures(m, ds)`: (name, figure) pairs, drawn one after another; those that the file asked for where it did.
6. `as_json(ds)`: what `--json` prints, by default the dataset.
7. `group` and `examples`: for the help: where the command stands in the list, and commands with what they do.
8. `tells_progress`: whether `calc` takes `progress`, a function that is told the part done.
9. `check(m, arguments)`: raises where arguments that were read do not fit together, before anything is computed.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.cli.output import plain
from closedchain.cli.studies.arguments import Argument, ArgumentProblem, Names, Numbers
from closedchain.cli.studies.figures import KEY, draw_figures, read_figures
from closedchain.exceptions import ClosedChainError, Finding, MechanismError

Figures = Callable[[Any, Any], Iterator[tuple[str, Any]]]


def no_figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """For results that are better read as numbers."""
    return iter(())


def nothing(m: Any, arguments: dict[str, Any]) -> None:
    """For studies whose arguments always fit together."""


@dataclass(frozen=True)
class Study:
    """An analysis as command and as study; see the numbered contract of this module."""

    name: str
    meaning: str
    arguments: tuple[Argument, ...]
    calc: Callable[..., Any]
    say: Callable[[Any], str]
    figures: Figures = no_figures
    as_json: Callable[[Any], Any] = plain
    command: str = ""
    group: str = "Other"
    examples: tuple[tuple[str, str], ...] = ()
    tells_progress: bool = False
    check: Callable[[Any, dict[str, Any]], Any] = nothing

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", self.command or self.name.replace("_", "-"))
        calc, usual = self.calc, self.figures

        @functools.wraps(calc)
        def with_figures(m: Any, *given: Any, **arguments: Any) -> Any:
            wanted = arguments.pop(KEY, None)
            ds = calc(m, *given, **arguments)
            # The result remembers which figures the file wants of it.
            return ds if wanted is None else ds.assign_attrs({KEY: "\n".join(wanted)})

        def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
            wanted = getattr(ds, "attrs", {}).get(KEY)
            return usual(m, ds) if wanted is None else draw_figures(m, ds, str(wanted).splitlines())

        object.__setattr__(self, "calc", with_figures)
        object.__setattr__(self, "figures", figures)

    def read(self, given: Mapping[str, Any], place: str, names: Names) -> dict[str, Any]:
        """Values of the arguments; raises MechanismError with every argument that is unknown, missing or unreadable.

        given: argument -> what the file or the options say. place: path of the study, "" for options.
        names: parameter -> number, for expressions.
        """
        known = {argument.name: argument for argument in self.arguments}
        found, values = self.unknown(given, place), {}
        for name, raw in given.items():
            path = at(place, name)
            if name == KEY and place:
                values[KEY], wrong = read_figures(raw, path)
                found += wrong
                continue
            if name not in known:
                continue
            try:
                values[name] = known[name].kind.read(raw, names)
            except ArgumentProblem as problem:
                found.append(Finding(path, str(problem)))
        for argument in self.arguments:
            if argument.name in given:
                continue
            if argument.required:
                found.append(Finding(at(place, argument.name), f"{self.name} needs it: {argument.meaning}."))
            elif argument.default is not None:
                values[argument.name] = argument.default
        if found:
            raise MechanismError(found, place)
        return values

    def require_units(self, m: Any, arguments: Mapping[str, Any]) -> None:
        """Raise MechanismError where a number given as an option has a unit that what it is given for has not."""
        found = []
        for argument in self.arguments:
            value = arguments.get(argument.name)
            if isinstance(value, Numbers) and argument.refers is not None:
                try:
                    argument.refers(m, value)
                except ArgumentProblem as problem:
                    found.append(Finding(at("", argument.name), str(problem)))
        if found:
            raise MechanismError(found)

    def unknown(self, given: Iterable[str], place: str) -> list[Finding]:
        """Names that are no arguments of this study."""
        from closedchain.description.names import suggest

        known = [argument.name for argument in self.arguments]
        return [
            Finding(at(place, name), f"{self.name} has no argument {name!r}.", suggest(name, known, "argument"))
            for name in given
            if name not in known and not (name == KEY and place)
        ]

    def mistakes(self, m: Any, arguments: Mapping[str, Any], place: str) -> list[Finding]:
        """Names in the arguments that the mechanism does not have, and arguments that do not fit together."""
        found: list[Finding] = []
        for argument in self.arguments:
            if argument.refers is None or arguments.get(argument.name) is None:
                continue
            try:
                argument.refers(m, arguments[argument.name])
            except ClosedChainError as error:
                found.append(Finding(at(place, argument.name), sentence(error)))
        try:
            self.check(m, dict(arguments))
        except ClosedChainError as error:
            found.append(Finding(place, sentence(error)))
        return found


def at(place: str, name: str) -> str:
    """The place of an argument: of a study in a file, or an option."""
    return f"{place}.{name}" if place else f"--{name}"


def sentence(error: ClosedChainError) -> str:
    """What an error says, without the heading of a list of one."""
    findings = getattr(error, "findings", ())
    return str(findings[0] if len(findings) == 1 else error)
