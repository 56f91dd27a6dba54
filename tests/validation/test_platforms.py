"""Platforms on limbs of every kind: inverse form, limbs, loop equations and coefficients against assembled poses.

Limbs with fewer than six joints, loops and couplings in limbs, more motors than freedoms, two motors in one limb.
"""

import re

import numpy as np
import pytest
from assembled_world import World
from followed import Followed
from platforms import PLATFORMS, plane_arms, scara, sliders

import closedchain as cc

SPEED, BEND = 0.2, 0.3


@pytest.fixture(scope="module", params=PLATFORMS)
def moving(request):
    """The mechanism at nine instants of a motion of as many motors as it has freedoms, and its table entry."""
    build, freedoms, simple = PLATFORMS[request.param]
    m = build().build()
    names = [actuator.joint.text for actuator in m.actuators.values()][:freedoms]
    pose, draw = cc.assemble(m), np.random.default_rng(2)
    rates, bends = (dict(zip(names, size * draw.normal(size=freedoms), strict=True)) for size in (SPEED, BEND))
    slow = 0.2 if request.param == "7-UPS" else 1.0
    motion = Followed(m, {name: float(pose[name]) for name in names}, {k: slow * v for k, v in rates.items()}, bends)
    return m, motion, names, freedoms, simple


def platform_point(m):
    return next(iter(name for name in m.bodies["plate"].points if name != "origin"))


def test_inverse_form(moving):
    m, motion, _, freedoms, _ = moving
    point = platform_point(m)
    V, A = motion.twist("plate", point)
    ds = cc.platform_inverse(m, motion.pose, f"plate.{point}", V, A)
    qd, qdd = motion.by_label([str(label) for label in ds.rate.values])
    assert ds.qd.values == pytest.approx(qd, abs=1e-7)
    assert ds.qdd.values == pytest.approx(qdd, abs=1e-5)
    refused = []
    for wrong in 0.3 * np.eye(6):
        for name, twists in (("V", (V + wrong, A)), ("A", (V, A + wrong))):
            try:
                cc.platform_inverse(m, motion.pose, f"plate.{point}", *twists)
            except cc.MechanismError as error:
                refused.append((name, str(error)))
    assert bool(refused) == (freedoms < 6)
    for name, text in refused:
        assert re.search(rf"{name}: .*part they forbid is .*(w[xyz]|[xyz]) = .*{freedoms} freedoms", text)


def test_limbs(moving):
    m, motion, _, freedoms, simple = moving
    of = f"plate.{platform_point(m)}"
    if not simple:
        with pytest.raises(cc.MechanismError, match="branches"):
            cc.limb_influence(m, motion.pose, of)
        return
    V, A = motion.twist("plate", platform_point(m))
    forbidden = []
    for limb in cc.limb_influence(m, motion.pose, of):
        qd, qdd = motion.by_label(limb.rates)
        assert limb.G @ qd == pytest.approx(V, abs=1e-8)
        assert limb.rate_map @ V == pytest.approx(qd, abs=1e-7)
        assert limb.rate_map @ (A - np.einsum("imn,m,n->i", limb.H, qd, qd)) == pytest.approx(qdd, abs=1e-5)
        assert not limb.singular
        assert limb.inverts == (limb.rank == 6)
        forbidden.append(limb.forbidden)
    assert np.linalg.matrix_rank(np.vstack(forbidden), 1e-8) == 6 - freedoms


def test_loop_equations(moving):
    m, motion, names, freedoms, _ = moving
    found = cc.loop_matrices(m, motion.pose, driven=names)
    qd, qdd = motion.by_label([*found.passive, *found.driven])
    p, pp, a, aa = qd[: len(found.passive)], qdd[: len(found.passive)], qd[-freedoms:], qdd[-freedoms:]
    assert found.W @ p + found.U @ a == pytest.approx(0.0, abs=1e-8)
    assert found.W @ pp + found.U @ aa + found.c(qd) == pytest.approx(0.0, abs=1e-6)
    assert (found.rank, found.freedoms) == (len(found.passive), freedoms)
    assert found.passive_rates(a) == pytest.approx(p, abs=1e-7)
    assert found.passive_accelerations(a, aa) == pytest.approx(pp, abs=1e-5)


def test_bodies_in_the_middle_of_loops(moving):
    """Coefficients of every body with respect to the moved motors: fewer than the file has where they are redundant."""
    m, motion, names, _, _ = moving
    qd, qdd = motion.by_label(names)
    for body in list(m.bodies)[1::3]:
        if body == "ground":
            continue
        point = list(m.bodies[body].points)[-1]
        V, A = motion.twist(body, point)
        G, H = cc.influence(m, motion.pose, f"{body}.{point}", wrt=names)
        assert G @ qd == pytest.approx(V, abs=1e-8)
        assert G @ qdd + np.einsum("imn,m,n->i", H, qd, qd) == pytest.approx(A, abs=1e-6)


def test_redundant_motors_are_no_variables_and_an_independent_set_is_named():
    m = plane_arms(4, ("A0", "A1", "A2", "A3")).build()
    pose = cc.assemble(m)
    with pytest.raises(cc.MechanismError, match=r"4 variables for 3 freedoms.*independent set is A0, A1, A2"):
        cc.influence(m, pose, "plate.B0")
    with pytest.raises(cc.MechanismError, match="independent set is A3, E0, A0"):
        cc.influence(m, pose, "plate.B0", wrt=["A3", "E0"])


def test_passive_joints_that_can_be_driven_are_named_before_balls():
    world = sliders()
    world.actuators.clear()
    m = world.build()
    with pytest.raises(cc.MechanismError, match="independent set is P0, P1, P2"):
        cc.influence(m, cc.assemble(m), "plate.S0")


def stretched():
    """Three limbs of parallel revolutes, the first arm and forearm in line."""
    world = World()
    for k, (A, E, B) in enumerate((([0, 0, 0], [0.3, 0.1, 0], [0.6, 0.2, 0]), ([1, 0, 0], [1.1, 0.3, 0], [0.8, 0.3, 0]),
                                   ([0.5, 0.9, 0], [0.9, 0.8, 0], [0.7, 0.5, 0]))):  # fmt: skip
        world.joint(f"A{k}", "revolute", "ground", f"arm{k}", A)
        world.joint(f"E{k}", "revolute", f"arm{k}", f"forearm{k}", E)
        world.joint(f"B{k}", "revolute", f"forearm{k}", "plate", B)
    world.drive("A0", "A1", "A2")
    return world.build()


def test_a_stretched_limb_in_space_is_named():
    m = stretched()
    pose = cc.assemble(m)
    with pytest.raises(cc.SingularConfigurationError, match=r"A0, E0, B0 can move while.*a limb is singular"):
        cc.platform_inverse(m, pose, "plate.B0", np.zeros(6))
    assert [limb.singular for limb in cc.limb_influence(m, pose, "plate.B0")] == [True, False, False]
    assert "inverse" in cc.singularities(m, pose).kinds
    beside = cc.assemble(m, {"E0": 0.05}, guess=pose)
    assert not any(limb.singular for limb in cc.limb_influence(m, beside, "plate.B0"))
    assert cc.platform_inverse(m, beside, "plate.B0", np.zeros(6)).qd.values == pytest.approx(0.0, abs=1e-12)


def test_a_turn_about_a_forbidden_axis_is_named_by_its_component():
    """Limbs along one direction allow turns about it alone."""
    m = scara(turned=False).build()
    pose = cc.assemble(m)
    assert cc.platform_inverse(m, pose, "plate.C1", [0, 0, 0.4, 0.1, -0.2, 0.3]).qd.sel(rate="Z0").item() != 0.0
    with pytest.raises(cc.MechanismError, match=r"V: .*part they forbid is wx = 0.2, wy = -0.7. The platform has 4"):
        cc.platform_inverse(m, pose, "plate.C1", [0.2, -0.7, 0.4, 0, 0, 0])
