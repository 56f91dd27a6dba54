"""What compiled loops need to work with addresses: call a kernel, and read and write doubles."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from closedchain.numerics._cache import jit


def _call(typingctx: Any, address: Any, x: Any, c: Any, y: Any) -> Any:
    """y = f(x, c) for a kernel `void f(double* x, double* c, double* y)`; the arrays must not overlap."""
    signature = types.void(types.uintp, types.uintp, types.uintp, types.uintp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = arguments[0].type
        kind = ir.FunctionType(ir.VoidType(), [word, word, word])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return signature, generate


call: Any = intrinsic(_call)


def _doubles(typingctx: Any, address: Any) -> Any:
    """The doubles at an address, to be read and written by index (never negative)."""
    signature = types.CPointer(types.float64)(types.uintp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    return signature, generate


doubles: Any = intrinsic(_doubles)


@jit
def offset(address, count):
    """The address of the double `count` places further on."""
    return address + np.uintp(8 * count)
