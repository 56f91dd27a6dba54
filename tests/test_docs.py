"""Everything the documentation shows runs: Python blocks, sessions, commands, files, pictures and links."""

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Their files are new members of the program itself: tests/test_docs_extend.py runs them in a copy of it.
EXTEND = ROOT / "docs" / "extend"
TRANSLATED = ROOT / "README.zh-CN.md"

spec = importlib.util.spec_from_file_location("docs_blocks", ROOT / "tests" / "docs_blocks.py")
assert spec
assert spec.loader
docs_blocks = importlib.util.module_from_spec(spec)
sys.modules["docs_blocks"] = docs_blocks
spec.loader.exec_module(docs_blocks)

RUN = ("python", "pycon", "console", "sh")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def runs(page: Path) -> bool:
    return EXTEND not in page.parents and any(block.language in RUN for block in docs_blocks.blocks(page))


@pytest.mark.parametrize("page", [page for page in PAGES if runs(page)], ids=name)
def test_what_a_page_shows_runs(page, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    docs_blocks.run_page(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_exist(page):
    from closedchain.cli.main import names

    run = (ROOT / "run.py").read_text(encoding="utf-8")
    for block in docs_blocks.blocks(page):
        for words in docs_blocks.commands(block) if block.language == "sh" else ():
            if words[1:2] == ["run.py"]:
                assert f"def {words[2]}(" in run
            elif words[0] == "closedchain":
                assert words[1].startswith("-") or words[1] in names()


@pytest.mark.parametrize("page", [*PAGES, TRANSLATED], ids=name)
def test_links_and_pictures_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    made = {ROOT / "docs" / "changes.md"}
    local = [page.parent / target for target in targets if "://" not in target]
    assert not [path for path in local if not path.exists() and path.resolve() not in made]


def headings(page: Path) -> list[int]:
    """Depth of every heading, code blocks left out."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]


def without_comments(text: str) -> str:
    return re.sub(r"\s+#.*$", "", text, flags=re.MULTILINE)


def test_the_chinese_readme_is_a_full_twin():
    english = ROOT / "README.md"
    assert headings(TRANSLATED) == headings(english)
    both = [
        [(block.language, without_comments(block.text)) for block in docs_blocks.blocks(page)]
        for page in (english, TRANSLATED)
    ]
    assert both[0] == both[1]

    def targets(page: Path) -> list[str]:
        own = {english.name, TRANSLATED.name}
        return [t for t in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")) if t not in own]

    assert targets(TRANSLATED) == targets(english)
