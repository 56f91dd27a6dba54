import html
import json
import re
import shutil
import sys

import numpy as np
import pytest
from PIL import Image

import closedchain as cc
from closedchain.views.animation import formats
from closedchain.views.animation.film import pictures
from closedchain.views.animation.pace import find_pace, usual_speed

LOOK = {"title": None, "width": 320, "view": (22.0, -60.0)}


def film(ds, **options):
    """Pictures of a small film."""
    return np.stack(list(pictures(ds, find_pace(ds, options.pop("fps", 10.0), options.pop("speed", 1.0)), **LOOK)))


def test_gif_runs_as_long_as_the_motion(result, tmp_path):
    path = cc.animate(result("kinematics"), tmp_path / "film.gif", fps=10, speed=1.0, width=240)
    with Image.open(path) as gif:
        total, count = 0, getattr(gif, "n_frames", 1)
        for number in range(count):
            gif.seek(number)
            total += gif.info["duration"]
        assert gif.size[0] == 240
        assert count > 5, "pictures that are alike may be one that stays longer"
        assert gif.info["loop"] == 0
    assert total == pytest.approx(1000 * (0.85 + 0.1), abs=60)


def test_things_move_and_what_stands_still_stays(result):
    shots = film(result("kinematics"))
    changed = np.ptp(shots.astype(int), axis=0).max(axis=-1) > 40
    assert 0.005 < changed.mean() < 0.5
    assert not changed[:12].any(), "the upper edge with the title stands still"


def test_films_show_samples_and_nothing_between(result):
    ds = result("kinematics")
    few = ds.isel(time=[0, 40])
    shots = film(few, fps=20.0)
    times = find_pace(few, 20.0, 1.0).times
    early = [k for k, t in enumerate(times) if t < 0.42]
    body = shots[:, : int(0.9 * shots.shape[1])]  # without the clock
    assert all(np.array_equal(body[k], body[early[0]]) for k in early)


@pytest.mark.parametrize("kind", ["loose", "spatial", "swing", "instant"])
def test_results_of_every_kind_make_a_film(kind, result, tmp_path):
    ds = result(kind)
    for suffix in (".gif", ".html"):
        path = cc.animate(ds.isel(time=slice(0, 4)), tmp_path / f"film{suffix}", width=200)
        assert path.stat().st_size > 1000


def test_a_run_that_starts_late_starts_late(result, tmp_path):
    ds = result("kinematics").isel(time=slice(20, None))
    assert find_pace(ds, 10.0, 1.0).times[0] == pytest.approx(float(ds.time[0]))
    page = cc.animate(ds, tmp_path / "film.html").read_text(encoding="utf-8")
    assert data_of(page)["motions"][0]["frames"]["times"][0] == pytest.approx(float(ds.time[0]))


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_page_asks_nobody_and_names_are_text(result, tmp_path):
    ds = result("swing")
    page = cc.animate(ds, tmp_path / "film.html", title="</script><b>", speed=0.5).read_text(encoding="utf-8")
    assert "default-src 'none'" in html.unescape(page)
    assert not re.search(r"(src|href)=.?https?:", page)
    assert "<b>" not in page
    assert data_of(page)["speed"] == 0.5


def test_page_plays_in_a_browser(result, tmp_path):
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    path = cc.animate(result("loose"), tmp_path / "film.html")
    said = []
    with playwright.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(path.as_uri())
        page.locator("#time").wait_for()
        before = page.locator("#time").input_value()
        page.wait_for_function("(old) => document.getElementById('time').value !== old", arg=before, timeout=10_000)
        page.locator("#play").click()
        assert page.locator("canvas").first.is_visible()
        chromium.close()
    assert not said


@pytest.mark.skipif(shutil.which("ffmpeg") is None and "imageio_ffmpeg" not in sys.modules, reason="no ffmpeg")
def test_mp4_holds_every_picture(result, tmp_path):
    path = cc.animate(result("kinematics"), tmp_path / "film.mp4", fps=10, speed=1.0, width=201)
    data = path.read_bytes()
    assert data[4:8] == b"ftyp"
    place = data.index(b"stsz")  # the box that counts the pictures
    assert int.from_bytes(data[place + 12 : place + 16], "big") == len(find_pace(result("kinematics"), 10, 1.0).times)


def test_without_an_encoder_one_sentence_says_what_to_install(result, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(formats.shutil, "which", lambda name: None)
    with pytest.raises(cc.ClosedChainError, match="pip install imageio-ffmpeg"):
        cc.animate(result("kinematics"), tmp_path / "film.mp4")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"path": "film.avi"}, r"\.gif, \.mp4, \.html"),
        ({"fps": 0}, "pictures per second"),
        ({"speed": 0}, "above zero"),
        ({"speed": 1e-9}, "raise speed"),
        ({"width": 5}, "pixels"),
    ],
)
def test_wrong_wishes_are_answered(options, words, result, tmp_path):
    path = tmp_path / options.pop("path", "film.gif")
    with pytest.raises(cc.ClosedChainError, match=words):
        cc.animate(result("kinematics"), path, **options)
    assert not path.exists()


def test_results_that_do_not_move_are_answered(result, tmp_path):
    for kind in ("section", "modes"):
        for suffix in (".gif", ".html"):
            with pytest.raises(cc.ClosedChainError, match="motion over time"):
                cc.animate(result(kind), tmp_path / f"film{suffix}")


def test_paces_are_round_and_last_about_as_long_as_one_watches():
    for span in 10.0 ** np.linspace(-6, 6, 49):
        speed = usual_speed(span)
        assert 2.0 <= span / speed <= 20.0
        assert float(f"{speed:.0e}") == speed


def test_delays_keep_time_on_the_whole():
    for fps in (7.0, 24.0, 25.0, 30.0, 50.0, 60.0):
        assert sum(formats.delays(300, fps)) == pytest.approx(1000 * 300 / fps, abs=10)
