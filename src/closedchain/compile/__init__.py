"""Trace functions over numbers into graphs and compile graphs into fast kernels; knows no mechanics.

traced = trace(function, inputs={"q": 2, "qd": 2}, parameters=5)
# calls function(q=[...], qd=[...], parameters=[...]), which returns a dict of outputs
kernel = compile_kernel(traced)
c = kernel.constants(p)     # what depends on parameters alone
y = kernel(x, c)            # one state
Y = kernel.batch(X, c)      # X (n_inputs, n) -> Y (n_outputs, n)
"""

from closedchain.compile.derivatives import directional_derivative, gradient, jacobian, sparse_jacobian
from closedchain.compile.graph import Symbol
from closedchain.compile.jit import native_lanes
from closedchain.compile.kernels import Kernel, compile_kernel
from closedchain.compile.memory import result_rows
from closedchain.compile.reference import ReferenceKernel
from closedchain.compile.trace import Traced, trace, uncollected
from closedchain.compile.unknowns import substitute, unknowns

__all__ = [
    "Kernel",
    "ReferenceKernel",
    "Symbol",
    "Traced",
    "compile_kernel",
    "directional_derivative",
    "gradient",
    "jacobian",
    "native_lanes",
    "result_rows",
    "sparse_jacobian",
    "substitute",
    "trace",
    "uncollected",
    "unknowns",
]
