"""Assembly modes against closed-form counts, and what makes two poses the same mode."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc
from closedchain.analyses.mode_signature import Signature


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_four_bars_have_the_two_circle_intersections(linkages, seed):
    draw = np.random.default_rng(seed)
    ground, crank, coupler, rocker = draw.uniform(0.3, 1.5, 4)
    angle = draw.uniform(-math.pi, math.pi)
    B = crank * np.array([math.cos(angle), math.sin(angle)])
    reach = float(np.linalg.norm(B - [ground, 0.0]))
    margin = min(coupler + rocker - reach, reach - abs(coupler - rocker))
    if abs(margin) < 1e-3:
        return
    m = linkages.four_bar(ground, crank, coupler, rocker)
    modes = cc.assembly_modes(m, {"A": angle})
    assert len(modes) == (2 if margin > 0 else 0)
    for mode in modes:
        assert mode.residual < 1e-12
        assert mode["A"] == angle
        C = mode.point("coupler.Q")
        assert np.linalg.norm(C - B) == pytest.approx(coupler, abs=1e-12)
        assert np.linalg.norm(C - [ground, 0.0]) == pytest.approx(rocker, abs=1e-12)


def test_modes_come_nearest_to_the_guess_first_and_always_the_same(linkages):
    m = linkages.five_bar()
    values = {"A1": 2.0, "A2": 1.0}
    first, second = cc.assembly_modes(m, values), cc.assembly_modes(m, values)
    assert len(first) == 2
    assert [pose.coordinates for pose in first] == [pose.coordinates for pose in second]
    guess = {"B1": -1.2, "B2": 1.2}
    away = [sum((pose[name] - value) ** 2 for name, value in guess.items()) for pose in first]
    assert away == sorted(away)
    np.testing.assert_allclose(first[0].frame("forearm1"), cc.assemble(m, values).frame("forearm1"), atol=1e-9)


def test_a_double_solution_is_one_mode(linkages):
    modes = cc.assembly_modes(linkages.slider_crank(("A",)), {"S": 0.1 + 0.3})
    assert len(modes) == 1
    assert abs(modes[0]["A"]) < 1e-6
    close = cc.assembly_modes(linkages.slider_crank(("A",)), {"S": 0.4 - 1e-7})
    assert len(close) == 2


def test_limits_leave_modes_out(linkages):
    assert len(cc.assembly_modes(linkages.slider_crank(), {"A": 1.0})) == 2
    (mode,) = cc.assembly_modes(linkages.slider_crank(limits=[0.0, 1.0]), {"A": 1.0})
    assert mode["S"] > 0.0
    assert cc.assembly_modes(linkages.slider_crank(limits=[0.5, 1.0]), {"A": 1.0}) == []


def test_what_cannot_close_has_no_mode(linkages):
    assert cc.assembly_modes(linkages.slider_crank(), {"S": 0.5}) == []
    assert cc.assembly_modes(linkages.slider_crank(), {"S": 0.3, "A": 3.0}) == []


def test_open_freedoms_are_counted(linkages):
    with pytest.raises(cc.MechanismError, match=r"leave 1 freedom open.*Give 1 more value"):
        cc.assembly_modes(linkages.five_bar(), {"A1": 2.0})
    with pytest.raises(cc.MechanismError, match=r"leave 2 freedoms open.*A1, A2.*Give 2 more values"):
        cc.assembly_modes(linkages.five_bar())


def test_idle_spin_makes_no_difference(linkages):
    """The rod's spin is open, yet the loop has two modes: a circle and a sphere's circle meet twice."""
    modes = cc.assembly_modes(linkages.rssr(), {"A": 0.7})
    assert len(modes) == 2
    B, D = modes[0].point("crank.B"), np.array([0.3, 0.2, 0.0])
    for mode in modes:
        C = mode.point("rocker.C")
        assert np.linalg.norm(C - B) == pytest.approx(0.4, abs=1e-12)
        assert np.linalg.norm(C - D) == pytest.approx(0.25, abs=1e-12)
    assert np.linalg.norm(modes[0].point("rocker.C") - modes[1].point("rocker.C")) > 1e-3


@pytest.mark.parametrize("first", ["universal", "spherical"])
def test_legs_count_once_however_they_are_flipped(linkages, first):
    """A 6-3 platform: the mirror images in the base plane at least, and as many with balls as with universal joints."""
    base = linkages.hexagon(1.0, 0.9)
    corners = [(0.5 * math.cos(a), 0.5 * math.sin(a), 0.0) for a in (math.pi / 3, math.pi, -math.pi / 3)]
    top = [corners[k] for k in (2, 0, 0, 1, 1, 2)]
    m = linkages.stewart(base, top, linkages.transform(1.0), first=first)
    pose = cc.assemble(m)
    modes = cc.assembly_modes(m, {f"L{k}": pose[f"L{k}"] for k in range(6)})
    places = np.array(
        [[*mode.point("platform.B0"), *mode.point("platform.B2"), *mode.point("platform.B4")] for mode in modes]
    )
    for k, place in enumerate(places):
        others = np.delete(places, k, axis=0)
        assert np.abs(others - place).max(axis=1).min() > 1e-4
        mirrored = place * np.tile([1.0, 1.0, -1.0], 3)
        assert np.abs(places - mirrored).max(axis=1).min() < 1e-6
    assert 2 <= len(modes) <= 16
    assert np.abs(places - np.array([pose.point(f"platform.B{k}") for k in (0, 2, 4)]).ravel()).max(axis=1).min() < 1e-9


H = math.pi / 2


def test_eight_postures_of_an_arm_with_a_spherical_wrist():
    """The tool's place given by a free joint: shoulder, elbow and wrist each have two ways (Pieper 1968)."""
    rows = [(0, H, 0), (0.43, 0, 0.15), (0.02, -H, 0), (0, H, 0.43), (0, -H, 0), (0, 0, 0.1)]
    document = {
        "bodies": {"ground": {}},
        "chains": {
            "arm": {
                "from": "ground.origin",
                "convention": "standard",
                "rows": [{"a": a, "alpha": t, "d": d, "theta": 0, "type": "revolute"} for a, t, d in rows],
            }
        },
    }
    q = dict(zip((f"arm.{k}" for k in range(1, 7)), [0.3, 0.7, -0.4, 0.9, 0.8, -0.5], strict=True))
    tool = cc.assemble(cc.Mechanism.from_dict(document), q).frame("arm.6")
    held = document | {"joints": {"tool": {"type": "free", "between": ["ground.origin", "arm.6.origin"]}}}
    m = cc.Mechanism.from_dict(held)
    w = math.sqrt(1.0 + np.trace(tool[:3, :3])) / 2.0
    axis = [tool[2, 1] - tool[1, 2], tool[0, 2] - tool[2, 0], tool[1, 0] - tool[0, 1]]
    modes = cc.assembly_modes(m, {"tool": [*tool[:3, 3], w, *(np.array(axis) / (4.0 * w))]})
    assert len(modes) == 8
    turned = [[math.remainder(mode[name] - value, 2 * math.pi) for name, value in q.items()] for mode in modes]
    assert min(np.abs(turned).max(axis=1)) < 1e-9
    for mode in modes:
        np.testing.assert_allclose(mode.frame("arm.6"), tool, atol=1e-9)


def test_a_fixed_number_of_starts(linkages):
    assert len(cc.assembly_modes(linkages.four_bar(2, 1, 1.8, 1.2), {"A": 1.0}, starts=64)) == 2


def test_mechanisms_without_freedom_have_one_mode():
    assert len(cc.assembly_modes(cc.Mechanism.from_dict({"bodies": {"ground": {}}}))) == 1
    arm = {
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "a": {"points": {"Q": [1, 0]}}},
        "joints": {"q": {"type": "revolute", "between": ["ground.origin", "a.origin"]}},
    }
    (mode,) = cc.assembly_modes(cc.Mechanism.from_dict(arm), {"q": 0.3})
    assert mode["q"] == 0.3


def test_gear_turns_are_told_apart(linkages):
    """Coordinates that a coupling counts differ by whole turns for good: the modes of a geared five-bar."""
    source = linkages.five_bar(("A1",)).to_dict() | {"couplings": {"gear": {"sum": {"A1": 1, "A2": 2}, "equals": 4.5}}}
    m = cc.Mechanism.from_dict(source)
    modes = cc.assembly_modes(m, {"A1": 2.0})
    assert len(modes) == 2
    assert all(mode["A2"] == pytest.approx(1.25, abs=1e-12) for mode in modes)


def test_signature_knows_struts(linkages):
    m = linkages.stewart(linkages.hexagon(1.0, 0.9), linkages.hexagon(0.6, 0.3), linkages.transform(1.0))
    assert set(Signature(cc.compile(m)).struts) == {f"{part}{k}" for part in ("low", "up") for k in range(6)}
    assert Signature(cc.compile(linkages.bennett())).struts == {}
    assert set(Signature(cc.compile(linkages.rssr())).struts) == {"rod"}
