"""What the tests of analyses share: random closed mechanisms, and inverse dynamics of free bodies."""

import importlib.util
from pathlib import Path

import pytest


def load(name: str):
    """A module beside this file."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def loops():
    """Random closed mechanisms."""
    return load("random_loops")


@pytest.fixture(scope="session")
def free_bodies():
    """Newton's and Euler's equations of all bodies by themselves."""
    return load("free_bodies")


@pytest.fixture(scope="session")
def linkages():
    """Mechanisms of known freedom and known singularities."""
    return load("linkages")


@pytest.fixture(scope="session")
def formulations():
    """One mechanism in both formulations of the dynamics."""
    return load("formulations")
