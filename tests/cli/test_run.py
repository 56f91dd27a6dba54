"""`closedchain run` and `closedchain report`: folders, usual studies, failures, interruption, sentences, JSON."""

import json
import math
import os
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.main import app
from closedchain.cli.running import drawing
from closedchain.cli.running.run import stems
from closedchain.cli.running.saving import MAIN, save_study
from closedchain.cli.running.span import span
from closedchain.cli.running.usual import usual_studies
from closedchain.cli.studies.planned import Planned
from closedchain.views.report.readable import show

ROOT = Path(__file__).resolve().parents[2]
FOUR_BAR = (ROOT / "examples" / "four_bar" / "mechanism.toml").read_text(encoding="utf-8").split("[studies")[0]
SHIFT = (ROOT / "examples" / "shift_manipulator" / "mechanism.toml").read_text(encoding="utf-8").split("[studies")[0]
QUICK = '[studies.first]\nkind = "kinematics"\nuntil = "0.2 s"\nsamples = 3\n'


def run(*words, code=0):
    """What the program prints for these words; it must end with this status and no traceback."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.output + (str(done.exception) if done.exception else "")
    assert "Traceback" not in done.output
    return done


def write(folder, text, base=FOUR_BAR):
    path = folder / "mechanism.toml"
    path.write_text(base + text, encoding="utf-8")
    return path


def pendulum(folder=None, **keys):
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"name": "pendulum", "planar": True, "gravity": [0, -9.81]},
            "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0], "points": {"tip": [1, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
            "outputs": {"tip": {"point": "bob.tip"}},
            **keys,
        },
        folder=folder,
    )


def driven(folder=None, **actuator):
    return pendulum(folder, actuators={"motor": {"joint": "A", **actuator}})


def test_a_folder_with_everything(tmp_path):
    path = write(tmp_path, QUICK)
    text = run("run", path, "-o", tmp_path / "out").output
    names = {file.name for file in (tmp_path / "out").iterdir()}
    pictures = {Path(name).stem for name in names if name.endswith(".svg")}
    assert {"first_joints", "first_mechanism", "first_outputs"} <= pictures
    assert {f"{name}.png" for name in pictures} <= names, "every figure is there as PNG too"
    assert names - {f"{name}{suffix}" for name in pictures for suffix in (".svg", ".png")} == {
        "first.nc",
        "first.csv",
        "report.html",
    }
    assert cc.load_result(tmp_path / "out" / "first.nc").sizes["time"] == 3
    head = (tmp_path / "out" / "first.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert head[0] == "time"
    assert {"q.A [rad]", "position.P.x [m]"} <= set(head)
    assert text.splitlines()[0].startswith("first: ")
    assert text.splitlines()[-1] == f"report: {tmp_path / 'out' / 'report.html'}"


def test_tables_are_written_as_results_are(tmp_path):
    ds = cc.simulate(cc.load(ROOT / "examples" / "shift_manipulator" / "mechanism.toml"), 0.01)
    files = save_study(ds, tmp_path, "x")
    assert [file.name for file in files] == ["x.nc", "x.csv", "x.contact.csv"]
    cc.save(ds[[name for name in MAIN if name in ds]], tmp_path / "y.csv")
    for name in ("csv", "contact.csv"):
        assert (tmp_path / f"x.{name}").read_text("utf-8") == (tmp_path / f"y.{name}").read_text("utf-8")


def test_json_lists_states_and_files(tmp_path):
    path = write(tmp_path, QUICK)
    listed = json.loads(run("run", path, "-o", tmp_path / "out", "--json", "--no-report").output)
    assert listed["report"] is None
    assert not (tmp_path / "out" / "report.html").exists()
    assert listed["first"]["state"] == "done"
    assert {Path(file).name for file in listed["first"]["files"]} >= {"first.nc", "first.csv", "first_joints.png"}
    assert all(Path(file).is_file() for file in listed["first"]["files"])


def test_it_goes_on_after_a_study_that_fails_and_reports_it(tmp_path):
    bad = '[studies.bad]\nkind = "influence"\nof = "P"\nvalues = { A = 0.5, B = 0 }\n'
    text = bad + '[studies.good]\nkind = "influence"\nof = "P"\n'
    done = run("run", write(tmp_path, text), "-o", tmp_path / "out", code=1)
    assert "study bad: the loops cannot be closed" in done.stderr
    assert (tmp_path / "out" / "good.nc").is_file()
    assert not (tmp_path / "out" / "bad.nc").exists()
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "bad: failed. the loops cannot be closed" in page


def test_unknown_studies_are_named(tmp_path):
    done = run("run", write(tmp_path, QUICK), "--study", "nothing", code=1)
    assert "nothing; it has first" in done.stderr
    assert "--until" in run("run", write(tmp_path, QUICK), "--until", "1 s", code=2).stderr
    assert "--until" in run("run", write(tmp_path, ""), "--until", "1 kg", code=2).stderr


def test_usual_studies_of_a_file_without_any(tmp_path):
    done = run("run", write(tmp_path, ""), "-o", tmp_path / "out", "--until", "20 ms")
    assert "0.02 s" in done.output
    assert {path.name for path in (tmp_path / "out").glob("*.nc")} == {
        "kinematics.nc",
        "inverse_dynamics.nc",
        "simulation.nc",
    }
    assert (tmp_path / "out" / "report.html").is_file()
    # So many studies are drawn in a second process.
    assert len(plan_of(FOUR_BAR)) >= drawing.MANY
    assert {path.name for path in (tmp_path / "out").glob("*_joints.png")} >= {"kinematics_joints.png"}


def plan_of(text):
    return usual_studies(cc.Mechanism.from_dict(tomllib.loads(text)))[0]


def test_what_does_not_apply_is_left_out_with_its_reason():
    plan, left, why = usual_studies(pendulum())
    assert [each.name for each in plan] == ["simulation"]
    assert {each.name for each in left} == {"kinematics", "inverse_dynamics"}
    assert all("no motion" in each.sentence for each in left)
    assert "--until" in why
    weightless = cc.Mechanism.from_dict(
        {**driven(motion="t").to_dict(), "bodies": {"ground": {}, "bob": {"points": {"tip": [1, 0]}}}}
    )
    plan, left, _ = usual_studies(weightless)
    assert [each.name for each in plan] == ["kinematics"]
    assert all("mass" in each.sentence for each in left)


def test_loose_joints_are_compared_with_the_ideal_mechanism(tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "draw", lambda *what: ([], []))
    plan, left, _ = usual_studies(cc.Mechanism.from_dict(tomllib.loads(SHIFT)))
    assert [(each.name, each.arguments.get("clearance")) for each in plan[2:]] == [("ideal", False), ("loose", True)]
    assert not left
    out = tmp_path / "out"
    run("run", write(tmp_path, "", SHIFT), "-o", out, "--until", "10 ms", "--study", "ideal", "--study", "loose")
    page = (out / "report.html").read_text(encoding="utf-8")
    errors = cc.deviation(cc.load_result(out / "loose.nc"), cc.load_result(out / "ideal.nc"))
    assert "End-point errors by play" in page
    assert show(float(errors.position_largest.max()), "m") in page


@pytest.mark.parametrize(
    ("m", "seconds"),
    [
        (driven(motion="step(t, 0.1, 0.7, 0, 1)"), 0.7),
        (driven(motion="0.2 + trapezoid(2*t - 1, 0, 3, 0, 1, 0.2)"), 2.0),
        (driven(motion="0.3*sin(5*t) + 0.1*cos(10*t + 1)"), 2.0 * math.pi / 5.0),
        (driven(motion="-4*t"), math.pi / 2.0),
        (driven(effort=1.0), 1.0),
        (pendulum(), 1.0),
    ],
)
def test_motions_tell_how_long_they_last(m, seconds):
    assert span(m)[0] == pytest.approx(seconds)


def test_tables_end_the_run(tmp_path):
    rows = "\n".join(f"{0.1 * k},{0.01 * k}" for k in range(8))
    (tmp_path / "way.csv").write_text(rows + "\n", encoding="utf-8")
    m = driven(tmp_path, motion='table("way.csv", t)')
    assert span(m)[0] == pytest.approx(0.7)
    (tmp_path / "mechanism.toml").write_text(m.to_text(), encoding="utf-8")
    done = run("run", tmp_path / "mechanism.toml", "-o", tmp_path / "out", "--study", "kinematics")
    assert not done.stderr, "figures and picture find the table in the mechanism's folder"
    assert (tmp_path / "out" / "kinematics_mechanism.svg").is_file()
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert '"motions":[{"study":"kinematics"' in page
    assert "way.csv" in page


def test_names_that_only_differ_in_signs_get_files_of_their_own():
    plan = [Planned(name, "kinematics", None, {}) for name in ("a b", "a_b", "A_B")]
    assert len({stem.lower() for stem in stems(plan).values()}) == 3


def test_a_failing_second_process_is_no_harm(tmp_path):
    class Broken:
        def submit(self, *what):
            raise RuntimeError("no processes here")

    m = cc.load(ROOT / "examples" / "four_bar" / "mechanism.toml")
    ds = cc.kinematics(m, [0.0, 0.1])
    broken: Any = Broken()
    names, problems = drawing.Drawing(broken).submit("kinematics", m, ds, tmp_path, "x")()
    assert "x_joints.svg" in names
    assert not problems


def test_figures_that_no_process_has_begun_are_drawn_here_once(monkeypatch):
    class Slow:
        """A process that has not finished anything yet."""

        def __init__(self):
            self.given = []

        def submit(self, function, *what):
            self.given.append((what, Future()))
            return self.given[-1][1]

    here = []
    monkeypatch.setattr(drawing, "draw", lambda *what: (here.append(what[0]), ([what[0]], []))[1])
    slow: Any = Slow()
    sheets = drawing.Drawing(slow, 1)
    answers = [sheets.submit(name) for name in ("first", "second", "third")]
    assert [what for what, _ in slow.given] == [("first",)], "a process gets one study at a time"
    slow.given[0][1].set_result((["first, there"], []))
    assert [what for what, _ in slow.given] == [("first",), ("second",)]
    slow.given[1][1].set_result((["second, there"], []))
    assert [what for what, _ in slow.given] == [("first",), ("second",), ("third",)]
    answers += [sheets.submit(name) for name in ("fourth", "fifth")]
    slow.given[2][1].set_exception(AttributeError("what has no pickle"))
    assert [answer()[0] for answer in answers[:3]] == [["first, there"], ["second, there"], ["third"]]
    assert sorted(here) == ["fifth", "third"]
    slow.given[3][1].set_result((["fourth, there"], []))
    assert [answer()[0] for answer in answers[3:]] == [["fourth, there"], ["fifth"]]
    assert sorted(here) == ["fifth", "third"], "nothing is drawn twice"


@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_an_interrupted_run_reports_what_is_finished(tmp_path):
    long = '[studies.endless]\nkind = "simulate"\nuntil = 100000\nsamples = 3\n'
    long += '[studies.last]\nkind = "kinematics"\nuntil = 1\n'
    path = write(tmp_path, QUICK + long)
    command = [sys.executable, "-m", "closedchain", "run", str(path), "-o", str(tmp_path / "out"), "--lang", "en"]
    # a suite started in the background is deaf to interruptions, and its children inherit that
    heard: Any = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **heard)
    end = time.monotonic() + 100.0
    while not (tmp_path / "out" / "first.csv").exists() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 130, err
    assert "not run: endless, last" in err
    assert "Traceback" not in err
    assert (tmp_path / "out" / "first.nc").is_file()
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "endless: not run." in page
    assert "report.html" in out


def test_a_pipe_gets_no_bar(tmp_path):
    command = [sys.executable, "-m", "closedchain", "run", str(write(tmp_path, QUICK)), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert not done.stderr
    assert "\x1b" not in done.stdout


def test_the_report_is_opened_on_request(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or False)
    done = run("run", write(tmp_path, QUICK), "-o", tmp_path / "out", "--open")
    assert opened == [(tmp_path / "out" / "report.html").resolve().as_uri()]
    assert "no browser was found" in done.stderr


def test_report_of_saved_results(tmp_path):
    m = cc.load(ROOT / "examples" / "four_bar" / "mechanism.toml")
    for name, times in (("slow", [0.0, 0.1, 0.2]), ("fast", [0.0, 0.01])):
        cc.save(cc.kinematics(m, times), tmp_path / f"{name}.nc")
    run("report", tmp_path / "slow.nc", tmp_path / "fast.nc", "-o", tmp_path / "both.html", "--title", "Two < one")
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert "<h1>Two &lt; one</h1>" in page
    assert ">slow<" in page
    assert ">fast<" in page
    run("report", tmp_path / "slow.nc")
    assert (tmp_path / "slow.html").is_file()
    assert ".html" in run("report", tmp_path / "slow.nc", "-o", tmp_path / "x.pdf", code=1).stderr
    assert run("report", tmp_path / "nothing.nc", code=2).stderr
