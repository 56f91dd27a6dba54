"""Trace: run a Python function once on symbols and keep the graph of what it computed."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from closedchain.compile.derivatives import directional_derivative, gradient, sparse_jacobian
from closedchain.compile.graph import Graph, Symbol


@dataclass(frozen=True, eq=False)
class Traced:
    """A traced function: flat output expressions over flat input and parameter vectors, with names.

    function: the Python function that was traced; inputs, parameters: name -> slice of the flat vector; outputs:
    name -> (slice, shape) of the flat output vector; expressions: the flat outputs, Symbol or float; input_symbols,
    parameter_symbols: the leaves. Parameters given as one count appear under the name "parameters".
    """

    function: Callable[..., Mapping[str, Any]]
    inputs: dict[str, slice]
    parameters: dict[str, slice]
    outputs: dict[str, tuple[slice, tuple[int, ...]]]
    expressions: list[Any]
    input_symbols: list[Symbol]
    parameter_symbols: list[Symbol]
    derived: bool = False

    @property
    def n_inputs(self) -> int:
        """Length of the flat input vector."""
        return len(self.input_symbols)

    @property
    def n_parameters(self) -> int:
        """Length of the flat parameter vector."""
        return len(self.parameter_symbols)

    @property
    def n_outputs(self) -> int:
        """Length of the flat output vector."""
        return len(self.expressions)

    def output(self, name: str) -> Any:
        """The expressions of one output in its shape (nested lists)."""
        part, shape = self.outputs[name]
        return _nested(self.expressions[part], shape)

    def symbols(self, name: str) -> list[Symbol]:
        """The leaves of one input or parameter group."""
        if name in self.inputs:
            return self.input_symbols[self.inputs[name]]
        return self.parameter_symbols[self.parameters[name]]

    def with_outputs(self, outputs: Mapping[str, Any]) -> "Traced":
        """The same trace with further outputs, given as expressions over its symbols (nested as in trace)."""
        names = dict(self.outputs)
        expressions = list(self.expressions)
        _append(outputs, names, expressions)
        return replace(self, outputs=names, expressions=expressions, derived=True)

    def only(self, *names: str) -> "Traced":
        """The same trace with the named outputs alone, in that order."""
        outputs, expressions = {}, []
        for name in names:
            part, shape = self.outputs[name]
            values = self.expressions[part]
            outputs[name] = (slice(len(expressions), len(expressions) + len(values)), shape)
            expressions.extend(values)
        return replace(self, outputs=outputs, expressions=expressions, derived=True)

    def jacobian(self, output: str, wrt: str) -> list[list[Any]]:
        """d(output)/d(wrt): rows for the flat output, columns for the input or parameter group; exact zeros are 0.0."""
        part, _ = self.outputs[output]
        values, leaves = self.expressions[part], self.symbols(wrt)
        rows = [[0.0] * len(leaves) for _ in values]
        for (i, j), value in sparse_jacobian(values, leaves).items():
            rows[i][j] = value
        return rows

    def gradient(self, output: str, wrt: str) -> list[Any]:
        """Derivative of a single-number output with respect to an input or parameter group, in reverse mode."""
        part, _ = self.outputs[output]
        values = self.expressions[part]
        if len(values) != 1:
            raise ValueError(f"gradient needs a single number; output {output!r} has {len(values)} (use jacobian).")
        return gradient(values[0], self.symbols(wrt))

    def derivative(self, output: str, directions: Mapping[str, Sequence[Any]]) -> Any:
        """Directional derivative of one output, in its shape.

        directions: input or parameter name -> one number (float or Symbol) for each of its entries; groups not named
        stand still.
        """
        seeds: dict[Symbol, Any] = {}
        for name, values in directions.items():
            leaves = self.symbols(name)
            if len(leaves) != len(values):
                raise ValueError(f"The direction of {name!r} has {len(values)} numbers; it needs {len(leaves)}.")
            seeds.update(zip(leaves, values, strict=True))
        part, shape = self.outputs[output]
        return _nested(directional_derivative(self.expressions[part], seeds), shape)


def trace(
    function: Callable[..., Mapping[str, Any]],
    inputs: Mapping[str, int],
    parameters: int | Mapping[str, int] = 0,
) -> Traced:
    """Run a function once on symbols and keep the graph of its outputs.

    function: called with one list of Symbols per input and parameter group, by keyword; returns a dict of name ->
    number, list, tuple, vector or matrix (anything nested and iterable). inputs: name -> count. parameters: the
    same, or one count, which is passed as keyword `parameters`.

    Raises TypeError when the function branches on a traced number, or returns something that is not a number.

    >>> def area(r, parameters):
    ...     return {"area": parameters[0] * r[0] ** 2}
    >>> traced = trace(area, {"r": 1}, 1)
    >>> traced.outputs
    {'area': (slice(0, 1, None), ())}
    """
    if isinstance(parameters, int):
        parameters = {"parameters": parameters} if parameters else {}
    both = set(inputs) & set(parameters)
    if both:
        raise ValueError(f"Inputs and parameters share the names {sorted(both)}; give them different names.")
    graph = Graph()
    input_slices, input_symbols = _leaves(inputs, graph.input)
    parameter_slices, parameter_symbols = _leaves(parameters, graph.parameter)
    arguments = {name: input_symbols[part] for name, part in input_slices.items()}
    arguments |= {name: parameter_symbols[part] for name, part in parameter_slices.items()}
    outputs: dict[str, tuple[slice, tuple[int, ...]]] = {}
    expressions: list[Any] = []
    with uncollected():
        _append(function(**arguments), outputs, expressions)
    return Traced(function, input_slices, parameter_slices, outputs, expressions, input_symbols, parameter_symbols)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage inside: a graph that grows has none, and every search goes through all of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def flatten(value: Any) -> tuple[list[Any], tuple[int, ...]]:
    """The numbers of a nested output in row order, and its shape; raises when rows differ in length."""
    if type(value) is Symbol or type(value) is float:
        return [value], ()
    if isinstance(value, str | bytes | Mapping):
        raise TypeError(f"An output holds {value!r}, which is not a number.")
    if hasattr(value, "__iter__") and getattr(value, "shape", None) != ():
        numbers: list[Any] = []
        shape: tuple[int, ...] | None = None
        count = 0
        for part in value:
            part_numbers, part_shape = flatten(part)
            if shape is not None and part_shape != shape:
                raise ValueError(f"An output has rows of different shapes {shape} and {part_shape}.")
            shape = part_shape
            numbers.extend(part_numbers)
            count += 1
        return numbers, (count, *(shape or ()))
    return [value], ()


def _append(
    values: Mapping[str, Any], outputs: dict[str, tuple[slice, tuple[int, ...]]], expressions: list[Any]
) -> None:
    for name, value in values.items():
        if name in outputs:
            raise ValueError(f"There is already an output named {name!r}.")
        numbers, shape = flatten(value)
        numbers = [number if type(number) is Symbol else float(number) for number in numbers]
        outputs[name] = (slice(len(expressions), len(expressions) + len(numbers)), shape)
        expressions.extend(numbers)


def _leaves(counts: Mapping[str, int], make: Callable[[int], Symbol]) -> tuple[dict[str, slice], list[Symbol]]:
    slices: dict[str, slice] = {}
    start = 0
    for name, count in counts.items():
        slices[name] = slice(start, start + count)
        start += count
    return slices, [make(position) for position in range(start)]


def _nested(values: list[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return values[0]
    if len(shape) == 1:
        return list(values)
    step = len(values) // shape[0] if shape[0] else 0
    return [_nested(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
