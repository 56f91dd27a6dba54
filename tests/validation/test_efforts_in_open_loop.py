"""Efforts of inverse dynamics put back into a simulation: what returns, and what an unstable motion makes of rounding.

Authority: the slider-crank as one equation M(th) th" + M'(th) th'^2 / 2 = tau, written out by hand, and its variational
equation at constant speed, a Hill equation whose transition over a turn SciPy integrates (Magnus and Winkler 1966).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import closedchain as cc

ENGINE = Path(__file__).resolve().parents[2] / "examples" / "slider_crank" / "mechanism.toml"
SPEED = 5000.0 * np.pi / 30.0
TURN = 2.0 * np.pi / SPEED
TIMES = np.linspace(0.0, 2.0 * TURN, 9)
EXACT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-15}


def engine(actuator, folder=None, motions=None):
    """The slider-crank of the examples with another drive."""
    document = cc.load(ENGINE).to_dict()
    document.pop("studies")
    document["actuators"] = {"engine": {"joint": "O", **actuator}}
    return cc.Mechanism.from_dict({**document, **(motions or {})}, folder=folder)


def driven_by_table(folder, count):
    """The slider-crank with its efforts over two turns as a table of so many rows."""
    known = np.linspace(0.0, TIMES[-1], count)
    efforts = cc.inverse_dynamics(cc.load(ENGINE), known).effort.values[:, 0]
    np.savetxt(folder / f"{count}.csv", np.column_stack([known, efforts]), delimiter=",", fmt="%.17g")
    return engine({"effort": f'table("{count}.csv", t)'}, folder)


def fed_forward():
    """The slider-crank with its efforts found anew at every evaluation, and no control beside them."""
    control = {"kind": "pd", "target": "motion", "kp": 0.0, "kd": 0.0, "feedforward": True}
    return engine({"control": control}, motions={"motions": {"turning": {"of": "crank.O", "angle": "speed*t"}}})


def inertia(angle):
    """M(th) of the crank, from the mass centres' paths, and its first two derivatives by complex steps and differences:
    kg m^2."""

    def M(th):
        s, c = np.sin(th), np.cos(th)
        tilt = np.arcsin(-0.05 * s / 0.12)
        turn = -0.05 * c / (0.12 * np.cos(tilt))
        slide = -0.05 * s - 0.12 * np.sin(tilt) * turn
        rod = (-0.05 * s - 0.06 * np.sin(tilt) * turn, 0.05 * c + 0.06 * np.cos(tilt) * turn)
        return 1e-4 + 0.21 * (rod[0] ** 2 + rod[1] ** 2) + 2.5e-4 * turn**2 + 0.14 * slide**2

    def slope(th):
        return M(th + 1e-30j).imag / 1e-30

    return M(angle), slope(angle), (slope(angle + 1e-5) - slope(angle - 1e-5)) / 2e-5


def transition():
    """What a turn makes of small deviations (angle, rate) from constant speed under the same efforts, shape (2, 2)."""

    def rate(t, y):
        M, first, second = inertia(SPEED * t)
        return [y[1], -(first * SPEED * y[1] + 0.5 * second * SPEED**2 * y[0]) / M]

    ends = [solve_ivp(rate, (0.0, TURN), start, rtol=1e-10, atol=1e-12).y[:, -1] for start in ([1, 0], [0, 1])]
    return np.array(ends).T


def off(mechanism, until=TIMES[-1], start=(0.0, SPEED), times=TIMES):
    """Largest distance of the outputs from constant speed [m]."""
    wanted = cc.inverse_dynamics(cc.load(ENGINE), times)
    ds = cc.simulate(mechanism, until, start={"O": start}, times=times, **EXACT)
    return float(np.abs(ds.position.values - wanted.position.values).max())


def test_efforts_found_at_every_instant_return_eight_turns():
    # each turn makes 1.7 times as much of what the integrator leaves: 74 times over eight
    times = np.linspace(0.0, 8.0 * TURN, 9)
    assert off(fed_forward(), times[-1], times=times) < 1e-11


def test_a_table_returns_two_turns_and_gains_with_the_fourth_power_of_its_step(tmp_path):
    coarse, fine = (off(driven_by_table(tmp_path, count)) for count in (251, 1001))
    assert fine < 1e-9
    assert 4.0**3.3 < coarse / fine < 4.0**5.5


@pytest.mark.parametrize("change", [(1e-6, 0.0), (0.0, 1e-4)])
def test_deviations_grow_from_turn_to_turn_as_the_variational_equation_says(change):
    start = (change[0], SPEED + change[1])
    ends = np.array([TURN, 2.0 * TURN])
    ds = cc.simulate(fed_forward(), TIMES[-1], start={"O": start}, times=ends, **EXACT)
    grown = np.stack([ds.q.sel(coordinate="O") - SPEED * ends, ds.qd.sel(rate="O") - SPEED], axis=1)
    F = transition()
    assert np.abs(np.linalg.eigvals(F)).max() == pytest.approx(1.713, abs=1e-3)
    for turns, found in enumerate(grown, start=1):
        expected = np.linalg.matrix_power(F, turns) @ change
        scale = np.array([1.0, SPEED])
        assert np.abs((found - expected) / scale).max() < 1e-3 * np.abs(expected / scale).max()
