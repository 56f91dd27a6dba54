"""Solve square loop equations block by block: J x = b and J^T y = r, J in block triangular form.

Loops that follow from each other (the limbs of a parallel robot, dyads added one after another) give equations in small
blocks. One of one, two or three unknowns is inverted by its adjugate: no pivot is chosen, so accuracy is lost only
where the block itself is singular, and the equations are exactly then. Larger ones are eliminated as in
closure_solver.py. (Block triangular form: Dulmage and Mendelsohn 1958; Pothen and Fan 1990.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.block_structure import groups_in_order, matched_columns
from closedchain.algorithms.closure_solver import Pattern, elimination_order, factor_loops
from closedchain.numbers import dot, is_zero, mul, sub

Number = Any
LARGEST = 3
REGULAR = 1e-7


@dataclass(frozen=True)
class Block:
    """Rows that hold these unknowns (positions among the passive rates) and earlier ones alone; the elimination
    pattern of a block too large for its adjugate; the rows' largest lengths over all scaled unknowns near the assembled
    pose, by which determinants are measured: a whole row may vanish where links line up."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    pattern: Pattern | None = None
    lengths: tuple[float, ...] = ()


@dataclass(frozen=True)
class Blocks:
    """Passive rates, and the blocks in an order in which each needs earlier ones alone."""

    passive: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Inverse:
    """A block inverted by its adjugate: entries of the inverse, and the determinant of the block."""

    entries: list[list[Number]]
    determinant: Number

    def solve(self, b: Sequence[Number]) -> list[Number]:
        """x with A x = b."""
        return [dot(line, b) for line in self.entries]

    def forces(self, r: Sequence[Number]) -> list[Number]:
        """y with A^T y = r."""
        return [dot(column, r) for column in zip(*self.entries, strict=True)]


@dataclass(frozen=True)
class BlockSolver:
    """The blocks ready to solve at one configuration. rows: one dict {position: entry} per row."""

    pattern: Blocks
    rows: Sequence[dict[int, Number]]
    solvers: Sequence[Any]

    def solve(self, b: Sequence[Number]) -> list[Number]:
        """x with J x = b."""
        x: list[Number] = [0.0] * len(self.pattern.passive)
        for block, solver in zip(self.pattern.blocks, self.solvers, strict=True):
            need = []
            for row in block.rows:
                value = b[row]
                for column, entry in self.rows[row].items():
                    if column not in block.columns:
                        value = sub(value, mul(entry, x[column]))
                need.append(value)
            for column, value in zip(block.columns, solver.solve(need), strict=True):
                x[column] = value
        return x

    def forces(self, r: Sequence[Number]) -> list[Number]:
        """y with J^T y = r."""
        left = list(r)
        y: list[Number] = [0.0] * len(self.rows)
        for block, solver in reversed(list(zip(self.pattern.blocks, self.solvers, strict=True))):
            found = solver.forces([left[column] for column in block.columns])
            for row, value in zip(block.rows, found, strict=True):
                y[row] = value
                for column, entry in self.rows[row].items():
                    if column not in block.columns:
                        left[column] = sub(left[column], mul(entry, value))
        return y


def factor_blocks(jacobian: Sequence[dict[int, Number]], pattern: Blocks) -> BlockSolver:
    """Prepare the blocks. jacobian: one dict {rate: entry} per row."""
    place = {rate: index for index, rate in enumerate(pattern.passive)}
    rows = [
        {place[rate]: value for rate, value in entries.items() if rate in place and not is_zero(value)}
        for entries in jacobian
    ]
    return BlockSolver(pattern, rows, [ready(rows, block) for block in pattern.blocks])


def ready(rows: Sequence[dict[int, Number]], block: Block) -> Any:
    """The solver of one block."""
    if block.pattern is not None:
        inside = [{column: rows[row][column] for column in block.columns if column in rows[row]} for row in block.rows]
        return factor_loops(inside, block.pattern)
    return inverse_of([[rows[row].get(column, 0.0) for column in block.columns] for row in block.rows])


def inverse_of(A: Sequence[Sequence[Number]]) -> Inverse:
    """Inverse of a matrix of one, two or three rows: adjugate over determinant."""
    n = len(A)
    if n == 1:
        return Inverse([[1.0 / A[0][0]]], A[0][0])
    if n == 2:
        (a, b), (c, d) = A
        determinant = sub(mul(a, d), mul(b, c))
        inverse = 1.0 / determinant
        return Inverse([[mul(d, inverse), mul(-b, inverse)], [mul(-c, inverse), mul(a, inverse)]], determinant)
    cofactors = [[minor(A, i, j) for j in range(3)] for i in range(3)]
    determinant = dot(A[0], cofactors[0])
    inverse = 1.0 / determinant
    return Inverse([[mul(cofactors[j][i], inverse) for j in range(3)] for i in range(3)], determinant)


def minor(A: Sequence[Sequence[Number]], i: int, j: int) -> Number:
    """Cofactor of an entry of a 3 x 3 matrix, from the two rows and columns that follow it cyclically."""
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    return sub(mul(A[i1][j1], A[i2][j2]), mul(A[i1][j2], A[i2][j1]))


def find_blocks(passive: Sequence[int], J: np.ndarray, structure: np.ndarray, metric: np.ndarray) -> Blocks | None:
    """Blocks of a Jacobian, None where it is not square or not regular at every sample.

    J: (samples, m, n), the assembled pose first; structure: True where an entry can differ from zero (m, n); metric:
    weight of every passive rate.
    """
    m, n = structure.shape
    if m != n:
        return None
    if n == 0:
        return Blocks(tuple(passive), ())
    columns_of = [np.flatnonzero(row).tolist() for row in structure]
    matched = matched_columns(columns_of)
    if matched is None:
        return None
    # Row i owns the unknown matched[i] and needs the rows that own its other unknowns.
    owner = {column: row for row, column in enumerate(matched)}
    needs = [[owner[column] for column in columns] for columns in columns_of]
    lengths = np.linalg.norm(J / np.sqrt(metric), axis=2).max(axis=0)
    found: list[Block] = []
    for group in groups_in_order(needs):
        rows = np.array(group)
        columns = np.sort([matched[row] for row in group])
        part = J[:, rows][:, :, columns]
        if not regular(part):
            return None
        pattern = None
        if len(rows) > LARGEST:
            weights = np.array([metric[column] for column in columns])
            pattern = block_pattern(columns, part, structure[np.ix_(rows, columns)], weights)
        known = tuple(map(float, lengths[rows]))
        found.append(Block(tuple(map(int, rows)), tuple(map(int, columns)), pattern, known))
    return Blocks(tuple(passive), tuple(found))


def block_pattern(columns: np.ndarray, J: np.ndarray, structure: np.ndarray, metric: np.ndarray) -> Pattern:
    """Elimination pattern of one block."""
    H = np.repeat(np.diag(metric)[None], len(J), axis=0)
    order, dependent, sizes = elimination_order(H, J, H[0] != 0.0, structure)
    return Pattern(tuple(map(int, columns)), tuple(order), tuple(sizes), dependent, tuple(metric))


def regular(blocks: np.ndarray) -> bool:
    """Whether blocks (samples, k, k) have an inverse at every sample, columns scaled."""
    size = np.linalg.norm(blocks, axis=1, keepdims=True)
    if np.any(size == 0.0):
        return False
    return bool(np.all(np.linalg.svd(blocks / size, compute_uv=False)[:, -1] > REGULAR))
