"""What the tests of the mechanics share."""

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def trees():
    """Random open mechanisms."""
    spec = importlib.util.spec_from_file_location("random_trees", Path(__file__).with_name("random_trees.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
