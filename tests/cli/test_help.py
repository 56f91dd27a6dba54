"""What a person sees who asks for help: groups, examples that parse, names offered by the shell, near misses."""

import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from closedchain.cli.help import GROUPS, split_tags, wanted_language
from closedchain.cli.layout import left, right, width, wrapped
from closedchain.cli.main import app, names

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = typer.main.get_command(app)


def run(*words):
    return CliRunner().invoke(app, list(words))


def examples():
    for name, command in PROGRAM.commands.items():  # type: ignore[attr-defined]
        for line, meaning in command.examples:
            yield pytest.param(name, line, meaning, id=line)


@pytest.mark.parametrize("name", names())
def test_every_command_has_examples_and_a_group(name):
    command = PROGRAM.commands[name]  # type: ignore[attr-defined]
    assert command.rich_help_panel in GROUPS
    text = run(name, "--help").output
    assert "Examples:" in text
    assert all(line in text for line, _ in command.examples)
    assert command.examples


@pytest.mark.parametrize(("name", "line", "meaning"), list(examples()))
def test_examples_in_the_help_are_right_usage(name, line, meaning, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [word.replace("*", "a") for word in shlex.split(line)]  # as the shell expands it
    for word in words:
        if word.endswith((".toml", ".nc")):
            Path(word).parent.mkdir(parents=True, exist_ok=True)
            Path(word).write_text((ROOT / "examples/four_bar/mechanism.toml").read_text("utf-8"), "utf-8")
    assert words[0] == "closedchain"
    command = PROGRAM.commands[words[1]]  # type: ignore[attr-defined]
    command.make_context(words[1], words[2:])
    assert meaning == meaning.rstrip(".")
    assert name in names()


def test_groups_are_listed_in_order_with_every_command_once():
    text = run("--help").output
    heads = [group for group in GROUPS if f"\n{group}:\n" in text]
    assert [text.index(f"\n{head}:\n") for head in heads] == sorted(text.index(f"\n{head}:\n") for head in heads)
    assert heads == list(GROUPS)
    assert all(text.count(f"\n  {name} ") == 1 for name in names())


def test_a_mistyped_command_is_told_the_nearest():
    done = run("simulat", "x.toml")
    assert done.exit_code == 2
    assert "Did you mean simulate" in done.stderr
    assert "`closedchain --help` lists all" in run("xyzzy").stderr


def offered(line, monkeypatch):
    """What the shell offers for the last word of a line."""
    words = [*shlex.split(line), *([""] if line.endswith(" ") else [])]
    monkeypatch.setenv("_CLOSEDCHAIN_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    return CliRunner().invoke(app, [], prog_name="closedchain").output.split()


def test_the_shell_completes_commands_files_and_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    for name in ("arm.toml", "arm.csv", "models/leg.toml", ".hidden.toml", "run.nc"):
        (tmp_path / name).write_text('[studies.first]\nkind = "kinematics"\n[studies.other]\n', "utf-8")
    assert offered("closedchain sim", monkeypatch) == ["simulate"]
    assert offered("closedchain check ", monkeypatch) == ["arm.toml", "models/leg.toml"]
    assert offered("closedchain check models/", monkeypatch) == ["models/leg.toml"]
    assert offered("closedchain examples four", monkeypatch) == ["four_bar"]
    assert offered("closedchain run arm.toml --study ", monkeypatch) == ["first", "other"]
    assert offered("closedchain plot ", monkeypatch) == ["run.nc"]
    assert "phase" in offered("closedchain plot run.nc ", monkeypatch)
    assert "slider-crank" in offered("closedchain new s", monkeypatch)
    assert offered("closedchain check nowhere/", monkeypatch) == []


def test_columns_of_wide_signs():
    assert width("机构 a") == 6
    assert left("机", 4) == "机  "
    assert right("机", 4) == "  机"
    assert wrapped("机构的自由度。", 12) == ["机构的自由", "度。"], "no line begins with a stop"
    assert "".join(wrapped("闭环机构的运动学与动力学", 9)) == "闭环机构的运动学与动力学"
    assert max(map(width, wrapped("闭环机构的运动学与动力学", 9))) <= 9
    assert wrapped("", 9) == [""]


def test_tags_of_help_texts():
    assert split_tags("Table of x [m].") == ("Table of x [m].", [])
    assert split_tags("Number.  [default: 9]") == ("Number.", ["default: 9"])


def test_language_of_a_run(monkeypatch):
    assert wanted_language(["run", "a", "--lang", "zh"]) == "zh"
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert wanted_language([]) == "zh"
    assert wanted_language(["--lang=en"]) == "en"
    assert run("--lang", "xx", "check").exit_code == 2
