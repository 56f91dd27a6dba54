"""The mechanics of every example three ways: machine code, plain Python on floats, and CasADi on the traced graph."""

from pathlib import Path

import casadi
import numpy as np
import pytest

import closedchain as cc
from closedchain import numbers
from closedchain.analyses.kinematics import time_path
from closedchain.compile import directional_derivative
from closedchain.compile.evaluate import evaluate
from closedchain.model.motion_kernels import state_kernel
from closedchain.model.rows import find_pattern

FOLDER = Path(__file__).resolve().parents[2] / "examples"
EXAMPLES = sorted(path.parent.name for path in FOLDER.glob("*/mechanism.toml"))
EACH = pytest.mark.parametrize("name", EXAMPLES)


def states(name: str):
    """State kernels of an example in machine code and on floats, an input with any rates, parameters, redundancy."""
    mechanism = cc.load(FOLDER / name / "mechanism.toml")
    path = time_path(cc.compile(mechanism, code="quick"), np.zeros(1))
    model = path.model
    goal = path.goals(np.zeros(1))[0][:, 0]
    q = cc.assemble(cc.compile(mechanism, code="quick")).tree(model)
    q[[model.tree_coordinates[label] for label in path.drive.coordinates]] = goal[: len(path.drive.coordinates)]
    pattern = find_pattern(model, path.drive, q, goal)
    plain = cc.compile(model, prescribed=model.prescribed, code="none")
    assert plain.topology == model.topology
    x = np.concatenate([q, goal, np.random.default_rng(0).uniform(-1.0, 1.0, 2 * len(goal))])
    kernels = [state_kernel(each, path.drive, pattern) for each in (model, plain)]
    return (*kernels, x, model.parameters.values, bool(pattern.dependent))


@EACH
def test_machine_code_equals_plain_floats(name):
    fast, plain, x, p, _ = states(name)
    y = fast(x, fast.constants(p))
    assert np.isfinite(y).all()
    assert y == pytest.approx(plain(x, p), rel=1e-12, abs=1e-12 * (1.0 + np.abs(y).max()))


@EACH
def test_graph_and_its_derivatives_equal_casadi(name):
    _, plain, x, p, redundant = states(name)
    # what watches the loops has kinks where these are closed: absolute values, largest of several, roots of zero
    watch = ("gap_length", "gap_angle", "residual", "rate_residual", "conditioning")
    traced = plain.traced.only(*(output for output in plain.outputs if output not in watch))
    along = np.random.default_rng(1).uniform(-1.0, 1.0, len(x))
    ours = directional_derivative(traced.expressions, dict(zip(traced.input_symbols, map(float, along), strict=True)))
    leaves = dict(zip([*traced.input_symbols, *traced.parameter_symbols], [*x.tolist(), *p.tolist()], strict=True))
    found = np.array(evaluate([*traced.expressions, *ours], leaves), dtype=float).reshape(2, -1)

    X, P = casadi.SX.sym("x", len(x)), casadi.SX.sym("p", len(p))
    symbols = {s: X[i] for i, s in enumerate(traced.input_symbols)}
    symbols |= {s: P[i] for i, s in enumerate(traced.parameter_symbols)}
    outputs = casadi.vertcat(*evaluate(traced.expressions, symbols, numbers))
    both = casadi.Function("f", [X, P], [outputs, casadi.jtimes(outputs, X, casadi.SX(along))])
    # off the closed loops dependent rows contradict each other: slopes across them are rounding over regularisation
    for each, part, rel in zip(found, both(x, p), (1e-11, 1e-3 if redundant else 1e-11), strict=True):
        want = np.array(part).ravel()
        assert np.isfinite(want).all()
        assert each == pytest.approx(want, rel=rel, abs=0.1 * rel * (1.0 + np.abs(want).max(initial=0.0)))


@pytest.mark.parametrize("name", ["bennett", "dh_arm", "five_bar", "four_bar", "shift_manipulator", "universal_shaft"])
def test_a_whole_analysis_runs_without_compiler(name):
    mechanism = cc.load(FOLDER / name / "mechanism.toml")
    times = [0.0, 2e-3]
    fast, plain = (cc.kinematics(cc.compile(mechanism, code=code), times) for code in ("quick", "none"))
    for variable in ("position", "velocity", "acceleration", "q", "qd", "qdd"):
        scale = 1.0 + float(np.abs(fast[variable]).max())
        assert fast[variable].values == pytest.approx(plain[variable].values, rel=1e-12, abs=1e-12 * scale)


def test_unknown_ways_to_make_kernels_are_named():
    mechanism = cc.load(FOLDER / "four_bar" / "mechanism.toml")
    with pytest.raises(cc.MechanismError, match="machine, quick, none"):
        cc.compile(mechanism, code="fast")
    assert cc.compile(cc.compile(mechanism, code="none")).code == "none"
    assert cc.compile(cc.compile(mechanism, code="none"), keep=["D"]).code == "none"


def test_a_lone_instant_is_reached_in_few_steps():
    mechanism = cc.load(FOLDER / "four_bar" / "mechanism.toml")
    alone = cc.kinematics(cc.compile(mechanism, code="quick"), [0.02])
    among = cc.kinematics(cc.compile(mechanism, code="quick"), np.linspace(0.0, 0.02, 5))
    assert alone.q.values[0] == pytest.approx(among.q.values[-1], abs=1e-12)
