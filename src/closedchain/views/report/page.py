"""The page itself: one HTML file that holds its styles, its programs and its data and asks for nothing else."""

import shlex
import time
from collections.abc import Sequence
from typing import Any

from closedchain.language import as_is, plural, tr
from closedchain.views.report import mobility
from closedchain.views.report.assumptions import assumptions
from closedchain.views.report.chapter import DONE, Chapter, motions
from closedchain.views.report.curves import packed_curves, quantities, usual
from closedchain.views.report.document import document, script_text, style_text
from closedchain.views.report.headline import headline
from closedchain.views.report.markup import Html, el
from closedchain.views.report.others import others
from closedchain.views.report.pictures import packed_motions
from closedchain.views.report.sections import SECTIONS, Figure
from closedchain.views.report.table import Table, render
from closedchain.views.report.words import script_texts, state_words

SCRIPTS = ("core.js", "paper.js", "stage.js", "pins.js", "plot.js", "curves.js", "player.js", "main.js")
HEADLINES = 5


def make_page(m: Any, chapters: Sequence[Chapter], *, title: str, commands: Sequence[str]) -> str:
    """The report as the text of an HTML file.

    m: the mechanism, None where it cannot be read. chapters: the studies in order. commands: how to do it again.
    """
    moving = motions(chapters)
    found = mobility.mobility_of(m)
    curves = packed_curves(moving)
    data = {
        "texts": script_texts(),
        "motions": packed_motions(moving),
        "curves": curves,
        "usual": usual(curves),
        "order": list(quantities()),
        "first": first_shown(moving),
        "file": file_name(title),
    }
    body = [
        el("a", tr("Skip to the findings"), href="#findings", class_="skip"),
        top(title, bool(moving), any(c.ds is not None and not c.moves for c in chapters)),
        el(
            "main",
            overview(m, found, chapters, moving, title),
            key_figures(found, moving),
            curve_section() if moving else None,
            other_section(chapters),
            study_section(chapters),
            el("section", el("h2", tr("Assumptions and settings")), assumptions(m, chapters), id="assumptions"),
            reproduce(m, chapters, title, commands),
        ),
        el("footer", el("p", tr("Made by closedchain; works offline, asks for nothing from the network."))),
        el(
            "noscript",
            el("p", tr("Without JavaScript the tables are complete; the moving picture and the curves need it.")),
        ),
    ]
    return document(title, body, data, style=style_text(), script=script_text(SCRIPTS))


def top(title: str, moving: bool, more: bool) -> Html:
    """The bar that stays at the top: where to go, light or dark, print."""
    places = [("overview", tr("Overview")), ("figures", tr("Key figures"))]
    places += [("curves", tr("Curves"))] * moving + [("results", tr("Further results"))] * more
    places += [("studies", tr("Studies")), ("assumptions", tr("Assumptions")), ("reproduce", tr("Reproduce"))]
    return el(
        "header",
        el(
            "nav",
            el("ul", [el("li", el("a", text, href=f"#{place}")) for place, text in places]),
            aria_label=tr("Contents"),
        ),
        el(
            "div",
            el("button", tr("Print"), type="button", id="print"),
            el("button", tr("Dark"), type="button", id="theme", aria_pressed="false"),
            class_="tools",
        ),
        class_="top",
    )


def overview(m: Any, found: Any, chapters: Sequence[Chapter], moving: Sequence[Chapter], title: str) -> Html:
    """Name, headline figures, the moving picture and the findings beside it."""
    headline = mobility.figure(m, found) if found is not None else []
    for section in SECTIONS:
        headline += section.figures(moving)
    return el(
        "section",
        el(
            "div",
            el("h1", title),
            el("p", about(m, chapters), class_="about"),
            el("p", m.description, class_="description") if m is not None and m.description else None,
            class_="title",
        ),
        el("dl", [headline_figure(each) for each in headline[:HEADLINES]], class_="headline") if headline else None,
        el("div", stage() if moving else None, finding_list(m, found, chapters, moving), class_="hero"),
        id="overview",
    )


def about(m: Any, chapters: Sequence[Chapter]) -> str:
    """What it is in one line."""
    parts = []
    if m is not None:
        parts = [
            tr("planar mechanism") if m.planar else tr("spatial mechanism"),
            plural(len(m.bodies) - 1, "{n} moving body", "{n} moving bodies"),
            plural(len(m.joints), "{n} joint", "{n} joints"),
        ]
    parts += [plural(len(chapters), "{n} study", "{n} studies"), time.strftime("%Y-%m-%d")]
    return " · ".join(parts)


def headline_figure(each: Figure) -> Html:
    """A number at the head of the page."""
    return el(
        "div", el("dt", each.label), el("dd", el("b", each.value), el("span", each.where) if each.where else None)
    )


def stage() -> Html:
    """The place of the moving picture; the programs fill it."""
    return el(
        "figure",
        el(
            "div",
            el("canvas", id="mechanism", tabindex="0", role="img", aria_label=tr("The mechanism in motion")),
            el("p", id="hint", role="status"),
            class_="view",
        ),
        el("div", id="controls", class_="controls"),
        el("div", id="pins", class_="pins"),
        el("figcaption", id="instant"),
        class_="stage",
    )


def finding_list(m: Any, found: Any, chapters: Sequence[Chapter], moving: Sequence[Chapter]) -> Html:
    """What was found, subject by subject, problems first."""
    groups: list[tuple[str, list[str], str]] = []
    states = state_words()
    bad = [
        tr("{study}: {state}. {sentence}", study=chapter.name, state=states[chapter.state], sentence=chapter.sentence)
        for chapter in chapters
        if chapter.state != DONE
    ]
    if bad:
        groups.append((tr("Not done"), bad, "bad"))
    if found is not None:
        groups.append((tr("Freedoms"), mobility.findings(m, found), ""))
    groups += [(as_is(section.subject), section.findings(moving), "") for section in SECTIONS]
    rows = [
        el("div", el("dt", subject), [el("dd", sentence) for sentence in sentences], class_=look or None)
        for subject, sentences, look in groups
        if sentences
    ]
    return el("div", el("h2", tr("Findings")), el("dl", rows), id="findings", class_="findings")


def key_figures(found: Any, moving: Sequence[Chapter]) -> Html:
    """All tables of numbers."""
    tables: list[Table] = [table for section in SECTIONS for table in section.tables(moving)]
    tables += mobility.tables(found) if found is not None else []
    none = el("p", tr("No study has a motion over time."), class_="note") if not moving else None
    body = el("div", [render(table) for table in tables], class_="tables")
    return el("section", el("h2", tr("Key figures")), none, body, id="figures")


def curve_section() -> Html:
    """The place of the interactive curves."""
    return el(
        "section",
        el("h2", tr("Curves")),
        el(
            "p",
            tr(
                "Drag over a drawing to zoom, double-click to see all again; point at a curve to read it, click to "
                "show that instant above."
            ),
            class_="note screen",
        ),
        el("div", id="curve-tools", class_="curve-tools"),
        el(
            "div",
            el("div", id="quantities", class_="quantities"),
            el("div", id="panels", class_="panels"),
            class_="curve-body",
        ),
        id="curves",
    )


def other_section(chapters: Sequence[Chapter]) -> Html | None:
    """Results that are no motion."""
    found = others(chapters)
    return el("section", el("h2", tr("Further results")), found, id="results") if found else None


def study_section(chapters: Sequence[Chapter]) -> Html:
    """Every study with its state, its sentence and its files."""
    states = state_words()
    with_files = any(chapter.files for chapter in chapters)
    head = [tr("Study"), tr("Analysis"), tr("State"), tr("In one line"), *([tr("Files")] if with_files else [])]
    rows = [
        el(
            "tr",
            el("th", chapter.name, scope="row", class_="words"),
            el("td", chapter.kind.replace("_", " "), class_="words"),
            el(
                "td",
                el("span", states[chapter.state], class_=f"state {'ok' if chapter.state == DONE else 'bad'}"),
                class_="words",
            ),
            el("td", headline(chapter), class_="words wide"),
            el("td", file_list(chapter), class_="words files") if with_files else None,
        )
        for chapter in chapters
    ]
    table = el(
        "table",
        el("thead", el("tr", [el("th", text, scope="col", class_="words") for text in head])),
        el("tbody", rows),
    )
    return el(
        "section",
        el("h2", tr("Studies")),
        el("div", table, class_="scroll", tabindex="0", role="region", aria_label=tr("Studies")),
        id="studies",
    )


def reproduce(m: Any, chapters: Sequence[Chapter], title: str, commands: Sequence[str]) -> Html:
    """The commands, and the mechanism file itself."""
    text = next(
        (str(c.ds.attrs["mechanism"]) for c in chapters if c.ds is not None and c.ds.attrs.get("mechanism")), ""
    )
    text = m.to_text() if m is not None else text
    tables = ", ".join(m.tables) if m is not None and m.tables else ""
    # the name that the commands use, so that they work as they stand
    name = next((word for line in commands for word in shlex.split(line) if word.endswith(".toml")), file_name(title))
    return el(
        "section",
        el("h2", tr("How to reproduce")),
        el("p", tr("Save the mechanism file below as {name}, then:", name=name)),
        el("pre", el("code", "\n".join(commands)), tabindex="0"),
        el("p", tr("The file reads these tables, which belong beside it: {tables}.", tables=tables), class_="note")
        if tables
        else None,
        el(
            "div",
            el("h3", name),
            el(
                "div",
                el("button", tr("Copy"), type="button", id="copy"),
                el("button", tr("Download"), type="button", id="download"),
                class_="tools",
            ),
            class_="file-head",
        ),
        el("pre", el("code", text, id="file"), tabindex="0", class_="file"),
        id="reproduce",
    )


def first_shown(moving: Sequence[Chapter]) -> str:
    """The study that the picture shows at first: the last one with play, else the first."""
    loose = [chapter.name for chapter in moving if chapter.data.sizes.get("loose_joint")]
    return (loose[-1:] or [chapter.name for chapter in moving[:1]] or [""])[0]


def file_list(chapter: Chapter) -> str:
    """The files of a study: data by name, figures by number."""
    pictures = sum(name.endswith(".svg") for name in chapter.files)
    data = [name for name in chapter.files if not name.endswith((".svg", ".png"))]
    return ", ".join([*data, *([plural(pictures, "{n} figure", "{n} figures")] if pictures else [])])


def file_name(title: str) -> str:
    """A file name for the mechanism of this title."""
    import re

    return (re.sub(r"[^A-Za-z0-9_-]+", "_", title).strip("_")[:60] or "mechanism") + ".toml"
