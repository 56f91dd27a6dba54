"""What a number may do: elementary functions, select, small vectors and matrices, sparse LDLᵀ, exact-zero rules.

Numbers are floats, complex, NumPy, mpmath, casadi or traced symbols. The Python float 0.0 is structure: 0.0*x is 0.0, 0.0 + x is x,
and 1.0*x is x. Branch with select(condition, a, b); combine conditions with logical_and, logical_or, logical_not.
"""

from closedchain.numbers.functions import (
    absolute, acos, asin, atan, atan2, cos, exp, floor, greater, greater_equal, is_one, is_zero, less, less_equal, log, logical_and,
    logical_not, logical_or, maximum, minimum, power, select, sign, sin, sincos, sqrt, tan, tanh,
)  # fmt: skip
from closedchain.numbers.ldl import Factor, factorize, minimum_degree_order, refine
from closedchain.numbers.rotations import (
    quaternion_from_matrix, quaternion_product, rotation_about, rotation_from_quaternion, rotation_x, rotation_y, rotation_z,
)  # fmt: skip
from closedchain.numbers.vectors import Mat3, Vec3, add, mul, outer, skew, sub

__all__ = [
    "Factor", "Mat3", "Vec3", "absolute", "acos", "add", "asin", "atan", "atan2", "cos", "exp", "factorize", "floor", "greater",
    "greater_equal", "is_one", "is_zero", "less", "less_equal", "log", "logical_and", "logical_not", "logical_or", "maximum", "minimum",
    "minimum_degree_order", "mul", "outer", "power", "quaternion_from_matrix", "quaternion_product", "refine", "rotation_about",
    "rotation_from_quaternion", "rotation_x", "rotation_y", "rotation_z", "select", "sign", "sin", "sincos", "skew", "sqrt", "sub", "tan",
    "tanh",
]  # fmt: skip
