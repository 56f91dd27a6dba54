import json
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.views.frames import make_frames, nearest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def motion(name, times):
    return cc.kinematics(cc.load(EXAMPLES / name / "mechanism.toml"), times)


@pytest.mark.parametrize(("name", "until"), [("four_bar", 0.7), ("slider_crank", 0.02), ("gough_stewart", 1.0)])
def test_links_stand_where_their_points_are(name, until):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    ds = cc.kinematics(m, np.linspace(0.0, until, 5))
    frames = make_frames(ds)
    axes = 2 if m.planar else 3
    for part, corners in ((part, points) for part, points in frames.drawn(3) if part.role == "link"):
        names = [f"{part.name}.{point}" for point in m.bodies[part.name].points]
        places = np.array([cc.point(ds, each).position.values[3, 0] for each in names])
        apart = np.linalg.norm(corners[:, None, :axes] - places, axis=2).min(axis=1)
        # A telescope ends in its partner, half way between them.
        assert np.sort(apart)[: len(apart) - (name == "gough_stewart")].max() < 1e-9 * frames.size
    for output, path in frames.outputs.items():
        assert path[:, :axes] == pytest.approx(ds.position.sel(point=output).values, abs=1e-9)


def test_what_a_body_carries_is_kept_once():
    frames = make_frames(motion("gough_stewart", np.linspace(0.0, 1.0, 20)))
    anew = [part for part in frames.parts if part.points.ndim == 3]
    assert {part.role for part in anew} == {"link"}, "only the telescopes change their form"
    assert len(anew) == 12
    assert len(json.dumps(frames.as_json())) < 150_000


def test_results_without_poses_of_bodies_are_moved_by_their_joints():
    m = cc.load(EXAMPLES / "shift_manipulator" / "mechanism.toml")
    times = [0.0, 0.2, 0.4]
    a, b = make_frames(cc.kinematics(m, times)), make_frames(cc.inverse_dynamics(m, times))
    assert b.places == pytest.approx(a.places, abs=1e-9)
    assert a.bodies == b.bodies


def test_numbers_for_a_page_give_the_places_back():
    for name in ("four_bar", "gough_stewart"):
        frames = make_frames(motion(name, [0.0, 0.1, 0.3]))
        page = json.loads(json.dumps(frames.as_json()))
        for frame in range(3):
            drawn = dict(zip(map(id, frames.parts), (points for _, points in frames.drawn(frame)), strict=True))
            for part, entry in zip(frames.parts, page["parts"], strict=True):
                if "body" in entry:
                    points = moved(page["places"][frame][entry["body"]], np.array(entry["points"]))
                else:
                    points = np.array(entry["frames"][frame])
                assert points == pytest.approx(drawn[id(part)][:, : points.shape[1]], abs=2e-4 * frames.size)


def moved(place, points):
    """What a page does with its numbers."""
    if points.shape[1] == 2:
        c, s = np.cos(place[2]), np.sin(place[2])
        return points @ np.array([[c, -s], [s, c]]).T + place[:2]
    w, x, y, z = place[3:]
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return points @ turn.T + place[:3]


def test_frames_are_samples_near_equal_times():
    t = np.concatenate([np.linspace(0.0, 1.0, 50), np.linspace(1.001, 1.002, 500)])
    chosen = nearest(t, 11, None)
    assert np.all(np.diff(chosen) > 0)
    assert np.abs(t[chosen] - np.linspace(0.0, 1.002, 11)).max() < 0.011
    assert nearest(np.array([0.3]), 5, None).tolist() == [0]
    assert nearest(np.array([0.0, 1.0]), 5, [0.2, 0.9, 0.9]).tolist() == [0, 1, 1]


def test_contact_forces_act_at_their_joints():
    m = cc.load(EXAMPLES / "shift_manipulator" / "mechanism.toml")
    ds = cc.simulate(m, 0.01, clearance=["B1"], times=np.linspace(0.0, 0.01, 30))
    frames = make_frames(ds)
    at, force = frames.forces["B1"]
    assert frames.largest_force == pytest.approx(np.linalg.norm(ds.contact_force.values, axis=-1).max())
    link = next(part.points for part in frames.parts if part.role == "link" and part.name == "link12")
    assert np.abs(link).min(axis=0).max() < 1e-12, "link 12 starts at its journal"
    k = frames.bodies.index("link12")
    assert at == pytest.approx(frames.places[:, k, :3, 3], abs=1e-12)
    assert force[:, 2].max() == 0.0


def test_results_that_do_not_move_say_so():
    m = cc.load(EXAMPLES / "four_bar" / "mechanism.toml")
    with pytest.raises(cc.ClosedChainError, match="motion over time"):
        make_frames(cc.poincare(cc.kinematics(m, np.linspace(0, 1, 9)), period=0.25))
    swept = cc.sweep(m, {"parameters.crank": [0.11, 0.12]}, cc.kinematics, times=[0.0, 0.1])
    with pytest.raises(cc.ClosedChainError, match="choose one"):
        make_frames(swept)
    assert len(make_frames(swept.isel({"parameters.crank": 0}))) == 2
