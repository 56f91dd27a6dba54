"""Joint coordinates with loop closure and maximal coordinates with multipliers: two formulations, one motion."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/mechanism.toml"))
# Springs of these make accelerations of 1e4 and more: a shorter while says as much.
SHORT = {"andrews": 0.005}


def example(name):
    return cc.load(EXAMPLES / name / "mechanism.toml")


def test_the_shift_manipulator_falls_the_same_way(formulations):
    m = formulations.falling(example("shift_manipulator"))
    loop, multipliers = formulations.both(m, 1.0, samples=21)
    half = [ds.sel(time=slice(0.0, 0.5)) for ds in (loop, multipliers)]
    assert formulations.difference(*half) < 1e-8
    assert formulations.difference(loop, multipliers) < 1e-7
    assert abs(loop.q - loop.q[0]).max() > 1.0, "it moves far"


@pytest.mark.parametrize("name", ["rssr", "bricard"])
def test_spatial_loops_fall_the_same_way(formulations, name):
    loop, multipliers = formulations.both(formulations.falling(example(name)), 0.5)
    assert formulations.difference(loop, multipliers) < 1e-8
    assert abs(loop.q - loop.q[0]).max() > 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_every_example_moves_the_same_way(formulations, name):
    m = formulations.falling(example(name))
    results = formulations.both(m, SHORT.get(name, 0.05))
    assert formulations.difference(*results) < 1e-9
    assert [formulations.energy_error(ds) for ds in results] == pytest.approx([0.0, 0.0], abs=1e-9)


@settings(max_examples=6)
@given(seed=st.integers(0, 10_000), planar=st.booleans(), count=st.integers(1, 2), freedoms=st.integers(1, 2))
def test_random_mechanisms_move_the_same_way(formulations, loops, seed, planar, count, freedoms):
    m = formulations.falling(cc.Mechanism.from_dict(loops.random_loop(seed, planar, count, freedoms)))
    pair = formulations.both(m, 0.03, rtol=1e-11, samples=4)
    assert formulations.difference(*pair) < 1e-7
    assert [formulations.energy_error(ds) for ds in pair] == pytest.approx([0.0, 0.0], abs=1e-8)


@pytest.mark.parametrize("name", ["shift_manipulator", "four_bar", "rssr"])
def test_loops_stay_closed_at_the_defaults(formulations, name):
    m = formulations.falling(example(name))
    ds = cc.simulate(m, 2.0, formulation="multipliers", clearance=False, times=np.linspace(0.0, 2.0, 101))
    assert 0.0 < float(ds.closure.max()) < 1e-8


def test_stabilisation_draws_an_open_loop_together(formulations):
    m = formulations.falling(example("shift_manipulator"))
    options = {"formulation": "multipliers", "clearance": False, "rtol": 1e-6, "times": np.linspace(0.0, 2.0, 51)}
    drifting = cc.simulate(m, 2.0, alpha=0.0, beta=0.0, **options)
    assert float(cc.simulate(m, 2.0, **options).closure.max()) < 0.1 * float(drifting.closure.max())


@pytest.mark.parametrize("given", [{"alpha": -1.0}, {"beta": float("nan")}])
def test_a_stabilisation_that_makes_no_sense_is_refused(given):
    with pytest.raises(cc.MechanismError, match=next(iter(given))):
        cc.simulate(example("four_bar"), 0.1, formulation="multipliers", **given)


def test_the_loose_benchmark_has_the_known_contacts(formulations):
    """Numbers computed with located events at two tolerances that agree to 2e-12 m."""
    motors = {"motor1": ("A1", 113.2), "motor2": ("A2", 93.3), "motor3": ("A3", -31.8)}
    actuators = {
        name: {"joint": joint, "control": {"kind": "pd", "target": f"{angle} deg", "kp": 8, "kd": 0.05}}
        for name, (joint, angle) in motors.items()
    }
    m = formulations.falling(example("shift_manipulator"), actuators=actuators)
    start = {"A2": 1.523946970593265, "A3": -0.3549330515342801}
    P = [[0.1593499050532, 0.1148671173823], [0.157375941024, 0.114541532541], [0.154139550961, 0.114038353791],
         [0.144320568933, 0.112508226155]]  # fmt: skip
    times = [0.0, 0.01, 0.02, 0.03, 0.05]
    pair = formulations.both(m, 0.05, rtol=1e-11, times=times, start=start, clearance=["B1"])
    for ds in pair:
        assert ds.position.sel(point="P").values[1:] == pytest.approx(np.array(P), abs=1e-10)
        assert ds.contact_time.values[:3] == pytest.approx([2.4734795575e-3, 4.257814521e-3, 6.239933503e-3], abs=1e-9)
        assert ds.contact_speed.values[:3] == pytest.approx([0.161323815, 0.099266439, 0.117083407], abs=1e-6)
        assert ds.contact_end.values[0] == pytest.approx(2.866879099e-3, abs=1e-9)
        assert formulations.energy_error(ds) < 1e-8
    assert formulations.difference(*pair) < 1e-6
    assert abs(pair[0].contact_force - pair[1].contact_force).max() < 1e-4
