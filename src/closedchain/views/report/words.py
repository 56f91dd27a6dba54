"""Texts that the page's programs show, and words for states."""

from closedchain.language import tr
from closedchain.views.report.chapter import DONE, FAILED, LEFT_OUT, NOT_RUN


def state_words() -> dict[str, str]:
    """State of a study -> how it is called."""
    return {DONE: tr("done"), FAILED: tr("failed"), LEFT_OUT: tr("left out"), NOT_RUN: tr("not run")}


def script_texts() -> dict[str, str]:
    """Texts by the names that the programs know."""
    return {
        "play": tr("Play"),
        "pause": tr("Pause"),
        "time": tr("Time"),
        "speed": tr("Speed"),
        "real": tr("real time"),
        "slower": tr("{n} times slower", n="#"),
        "faster": tr("{n} times faster", n="#"),
        "study": tr("Study"),
        "studies": tr("Studies"),
        "names": tr("Names"),
        "paths": tr("Paths"),
        "forces": tr("Contact forces"),
        "reset": tr("Reset view"),
        "wheel": tr("Hold Ctrl to zoom with the wheel, or click the picture first."),
        "quantities": tr("Quantities"),
        "zoomin": tr("Zoom in"),
        "zoomout": tr("Zoom out"),
        "all": tr("Show all"),
        "none": tr("Nothing is chosen. Choose a quantity and a study."),
        "drawing": tr("Drawing of #"),
        "clearance": tr("clearance"),
        "dark": tr("Dark"),
        "light": tr("Light"),
        "copied": tr("Copied"),
        "showall": tr("all"),
        "hideall": tr("none"),
        "csv": tr("Save as CSV"),
        "samples": tr("sample"),
    }
