"""Write a program as LLVM IR: one value per lane, structure of arrays, no branches."""

from collections.abc import Callable
from typing import Any

from closedchain.compile import graph as g
from closedchain.compile import literals
from closedchain.compile.graph import BOOLEAN, Symbol
from closedchain.compile.libm import LIBM
from closedchain.compile.literals import vector_type
from closedchain.compile.program import FROM_X, Program
from closedchain.compile.schedule import emission_order
from closedchain.compile.sincos import SinCos
from closedchain.compile.table_code import table_function
from closedchain.compile.turns import TurnGroups, turn_groups, write_packed

# fused multiply-add, zeros without sign, division by multiplication; never reassociation, never assumptions about nan
FLAGS = "contract nsz arcp"

_BINARY = {g.ADD: "fadd", g.SUB: "fsub", g.MUL: "fmul", g.DIV: "fdiv"}
_INTRINSICS = {g.SQRT: "sqrt", g.ABS: "fabs", g.FLOOR: "floor"}
_COMPARE = {g.LT: "olt", g.LE: "ole"}
_LOGIC = {g.AND: "and", g.OR: "or"}


def kernel_ir(program: Program, name: str, lanes: int, per_lane: bool) -> str:
    """The module text of `void name(double* x, double* c, double* y)`.

    Entry i of an array of lane l lies at i*lanes + l; c is shared by the lanes unless per_lane. The arrays must not
    overlap.
    """
    return _Writer(program, lanes, per_lane).module(name)


class _Writer:
    def __init__(self, program: Program, lanes: int, per_lane: bool):
        self.program = program
        self.lanes = lanes
        self.per_lane = per_lane
        self.kind = vector_type("double", lanes)
        self.boolean = vector_type("i1", lanes)
        self.suffix = "f64" if lanes == 1 else f"v{lanes}f64"
        self.lines: list[str] = []
        self.names: dict[Symbol, str] = {}
        self.as_numbers: dict[Symbol, str] = {}
        self.as_conditions: dict[Symbol, str] = {}
        self.turns: dict[Symbol, tuple[str, str]] = {}
        self.literals: dict[float, str] = {}
        self.declarations: dict[str, str] = {}
        self.globals: dict[str, str] = {}
        self.sincos = SinCos(self.lines, FLAGS, lanes)
        self.unary: dict[int, Callable[[Symbol, str], str]] = {
            g.NEG: lambda node, a: f"fneg {FLAGS} {self.kind} {a}",
            g.SIGN: self._sign,
            g.NOT: lambda node, a: f"xor {self.boolean} {self.condition(node.a)}, {literals.truth(True, self.lanes)}",
        }

    def module(self, name: str) -> str:
        self._body()
        text = "\n  ".join(self.lines)
        head = "\n".join([*self.globals.values(), *self.declarations.values()])
        return (
            f"{head}\ndefine void @{name}(ptr noalias nocapture readonly %x, ptr noalias nocapture readonly %c, "
            f"ptr noalias nocapture %y) nounwind {{\n  {text}\n  ret void\n}}\n"
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
            self.turns.update(zip(arguments, write_packed(self.lines, names, FLAGS, f"%t{number}"), strict=True))

    def _store(self, position: int, value: str) -> None:
        address = f"%y{position}"
        self.lines.append(f"{address} = getelementptr double, ptr %y, i64 {position * self.lanes}")
        self.lines.append(f"store {self.kind} {value}, ptr {address}, align 8")

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
        elif op in _INTRINSICS:
            lines.append(f"{name} = {self._intrinsic(_INTRINSICS[op])}({kind} {self.operand(node.a)})")
        elif op in _COMPARE:
            lines.append(f"{name} = fcmp {_COMPARE[op]} {kind} {self.operand(node.a)}, {self.operand(node.b)}")
        elif op in _LOGIC:
            a, b = self.condition(node.a), self.condition(node.b)
            lines.append(f"{name} = {_LOGIC[op]} {self.boolean} {a}, {b}")
        elif op is g.SELECT:
            condition, a, b = self.condition(node.a), self.operand(node.b), self.operand(node.c)
            lines.append(f"{name} = select {self.boolean} {condition}, {kind} {a}, {kind} {b}")
        elif op is g.MIN or op is g.MAX:
            a, b = self.operand(node.a), self.operand(node.b)
            lines.append(f"{name}.t = fcmp {'ole' if op is g.MIN else 'oge'} {kind} {a}, {b}")
            lines.append(f"{name} = select {self.boolean} {name}.t, {kind} {a}, {kind} {b}")
        elif op in self.unary:
            lines.append(f"{name} = {self.unary[op](node, '' if op is g.NOT else self.operand(node.a))}")
        elif op is g.TABLE:
            function = table_function(node.b, node.c)
            self.globals[function.name] = function.text
            self._call(name, function.name, [self.operand(node.a)])
        else:
            function_name, arity = LIBM[op]
            self.declarations[function_name] = (
                f"declare double @{function_name}({', '.join(['double'] * arity)}) nounwind willreturn memory(none)"
            )
            self._call(name, function_name, [self.operand(x) for x in (node.a, node.b)[:arity]])

    def _load(self, node: Symbol, name: str) -> None:
        place, position = self.program.leaves[node]
        array = "x" if place == FROM_X else "c"
        wide = place == FROM_X or self.per_lane or self.lanes == 1
        step = self.lanes if wide else 1
        lines = self.lines
        lines.append(f"{name}.p = getelementptr double, ptr %{array}, i64 {position * step}")
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
            self.turns[argument] = self.sincos.write(self.operand(argument), f"{name}.r")
        sine, cosine = self.turns[argument]
        if node.op is g.TAN:
            self.lines.append(f"{name} = fdiv {FLAGS} {self.kind} {sine}, {cosine}")
        else:
            self.names[node] = sine if node.op is g.SIN else cosine

    def _intrinsic(self, name: str) -> str:
        full = f"llvm.{name}.{self.suffix}"
        self.declarations[full] = f"declare {self.kind} @{full}({self.kind})"
        return f"call {self.kind} @{full}"

    def _sign(self, node: Symbol, a: str) -> str:
        name, kind, zero = self.names[node], self.kind, self.number(0.0)
        self.lines.append(f"{name}.n = fcmp olt {kind} {a}, {zero}")
        self.lines.append(f"{name}.m = select {self.boolean} {name}.n, {kind} {self.number(-1.0)}, {kind} {a}")
        self.lines.append(f"{name}.p = fcmp ogt {kind} {a}, {zero}")
        return f"select {self.boolean} {name}.p, {kind} {self.number(1.0)}, {kind} {name}.m"

    def _call(self, name: str, function: str, operands: list[str]) -> None:
        lines = self.lines
        if self.lanes == 1:
            arguments = ", ".join(f"double {x}" for x in operands)
            lines.append(f"{name} = call double @{function}({arguments})")
            return
        result = "poison"
        for lane in range(self.lanes):
            parts = []
            for k, x in enumerate(operands):
                part = f"{name}.a{k}.{lane}"
                lines.append(f"{part} = extractelement {self.kind} {x}, i64 {lane}")
                parts.append(f"double {part}")
            lines.append(f"{name}.f{lane} = call double @{function}({', '.join(parts)})")
            filled = name if lane == self.lanes - 1 else f"{name}.w{lane}"
            lines.append(f"{filled} = insertelement {self.kind} {result}, double {name}.f{lane}, i64 {lane}")
            result = filled

    def number(self, value: float) -> str:
        """The literal of a float."""
        literal = self.literals.get(value)
        if literal is None:
            literal = self.literals[value] = literals.number(value, self.lanes)
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
            return literals.truth(bool(x), self.lanes)
        if x.op in BOOLEAN and x not in self.program.leaves:
            return self.names[x]
        name = self.as_conditions.get(x)
        if name is None:
            name = self.as_conditions[x] = f"{self.names[x]}.b"
            self.lines.append(f"{name} = fcmp une {self.kind} {self.names[x]}, {self.number(0.0)}")
        return name
