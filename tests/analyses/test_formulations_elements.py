"""Everything that can act on a mechanism does the same in both formulations: two bodies in space, one thing at once."""

import pytest

import closedchain as cc

BODY = {
    "mass": 1.0,
    "com": [0.1, 0.02, 0.03],
    "inertia": [2e-3, 3e-3, 4e-3],
    "points": {"A": [0, 0, 0], "B": {"at": [0.3, 0.05, 0], "z": [0, 1, 1], "x": [1, 0, 0]}},
}
TURNING, OTHER = {"type": "revolute"}, {"type": "revolute"}


def chain(first=TURNING, second=OTHER, **more):
    return {
        "mechanism": {"gravity": [0.5, -1, -9.81]},
        "bodies": {"ground": {"points": {"A": [0, 0, 0]}}, "b1": BODY, "b2": BODY},
        "joints": {"J1": {"between": ["ground.A", "b1.A"], **first}, "J2": {"between": ["b1.B", "b2.A"], **second}},
        "outputs": {"P": {"point": "b2.B"}},
        **more,
    }


def driven(**actuator):
    return chain(actuators={"m": {"joint": "J1", **actuator}})


PID = {"kind": "pid", "target": "0.5*sin(4*t)", "kp": 3.0, "kd": 0.1, "ki": 1.0, "limit": 0.6}
COULOMB = {"law": "coulomb", "mu": 0.3, "vr": 0.05, "load": 2.0, "radius": 0.02}
FORCES = {
    "spring": {"kind": "spring-damper", "between": ["ground.A", "b2.B"], "stiffness": 40.0, "damping": 0.5,
               "length": 0.2},
    "push": {"kind": "force", "on": "b2.B", "vector": ["sin(5*t)", 0.2, 0.1], "axes": "body"},
    "twist": {"kind": "moment", "on": "b1", "vector": [0.01, "0.02*t", 0.0], "axes": "ground"},
    "bush": {"kind": "bushing", "between": ["b1.A", "b2.B"], "stiffness": [5, 6, 7, 0.1, 0.2, 0.3],
             "damping": [0.1, 0.1, 0.1, 0.01, 0.01, 0.01]},
}  # fmt: skip
CASES = {
    "friction, universal": (
        chain(
            {"type": "revolute", "friction": COULOMB},
            {"type": "universal", "stiffness": [0.5, 0.3], "damping": [0.01, 0.02]},
        ),
        {},
    ),
    "spherical, cylindrical": (
        chain({"type": "spherical", "damping": [0.01, 0.01, 0.02]}, {"type": "cylindrical", "stiffness": [0.1, 30.0]}),
        {},
    ),
    "helical, prismatic": (chain({"type": "helical", "lead": 0.2}, {"type": "prismatic", "stiffness": 50.0}), {}),
    "planar, free": (chain({"type": "planar", "stiffness": [20.0, 30.0, 0.5]}, {"type": "free"}), {}),
    "fixed": (chain(TURNING, {"type": "fixed"}), {}),
    "stop": (
        chain(
            {"type": "revolute", "axis": [0, 1, 0], "limits": [-0.1, 0.1], "stop": {"stiffness": 200.0, "damping": 0.1}}
        ),
        {},
    ),
    "coupling": (
        chain(couplings={"gear": {"sum": {"J1": 1.0, "J2": 2.0}, "equals": 0.3}}),
        {"start": {"J1": 0.3}},
    ),
    "imposed motion": (driven(motion="0.3*sin(8*t)+3*t"), {}),
    "effort": (driven(effort="0.3*sin(8*t)"), {}),
    "controller": (driven(control=PID), {}),
    "forces": (chain({"type": "spherical"}, {"type": "spherical"}, forces=FORCES), {}),
    "point motion": (
        chain({"type": "spherical"}, motions={"way": {"of": "b1.B", "x": "0.3*cos(t)"}}),
        {"start": {"J2": 0.4}},
    ),
    "whole turns": (
        chain({"type": "revolute", "axis": [0, 1, 0]}),
        {"start": {"J1": (0.2, 40.0), "J2": (5.0, -60.0)}},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_both_formulations_agree(formulations, case):
    data, options = CASES[case]
    pair = formulations.both(cc.Mechanism.from_dict(data), 0.2, rtol=1e-11, samples=5, **options)
    assert formulations.difference(*pair) < 1e-8
    for ds in pair:
        assert formulations.energy_error(ds) < 1e-8
    if "effort" in pair[0] and pair[0].effort.size:
        assert pair[0].effort.values == pytest.approx(pair[1].effort.values, abs=1e-7)


def test_a_spring_needs_a_coordinate():
    m = cc.Mechanism.from_dict(chain({"type": "spherical", "stiffness": [1.0, 1.0, 1.0]}))
    with pytest.raises(cc.MechanismError, match=r"joints\.J1\.stiffness.*bushing"):
        cc.simulate(m, 0.1)
