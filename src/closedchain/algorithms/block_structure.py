"""Block triangular form of a square structure: which unknown each equation gives, which equations need each other."""

from collections import deque
from collections.abc import Sequence


def matched_columns(columns: Sequence[Sequence[int]]) -> list[int] | None:
    """One column for each row, none twice; None where there is no such choice.

    columns: of every row, those that it may have. Shortest augmenting paths, row by row (Kuhn 1955, in the form of
    Duff 1981).

    >>> matched_columns([[0, 1], [0]])
    [1, 0]
    """
    own, owner = [-1] * len(columns), {}
    for start in range(len(columns)):
        reached: dict[int, int] = {}
        rows, free = deque([start]), None
        while rows and free is None:
            row = rows.popleft()
            for column in columns[row]:
                if column in reached:
                    continue
                reached[column] = row
                if column not in owner:
                    free = column
                    break
                rows.append(owner[column])
        if free is None:
            return None
        # Back along the path: every row gives its column to the row that asked for it.
        while free >= 0:
            row = reached[free]
            own[row], owner[free], free = free, row, own[row]
    return own


def groups_in_order(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows that need each other together, in an order in which each group needs itself and earlier ones alone.

    needs: the rows that each row needs. Strong components (Tarjan 1972), without recursion.

    >>> groups_in_order([[1], [0, 2], []])
    [[2], [0, 1]]
    """
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(needs)):
        if root in number:
            continue
        visits = [(root, iter(needs[root]))]
        while visits:
            row, others = visits[-1]
            if row not in number:
                number[row] = lowest[row] = len(number)
                path.append(row)
                on_path.add(row)
            for other in others:
                if other not in number:
                    visits.append((other, iter(needs[other])))
                    break
                if other in on_path:
                    lowest[row] = min(lowest[row], number[other])
            else:
                visits.pop()
                if visits:
                    above = visits[-1][0]
                    lowest[above] = min(lowest[above], lowest[row])
                if lowest[row] == number[row]:
                    start = path.index(row)
                    found.append(sorted(path[start:]))
                    on_path.difference_update(path[start:])
                    del path[start:]
    return found
