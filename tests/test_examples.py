"""Every example loads, describes itself, survives a round trip, answers its check, and runs its studies."""

import runpy
from pathlib import Path

import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FOLDERS = sorted(folder for folder in EXAMPLES.iterdir() if (folder / "mechanism.toml").is_file())
EACH = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@pytest.mark.examples
@EACH
def test_answers_are_the_known_ones(folder, capsys):
    failure = None
    try:
        runpy.run_path(str(folder / "check.py"), run_name="__main__")
    except SystemExit as end:
        failure = end.code
    assert not failure
    assert capsys.readouterr().out.startswith(folder.name), "a check says what it compared"


@EACH
def test_is_listed_and_describes_itself(folder):
    assert f"`{folder.name}`" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert cc.load(folder / "mechanism.toml").name


@EACH
def test_can_be_drawn(folder):
    m = cc.load(folder / "mechanism.toml")
    figure = cc.plot.mechanism(m, cc.assemble(m))
    assert figure.axes[0].get_xlabel() == "x [m]"
    assert hasattr(figure.axes[0], "get_zlabel") is not m.planar


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.toml")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_studies_can_be_told_to_their_analyses(path):
    from closedchain.cli.studies.planned import planned

    assert [each.name for each in planned(cc.load(path))] == list(cc.load(path).studies)
