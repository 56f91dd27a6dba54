"""Which nodes a set of outputs needs, and in which order."""

from collections.abc import Sequence
from typing import Any

from closedchain.compile.graph import LEAVES, Symbol


def reachable(outputs: Sequence[Any]) -> list[Symbol]:
    """All nodes the outputs depend on, operands before their users, in order of creation."""
    seen: set[Symbol] = set()
    stack = [y for y in outputs if type(y) is Symbol]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op in LEAVES:
            continue
        if type(node.a) is Symbol:
            stack.append(node.a)
        if type(node.b) is Symbol:
            stack.append(node.b)
        if type(node.c) is Symbol:
            stack.append(node.c)
    return sorted(seen, key=_index)


def _index(node: Symbol) -> int:
    return node.index
