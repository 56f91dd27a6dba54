"""Templates: each passes its check and its studies run; files are never written over by chance."""

import json

import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.commands.new import templates
from closedchain.cli.main import app
from closedchain.cli.studies.planned import planned


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(*words, code=0):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output + str(done.exception or "")
    return done


@pytest.mark.parametrize("name", templates())
def test_every_template_passes_check_and_its_studies_run(name):
    run("new", name, "mine.toml")
    checked = json.loads(run("check", "mine.toml", "--json").output)
    m = cc.load("mine.toml")
    assert checked["mobility"]["dof"] == len(m.actuators), "every freedom has its motor"
    assert checked["mobility"]["redundant"] == 0
    assert m.studies
    for each in planned(m):
        assert each.study
        ds = each.study.calc(m, **(each.arguments | ({"samples": 5} if "samples" in each.arguments else {})))
        assert each.study.say(ds)


def test_templates_are_listed_with_what_they_are():
    listed = run("new").output
    assert all(name in listed for name in templates())
    assert json.loads(run("new", "--json").output) == templates()


def test_names_of_files(tmp_path):
    assert "linkage.toml" in run("new", "linkage").output
    assert cc.load("linkage.toml").name == "four-bar"
    assert json.loads(run("new", "serial-arm", "--json").output) == {
        "template": "serial-arm",
        "file": "serial_arm.toml",
    }
    run("new", "slider-crank", "deep/er.toml")
    assert (tmp_path / "deep" / "er.toml").is_file()


def test_a_file_is_written_over_only_by_force(tmp_path):
    (tmp_path / "a.toml").write_text("mine", encoding="utf-8")
    assert "--force" in run("new", "a.toml", code=1).stderr
    assert (tmp_path / "a.toml").read_text(encoding="utf-8") == "mine"
    run("new", "a.toml", "--force")
    assert (tmp_path / "a.toml").read_text(encoding="utf-8").startswith("# A four-bar")


def test_wrong_words():
    assert "Did you mean four-bar?" in run("new", "fourbar", "a.toml", code=1).stderr
    assert run("new", "a", "b", "c", code=2).stderr
