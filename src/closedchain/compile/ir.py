"""LLVM IR in small pieces: types and constants, and a writer of instructions for one value or a vector of lanes."""

import struct
from functools import cache

# fused multiply-add, zeros without sign, division by multiplication; never reassociation, never assumptions about nan
FLAGS = "contract nsz arcp"
# for arithmetic that must stay as written, such as the exact error of a sum
EXACT = ""


@cache
def double(value: float) -> str:
    """A double in hexadecimal, the only exact form LLVM reads for every value."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def vector_type(element: str, lanes: int) -> str:
    """The type of one element or of a vector of them."""
    return element if lanes == 1 else f"<{lanes} x {element}>"


def splat(element: str, literal: str, lanes: int) -> str:
    """A literal repeated over the lanes."""
    return literal if lanes == 1 else "<" + ", ".join([f"{element} {literal}"] * lanes) + ">"


def number(value: float, lanes: int) -> str:
    """A double in all lanes."""
    return splat("double", double(value), lanes)


def truth(value: bool, lanes: int) -> str:
    """A truth value in all lanes."""
    return splat("i1", "true" if value else "false", lanes)


class Code:
    """Appends instructions to lines under names prefix.0, prefix.1, …; every method returns the name of its result.

    declarations: name -> declaration of the intrinsics used.
    """

    def __init__(self, lines: list[str], declarations: dict[str, str], lanes: int, prefix: str):
        self.lines = lines
        self.declarations = declarations
        self.lanes = lanes
        self.prefix = prefix
        self.count = 0
        self.kind = vector_type("double", lanes)
        self.whole = vector_type("i64", lanes)
        self.boolean = vector_type("i1", lanes)

    def raw(self, text: str) -> str:
        """Any instruction."""
        result = f"{self.prefix}.{self.count}"
        self.count += 1
        self.lines.append(f"{result} = {text}")
        return result

    def number(self, value: float) -> str:
        """A constant double."""
        return number(value, self.lanes)

    def integer(self, value: int) -> str:
        """A constant 64-bit integer."""
        return splat("i64", str(value), self.lanes)

    def _arithmetic(self, op: str, a: str, b: str, flags: str) -> str:
        return self.raw(f"{op} {flags} {self.kind} {a}, {b}")

    def add(self, a: str, b: str, flags: str = FLAGS) -> str:
        """a + b."""
        return self._arithmetic("fadd", a, b, flags)

    def sub(self, a: str, b: str, flags: str = FLAGS) -> str:
        """a - b."""
        return self._arithmetic("fsub", a, b, flags)

    def mul(self, a: str, b: str, flags: str = FLAGS) -> str:
        """a * b."""
        return self._arithmetic("fmul", a, b, flags)

    def div(self, a: str, b: str, flags: str = FLAGS) -> str:
        """a / b."""
        return self._arithmetic("fdiv", a, b, flags)

    def compare(self, predicate: str, a: str, b: str) -> str:
        """A condition between doubles; predicate as LLVM's fcmp has it."""
        return self.raw(f"fcmp {predicate} {self.kind} {a}, {b}")

    def both(self, a: str, b: str) -> str:
        """Both conditions hold."""
        return self.raw(f"and {self.boolean} {a}, {b}")

    def select(self, condition: str, a: str, b: str) -> str:
        """a where the condition holds, else b."""
        return self.raw(f"select {self.boolean} {condition}, {self.kind} {a}, {self.kind} {b}")

    def bits(self, x: str) -> str:
        """The bits of a double as an integer."""
        return self.raw(f"bitcast {self.kind} {x} to {self.whole}")

    def value(self, bits: str) -> str:
        """The double with these bits."""
        return self.raw(f"bitcast {self.whole} {bits} to {self.kind}")

    def whole_op(self, op: str, a: str, b: str) -> str:
        """An operation of 64-bit integers (and, or, xor, shl, lshr, ashr, add, sub)."""
        return self.raw(f"{op} {self.whole} {a}, {b}")

    def intrinsic(self, name: str, a: str) -> str:
        """sqrt, fabs or floor."""
        full = f"llvm.{name}.f64" if self.lanes == 1 else f"llvm.{name}.v{self.lanes}f64"
        self.declarations[full] = f"declare {self.kind} @{full}({self.kind})"
        return self.raw(f"call {self.kind} @{full}({self.kind} {a})")

    def polynomial(self, x: str, coefficients: tuple[float, ...]) -> str:
        """Σ coefficients[i] xⁱ (Horner)."""
        result = self.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            result = self.add(self.mul(result, x), self.number(coefficient))
        return result
