"""Errors, envelopes, sweeps, sections and bifurcation diagrams from the command line and from files."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
FOUR_BAR = str(ROOT / "examples" / "four_bar" / "mechanism.toml")
SHIFT = str(ROOT / "examples" / "shift_manipulator" / "mechanism.toml")

OSCILLATOR = """
[mechanism]
planar = true
[parameters]
w = 5
[bodies.ground]
[bodies.block]
mass = 1
[joints.S]
type = "prismatic"
between = ["ground.origin", "block.origin"]
stiffness = 40
damping = 0.8
[actuators.shaker]
joint = "S"
effort = "cos(w*t)"
"""


def run(*words, code=0):
    """What the program prints for these words."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output + (str(done.exception) if done.exception else "")
    return done.output


def test_errors_as_json_equal_python():
    said = json.loads(
        run("errors", SHIFT, "--of", "P", "--tolerances", "parameters.l11=0.1mm", "--times", "0", "--json")
    )
    ds = cc.errors(cc.load(SHIFT), "P", {"parameters.l11": 1e-4}, [0.0])
    np.testing.assert_allclose(said["variables"]["bound_position"]["data"], ds["bound_position"])
    assert "parameters.l11" in run("errors", SHIFT, "--of", "P", "--tolerances", "parameters.l11=0.1mm")


def test_envelope_names_what_each_joint_costs():
    text = run("envelope", SHIFT, "--of", "P")
    assert all(joint in text for joint in ("B1", "B2", "B3"))


def test_sweep_of_any_study():
    said = json.loads(
        run(
            "sweep",
            FOUR_BAR,
            "--values",
            "bodies.ground.mass=0,1",
            "--analysis",
            "kinematics",
            "--times",
            "0,0.1",
            "--json",
        )
    )
    assert said["variables"]["status"]["data"] == ["done", "done"]
    assert "needs until" in CliRunner().invoke(app, ["sweep", FOUR_BAR, "--values", "bodies.ground.mass=0"]).output


@pytest.fixture
def oscillator(tmp_path):
    path = tmp_path / "oscillator.toml"
    path.write_text(
        OSCILLATOR
        + """
[studies.curve]
kind = "bifurcation"
path = "parameters.w"
values = [4, 5]
period = "2*pi/w"
channel = ["q.S"]
transient = 2
keep = 2
[studies.section]
kind = "poincare"
until = 4
period = "2*pi/w"
channels = ["q.S", "qd.S"]
[studies.swept]
kind = "sweep"
values = { "parameters.w" = [4, 5] }
until = 0.1
keep = "final"
""",
        encoding="utf-8",
    )
    return path


def test_studies_of_a_file_write_datasets_and_figures(oscillator, tmp_path):
    text = run("run", str(oscillator), "-o", str(tmp_path / "out"))
    assert "2 of 2 values done" in text
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"curve.nc", "curve_diagram.svg", "section.nc", "section_section.svg", "swept.nc"} <= made
    run("plot", str(tmp_path / "out" / "curve.nc"), "bifurcation", "-o", str(tmp_path / "again.svg"))


def test_phase_portrait_is_the_motion_in_the_plane():
    ds = cc.kinematics(cc.load(FOUR_BAR), np.linspace(0.0, 1.0, 11))
    line = cc.plot.FIGURES["phase"].draw(ds, "position.P.x", "velocity.P.x").axes[0].lines[0]
    np.testing.assert_allclose(np.asarray(line.get_xdata()), ds["position"].sel(point="P", axis="x"))
    np.testing.assert_allclose(np.asarray(line.get_ydata()), ds["velocity"].sel(point="P", axis="x"))
    with pytest.raises(cc.ClosedChainError, match="no section"):
        cc.plot.FIGURES["poincare"].draw(ds)
