"""The order in which a program's operations are written: the compiler schedules within it, but only so far."""

from collections.abc import Sequence
from itertools import chain

from closedchain.compile.graph import Symbol
from closedchain.compile.operations import LEAVES
from closedchain.compile.program import Program

# vector registers that a value may live in without being spilled, about
REGISTERS = 28
# depth first gives the shorter dependency chains; it is left when it would spill this many values more on average
TOLERATED = 1.0


def emission_order(program: Program) -> list[Symbol]:
    """All nodes, operands before users: depth first from the outputs, or as traced where that spills less.

    Recursions over a tree are traced in an order that is hard to beat; derivatives, traced after all values, are
    better brought back to where their operands are at hand. Measured differences are 5 to 20 % of the run time.
    """
    traced, deep = _leaves_late(program), _depth_first(program)
    return deep if _spilled(deep, program) <= _spilled(traced, program) + TOLERATED else traced


def _operands(node: Symbol, program: Program) -> list[Symbol]:
    if node.op in LEAVES or node in program.leaves:
        return []
    return [x for x in (node.a, node.b, node.c) if type(x) is Symbol]


def _leaves_late(program: Program) -> list[Symbol]:
    """Order of creation, each leaf before its first user."""
    order: dict[Symbol, None] = {}
    for node in program.nodes:
        if node not in program.leaves:
            for x in _operands(node, program):
                order[x] = None
            order[node] = None
    return list(dict.fromkeys(chain(order, program.nodes)))


def _depth_first(program: Program) -> list[Symbol]:
    """Each node as late as its first user allows, outputs one after the other."""
    order: dict[Symbol, None] = {}
    for output in program.outputs:
        stack = [output] if type(output) is Symbol else []
        while stack:
            node = stack[-1]
            if node in order:
                stack.pop()
                continue
            missing = [x for x in _operands(node, program) if x not in order]
            if missing:
                stack.extend(reversed(missing))
            else:
                order[node] = None
                stack.pop()
    return list(order)


def _spilled(order: Sequence[Symbol], program: Program) -> float:
    """Values beyond the registers that are alive, on average over the code."""
    last_use: dict[Symbol, int] = {}
    for i, node in enumerate(order):
        for x in _operands(node, program):
            if x not in program.leaves:
                last_use[x] = i
    ends = [0] * len(order)
    for i in last_use.values():
        ends[i] += 1
    alive = total = 0
    for i, node in enumerate(order):
        alive += (node in last_use) - ends[i]
        total += max(0, alive - REGISTERS)
    return total / max(1, len(order))
