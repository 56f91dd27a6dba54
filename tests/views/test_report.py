"""Reports: numbers against what the datasets hold, packed curves, escaping, results that are no motion, failures."""

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.language import using
from closedchain.views.report import write_report
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.curves import packed_curves
from closedchain.views.report.headline import headline
from closedchain.views.report.markup import Html, data_block, el
from closedchain.views.report.pictures import frames_of
from closedchain.views.report.readable import number, rough, show, unit_for
from closedchain.views.report.sections import SECTIONS, contacts, numerics, outputs, reactions
from closedchain.views.report.table import numbers
from closedchain.views.report.thinning import ERROR, telling

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name):
    return cc.load(EXAMPLES / name / "mechanism.toml")


@pytest.fixture(scope="module")
def loose():
    """An ideal and a loose run, as chapters."""
    m = example("shift_manipulator")
    ideal, loose = (cc.simulate(m, 0.02, clearance=each) for each in (False, ["B1"]))
    return [Chapter("ideal", "simulate", ideal), Chapter("loose", "simulate", loose)]


class Words(HTMLParser):
    """The text of a page without its scripts and styles; every element must be closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.tags = [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


def read(path):
    page = path.read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    return Words(page), data


def floats(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def samples(channel, count):
    """The values of a packed channel at all samples, straight lines between those that are kept."""
    values = floats(channel["y"])
    if "i" not in channel:
        return values
    return np.interp(np.arange(count), np.frombuffer(base64.b64decode(channel["i"]), dtype="<u2"), values)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0123456, "m", "12.3\u202fmm"),
        (-2.5e-6, "m", "\u22122.50\u202fµm"),
        (12.0, "m", "12.0\u202fm"),
        (np.pi / 6, "rad", "30.0°"),
        (0.05, "N*m", "50.0\u202fmN·m"),
        (123456.0, "N", "123\u202fkN"),
        (0.0, "m", "0\u202fmm"),
        (float("nan"), "N", "–\u202fN"),
        (float("-inf"), "1", "\u2212∞"),
        (3.14e-9, "1", "3.14\u202f×\u202f10⁻⁹"),
        (0.99996, "1", "1.00"),
    ],
)
def test_numbers_are_shown_in_readable_units(value, unit, text):
    assert show(value, unit) == text


def test_every_number_can_be_read_back():
    for value in 10.0 ** np.linspace(-12, 12, 97) * 1.2345:
        shown = (
            number(float(value), 4)
            .replace("\u202f×\u202f10", "e")
            .translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
        )
        assert float(shown) == pytest.approx(value, rel=6e-3)
        assert (
            float(unit_for("m", value).number(value).translate(str.maketrans("", "", "\u202f×")).split("10")[0] or 0)
            > 0
        )
    assert rough(4.2e-12) == "4\u202f×\u202f10⁻¹²"


def test_columns_share_their_decimals_and_unit():
    column = numbers("force", [12.345, -0.5, 0.0], "N")
    assert (column.cells, column.unit) == (["12.35", "\u22120.50", "0"], "N")
    mixed = numbers("effort", [1.0, 2.0], ["N*m", "N"])
    assert (mixed.unit, mixed.cells[1]) == ("", "2.00\u202fN")
    assert numbers("nothing", [], "N").cells == []


def test_markup_escapes_everything_but_markup():
    evil = "<b>&\"'</script><!--"
    assert el("p", evil, title=evil).count("<") == 2
    assert "<b>" in el("p", Html("<b>x</b>"))
    block = data_block("data", {evil: [evil, "\u2028"]})
    inner = block[block.index(">") + 1 : block.rindex("<")]
    assert not set("<>&\u2028\u2029") & set(inner)
    assert json.loads(inner) == {evil: [evil, "\u2028"]}


def test_thinned_curves_stay_within_a_fraction_of_a_pixel():
    x = np.sort(np.random.default_rng(1).uniform(0.0, 2.0, 4001))
    smooth = np.sin(5.0 * x)
    spikes = np.where(np.abs(x - 0.7) < 1e-3, 1.0 + 50.0 * np.abs(x - 0.7), 0.01 * smooth)
    ramp, flat = 3.0 * x - 1.0, np.full_like(x, 2.5)
    curves = np.stack([smooth, spikes, ramp, flat, x > 1.234], axis=1)
    kept = telling(x, curves)
    assert kept[0].all()
    assert kept[-1].all()
    for mask, values in zip(kept.T, curves.T, strict=True):
        shown = np.interp(x, x[mask], values[mask])
        assert np.abs(shown - values).max() <= 4.0 * ERROR * max(np.ptp(values), 1e-30)
        assert {values.min(), values.max()} <= set(values[mask])
    counts = kept.sum(axis=0)
    assert counts[0] < 600
    assert (counts[2:] < 40).all()
    assert telling(x[:150], curves[:150]).all()


def test_gaps_of_curves_stay_gaps():
    x = np.linspace(0.0, 1.0, 1001)
    y = np.where((x > 0.3) & (x < 0.4), np.nan, x)
    mask = telling(x, y[:, None])[:, 0]
    assert mask[np.isnan(y)].all()
    assert mask[[300, 400]].all()
    assert mask.sum() < 250


def test_curves_hold_the_values_of_the_result(loose):
    packed = packed_curves(loose)
    groups = {group["id"]: group for group in packed[1]["groups"]}
    position = next(group for name, group in groups.items() if name.startswith("position"))
    assert position["unit"] == "mm"
    x = next(channel for channel in position["channels"] if channel["name"] == "tip x")
    expected = loose[1].data.position.sel(point="tip", axis="x").values
    assert samples(x, len(expected)) == pytest.approx(1e3 * expected, abs=2e-4 * 1e3 * np.ptp(expected))
    assert floats(packed[1]["t"]) == pytest.approx(loose[1].data.time.values, rel=1e-6, abs=1e-9)
    force = next(group for name, group in groups.items() if name.startswith("contact_force"))
    size = next(channel for channel in force["channels"] if channel["on"])
    norm = np.linalg.norm(loose[1].data.contact_force.values[:, 0], axis=-1)
    assert samples(size, len(norm)) == pytest.approx(norm, abs=2e-4 * norm.max())
    assert samples(size, len(norm)).max() == pytest.approx(norm.max(), rel=1e-6)
    assert position["id"] in {group["id"] for group in packed[0]["groups"]}, "studies can be laid over each other"


def test_pictures_are_those_of_every_frame(loose):
    """The short way to frames gives what the long one does."""
    from closedchain.views.frames import make_frames

    short, long = frames_of(loose[1]), make_frames(loose[1].data, 240)
    assert short.places == pytest.approx(long.places, abs=1e-12)
    assert short.times == pytest.approx(long.times)
    for name in long.outputs:
        assert short.outputs[name] == pytest.approx(long.outputs[name], abs=1e-12)
    for name, (place, force) in long.forces.items():
        assert short.forces[name][0] == pytest.approx(place, abs=1e-9)
        assert short.forces[name][1] == pytest.approx(force)


def test_figures_of_contacts_and_errors(loose):
    ds = loose[1].data
    found = contacts.facts(loose[1], "B1")
    assert found["count"] == ds.sizes["contact"]
    assert found["speed"] == pytest.approx(float(ds.contact_speed.max()))
    touching = ds.in_contact.values[:, 0].astype(float)
    assert found["share"] == pytest.approx(np.trapezoid(touching, ds.time.values) / 0.02, abs=0.01)
    [(chapter, ideal, errors)] = outputs.comparisons(loose)
    assert (chapter.name, ideal.name) == ("loose", "ideal")
    distance = np.linalg.norm((ds.position - loose[0].data.position).values, axis=-1)
    assert outputs.worst(errors)[1] == pytest.approx(distance.max())
    coarse = Chapter("ideal", "simulate", loose[0].data.isel(time=slice(0, None, 4)))
    [(_, _, fewer)] = outputs.comparisons([coarse, loose[1]])
    assert fewer.sizes["time"] == 251, "results with other samples are compared where they share instants"
    joint, force, at = reactions.heaviest(loose[1])
    assert force == pytest.approx(float(np.linalg.norm(ds.reaction_force.sel(joint=joint, time=at).values)))


def test_warnings_come_first(loose):
    broken = loose[0].data.copy(deep=True)
    broken["closure"][:] = 1e-3
    broken["input_work"][-1] += 1.0
    said = numerics.findings([Chapter("bad", "simulate", broken)])
    assert len(said) == 2
    assert "bad" in said[0]
    assert "do not trust" in headline(Chapter("bad", "simulate", broken))
    assert numerics.warnings(loose) == []


def test_a_page_of_one_result(tmp_path):
    m = example("four_bar")
    ds = cc.kinematics(m, np.linspace(0, 1, 5))
    words, data = read(cc.report(ds, tmp_path / "deep" / "one.html"))
    text = " ".join(words.text)
    assert "four-bar" in text
    assert "kinematics(m, np.linspace(0, 1, 5))" in text
    assert [study["study"] for study in data["curves"]] == ["kinematics"]
    assert len(data["motions"][0]["frames"]["times"]) == 5
    policies = [each["content"] for tag, each in words.tags if each.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policies[0]
    assert not [tag for tag, each in words.tags if "style" in each or any(name.startswith("on") for name in each)]
    addresses = [str(each.get("src", each.get("href", "#"))) for _, each in words.tags]
    assert all(address[0] == "#" or address.startswith("data:") for address in addresses)


def test_lists_are_named_by_their_analyses(tmp_path):
    ds = cc.kinematics(example("four_bar"), [0.0, 0.5])
    _, data = read(cc.report([ds, ds], tmp_path / "two.html"))
    assert [study["study"] for study in data["curves"]] == ["kinematics", "kinematics 2"]
    with pytest.raises(cc.ClosedChainError, match="at least one"):
        cc.report([], tmp_path / "none.html")
    with pytest.raises(cc.ClosedChainError, match="give datasets"):
        cc.report([1], tmp_path / "none.html")  # type: ignore[list-item]


@pytest.mark.parametrize("kind", ["instant", "spatial", "modes", "section", "diagram", "swing", "still", "deviation"])
def test_every_kind_of_result_has_a_report(tmp_path, result, kind):
    ds = result(kind)
    words, _ = read(cc.report(ds, tmp_path / "page.html"))
    assert str(ds.attrs["analysis"]).replace("_", " ") in " ".join(words.text)


def test_states_of_studies_are_told(tmp_path):
    m = example("four_bar")
    chapters = [
        Chapter("good", "kinematics", cc.kinematics(m, [0.0, 0.1])),
        Chapter("bad", "simulate", None, "failed", "it does <not> work."),
        Chapter("late", "simulate", None, "not run", "interrupted."),
    ]
    words, _ = read(write_report(tmp_path / "page.html", chapters, mechanism=m, commands=["closedchain run x.toml"]))
    text = " ".join(words.text)
    assert "bad: failed. it does <not> work." in text
    assert "late: not run." in text
    assert "closedchain run x.toml" in text
    assert "Save the mechanism file below as x.toml" in text
    words, _ = read(write_report(tmp_path / "empty.html", chapters[1:], mechanism=m))
    assert "No study has a motion over time." in " ".join(words.text)


def test_a_mechanism_that_cannot_be_read_costs_only_its_picture(tmp_path):
    ds = cc.kinematics(example("four_bar"), [0.0, 0.1])
    ds.attrs["mechanism"] = "no mechanism"
    words, data = read(cc.report(ds, tmp_path / "page.html", title="Orphan"))
    assert data["motions"] == []
    assert "Motion of the outputs" in " ".join(words.text)


def test_reports_speak_chinese(tmp_path):
    ds = cc.inverse_dynamics(example("four_bar"), np.linspace(0, 1, 5))
    with using("zh"):
        words, data = read(cc.report(ds, tmp_path / "zh.html"))
    assert ("html", {"lang": "zh-CN"}) in words.tags
    assert "主要结论" in " ".join(words.text)
    assert data["texts"]["play"] == "播放"
    with using("zh"):
        assert not [
            s for each in SECTIONS for s in each.findings([Chapter("x", "inverse_dynamics", ds)]) if "hardest" in s
        ]
