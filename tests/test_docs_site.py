"""The generated parts of the documentation tell of everything there is; the site asks no other host for anything."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import closedchain as cc
from closedchain.cli.main import names
from closedchain.cli.studies import studies
from closedchain.description.schema import json_schema
from closedchain.results import VARIABLES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

from pages import catalogue, hooks, mathml  # noqa: E402


def page(name: str) -> str:
    """A page as the site's builder sees it."""
    return hooks.expanded((DOCS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("family", catalogue.FAMILIES)
def test_the_catalogue_has_every_member_with_its_parameters(family):
    text = page(f"reference/{family}.md")
    found = list(catalogue.members(family))
    assert found
    for name, member, _ in found:
        assert f"## `{name}`" in text
        section = text.partition(f"## `{name}`")[2].partition("\n## ")[0]
        assert all(f"`{parameter.name}`" in section for parameter in member.parameters)


def keys(schema: object) -> set[str]:
    """Every key that the schema of a file names, at any depth, but for those of family members."""
    if isinstance(schema, list):
        return {key for each in schema for key in keys(each)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {})) if isinstance(schema.get("properties"), dict) else set()
    return own | {
        key for name, each in schema.items() if name not in ("if", "then", "else", "allOf") for key in keys(each)
    }


def test_the_file_format_page_has_every_table_and_key():
    text = page("reference/file-format.md")
    schema = json_schema()
    assert all(f"## {table}" in text for table in schema["properties"])
    tables = {**schema["properties"], **schema["else"]["properties"]}
    missing = {
        f"{name}.{key}" for name, table in tables.items() for key in keys(table) if not re.search(rf"\b{key}\b", text)
    }
    assert not missing


def test_the_reference_has_every_study_command_variable_name_and_figure():
    assert all(f"## `{name}`" in page("reference/studies.md") for name in studies())
    assert all(f"### `{name}`" in page("reference/commands.md") for name in names())
    assert all(f"| `{name}` |" in page("reference/variables.md") for name in VARIABLES)
    python = page("reference/python.md")
    assert all(f"### `cc.{name}`" in python for name in dir(cc) if name not in ("__version__", "plot"))
    assert all(f"### `cc.plot.{name}`" in page("reference/figures.md") for name in cc.plot.FIGURES)


def test_every_page_is_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert not [path for path in DOCS.rglob("*.md") if f": {path.relative_to(DOCS).as_posix()}" not in nav]


def test_formulas_are_mathml_with_their_numbers():
    pytest.importorskip("latex2mathml")
    text = mathml.set_formulas('<div class="arithmatex">\\[ a = \\dot q \\tag{1.2} \\]</div>')
    assert "<math" in text
    assert 'id="eq-1.2"' in text
    assert "\\" not in text


@pytest.mark.slow
def test_the_site_is_built_without_warnings_and_works_offline(tmp_path):
    for package in ("mkdocs", "material", "latex2mathml"):
        pytest.importorskip(package, reason="the site is built with the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 40
    fetched = re.compile(
        r'<(?:script|img|iframe|source)[^>]*\bsrc="(?:https?:)?//|<link[^>]*\brel="(?:stylesheet|preconnect|icon)"[^>]*"(?:https?:)?//'
    )
    assert not [path.name for path in pages if fetched.search(path.read_text(encoding="utf-8"))]
    assert not [path.name for path in pages if "arithmatex" in path.read_text(encoding="utf-8")], "formulas left as TeX"
