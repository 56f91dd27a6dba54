"""Which nodes a set of outputs needs, in which order, and their fingerprint."""

import hashlib
from array import array
from collections.abc import Container, Mapping, Sequence
from typing import Any

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import LEAVES, TABLE


def reachable(outputs: Sequence[Any], leaves: Container[Symbol] = ()) -> list[Symbol]:
    """All nodes the outputs depend on, operands before their users, in order of creation; leaves end the search."""
    seen: set[Symbol] = set()
    stack = [y for y in outputs if type(y) is Symbol]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op in LEAVES or node in leaves:
            continue
        if type(node.a) is Symbol:
            stack.append(node.a)
        if type(node.b) is Symbol:
            stack.append(node.b)
        if type(node.c) is Symbol:
            stack.append(node.c)
    return sorted(seen, key=_index)


def content_hash(
    outputs: Sequence[Any], nodes: Sequence[Symbol], leaves: Mapping[Symbol, tuple[int, int]] | None = None
) -> str:
    """Fingerprint of a graph: equal for equal graphs in any process, whatever else their node table holds.

    outputs: Symbols and floats; nodes: their nodes in evaluation order; leaves: node -> position for nodes that are
    given.
    """
    number = {node: i for i, node in enumerate(nodes)}
    codes = array("q")
    constants = array("d")
    tables = []
    given = leaves or {}

    def code(x: Any) -> int:
        if type(x) is Symbol:
            return number[x]
        if type(x) is float:
            constants.append(x)
            return -1
        return -2 if x is None else -3 - int(x)

    for node in nodes:
        if node in given:
            codes.extend((-1, *given[node]))
        elif node.op is TABLE:
            tables.append(node.b.digest)
            codes.extend((TABLE, code(node.a), node.c))
        else:
            codes.extend((node.op, code(node.a), code(node.b), code(node.c)))
    for y in outputs:
        codes.append(code(y))
    digest = hashlib.blake2b(codes.tobytes(), digest_size=16)
    digest.update(constants.tobytes())
    for table in tables:
        digest.update(table.encode())
    return digest.hexdigest()


def _index(node: Symbol) -> int:
    return node.index
