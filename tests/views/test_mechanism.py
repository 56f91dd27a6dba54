import io
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.elements.joints import joint_types
from closedchain.views.glyphs import Dot, Stroke, glyph, hatching
from closedchain.views.scene import DrawnJoint, make_scene, outline

ROOT = Path(__file__).resolve().parents[2]


def four_bar():
    m = cc.load(ROOT / "examples" / "four_bar" / "mechanism.toml")
    return m, cc.assemble(m)


def drawn(form, values, **changes):
    """A joint at the origin that has moved by 0.3 m along x."""
    base, moving = np.zeros(3), np.array([0.3, 0.0, 0.0])
    entries = {
        "name": "J",
        "steps": tuple(form.steps(values)),
        "base": base,
        "base_axes": np.eye(3),
        "moving": moving,
        "moving_axes": np.eye(3),
        "seat": moving,
        "grounded": True,
        "loose": False,
    }
    return DrawnJoint(**{**entries, **changes})


FORMS = [(name, planar) for name in joint_types for planar in (True, False) if joint_types[name].form(planar)]


@pytest.mark.parametrize(("name", "planar"), FORMS)
def test_every_joint_type_has_a_symbol(name, planar):
    form = joint_types[name].form(planar)
    assert form is not None
    joint = drawn(form, {parameter.name: 0.01 for parameter in form.parameters})
    marks = list(glyph(joint, 0.01, planar))
    free = len(form.rates) == (3 if planar else 6)
    assert bool(marks) is not free, "everything but a free joint has a symbol"
    for mark in [*marks, *hatching(joint, 0.01, planar, np.zeros((0, 3)))]:
        points = mark.point[None] if isinstance(mark, Dot) else mark.points
        assert np.isfinite(points).all()
        assert np.abs(points).max() < 0.4
        if planar:
            assert not points[:, 2].any(), "planar symbols stay in their plane"


def test_scene_has_the_places_of_the_pose():
    m, pose = four_bar()
    scene = make_scene(m, pose)
    assert [link.body for link in scene.links] == ["crank", "coupler", "rocker"]
    for joint in scene.joints:
        assert joint.base == pytest.approx(joint.moving, abs=1e-12), "closed joints stand on themselves"
    assert [joint.name for joint in scene.joints if joint.grounded] == ["A", "D"]
    assert scene.outputs["P"][:2] == pytest.approx(pose.point("coupler.P"))


def test_a_telescope_is_drawn_from_both_ends():
    m = cc.load(ROOT / "examples" / "gough_stewart" / "mechanism.toml")
    scene = make_scene(m, cc.assemble(m))
    slides = [joint for joint in scene.joints if not np.allclose(joint.seat, joint.moving)]
    assert len(slides) == 6
    assert all(joint.seat == pytest.approx((joint.base + joint.moving) / 2) for joint in slides)


def test_figure_shows_links_outputs_names_and_units():
    m, pose = four_bar()
    ds = cc.kinematics(m, [0.0, 0.1, 0.2])
    figure = cc.plot.mechanism(m, pose, path=ds)
    ax = figure.axes[0]
    words = {text.get_text() for text in ax.texts}
    assert {"A", "B", "D", "P"} <= words
    assert "C" in words, "the joint C and the output C stand on one another and share a name"
    assert ax.get_ylabel() == "y [m]"
    assert ax.get_title() == "four-bar"
    assert ax.get_aspect() == 1.0
    paths = [np.column_stack([line.get_xdata(), line.get_ydata()]) for line in ax.lines]
    assert any(path.shape == (3, 2) and np.allclose(path, ds.position.sel(point="P")) for path in paths)


def test_labels_can_be_left_out_and_titles_are_text():
    m, pose = four_bar()
    ax = cc.plot.mechanism(m, pose, labels=False, title="$5").axes[0]
    assert {text.get_text() for text in ax.texts} == {"P", "C"}
    assert ax.get_title() == r"\$5"


def test_a_figure_from_a_result_alone_is_the_figure_of_its_mechanism(tmp_path):
    m, pose = four_bar()
    ds = cc.load_result(cc.save(cc.kinematics(m, [0.0, 0.1]), tmp_path / "motion.nc"))
    figure = cc.plot.FIGURES["mechanism"].of_result(ds, [])
    links = [line.get_xydata() for line in figure.axes[0].lines]
    same = [line.get_xydata() for line in cc.plot.mechanism(m, pose, path=ds).axes[0].lines]
    assert all(np.allclose(a, b) for a, b in zip(links, same, strict=True))


def test_pictures_of_space_fit_and_are_written_as_vectors():
    m = cc.load(ROOT / "examples" / "rssr" / "mechanism.toml")
    figure = cc.plot.mechanism(m, width="one-column")
    assert figure.get_figwidth() == pytest.approx(3.35)
    picture = io.StringIO()
    figure.savefig(picture, format="svg")
    assert "<path" in picture.getvalue()


def test_outline_is_convex_and_in_order():
    square = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 1], [0, 1, 1], [0.5, 0.5, 1]], dtype=float)
    corners = outline(square)
    assert len(corners) == 4
    edges = np.roll(corners, -1, axis=0) - corners
    assert np.linalg.norm(edges, axis=1) == pytest.approx(np.ones(4))
    line = np.array([[0, 0, 0], [2, 2, 2], [1, 1, 1]], dtype=float)
    assert sorted(map(tuple, outline(line))) == [(0, 0, 0), (2, 2, 2)]


def test_strokes_say_what_they_are():
    thread = joint_types["helical"].form(False)
    marks = list(glyph(drawn(thread, {"lead": 0.01}), 0.01, False))
    assert any(isinstance(mark, Stroke) and mark.over and len(mark.points) > 40 for mark in marks)
