"""Start rates of the file that contradict each other, and rates where branches of motion meet."""

import numpy as np
import pytest

import closedchain as cc

FORMULATIONS = ("loop", "multipliers")
BASE, LENGTH = 0.3, 0.2


def rod(mass, length):
    return {
        "mass": mass, "com": [length / 2, 0], "inertia": mass * length**2 / 12, "points": {"E": [length, 0]},
    }  # fmt: skip


def parallelogram(guess=0.0, rates=(), **tables):
    """Two equal cranks and a plate, flat at the guess 0."""
    plate = {"mass": 2.0, "com": [0.15, 0.05], "inertia": 0.1, "points": {"P": [0, 0], "Q": [BASE, 0]}}
    ends = {"A": ["ground.A", "a.origin"], "B": ["ground.B", "b.origin"], "P": ["a.E", "k.P"], "Q": ["b.E", "k.Q"]}
    joints = {name: {"type": "revolute", "between": between, "guess": 0.0} for name, between in ends.items()}
    joints["A"]["guess"] = joints["B"]["guess"] = guess
    joints["P"]["guess"] = joints["Q"]["guess"] = -guess
    for name, rate in dict(rates).items():
        joints[name]["rate"] = rate
    ground = {"points": {"A": [0, 0], "B": [BASE, 0]}}
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [1, -9]},
            "bodies": {"ground": ground, "a": rod(1.0, LENGTH), "b": rod(0.7, LENGTH), "k": plate},
            "joints": joints,
            **tables,
        }
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_rate_given_in_the_flat_position_goes_on_along_a_branch(formulation):
    """The plate translates: both cranks turn alike, whatever the least rates would be."""
    ds = cc.simulate(parallelogram(), 1e-4, start={"A": (0.0, 1.0)}, formulation=formulation, times=[0.0])
    assert ds.qd.sel(rate=["A", "B", "P"])[0].values == pytest.approx([1.0, 1.0, -1.0], abs=1e-9)


def test_the_other_branch_is_taken_where_its_rates_are_given():
    """Crossed cranks: -l A^2 - b k^2 + l B^2 = 0 with b k = l (B - A) has B = A, or B = A (b + l) / (l - b)."""
    other = (BASE + LENGTH) / (LENGTH - BASE)
    ds = cc.simulate(parallelogram(), 1e-4, start={"A": (0.0, 1.0), "B": (0.0, other)}, times=[0.0])
    assert ds.qd.sel(rate=["A", "B"])[0].values == pytest.approx([1.0, other], abs=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rates_of_no_branch_are_refused(formulation):
    with pytest.raises(cc.AssemblyError, match="branches of motion meet"):
        cc.simulate(parallelogram(), 0.1, start={"A": (0.0, 1.0), "B": (0.0, 0.3)}, formulation=formulation)


def test_an_imposed_motion_starts_along_a_branch():
    m = parallelogram(actuators={"motor": {"joint": "A", "motion": "2*t"}})
    ds = cc.simulate(m, 0.2, rtol=1e-10, atol=1e-12, formulation="multipliers")
    energy = ds.kinetic_energy + ds.potential_energy - ds.input_work
    assert np.abs(energy - energy[0]).max() < 1e-6
    assert float(ds.qd.sel(rate="B")[0]) == pytest.approx(2.0, abs=1e-9)


def test_a_motion_that_leaves_a_dead_centre_in_no_time_is_refused():
    """The slider is pulled back with an acceleration that a crank in line at rest cannot give it."""
    ends = {"A": ["ground.origin", "a.origin"], "B": ["a.E", "b.origin"], "C": ["c.origin", "b.E"]}
    joints = {name: {"type": "revolute", "between": between, "guess": 0.0} for name, between in ends.items()}
    joints["S"] = {"type": "prismatic", "between": ["ground.origin", "c.origin"]}
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {"ground": {}, "a": rod(0.3, 0.15), "b": rod(0.7, 0.35), "c": {"mass": 1.0}},
            "joints": joints,
            "actuators": {"pull": {"joint": "S", "motion": "0.5 - 0.1*t**2"}},
        }
    )
    with pytest.raises(cc.AssemblyError, match="dead centre"):
        cc.simulate(m, 0.1)


@pytest.mark.parametrize("second", ["B", "P", "Q"])
def test_rates_of_the_file_that_contradict_each_other_are_named(second):
    with pytest.raises(cc.AssemblyError, match="make it"):
        cc.simulate(parallelogram(0.5, {"A": 1.0, second: 5.0}), 0.1)


@pytest.mark.parametrize("joint", ["A", "B"])
def test_a_rate_of_the_file_against_an_imposed_motion_is_named(joint):
    drive = {"motor": {"joint": "A", "motion": "0.5 + t"}}
    with pytest.raises(cc.AssemblyError, match=f"joints.{joint}.rate is 7"):
        cc.simulate(parallelogram(0.5, {joint: 7.0}, actuators=drive), 0.1)
    ds = cc.simulate(parallelogram(0.5, {joint: 1.0}, actuators=drive), 0.1, times=[0.1])
    assert float(ds.q.sel(coordinate="B")[-1]) == pytest.approx(0.6, abs=1e-9)


def test_rates_of_the_file_yield_to_those_of_the_start():
    ds = cc.simulate(parallelogram(0.5, {"A": 1.0, "B": 1.0}), 0.1, start={"A": (0.5, 2.0)}, times=[0.0])
    assert float(ds.qd.sel(rate="B")[0]) == pytest.approx(2.0, abs=1e-9)
