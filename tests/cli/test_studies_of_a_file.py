"""All mistakes of a file are told before anything runs: those of the mechanism and those of its studies."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from closedchain.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
FOUR_BAR = (ROOT / "examples" / "four_bar" / "mechanism.toml").read_text(encoding="utf-8").split("[studies")[0]


def findings(folder, text, base=FOUR_BAR):
    """What `check` finds in the four-bar with other studies: place -> sentence."""
    path = folder / "mechanism.toml"
    path.write_text(base + "\n" + text, encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path), "--json"])
    said = json.loads(done.stdout)
    assert done.exit_code == (1 if "error" in said else 0)
    return {each["place"]: each["message"] for each in said.get("error", {}).get("findings", [])}


def test_a_wrong_body_does_not_hide_wrong_studies(tmp_path):
    found = findings(
        tmp_path,
        '[studies.a]\nkind = "kinematicz"\n[studies.b]\nkind = "simulate"\nuntill = 1\n',
        FOUR_BAR.replace("mass = ", "mas = ", 1),
    )
    assert set(found) == {"bodies.crank.mas", "studies.a.kind", "studies.b.untill"}


@pytest.mark.parametrize(
    ("study", "place", "word"),
    [
        ('kind = "errors"\nof = "nowhere.P"\ntolerances = { "parameters.crank" = 1e-4 }', "of", "nowhere.P"),
        (
            'kind = "errors"\nof = "coupler.P"\ntolerances = { "bodies.crank.points.Q.0" = 1 }',
            "tolerances",
            "points.B.0",
        ),
        (
            'kind = "errors"\nof = "coupler.P"\nstatistics = "best"\ntolerances = { "parameters.crank" = 1 }',
            "statistics",
            "rss",
        ),
        ('kind = "simulate"\nuntil = "-1 s"', "until", "above zero"),
        ('kind = "simulate"\nuntil = 1\nstart = { X = 1 }', "start", "A, B, C, D"),
        ('kind = "simulate"\nuntil = 1\nclearance = ["B"]', "clearance", "no clearance in the file"),
        ('kind = "simulate"\nuntil = 1\nformulation = "newton"', "formulation", "multipliers"),
        ('kind = "simulate"\nuntil = 1\nmethod = "euler"', "method", "dop853"),
        ('kind = "inverse_dynamics"\nuntil = 1\nweights = { engine = 2 }', "weights", "motor"),
        ('kind = "kinematics"\nuntil = 1\nstart = 2', "", "not after"),
        ('kind = "kinematics"\nuntil = 1\ntimes = [0, 1]', "", "not both"),
        ('kind = "influence"\nof = "couple.P"', "of", "coupler.P"),
        ('kind = "influence"\nof = "coupler.P"\nvalues = { Z = 1 }', "values", "A, B, C, D"),
        ('kind = "sweep"\nuntil = 1\nvalues = { "parameters.zz" = [1, 2] }', "values", "parameters.zz"),
        ('kind = "sweep"\nuntil = 1\nanalysis = "simulat"\nvalues = { "parameters.crank" = [1, 2] }', "", "simulat"),
        ('kind = "sweep"\nanalysis = "simulate"\nvalues = { "parameters.crank" = [1, 2] }', "", "until"),
        ('kind = "sweep"\nuntil = 1\nstart = { Q = 1 }\nvalues = { "parameters.crank" = [1, 2] }', "", "'Q'"),
    ],
)
def test_names_in_studies_are_checked_before_anything_runs(tmp_path, study, place, word):
    found = findings(tmp_path, f"[studies.one]\n{study}\n")
    assert list(found) == [f"studies.one.{place}".rstrip(".")]
    assert word in next(iter(found.values()))


def test_studies_in_order_are_found_right(tmp_path):
    text = """
[studies.a]
kind = "sweep"
analysis = "kinematics"
values = { "parameters.crank" = [0.1, 0.12] }
start = "0.5 s"
until = "1 s"
[studies.b]
kind = "errors"
of = "coupler.P"
tolerances = { "parameters.crank" = "0.1 mm", "actuators.motor.position" = "0.1 deg" }
"""
    assert findings(tmp_path, text) == {}
    path = tmp_path / "mechanism.toml"
    done = CliRunner().invoke(app, ["run", str(path), "--study", "a", "-o", str(tmp_path / "out"), "--no-report"])
    assert done.exit_code == 0, done.output


def test_mistakes_of_options_are_json_too(tmp_path):
    path = tmp_path / "mechanism.toml"
    path.write_text(FOUR_BAR, encoding="utf-8")
    done = CliRunner().invoke(app, ["kinematics", str(path), "--until", "3 kg", "--json"])
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["findings"][0]["place"] == "--until"
