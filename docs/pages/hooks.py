"""What the site's builder calls: pages get their generated parts, formulas become MathML, CHANGELOG becomes a page.

A line `<!-- generate: NAME words -->` in a page stands for the text that the function NAME of `GENERATORS` makes of the
program itself (its families, tables, commands, docstrings); so no list in the documentation is kept by hand.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pages import api, catalogue, commands, file_format, mathml, studies_page, variables_page

GENERATORS: dict[str, Callable[..., str]] = {
    "family": catalogue.family,
    "keys": file_format.keys,
    "schema": file_format.tables,
    "commands": commands.reference,
    "studies": studies_page.reference,
    "variables": variables_page.reference,
    "api": api.reference,
    "figures": api.figures,
}
MARK = re.compile(r"^<!-- generate: (\S+)(.*?) -->$", re.MULTILINE)
# What a page says to those who read its source, where the generated parts are missing.
NOTICE = (
    "> Tables of this page are made from the program when the site is built: `python3 run.py docs`, then open "
    "`site/index.html`.\n\n"
)
ROOT = Path(__file__).resolve().parents[2]


def expanded(markdown: str) -> str:
    """A page with its generated parts in it."""
    return MARK.sub(lambda mark: GENERATORS[mark[1]](*mark[2].split()), markdown.replace(NOTICE, ""))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fills in the generated parts before a page is rendered."""
    return expanded(markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Sets formulas in MathML, which browsers draw without scripts, fonts or other hosts."""
    return mathml.set_formulas(html)


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Adds the list of changes, which lives at the root of the project."""
    from mkdocs.structure.files import File

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changes.md", content=text))
    return files
