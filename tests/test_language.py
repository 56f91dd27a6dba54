"""Every text that goes through the catalogue is in it, with the same names in braces; errors speak Chinese too."""

import ast
import re
import string
import tomllib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import closedchain as cc
from closedchain.cli.help import split_tags
from closedchain.cli.main import app, names
from closedchain.cli.studies import studies
from closedchain.language import languages, using

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "closedchain"
OTHERS = [language for language in languages() if language != "en"]


def catalogue(language: str) -> dict[str, str]:
    return tomllib.loads((SOURCE / "language" / f"{language}.toml").read_text(encoding="utf-8"))


def spoken() -> dict[str, str]:
    """Texts given to `tr` and `plural` as literals -> where."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "language":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "plural"):
                texts = node.args[:1] if getattr(node.func, "id", "") == "tr" else node.args[1:]
                for text in texts:
                    if isinstance(text, ast.Constant):
                        found.setdefault(str(text.value), f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def helped() -> dict[str, str]:
    """Help texts of all commands -> which command."""
    found = {}
    program = typer.main.get_command(app)
    commands = {"": program, **program.commands}  # type: ignore[attr-defined]
    for name, command in commands.items():
        texts = [" ".join((command.help or "").split()), *(meaning for _, meaning in getattr(command, "examples", ()))]
        texts += [split_tags(parameter.help)[0] for parameter in command.params if getattr(parameter, "help", None)]
        texts.append(getattr(command, "rich_help_panel", None) or "")
        found.update({text: f"help of {name or 'closedchain'}" for text in texts if isinstance(text, str) and text})
    return found


def half_sentence(text: str) -> str:
    """A help text as the meaning of a study or argument that it was made of."""
    return text[0].lower() + text[1:].removesuffix(".")


def fields(text: str) -> set[str]:
    return {field.split("!")[0] for _, field, _, _ in string.Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_its_translation_with_the_same_names(language):
    known = catalogue(language)
    wanted = spoken()
    missing = {text: place for text, place in wanted.items() if text not in known and any(map(str.isalpha, text))}
    assert not missing, f"add to language/{language}.toml"
    differing = [text for text in wanted if text in known and fields(text) != fields(known[text])]
    assert not differing


@pytest.mark.parametrize("language", OTHERS)
def test_every_help_text_has_its_translation(language):
    known = catalogue(language)
    missing = {text: place for text, place in helped().items() if not {text, half_sentence(text)} & known.keys()}
    assert not missing, f"add to language/{language}.toml"


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_kept_that_nobody_says(language):
    texts = {*spoken(), *helped(), *map(half_sentence, helped())}
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    examples = "\n".join(path.read_text("utf-8") for path in [*ROOT.glob("examples/*/*.toml"), *SOURCE.rglob("*.toml")])
    unsaid = [text for text in catalogue(language) if text not in texts and text not in source + examples]
    assert not unsaid


def run(*words, code=0):
    done = CliRunner().invoke(app, ["--lang", "zh", *words])
    assert done.exit_code == code, done.output
    return done


def test_a_chinese_reader_is_spoken_to_in_chinese(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    shift = "examples/shift_manipulator/mechanism.toml"
    text = run("check", shift).output
    assert "平面机构" in text
    assert "自由度" in text
    assert "闭环" in text
    assert (
        "个实例" not in run("kinematics", "examples/four_bar/mechanism.toml", "--until", "1", "--samples", "3").output
    )
    text = Path("examples/four_bar/mechanism.toml").read_text("utf-8").replace("mass = 0.5", "mass = -0.5")
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    assert "1 处错误" in run("check", str(tmp_path / "wrong.toml"), code=1).stderr
    assert "奇异" in run("singularities", "examples/slider_crank/mechanism.toml").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "没有命令 'nonsense'"),
        (["simulat"], "是否想用 simulate"),
        (["check"], "缺少 FILE"),
        (["check", "nowhere.toml"], "没有文件 nowhere.toml"),
        (["check", "--xyzzy"], "没有选项 --xyzzy"),
        (["check", "README.md", "CHANGELOG.md"], "多余的词：CHANGELOG.md"),
        (["run", "README.md", "--study"], "选项 --study 需要一个值"),
    ],
)
def test_wrong_usage_in_chinese(words, said, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert said in run(*words, code=2).stderr


@pytest.mark.parametrize("name", ["check", "run", "new", "simulate", "inverse"])
def test_help_in_chinese(name):
    assert name in names()
    text = run(name, "--help").output
    assert "用法" in text
    assert "示例" in text
    assert "Usage" not in text


def test_studies_explain_themselves_in_chinese():
    m = cc.load(ROOT / "examples/four_bar/mechanism.toml")
    with using("zh"):
        study = studies()["kinematics"]
        assert "时刻" in study.say(study.calc(m, samples=3, start=0.0, until=1.0))
        assert "自由度" in str(cc.mobility(m))
    assert "freedom" in str(cc.mobility(m))


def written() -> set[str]:
    """Every text of the source with numbered gaps where f-strings have values."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts, gaps = [], 0
                for value in node.values:
                    parts.append(str(value.value) if isinstance(value, ast.Constant) else f"{{{gaps}}}")
                    gaps += not isinstance(value, ast.Constant)
                found.add("".join(parts))
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_of_errors_are_those_of_the_source(language):
    said = tomllib.loads((SOURCE / "language" / "sentences" / f"{language}.toml").read_text(encoding="utf-8"))
    words, texts = said.pop("words"), written()

    def ends(text: str) -> set[str]:
        # the stop may be added where the sentence is printed
        return {text, text.removesuffix(".")}

    # a message may change before its translation follows; most must be up to date
    unsaid = [text for text in said if not ends(text) & texts]
    assert len(unsaid) < 0.1 * len(said), unsaid
    assert not [word for word in words if word not in texts and not any(word in text for text in texts)]
    gaps = {text: set(re.findall(r"\{(\d+)\}", text)) for text in said}
    assert not [text for text, numbers in gaps.items() if not set(re.findall(r"\{(\d+)\}", said[text])) <= numbers]


def test_errors_are_told_in_chinese(tmp_path):
    text = (ROOT / "examples/four_bar/mechanism.toml").read_text("utf-8")
    text = text.replace("mass = 0.5", "mass = -0.5").replace("crank.B", "crank.Q").replace('"speed*t"', '"sped*t"')
    (tmp_path / "wrong.toml").write_text(text.replace("pi/6 + speed*t", "pi/6 + sped*t"), encoding="utf-8")
    told = run("check", str(tmp_path / "wrong.toml"), code=1).stderr
    assert "构件 crank 没有点 'Q'。 可用的有：origin, A, B。" in told
    assert "此值为 -0.5；应为非负数。" in told
    assert "是否想写 speed？" in told
    assert "must be" not in told
    with pytest.raises(cc.MechanismError) as caught:
        cc.simulate(cc.load(ROOT / "examples/four_bar/mechanism.toml"), until=-1.0)
    assert "end time above zero" in str(caught.value)
    with using("zh"):
        assert "请给出大于零的结束时刻" in str(caught.value)
