"""Kernels: a traced function as machine code, for one state, for lanes, and for batches."""

import copy
import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedchain.compile import forms
from closedchain.compile.jit import native_lanes
from closedchain.compile.layout import Layout
from closedchain.compile.memory import aligned, result_rows
from closedchain.compile.program import Program, split
from closedchain.compile.trace import Traced

Floats = NDArray[np.float64]

_LANES = (1, 4, 8)
# Outputs [numbers] of a batch that are computed in a block that stays in the cache, then copied to their rows: storing
# lane by lane into long rows, one page each, costs four times the arithmetic.
_BLOCK = 1 << 16
# Operations from which, and evaluations up to which, quickly compiled code is ready sooner in all: optimising takes as
# long as a million evaluations in lanes gain from it, but its result is kept on disk.
LARGE = 200
OFTEN = 50_000
# PYFUNCTYPE keeps the interpreter lock, which would cost more than a small kernel
_SINGLE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 4, ctypes.c_void_p)


class _Code:
    """One program in its compiled forms, made when first used."""

    def __init__(self, program: Program, level: int | None, cache: bool, stream: bool = False):
        self.program = program
        self.level = level
        self.cache = cache
        self.stream = stream
        self._single: Callable | None = None
        self._addresses: dict[Layout, int] = {}
        self._loops: dict[tuple[int, bool], Callable] = {}
        self._scratch = _Scratch()

    def address(self, layout: Layout) -> int:
        found = self._addresses.get(layout)
        if found is None:
            if layout.lanes not in _LANES:
                raise ValueError(f"Kernels are made for 1, 4 or 8 lanes, not {layout.lanes}.")
            found = self._addresses[layout] = forms.address(self.program, layout, self.level, self.cache)
        return found

    def single(self) -> Callable:
        if self._single is None:
            self._single = _SINGLE(self.address(Layout()))
        return self._single

    def batch(self, x: Floats, c: Floats, y: Floats, lanes: int) -> None:
        per_lane = c.ndim == 2
        loop = self._loops.get((lanes, per_lane))
        if loop is None:
            loop = _BATCH(self.address(Layout(lanes, per_lane, batch=True, stream=self.stream)))
            self._loops[lanes, per_lane] = loop
        program, n = self.program, x.shape[1]
        scratch = self._scratch.at(lanes * (program.n_x + program.n_c + len(program.outputs)))
        x_at, c_at, strides = _at(x), _at(c), (_stride(x), _stride(c) if per_lane else 0)
        if self.stream or y.shape[0] * n <= _BLOCK:
            loop(x_at, c_at, _at(y), n, *strides, _stride(y), scratch)
            return
        # A multiple of the lanes, so that the last states of a block are not computed one by one.
        size = max(8 * (_BLOCK // (8 * y.shape[0])), 64)
        block = np.empty((y.shape[0], size))
        block_at = _at(block)
        for first in range(0, n, size):
            count, ahead = min(size, n - first), 8 * first
            loop(x_at + ahead, c_at + (ahead if per_lane else 0), block_at, count, *strides, size, scratch)
            y[:, first : first + count] = block[:, :count]


class _Scratch(threading.local):
    """Working memory for batches, one per thread."""

    def __init__(self):
        self.memory = np.empty(0)
        self.address = 0

    def at(self, size: int) -> int:
        """The address of at least so many doubles, where a block of lanes may start."""
        if self.memory.size < size or not self.address:
            self.memory = aligned(size + 1)
            self.address = _at(self.memory)
        return self.address


class _Buffers(threading.local):
    """Arrays of fixed address for single calls, one set per thread."""

    def __init__(self, n_x: int, n_y: int):
        self.x, self.y = np.empty(n_x), np.empty(n_y)
        self.x_at, self.y_at = _at(self.x), _at(self.y)
        self.c: Floats | None = None
        self.c_at = 0

    def use(self, c: Floats) -> None:
        self.c, self.c_at = c, _at(c)


class Kernel:
    """A compiled function y = f(x, c), c = constants(p).

    inputs, parameters: name -> slice of x and p; outputs: name -> (slice of y, shape); instructions: operations per
    evaluation; n_constants: length of c. Arrays of different roles must not overlap in memory. Every form (one state,
    lanes, batch) is compiled or read from the cache when first used.
    """

    def __init__(self, traced: Traced, level: int | None = None, cache: bool = True, stream: bool = False):
        prologue, main = split(traced.expressions, traced.n_inputs, traced.n_parameters)
        self._prologue = _Code(prologue, level, cache)
        self._main = _Code(main, level, cache, stream)
        self._fixed = level is not None
        self._quick: Kernel | None = None
        # parameters that are used as they are need no code
        self._chosen = None if prologue.instructions else np.array([node.a for node in prologue.outputs], dtype=int)
        self.inputs = traced.inputs
        self.parameters = traced.parameters
        self.outputs = traced.outputs
        self.n_inputs = traced.n_inputs
        self.n_parameters = traced.n_parameters
        self.n_constants = main.n_c
        self.n_outputs = traced.n_outputs
        self.instructions = main.instructions
        self.key = main.key
        self._buffers = _Buffers(self.n_inputs, self.n_outputs)

    def constants(self, p: ArrayLike = ()) -> Floats:
        """What depends on parameters alone.

        p: (n_parameters,) gives c (n_constants,); (n_parameters, n) gives (n_constants, n), one column per state.
        """
        p = _floats(p, self.n_parameters, "parameters")
        if self._chosen is not None:
            return p[self._chosen]
        c = np.empty((self.n_constants, *p.shape[1:]))
        if p.ndim == 1:
            self._prologue.single()(_at(p), None, _at(c))
        else:
            self._prologue.batch(p, np.empty(0), c, native_lanes())
        return c

    def __call__(self, x: ArrayLike, c: Floats | None = None, out: Floats | None = None) -> Floats:
        """y (n_outputs,) at one state x (n_inputs,); out: where to write it (any float64 array of that length)."""
        buffers = self._buffers
        if type(x) is not np.ndarray or x.shape != (self.n_inputs,):
            x = np.asarray(x, dtype=np.float64)
            if x.shape != (self.n_inputs,):
                raise ValueError(f"One state of this kernel has {self.n_inputs} inputs; it was given shape {x.shape}.")
        if c is not buffers.c or c is None:
            buffers.use(self._checked_constants(c, 1))
        # the arrays lie in buffers whose addresses are known, because asking NumPy for one costs more than the copy
        buffers.x[:] = x
        self._main.single()(buffers.x_at, buffers.c_at, buffers.y_at)
        if out is None:
            return buffers.y.copy()
        if out.shape != (self.n_outputs,):
            raise ValueError(f"out has shape {out.shape}; this kernel has {self.n_outputs} outputs.")
        out[:] = buffers.y
        return out

    def batch(
        self, x: ArrayLike, c: Floats | None = None, out: Floats | None = None, lanes: int | None = None
    ) -> Floats:
        """Y (n_outputs, n) at n states X (n_inputs, n); c (n_constants,) shared, or (n_constants, n) one per state.

        out: where to write Y (rows contiguous; a streaming kernel is fast where `result_rows` made them); lanes: 4 or
        8, by default what suits the processor.
        """
        x = _floats(x, self.n_inputs, "inputs")
        if x.ndim != 2:
            raise ValueError(f"A batch has two dimensions (n_inputs, n); this one has {x.ndim}.")
        n = x.shape[1]
        c = self._checked_constants(c, 2)
        if c.ndim == 2 and c.shape[1] != n:
            raise ValueError(f"There are {c.shape[1]} columns of constants for {n} states.")
        if out is None:
            out = result_rows(self.n_outputs, n) if self._main.stream else np.empty((self.n_outputs, n))
        elif out.shape != (self.n_outputs, n) or out.dtype != np.float64 or (out.size and out.strides[1] != 8):
            raise ValueError(f"out must be a float64 array of shape {(self.n_outputs, n)} with contiguous rows.")
        if n and self.n_outputs:
            self._main.batch(x, c, out, lanes or native_lanes())
        return out

    def sized(self, states: int) -> "Kernel":
        """This kernel for so many evaluations: a large one that runs a few times is compiled quickly."""
        if self._fixed or states >= OFTEN or self.instructions < LARGE:
            return self
        if self._quick is None:
            self._quick = self.at_level(0, self._main.cache)
        return self._quick

    def at_level(self, level: int, cache: bool = True) -> "Kernel":
        """The same function compiled at this level: 1 optimised, 0 quickly; cache: keep machine code on disk."""
        kernel = copy.copy(self)
        kernel._main = _Code(self._main.program, level, cache, self._main.stream)
        kernel._fixed = True
        return kernel

    def address(self, lanes: int = 1, per_lane: bool = False) -> int:
        """Address of `void f(double* x, double* c, double* y)`; with lanes, entry i of lane l is at i*lanes + l.

        per_lane: c has its own entries per lane, laid out as x; otherwise the lanes share c.
        """
        return self._main.address(Layout(lanes, per_lane and lanes > 1))

    def constants_address(self, lanes: int = 1) -> int:
        """Address of the prologue `void f(double* p, double* unused, double* c)`, laid out as in address."""
        return self._prologue.address(Layout(lanes))

    def split(self, y: Floats) -> dict[str, Any]:
        """The outputs by name, in their shapes (views of y); of a batch with the samples as last dimension."""
        return {name: y[part].reshape((*shape, *y.shape[1:])) for name, (part, shape) in self.outputs.items()}

    def function(self, lanes: int = 1, per_lane: bool = False) -> Any:
        """This kernel as an argument of Numba functions, called there as f(x, c, y) with addresses (see address)."""
        from closedchain.compile.numba_function import KernelFunction

        return KernelFunction(lambda: self.address(lanes, per_lane))

    def _checked_constants(self, c: Floats | None, dimensions: int) -> Floats:
        if c is None:
            if self.n_parameters:
                raise ValueError("This kernel has parameters; pass c = kernel.constants(p).")
            c = self.constants()
        array = _floats(c, self.n_constants, "constants")
        if array.ndim > dimensions:
            raise ValueError(
                f"Constants of shape {array.shape} are for a batch; one state needs shape ({self.n_constants},)."
            )
        return array


def compile_kernel(traced: Traced, *, level: int | None = None, cache: bool = True, stream: bool = False) -> Kernel:
    """A kernel of a traced function; nothing is compiled before it is used.

    level: 1 optimised, 0 quickly compiled and about half as fast, None chosen by size; cache: keep machine code on
    disk; stream: batches are long results, written past the caches.

    >>> from closedchain.compile import trace
    >>> kernel = compile_kernel(trace(lambda x, parameters: {"y": parameters[0] * x[0]}, {"x": 1}, 1))
    >>> kernel([3.0], kernel.constants([2.0]))
    array([6.])
    """
    return Kernel(traced, level, cache, stream)


def _floats(values: Any, count: int, what: str) -> Floats:
    array = (
        values if type(values) is np.ndarray and values.dtype == np.float64 else np.asarray(values, dtype=np.float64)
    )
    if array.ndim == 0 or array.shape[0] != count:
        raise ValueError(f"This kernel has {count} {what}; it was given an array of shape {array.shape}.")
    if array.size and array.strides[-1] != 8:
        array = np.ascontiguousarray(array)
    return array


def _at(array: Floats) -> int:
    return array.__array_interface__["data"][0]


def _stride(array: Floats) -> int:
    return array.strides[0] // 8 if array.shape[0] > 1 else array.shape[1]
