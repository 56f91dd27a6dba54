"""Small dense linear systems inside compiled loops: LU factors with partial pivoting, real and complex, at addresses.

Matrices lie row by row; factors replace the matrix, the rows' order goes into a list of doubles.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from closedchain.numerics._cache import jit
from closedchain.numerics.kernel_call import doubles


def _complexes(typingctx: Any, address: Any) -> Any:
    """The complex numbers at an address, to be read and written by index."""
    signature = types.CPointer(types.complex128)(types.uintp)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.LiteralStructType([ir.DoubleType(), ir.DoubleType()])
        return builder.inttoptr(arguments[0], kind.as_pointer())

    return signature, generate


complexes: Any = intrinsic(_complexes)


@jit
def factor(n, matrix, order):
    """LU factors of a real matrix; False when it is singular. matrix (n × n), order (n,): addresses."""
    return _factor(n, doubles(matrix), doubles(order))


@jit
def factor_complex(n, matrix, order):
    """LU factors of a complex matrix; False when it is singular."""
    return _factor(n, complexes(matrix), doubles(order))


@jit
def solve(n, matrix, order, b):
    """b becomes the solution of the real system with these factors."""
    _solve(n, doubles(matrix), doubles(order), doubles(b))


@jit
def solve_complex(n, matrix, order, b):
    """b becomes the solution of the complex system with these factors."""
    _solve(n, complexes(matrix), doubles(order), complexes(b))


@jit
def _factor(n, a, order):
    for k in range(n):
        largest, pivot = -1.0, k
        for i in range(k, n):
            size = abs(a[i * n + k].real) + abs(a[i * n + k].imag)
            if size > largest:
                largest, pivot = size, i
        # also where nothing is larger than -1, because nothing is a number
        if not largest > 0.0:
            return False
        order[k] = pivot
        if pivot != k:
            for j in range(n):
                a[k * n + j], a[pivot * n + j] = a[pivot * n + j], a[k * n + j]
        inverse = 1.0 / a[k * n + k]
        for i in range(k + 1, n):
            part = a[i * n + k] * inverse
            a[i * n + k] = part
            if part != 0.0:
                for j in range(k + 1, n):
                    a[i * n + j] -= part * a[k * n + j]
    return True


@jit
def _solve(n, a, order, b):
    for k in range(n):
        pivot = int(order[k])
        if pivot != k:
            b[k], b[pivot] = b[pivot], b[k]
        for j in range(k):
            b[k] -= a[k * n + j] * b[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= a[k * n + j] * b[j]
        b[k] /= a[k * n + k]
