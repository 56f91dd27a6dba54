"""Random mechanisms with loose joints; `python run.py python tests/random/many.py 500 --loose` tries more."""

import pytest
from draws import Draws
from hypothesis import given, settings
from hypothesis import strategies as st
from loose_mechanisms import random_loose_mechanism
from loose_properties import check_loose

# Once went through their bores: laws that let go before the sides part in flights as long as a step, a graze in a long
# step, corners of a slider that touch together; and once slipped against their friction, begun with no slip at all.
THROUGH = (12, 28, 40, 317, 548, 372)


@pytest.mark.parametrize("seed", THROUGH)
def test_pins_that_once_went_through_their_bores(seed):
    assert check_loose(*random_loose_mechanism(Draws(seed)))["compared"] == 1


@pytest.mark.slow
@given(st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_loose_joints_hold_whatever_the_mechanism(data, seed):
    draws = Draws(seed, lambda n: data.draw(st.integers(0, n - 1)))
    assert check_loose(*random_loose_mechanism(draws))
