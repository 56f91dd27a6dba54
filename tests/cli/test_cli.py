import json
import math
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.main import app, names
from closedchain.cli.studies import FORTHCOMING, studies

ROOT = Path(__file__).resolve().parents[2]
FOUR_BAR = str(ROOT / "examples" / "four_bar" / "mechanism.toml")
SHIFT = str(ROOT / "examples" / "shift_manipulator" / "mechanism.toml")


def run(*words, code=0):
    """What the program prints for these words; it must end with this status and no traceback."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output + (str(done.exception) if done.exception else "")
    assert "Traceback" not in done.output
    return done


def write(folder, text, base=FOUR_BAR):
    """A copy of a mechanism file with other or more lines."""
    path = folder / "mechanism.toml"
    path.write_text(Path(base).read_text(encoding="utf-8").split("[studies")[0] + text, encoding="utf-8")
    return str(path)


def test_help_and_version_as_a_program():
    done = subprocess.run([sys.executable, "-m", "closedchain", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, f"closedchain {cc.__version__}")
    text = run("--help").output
    assert all(name in text for name in names())
    assert {"check", "run", "plot", "examples", *(study.command for study in studies().values())} <= set(names())


@pytest.mark.parametrize("name", names())
def test_every_command_explains_its_options(name):
    text = run(name, "--help").output
    assert "Usage" in text
    for study in studies().values():
        if study.command == name:
            assert all(f"--{argument.name.replace('_', '-')}" in text for argument in study.arguments)


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["check"],
        ["check", "nowhere.toml"],
        ["check", FOUR_BAR, "--nonsense"],
        ["kinematics", FOUR_BAR, "--until", "3 kg"],
        ["kinematics", FOUR_BAR, "--until", "2", "--samples", "1.5"],
        ["influence", FOUR_BAR],
        ["influence", FOUR_BAR, "--of", "P", "--values", "A"],
    ],
)
def test_wrong_usage_ends_with_2(words):
    done = run(*words, code=2)
    assert done.stderr.strip()
    assert not done.stdout.strip()


def test_check_says_what_a_mechanism_is():
    text = run("check", FOUR_BAR).output
    assert text.startswith("four-bar: planar, 4 bodies with ground, 4 joints")
    assert "1 actuator for 1 freedom" in text
    found = json.loads(run("check", SHIFT, "--json").output)
    assert (found["mobility"]["dof"], found["bodies"]) == (2, 8)
    assert "redundantly driven" in run("check", SHIFT).output


def test_check_loads_no_more_than_it_needs():
    # How long it takes is a benchmark (benchmarks/start_up.py); what makes it slow would be found here.
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    code += f"sys.argv = ['closedchain', 'check', {SHIFT!r}]; from closedchain.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert "numpy" in loaded
    assert not loaded & {"scipy", "xarray", "pandas", "matplotlib", "numba", "pint", "h5netcdf", "viser"}


def test_every_mistake_of_a_file_is_reported_at_its_place(tmp_path):
    path = tmp_path / "wrong.toml"
    text = Path(FOUR_BAR).read_text(encoding="utf-8")
    path.write_text(text.replace("mass = 0.5", "mass = -0.5").replace("crank.B", "crank.Q"), encoding="utf-8")
    done = run("check", str(path), code=1)
    assert "bodies.crank.mass" in done.stderr
    assert "joints.B.between" in done.stderr
    assert not done.stdout


def test_mistakes_in_studies_are_reported_at_their_place(tmp_path):
    path = write(
        tmp_path, '[studies.a]\nkind = "kinematic"\n[studies.b]\nkind = "kinematics"\nuntli = 1\nsamples = 1.5\n'
    )
    for command in ("check", "run"):
        text = run(command, path, code=1).stderr
        assert "studies.a.kind" in text
        assert "Did you mean kinematics?" in text
        assert "studies.b.untli" in text
        assert "Did you mean until?" in text
        assert "studies.b.samples" in text


def test_kinematics_takes_units_and_expressions_and_writes_files(tmp_path):
    out = tmp_path / "motion.nc"
    text = run("kinematics", FOUR_BAR, "--until", "500 ms", "--samples", "11", "-o", str(out)).output
    assert "11 instants from 0 to 0.5 s" in text
    ds = cc.load_result(out)
    assert ds.sizes["time"] == 11
    again = cc.Mechanism.from_dict(tomllib.loads(ds.attrs["mechanism"]))
    assert again == cc.load(FOUR_BAR), "a result carries its mechanism"
    table = tmp_path / "motion.csv"
    run("kinematics", FOUR_BAR, "--times", "0, crank/1, 2*0.1", "-o", str(table))
    assert [line.split(",")[0] for line in table.read_text(encoding="utf-8").splitlines()] == [
        "time",
        "0.0",
        "0.12",
        "0.2",
    ]


def test_kinematics_as_json_equals_python():
    found = json.loads(run("kinematics", FOUR_BAR, "--until", "1", "--samples", "3", "--json").output)
    ds = cc.kinematics(cc.load(FOUR_BAR), [0.0, 0.5, 1.0])
    assert found["dims"]["time"] == 3
    assert found["variables"]["position"]["data"] == ds.position.values.tolist()
    assert found["variables"]["position"]["units"] == "m"


def test_influence_as_json_equals_python():
    found = json.loads(run("influence", FOUR_BAR, "--of", "P", "--values", "A=90 deg", "--json").output)
    m = cc.load(FOUR_BAR)
    G, H = cc.influence(m, cc.assemble(m, {"A": 1.5707963267948966}), "P")
    assert found["variables"]["G"]["data"] == G.tolist()
    assert found["variables"]["H"]["data"] == H.tolist()
    assert found["coords"]["wrt"]["data"] == ["A"]
    assert "linear x" in run("influence", FOUR_BAR, "--of", "P").output


def test_problems_are_sentences_with_status_1(tmp_path):
    assert "coupler.P" in run("influence", FOUR_BAR, "--of", "coupler.Q", code=1).stderr
    assert "until" in run("kinematics", FOUR_BAR, code=1).stderr
    assert "it has motion" in run("run", FOUR_BAR, "--study", "nothing", code=1).stderr


def test_studies_of_later_versions_are_left_out_aloud(tmp_path):
    assert not set(FORTHCOMING) & set(studies()), "what is here is not forthcoming"
    path = write(tmp_path, f'[studies.later]\nkind = "{FORTHCOMING[0]}"\n[studies.now]\nkind = "influence"\nof = "P"\n')
    done = run("run", path, "-o", str(tmp_path / "out"))
    assert "study later" in done.stderr
    assert (tmp_path / "out" / "now.nc").is_file()


def test_plot_draws_from_a_result_alone(tmp_path):
    result = tmp_path / "motion.nc"
    run("kinematics", FOUR_BAR, "--until", "0.5", "--samples", "5", "-o", str(result))
    assert "channels" in run("plot", str(result)).output
    for words in (["mechanism"], ["channels", "q.A", "position.P"]):
        picture = tmp_path / f"{words[0]}.svg"
        run("plot", str(result), *words, "-o", str(picture))
        assert "</svg>" in picture.read_text(encoding="utf-8")
    assert "mechanism" in run("plot", str(result), "nothing", code=1).stderr
    assert "q.A" not in run("plot", str(result), "channels", "q.B2", code=1).stdout
    assert ".svg" in run("plot", str(result), "mechanism", "-o", str(tmp_path / "x.docx"), code=1).stderr
    assert "not a result" in run("plot", FOUR_BAR, "channels", code=1).stderr


def test_examples_are_listed_copied_and_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = json.loads(run("examples", "--json").output)
    assert set(listed) == {folder.parent.name for folder in (ROOT / "examples").glob("*/mechanism.toml")}
    run("examples", "four_bar")
    assert (tmp_path / "four_bar" / "mechanism.toml").read_bytes() == Path(FOUR_BAR).read_bytes()
    assert "exists already" in run("examples", "four_bar", code=1).stderr
    assert "four_bar" in run("examples", "fourbar", code=1).stderr
    assert "four_bar" in run("examples", "four_bar", "--check").output


def test_messages_of_strange_terminals(tmp_path):
    path = write(tmp_path, "")
    text = Path(path).read_text(encoding="utf-8").replace('name = "four-bar"', 'name = "Gelenkviereck α → β"')
    Path(path).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "closedchain", "check", path]
    done = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert done.returncode == 0, done.stderr
    assert b"Gelenkviereck" in done.stdout


def test_singularities_tell_kinds_measures_and_directions(tmp_path):
    slider = str(ROOT / "examples" / "slider_crank" / "mechanism.toml")
    m = cc.load(slider)
    expected = cc.singularities(m, cc.assemble(m))
    found = json.loads(run("singularities", slider, "--json").output)
    assert set(found["kinds"]) == expected.kinds
    assert found["kind"] == expected.kind
    # JSON has no infinity: null stands for it.
    finite = {name: value for name, value in expected.measures.items() if math.isfinite(value)}
    assert {name: value for name, value in found["measures"].items() if value is not None} == pytest.approx(finite)
    assert {kind: len(screws) for kind, screws in found["directions"].items()} == {
        kind: len(screws) for kind, screws in expected.directions.items()
    }
    out = tmp_path / "singular.nc"
    text = run("singularities", slider, "--values", "O=90 deg", "-o", str(out)).output
    assert str(cc.singularities(m, cc.assemble(m, {"O": 1.5707963267948966}))) in text
    assert cc.load_result(out).attrs["first_kind"] == "none"


def test_simulation_from_the_command_line_equals_python():
    words = ["simulate", FOUR_BAR, "--until", "50 ms", "--samples", "3", "--rtol", "1e-9", "--json"]
    found = json.loads(run(*words).output)
    ds = cc.simulate(cc.load(FOUR_BAR), 0.05, times=[0.0, 0.025, 0.05], rtol=1e-9)
    assert found["variables"]["q"]["data"] == ds.q.values.tolist()
    assert "until" in run("simulate", FOUR_BAR, code=2).stderr


def test_inverse_dynamics_from_the_command_line_equals_python():
    found = json.loads(run("inverse", FOUR_BAR, "--times", "0,0.1", "--json").output)
    ds = cc.inverse_dynamics(cc.load(FOUR_BAR), [0.0, 0.1])
    assert found["variables"]["effort"]["data"] == ds.effort.values.tolist()
    assert found["variables"]["effort"]["units"] == "N*m"
