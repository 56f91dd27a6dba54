"""100 random mechanisms from file to motion; `python tests/random/many.py 2000` runs as many as wanted."""

import pytest
from draws import Draws
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanisms import random_mechanism
from properties import check_energy, check_mechanism
from returning import check_return

SEEDS = st.integers(0, 2**32 - 1)


def make(data, seed, planar):
    """A mechanism whose decisions hypothesis takes."""
    return random_mechanism(Draws(seed, lambda count: data.draw(st.integers(0, count - 1))), planar)


@pytest.mark.slow
@given(st.data(), SEEDS)
@settings(max_examples=40)
def test_plane_mechanisms_from_file_to_motion(tmp_path_factory, data, seed):
    done = check_mechanism(make(data, seed, True), tmp_path_factory.getbasetemp(), heavy=seed % 2 == 0)
    assert done["assembled"] or any("Error" in what for what in done)


@pytest.mark.slow
@given(st.data(), SEEDS)
@settings(max_examples=60)
def test_spatial_mechanisms_from_file_to_motion(tmp_path_factory, data, seed):
    done = check_mechanism(make(data, seed, False), tmp_path_factory.getbasetemp(), heavy=seed % 3 == 0)
    assert done["assembled"] or any("Error" in what for what in done)


@pytest.mark.slow
@given(st.data(), SEEDS, st.booleans())
@settings(max_examples=12)
def test_mechanisms_left_to_themselves_keep_their_energy(data, seed, planar):
    assert check_energy(make(data, seed, planar))


@pytest.mark.slow
@given(st.data(), SEEDS, st.booleans())
@settings(max_examples=8)
def test_efforts_of_inverse_dynamics_return_the_motion(tmp_path_factory, data, seed, planar):
    formulation = "multipliers" if seed % 3 == 0 else "loop"
    assert check_return(make(data, seed, planar), tmp_path_factory.getbasetemp(), formulation)


def test_a_row_that_is_rounding_where_the_loops_were_looked_at(tmp_path):
    # its loop in a plane moves out of that plane's first position, and the row means something there
    assert check_return(random_mechanism(Draws(20040)), tmp_path, "loop")["returned"] == 1
