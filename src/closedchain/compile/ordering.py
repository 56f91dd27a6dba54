"""Which nodes a set of outputs needs, in which order, and their fingerprint."""

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import TABLE


def reachable(outputs: Sequence[Any]) -> list[Symbol]:
    """All nodes the outputs depend on, operands before their users, in order of creation.

    One look at every node of the graph, the last one first: whoever needs a node was made after it.
    """
    symbols = [y for y in outputs if type(y) is Symbol]
    if not symbols:
        return []
    table = list(symbols[0].table_of_nodes.values())
    needed = bytearray(len(table))
    last = -1
    for symbol in symbols:
        needed[symbol.index] = 1
        if symbol.index > last:
            last = symbol.index
    for index in range(last, -1, -1):
        if needed[index]:
            node = table[index]
            operand = node.a
            if type(operand) is Symbol:
                needed[operand.index] = 1
            operand = node.b
            if type(operand) is Symbol:
                needed[operand.index] = 1
            operand = node.c
            if type(operand) is Symbol:
                needed[operand.index] = 1
    return list(compress(table, needed))


def content_hash(
    outputs: Sequence[Any], nodes: Sequence[Symbol], leaves: Mapping[Symbol, tuple[int, int]] | None = None
) -> str:
    """Fingerprint of a graph: equal for equal graphs in any process, whatever else their node table holds.

    outputs: Symbols and floats; nodes: their nodes in evaluation order; leaves: node -> position for nodes that are
    given.
    """
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    codes: list[int] = []
    constants = array("d")
    tables = []
    given = leaves or {}

    def code(x: Any) -> int:
        if type(x) is float:
            constants.append(x)
            return -1
        return -2 if x is None else -3 - int(x)

    for node in nodes:
        place = given.get(node)
        if place is not None:
            codes += (-1, *place)
            continue
        a, b, c = node.a, node.b, node.c
        first = number[a] if type(a) is Symbol else code(a)
        if node.op is TABLE:
            tables.append(b.digest)
            codes += (TABLE, first, c)
            continue
        second = number[b] if type(b) is Symbol else code(b)
        codes += (node.op, first, second, -2 if c is None else number[c] if type(c) is Symbol else code(c))
    codes += [number[y] if type(y) is Symbol else code(y) for y in outputs]
    digest = hashlib.blake2b(array("q", codes).tobytes(), digest_size=16)
    digest.update(constants.tobytes())
    for table in tables:
        digest.update(table.encode())
    return digest.hexdigest()
