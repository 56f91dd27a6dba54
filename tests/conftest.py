"""What every test may use: the checkout's folders, and hypothesis profiles.

`pytest --hypothesis-profile=thorough` tries 2 000 random cases where the suite tries 100.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# The suite says the same on every machine: random cases come from a fixed seed, and slow machines are no failure.
settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000, derandomize=False)
settings.load_profile("default")


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT
