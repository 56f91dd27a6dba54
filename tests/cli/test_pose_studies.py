"""Commands for poses, limbs, loop equations, deviations, motors and ensembles say what the analyses say."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.main import app

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOUR_BAR, STEWART, DELTA, SHIFT = (
    str(EXAMPLES / name / "mechanism.toml") for name in ("four_bar", "gough_stewart", "delta", "shift_manipulator")
)
PENDULUM = """
[mechanism]
planar = true
gravity = [0, -9.81]
[parameters]
l = 0.5
[bodies.ground]
[bodies.bob]
mass = 1.0
com = ["l", 0]
[joints.A]
type = "revolute"
between = ["ground.origin", "bob.origin"]
"""


def told(*words, code=0):
    """What the program prints as JSON for these words."""
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == code, done.output
    assert CliRunner().invoke(app, list(words)).exit_code == code
    return json.loads(done.stdout)


def array(said, name):
    return np.array(said["variables"][name]["data"])


def test_a_pose_and_all_poses():
    pose = cc.assemble(cc.load(FOUR_BAR), {"A": np.pi / 6})
    said = told("assemble", FOUR_BAR, "--values", "A=30deg")
    assert array(said, "q") == pytest.approx(list(pose.coordinates.values()), abs=1e-12)
    assert array(said, "position")[0] == pytest.approx(pose.point("coupler.P"), abs=1e-12)
    modes = told("assembly-modes", FOUR_BAR, "--values", "A=30deg")
    assert array(modes, "q").shape == (2, 4)
    assert "error" in told("assembly-modes", FOUR_BAR, code=1)


def test_chains_and_limbs():
    m = cc.load(STEWART)
    pose = cc.assemble(m)
    G, H, names = cc.chain_influence(m, pose, "platform.origin")
    said = told("chain-influence", STEWART, "--of", "platform.origin")
    assert said["coords"]["rate"]["data"] == list(names)
    assert array(said, "G") == pytest.approx(G)
    assert array(said, "H") == pytest.approx(H)
    limbs = told("limb-influence", STEWART, "--of", "platform.origin")
    for k, limb in enumerate(cc.limb_influence(m, pose, "platform.origin"), 1):
        assert array(limbs, f"G_{k}") == pytest.approx(limb.G)
        assert array(limbs, f"rate_map_{k}") == pytest.approx(limb.rate_map)


def test_loop_equations_and_a_platform():
    m = cc.load(FOUR_BAR)
    found = cc.loop_matrices(m, cc.assemble(m), intermediate="coupler")
    said = told("loop-matrices", FOUR_BAR, "--intermediate", "coupler")
    for name in ("W", "U", "C", "dqp_dqa"):
        assert array(said, name) == pytest.approx(getattr(found, name))
    stewart = cc.load(STEWART)
    twist, slope = [0.1, 0, 0.2, 0, 0, 0.1], [0, 1, 0, 0.5, 0, 0]
    ds = cc.platform_inverse(stewart, cc.assemble(stewart), "platform.origin", twist, slope)
    words = ("--twist", ",".join(map(str, twist)), "--slope", ",".join(map(str, slope)))
    said = told("platform-inverse", STEWART, "--of", "platform.origin", *words)
    assert array(said, "qd") == pytest.approx(ds.qd.values)
    assert array(said, "qdd") == pytest.approx(ds.qdd.values)


def test_deviation_and_drive_summary():
    said = told("deviation", SHIFT, "--until", "5 ms", "--samples", "11", "--clearance", "B1")
    m, times = cc.load(SHIFT), np.linspace(0, 5e-3, 11)
    loose, ideal = (cc.simulate(m, 5e-3, times=times, clearance=each) for each in (["B1"], False))
    assert array(said, "position_largest") == pytest.approx(cc.deviation(loose, ideal).position_largest.values)
    assert array(said, "position_largest").max() > 0.0
    said = told("drive-summary", DELTA, "--until", "0.2", "--samples", "41")
    summary = cc.drive_summary(cc.inverse_dynamics(cc.load(DELTA), np.linspace(0, 0.2, 41)))
    assert array(said, "effort_rms") == pytest.approx(summary.effort_rms.values)


def test_ensembles_are_paired(tmp_path):
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM, encoding="utf-8")
    words = ("--starts", "A=0.1,0.2", "--values", "parameters.l=0.5,0.7", "--until", "0.2", "--keep", "final")
    said = told("ensemble", str(path), *words)
    each = [
        cc.simulate(cc.load(path).with_values({"parameters.l": l}), 0.2, start={"A": a}).q.values[-1, 0]
        for l, a in ((0.5, 0.1), (0.7, 0.2))
    ]
    assert array(said, "q").ravel() == pytest.approx(each, abs=1e-7)
    assert "paired" in str(told("ensemble", str(path), "--starts", "A=1,2,3", *words[2:], code=1))
    assert "error" in told("ensemble", str(path), "--until", "1", code=1)


def test_values_have_the_unit_of_their_coordinate(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(PENDULUM)
    found = told("assemble", str(path), "--values", "A=30mm", code=2)["error"]["findings"]
    assert [each["place"] for each in found] == ["--values"]
    assert "A: '30mm' is a length" in found[0]["message"]
    told("assemble", str(path), "--values", "A=30deg")
    told("assemble", str(path), "--values", "A=0.5")
