"""Memory for results: rows where streaming kernels write whole blocks, and pages that are used again.

A page that the system hands out for the first time is cleared first, which takes longer than the mechanics that fills
it. So the memory of long results that nobody holds any more is kept for the next ones, up to a limit.
"""

import ctypes
import weakref

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Doubles in the widest block that a kernel writes at once, and bytes of one.
_WIDEST = 8
# Doubles from which pages are worth keeping, and bytes kept at most.
WORTH_KEEPING = 1 << 17
MOST_KEPT = 1 << 29

# By identity. Every access is one step of the interpreter: arrays may die anywhere, also inside these functions.
_FREE: dict[int, Floats] = {}


def aligned(size: int) -> Floats:
    """So many doubles, the first of them where a block may start."""
    memory = np.empty(size + _WIDEST)
    skip = (-memory.__array_interface__["data"][0]) % (8 * _WIDEST) // 8
    return memory[skip : skip + size]


def result_rows(rows: int, count: int) -> Floats:
    """An uninitialised array (rows, count) whose rows all start where a block may start.

    The rows lie an odd number of cache lines apart, so that they do not fall onto the same sets of a cache. Long
    arrays get the memory of earlier ones that nothing refers to any more.
    """
    lines = -(-count // _WIDEST)
    stride = _WIDEST * (lines + 1 - lines % 2)
    size = rows * stride
    memory = aligned(size) if size < WORTH_KEEPING else _lend(size)
    return memory.reshape(rows, stride)[:, :count]


def _lend(size: int) -> Floats:
    """Memory that comes back to the free list when the last array in it is gone."""
    fitting = {key: kept.size for key, kept in _FREE.copy().items() if size <= kept.size <= 2 * size}
    memory = _FREE.pop(min(fitting, key=fitting.__getitem__), None) if fitting else None
    if memory is None:
        memory = aligned(size)
    # Views of an array keep its owner alive, not the array itself: the owner has to be an object of this loan.
    owner = (ctypes.c_double * memory.size).from_address(memory.__array_interface__["data"][0])
    weakref.finalize(owner, _take_back, memory).atexit = False
    return np.frombuffer(memoryview(owner), np.float64)[:size]


def _take_back(memory: Floats) -> None:
    """Keep memory for the next results, and let go of the oldest beyond the limit."""
    _FREE[id(memory)] = memory
    kept = _FREE.copy()
    excess = sum(each.nbytes for each in kept.values()) - MOST_KEPT
    for key, each in kept.items():
        if excess > 0 and _FREE.pop(key, None) is not None:
            excess -= each.nbytes
