"""What the tests of physics leaves share."""

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def frames():
    """Motions of two frames with exact velocities."""
    spec = importlib.util.spec_from_file_location("moving_frames", Path(__file__).with_name("moving_frames.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
