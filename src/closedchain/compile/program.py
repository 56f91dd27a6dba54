"""Split a traced function into a prologue of the parameters alone and the part evaluated at every state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import BOOLEAN, INPUT, LEAVES, PARAMETER
from closedchain.compile.ordering import content_hash, reachable

# where the value of a given node is found: the array x or the array c of a kernel
FROM_X, FROM_C = 0, 1


@dataclass(frozen=True, eq=False)
class Program:
    """Straight-line code: outputs computed from arrays x and c.

    outputs: Symbol or float; nodes: in order of creation; leaves: node -> (FROM_X or FROM_C, position); key:
    fingerprint.
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
        return len(self.nodes) - sum(node in self.leaves for node in self.nodes)


def split(expressions: Sequence[Any], n_inputs: int, n_parameters: int) -> tuple[Program, Program]:
    """(prologue c = constants(p), main y = f(x, c)); c holds only what main needs."""
    nodes = reachable(expressions)
    varies: set[Symbol] = set()
    constants: dict[Symbol, None] = {}
    for node in nodes:
        op, operands = node.op, (node.a, node.b, node.c)
        if op is INPUT:
            varies.add(node)
        elif op not in LEAVES and not varies.isdisjoint(operands):
            varies.add(node)
            for x in operands:
                if type(x) is Symbol and x not in varies:
                    constants[x] = None
    for y in expressions:
        if type(y) is Symbol and y not in varies:
            constants[y] = None
    leaves = {node: (FROM_X, node.a) for node in nodes if node.op is INPUT}
    leaves |= {node: (FROM_C, i) for i, node in enumerate(constants)}
    # Whatever varies is reached through what varies, everything else through a constant: no further search is needed.
    main = program(expressions, [node for node in nodes if node in varies or node in constants], leaves, n_inputs)
    parameters = {node: (FROM_X, node.a) for node in nodes if node.op is PARAMETER}
    before = [node for node in nodes if node not in varies]
    return program(list(constants), before, parameters, n_parameters), main


def program(outputs: Sequence[Any], nodes: list[Symbol], leaves: dict[Symbol, tuple[int, int]], n_x: int) -> Program:
    """The program that computes outputs from the given leaves; nodes: all that it takes."""
    n_c = sum(source == FROM_C for source, _ in leaves.values())
    return Program(outputs, nodes, leaves, content_hash(outputs, nodes, leaves), n_x, n_c)


def is_boolean(node: Any) -> bool:
    """Whether a node is a condition rather than a number."""
    return type(node) is Symbol and node.op in BOOLEAN
