"""Trace functions over numbers into graphs and compile graphs into fast kernels; knows no mechanics.

    traced = trace(function, inputs={"q": 2, "qd": 2}, parameters=5)   # function(q=[...], qd=[...], parameters=[...]) -> dict
    kernel = compile_kernel(traced)
    c = kernel.constants(p)                                            # what depends on parameters alone
    y = kernel(x, c)                                                   # one state
    Y = kernel.batch(X, c)                                             # X (n_inputs, n) -> Y (n_outputs, n)
"""

from closedchain.compile.derivatives import directional_derivative, gradient, jacobian
from closedchain.compile.graph import Symbol
from closedchain.compile.trace import Traced, trace

__all__ = ["Symbol", "Traced", "directional_derivative", "gradient", "jacobian", "trace"]
