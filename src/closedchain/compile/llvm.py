"""Write a program as LLVM IR: one value per lane, structure of arrays, no branches."""

from collections.abc import Callable
from typing import Any

from closedchain.compile import ir
from closedchain.compile import operations as g
from closedchain.compile.arctangent import write_acos, write_asin, write_atan, write_atan2
from closedchain.compile.exponential import write_exp, write_log, write_power, write_tanh
from closedchain.compile.graph import Symbol
from closedchain.compile.ir import FLAGS, Code, vector_type
from closedchain.compile.layout import Layout
from closedchain.compile.operations import BOOLEAN
from closedchain.compile.program import FROM_X, Program
from closedchain.compile.schedule import emission_order
from closedchain.compile.sincos import write_sincos
from closedchain.compile.table_code import table_function
from closedchain.compile.turns import TurnGroups, turn_groups, write_packed

_BINARY = {g.ADD: "fadd", g.SUB: "fsub", g.MUL: "fmul", g.DIV: "fdiv"}
_INTRINSICS = {g.SQRT: "sqrt", g.ABS: "fabs", g.FLOOR: "floor"}
_COMPARE = {g.LT: "olt", g.LE: "ole"}
_LOGIC = {g.AND: "and", g.OR: "or"}
_ORDERED = {g.MIN: "olt", g.MAX: "ogt"}
_INLINE: dict[int, Callable[..., str]] = {
    g.EXP: write_exp,
    g.LOG: write_log,
    g.TANH: write_tanh,
    g.POW: write_power,
    g.ASIN: write_asin,
    g.ACOS: write_acos,
    g.ATAN: write_atan,
    g.ATAN2: write_atan2,
}


# the leading dimensions of x, c and y that a batch kernel is called with
_STRIDES = "i64 %ldx, i64 %ldc, i64 %ldy"
_STREAM = ", !nontemporal !{i32 1}"


def kernel_ir(program: Program, name: str, layout: Layout) -> str:
    """The module text of `void name(double* x, double* c, double* y)`, of a batch also with the leading dimensions.

    See Layout; c is shared by the lanes unless per_lane. The arrays must not overlap.
    """
    return _Writer(program, layout).module(name)


class _Writer:
    def __init__(self, program: Program, layout: Layout):
        self.program = program
        self.layout = layout
        self.lanes = lanes = layout.lanes
        self.kind = vector_type("double", lanes)
        self.boolean = vector_type("i1", lanes)
        self.lines: list[str] = []
        self.names: dict[Symbol, str] = {}
        self.as_numbers: dict[Symbol, str] = {}
        self.as_conditions: dict[Symbol, str] = {}
        self.turns: dict[Symbol, tuple[str, str]] = {}
        self.literals: dict[float, str] = {}
        self.declarations: dict[str, str] = {}
        self.globals: dict[str, str] = {}

    def module(self, name: str) -> str:
        self._body()
        text = "\n  ".join(self.lines)
        head = "\n".join([*self.globals.values(), *self.declarations.values()])
        scope, strides = ("internal ", f", {_STRIDES}") if self.layout.batch else ("", "")
        return (
            f"{head}\ndefine {scope}void @{name}(ptr noalias nocapture readonly %x, ptr noalias nocapture readonly %c, "
            f"ptr noalias nocapture %y{strides}) noinline nounwind {{\n  {text}\n  ret void\n}}\n"
        )

    def _body(self) -> None:
        wanted: dict[Symbol, list[int]] = {}
        for position, y in enumerate(self.program.outputs):
            if type(y) is Symbol:
                wanted.setdefault(y, []).append(position)
            else:
                self._store(position, self.number(y))
        order = emission_order(self.program)
        groups = turn_groups(self.program) if self.lanes == 1 else TurnGroups([], set())
        # what grouped arguments need comes first
        order = [node for node in order if node in groups.needed] + [
            node for node in order if node not in groups.needed
        ]
        for i, node in enumerate(order):
            if i == len(groups.needed):
                self._packed_turns(groups)
            self._write(node, f"%v{i}")
            # stored at once, so that no register waits for the end
            for position in wanted.get(node, ()):
                self._store(position, self.operand(node))

    def _packed_turns(self, groups: TurnGroups) -> None:
        for number, arguments in enumerate(groups.arguments):
            names = [self.names[argument] for argument in arguments]
            self.turns.update(zip(arguments, write_packed(self.lines, names, f"%t{number}"), strict=True))

    def _store(self, position: int, value: str) -> None:
        """Volatile: results are stored in the order in which they are found, and LLVM does not compare every two stores
        to merge them, in quadratic time.
        """
        address = self._address(f"%y{position}", "y", position, True)
        align, stream = (8 * self.lanes, _STREAM) if self.layout.stream else (8, "")
        self.lines.append(f"store volatile {self.kind} {value}, ptr {address}, align {align}{stream}")

    def _address(self, name: str, array: str, position: int, wide: bool) -> str:
        """Where an entry of an array starts; wide: it has one value per lane."""
        offset = str(position * self.lanes if wide else position)
        if wide and self.layout.batch and position:
            offset = f"{name}.o"
            self.lines.append(f"{offset} = mul i64 %ld{array}, {position}")
        self.lines.append(f"{name} = getelementptr double, ptr %{array}, i64 {offset}")
        return name

    def _write(self, node: Symbol, name: str) -> None:
        self.names[node] = name
        lines, kind = self.lines, self.kind
        if node in self.program.leaves:
            self._load(node, name)
            return
        op = node.op
        if op in _BINARY:
            lines.append(f"{name} = {_BINARY[op]} {FLAGS} {kind} {self.operand(node.a)}, {self.operand(node.b)}")
        elif op is g.SIN or op is g.COS or op is g.TAN:
            self._turn(node, name)
        elif op is g.NEG:
            lines.append(f"{name} = fneg {FLAGS} {kind} {self.operand(node.a)}")
        elif op in _INTRINSICS:
            self.names[node] = self._code(name).intrinsic(_INTRINSICS[op], self.operand(node.a))
        elif op in _COMPARE:
            lines.append(f"{name} = fcmp {_COMPARE[op]} {kind} {self.operand(node.a)}, {self.operand(node.b)}")
        elif op in _LOGIC:
            a, b = self.condition(node.a), self.condition(node.b)
            lines.append(f"{name} = {_LOGIC[op]} {self.boolean} {a}, {b}")
        elif op is g.SELECT:
            condition, a, b = self.condition(node.a), self.operand(node.b), self.operand(node.c)
            lines.append(f"{name} = select {self.boolean} {condition}, {kind} {a}, {kind} {b}")
        elif op in _ORDERED:
            a, b, code = self.operand(node.a), self.operand(node.b), self._code(name)
            self.names[node] = code.select(code.compare(_ORDERED[op], a, b), a, b)
        elif op is g.SIGN:
            self.names[node] = _sign(self._code(name), self.operand(node.a))
        elif op is g.NOT:
            lines.append(f"{name} = xor {self.boolean} {self.condition(node.a)}, {ir.truth(True, self.lanes)}")
        elif op in _INLINE:
            operands = [self.operand(x) for x in (node.a, node.b) if x is not None]
            self.names[node] = _INLINE[op](self._code(name), *operands)
        elif op is g.TABLE:
            function = table_function(node.b, node.c)
            self.globals[function.name] = function.text
            self._call(name, function.name, self.operand(node.a))
        else:
            raise TypeError(f"There is no machine code for {node!r}.")

    def _load(self, node: Symbol, name: str) -> None:
        place, position = self.program.leaves[node]
        array = "x" if place == FROM_X else "c"
        wide = place == FROM_X or self.layout.per_lane or self.lanes == 1
        lines = self.lines
        self._address(f"{name}.p", array, position, wide)
        if wide:
            lines.append(f"{name} = load {self.kind}, ptr {name}.p, align 8")
        else:
            kind = self.kind
            lines.append(f"{name}.s = load double, ptr {name}.p, align 8")
            lines.append(f"{name}.i = insertelement {kind} poison, double {name}.s, i64 0")
            zeros = f"<{self.lanes} x i32> zeroinitializer"
            lines.append(f"{name} = shufflevector {kind} {name}.i, {kind} poison, {zeros}")

    def _turn(self, node: Symbol, name: str) -> None:
        argument = node.a
        if argument not in self.turns:
            self.turns[argument] = write_sincos(self._code(f"{name}.r"), self.operand(argument))
        sine, cosine = self.turns[argument]
        if node.op is g.TAN:
            self.lines.append(f"{name} = fdiv {FLAGS} {self.kind} {sine}, {cosine}")
        else:
            self.names[node] = sine if node.op is g.SIN else cosine

    def _code(self, prefix: str) -> Code:
        return Code(self.lines, self.declarations, self.lanes, prefix)

    def _call(self, name: str, function: str, x: str) -> None:
        """A scalar function, lane by lane."""
        lines = self.lines
        if self.lanes == 1:
            lines.append(f"{name} = call double @{function}(double {x})")
            return
        result = "poison"
        for lane in range(self.lanes):
            lines.append(f"{name}.a{lane} = extractelement {self.kind} {x}, i64 {lane}")
            lines.append(f"{name}.f{lane} = call double @{function}(double {name}.a{lane})")
            filled = name if lane == self.lanes - 1 else f"{name}.w{lane}"
            lines.append(f"{filled} = insertelement {self.kind} {result}, double {name}.f{lane}, i64 {lane}")
            result = filled

    def number(self, value: float) -> str:
        """The literal of a float."""
        literal = self.literals.get(value)
        if literal is None:
            literal = self.literals[value] = ir.number(value, self.lanes)
        return literal

    def operand(self, x: Any) -> str:
        """The name of an operand as a number; a condition counts as 1 or 0."""
        if type(x) is not Symbol:
            return self.number(float(x))
        if x.op not in BOOLEAN or x in self.program.leaves:
            return self.names[x]
        name = self.as_numbers.get(x)
        if name is None:
            name = self.as_numbers[x] = f"{self.names[x]}.d"
            self.lines.append(f"{name} = uitofp {self.boolean} {self.names[x]} to {self.kind}")
        return name

    def condition(self, x: Any) -> str:
        """The name of an operand as a condition; a number counts as true unless it is 0."""
        if type(x) is not Symbol:
            return ir.truth(bool(x), self.lanes)
        if x.op in BOOLEAN and x not in self.program.leaves:
            return self.names[x]
        name = self.as_conditions.get(x)
        if name is None:
            name = self.as_conditions[x] = f"{self.names[x]}.b"
            self.lines.append(f"{name} = fcmp une {self.kind} {self.names[x]}, {self.number(0.0)}")
        return name


def _sign(code: Code, x: str) -> str:
    """-1 or 1; zero and nan stay what they are."""
    zero = code.number(0.0)
    not_positive = code.select(code.compare("olt", x, zero), code.number(-1.0), x)
    return code.select(code.compare("ogt", x, zero), code.number(1.0), not_positive)
