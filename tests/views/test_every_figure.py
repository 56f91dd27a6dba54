"""What holds for every figure of every result: it draws what it says it fits, legibly, and changes nothing else."""

import io
from itertools import combinations

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import closedchain as cc
from closedchain.language import using

KINDS = (
    "inverse", "spatial", "loose", "deviation", "swing", "modes", "section", "diagram", "swept",
    "instant",
    "still",
)  # fmt: skip
FITTING = {
    "against_ideal": "loose", "bearing_load": "inverse", "bifurcation": "diagram", "channels": "swing",
    "contacts": "loose", "drive_sizing": "inverse", "efforts": "loose", "endpoint_error": "deviation",
    "energy": "swing", "mechanism": "kinematics", "mode_shapes": "modes", "orbit": "loose", "phase": "swing",
    "poincare": "section", "reactions": "inverse", "sweep": "swept",
}  # fmt: skip


def draw(name, ds, **look):
    """A figure by its own function."""
    figure = cc.plot.FIGURES[name].draw
    if name == "mechanism":
        return figure(cc.Mechanism.from_dict({"bodies": {"ground": {}}, "joints": {}}), **look)
    return figure(ds, *(("q.A", "qd.A") if name == "phase" else ()), **look)


def texts(figure):
    """Printed texts of a figure with their boxes in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    unseen = {id(text) for ax in figure.axes for text in labels_out_of_view(ax)}
    found = [text for text in figure.findobj(Text) if text.get_visible() and id(text) not in unseen]
    boxes = [(text, text.get_window_extent(renderer)) for text in found if text.get_text().strip()]
    return [(text, box) for text, box in boxes if box.width > 1]


def labels_out_of_view(ax):
    """Labels of ticks that are not printed."""
    for axis in ax._axis_map.values():
        drawn = axis._update_ticks() if ax.axison else []
        for tick in {*axis.get_major_ticks(), *axis.get_minor_ticks()} - {*drawn}:
            yield from (tick.label1, tick.label2)
        if not ax.axison:
            yield axis.label
    if hasattr(ax, "get_zlabel"):
        yield from ax.texts  # placed while they are drawn


def cut_off(figure, printed):
    """Texts that reach beyond a figure's edge."""
    edge = figure.bbox
    return [
        text.get_text()
        for text, box in printed
        if min(box.x0, box.y0) < -1 or box.x1 > edge.x1 + 1 or box.y1 > edge.y1 + 1
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_figures_draw_what_they_fit_and_say_what_they_lack(kind, result):
    ds = result(kind)
    for name, entry in cc.plot.FIGURES.items():
        if not entry.fits(ds):
            with pytest.raises(cc.ClosedChainError):
                entry.of_result(ds, [])
            continue
        figure = entry.of_result(ds, [])
        printed = texts(figure)
        assert printed, name
        assert not cut_off(figure, printed), name
        assert min(float(text.get_fontsize()) for text, _ in printed) >= 6, name
        assert not [text for text, _ in printed if "1e" in text.get_text()], f"{name}: powers of ten belong to the unit"
        if name != "mechanism":  # there two joints may stand as near as they like
            for (one, a), (other, b) in combinations(printed, 2):
                apart = a.x1 < b.x0 + 1.5 or b.x1 < a.x0 + 1.5 or a.y1 < b.y0 + 1.5 or b.y1 < a.y0 + 1.5
                assert apart, f"{name}: {one.get_text()!r} and {other.get_text()!r} overprint"


@pytest.mark.parametrize("name", FITTING)
def test_widths_and_titles_mean_the_same_everywhere(name, result):
    ds = result(FITTING[name])
    for width, inches in (("one-column", 3.35), (4.5, 4.5)):
        before = dict(matplotlib.rcParams)
        figure = draw(name, ds, width=width, title="$5 _x")
        assert dict(matplotlib.rcParams) == before, "settings of the user stand"
        assert figure.get_figwidth() == pytest.approx(inches)
        printed = texts(figure)
        assert any(r"\$5 _x" in text.get_text() for text, _ in printed)
        assert not cut_off(figure, printed), width
    file = io.StringIO()
    figure.savefig(file, format="svg")
    assert file.getvalue().count("<image") <= (name == "orbit"), "pictures are vectors, but for the bar of colours"
    assert len(file.getvalue()) < 300_000
    with pytest.raises(ValueError, match="one-column"):
        draw(name, ds, width="wide")


def test_every_figure_is_drawn_here():
    assert set(FITTING) == set(cc.plot.FIGURES)


@pytest.mark.parametrize("name", ["efforts", "energy", "reactions"])
def test_figures_speak_the_readers_language_where_a_font_has_its_signs(name, result, monkeypatch):
    from closedchain.views.plots import style

    ds = result(FITTING[name])
    monkeypatch.setattr(style, "faces", lambda: ("DejaVu Sans",))
    with using("zh"):
        labels = [ax.get_ylabel() for ax in draw(name, ds).axes]
    assert not any(has_chinese(label) for label in labels), "signs without a font are worse than English"
    monkeypatch.setattr(style, "faces", lambda: ("DejaVu Sans", "DejaVu Serif"))
    with using("zh"):
        labels = [ax.get_ylabel() for ax in draw(name, ds).axes]
    assert all(has_chinese(label) for label in labels)


def has_chinese(text):
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)
