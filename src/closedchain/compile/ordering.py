"""Which nodes a set of outputs needs, in which order, and their fingerprint."""

import hashlib
from array import array
from collections.abc import Container, Mapping, Sequence
from operator import attrgetter
from typing import Any

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import LEAVES, TABLE


def reachable(outputs: Sequence[Any], leaves: Container[Symbol] = ()) -> list[Symbol]:
    """All nodes the outputs depend on, operands before their users, in order of creation; leaves end the search."""
    seen = {y for y in outputs if type(y) is Symbol}
    stack = list(seen)
    while stack:
        node = stack.pop()
        if node.op in LEAVES or node in leaves:
            continue
        for operand in (node.a, node.b, node.c):
            if type(operand) is Symbol and operand not in seen:
                seen.add(operand)
                stack.append(operand)
    return sorted(seen, key=attrgetter("index"))


def content_hash(
    outputs: Sequence[Any], nodes: Sequence[Symbol], leaves: Mapping[Symbol, tuple[int, int]] | None = None
) -> str:
    """Fingerprint of a graph: equal for equal graphs in any process, whatever else their node table holds.

    outputs: Symbols and floats; nodes: their nodes in evaluation order; leaves: node -> position for nodes that are
    given.
    """
    number = {node: i for i, node in enumerate(nodes)}
    codes: list[int] = []
    constants = array("d")
    tables = []
    given = leaves or {}
    put = codes.append

    def code(x: Any) -> int:
        if type(x) is float:
            constants.append(x)
            return -1
        return -2 if x is None else -3 - int(x)

    for node in nodes:
        if node in given:
            codes += (-1, *given[node])
            continue
        a, c = node.a, node.c
        put(node.op)
        put(number[a] if type(a) is Symbol else code(a))
        if node.op is TABLE:
            tables.append(node.b.digest)
            put(c)
            continue
        b = node.b
        put(number[b] if type(b) is Symbol else code(b))
        put(number[c] if type(c) is Symbol else code(c))
    codes += [number[y] if type(y) is Symbol else code(y) for y in outputs]
    digest = hashlib.blake2b(array("q", codes).tobytes(), digest_size=16)
    digest.update(constants.tobytes())
    for table in tables:
        digest.update(table.encode())
    return digest.hexdigest()
