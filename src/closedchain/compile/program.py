"""Split a traced function into a prologue of the parameters alone and the part evaluated at every state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import BOOLEAN, INPUT, PARAMETER
from closedchain.compile.ordering import content_hash, reachable

# where the value of a given node is found: the array x or the array c of a kernel
FROM_X, FROM_C = 0, 1


@dataclass(frozen=True, eq=False)
class Program:
    """Straight-line code: outputs computed from arrays x and c.

    outputs: Symbol or float; nodes: in order of creation; leaves: those of them that are given, node -> (FROM_X or
    FROM_C, position); key: fingerprint.
    """

    outputs: Sequence[Any]
    nodes: list[Symbol]
    leaves: dict[Symbol, tuple[int, int]]
    key: str
    n_x: int
    n_c: int

    @property
    def instructions(self) -> int:
        """Number of operations."""
        return len(self.nodes) - len(self.leaves)


def split(expressions: Sequence[Any], n_inputs: int, n_parameters: int) -> tuple[Program, Program]:
    """(prologue c = constants(p), main y = f(x, c)); c holds only what main needs."""
    nodes = reachable(expressions)
    # by a node's index: 1 where it varies, 2 where it is a constant that main needs
    varies = bytearray(nodes[-1].index + 1 if nodes else 0)
    constants: dict[Symbol, None] = {}
    for node in nodes:
        op = node.op
        if op is INPUT:
            varies[node.index] = 1
        elif op is not PARAMETER:
            a, b, c = node.a, node.b, node.c
            x = type(a) is Symbol and varies[a.index]
            y = type(b) is Symbol and varies[b.index]
            z = c is not None and type(c) is Symbol and varies[c.index]
            if x or y or z:
                varies[node.index] = 1
                if not x and type(a) is Symbol:
                    constants[a] = None
                if not y and type(b) is Symbol:
                    constants[b] = None
                if not z and type(c) is Symbol:
                    constants[c] = None
    for y in expressions:
        if type(y) is Symbol and not varies[y.index]:
            constants[y] = None
    leaves = {node: (FROM_X, node.a) for node in nodes if node.op is INPUT}
    for i, node in enumerate(constants):
        leaves[node] = FROM_C, i
        varies[node.index] |= 2
    # Whatever varies is reached through what varies, everything else through a constant: no further search is needed.
    main = [node for node in nodes if varies[node.index]]
    before = [node for node in nodes if varies[node.index] != 1]
    parameters = {node: (FROM_X, node.a) for node in before if node.op is PARAMETER}
    return program(list(constants), before, parameters, n_parameters), program(expressions, main, leaves, n_inputs)


def program(outputs: Sequence[Any], nodes: list[Symbol], leaves: dict[Symbol, tuple[int, int]], n_x: int) -> Program:
    """The program that computes outputs from the given leaves; nodes: all that it takes."""
    n_c = sum(source == FROM_C for source, _ in leaves.values())
    return Program(outputs, nodes, leaves, content_hash(outputs, nodes, leaves), n_x, n_c)


def is_boolean(node: Any) -> bool:
    """Whether a node is a condition rather than a number."""
    return type(node) is Symbol and node.op in BOOLEAN
