r"""Formulas of the pages, `$…$` and `$$…$$`, as MathML; `\tag{3.1}` becomes the number at the right."""

import html
import re

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
DISPLAY = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)
TAG = re.compile(r"\\tag\{([^}]*)\}")


def set_formulas(page: str) -> str:
    """The page with its formulas in MathML."""
    page = DISPLAY.sub(lambda found: display(html.unescape(found[1])), page)
    return INLINE.sub(lambda found: convert(html.unescape(found[1]), "inline"), page)


def display(tex: str) -> str:
    """A formula on its own line, with its number where it has one."""
    tag = TAG.search(tex)
    number = f'<span class="number" id="eq-{tag[1]}">({tag[1]})</span>' if tag else ""
    return f'<div class="formula">{convert(TAG.sub("", tex).strip(), "block")}{number}</div>'


def convert(tex: str, how: str) -> str:
    """MathML of a formula."""
    from latex2mathml.converter import convert as to_mathml

    # dots over a symbol are accents, as large as it is, and not scripts
    return to_mathml(tex, display=how).replace("<mover>", '<mover accent="true">')
