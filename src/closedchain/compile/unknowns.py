"""Leaves that stand for numbers found elsewhere in a graph, and their replacement: for implicit differentiation."""

from collections.abc import Mapping, Sequence
from typing import Any

from closedchain.compile import operations as g
from closedchain.compile.evaluate import evaluate
from closedchain.compile.graph import Symbol
from closedchain.compile.ordering import reachable


def unknowns(count: int, graph: Symbol) -> list[Symbol]:
    """So many leaves in the graph of a symbol, independent of everything in it; the same ones for every call.

    An inner node cannot stand for itself: folding may look through it (a difference is not kept as a negated node).
    """
    nodes = graph.table_of_nodes
    found = []
    for k in range(count):
        key = (g.INPUT, -1 - k, None, None)
        if key not in nodes:
            nodes[key] = Symbol(g.INPUT, -1 - k, None, None, nodes, len(nodes))
        found.append(nodes[key])
    return found


def substitute(outputs: Sequence[Any], values: Mapping[Symbol, Any], functions: Any) -> list[Any]:
    """The outputs with leaves replaced by other expressions of the same graph.

    functions: the elementary functions over symbols, as in evaluate (closedchain.numbers).

    >>> from closedchain import numbers
    >>> from closedchain.compile.graph import Graph
    >>> x = Graph().input(0)
    >>> (leaf,) = unknowns(1, x)
    >>> substitute([leaf * x + 1.0], {leaf: 2.0}, numbers)[0] is 2.0 * x + 1.0
    True
    """
    leaves = {node: node for node in reachable(outputs) if node.op in g.LEAVES}
    return evaluate(outputs, {**leaves, **values}, functions)
