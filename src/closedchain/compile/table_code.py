"""LLVM IR of a table lookup: a piecewise polynomial of user data, evaluated one lane at a time."""

from typing import Any, NamedTuple

import numpy as np

from closedchain.compile.ir import double


class TableFunction(NamedTuple):
    """An IR function: its name and text, with the data as constants."""

    name: str
    text: str


def table_function(data: Any, order: int) -> TableFunction:
    """The function `double name(double)` for the order-th derivative of a table.

    data: knots (n,), derivative_coefficients(order) (n - 1, powers ascending in x - knots[i]) and digest. Outside the
    knots the first and the last polynomial go on. The piece is found at once where knots are about evenly spaced,
    else by bisection.
    """
    knots = np.ascontiguousarray(data.knots, dtype=float)
    coefficients = np.ascontiguousarray(data.derivative_coefficients(order))
    count, width = coefficients.shape
    name = f"table_{data.digest}_{order}"
    density = _density(knots)
    find = _bisection(name, count) if density is None else _direct(name, count, float(knots[0]), density)
    lines = [
        _array(f"{name}_knots", knots),
        _array(f"{name}_powers", coefficients),
        f"define internal double @{name}(double %x) nounwind noinline {{",
        find,
        f"  %fp = getelementptr double, ptr @{name}_knots, i64 %piece",
        "  %start = load double, ptr %fp, align 8",
        "  %t = fsub double %x, %start",
        f"  %row = mul i64 %piece, {width}",
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


def _density(knots: Any) -> float | None:
    """Pieces per unit, if a piece found by division alone is at most one off everywhere."""
    pieces = np.arange(len(knots) - 1)
    density = len(pieces) / (knots[-1] - knots[0])
    first, last = ((at - knots[0]) * density for at in (knots[:-1], knots[1:]))
    near = np.all(np.floor(first) >= pieces - 1) and np.all(np.floor(last) <= pieces + 1)
    return float(density) if near and np.isfinite(density) else None


def _direct(name: str, count: int, start: float, density: float) -> str:
    last = count - 1
    return f"""  %from = fsub double %x, {double(start)}
  %raw = fmul double %from, {double(density)}
  %above = fcmp ogt double %raw, 0.0
  %lifted = select i1 %above, double %raw, double 0.0
  %below = fcmp olt double %lifted, {double(float(last))}
  %kept = select i1 %below, double %lifted, double {double(float(last))}
  %guess = fptoui double %kept to i64
  %gp = getelementptr double, ptr @{name}_knots, i64 %guess
  %here = load double, ptr %gp, align 8
  %early = fcmp olt double %x, %here
  %some = icmp ugt i64 %guess, 0
  %back = and i1 %early, %some
  %np = getelementptr double, ptr %gp, i64 1
  %there = load double, ptr %np, align 8
  %late = fcmp oge double %x, %there
  %more = icmp ult i64 %guess, {last}
  %on = and i1 %late, %more
  %minus = sext i1 %back to i64
  %plus = zext i1 %on to i64
  %shift = add i64 %minus, %plus
  %piece = add i64 %guess, %shift"""


def _bisection(name: str, count: int) -> str:
    # knots[piece] <= x < knots[high] throughout
    return f"""entry:
  br label %search
search:
  %piece = phi i64 [ 0, %entry ], [ %piece2, %step ]
  %high = phi i64 [ {count}, %entry ], [ %high2, %step ]
  %width = sub i64 %high, %piece
  %more = icmp ugt i64 %width, 1
  br i1 %more, label %step, label %found
step:
  %sum = add i64 %piece, %high
  %middle = lshr i64 %sum, 1
  %kp = getelementptr double, ptr @{name}_knots, i64 %middle
  %knot = load double, ptr %kp, align 8
  %left = fcmp olt double %x, %knot
  %piece2 = select i1 %left, i64 %piece, i64 %middle
  %high2 = select i1 %left, i64 %middle, i64 %high
  br label %search
found:"""


def _array(name: str, values: Any) -> str:
    body = ", ".join(f"double 0x{bits:016X}" for bits in values.ravel().view(np.uint64).tolist())
    return f"@{name} = internal constant [{values.size} x double] [{body}], align 8"
