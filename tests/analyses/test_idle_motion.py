"""Idle freedoms whose angle matters: inverse dynamics follows them as a simulation does, which is separate code."""

import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import closedchain as cc

TIMES = np.linspace(0.0, 0.3, 7)
BENT = [5e-4, 1e-3, 1.1e-3, 5e-5, 5e-5, 1e-4]
SLENDER = [1e-4, 1e-3, 1e-3]
SEEN = ("qd", "effort", "body_rotation", "body_angular_velocity", "reaction_force", "reaction_moment", "kinetic_energy")


def slider_crank(inertia, joints=None, forces=None, drive=None, com=(0.2, 0.0, 0.0)):
    """A crank drives a slider about skew axes through a rod on two balls."""
    ball = {"type": "spherical", "between": ["crank.B", "rod.origin"], "guess": [0, 0, 1.2]}
    return {
        "mechanism": {"gravity": [0.3, -2, -9.81]},
        "bodies": {
            "ground": {"points": {"S": [0.1, 0.3, 0.0]}},
            "crank": {"mass": 0.2, "inertia": [1e-4] * 3, "points": {"B": [0.1, 0, 0]}},
            "rod": {
                "mass": 0.1, "com": list(com), "inertia": inertia,
                "points": {"E": [0.4, 0, 0], "W": [0.2, 0.02, 0]},
            },
            "slider": {"mass": 0.3, "inertia": [1e-4] * 3},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
            "B": {**ball, **(joints or {})},
            "C": {"type": "spherical", "between": ["rod.E", "slider.origin"]},
            "S": {"type": "prismatic", "between": ["ground.S", "slider.origin"], "axis": [1, 0.2, 0.3]},
        },
        "forces": forces or {},
        "actuators": {"motor": {"joint": "A", **(drive or {"motion": "0.3 + 2*pi*t + 0.2*sin(7*t)"})}},
        "outputs": {"P": {"point": "slider.origin"}},
    }  # fmt: skip


MOMENT = {"m": {"kind": "moment", "on": "rod", "axes": "body", "vector": ["0.01*sin(9*t)", 0, 0]}}
SPRING = {"s": {"kind": "spring-damper", "between": ["rod.W", "ground.origin"], "stiffness": 100, "damping": 0.3}}
OFF = (0.18, 0.012, -0.02)
CASES = {
    "bent": slider_crank(BENT),
    "slender, mass centre beside the line": slider_crank(SLENDER, com=OFF),
    "bent, mass centre beside the line, damped ball": slider_crank(BENT, {"damping": [1e-3] * 3}, com=OFF),
    "bent, damped ball": slider_crank(BENT, {"damping": [1e-3] * 3}),
    "slender, damped ball": slider_crank(SLENDER, {"damping": [1e-5] * 3}),
    "slender, spinning at the start": slider_crank(SLENDER, {"rate": [50, 0, 0]}),
    "slender, twisted": slider_crank(SLENDER, forces=MOMENT),
    "slender, held by a spring": slider_crank(SLENDER, forces=SPRING),
}


@pytest.mark.parametrize("name", CASES)
def test_idle_freedoms_move_as_in_a_simulation_with_the_motion_imposed(name):
    m = cc.Mechanism.from_dict(CASES[name])
    found = cc.inverse_dynamics(m, TIMES)
    ds = cc.simulate(m, TIMES[-1], times=TIMES, rtol=1e-11, atol=1e-13)
    assert json.loads(found.attrs["settings"])["idle_freedoms"] == "integrated from t = 0"
    for variable in SEEN:
        assert np.abs(found[variable].values - ds[variable].values).max() < 1e-8, variable
    assert float(found.closure.max()) < 1e-12


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_efforts_return_the_motion_with_a_bent_rod(tmp_path, formulation):
    m = cc.Mechanism.from_dict(CASES["bent"])
    known = np.linspace(0.0, 0.3, 2001)
    wanted, efforts = cc.inverse_dynamics(m, TIMES), cc.inverse_dynamics(m, known).effort.values[:, 0]
    np.savetxt(tmp_path / "effort.csv", np.column_stack([known, efforts]), delimiter=",", fmt="%.17g")
    document = slider_crank(BENT, drive={"effort": 'table("effort.csv", t)'})
    start = {"A": (float(wanted.q.sel(coordinate="A")[0]), float(wanted.qd.sel(rate="A")[0]))}
    ds = cc.simulate(cc.Mechanism.from_dict(document, folder=tmp_path), TIMES[-1], start=start, times=TIMES,
                     formulation=formulation, rtol=1e-11, atol=1e-13)  # fmt: skip
    assert np.abs(ds.position.values - wanted.position.values).max() < 1e-9
    assert np.abs(ds.body_rotation.values - wanted.body_rotation.values).max() < 1e-8


def test_a_rod_whose_mass_centre_lies_beside_the_line_is_a_pendulum():
    # the crank stands still, and the rod swings about the line e through its balls: (I_e + m r^2) a = -m (g x r) . e
    m = cc.Mechanism.from_dict(slider_crank(SLENDER, com=OFF, drive={"motion": "0.3"}))
    ds = cc.inverse_dynamics(m, TIMES)
    R = ds.body_rotation.sel(body="rod").values
    e, r0 = R[0, :, 0], R[0] @ [0.0, OFF[1], OFF[2]]
    assert np.abs(R[:, :, 0] - e).max() < 1e-12
    g = np.array(m.to_dict()["mechanism"]["gravity"])
    side, about = np.cross(e, r0), SLENDER[0] + 0.1 * (OFF[1] ** 2 + OFF[2] ** 2)

    def rate(t, y):
        r = np.cos(y[0]) * r0 + np.sin(y[0]) * side
        return [y[1], 0.1 * np.cross(r, g) @ e / about]

    swing = solve_ivp(rate, (0.0, TIMES[-1]), [0.0, 0.0], rtol=1e-11, atol=1e-13, t_eval=TIMES).y
    assert np.abs(swing[0]).max() > 0.5
    arm = np.cos(swing[0])[:, None] * r0 + np.sin(swing[0])[:, None] * side
    assert np.abs(R @ [0.0, OFF[1], OFF[2]] - arm).max() < 1e-9
    assert np.abs(ds.body_angular_velocity.sel(body="rod").values - swing[1][:, None] * e).max() < 1e-8


def test_kinematics_says_that_such_a_rod_swings():
    m = cc.Mechanism.from_dict(slider_crank(SLENDER, com=OFF))
    for ask in (cc.kinematics, cc.inverse_dynamics):
        with pytest.raises(cc.MechanismError, match=r"mass centres lie off the line.*simulate follow that"):
            ask(m, {"motor": ([0.3], [1.0], [0.0])})
    pendulum = cc.Mechanism.from_dict({
        "mechanism": {"gravity": [0, 0, -9.81]},
        "bodies": {
            "ground": {}, "trolley": {"mass": 1.0, "inertia": [1e-2] * 3},
            "bob": {"mass": 1.0, "com": [0, 0, -1], "inertia": [1e-2] * 3},
        },
        "joints": {
            "S": {"type": "prismatic", "between": ["ground.origin", "trolley.origin"]},
            "B": {"type": "spherical", "between": ["trolley.origin", "bob.origin"]},
        },
        "actuators": {"motor": {"joint": "S", "motion": "t"}},
    })  # fmt: skip
    with pytest.raises(cc.MechanismError, match="leave 2 freedoms open"):
        cc.inverse_dynamics(pendulum, TIMES)


def test_times_may_come_in_any_order_and_lie_before_zero():
    m = cc.Mechanism.from_dict(CASES["bent"])
    mixed, rising = cc.inverse_dynamics(m, [0.2, -0.1, 0.0, 0.1]), cc.inverse_dynamics(m, [-0.1, 0.0, 0.1, 0.2])
    for name in ("q", "effort", "reaction_force"):
        assert np.abs(mixed[name].values[[1, 2, 3, 0]] - rising[name].values).max() < 1e-9


def test_rates_are_the_derivatives_of_what_is_shown():
    m, h = cc.Mechanism.from_dict(CASES["bent"]), 1e-4
    before, now, after = cc.inverse_dynamics(m, [0.2 - h, 0.2, 0.2 + h]).body_rotation.sel(body="rod").values
    w = cc.inverse_dynamics(m, [0.2]).body_angular_velocity.sel(body="rod").values[0]
    spin = (after - before) / (2 * h) @ now.T
    assert np.allclose([spin[2, 1], spin[0, 2], spin[1, 0]], w, atol=1e-5)


def test_a_slender_rod_and_given_arrays_take_the_spin_without_momentum():
    slender, bent = (cc.Mechanism.from_dict(slider_crank(inertia)) for inertia in (SLENDER, BENT))
    found = cc.inverse_dynamics(slender, TIMES)
    axis, w = found.body_rotation.sel(body="rod").values[:, :, 0], found.body_angular_velocity.sel(body="rod").values
    assert np.abs(np.einsum("ti,ti->t", axis, w)).max() < 1e-10
    arrays = cc.inverse_dynamics(bent, {"motor": ([0.3, 0.4], [6.0, 6.0], [0.0, 1.0])})
    for ds in (found, arrays):
        assert json.loads(ds.attrs["settings"])["idle_freedoms"] == "without momentum at every sample"
