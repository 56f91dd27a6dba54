"""From Values to numbers: parameters in the order of their dependence, then anything that depends on them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from closedchain.description.values import Value

Number = Any


def dependence_order(parameters: Mapping[str, Value]) -> tuple[list[str], list[list[str]]]:
    """Names such that each follows those it depends on, and the cycles that make this impossible."""
    order: list[str] = []
    cycles: list[list[str]] = []
    state: dict[str, int] = {}
    for root in parameters:
        # depth first without recursion: a chain of parameters may be long
        stack: list[tuple[str, list[str]]] = [(root, sorted(parameters[root].depends_on))] if root not in state else []
        path = [root]
        state.setdefault(root, 1)
        while stack:
            name, rest = stack[-1]
            if not rest:
                stack.pop()
                path.pop()
                if state[name] != 2:
                    state[name] = 2
                    order.append(name)
                continue
            following = rest.pop(0)
            if following not in parameters or state.get(following) == 2:
                continue
            if following in state:
                cycles.append([*path[path.index(following) :], following])
                continue
            state[following] = 1
            stack.append((following, sorted(parameters[following].depends_on)))
            path.append(following)
    return order, cycles


def parameter_numbers(
    parameters: Mapping[str, Value], leaf: Callable[[Value], Number] | None = None
) -> dict[str, Number]:
    """Number of every parameter, literals by `leaf` (default: SI), expressions computed from the others."""
    numbers: dict[str, Number] = {}
    for name in dependence_order(parameters)[0]:
        value = parameters[name]
        if value.is_literal:
            numbers[name] = value.si if leaf is None else leaf(value)
        else:
            numbers[name] = value.evaluate(numbers)
    return {name: numbers[name] for name in parameters}


def evaluator(
    parameters: Mapping[str, Value], leaf: Callable[[Value], Number] | None = None, free: Iterable[str] = ()
) -> Callable[[Value], Number]:
    """See Mechanism.evaluator."""
    kept = frozenset(free)

    def number(value: Value) -> Number:
        folded = value.folded
        if leaf is None:
            return value.si
        return folded if folded is not None and value.path not in kept else leaf(value)

    names = parameter_numbers(parameters, number)

    def evaluate(value: Value) -> Number:
        return number(value) if value.is_literal else value.evaluate(names)

    return evaluate
