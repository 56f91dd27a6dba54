"""The efforts of inverse dynamics drive a simulation along the motion they were found for."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["delta", "rssr"])
def test_efforts_of_inverse_dynamics_return_the_motion(tmp_path, name):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    times = np.linspace(0.0, 0.25, 11)
    wanted, known = cc.inverse_dynamics(m, times), np.linspace(0.0, 0.25, 4001)
    efforts = cc.inverse_dynamics(m, known).effort
    document, start = m.to_dict(), {}
    for part in ("motions", "studies"):
        document.pop(part, None)
    for actuator, said in document["actuators"].items():
        columns = np.column_stack([known, efforts.sel(actuator=actuator).values])
        np.savetxt(tmp_path / f"{actuator}.csv", columns, delimiter=",", fmt="%.17g")
        document["actuators"][actuator] = {"joint": said["joint"], "effort": f'table("{actuator}.csv", t)'}
        start[said["joint"]] = (
            float(wanted.q.sel(coordinate=said["joint"])[0]),
            float(wanted.qd.sel(rate=said["joint"])[0]),
        )
    driven = cc.Mechanism.from_dict(document, folder=tmp_path)
    ds = cc.simulate(driven, 0.25, start=start, times=times, rtol=1e-11, atol=1e-13)
    assert np.ptp(wanted.position.values, axis=0).max() > 0.01
    assert np.abs(ds.position.values - wanted.position.values).max() < 1e-9


def test_a_rod_between_two_balls_starts_without_spin_of_its_own():
    rod = {"mass": 0.1, "inertia": [1e-6, 1e-3, 1e-3], "com": [0.2, 0, 0], "points": {"E": [0.4, 0, 0]}}
    m = cc.Mechanism.from_dict({
        "bodies": {
            "ground": {"points": {"S": [0.1, 0.3, 0.0]}},
            "crank": {"mass": 0.2, "inertia": [1e-4] * 3, "points": {"B": [0.1, 0, 0]}},
            "rod": rod,
            "slider": {"mass": 0.3, "inertia": [1e-4] * 3},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
            "B": {"type": "spherical", "between": ["crank.B", "rod.origin"], "guess": [0, 0, 1.2]},
            "C": {"type": "spherical", "between": ["rod.E", "slider.origin"]},
            "S": {"type": "prismatic", "between": ["ground.S", "slider.origin"], "axis": [1, 0.2, 0.3]},
        },
    })  # fmt: skip
    ds = cc.simulate(m, 0.1, start={"A": (0.3, 4.0)}, rtol=1e-11, atol=1e-13)
    axis = ds.body_rotation.sel(body="rod").values[:, :, 0]
    spin = np.einsum("ti,ti->t", axis, ds.body_angular_velocity.sel(body="rod").values)
    # no moment acts about the axis of a slender symmetrical rod: its spin in space stays what it was
    assert np.abs(spin).max() < 1e-8


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
@pytest.mark.parametrize(("x", "inertia", "com"), [
    ("0.28 + 0.02*sin(5*t)", [1e-5, 1e-3, 1e-3], [0.2, 0, 0]),
    ("0.28 + 0.02*cos(5*t)", [1e-5, 1e-3, 1e-3], [0.2, 0, 0]),
    ("0.28 + 0.02*sin(5*t)", [5e-4, 1e-3, 1.1e-3, 5e-5, 5e-5, 1e-4], [0.18, 0.01, -0.02]),
])  # fmt: skip
def test_controllers_that_follow_a_motion_do_as_inverse_dynamics_says(x, inertia, com, formulation):
    control = {"kind": "pd", "target": "motion", "kp": 5.0, "kd": 0.1, "feedforward": True}
    m = cc.Mechanism.from_dict({
        "mechanism": {"gravity": [1, -2, -9.81]},
        "bodies": {
            "ground": {"points": {"S": [0.1, 0.3, 0.0]}},
            "crank": {"mass": 0.2, "inertia": [1e-4] * 3, "points": {"B": [0.1, 0, 0]}},
            "rod": {"mass": 0.1, "inertia": inertia, "com": com, "points": {"E": [0.4, 0, 0]}},
            "slider": {"mass": 0.3, "inertia": [1e-4] * 3},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.8},
            "B": {"type": "spherical", "between": ["crank.B", "rod.origin"], "guess": [0, 0, 0.1]},
            "C": {"type": "spherical", "between": ["rod.E", "slider.origin"]},
            "S": {"type": "prismatic", "between": ["ground.S", "slider.origin"], "axis": [1, 0.2, 0.3]},
        },
        "motions": {"path": {"of": "slider.origin", "x": x}},
        "actuators": {"motor": {"joint": "A", "control": control}},
        "outputs": {"P": {"point": "slider.origin"}},
    })  # fmt: skip
    times = np.linspace(0.0, 0.2, 5)
    wanted = cc.inverse_dynamics(m, times)
    ds = cc.simulate(m, 0.2, times=times, formulation=formulation, rtol=1e-11, atol=1e-13)
    for name in ("position", "body_angular_velocity", "effort"):
        assert np.abs(ds[name].values - wanted[name].values).max() < 1e-8, name


def test_the_wheel_of_a_motor_is_no_idle_freedom():
    m = cc.Mechanism.from_dict({
        "bodies": {
            "ground": {},
            "arm": {"mass": 1.0, "com": [0.2, 0, 0], "inertia": [1e-3] * 3, "points": {"W": [0.3, 0, 0]}},
            "wheel": {"mass": 0.5, "inertia": [1e-3, 1e-3, 2e-3]},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]},
            "W": {"type": "revolute", "between": ["arm.W", "wheel.origin"]},
        },
        "actuators": {"motor": {"joint": "W", "effort": "0"}},
    })  # fmt: skip
    ds = cc.simulate(m, 0.01, start={"A": (0.0, 2.0)}, times=[0.0])
    assert float(ds.qd.sel(rate="W")[0]) == pytest.approx(0.0, abs=1e-12)
