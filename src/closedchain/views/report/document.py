"""An HTML document that holds its styles, its programs and its data, and asks for nothing else."""

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import Any

from closedchain.language import current
from closedchain.views.report.markup import Html, data_block, el


def document(title: str, body: Sequence[Any], data: dict[str, Any], *, style: str, script: str) -> str:
    """The text of the file; a policy in it forbids every request and every program but its own."""
    policy = (
        f"default-src 'none'; img-src data:; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        # Without it a browser asks the server of the page for an icon.
        el("link", rel="icon", href="data:,"),
        el("title", title),
        el("style", Html(style)),
    )
    whole = el("body", *body, data_block("data", data), el("script", Html(script)))
    return f"<!doctype html>\n{el('html', head, whole, lang='zh-CN' if current() == 'zh' else current())}\n"


def style_text() -> str:
    """The styles of a page."""
    return static("page.css")


def script_text(names: Sequence[str], last: str = "") -> str:
    """The programs of a page, one after another in a scope of their own; `last`: what starts them."""
    parts = "\n".join(static(name) for name in names)
    return f'(() => {{\n"use strict";\n{parts}\n{last}}})();\n'


def static(name: str) -> str:
    """A file of the page."""
    return (resources.files("closedchain.views.report") / "static" / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """The hash by which the page's policy knows its own parts."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
