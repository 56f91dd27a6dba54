"""A film as a page: the player of the reports with nothing else around it."""

from typing import TYPE_CHECKING, Any

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.animation.pace import Pace

if TYPE_CHECKING:
    import xarray as xr

SCRIPTS = ("core.js", "stage.js", "pins.js", "player.js")
START = """
const stage = new Stage(byId("mechanism"), byId("hint"));
Object.assign(stage.view, data.view);
const control = player(stage, new Pins(byId("pins")), null);
addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
if (!still) control.state(true);
"""
STYLE = """
body { padding: 20px max(20px, calc((100vw - 980px) / 2)); }
h1 { font-size: 20px; margin: 0 0 12px; }
.stage { position: static; }
"""


def film_page(ds: "xr.Dataset", pace: Pace, *, title: str | None, width: int, view: tuple[float, float]) -> str:
    """The text of an HTML file that shows the result; it holds everything it needs and asks for nothing."""
    from closedchain.views.report.chapter import Chapter
    from closedchain.views.report.document import document, script_text, style_text
    from closedchain.views.report.markup import el
    from closedchain.views.report.pictures import packed_motions
    from closedchain.views.report.words import script_texts

    name = str(ds.attrs.get("analysis", ""))
    motions = packed_motions([Chapter(name, name, ds)])
    if not motions:
        # What keeps it from being drawn is said by the step that does it.
        from closedchain.views.frames import make_frames

        make_frames(ds)
        raise ClosedChainError(tr("A film needs a motion over time, and this result has none."))
    data: dict[str, Any] = {
        "texts": script_texts(), "motions": motions, "first": name, "view": {"turn": view[1], "lift": view[0]},
        "speed": 0.0 if pace.sampled else pace.speed,
    }  # fmt: skip
    heading = title or motions[0]["frames"]["name"] or "closedchain"
    canvas = el("canvas", id="mechanism", tabindex="0", role="img", aria_label=tr("The mechanism in motion"))
    picture = el("div", canvas, el("p", id="hint", role="status"), class_="view")
    body = el(
        "main",
        el("h1", heading),
        el(
            "figure",
            picture,
            el("div", id="controls", class_="controls"),
            el("div", id="pins", class_="pins"),
            class_="stage",
        ),
        el("noscript", el("p", tr("The moving picture needs JavaScript."))),
    )
    style, script = style_text() + STYLE, script_text(SCRIPTS, START)
    return document(heading, [body], data, style=style, script=script)
