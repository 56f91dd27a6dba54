"""Random mechanisms built closed, their guesses scrambled: they close again, or say why not; nothing else."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc

SEED = st.integers(0, 100_000)


def scrambled(m, pose, draw, angle=2.0, length=0.3):
    """A guess that far from a pose, lengths as fractions of the largest one."""
    size = cc.compile(m).size
    guess = {}
    for name, value in pose.coordinates.items():
        joint = m.joints[name] if name in m.joints else m.joints[name.rpartition(".")[0]]
        if ".q" not in name:
            slides = joint.type == "prismatic" or name.endswith((".x", ".y", ".z", ".length"))
            guess[name] = value + (length * size if slides else angle) * draw.uniform(-1.0, 1.0)
    return guess


def check(pose):
    """Closed far below 1e-12, and a number everywhere."""
    assert pose.residual < 1e-12
    assert np.all(np.isfinite(list(pose.coordinates.values())))
    for frame in pose.frames.values():
        np.testing.assert_allclose(frame[:3, :3] @ frame[:3, :3].T, np.eye(3), atol=1e-12)


@given(SEED)
def test_random_four_bars(linkages, seed):
    draw = np.random.default_rng(seed)
    corners = draw.uniform(-1.0, 1.0, (3, 2))
    A, B, C, D = np.zeros(2), *corners
    lengths = [float(np.linalg.norm(q - p)) for p, q in ((A, D), (A, B), (B, C), (C, D))]
    if min(lengths) < 0.05:
        return
    m = linkages.four_bar(*lengths, guess=float(draw.uniform(-3, 3)))
    pose = cc.assemble(m)
    check(pose)
    again = cc.assemble(m, guess=scrambled(m, pose, draw, angle=3.0))
    check(again)
    check(cc.assemble(m, {"A": again["A"]}, guess=scrambled(m, pose, draw, angle=3.0)))


@given(SEED)
def test_random_slider_cranks(linkages, seed):
    draw = np.random.default_rng(seed)
    crank, rod, offset = draw.uniform(0.05, 0.5), draw.uniform(0.05, 1.0), draw.uniform(-0.5, 0.5)
    angle = draw.uniform(-math.pi, math.pi)
    # The rod reaches the slider's line from here.
    rod = max(rod, abs(crank * math.sin(angle) - offset) * 1.01)
    m = linkages.slider_crank(crank=crank, rod=rod, offset=offset)
    pose = cc.assemble(m, {"A": angle}, guess={"B": draw.uniform(-3, 3), "S": draw.uniform(-1, 1)})
    check(pose)
    assert pose["A"] == angle
    check(cc.assemble(m, {"S": pose["S"]}, guess=scrambled(m, pose, draw)))


@settings(max_examples=40)
@given(SEED)
def test_random_platforms(linkages, seed):
    draw = np.random.default_rng(seed)
    base = draw.uniform(-1.0, 1.0, (6, 3)) * [1.0, 1.0, 0.2]
    top = draw.uniform(-0.5, 0.5, (6, 3)) * [1.0, 1.0, 0.2]
    m = linkages.stewart(base.tolist(), top.tolist(), linkages.transform(1.5, *draw.uniform(-0.4, 0.4, 3)))
    pose = cc.assemble(m)
    check(pose)
    lengths = {f"L{k}": pose[f"L{k}"] for k in range(6)}
    again = cc.assemble(m, lengths, guess=scrambled(m, pose, draw, angle=1.0))
    check(again)
    assert all(again[name] == value for name, value in lengths.items())


@settings(max_examples=60)
@given(SEED, st.booleans(), st.integers(1, 3))
def test_random_loops_of_all_joints(loops, seed, planar, count):
    """A random loop closes where it was built, and from a scrambled guess closes or raises an AssemblyError."""
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar, count))
    pose = cc.assemble(m, guess={name: 0.0 for name in cc.compile(m).coordinates if ".q" not in name})
    check(pose)
    draw = np.random.default_rng(seed)
    try:
        check(cc.assemble(m, guess=scrambled(m, pose, draw)))
    except cc.AssemblyError as error:
        assert "cannot be closed" in str(error)  # noqa: PT017
    kept = cc.assemble(m, guess=pose)
    values = np.array([list(p.coordinates.values()) for p in (kept, pose)])
    if not m.actuators or all(actuator.motion is None for actuator in m.actuators.values()):
        assert np.abs(values[0] - values[1]).max() < 1e-12


def test_success_from_scrambled_guesses(loops):
    """Of random loops, planar and spatial, nearly all close from guesses that are off by up to 2 rad."""
    closed = total = 0
    for seed in range(40):
        m = cc.Mechanism.from_dict(loops.random_loop(seed, seed % 2 == 0, 1 + seed % 3))
        pose = cc.assemble(m)
        total += 1
        try:
            closed += cc.assemble(m, guess=scrambled(m, pose, np.random.default_rng(seed))).residual < 1e-12
        except cc.AssemblyError:
            continue
    assert closed >= 0.95 * total
