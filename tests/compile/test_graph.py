"""Symbols fold what is exactly known, share what is equal, and refuse what cannot be traced."""

import numpy as np
import pytest

from closedchain.compile.graph import Graph, Symbol
from closedchain.compile.operations import NAMES
from closedchain.compile.ordering import content_hash, reachable
from closedchain.numbers import logical_and, logical_not, select


@pytest.fixture
def symbols():
    graph = Graph()
    return [graph.input(i) for i in range(3)]


def test_what_is_exactly_known_folds(symbols):
    x, y, _ = symbols
    assert (x - x, x * 0, 0.0 * x, 0 / x, x / x) == (0.0, 0.0, 0.0, 0.0, 1.0)
    for same in (x + 0, 0.0 + x, x - 0, x * 1, 1.0 * x, x / 1, (-x).__neg__(), +x, x**1):
        assert same is x
    assert x**0 == 1.0
    assert (x * -1) is -x
    assert (0 - x) is -x
    assert (x + -y) is x - y
    assert (-x + y) is y - x
    assert (-x * y) is -(x * y)
    assert (x / -y) is -(x / y)
    assert (x - y) is -(y - x)
    assert (2.0 * (3.0 * x)) is 6.0 * x
    assert ((x + 1.0) + 2.0) is x + 3.0
    assert (x - 1.0) + 1.0 is x
    assert abs(-x) is abs(x)
    assert (-x).cos() is x.cos()
    assert (-x).sin() is -(x.sin())
    assert x.minimum(x) is x


def test_equal_operations_are_one_node(symbols):
    x, y, _ = symbols
    assert x + y is y + x
    assert x * y is y * x
    assert x.minimum(y) is y.minimum(x)
    assert (x < y) is (y > x)
    assert x**2 is x * x
    assert x**4 is (x * x) * (x * x)
    assert x**-2 is 1.0 / (x * x)
    assert x**1.5 is x * x.sqrt()
    assert select(x < y, 1.0, 2.0) is select(logical_not(x < y), 2.0, 1.0)


def test_numpy_scalars_are_plain_constants(symbols):
    x = symbols[0]
    for result in (np.float64(2.0) * x, x * np.float64(2.0), np.int64(2) * x, x * np.array(2.0)):
        assert result is 2.0 * x
    assert type((np.float64(2.0) - x).a) is float
    assert np.float64(0.0) * x == 0.0


def test_conditions(symbols):
    x, y, _ = symbols
    assert NAMES[(x < y).op] == "lt"
    assert NAMES[(x >= 1.0).op] == "le"
    assert logical_and(x < y, True) is (x < y)
    assert logical_and(False, x < y) is False
    assert ((x < y) | True) is True
    assert ((x < y) & (x < y)) is (x < y)
    assert (x < x) is False
    assert (x <= x) is True
    assert select(x < y, x, x) is x
    assert select(x < y, 2.0, 2.0) == 2.0


@pytest.mark.parametrize(
    "misuse",
    [
        lambda x: 1.0 if x > 0 else 2.0,
        lambda x: 0 < x < 1,
        lambda x: float(x),
        lambda x: x + "1",
        lambda x: [1, 2][x],
    ],
)
def test_what_cannot_be_traced_is_refused(symbols, misuse):
    with pytest.raises(TypeError):
        misuse(symbols[0])


def test_branching_names_the_remedy(symbols):
    with pytest.raises(TypeError, match="select"):
        bool(symbols[0] > 0)


def test_division_by_constant_zero_is_refused(symbols):
    with pytest.raises(ZeroDivisionError):
        _ = symbols[0] / 0.0


def expression(graph, extra=False):
    x, p = graph.input(0), graph.parameter(0)
    if extra:
        (x * 17.0).tan()
    return [(x * p).sin() + 2.0, 3.5, select(x < p, x, 1.0)]


def test_fingerprint_depends_on_the_computation_alone():
    def fingerprint(outputs):
        return content_hash(outputs, reachable(outputs))

    assert fingerprint(expression(Graph())) == fingerprint(expression(Graph(), extra=True))
    a, b, c = expression(Graph())
    assert isinstance(a, Symbol)
    others = [[a + 1e-15, b, c], [a, 3.6, c], [b, a, c], [a, b], [a, b, c, c], [a, b, -c]]
    assert len({fingerprint(outputs) for outputs in [[a, b, c], *others]}) == 7
