"""Every applied force accounts for its power exactly; springs, bushings and vectors by hand."""

import math

import numpy as np
import pytest

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.family import VectorParameter
from closedchain.elements.forces import FrameState, Wrench, force_kinds
from closedchain.elements.forces.rotation_vector import moment_from_gradient, rotation_vector
from closedchain.numbers import Mat3, Vec3, rotation_about, rotation_z

ALL = sorted(force_kinds)
BETWEEN_FRAMES = [name for name in ALL if force_kinds[name].attach != "joint"]
ON_JOINTS = [name for name in ALL if force_kinds[name].attach == "joint"]
STILL = Vec3.zero()
GROUND = FrameState(Mat3.identity(), STILL, STILL, STILL)
TIMES = (0.0, 0.37, 1.1, 2.3)


def values(kind, planar=False, **changed):
    """Distinct numbers for every parameter."""
    p = {}
    for k, parameter in enumerate(kind.parameters):
        if isinstance(parameter, VectorParameter):
            numbers = [3.0 + 1.7 * k + 2.3 * i for i in range(len(parameter.units))]
            p[parameter.name] = tuple(numbers[i] for i in (parameter.in_plane if planar else range(len(numbers))))
        else:
            p[parameter.name] = parameter.choices[0] if parameter.choices else 0.4 + 1.3 * k
    return p | changed


def variants():
    for name in BETWEEN_FRAMES:
        kind = force_kinds[name]
        choices = [{}] + [{q.name: word} for q in kind.parameters for word in getattr(q, "choices", ())[1:]]
        for planar in (True, False):
            for changed in choices:
                yield pytest.param(kind, planar, values(kind, planar, **changed), id=f"{name}-{planar}-{changed}")


VARIANTS = list(variants())


@pytest.mark.parametrize("name", ALL)
def test_kind_declares_itself(name):
    kind = force_kinds[name]
    assert kind.name == name
    assert kind.meaning
    assert kind.attach in ("pair", "point", "body", "joint")
    assert (kind.joint is not None) == (kind.attach == "joint")
    for parameter in kind.parameters:
        assert parameter.meaning
        if isinstance(parameter, VectorParameter):
            assert parameter.default is None or len(parameter.default) == len(parameter.units)
            assert parameter.size(True) <= parameter.size(False) == len(parameter.units)


@pytest.mark.parametrize(("kind", "planar", "p"), VARIANTS)
def test_power_is_accounted_for(frames, kind, planar, p):
    """Power on both sides = −dE/dt − dissipation + supply along a motion with large turns."""
    base = frames.planar_base if planar else frames.spatial_base
    moving = frames.near(base, 0.2, 1.4, planar)
    if kind.attach != "pair":
        base = lambda t: (Mat3.identity(), Vec3.zero())  # noqa: E731
    for t in TIMES:
        i, j = frames.state(base, t), frames.state(moving, t)
        on_moving = kind.wrench(p, i, j, t)
        on_base = -on_moving.moved(j.p, i.p)
        power = on_moving.power(j.v, j.w) + on_base.power(i.v, i.w)
        stored = frames.rate_along(lambda b, m: kind.energy(p, b, m), base, moving, t)
        taken, brought = kind.dissipation(p, i, j, t), kind.supply(p, i, j, t)
        assert taken >= 0.0
        assert power == pytest.approx(-stored - taken + brought, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("kind", "planar", "p"), VARIANTS)
def test_planar_forces_stay_in_the_plane_as_exact_zeros(frames, kind, planar, p):
    if not planar:
        return
    i, j = frames.state(frames.planar_base, 0.3), frames.state(frames.near(frames.planar_base, 0.2, 1.0, True), 0.3)
    wrench = kind.wrench(p, i, j, 0.3)
    assert wrench.force.z == 0.0
    assert (wrench.moment.x, wrench.moment.y) == (0.0, 0.0)


@pytest.mark.parametrize(("kind", "planar", "p"), VARIANTS)
def test_traced_force_is_the_force_and_finite_where_the_frames_coincide(kind, planar, p):
    def outputs(x):
        def rotation(a, b):
            return rotation_z(a) if planar else rotation_about(Vec3(0.6, 0.0, 0.8), a) @ rotation_z(b)

        i = FrameState(Mat3.identity(), STILL, STILL, STILL)
        z = 0.0 if planar else x[4]
        j = FrameState(
            rotation(x[0], x[1]),
            Vec3(x[2], x[3], z),
            Vec3(x[5], x[6], 0.0),
            Vec3(0.0, 0.0, x[7]),
        )
        wrench = kind.wrench(p, i, j, 0.0)
        return {"wrench": [*wrench.force, *wrench.moment, kind.energy(p, i, j)]}

    traced = trace(outputs, {"x": 8})
    slopes = [each for row in traced.jacobian("wrench", "x") for each in row]
    for pose in ([0.0] * 5, [0.3, -0.5, 0.1, 0.2, -0.1], [1e-9, 0.0, 1e-9, 0.0, 0.0]):
        x = [*pose, 0.4, -0.2, 3.0]
        numbers = dict(zip(traced.input_symbols, x, strict=True))
        assert evaluate(traced.expressions, numbers) == pytest.approx(outputs(x)["wrench"], rel=1e-12, abs=1e-14)
        assert np.all(np.isfinite(np.array(evaluate(slopes, numbers), dtype=float)))


def frame(x=0.0, y=0.0, z=0.0, v=STILL, R=None, w=STILL):
    return FrameState(R or Mat3.identity(), Vec3(x, y, z), v, w)


def test_spring_damper_pulls_when_stretched():
    kind = force_kinds["spring-damper"]
    p = {"stiffness": 100.0, "damping": 5.0, "length": 0.3, "force": 2.0}
    far = frame(0.5, 0.0, 0.0, v=Vec3(1.0, 7.0, 0.0))
    assert list(kind.wrench(p, GROUND, far, 0.0).force) == pytest.approx([-(2.0 + 20.0 + 5.0), 0.0, 0.0])
    assert kind.energy(p, GROUND, far) == pytest.approx(0.5 * 100 * 0.04 + 2.0 * 0.2)
    assert kind.dissipation(p, GROUND, far, 0.0) == pytest.approx(5.0)


def test_spring_of_no_free_length_works_through_zero():
    kind = force_kinds["spring-damper"]
    p = {"stiffness": 100.0, "damping": 0.0, "length": 0.0, "force": 0.0}
    for x in (1e-3, 1e-9, 0.0, -1e-6):
        assert kind.wrench(p, GROUND, frame(x), 0.0).force.x == pytest.approx(-100.0 * x, abs=1e-15)


def test_bushing_by_hand():
    kind = force_kinds["bushing"]
    p = {"stiffness": (10.0, 20.0, 30.0, 1.0, 2.0, 3.0), "damping": (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)}
    turned = frame(0.1, 0.2, 0.3, v=Vec3(1.0, 1.0, 1.0), R=rotation_z(0.5), w=Vec3(0.0, 0.0, 2.0))
    wrench = kind.wrench(p, GROUND, turned, 0.0)
    assert list(wrench.force) == pytest.approx([-1.0 - 1.0, -4.0 - 2.0, -9.0 - 3.0])
    assert list(wrench.moment) == pytest.approx([0.0, 0.0, -1.5 - 0.6])
    # the base turned by a quarter: its x axis is ground's y
    base = frame(R=rotation_z(0.5 * math.pi))
    assert list(kind.wrench(p, base, frame(0.1, 0.2, R=base.R), 0.0).force) == pytest.approx([-2.0, -2.0, 0.0])
    planar = {"stiffness": (10.0, 20.0, 3.0), "damping": (0.0, 0.0, 0.0)}
    half = kind.wrench(planar, GROUND, frame(0.1, 0.0, R=rotation_z(-2.5)), 0.0)
    assert [half.force.x, half.moment.z] == pytest.approx([-1.0, 7.5])


def test_vectors_turn_with_the_body_on_request():
    turned = frame(R=rotation_z(0.5 * math.pi))
    for name, part, planar in (("force", "force", (3.0, 0.0)), ("moment", "moment", (3.0,))):
        kind = force_kinds[name]
        for axes, expected in (("ground", [3.0, 0.0, 1.0]), ("body", [0.0, 3.0, 1.0])):
            p = {"vector": (3.0, 0.0, 1.0), "axes": axes}
            assert list(getattr(kind.wrench(p, GROUND, turned, 0.0), part)) == pytest.approx(expected, abs=1e-15)
        flat = getattr(kind.wrench({"vector": planar, "axes": "ground"}, GROUND, turned, 0.0), part)
        assert list(flat) == ([3.0, 0.0, 0.0] if name == "force" else [0.0, 0.0, 3.0])


@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-9, 1e-4, 0.19, 0.21, 1.5, 3.0, 3.14])
def test_rotation_vector_returns_axis_and_angle(angle):
    axis = Vec3(2 / 3, -1 / 3, 2 / 3)
    found = rotation_vector(rotation_about(axis, angle))
    assert list(found) == pytest.approx([angle * each for each in axis], abs=3e-16 + 1e-12 * angle)
    assert list(rotation_vector(rotation_z(-angle))) == pytest.approx([0.0, 0.0, -angle], abs=1e-15)


@pytest.mark.parametrize("angle", [1e-8, 0.199999, 0.2, 0.200001, 1.0, 3.0])
def test_moment_from_gradient_is_the_transposed_rate_map(angle):
    """ω·M = g·θ̇ for every ω: θ̇ by complex step of the rotation vector of exp(ω h) R."""
    axis, g = Vec3(0.6, 0.0, 0.8), Vec3(1.0, -2.0, 0.5)
    R = rotation_about(axis, angle)
    M = moment_from_gradient(rotation_vector(R), g)
    for k in range(3):
        omega = [1e-40j if i == k else 0.0 for i in range(3)]
        turned = R + Mat3(0.0, -omega[2], omega[1], omega[2], 0.0, -omega[0], -omega[1], omega[0], 0.0) @ R
        theta = rotation_vector(turned)
        rate = [each.imag / 1e-40 for each in theta]
        assert M[k] == pytest.approx(sum(a * b for a, b in zip(g, rate, strict=True)), rel=1e-7, abs=1e-7)


def test_wrench_moves_with_its_moment():
    wrench = Wrench(Vec3(0.0, 2.0, 0.0), Vec3(0.0, 0.0, 1.0)).moved(Vec3(3.0, 0.0, 0.0), Vec3.zero())
    assert list(wrench.moment) == [0.0, 0.0, 7.0]
