"""Memory of long results: where rows start, and that memory comes back only when nobody holds it."""

import gc

import numpy as np
import pytest

from closedchain.compile import compile_kernel, memory, result_rows, trace

LONG = memory.WORTH_KEEPING


@pytest.fixture(autouse=True)
def _nothing_kept():
    kept = memory._FREE.copy()
    memory._FREE.clear()
    yield
    memory._FREE.clear()
    memory._FREE.update(kept)


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("count", [1, 7, 8, 64, 1000, LONG])
def test_rows_start_at_blocks_and_off_the_powers_of_two(count):
    array = result_rows(3, count)
    assert array.shape == (3, count)
    assert all(address(row) % 64 == 0 for row in array)
    assert (array.strides[0] // 64) % 2 == 1


def test_memory_comes_back_when_the_last_view_is_gone():
    first = result_rows(2, LONG)
    where, view = address(first), first[1:, ::3].T
    view[:] = 5.0
    del first
    gc.collect()
    other = result_rows(2, LONG)
    assert address(other) != where
    other[:] = 7.0
    assert np.all(view == 5.0)
    del view
    gc.collect()
    assert address(result_rows(2, LONG)) == where


def test_memory_of_another_size_is_not_wasted_on_small_arrays():
    large = result_rows(8, LONG)
    where = address(large)
    del large
    assert address(result_rows(1, LONG)) != where
    assert address(result_rows(7, LONG)) == where


def test_the_oldest_memory_goes_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(memory, "MOST_KEPT", 5 * 8 * LONG)
    for rows in (2, 3, 4, 9):
        array = result_rows(rows, LONG)
        del array
    assert sum(kept.nbytes for kept in memory._FREE.values()) <= 5 * 8 * LONG


@pytest.mark.parametrize("n", [1, 8, 13, 64, 517])
@pytest.mark.parametrize("lanes", [4, 8])
def test_streaming_batches_equal_others_wherever_they_are_written(n, lanes):
    def function(x, parameters):
        return {"y": [x[0] * parameters[0], x[1] - x[2], 3.0, x[2] * x[2]], "z": parameters[1]}

    traced = trace(function, {"x": 3}, 2)
    plain, streaming = compile_kernel(traced), compile_kernel(traced, stream=True)
    c = plain.constants([2.0, 5.0])
    x = np.random.default_rng(n).normal(size=(3, n))
    expected = plain.batch(x, c, lanes=lanes)
    np.testing.assert_array_equal(streaming.batch(x, c, lanes=lanes), expected)
    for shift in (0, 1, 4):
        room = np.full((7, n + 16), -1.0)
        out = room[1:6, shift : shift + n]
        streaming.batch(x, c, out=out, lanes=lanes)
        np.testing.assert_array_equal(out, expected)
        room[1:6, shift : shift + n] = -1.0
        assert np.all(room == -1.0)
    many = streaming.constants(np.linspace([1.0, 2.0], [3.0, 4.0], n, axis=1))
    np.testing.assert_array_equal(streaming.batch(x, many, lanes=lanes), plain.batch(x, many, lanes=lanes))
