"""Matchings and strong components against SciPy's."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from closedchain.algorithms.block_structure import groups_in_order, matched_columns

DENSITIES = (0.05, 0.15, 0.3, 0.6)


def structures(seed):
    """Random square structures of all sizes and densities, some without a full matching."""
    draw = np.random.default_rng(seed)
    for n in (1, 2, 3, 5, 8, 13, 30):
        for density in DENSITIES:
            hidden = np.eye(n, dtype=bool)[draw.permutation(n)]
            yield (draw.random((n, n)) < density) | (hidden & (draw.random() < 0.7))


@pytest.mark.parametrize("seed", range(5))
def test_every_row_gets_a_column_of_its_own_where_that_is_possible(seed):
    for structure in structures(seed):
        found = matched_columns([np.flatnonzero(row).tolist() for row in structure])
        possible = np.all(maximum_bipartite_matching(csr_array(structure), perm_type="column") >= 0)
        assert (found is not None) == possible
        if found is not None:
            assert sorted(found) == list(range(len(structure)))
            assert structure[np.arange(len(structure)), found].all()


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_the_strong_components_and_need_earlier_ones_alone(seed):
    for structure in structures(seed):
        groups = groups_in_order([np.flatnonzero(row).tolist() for row in structure])
        _, label = connected_components(csr_array(structure), directed=True, connection="strong")
        assert sorted(map(tuple, groups)) == sorted(tuple(np.flatnonzero(label == k)) for k in set(label.tolist()))
        known: set[int] = set()
        for group in groups:
            known |= set(group)
            assert set(np.flatnonzero(structure[group].any(axis=0)).tolist()) <= known


def test_long_chains_need_no_deep_recursion():
    n = 5000
    assert groups_in_order([[k + 1] for k in range(n)] + [[]]) == [[k] for k in range(n, -1, -1)]
    assert groups_in_order([[(k + 1) % n] for k in range(n)]) == [list(range(n))]
    ring = [[k, (k + 1) % n] for k in range(n)]
    assert sorted(matched_columns(ring) or []) == list(range(n))
    assert matched_columns([[0], [0]]) is None
