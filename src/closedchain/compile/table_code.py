"""LLVM IR of a table lookup: a piecewise polynomial of user data, evaluated one lane at a time."""

import struct
from typing import Any, NamedTuple

import numpy as np


class TableFunction(NamedTuple):
    """An IR function: its name and text, with the data as constants."""

    name: str
    text: str


def table_function(data: Any, order: int) -> TableFunction:
    """The function `double name(double)` for the order-th derivative of a table.

    data: knots (n,), derivative_coefficients(order) (n - 1, powers ascending in x - knots[i]) and digest. Outside
    the knots the first and the last polynomial go on.
    """
    knots = np.ascontiguousarray(data.knots, dtype=float)
    coefficients = data.derivative_coefficients(order)
    count, width = coefficients.shape
    name = f"table_{data.digest}_{order}"
    lines = [
        _array(f"{name}_knots", knots.tobytes()),
        _array(f"{name}_powers", np.ascontiguousarray(coefficients).tobytes()),
        f"define internal double @{name}(double %x) nounwind noinline {{",
        "entry:",
        "  br label %search",
        # bisection keeps knots[low] <= x < knots[high]
        "search:",
        "  %low = phi i64 [ 0, %entry ], [ %low2, %step ]",
        f"  %high = phi i64 [ {count}, %entry ], [ %high2, %step ]",
        "  %width = sub i64 %high, %low",
        "  %more = icmp ugt i64 %width, 1",
        "  br i1 %more, label %step, label %found",
        "step:",
        "  %sum = add i64 %low, %high",
        "  %middle = lshr i64 %sum, 1",
        f"  %kp = getelementptr double, ptr @{name}_knots, i64 %middle",
        "  %knot = load double, ptr %kp, align 8",
        "  %left = fcmp olt double %x, %knot",
        "  %low2 = select i1 %left, i64 %low, i64 %middle",
        "  %high2 = select i1 %left, i64 %middle, i64 %high",
        "  br label %search",
        "found:",
        f"  %fp = getelementptr double, ptr @{name}_knots, i64 %low",
        "  %start = load double, ptr %fp, align 8",
        "  %t = fsub double %x, %start",
        f"  %row = mul i64 %low, {width}",
        f"  %rp = getelementptr double, ptr @{name}_powers, i64 %row",
    ]
    value = ""
    for k in reversed(range(width)):
        lines.append(f"  %p{k} = getelementptr double, ptr %rp, i64 {k}")
        lines.append(f"  %c{k} = load double, ptr %p{k}, align 8")
        if value:
            lines.append(f"  %m{k} = fmul contract double {value}, %t")
            lines.append(f"  %s{k} = fadd contract double %m{k}, %c{k}")
            value = f"%s{k}"
        else:
            value = f"%c{k}"
    lines += [f"  ret double {value}", "}"]
    return TableFunction(name, "\n".join(lines))


def _array(name: str, data: bytes) -> str:
    values = struct.unpack(f"={len(data) // 8}Q", data)
    body = ", ".join(f"double 0x{value:016X}" for value in values)
    return f"@{name} = internal constant [{len(values)} x double] [{body}], align 8"
