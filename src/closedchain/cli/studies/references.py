"""What arguments of studies may refer to: each asks the mechanism and raises as the analysis itself would.

A study in a file is checked before anything runs, so that all mistakes of a file are told at once.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from closedchain.cli.studies.arguments import ArgumentProblem, is_list, number

Reference = Callable[[Any, Any], None]


def a_point(m: Any, name: str) -> None:
    """A point "body.point" or an output."""
    from closedchain.analyses.pose import find_point

    find_point(m, name)


def joints(m: Any, names: Iterable[str]) -> None:
    """Joints or their coordinates, as a list or as the keys of a table."""
    from closedchain.analyses.pose import known_joint

    for name in names:
        known_joint(m, name)


def joint_values(m: Any, values: Mapping[str, Any]) -> None:
    """Joints or their coordinates as the keys of a table, with values in their units."""
    from closedchain.analyses.pose import known_joint

    for name, raw in getattr(values, "written", values).items():
        form = m.joints[known_joint(m, name)].form
        # a ball has no angles of its own, so its numbers have no unit
        units = {part: unit for part, unit in zip(form.rates, form.units, strict=True) if part in form.coordinates}
        whole = next(iter(units.values())) if len(units) == len(form.coordinates) == 1 else None
        unit = whole if name in m.joints else units.get(name.rpartition(".")[2])
        if unit is not None and not is_list(raw):
            try:
                number(raw, unit, m.parameter_numbers())
            except ArgumentProblem as problem:
                raise ArgumentProblem(f"{name}: {problem}") from problem


def loose_joints(m: Any, chosen: bool | list[str]) -> None:
    """Joints with play, or all, or none."""
    from closedchain.analyses.simulate import check_loose

    check_loose(m, chosen)


def actuators(m: Any, names: Iterable[str]) -> None:
    """Actuators, as a list or as the keys of a table."""
    for name in names:
        if name not in m.actuators:
            raise ArgumentProblem(f"names {name!r}; the actuators are {', '.join(m.actuators) or 'none'}.")


def paths(m: Any, values: Mapping[str, Any] | str) -> None:
    """Paths of numbers in the file, one or as the keys of a table."""
    m.require_paths([values] if isinstance(values, str) else values)


def deviations(m: Any, widths: Mapping[str, Any]) -> None:
    """Paths of numbers, play, axes and motions that may deviate, as the keys of a table."""
    from closedchain.analyses.error_sources import find_sources

    find_sources(m, list(widths))


def later_than_zero(m: Any, seconds: float) -> None:
    """An end of a run that starts at t = 0."""
    if not seconds > 0.0:
        raise ArgumentProblem(f"is {seconds:g} s; give an end time above zero.")


def module(name: str) -> Any:
    """The module of an analysis, loaded when its words are asked for."""
    return importlib.import_module(f"closedchain.analyses.{name}")


def one_of(choices: Callable[[], Iterable[str]]) -> Reference:
    """One of the words that an analysis knows; they are asked for when needed."""

    def check(m: Any, word: str) -> None:
        known = tuple(choices())
        if word not in known:
            raise ArgumentProblem(f"is {word!r}; choose one of {', '.join(known)}.")

    return check
