"""Linear combinations of the stages of a Runge-Kutta step, written as vector code.

Compilers do not vectorise these sums on their own (a dozen arrays that might overlap), and they are what an explicit
step costs beside the right-hand side. Rows hold one entry per component and lane, lanes innermost; step sizes come as a
tile of eight, of which entry q % 8 belongs to entry q of a row, so that 1, 2, 4 or 8 lanes run through the same code.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

TILE = 8

# fused multiply-add, but never reassociation: one lane gives the same digits as eight
_FLAGS = ("contract", "nsz", "arcp")
_DOUBLE = ir.DoubleType()
# a row shorter than this comes fresh from scalar stores, which wide loads would have to wait for
_LONG = 64


class _Code:
    """Vector instructions on addresses: the few that are needed here."""

    def __init__(self, builder: Any, word: Any):
        self.builder = builder
        self.word = word

    def integer(self, value: int) -> Any:
        return ir.Constant(self.word, value)

    def constant(self, value: float, width: int) -> Any:
        kind = self.kind(width)
        return ir.Constant(kind, [value] * width) if width > 1 else ir.Constant(kind, value)

    @staticmethod
    def kind(width: int) -> Any:
        return ir.VectorType(_DOUBLE, width) if width > 1 else _DOUBLE

    def at(self, address: Any, entry: Any) -> Any:
        return self.builder.add(address, self.builder.shl(entry, self.integer(3)))

    def load(self, address: Any, width: int) -> Any:
        value = self.builder.load(self.builder.inttoptr(address, self.kind(width).as_pointer()))
        value.align = 8
        return value

    def store(self, value: Any, address: Any) -> None:
        self.builder.store(value, self.builder.inttoptr(address, value.type.as_pointer())).align = 8

    def sum(self, terms: Sequence[tuple[Any, float]], width: int) -> Any:
        total = None
        for value, factor in terms:
            product = self.builder.fmul(value, self.constant(factor, width), flags=_FLAGS)
            total = product if total is None else self.builder.fadd(total, product, flags=_FLAGS)
        return total

    def magnitude(self, value: Any) -> Any:
        kind = value.type
        name = f"llvm.fabs.v{kind.count}f64" if isinstance(kind, ir.VectorType) else "llvm.fabs.f64"
        function = cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(kind, [kind]), name)
        return self.builder.call(function, [value])

    def blocks(self, count: Any, body: Callable[[Any, int], None]) -> None:
        """body(q, width) over all entries q: eight at a time in long rows, four at a time, then singly."""
        b = self.builder
        long = b.icmp_unsigned(">=", count, self.integer(_LONG))
        by_8 = b.select(long, b.and_(count, self.integer(-8)), self.integer(0))
        by_4 = b.and_(count, self.integer(-4))
        for start, stop, width in ((self.integer(0), by_8, 8), (by_8, by_4, 4), (by_4, count, 1)):
            with cgutils.for_range_slice(b, start, stop, self.integer(width), self.word) as (q, _):
                body(q, width)


def combination(coefficients: Mapping[int, float], add_base: bool = True) -> Any:
    """A Numba function combine(out, base, scale, rows, stride, count): out = base + scale Σ_j coefficients[j] rows[j].

    out, base, rows: addresses; scale: address of a tile of eight; stride: bytes from row to row; count: entries per
    row. Without `add_base`, out = scale Σ_j coefficients[j] rows[j].
    """
    terms = list(coefficients.items())

    @intrinsic
    def combine(typingctx: Any, out: Any, base: Any, scale: Any, rows: Any, stride: Any, count: Any) -> Any:
        signature = types.void(*[types.uintp] * 6)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            out, base, scale, rows, stride, count = arguments
            code = _Code(builder, out.type)
            starts = [builder.add(rows, builder.mul(stride, code.integer(j))) for j, _ in terms]

            def body(q: Any, width: int) -> None:
                values = [code.load(code.at(start, q), width) for start in starts]
                total = code.sum([(value, a) for value, (_, a) in zip(values, terms)], width)
                tile = code.load(code.at(scale, builder.and_(q, code.integer(TILE - 1))), width)
                total = builder.fmul(total, tile, flags=_FLAGS)
                if add_base:
                    total = builder.fadd(total, code.load(code.at(base, q), width), flags=_FLAGS)
                code.store(total, code.at(out, q))

            code.blocks(count, body)
            return context.get_dummy_value()

        return signature, generate

    return combine


def embedded(coefficients: Mapping[int, float], errors: Sequence[Mapping[int, float]]) -> Any:
    """A Numba function finish(out, base, scale, rows, stride, count, atol, rtol, sums) that ends an embedded step.

    out = base + scale Σ_j coefficients[j] rows[j], and for each row e of `errors` the squares of Σ_j e[j] rows[j] /
    (atol + rtol max(|base|, |out|)) are added to the tile of eight sums[e], entry q to sums[e][q % 8].
    """
    terms = list(coefficients.items())
    estimates = [list(error.items()) for error in errors]
    used = sorted({j for j, _ in terms} | {j for estimate in estimates for j, _ in estimate})

    @intrinsic
    def finish(
        typingctx: Any,
        out: Any,
        base: Any,
        scale: Any,
        rows: Any,
        stride: Any,
        count: Any,
        atol: Any,
        rtol: Any,
        sums: Any,
    ) -> Any:
        signature = types.void(*[types.uintp] * 9)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            out, base, scale, rows, stride, count, atol, rtol, sums = arguments
            code = _Code(builder, out.type)
            starts = {j: builder.add(rows, builder.mul(stride, code.integer(j))) for j in used}

            def body(q: Any, width: int) -> None:
                position = builder.and_(q, code.integer(TILE - 1))
                values = {j: code.load(code.at(start, q), width) for j, start in starts.items()}
                old = code.load(code.at(base, q), width)
                total = code.sum([(values[j], a) for j, a in terms], width)
                total = builder.fmul(total, code.load(code.at(scale, position), width), flags=_FLAGS)
                new = builder.fadd(total, old, flags=_FLAGS)
                code.store(new, code.at(out, q))
                before, after = code.magnitude(old), code.magnitude(new)
                larger = builder.select(builder.fcmp_ordered(">", before, after), before, after)
                weight = builder.fmul(code.load(code.at(rtol, q), width), larger, flags=_FLAGS)
                weight = builder.fadd(weight, code.load(code.at(atol, q), width), flags=_FLAGS)
                for e, estimate in enumerate(estimates):
                    error = builder.fdiv(code.sum([(values[j], a) for j, a in estimate], width), weight, flags=_FLAGS)
                    place = code.at(code.at(sums, code.integer(e * TILE)), position)
                    square = builder.fmul(error, error, flags=_FLAGS)
                    code.store(builder.fadd(code.load(place, width), square, flags=_FLAGS), place)

            code.blocks(count, body)
            return context.get_dummy_value()

        return signature, generate

    return finish
