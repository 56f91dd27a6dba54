"""Random mechanisms with loose joints; `python tests/random/many_loose.py` tries as many more as wanted."""

import pytest
from draws import Draws
from hypothesis import given, settings
from hypothesis import strategies as st
from loose_mechanisms import random_loose_mechanism
from loose_properties import check_loose

# Once went through their bores: a law that lets go before the sides part, in flights as long as a step.
THROUGH = (12, 28, 40)


@pytest.mark.parametrize("seed", THROUGH)
def test_pins_that_once_went_through_their_bores(seed):
    assert check_loose(*random_loose_mechanism(Draws(seed)))["compared"] == 1


@pytest.mark.slow
@given(st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_loose_joints_hold_whatever_the_mechanism(data, seed):
    draws = Draws(seed, lambda n: data.draw(st.integers(0, n - 1)))
    assert check_loose(*random_loose_mechanism(draws))
