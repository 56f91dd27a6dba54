"""The parameter vector: every number of a mechanism that kernels take as input, by its path in the file.

A literal zero is structure: it folds in the traced mechanics. Every other literal is an input, so other values need
no new kernels. Expressions are evaluated over the inputs of the parameters they name.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from closedchain.description import Mechanism, Value

Number = Any


class Parameters:
    """Names and values of the parameter vector of a mechanism.

    live: paths of literal zeros that are inputs all the same (for sensitivities and sweeps through zero).
    """

    def __init__(self, mechanism: Mechanism, live: Iterable[str] = ()) -> None:
        self.live = frozenset(live)
        inputs = {
            path: value
            for path, value in mechanism.values().items()
            if value.is_literal and (value.folded is None or path in self.live)
        }
        self.mechanism = mechanism
        self.paths = tuple(inputs)
        self.values = np.array([value.si for value in inputs.values()])
        self._slots = {path: index for index, path in enumerate(inputs)}
        # What the traced kernels depend on beyond the numbers; the places of these follow the order of the tables.
        self.structure = (mechanism.structure, self.live, self.paths)

    def places_behind(self, chosen: Callable[[tuple[str | int, ...]], bool]) -> np.ndarray:
        """Places in the vector of what the numbers at chosen addresses of the file depend on."""
        values = self.mechanism.values()
        wanted = {path for path, value in values.items() if value.address[0] != "parameters" and chosen(value.address)}
        waiting = list(wanted)
        while waiting:
            for name in values[waiting.pop()].depends_on:
                path = f"parameters.{name}"
                if path not in wanted:
                    wanted.add(path)
                    waiting.append(path)
        return np.array([k for k, path in enumerate(self.paths) if path in wanted], int)

    def evaluator(self, vector: Sequence[Number] | None = None, **names: Number) -> Callable[[Value], Number]:
        """Function from a value of the description to its number, with `vector` for the inputs.

        names: further names that expressions may use (t).
        """
        numbers = self.values.tolist() if vector is None else vector

        def literal(value: Value) -> Number:
            slot = self._slots.get(value.path)
            return value.si if slot is None else numbers[slot]

        known: dict[str, Number] = {}

        def evaluate(value: Value) -> Number:
            if value.is_literal:
                return literal(value)
            # many are asked for literals alone; when traced, parameters come before whatever uses them
            return value.evaluate(known or learn())

        def learn() -> dict[str, Number]:
            known.update({**self.mechanism.parameter_numbers(literal), **names})
            return known

        if vector is not None:
            learn()

        return evaluate
