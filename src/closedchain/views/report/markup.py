"""HTML built from elements: text is escaped by construction, only what an element made counts as markup."""

import json
from html import escape
from typing import Any

# Elements without content.
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "col"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def text(content: Any) -> Html:
    """Anything as markup: text escaped, markup as it is, lists one after another, None as nothing."""
    if isinstance(content, Html):
        return content
    if content is None:
        return Html("")
    if isinstance(content, list | tuple):
        return Html("".join(text(each) for each in content))
    return Html(escape(str(content), quote=True))


def el(name: str, /, *content: Any, **attributes: Any) -> Html:
    """An element; attributes `class_` and `data_x` mean class and data-x; None and False leave one out.

    >>> el("p", "a < b", class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b</p>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(key if value is True else f'{key}="{escape(str(value), quote=True)}"')
    start = f"<{' '.join(parts)}>"
    return Html(start if name in _VOID else f"{start}{text(content)}</{name}>")


def data_block(name: str, value: Any) -> Html:
    """A script element that holds data: no sign inside can end the element, open a comment or break a line."""
    said = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        said = said.replace(sign, f"\\u{ord(sign):04x}")
    return Html(f'<script type="application/json" id="{escape(name, quote=True)}">{said}</script>')
