"""Small mechanisms that the tests of the description start from."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

FOUR_BAR: dict[str, Any] = {
    "mechanism": {"name": "four-bar", "planar": True, "gravity": [0, -9.81]},
    "parameters": {"crank": "120 mm", "coupler": 0.4},
    "bodies": {
        "ground": {"points": {"A": [0, 0], "D": [0.5, 0]}},
        "crank": {"mass": 0.5, "com": ["crank/2", 0], "inertia": 6e-4, "points": {"A": [0, 0], "B": ["crank", 0]}},
        "coupler": {"mass": 0.4, "points": {"B": [0, 0], "C": ["coupler", 0], "P": ["coupler/2", 0.1]}},
        "rocker": {"points": {"D": [0, 0], "C": [0.3, 0]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"], "guess": "30 deg"},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
    },
    "actuators": {"motor": {"joint": "A", "motion": "2*pi*t"}},
    "outputs": {"tip": {"point": "coupler.P"}},
}

CLEARANCE: dict[str, Any] = {
    "radial": "0.2 mm", "bore": "10 mm", "normal": "lankarani-nikravesh", "stiffness": 6.6e10, "restitution": 0.9,
    "friction": "ambrosio", "mu": 0.05, "v0": 1e-3, "v1": 1e-2,
}  # fmt: skip

ARM: dict[str, Any] = {
    "parameters": {"a2": 0.43},
    "bodies": {
        "ground": {"points": {"foot": {"at": [0.1, 0.2, 0.3], "z": [0, 0, 1]}}},
        "arm.2": {"mass": 3.0, "com": [-0.2, 0, 0], "inertia": [0.1, 0.2, 0.2], "points": {"tool": [0, 0, 0.1]}},
    },
    "chains": {
        "arm": {
            "from": "ground.foot",
            "convention": "standard",
            "rows": [
                {"d": 0.67, "alpha": "-90 deg"},
                {"a": "a2", "theta": 0.3, "alpha": 0.2},
                {"a": 0.02, "d": 0.1, "theta": -0.4, "alpha": "90 deg", "type": "prismatic"},
            ],
        }
    },
    "joints": {"arm.2": {"guess": 0.5, "limits": [-1, 1]}},
}

SPATIAL: dict[str, Any] = {
    "bodies": {
        "ground": {"points": {"A": [0, 0, 0]}},
        "link": {"mass": 1, "inertia": [1, 1, 1], "points": {"A": [0, 0, 0], "F": {"at": [1, 0, 0], "z": [0, 1, 0]}}},
        "ball": {"mass": 1, "points": {"A": [0, 0, 0]}},
    },
    "joints": {
        "J": {"type": "cylindrical", "between": ["ground.A", "link.A"], "axis": [1, 0, 0]},
        "S": {"type": "spherical", "between": ["link.F", "ball.A"]},
    },
}


def change(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The mechanism with entries replaced by path ("bodies__crank__mass" = bodies.crank.mass); None removes one."""
    data = deepcopy(base)
    for path, value in changes.items():
        *way, last = path.split("__")
        table = data
        for name in way:
            table = table.setdefault(name, {})
        if value is None:
            del table[last]
        else:
            table[last] = value
    return data


@pytest.fixture
def make() -> Callable[..., dict[str, Any]]:
    """make("four_bar", bodies__crank__mass=2): the data of a small mechanism with changes by path, None removes."""
    bases = {"four_bar": FOUR_BAR, "arm": ARM, "spatial": SPATIAL, "empty": {}}
    return lambda base, **changes: change(bases[base], **changes)


@pytest.fixture
def clearance() -> Callable[..., dict[str, Any]]:
    """The table of a complete clearance with changes; None removes a key."""
    return lambda **changes: {name: value for name, value in {**CLEARANCE, **changes}.items() if value is not None}
