"""A kernel that runs the original Python function on floats: slow, without graph or compiler, to compare with and to
step through.
"""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedchain.compile.evaluate import evaluate
from closedchain.compile.trace import Traced, flatten

Floats = NDArray[np.float64]


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class ReferenceKernel:
    """The interface of Kernel over the Python function itself; c is simply p.

    Outputs that were added to the trace as expressions (derivatives) are interpreted node by node.
    """

    def __init__(self, traced: Traced):
        self.traced = traced
        self.inputs = traced.inputs
        self.parameters = traced.parameters
        self.outputs = traced.outputs
        self.n_inputs = traced.n_inputs
        self.n_parameters = traced.n_parameters
        self.n_constants = traced.n_parameters
        self.n_outputs = traced.n_outputs
        self.instructions = 0
        self._callbacks: dict[tuple[int, bool], Any] = {}

    def constants(self, p: ArrayLike = ()) -> Floats:
        """The parameters themselves, (n_parameters,) or (n_parameters, n)."""
        c = np.array(p, dtype=float)
        if c.shape[0] != self.n_parameters:
            raise ValueError(f"This kernel has {self.n_parameters} parameters; it was given {c.shape[0]}.")
        return c

    def __call__(self, x: ArrayLike, c: ArrayLike = (), out: Floats | None = None) -> Floats:
        """y (n_outputs,) at one state x (n_inputs,)."""
        x, c = np.asarray(x, dtype=float), np.asarray(c, dtype=float)
        if x.shape != (self.n_inputs,) or c.shape != (self.n_parameters,):
            raise ValueError(
                f"This kernel has {self.n_inputs} inputs and {self.n_parameters} parameters; "
                f"it was given {x.shape} and {c.shape}."
            )
        try:
            y = np.array(self._values(x.tolist(), c.tolist()), dtype=float)
        except (ZeroDivisionError, OverflowError, ValueError):
            # NumPy scalars are ten times slower but divide by zero as compiled code does
            with np.errstate(all="ignore"):
                y = np.array(self._values(list(x), list(c)), dtype=float)
        if out is None:
            return y
        out[:] = y
        return out

    def batch(self, x: ArrayLike, c: ArrayLike = (), out: Floats | None = None, lanes: int | None = None) -> Floats:
        """Y (n_outputs, n) at n states X (n_inputs, n), one after the other; lanes make no difference here."""
        x, c = np.asarray(x, dtype=float), np.asarray(c, dtype=float)
        if out is None:
            out = np.empty((self.n_outputs, x.shape[1]))
        for i in range(x.shape[1]):
            out[:, i] = self(x[:, i], c[:, i] if c.ndim == 2 else c)
        return out

    def sized(self, states: int) -> "ReferenceKernel":
        """This kernel, which needs no compiling."""
        return self

    def address(self, lanes: int = 1, per_lane: bool = False) -> int:
        """Address of `void f(double* x, double* c, double* y)` as of Kernel.address, which calls back into Python.

        So compiled loops run over the reference. Should the function raise, Python prints the error and y is nan.
        """
        key = (lanes, per_lane and lanes > 1)
        if key not in self._callbacks:
            self._callbacks[key] = _CALLBACK(lambda x, c, y: self._called(x, c, y, *key))
        return ctypes.cast(self._callbacks[key], ctypes.c_void_p).value or 0

    def function(self, lanes: int = 1, per_lane: bool = False) -> Any:
        """This kernel as an argument of Numba functions."""
        from closedchain.compile.numba_function import KernelFunction

        return KernelFunction(lambda: self.address(lanes, per_lane))

    def _called(self, x: int, c: int, y: int, lanes: int, per_lane: bool) -> None:
        out = _array_at(y, self.n_outputs, lanes)
        out[:] = np.nan
        constants = _array_at(c, self.n_constants, lanes if per_lane else 1)
        out[:] = self.batch(_array_at(x, self.n_inputs, lanes), constants if per_lane else constants[:, 0])

    def split(self, y: Floats) -> dict[str, Any]:
        """The outputs by name, in their shapes."""
        return {name: y[part].reshape((*shape, *y.shape[1:])) for name, (part, shape) in self.outputs.items()}

    def _values(self, x: list[Any], c: list[Any]) -> list[Any]:
        traced = self.traced
        if traced.derived:
            symbols = [*traced.input_symbols, *traced.parameter_symbols]
            return evaluate(traced.expressions, dict(zip(symbols, [*x, *c])))
        arguments = {name: x[part] for name, part in traced.inputs.items()}
        arguments |= {name: c[part] for name, part in traced.parameters.items()}
        values: list[Any] = []
        for output in traced.function(**arguments).values():
            values.extend(flatten(output)[0])
        return values


def _array_at(address: int | None, count: int, lanes: int) -> Floats:
    """The doubles at an address, shape (count, lanes)."""
    if not address or not count:
        return np.empty((count, lanes))
    return np.ctypeslib.as_array((ctypes.c_double * (count * lanes)).from_address(address)).reshape(count, lanes)
