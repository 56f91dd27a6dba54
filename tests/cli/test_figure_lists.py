"""A study may ask for its figures; wrong ones are named when the file is read."""

import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.main import app
from closedchain.cli.studies.planned import planned

PENDULUM = """
[mechanism]
name = "pendulum"
planar = true
gravity = [0, -9.81]
[bodies.ground]
[bodies.bob]
mass = 1
com = [1, 0]
points = { end = [1, 0] }
[joints.A]
type = "revolute"
between = ["ground.origin", "bob.origin"]
[outputs.end]
point = "bob.end"
[studies.swing]
kind = "simulate"
until = 0.1
samples = 11
after = 0.05
figures = FIGURES
"""


def load(tmp_path, figures):
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM.replace("FIGURES", figures), encoding="utf-8")
    return path


def test_the_figures_of_the_file_are_drawn_instead_of_the_usual_ones(tmp_path):
    path = load(tmp_path, '["phase q.A qd.A", "energy", "phase qd.A q.A"]')
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["run", str(path), "-o", str(out), "--no-report"])
    assert done.exit_code == 0, done.output
    drawn = sorted(file.name for file in out.glob("*.svg"))
    assert drawn == ["swing_energy.svg", "swing_phase.svg", "swing_phase_2.svg"]
    ds = cc.load_result(out / "swing.nc")
    assert ds.time.values[0] == pytest.approx(0.05)
    assert ds.sizes["time"] == 11


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ('["orbits"]', "orbit"),
        ('["energy", "nix"]', "'nix' is no figure"),
        ('"energy"', "no list"),
        ('[" "]', "no list"),
    ],
)
def test_wrong_figures_are_named_with_their_place(tmp_path, figures, words):
    m = cc.load(load(tmp_path, figures))
    with pytest.raises(cc.MechanismError, match=r"studies\.swing\.figures") as caught:
        planned(m)
    assert words in str(caught.value)
