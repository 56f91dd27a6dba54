"""The viewer in a real browser: it draws, its sliders and grips move the mechanism, and it asks no other host."""

import io
from urllib.parse import urlsplit

import numpy as np
import pytest

import closedchain as cc

pytest.importorskip("viser", reason="the viewer is an extra: pip install 'closedchain[viewer]'")


@pytest.fixture(scope="module")
def visit(chromium):
    """The page of a four-bar, with what went wrong on it and which hosts it asked."""
    viewer = cc.view(cc.load("examples/four_bar/mechanism.toml"), port=0, open_browser=False, block=False)
    page = chromium.new_page(viewport={"width": 760, "height": 420})
    page.set_default_timeout(120_000)
    errors, hosts = [], set()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.on("websocket", lambda socket: hosts.add(urlsplit(socket.url).netloc))
    try:
        page.goto(viewer.url)
        page.get_by_text("Find assembly modes").wait_for()
        yield viewer, page, errors, hosts
    finally:
        page.close()
        viewer.stop()


def pixels(page):
    import matplotlib.image

    return matplotlib.image.imread(io.BytesIO(page.screenshot()), format="png")[..., :3]


def coloured(image):
    """Share of the stage, left of the panel, whose colour is no shade of grey."""
    stage = image[:, :400]
    return float(np.mean(np.ptp(stage, axis=2) > 0.15))


def until(page, met, seconds=60.0):
    """Waits until something holds."""
    for _ in range(int(seconds / 0.2)):
        if met():
            return True
        page.wait_for_timeout(200)
    return False


def test_the_mechanism_is_drawn(visit):
    _, page, _, _ = visit
    assert until(page, lambda: coloured(pixels(page)) > 0.01)


def test_a_slider_of_the_page_turns_the_crank(visit):
    viewer, page, _, _ = visit
    start = viewer.pose["A"]
    page.get_by_role("slider").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert until(page, lambda: viewer.pose["A"] > start + 0.005)
    viewer.settle()
    assert viewer.pose.residual < 1e-12
    assert page.get_by_text("loops closed to").first.is_visible()


def test_buttons_find_and_reset(visit):
    viewer, page, _, _ = visit
    page.get_by_role("button", name="Find assembly modes").click()
    assert until(page, lambda: len(viewer.modes) == 2)
    page.get_by_text("Assembly mode", exact=True).wait_for()
    page.get_by_role("button", name="Reset").click()
    assert until(page, lambda: viewer.pose is viewer.start)


def test_nothing_went_wrong_and_no_other_host_was_asked(visit):
    viewer, _, errors, hosts = visit
    assert errors == []
    assert {host for host in hosts if host} == {f"127.0.0.1:{viewer.port}"}
