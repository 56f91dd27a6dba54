"""A pin in a slot is drawn where the pin is, in a slot as long as its way, carried by the body that has the slot."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.views.parts import make_parts
from closedchain.views.scene import make_plan, scene_at


def yoke():
    """A Scotch yoke whose crank pin, 40 mm from the axis, goes up and down in a slot."""
    return (
        cc.Mechanism.build("yoke", planar=True)
        .body("ground", points={"O": [0, 0]})
        .body("crank", mass=0.5, inertia=5e-4, points={"O": [0, 0], "P": [0.04, 0]})
        .body("yoke", mass=2, inertia=0, points={"C": [0, 0]})
        .joint("O", "revolute", between=("ground.O", "crank.O"))
        .joint("pin", "point-in-slot", between=("yoke.C", "crank.P"), axis=[0, 1])
        .joint("rail", "prismatic", between=("ground.O", "yoke.C"), axis=[1, 0], guess=0.04)
    )


def test_a_pin_in_a_slot():
    m = yoke()
    poses = [cc.assemble(m, {"O": angle}) for angle in np.linspace(0.0, 2.0 * np.pi, 25)]
    plan = make_plan(m)
    at = {body: np.stack([np.asarray(pose.frame(body), float) for pose in poses]) for body in m.bodies}
    scenes = [scene_at(plan, {body: places[k] for body, places in at.items()}) for k in range(len(poses))]
    parts = list(make_parts(plan, at, scenes))

    (crank,) = [part for part in parts if part.role == "link" and part.name == "crank"]
    assert crank.points == pytest.approx(np.array([[0, 0, 0], [0.04, 0, 0]]), abs=1e-12), "it ends at its pin"
    slot, pin = [part for part in parts if part.name == "pin" and part.kind == "area"]
    assert (slot.body, pin.body) == ("yoke", "crank")
    reach = slot.points[:, 1]
    assert -0.043 < reach.min() < -0.04
    assert 0.04 < reach.max() < 0.043
    assert pin.points.mean(axis=0) == pytest.approx([0.04, 0, 0], abs=1e-4)
