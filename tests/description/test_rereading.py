"""A mechanism with other numbers is read in part; what comes out is what a whole reading gives."""

from typing import Any

import pytest

import closedchain as cc

SAID = {
    "mechanism": {"planar": True, "gravity": [0, -9.81]},
    "parameters": {"l": 0.1, "play": "1e-3*l", "power": 1.5},
    "bodies": {
        "ground": {"points": {"A": [0, 0], "D": ["4*l", 0]}},
        "crank": {"mass": 1.0, "inertia": 1e-3, "points": {"A": [0, 0], "B": ["l", 0]}},
        "rod": {"mass": 1.0, "inertia": 1e-3, "points": {"B": [0, 0], "C": [0.3, 0.0]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"], "guess": 0.4, "limits": [-1, 2]},
        "B": {
            "type": "revolute",
            "between": ["crank.B", "rod.B"],
            "clearance": {
                "radial": "play", "bore": 0.01, "normal": "hertz", "stiffness": 1e9, "exponent": "power",
            },
        },
        "C": {"type": "prismatic", "between": ["ground.D", "rod.C"], "axis": [1, 0]},
    },
    "forces": {"F": {"kind": "spring-damper", "between": ["ground.D", "rod.C"], "stiffness": 10.0, "length": "l"}},
    "actuators": {"motor": {"joint": "A", "motion": "t"}},
    "outputs": {"P": {"point": "rod.C"}},
}  # fmt: skip

CHANGES = [
    {"joints.B.clearance.stiffness": 2e9},
    {"bodies.rod.mass": 2.0},
    {"bodies.rod.points.C.0": 0.25},
    {"parameters.l": 0.12},
    {"parameters.power": 1.4},
    {"joints.A.guess": 0.0},
    {"forces.F.stiffness": "5 N/mm", "bodies.crank.com.0": "l/2"},
]


@pytest.mark.parametrize("change", CHANGES, ids=[", ".join(change) for change in CHANGES])
def test_what_is_read_in_part_is_what_is_read_whole(change):
    m = cc.Mechanism.from_dict(SAID)
    other = m.with_values(change)
    whole = cc.Mechanism.from_dict(other.to_dict())
    assert other.content == whole.content
    assert list(other.values()) == list(whole.values())
    assert [other.evaluate(path, 0.3) for path in other.values()] == [
        whole.evaluate(path, 0.3) for path in whole.values()
    ]
    assert other.structure == whole.structure
    back = other.with_values({path: m.values()[path].written for path in change})
    assert back.content == m.content
    assert back.structure == m.structure or any("com" in path for path in change)


WRONG = [
    {"joints.B.clearance.radial": -1e-4},
    {"joints.B.clearance.radial": 0.02},
    {"bodies.rod.mass": -1.0},
    {"bodies.rod.inertia": -1.0},
    {"parameters.l": -0.1},
    {"parameters.power": -1.0},
    {"joints.A.limits.0": 3.0},
    {"joints.C.axis.0": 0.0},
]


@pytest.mark.parametrize("change", WRONG, ids=[next(iter(change)) for change in WRONG])
def test_mistakes_are_found_as_in_a_whole_reading(change):
    m = cc.Mechanism.from_dict(SAID)
    # a member of a sweep is made of a mechanism that was itself changed
    twice = m.with_values({"bodies.crank.mass": 1.5})
    with pytest.raises(cc.MechanismError) as found:
        twice.with_values(change)
    document = m.to_dict()
    place: Any = document
    *path, last = next(iter(change)).split(".")
    for name in path:
        place = place[int(name)] if name.isdigit() and isinstance(place, list) else place[name]
    if isinstance(place, list):
        place[int(last)] = change[next(iter(change))]
    else:
        place[last] = change[next(iter(change))]
    document["bodies"]["crank"]["mass"] = 1.5
    with pytest.raises(cc.MechanismError) as whole:
        cc.Mechanism.from_dict(document)
    assert str(found.value) == str(whole.value)
