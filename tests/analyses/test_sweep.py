"""Sweeps and ensembles: every member is what a single run gives, failures stay alone, what is kept is bounded."""

import numpy as np
import pytest

import closedchain as cc

RADIAL = "joints.A.clearance.radial"


@pytest.fixture(scope="module")
def pendulum():
    """A rod on a loose pin, released from the side: the pin falls, strikes and swings."""
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -9.81]},
            "bodies": {
                "ground": {},
                "rod": {"mass": 1.0, "com": [0.3, 0.0], "inertia": 0.02, "points": {"tip": [0.6, 0.0]}},
            },
            "joints": {
                "A": {
                    "type": "revolute",
                    "between": ["ground.origin", "rod.origin"],
                    "clearance": {
                        "radial": 5e-4,
                        "bore": 0.01,
                        "normal": "lankarani-nikravesh",
                        "stiffness": 1e8,
                        "exponent": 1.5,
                        "restitution": 0.6,
                    },
                }
            },
            "outputs": {"tip": {"point": "rod.tip"}},
        }
    )


@pytest.fixture(scope="module")
def swept(pendulum):
    values = {RADIAL: [4e-4, "0.6 mm", -1.0], "joints.A.clearance.restitution": [0.5, 0.7]}
    return cc.sweep(pendulum, values, cc.simulate, until=0.02, times=[0.0, 0.01, 0.02])


def test_members_equal_single_runs(pendulum, swept):
    values = {RADIAL: 6e-4, "joints.A.clearance.restitution": 0.7}
    alone = cc.simulate(pendulum.with_values(values), 0.02, times=[0.0, 0.01, 0.02])
    member = swept.isel({RADIAL: 1, "joints.A.clearance.restitution": 1})
    assert alone.sizes["contact"] > 0
    for name in ("q", "qd", "position", "eccentricity", "contact_force", "dissipated_energy"):
        np.testing.assert_allclose(member[name], alone[name], rtol=1e-9, atol=1e-12)
    count = alone.sizes["contact"]
    np.testing.assert_allclose(member["contact_time"][:count], alone["contact_time"], rtol=0, atol=1e-12)
    assert np.isnan(member["contact_time"][count:]).all()


def test_members_in_lanes_equal_single_runs(pendulum):
    radial = [4e-4, 4.5e-4, 5e-4, -1.0, 5.5e-4, 6e-4]
    ds = cc.sweep(pendulum, {RADIAL: radial}, cc.simulate, until=0.02, times=[0.0, 0.01, 0.02])
    assert ds.status.values.tolist() == ["done"] * 3 + ["failed"] + ["done"] * 2
    for k in (0, 2, 5):
        alone = cc.simulate(pendulum.with_values({RADIAL: radial[k]}), 0.02, times=[0.0, 0.01, 0.02])
        for name in ("q", "qd", "position", "dissipated_energy"):
            np.testing.assert_allclose(ds[name][k], alone[name], rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(ds["contact_time"][k][: alone.sizes["contact"]], alone["contact_time"], atol=1e-9)


def test_dimensions_are_the_full_paths_in_si(swept):
    assert swept["position"].dims == (RADIAL, "joints.A.clearance.restitution", "time", "point", "axis")
    np.testing.assert_allclose(swept[RADIAL], [4e-4, 6e-4, -1.0])
    assert swept[RADIAL].attrs["units"] == "m"


def test_a_failed_member_is_nan_with_its_reason_and_disturbs_no_other(swept):
    assert swept.status.values.tolist() == [["done"] * 2] * 2 + [["failed"] * 2]
    assert "positive" in str(swept.reason.values[2, 0])
    assert np.isnan(swept["q"][2]).all()
    assert np.isfinite(swept["q"][:2]).all()
    assert (swept.reason.values[:2] == "").all()


def test_members_that_cannot_start_fail_alone(pendulum):
    ds = cc.ensemble(pendulum, 0.01, starts=[{"A": 0.1}, {"A": 0.0, "nothing": 1.0}], keep="final")
    assert ds.status.values.tolist() == ["done", "failed"]
    assert "nothing" in str(ds.reason.values[1])


def test_ensemble_pairs_starts_and_values(pendulum):
    starts = [{"A": (0.0, 1.0)}, {"A": (0.5, -1.0)}]
    ds = cc.ensemble(pendulum, until=0.01, starts=starts, values={RADIAL: [4e-4, 5e-4]}, keep="final")
    alone = cc.simulate(pendulum.with_values({RADIAL: 5e-4}), 0.01, start=starts[1], times=[0.0, 0.01])
    np.testing.assert_allclose(ds["q"][1], alone["q"][-1], rtol=1e-10)
    np.testing.assert_allclose(ds[RADIAL], [4e-4, 5e-4])
    with pytest.raises(cc.MechanismError, match="lengths"):
        cc.ensemble(pendulum, until=0.01, starts=starts, values={RADIAL: [4e-4]})


def test_what_is_kept(pendulum, swept):
    def kept(keep):
        return cc.sweep(pendulum, {RADIAL: [6e-4]}, cc.simulate, until=0.02, times=[0.0, 0.01, 0.02], keep=keep)

    alone = cc.simulate(pendulum.with_values({RADIAL: 6e-4}), 0.02, times=[0.0, 0.01, 0.02])
    np.testing.assert_allclose(kept("final")["position"][0], alone["position"][-1], rtol=1e-10)
    events = kept("events")
    assert "q" not in events
    np.testing.assert_allclose(events["contact_speed"][0], alone["contact_speed"], rtol=1e-7)
    few = kept(["position"])
    assert set(few.data_vars) == {"position", "status", "reason"}
    figures = kept("statistics")
    energy = figures["kinetic_energy"][0]
    np.testing.assert_allclose(energy.sel(statistic="maximum"), alone["kinetic_energy"].max())
    np.testing.assert_allclose(energy.sel(statistic="mean"), alone["kinetic_energy"].integrate("time") / 0.02)
    assert float(figures["contacts"][0, 0]) == alone.sizes["contact"]
    with pytest.raises(cc.MechanismError, match="keep"):
        kept("everything")


def test_stopping_keeps_what_is_finished(pendulum):
    seen = []

    def stop(part):
        seen.append(part)
        return len(seen) < 2

    def interrupt(m):
        if m.mechanism.evaluate(RADIAL) > 2.5e-4:
            raise KeyboardInterrupt
        return cc.assemble(m)

    ds = cc.sweep(pendulum, {RADIAL: [1e-4, 2e-4, 3e-4]}, cc.simulate, until=0.005, keep="final", progress=stop)
    assert ds.status.values.tolist() == ["done", "done", "not run"]
    assert seen == pytest.approx([1 / 3, 2 / 3])
    ds = cc.sweep(pendulum, {RADIAL: [1e-4, 3e-4, 2e-4]}, interrupt)
    assert ds.status.values.tolist() == ["done", "not run", "not run"]
    assert np.isnan(ds["q"][1:]).all()


def test_any_analysis_can_be_swept():
    m = cc.load("examples/four_bar/mechanism.toml")
    path = next(iter(m.parameters))
    value = m.evaluate(f"parameters.{path}")
    values = {f"parameters.{path}": [value, 1.01 * value]}
    ds = cc.sweep(m, values, cc.kinematics, times=[0.0, 0.1])
    alone = cc.kinematics(m.with_values({f"parameters.{path}": 1.01 * value}), [0.0, 0.1])
    np.testing.assert_allclose(ds["q"][1], alone["q"], rtol=1e-9)
    assert cc.sweep(m, values, cc.mobility)["dof"].values.tolist() == [1, 1]


def test_mistakes_are_named_before_anything_runs(pendulum):
    with pytest.raises(cc.MechanismError, match="radial"):
        cc.sweep(pendulum, {"joints.A.clearance.radail": [1e-4]}, cc.simulate, until=0.01)
    with pytest.raises(cc.MechanismError, match="until"):
        cc.sweep(pendulum, {RADIAL: [1e-4]}, cc.simulate)
    with pytest.raises(cc.MechanismError, match="no values"):
        cc.sweep(pendulum, {RADIAL: []}, cc.simulate, until=0.01)


def test_results_are_saved_and_loaded(swept, tmp_path):
    cc.save(swept, tmp_path / "sweep.nc")
    again = cc.load_result(tmp_path / "sweep.nc")
    np.testing.assert_array_equal(again["q"], swept["q"])
    assert again.status.values.tolist() == swept.status.values.tolist()


def test_an_analysis_may_be_named():
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
    })  # fmt: skip
    arguments = {"until": 0.1, "times": [0.0, 0.1]}
    named = cc.sweep(m, {"bodies.bob.mass": [1.0, 2.0]}, "simulate", **arguments)
    assert named.equals(cc.sweep(m, {"bodies.bob.mass": [1.0, 2.0]}, cc.simulate, **arguments))
    with pytest.raises(cc.MechanismError, match="not an analysis"):
        cc.sweep(m, {"bodies.bob.mass": [1.0]}, "simulat", **arguments)


def test_members_start_by_themselves_wherever_a_number_matters():
    """Starts are remembered by the numbers that shape them: lengths and expressions do, laws and forces do not."""
    bar = {"mass": 0.3, "inertia": 1e-3}
    play = {"radial": "play", "bore": 0.01, "normal": "hertz", "stiffness": 1e8, "exponent": 1.5}
    said = {
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "parameters": {"crank": 0.1, "play": 2e-4, "pull": 3.0},
        "bodies": {
            "ground": {"points": {"D": [0.3, 0]}},
            "crank": {**bar, "points": {"B": ["crank", 0]}},
            "rod": {**bar, "points": {"C": [0.3, 0]}},
            "rocker": {**bar, "points": {"C": [0.2, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.5},
            "B": {"type": "revolute", "between": ["crank.B", "rod.origin"], "clearance": play},
            "C": {"type": "revolute", "between": ["rod.C", "rocker.C"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": 1.5},
        },
        "forces": {"F": {"kind": "force", "on": "rod.C", "vector": ["pull", 0]}},
        "outputs": {"P": {"point": "rod.C"}},
    }
    m = cc.Mechanism.from_dict(said)
    values = {"parameters.crank": [0.1, 0.11], "parameters.play": [2e-4, 3e-4], "parameters.pull": [3.0, 5.0]}
    ds = cc.sweep(m, values, cc.simulate, until=0.01, start={"A": (0.5, 4.0)}, keep="final")
    for k in np.ndindex(2, 2, 2):
        chosen = {path.removeprefix("parameters."): each[i] for (path, each), i in zip(values.items(), k, strict=True)}
        alone = cc.simulate(
            cc.Mechanism.from_dict(said | {"parameters": chosen}), 0.01, {"A": (0.5, 4.0)}, times=[0.01]
        )
        np.testing.assert_allclose(ds.position.values[k], alone.position[0], rtol=0, atol=1e-8)
        np.testing.assert_allclose(ds.reaction_force.values[k], alone.reaction_force[0], rtol=1e-5, atol=1e-4)
    assert len(np.unique(ds.position.values[..., 0, 0].round(9))) == 8


def test_a_kept_variable_holds_no_more_than_itself(pendulum):
    members = dict(enumerate([4e-4, 5e-4, 6e-4, 7e-4]))
    from closedchain.analyses.members import Member, run_members

    outcomes = run_members(pendulum, [Member({RADIAL: each}) for each in members.values()], cc.simulate,
                           {"until": 0.01}, ["position"], None)  # fmt: skip
    for kept in outcomes.results:
        assert kept is not None
        array = kept.variables["position"][1]
        base = array if array.base is None else array.base
        assert base.nbytes == array.nbytes
