"""Loose joints anywhere in a four-bar: driven ones, all at once, and the same mechanism in a plane of space."""

import numpy as np
import pytest

import closedchain as cc

CONTACT = {"radial": 2e-4, "bore": 9e-3, "normal": "lankarani-nikravesh", "stiffness": 2e9, "restitution": 0.7}
PLANE = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
BODIES = {
    "ground": (None, None, None, {"A": (0, 0), "D": (0.5, 0.1)}),
    "crank": (0.3, (0.05, 0), 4e-4, {"A": (0, 0), "B": (0.12, 0)}),
    "coupler": (0.5, (0.2, 0.03), 6e-3, {"B": (0, 0), "C": (0.4, 0), "P": (0.2, 0.1)}),
    "rocker": (0.4, (0.15, 0), 3e-3, {"D": (0, 0), "C": (0.3, 0)}),
}
JOINTS = {"A": ("ground", "crank", 0.5), "B": ("crank", "coupler", -0.2), "C": ("coupler", "rocker", 1.2),
          "D": ("ground", "rocker", 1.6)}  # fmt: skip


def four_bar(loose, planar=True, driven=True, **kind):
    """A four-bar; in space it moves in a tilted plane, and each body has axes of its own."""
    bodies = {}
    for k, (name, (mass, com, inertia, points)) in enumerate(BODIES.items()):
        own = PLANE if name == "ground" else np.linalg.matrix_power(PLANE, k)
        body = {"points": points}
        if mass:
            body |= {"mass": mass, "com": com, "inertia": inertia}
        if not planar:
            frame = {"z": own[:, 2].tolist(), "x": own[:, 0].tolist()}
            body["points"] = {key: {"at": (own @ [*at, 0.0]).tolist(), **frame} for key, at in points.items()}
            if mass:
                T = own @ np.diag([0.3 * inertia, 0.8 * inertia, inertia]) @ own.T
                entries = [T[0, 0], T[1, 1], T[2, 2], T[0, 1], T[0, 2], T[1, 2]]
                body |= {"com": (own @ [*com, 0.0]).tolist(), "inertia": entries}
        bodies[name] = body
    gravity = np.array([0.0, -9.81, 0.0])
    joints = {
        name: {"type": "revolute", "between": [f"{base}.{name}", f"{moving}.{name}"], "guess": guess}
        | ({"clearance": CONTACT | kind} if name in loose else {})
        for name, (base, moving, guess) in JOINTS.items()
    }
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": planar, "gravity": (gravity[:2] if planar else PLANE @ gravity).tolist()},
        "bodies": bodies,
        "joints": joints,
        "outputs": {"P": {"point": "coupler.P"}},
        "actuators": {"M": {"joint": "A", "motion": "0.5+20*t"}} if driven else {},
    })  # fmt: skip


@pytest.mark.parametrize("loose", ["A", "B"])
def test_a_plane_of_space_gives_the_planar_numbers(loose):
    times = np.linspace(0.0, 0.008, 9)
    flat, tilted = (cc.simulate(four_bar(loose, planar), 0.008, times=times, rtol=1e-10, atol=1e-13)
                    for planar in (True, False))  # fmt: skip
    assert len(flat.contact) > 0
    np.testing.assert_allclose(tilted.contact_time, flat.contact_time, atol=1e-9)
    for name, size in {"position": 1e-9, "eccentricity": 1e-9, "contact_force": 1e-3}.items():
        np.testing.assert_allclose((tilted[name].values @ PLANE)[..., :2], flat[name].values, atol=size)


def test_a_driven_joint_with_play(formulations):
    pair = formulations.both(four_bar("AD"), 0.008, rtol=1e-10, samples=4, clearance=True)
    assert formulations.difference(*pair) < 1e-6
    for ds in pair:
        assert set(ds.contact_joint.values) == {"A", "D"}
        np.testing.assert_allclose(ds.q.sel(coordinate="A"), 0.5 + 20.0 * ds.time, atol=1e-12)


def test_pins_that_meet_their_bores_together_are_all_seen(formulations):
    """Released at rest, all links fall as one: both ground pins touch at √(2c/g), and no link gets away."""
    for ds in formulations.both(four_bar("ABCD", driven=False), 0.015, rtol=1e-10, samples=16, clearance=True):
        assert set(ds.contact_joint.values[:2]) == {"A", "D"}
        np.testing.assert_allclose(ds.contact_time[:2], np.sqrt(2 * 2e-4 / 9.81), atol=1e-9)
        assert float(ds.penetration.max()) < 5e-5


def test_both_ends_of_a_pin_in_a_plane_touch_together():
    """Several bounces: a flight may be one single step, which has just left the root it comes back to."""
    ends = {"kind": "revolute-pin-ends", "length": 0.02, "axial": 1e-3, "journal": "base"}
    ds = cc.simulate(four_bar("C", planar=False, **ends), 0.012, rtol=1e-10, atol=1e-13, times=[0.0, 0.012])
    assert len(ds.contact) >= 10
    np.testing.assert_allclose(ds.contact_time[::2], ds.contact_time[1::2], atol=1e-11)
