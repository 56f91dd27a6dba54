"""Derivatives of the dynamics against the derivative of the whole graph, CasADi, and differences along the motion."""

import tomllib
from pathlib import Path

import casadi
import numpy as np
import pytest

import closedchain as cc
from closedchain import numbers
from closedchain.algorithms.forward_dynamics import coordinate_rates
from closedchain.analyses.preparing import prepare
from closedchain.compile import compile_kernel
from closedchain.compile.evaluate import evaluate
from closedchain.model.derivative_kernels import derivative_kernel
from closedchain.model.dynamics_kernels import dynamics_at, instant, projection_kernel, rhs_kernel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CROWDED = {
    "mechanism": {"planar": True, "gravity": [0, -9.81]},
    "bodies": {
        "ground": {"points": {"D": [0.4, 0], "S": [0.2, 0.5]}},
        "crank": {"mass": 0.3, "com": [0.07, 0.01], "inertia": 1e-3, "points": {"B": [0.15, 0]}},
        "coupler": {"mass": 0.7, "com": [0.1, 0.02], "inertia": 4e-3, "points": {"C": [0.35, 0], "P": [0.2, 0.1]}},
        "rocker": {"mass": 0.6, "com": [0.15, 0], "inertia": 5e-3, "points": {"C": [0.3, 0]}},
        "wheel": {"mass": 0.2, "inertia": 2e-3},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": "60 deg", "rate": 2.0},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.origin"], "guess": "-30 deg", "damping": 0.02},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "80 deg", "stiffness": 1.5},
        "W": {"type": "revolute", "between": ["crank.B", "wheel.origin"]},
    },
    "couplings": {"gear": {"sum": {"A": 2.0, "W": 1.0}, "equals": 0}},
    "actuators": {
        "motor": {"joint": "A", "control": {"kind": "pid", "target": "sin(t)", "kp": 3.0, "kd": 0.2, "ki": 1.0}},
        "helper": {"joint": "D", "effort": "0.3*cos(2*t)"},
    },
    "forces": {
        "spring": {
            "kind": "spring-damper",
            "between": ["ground.S", "coupler.P"],
            "stiffness": 40,
            "damping": 0.5,
            "length": 0.1,
        },
        "push": {"kind": "force", "on": "rocker.C", "vector": ["2*sin(t)", 1.0], "axes": "body"},
    },
}


def example(name, pushed=False):
    """An example; pushed: its actuators push with a constant effort instead of following a motion."""
    data = tomllib.loads((EXAMPLES / name / "mechanism.toml").read_text(encoding="utf-8"))
    data.pop("studies", None)
    if pushed:
        data.pop("motions", None)
        for actuator in data["actuators"].values():
            actuator.pop("motion", None)
            actuator["effort"] = 1.5
    return cc.Mechanism.from_dict(data)


MECHANISMS = {
    "crowded": lambda: cc.Mechanism.from_dict(CROWDED),
    "andrews": lambda: example("andrews"),
    "flyball_governor": lambda: example("flyball_governor"),
    "rssr, pushed": lambda: example("rssr", pushed=True),
    "spatial_slider_crank": lambda: example("spatial_slider_crank"),
    "bricard, redundant": lambda: example("bricard", pushed=True),
    "five_bar, imposed": lambda: example("five_bar"),
}
EACH = pytest.mark.parametrize("name", MECHANISMS)


def moving_state(mechanism):
    """Setting and a state (t, y) on the constraints, with every freedom moving."""
    setting, y = prepare(cc.compile(mechanism), None)
    first, last = setting.sizes[0], sum(setting.sizes[:2])
    y[first:last] += np.random.default_rng(3).normal(size=last - first)
    y[last : sum(setting.sizes[:3])] = 0.2
    return setting, projected(setting, np.concatenate([[0.3], y]))


def projected(setting, x):
    """The nearest state with closed loops; rates once these are closed, because open redundant loops leave none."""
    kernel = projection_kernel(setting)
    c = kernel.constants(setting.model.parameters.values)
    place = slice(1 + setting.sizes[0], 1 + sum(setting.sizes[:2]))
    closed = x.copy()
    for tries in (6, 3):
        closed[place] = x[place]
        for _ in range(tries):
            closed[1:] = kernel(closed, c)[: setting.states]
    return closed


def derivatives(setting, x):
    kernel = derivative_kernel(setting)
    return kernel.split(kernel(x, kernel.constants(setting.model.parameters.values)))


def rates(setting, x):
    kernel = rhs_kernel(setting)
    return kernel(x, kernel.constants(setting.model.parameters.values))[: setting.states]


@EACH
def test_state_derivative_holds_along_directions_that_keep_the_loops_closed(name):
    setting, x = moving_state(MECHANISMS[name]())
    D = derivatives(setting, x)["state"]
    parts = sum(setting.sizes[:3])
    draw = np.random.default_rng(5)
    for _ in range(3):
        step = np.zeros(len(x))
        step[1 : 1 + parts] = draw.normal(size=parts)
        h = 1e-4
        line = [projected(setting, x + k * h * step) for k in (-3, -2, -1, 0, 1, 2, 3)]
        weights = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
        direction = np.tensordot(weights, line, 1)
        expected = np.tensordot(weights, [rates(setting, y) for y in line], 1)
        found = D @ direction[1:]
        assert np.abs(found - expected).max() < 1e-6 * (1 + np.abs(expected).max())


@pytest.mark.parametrize("name", ["crowded", "andrews", "flyball_governor", "five_bar, imposed"])
def test_implicit_derivative_is_that_of_the_whole_graph(name):
    # no quaternions and no redundant rows: then it holds in every direction
    setting, x = moving_state(MECHANISMS[name]())

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        dynamics = dynamics_at(setting, now, t[0], parameters, memory, quickly=True)
        return {"rate": [*coordinate_rates(now.system, now.q, now.v), *dynamics.a, *dynamics.applied.state_rates]}

    traced = setting.model.traced(function, setting.inputs)
    whole = compile_kernel(traced.with_outputs({"J": traced.jacobian("rate", "y")}).only("J"))
    p = setting.model.parameters.values
    J = whole(x, whole.constants(p)).reshape(-1, setting.states)
    D = derivatives(setting, x)["state"][: len(J)]
    assert np.abs(D - J).max() < 1e-10 * np.abs(J).max()
    # and CasADi, given the same operations, finds the same
    leaves = casadi.SX.sym("x", len(x))
    values = {symbol: leaves[k] for k, symbol in enumerate(traced.input_symbols)}
    values |= {symbol: float(p[k]) for k, symbol in enumerate(traced.parameter_symbols)}
    rate = casadi.vertcat(*evaluate(traced.expressions, values, numbers))
    foreign = casadi.Function("J", [leaves], [casadi.jacobian(rate, leaves)])
    assert np.abs(np.array(foreign(x))[:, 1:] - D).max() < 1e-10 * np.abs(J).max()


@pytest.mark.parametrize("name", ["crowded", "rssr, pushed", "bricard, redundant"])
def test_effort_derivative_is_what_one_more_newton_does(name):
    mechanism = MECHANISMS[name]()
    setting, x = moving_state(mechanism)
    found = derivatives(setting, x)["effort"]
    for column, (label, actuator) in enumerate(mechanism.actuators.items()):
        if actuator.effort is None:
            continue
        # the dynamics is linear in efforts: another number says the slope exactly
        more = pushed_more(name, label)
        other, _ = prepare(cc.compile(more), None)
        change = rates(other, x) - rates(setting, x)
        assert np.abs(found[:, column] - change).max() < 1e-9 * (1 + np.abs(change).max())


def pushed_more(name, label):
    """The mechanism with 1 N or 1 N m more at an actuator."""
    if name == "crowded":
        actuators = {**CROWDED["actuators"], label: {"joint": "D", "effort": "0.3*cos(2*t) + 1"}}
        return cc.Mechanism.from_dict({**CROWDED, "actuators": actuators})
    mechanism = MECHANISMS[name]()
    return mechanism.with_values({f"actuators.{label}.effort": 2.5})


def test_the_optimised_kernel_says_the_same():
    setting, x = moving_state(MECHANISMS["crowded"]())
    kernel = derivative_kernel(setting, optimised=True)
    found = kernel.split(kernel(x, kernel.constants(setting.model.parameters.values)))
    expected = derivatives(setting, x)
    assert np.abs(found["state"] - expected["state"]).max() < 1e-12 * np.abs(expected["state"]).max()


def test_an_imposed_coordinate_is_moved_by_no_effort():
    setting, x = moving_state(MECHANISMS["five_bar, imposed"]())
    found = derivatives(setting, x)
    assert setting.drive.coordinates
    assert not found["effort"].any()
    driven = [setting.model.tree_coordinates[name] for name in setting.drive.coordinates]
    assert not found["state"][:, driven].any()
