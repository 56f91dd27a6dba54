"""Templates: each passes its check and its studies run; files are never written over by chance."""

import json
import tomllib

import pytest
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.commands.new import templates, text_of
from closedchain.cli.main import app
from closedchain.cli.studies.planned import planned
from closedchain.language import using


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


@pytest.mark.parametrize("name", templates())
def test_templates_in_chinese_are_the_same_mechanisms(name):
    with using("zh"):
        chinese = text_of(name)
    assert tomllib.loads(chinese) == tomllib.loads(text_of(name))
    assert len(chinese.splitlines()) == len(text_of(name).splitlines())
    comments = [line.partition("#")[2].strip() for line in chinese.splitlines() if "# " in line]
    assert not [text for text in comments if text.isascii() and " " in text and "closedchain" not in text]
    assert "四杆机构" in CliRunner().invoke(app, ["new", "--lang", "zh"]).output
