"""Denavit-Hartenberg chains against products of the textbooks' matrices."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.compile import trace
from closedchain.description import Mechanism
from closedchain.elements.joints import Rotation, Translation


def turn(axis: int, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    T = np.eye(4)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    T[i, i] = T[j, j] = c
    T[i, j], T[j, i] = -s, s
    return T


def shift(axis: int, length: float) -> np.ndarray:
    T = np.eye(4)
    T[axis, 3] = length
    return T


def textbook(rows: list[dict[str, Any]], q: list[float], convention: str) -> list[np.ndarray]:
    """Frames 1 … n, by numpy alone."""
    T, frames = np.eye(4), []
    for row, coordinate in zip(rows, q):
        a, alpha, d, theta = (row.get(name, 0.0) for name in ("a", "alpha", "d", "theta"))
        if row.get("type", "revolute") == "revolute":
            theta += coordinate
        else:
            d += coordinate
        if convention == "standard":
            T = T @ turn(2, theta) @ shift(2, d) @ shift(0, a) @ turn(0, alpha)
        else:
            T = T @ turn(0, alpha) @ shift(0, a) @ turn(2, theta) @ shift(2, d)
        frames.append(T)
    return frames


def homogeneous(pose: Any) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = [list(row) for row in pose[0]]
    T[:3, 3] = list(pose[1])
    return T


def bodies_in_ground(m: Mechanism, q: list[float]) -> list[np.ndarray]:
    """Body frames from the joints as described: base frame, steps at the coordinate, inverse moving frame."""
    evaluate, placed = m.evaluator(), {"ground": np.eye(4)}
    for joint, coordinate in zip(m.joints.values(), q):
        base, moving = (homogeneous(pose) for pose in joint.frames(evaluate))
        (step,) = joint.form.steps({})
        assert isinstance(step, Rotation | Translation)
        inner = turn(step.axis, coordinate) if isinstance(step, Rotation) else shift(step.axis, coordinate)
        placed[joint.moving.body] = placed[joint.base.body] @ base @ inner @ np.linalg.inv(moving)
    return [placed[name] for name in m.bodies if name != "ground"]


NUMBER = st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi]) | st.floats(-3, 3)
ROW = st.fixed_dictionaries(
    {},
    optional={
        "a": NUMBER,
        "alpha": NUMBER,
        "d": NUMBER,
        "theta": NUMBER,
        "type": st.sampled_from(["revolute", "prismatic"]),
    },
)


@given(st.lists(ROW, min_size=1, max_size=7), st.sampled_from(["standard", "modified"]), st.data())
def test_frames_match_the_textbook(rows, convention, data):
    m = Mechanism.from_dict(
        {"bodies": {"ground": {}}, "chains": {"arm": {"from": "ground.origin", "convention": convention, "rows": rows}}}
    )
    assert list(m.bodies) == ["ground", *(f"arm.{k + 1}" for k in range(len(rows)))]
    q = [data.draw(st.floats(-2, 2)) for _ in rows]
    for body, frame in zip(bodies_in_ground(m, q), textbook(rows, q, convention)):
        assert body == pytest.approx(frame, abs=1e-13)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_a_chain_starts_at_a_frame(make, convention):
    rows = [{"a": 0.1, "alpha": 0.3, "d": 0.2, "theta": 0.4}, {"a": 0.5, "alpha": -0.7}]
    foot = {"at": [0.1, 0.2, 0.3], "z": [0, 1, 0], "x": [1, 0, 0]}
    m = Mechanism.from_dict(
        {
            "bodies": {"ground": {"points": {"foot": foot}}},
            "chains": {"arm": {"from": "ground.foot", "convention": convention, "rows": rows}},
        }
    )
    start = homogeneous(m.bodies["ground"].points["foot"].pose(m.evaluator()))
    for body, frame in zip(bodies_in_ground(m, [0.1, 0.2]), textbook(rows, [0.1, 0.2], convention)):
        assert body == pytest.approx(start @ frame, abs=1e-14)


def test_bodies_and_joints_of_a_chain_take_more(make):
    m = Mechanism.from_dict(make("arm"))
    assert m.bodies["arm.2"].mass.si == 3.0
    assert set(m.bodies["arm.2"].points) == {"origin", "tool", "arm.2", "arm.3"}
    assert m.joints["arm.2"].guess is not None
    assert m.joints["arm.2"].guess[0].si == 0.5
    assert [joint.type for joint in m.joints.values()] == ["revolute", "revolute", "prismatic"]
    assert [joint.base.body for joint in m.joints.values()] == ["ground", "arm.1", "arm.2"]
    assert all(joint.offset[0].is_zero for joint in m.joints.values())


def test_points_of_chain_bodies_are_referred_to_by_the_longest_name(make):
    m = Mechanism.from_dict(
        make(
            "arm",
            outputs__tip={"point": "arm.3.origin"},
            outputs__tool={"point": "arm.2.tool"},
            actuators__m={"joint": "arm.3"},
        )
    )
    assert (m.outputs["tip"].point.body, m.outputs["tip"].point.point.name) == ("arm.3", "origin")
    assert m.outputs["tool"].point.text == "arm.2.tool"
    assert m.actuators["m"].joint.unit == "m"


def test_numbers_of_rows_are_values_and_can_change(make):
    m = Mechanism.from_dict(make("arm"))
    assert m.evaluate("chains.arm.rows.1.a") == 0.43
    assert m.evaluate("chains.arm.rows.0.alpha") == -math.pi / 2
    assert m.evaluate("chains.arm.rows.0.a") == 0.0
    n = m.with_values({"chains.arm.rows.1.a": 0.5, "chains.arm.rows.0.a": "10 mm", "bodies.arm.2.mass": 4})
    assert n.to_dict()["chains"]["arm"]["rows"][0]["a"] == "10 mm"
    assert n.evaluate("chains.arm.rows.1.a") == 0.5
    assert n.bodies["arm.2"].mass.si == 4.0
    paths = list(m.values())
    assert paths.index("chains.arm.rows.0.a") < paths.index("chains.arm.rows.2.theta")
    assert len(paths) == len(set(paths))


def test_quarter_turns_are_structure(make):
    """Right-angled twists fold to exact zeros and ones in the traced frames; other angles stay inputs."""
    m = Mechanism.from_dict(make("arm"))
    folded = {path for path, value in m.values().items() if value.folded not in (None, 0.0)}
    assert folded == {"chains.arm.rows.0.alpha", "chains.arm.rows.2.alpha"}

    def rotation(name: str, free: tuple[str, ...] = ()) -> list[Any]:
        joint = m.joints[name]
        traced = trace(lambda p: {"R": joint.frames(m.evaluator(lambda value: p[0], free))[1][0]}, {"p": 1})
        return traced.expressions

    assert all(isinstance(entry, float) for entry in rotation("arm.1"))
    assert not all(isinstance(entry, float) for entry in rotation("arm.2"))
    assert not all(isinstance(entry, float) for entry in rotation("arm.1", ("chains.arm.rows.0.alpha",)))
    assert m.structure != m.with_values({"chains.arm.rows.0.alpha": "-89 deg"}).structure
    assert m.structure == m.with_values({"chains.arm.rows.1.alpha": "9 deg"}).structure


def test_two_chains_share_the_ground(make):
    rows = [{"a": 0.1}, {"a": 0.2}]
    m = Mechanism.from_dict(
        {
            "bodies": {"ground": {}},
            "chains": {
                name: {"from": "ground.origin", "convention": "standard", "rows": rows} for name in ("left", "right")
            },
            "joints": {"grip": {"type": "revolute", "between": ["left.2.origin", "right.2.origin"]}},
        }
    )
    assert list(m.bodies) == ["ground", "left.1", "left.2", "right.1", "right.2"]
    assert list(m.joints) == ["grip", "left.1", "left.2", "right.1", "right.2"]
