"""Every gap geometry answers its contract: exact rates, exact power, balanced forces, finite at the centre."""

import math

import numpy as np
import pytest

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.clearances import clearance_kinds, contact_wrenches
from closedchain.elements.frame_state import FrameState
from closedchain.elements.joints import joint_types
from closedchain.numbers import Mat3, Vec3, rotation_z

ALL = sorted(clearance_kinds)
FORMS = [
    (name, planar)
    for name in ALL
    for planar in (True, False)
    if getattr(clearance_kinds[name], "planar" if planar else "spatial")
]
VALUES = {
    "radial": 2e-3,
    "bore": 10e-3,
    "length": 30e-3,
    "height": 12e-3,
    "axial": 1e-3,
    "journal": "moving",
    "initial": None,
    "approach_floor": 1e-4,
}
TIMES = (0.0, 0.37, 1.1, 2.3)


def values(kind, **changed):
    return {parameter.name: VALUES[parameter.name] for parameter in kind.parameters} | changed


def motion(frames, planar):
    base = frames.planar_base if planar else frames.spatial_base
    return base, frames.near(base, 3e-3, 0.2, planar)


@pytest.mark.parametrize("name", ALL)
def test_kind_declares_itself(name):
    kind = clearance_kinds[name]
    assert kind.name == name
    assert kind.meaning
    assert kind.planar or kind.spatial
    assert set(kind.joints) <= set(joint_types)
    p = values(kind)
    assert kind.check(p, kind.planar) == ()
    assert set(kind.law_values(p)) <= {"radial", "bore", "journal", "length"}
    translations, rotations = kind.released(p, kind.planar)
    for joint in kind.joints:
        form = joint_types[joint].form(kind.planar)
        assert form
        assert form.closure
        assert set(translations) <= set(form.closure.translations), "only what the ideal joint holds can be let go"
    assert set(rotations) <= {0, 1, 2}


@pytest.mark.parametrize("journal", ["moving", "base"])
@pytest.mark.parametrize(("name", "planar"), FORMS)
def test_penetration_rate_is_the_derivative_of_the_penetration(frames, name, planar, journal):
    kind = clearance_kinds[name]
    p = values(kind, journal=journal)
    base, moving = motion(frames, planar)
    for t in TIMES:
        gaps = kind.gaps(p, frames.state(base, t), frames.state(moving, t))
        for number, gap in enumerate(gaps):
            rate = frames.rate_along(lambda b, m, n=number: kind.gaps(p, b, m)[n].delta, base, moving, t)
            assert gap.delta_dot == pytest.approx(rate, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("journal", ["moving", "base"])
@pytest.mark.parametrize(("name", "planar"), FORMS)
def test_contact_takes_exactly_its_power_and_balances(frames, name, planar, journal):
    kind = clearance_kinds[name]
    p = values(kind, journal=journal)
    base, moving = motion(frames, planar)
    for t in TIMES:
        i, j = frames.state(base, t), frames.state(moving, t)
        for gap in kind.gaps(p, i, j):
            on_base, on_moving = contact_wrenches(gap, 7.0, 2.0, i, j)
            power = on_base.power(i.v, i.w) + on_moving.power(j.v, j.w)
            assert power == pytest.approx(-(7.0 * gap.delta_dot + 2.0 * gap.slip), rel=1e-11)
            assert list(on_base.force + on_moving.force) == pytest.approx([0.0, 0.0, 0.0], abs=1e-14)
            couple = on_base.moved(i.p, Vec3.zero()).moment + on_moving.moved(j.p, Vec3.zero()).moment
            assert couple.norm() == pytest.approx(2.0 * abs(gap.delta) * gap.t.norm(), abs=1e-12)
            assert gap.n.norm() == pytest.approx(1.0, rel=1e-12)
            assert gap.n.dot(gap.t) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(("name", "planar"), FORMS)
def test_slip_is_that_of_the_material_points(frames, name, planar):
    kind = clearance_kinds[name]
    p = values(kind)
    base, moving = motion(frames, planar)
    for t in TIMES:
        i, j = frames.state(base, t), frames.state(moving, t)
        for gap in kind.gaps(p, i, j):
            relative = j.velocity_at(gap.Q_moving) - i.velocity_at(gap.Q_base)
            assert gap.slip == pytest.approx(relative.dot(gap.t), rel=1e-11, abs=1e-15)
            assert (gap.Q_moving - gap.Q_base).dot(gap.n) == pytest.approx(gap.delta, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("name", [name for name in ALL if "journal" in values(clearance_kinds[name])])
def test_swapping_the_sides_changes_nothing_but_the_names(frames, name):
    kind = clearance_kinds[name]
    base, moving = motion(frames, kind.planar)
    i, j = frames.state(base, 0.4), frames.state(moving, 0.4)
    one = kind.gaps(values(kind), i, j)
    other = kind.gaps(values(kind, journal="base"), j, i)
    for a, b in zip(one, other, strict=True):
        assert [a.delta, a.delta_dot, a.slip] == pytest.approx([b.delta, b.delta_dot, b.slip], rel=1e-12)
        here, there = contact_wrenches(a, 5.0, 1.0, i, j), contact_wrenches(b, 5.0, 1.0, j, i)
        for mine, theirs in zip(here, reversed(there), strict=True):
            assert [*mine.force, *mine.moment] == pytest.approx([*theirs.force, *theirs.moment], abs=1e-12)


@pytest.mark.parametrize(("name", "planar"), FORMS)
def test_traced_gap_is_the_gap_and_everything_is_finite_at_the_centre(frames, name, planar):
    kind = clearance_kinds[name]
    numeric = [parameter.name for parameter in kind.parameters if isinstance(VALUES[parameter.name], float)]

    def outputs(x, parameters):
        p = values(kind) | dict(zip(numeric, parameters, strict=True))
        zero = Mat3.identity() if planar else Mat3(*x[:9])
        i = FrameState(zero, Vec3.zero(), Vec3.zero(), Vec3(0.0, 0.0, x[9]))
        z = [0.0, 0.0] if planar else [x[12], x[15]]
        R = rotation_z(x[17]) if planar else Mat3(*x[:9])
        j = FrameState(R, Vec3(x[10], x[11], z[0]), Vec3(x[13], x[14], z[1]), Vec3(0.0, 0.0, x[16]))
        numbers = []
        for gap in kind.gaps(p, i, j):
            wrenches = contact_wrenches(gap, 3.0, 0.5, i, j)
            numbers += [gap.delta, gap.delta_dot, gap.slip]
            numbers += [each for wrench in wrenches for each in (*wrench.force, *wrench.moment)]
        return {"gaps": numbers}

    traced = trace(outputs, {"x": 18}, len(numeric))
    slopes = [each for row in traced.jacobian("gaps", "x") for each in row]
    given = [VALUES[each] for each in numeric]
    leaves = [*traced.input_symbols, *traced.parameter_symbols]
    turned = rotation_z(0.3)
    for place in ((0.0, 0.0, 0.0), (1e-3, -2e-3, 4e-4), (0.0, 2.5e-3, 0.0)):
        x = [*turned.m, 2.0, *place, 0.1, -0.2, 0.05, -3.0, 0.1]
        numbers = dict(zip(leaves, [*x, *given], strict=True))
        assert evaluate(traced.expressions, numbers) == pytest.approx(outputs(x, given)["gaps"], rel=1e-12, abs=1e-15)
        assert np.all(np.isfinite(np.array(evaluate(slopes, numbers), dtype=float)))


def test_pin_at_a_known_place():
    """Spin of pin and bore enters the slip: v_T = R_J ω_j − R_B ω_i + sliding, here with n = x, t = y."""
    kind = clearance_kinds["revolute-pin"]
    p = values(kind, radial=1e-3, bore=20e-3)
    bore = FrameState(Mat3.identity(), Vec3.zero(), Vec3.zero(), Vec3(0.0, 0.0, 3.0))
    pin = FrameState(rotation_z(0.5), Vec3(1.5e-3, 0.0, 0.0), Vec3(0.2, 0.1, 0.0), Vec3(0.0, 0.0, -5.0))
    (gap,) = kind.gaps(p, bore, pin)
    assert gap.delta == pytest.approx(0.5e-3)
    assert gap.delta_dot == pytest.approx(0.2)
    assert gap.slip == pytest.approx(0.1 - 5.0 * 19e-3 - 3.0 * 20e-3)
    assert list(gap.Q_base) == pytest.approx([20e-3, 0.0, 0.0])
    assert list(gap.Q_moving) == pytest.approx([20.5e-3, 0.0, 0.0])
    on_bore, on_pin = contact_wrenches(gap, 10.0, 4.0, bore, pin)
    assert list(on_pin.force) == pytest.approx([-10.0, -4.0, 0.0])
    assert on_pin.moment.z == pytest.approx(-4.0 * 19e-3)
    assert on_bore.moment.z == pytest.approx(4.0 * 20e-3)
    assert list(kind.eccentricity(p, bore, pin)) == pytest.approx([1.5e-3, 0.0, 0.0])


def test_spatial_pin_equals_planar_pin_in_any_plane(frames):
    """Turning the whole picture in space changes no number."""
    kind = clearance_kinds["revolute-pin"]
    p = values(kind)
    base, moving = motion(frames, True)
    i, j = frames.state(base, 0.7), frames.state(moving, 0.7)
    (flat,) = kind.gaps(p, i, j)
    T, _ = frames.spatial_base(0.9)
    turned = [FrameState(T @ f.R, T @ f.p, T @ f.v, T @ f.w) for f in (i, j)]
    (gap,) = kind.gaps(p, *turned)
    assert [gap.delta, gap.delta_dot, gap.slip] == pytest.approx([flat.delta, flat.delta_dot, flat.slip], rel=1e-11)


def test_tilted_pin_touches_at_both_ends_on_opposite_sides():
    kind = clearance_kinds["revolute-pin-ends"]
    p = values(kind, radial=1e-4, length=40e-3, axial=None)
    tilt = 0.01
    c, s = math.cos(tilt), math.sin(tilt)
    still = Vec3.zero()
    bore = FrameState(Mat3.identity(), Vec3.zero(), still, still)
    pin = FrameState(Mat3(c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c), Vec3.zero(), still, still)
    low, high = kind.gaps(p, bore, pin)
    assert low.delta == pytest.approx(20e-3 * s - 1e-4)
    assert high.delta == pytest.approx(low.delta)
    assert high.n.x == pytest.approx(1.0)
    assert low.n.x == pytest.approx(-1.0)
    assert kind.released(p, False) == ((0, 1), (0, 1))
    assert kind.released(values(kind), False) == ((0, 1, 2), (0, 1))
    assert len(kind.gaps(values(kind), bore, pin)) == 4


def test_end_play_is_the_whole_axial_freedom():
    kind = clearance_kinds["revolute-pin-ends"]
    p = values(kind, axial=0.4e-3)
    still = Vec3.zero()
    bore = FrameState(Mat3.identity(), Vec3.zero(), still, still)
    for shift, expected in ((0.2e-3, (-0.4e-3, 0.0)), (-0.3e-3, (0.1e-3, -0.5e-3))):
        pin = FrameState(Mat3.identity(), Vec3(0.0, 0.0, shift), still, still)
        below, above = kind.gaps(p, bore, pin)[2:]
        assert (below.delta, above.delta) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "changed", "key"),
    [
        ("revolute-pin", {"radial": 11e-3}, "radial"),
        ("revolute-pin", {"initial": (1.5e-3, 1.5e-3)}, "initial"),
        ("spherical-socket", {"initial": (1.5e-3, 1.5e-3, 0.0)}, "initial"),
        ("prismatic-slider", {"initial": (0.0, 2.1e-3)}, "initial"),
    ],
)
def test_contradicting_values_are_named(name, changed, key):
    kind = clearance_kinds[name]
    ((found, sentence),) = kind.check(values(kind, **changed), kind.planar)
    assert found == key
    assert sentence.endswith(".")


def test_a_pin_may_start_on_the_clearance_circle():
    kind = clearance_kinds["revolute-pin"]
    assert kind.check(values(kind, initial=(0.0, -2e-3)), True) == ()
