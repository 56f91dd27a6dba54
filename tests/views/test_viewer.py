"""The viewer without a browser: what the page asks for moves the mechanism, never opens a loop, and is told back."""

import socket
import threading
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

pytest.importorskip("viser", reason="the viewer is an extra: pip install 'closedchain[viewer]'")

EXAMPLES = sorted(path.parent.name for path in Path("examples").glob("*/mechanism.toml"))


def load(name):
    return cc.load(f"examples/{name}/mechanism.toml")


@pytest.fixture
def opened():
    """Opens viewers that are ended with the test."""
    viewers = []

    def open_one(of, pose=None, **more):
        viewers.append(cc.view(of, pose, port=0, open_browser=False, block=False, **more))
        return viewers[-1]

    yield open_one
    for viewer in viewers:
        viewer.stop()


def knob(viewer, name):
    return viewer.page.sliders.knobs[name]


def places(viewer):
    """Where every body stands on the stage, by the frames that the page was sent."""
    return {body: np.array(frame.position) / viewer.stage.unit for body, frame in viewer.stage.bodies.items()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_opens_and_its_first_slider_turns(name, opened):
    m = load(name)
    viewer = opened(m)
    assert all(len(viewer.stage.groups[group]) for group in ("labels", "output"))
    assert viewer.page.sliders.knobs
    first = next(iter(viewer.page.sliders.knobs.values()))
    before = viewer.pose[first.handle]
    viewer.turn(first, before + 0.05)
    viewer.settle()
    assert viewer.pose[first.handle] == pytest.approx(before + 0.05, abs=1e-12)
    assert viewer.pose.residual < 1e-12
    assert viewer.said == []
    for body, place in places(viewer).items():
        assert place == pytest.approx(viewer.pose.frames[body][:3, 3], abs=1e-9 * viewer.stage.look.size)
    assert "of the size" in viewer.page.state.content


def test_a_slider_beyond_the_reach_stops_there_and_says_why(opened):
    m = load("shift_manipulator")
    viewer = opened(m)
    viewer.turn(knob(viewer, "A1"), 3.0)
    viewer.settle()
    assert viewer.pose["A1"] < 2.1
    assert viewer.pose.residual < 1e-12
    assert "goes no further" in viewer.page.message.content
    assert viewer.page.sliders.handles["A1"].value == pytest.approx(np.degrees(viewer.pose["A1"]), abs=0.06)
    assert viewer.page.sliders.handles["A3"].value == pytest.approx(np.degrees(viewer.pose["A3"]), abs=0.06)
    for joint in m.joints.values():
        ends = [viewer.pose.point(side.text) for side in joint.between]
        assert np.linalg.norm(ends[0] - ends[1]) < 1e-12


def test_of_many_turns_of_one_slider_the_latest_counts(opened):
    viewer = opened(load("four_bar"))
    busy = threading.Event()
    viewer.worker.ask("busy", busy.wait)
    done = []
    moved, viewer._set = viewer._set, lambda *rest, **more: (done.append(1), moved(*rest, **more))
    for value in np.linspace(0.5, 2.0, 40):
        viewer.turn(knob(viewer, "A"), float(value))
    busy.set()
    viewer.settle()
    assert viewer.pose["A"] == pytest.approx(2.0)
    assert len(done) == 1


def test_assembly_modes_are_found_chosen_and_kept(opened):
    m = load("four_bar")
    viewer = opened(m)
    viewer.search_modes()
    viewer.settle()
    assert len(viewer.modes) == 2
    assert viewer.page.mode.visible
    assert viewer.page.mode.value == "mode 1 of 2"
    viewer.turn(knob(viewer, "A"), 1.0)
    viewer.choose(1)
    viewer.settle()
    # The slider stays, the elbow flips: compared with the closure of the triangle B, C, D by cosines.
    assert viewer.pose["A"] == pytest.approx(1.0, abs=1e-12)
    other = cc.assemble(m, {"A": 1.0})
    assert viewer.pose.point("coupler.P")[1] < other.point("coupler.P")[1] - 0.1
    for point in (viewer.pose.point("rocker.C"), other.point("rocker.C")):
        assert np.linalg.norm(point - [0.5, 0.0]) == pytest.approx(0.35)
    viewer.turn(knob(viewer, "A"), 2.0)
    viewer.settle()
    assert viewer.pose.point("rocker.C")[1] < 0.0
    viewer.reset()
    viewer.settle()
    assert viewer.pose is viewer.start


def test_an_output_is_dragged_as_near_as_it_gets(opened):
    viewer = opened(load("five_bar"))
    target = np.append(viewer.pose.point("P"), 0.0) + np.array([0.03, 0.02, 0.0])
    viewer.page.grip.drag(viewer.stage.scaled(target + viewer.stage.lift))
    viewer.settle()
    assert viewer.pose.point("P") == pytest.approx(target[:2], abs=1e-9)
    assert viewer.said == []
    viewer.page.grip.drag(viewer.stage.scaled(target + np.array([0.0, 9.0, 0.0])))
    viewer.settle()
    assert "as near as" in viewer.page.message.content
    assert viewer.page.grip.line.visible
    viewer.page.grip.release()
    viewer.settle()
    at = np.array(viewer.page.grip.controls.position) / viewer.stage.unit - viewer.stage.lift
    assert at[:2] == pytest.approx(viewer.pose.point("P"), abs=1e-9)
    assert viewer.pose.residual < 1e-12


def test_singular_poses_are_told(opened):
    viewer = opened(load("slider_crank"))
    viewer.settle()
    assert "Inverse singularity" in viewer.page.message.content
    viewer.turn(knob(viewer, "O"), 0.8)
    viewer.settle()
    assert viewer.page.message.content == ""
    viewer.turn(knob(viewer, "O"), 1e-4)
    viewer.settle()
    assert "Near an inverse singularity" in viewer.page.message.content


def test_the_motion_of_the_file_is_played_and_left_where_it_stood(opened):
    m = load("four_bar")
    viewer = opened(m)
    viewer.play_file()
    viewer.settle()
    film = viewer.projector.film
    assert film is not None
    viewer.projector.seek(0.7)
    viewer.settle()
    ds = cc.kinematics(m, [0.7])
    assert viewer.stage.place_of("P")[:2] == pytest.approx(ds.position.sel(point="P").values[0], abs=1e-9)
    assert not viewer.page.grip.controls.visible
    viewer.turn(knob(viewer, "A"), 5.0)
    viewer.settle()
    assert not viewer.projector.showing
    assert viewer.pose["A"] == pytest.approx(5.0)
    assert viewer.page.grip.controls.visible


def test_a_film_runs_by_itself(opened):
    viewer = opened(load("four_bar"))
    shown = threading.Event()
    viewer.play_file()
    viewer.settle()
    show = viewer.projector.show
    viewer.projector.show = lambda frame: (show(frame), shown.set() if frame > 3 else None)
    assert shown.wait(10.0)
    viewer.projector.pause()
    assert not viewer.projector.running


@pytest.fixture(scope="module")
def loose_run():
    m = load("slider_crank").with_table(
        "joints", "B", type="revolute", between=["rod.B", "slider.pin"],
        clearance={"radial": "0.1 mm", "bore": "10 mm", "normal": "lankarani-nikravesh", "stiffness": 1e9,
                   "restitution": 0.9},
    )  # fmt: skip
    return cc.simulate(m, until=2e-3, times=np.linspace(0.0, 2e-3, 41))


def test_a_loose_joint_shows_its_pin_in_the_bore_and_its_force(loose_run, opened):
    viewer = opened(loose_run)
    play, film = viewer.plays["B"], viewer.projector.film
    forces = np.linalg.norm(loose_run.contact_force.sel(loose_joint="B").values, axis=1)
    frame = int(forces.argmax())
    assert forces[frame] > 0.0
    viewer.projector.seek(float(film.times[frame]))
    viewer.settle()
    gap = loose_run.eccentricity.sel(loose_joint="B").values[frame]
    turn = viewer.stage.at[play.body][:2, :2]
    seen = (np.array(play.pin.position) / viewer.stage.unit - play.centre)[:2]
    assert turn @ seen == pytest.approx(min(1.0, 1.05e-4 / np.linalg.norm(gap)) * play.enlarged * gap, abs=1e-9)
    assert tuple(play.pin.color) == (0xB2, 0x22, 0x22)
    arrow = viewer.projector._arrows["contact"]
    assert arrow.visible
    along = np.diff(arrow.points[0], axis=0)[0][:2]
    force = loose_run.contact_force.sel(loose_joint="B").values[frame]
    assert along @ force == pytest.approx(np.linalg.norm(along) * np.linalg.norm(force), rel=1e-5)
    assert f"{forces[frame]:.5g} N" in viewer.page.film.numbers.content


def test_taking_over_from_a_loose_result_closes_the_joint(loose_run, opened):
    viewer = opened(loose_run)
    viewer.projector.seek(1.5e-3)
    viewer.settle()
    viewer.turn(knob(viewer, "O"), 1.0)
    viewer.settle()
    assert viewer.pose.residual < 1e-12
    assert viewer.pose.point("rod.B") == pytest.approx(viewer.pose.point("slider.pin"), abs=1e-12)


def test_names_and_titles_of_files_do_not_reach_the_page_as_markup(opened):
    m = load("four_bar")
    data = m.to_dict()
    data["mechanism"]["name"] = "<img src=x onerror=alert(1)>"
    viewer = opened(cc.Mechanism.from_dict(data))
    viewer._failed(cc.ClosedChainError("<script>alert(2)</script>"))
    shown = [viewer.page.message.content, viewer.page.state.content, viewer.page.joints.content]
    assert not any("<script" in text or "<img" in text for text in shown)
    assert "&lt;script&gt;" in viewer.page.message.content


def test_the_page_is_served_on_this_machine_alone_and_ends(opened):
    viewer = opened(load("four_bar"))
    assert viewer.url.startswith("http://127.0.0.1:")
    assert b"<html" in urllib.request.urlopen(viewer.url, timeout=10).read().lower()
    assert viewer.server.request_share_url() is None
    port = viewer.port
    viewer.stop()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1.0)


def test_a_port_in_use_gives_way_to_the_next_one(opened):
    from closedchain.views.viewer.server import free_port

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < free_port("127.0.0.1", port) < port + 50
    with pytest.raises(cc.ClosedChainError, match="no address of this machine"):
        cc.view(load("four_bar"), host="192.0.2.1", open_browser=False, block=False)


def test_results_without_motion_are_refused_with_a_sentence(loose_run):
    m = load("four_bar")
    swept = cc.sweep(m, {"parameters.crank": [0.1, 0.12]}, cc.kinematics, times=[0.0, 0.1])
    with pytest.raises(cc.ClosedChainError, match="several runs"):
        cc.view(swept, port=0, open_browser=False, block=False)
    with pytest.raises(cc.ClosedChainError, match="motions over time"):
        cc.view(loose_run.drop_dims("time"), port=0, open_browser=False, block=False)
    with pytest.raises(cc.ClosedChainError, match="no mechanism inside"):
        cc.view(loose_run.drop_attrs(), port=0, open_browser=False, block=False)


def test_a_mechanism_without_actuators_has_sliders_that_move_all_of_it(opened):
    m = load("flyball_governor")
    viewer = opened(m)
    assert len(viewer.page.sliders.knobs) == cc.mobility(m).dof - cc.mobility(m).idle
    viewer.turn(knob(viewer, "spin"), 12.0)
    viewer.settle()
    assert viewer.page.sliders.handles["spin"].max >= np.degrees(12.0)


def test_a_ball_joint_has_three_sliders(opened):
    m = cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "arm": {"mass": 1, "points": {"P": [0.5, 0, 0], "Q": [0, 0.2, 0]}}},
            "joints": {"J": {"type": "spherical", "between": ["ground.origin", "arm.origin"]}},
            "outputs": {"P": {"point": "arm.P"}, "Q": {"point": "arm.Q"}},
        }
    )
    viewer = opened(m)
    assert list(viewer.page.sliders.knobs) == ["J x", "J y", "J z"]
    viewer.turn(knob(viewer, "J z"), 0.5 * np.pi)
    viewer.settle()
    assert viewer.pose.point("P") == pytest.approx([0.0, 0.5, 0.0], abs=1e-12)
    assert viewer.page.sliders.handles["J z"].value == pytest.approx(90.0)


def test_the_page_speaks_chinese(opened):
    from closedchain.language import using

    with using("zh"):
        viewer = opened(load("four_bar"))
    viewer.turn(knob(viewer, "A"), 1.0)
    viewer.settle()
    assert "自由度" in viewer.page.state.content
