"""100 random mechanisms from file to motion; `python tests/random/many.py 2000` runs as many as wanted."""

from draws import Draws
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanisms import random_mechanism
from properties import check_mechanism


@given(st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=100)
def test_random_mechanisms_from_file_to_motion(tmp_path_factory, data, seed):
    draws = Draws(seed, lambda count: data.draw(st.integers(0, count - 1)))
    m = random_mechanism(draws)
    done = check_mechanism(m, tmp_path_factory.getbasetemp(), heavy=seed % 2 == 0)
    assert done["assembled"] or any("Error" in what for what in done)
