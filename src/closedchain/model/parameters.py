"""The parameter vector: every number of a mechanism that kernels take as input, by its path in the file.

A literal zero is structure: it folds in the traced mechanics. Every other literal is an input, so other values need no new
kernels. Expressions are evaluated over the inputs of the parameters they name.
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
        live = set(live)
        self.paths: list[str] = []
        values: list[float] = []
        self._slots: dict[str, int] = {}
        self._names: dict[str, tuple[Value, int | None]] = {}
        signs = []
        for path, value in mechanism.values().items():
            slot = None
            if value.is_literal and (value.si != 0.0 or path in live):
                slot = len(self.paths)
                self._slots[path] = slot
                self.paths.append(path)
                values.append(value.si)
            if path.startswith("parameters."):
                self._names[path.removeprefix("parameters.")] = (value, slot)
            signs.append((path, np.sign(value.si) if value.is_literal else value.text, path in live))
        self.values = np.array(values)
        # What the traced kernels depend on beyond the numbers: which literals vanish, their signs, and all expressions.
        self.structure = tuple(signs)

    def evaluator(self, vector: Sequence[Number] | None = None, **names: Number) -> Callable[[Value], Number]:
        """Function from a value of the description to its number, with `vector` for the inputs.

        names: further names that expressions may use (t).
        """
        numbers = self.values.tolist() if vector is None else vector
        known: dict[str, Number] = {}

        def evaluate(value: Value) -> Number:
            if value.is_literal:
                slot = self._slots.get(value.path)
                return 0.0 if slot is None and value.si == 0.0 else (value.si if slot is None else numbers[slot])
            return value.evaluate(known)

        waiting = dict(self._names)
        while waiting:
            ready = {name: entry for name, entry in waiting.items() if set(entry[0].depends_on) <= set(known)}
            if not ready:
                raise AssertionError(f"parameters depend on each other: {sorted(waiting)}")
            for name, (value, _) in ready.items():
                known[name] = evaluate(value)
                del waiting[name]
        known.update(names)
        return evaluate
