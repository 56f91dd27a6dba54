"""What the tests of the mechanics share."""

import importlib.util
from pathlib import Path

import pytest


def beside(name: str):
    """The module of that name in this folder."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def trees():
    """Random open mechanisms."""
    return beside("random_trees")


@pytest.fixture(scope="session")
def chains():
    """Random serial chains."""
    return beside("random_chains")
