"""Reports in a real browser: content, no errors, no requests, motion, curves, dark, print, hostile names."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

ROOT = Path(__file__).resolve().parents[2]


class Visit:
    """A page that was opened, with everything it complained about or asked for."""

    def __init__(self, chromium, path, **options):
        self.context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
        self.page = self.context.new_page()
        self.errors, self.requests = [], []
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message) or dialog.dismiss())
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = Path(path).resolve().as_uri()
        self.page.goto(self.address)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.page.wait_for_timeout(50)
        self.context.close()
        if problem[0] is None:
            assert not self.errors
            asked = [each for each in self.requests if each != self.address and not each.startswith(("data:", "blob:"))]
            assert not asked, "a report asks for nothing"

    def picture(self, selector):
        """What a canvas shows."""
        return self.page.evaluate("(s) => document.querySelector(s).toDataURL()", selector)


@pytest.fixture(scope="module")
def loose(tmp_path_factory):
    """The report of an ideal and a loose run, and the loose result."""
    m = cc.load(ROOT / "examples" / "shift_manipulator" / "mechanism.toml")
    ideal, loose = (cc.simulate(m, 0.02, clearance=clearance) for clearance in (False, ["B1"]))
    path = tmp_path_factory.mktemp("report") / "loose.html"
    cc.report({"ideal": ideal, "loose": loose}, path)
    return path, loose


@pytest.fixture(scope="module")
def spatial(tmp_path_factory):
    m = cc.load(ROOT / "examples" / "gough_stewart" / "mechanism.toml")
    return cc.report(cc.kinematics(m, np.linspace(0, 2, 21)), tmp_path_factory.mktemp("report") / "spatial.html")


def test_content_and_size(chromium, loose):
    path, result = loose
    assert path.stat().st_size < 5e6
    with Visit(chromium, path) as visit:
        text = visit.page.inner_text("main")
        assert visit.page.inner_text("h1") == "shift manipulator"
        peak = float(np.linalg.norm(result.contact_force.sel(loose_joint="B1"), axis=-1).max())
        assert f"{peak:.3g}\u202fN" in text
        for words in (
            "Findings",
            "Actuators",
            "Peak reaction forces",
            "Contacts",
            "End-point errors by play",
            "Mobility",
        ):
            assert words in text
        assert "lankarani-nikravesh" in text
        file = visit.page.text_content("#file")
        assert cc.Mechanism.from_dict(tomllib.loads(file)) == cc.load(
            ROOT / "examples/shift_manipulator/mechanism.toml"
        )


def test_play_slider_and_speed(chromium, loose):
    with Visit(chromium, loose[0]) as visit:
        page = visit.page
        first = visit.picture("#mechanism")
        page.select_option("#speed", label="real time")
        page.select_option("#speed", index=0)
        page.click("#play")
        # The page's policy keeps Playwright from waiting for a function inside it.
        for _ in range(200):
            if not page.inner_text(".clock").startswith("0.0000"):
                break
            page.wait_for_timeout(25)
        assert not page.inner_text(".clock").startswith("0.0000")
        assert page.get_attribute("#play", "aria-label") == "Pause"
        page.click("#play")
        assert page.get_attribute("#play", "aria-label") == "Play"
        half = "s = document.querySelector('#time'); s.value = 500; s.dispatchEvent(new Event('input'))"
        page.evaluate(half)
        page.wait_for_timeout(60)
        assert page.inner_text(".clock").startswith("0.01")
        assert visit.picture("#mechanism") != first
        assert visit.picture(".pins canvas") != visit.picture("#mechanism")


def test_the_picture_zooms_turns_and_resets(chromium, spatial):
    with Visit(chromium, spatial) as visit:
        page = visit.page
        page.wait_for_timeout(60)
        first = visit.picture("#mechanism")
        box = page.locator("#mechanism").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 80, y + 30)
        page.mouse.up()
        page.wait_for_timeout(60)
        turned = visit.picture("#mechanism")
        assert turned != first
        page.focus("#mechanism")
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(60)
        assert visit.picture("#mechanism") != turned
        page.click("#reset")
        page.wait_for_timeout(60)
        assert visit.picture("#mechanism") == first
        page.focus("#mechanism")
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(60)
        assert visit.picture("#mechanism") != first


def test_curves_toggle_zoom_and_read_off(chromium, loose):
    path, result = loose
    with Visit(chromium, path) as visit:
        page = visit.page
        page.wait_for_timeout(60)
        count = page.locator(".plot").count()
        page.check("text=Joint coordinates")
        assert page.locator(".plot").count() == count + 1
        page.uncheck("text=Joint coordinates")
        assert page.locator(".plot").count() == count
        sheet, chip = ".plot canvas[role=img]", page.locator(".plot .chip").first
        page.locator(sheet).first.scroll_into_view_if_needed()
        whole = visit.picture(sheet)
        chip.click()
        assert chip.get_attribute("aria-pressed") == "false"
        assert visit.picture(sheet) != whole
        chip.click()
        assert visit.picture(sheet) == whole
        box = page.locator(sheet).first.bounding_box()
        left, right, y = box["x"] + 58, box["x"] + box["width"] - 24, box["y"] + 100
        page.mouse.move(left + 0.5 * (right - left), y)
        page.wait_for_timeout(60)
        read = float(page.locator(".plot .chip output").first.inner_text().replace("\u2212", "-"))
        expected = 1e3 * float(result.position.sel(point="P", axis="x").interp(time=0.01))
        assert read == pytest.approx(expected, rel=1e-3)
        page.mouse.down()
        page.mouse.move(left + 0.7 * (right - left), y)
        page.mouse.up()
        assert visit.picture(sheet) != whole
        page.click("text=Show all")
        page.mouse.move(5, 5)
        page.wait_for_timeout(60)
        assert visit.picture(sheet) == whole
        page.click(".choice[data-study=ideal]")
        assert page.locator(".plot").first.locator(".chip").count() == 8, "two studies beside each other"
        with page.expect_download() as download:
            page.locator("text=Save as CSV").first.click()
        head = Path(download.value.path()).read_text(encoding="utf-8").splitlines()[0]
        assert head.startswith('"time [s]","P x ideal [mm]"')


def test_dark_phone_and_print(chromium, loose):
    with Visit(chromium, loose[0], color_scheme="dark") as visit:
        page = visit.page
        colour = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(colour) == "rgb(20, 23, 27)"
        page.click("#theme")
        assert page.evaluate(colour) == "rgb(255, 255, 255)"
        page.click("#theme")
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, "nothing sticks out on a phone"
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(colour) == "rgb(255, 255, 255)"
        assert page.locator("svg.paper").count() >= 5
        assert not page.is_visible("#controls")
        assert page.inner_text("#instant") == "loose, 0.00000 s"
        assert page.evaluate("document.querySelectorAll('svg.paper path').length") > 50
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("svg.paper").count() == 0


def hostile():
    evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\"'&"
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"name": evil, "description": f"{evil} ]]> \u2028 {'very long ' * 80}", "planar": True},
            "parameters": {"l": 1.0},
            "bodies": {"ground": {}, "arm" + "m" * 150: {"mass": 1.0, "com": ["l/2", 0], "points": {"tip": ["l", 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground.origin", f"arm{'m' * 150}.origin"]}},
            "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
            "outputs": {"tip" + "_" * 120: {"point": f"arm{'m' * 150}.tip"}},
        }
    )


def test_hostile_names_are_harmless(chromium, tmp_path):
    ds = cc.inverse_dynamics(hostile(), np.linspace(0, 1, 11))
    ds.attrs["settings"] = '{"note": "<script>alert(3)</script>"}'
    name = "</title><script>alert(4)</script>{{7*7}}"
    path = cc.report({name: ds, "</style>": ds}, tmp_path / "evil.html", title=None)
    with Visit(chromium, path) as visit:
        page = visit.page
        page.click("#play")
        page.wait_for_timeout(100)
        assert page.evaluate("document.scripts.length") == 2
        assert "alert(1)" in page.inner_text("h1")
        assert page.locator("img").count() == 0
        assert page.locator(".choice").first.inner_text() == name
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    with Visit(chromium, path) as visit:
        visit.page.evaluate("s = document.createElement('script'); s.textContent = 'evil = 1'; document.body.append(s)")
        assert visit.page.evaluate("window.evil") is None, "the page's policy runs nothing but its own programs"
        assert any("Content Security Policy" in error for error in visit.errors)
        visit.errors.clear()
