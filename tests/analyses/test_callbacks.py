"""A user's own controllers and forces: sampled answers held between samples, against the same laws in the file."""

import numpy as np
import pytest

import closedchain as cc


def block(**tables):
    """A block of 2 kg on a horizontal slider, pushed by a motor and a force."""
    data = {
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "block": {"mass": 2.0, "points": {"P": [0, 0]}}},
        "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"]}},
        "actuators": {"motor": {"joint": "S"}},
        "outputs": {"P": {"point": "block.P"}},
    }
    return cc.Mechanism.from_dict({**data, **tables})


def test_a_held_effort_moves_the_block_as_the_sampled_recursion_says():
    h, kp, kd, m = 0.05, 30.0, 6.0, 2.0
    ds = cc.simulate(
        block(), 1.0, times=np.arange(21) * h, callbacks={"motor": lambda s: kp * (0.2 - s.q["S"]) - kd * s.qd["S"]},
        sampling=h,
    )  # fmt: skip
    x, v = 0.0, 0.0
    for k in range(20):
        assert float(ds["q"][k, 0]) == pytest.approx(x, abs=1e-9)
        force = kp * (0.2 - x) - kd * v
        assert float(ds["effort"][k, 0]) == pytest.approx(force, abs=1e-8)
        x, v = x + v * h + force / m * h**2 / 2, v + force / m * h
    energy = ds["kinetic_energy"] - ds["input_work"]
    assert float(abs(energy).max()) < 1e-9


def test_fast_sampling_comes_near_the_controller_of_the_file():
    control = {"kind": "pd", "target": 0.2, "kp": 30.0, "kd": 6.0}
    exact = cc.simulate(block(actuators={"motor": {"joint": "S", "control": control}}), 1.0, times=[0.5, 1.0])
    errors = []
    for h in (0.02, 0.01):
        law = {"motor": lambda s: 30.0 * (0.2 - s.q["S"]) - 6.0 * s.qd["S"]}
        ds = cc.simulate(block(), 1.0, times=[0.5, 1.0], callbacks=law, sampling=h)
        errors.append(float(abs(ds["q"] - exact["q"]).max()))
    # a held answer is half a sample old: first order
    assert errors[1] < 0.6 * errors[0] < 0.01


def test_a_force_in_python_sees_outputs_and_pushes_along_its_axes():
    m = block(forces={"wind": {"kind": "force", "on": "block.P", "vector": [1.0, 0.0]}})
    seen = []

    def wind(reading):
        seen.append((reading.t, reading.position["P"][0], reading.velocity["P"][0]))
        return [4.0, 7.0]

    ds = cc.simulate(m, 0.5, times=[0.5], callbacks={"wind": wind}, sampling=0.1)
    assert float(ds["q"][0, 0]) == pytest.approx(0.5 * 4.0 / 2.0 * 0.25)
    assert [t for t, _, _ in seen] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert seen[-1][1:] == pytest.approx((0.4**2, 2 * 0.4))


def test_mistakes_are_told():
    for callbacks, sampling, text in (
        ({"motor": lambda s: 1.0}, None, "sampling is None"),
        ({"motor": lambda s: 1.0}, -1.0, "sampling is -1"),
        ({"engine": lambda s: 1.0}, 0.1, "'engine'"),
        ({"motor": lambda s: float("nan")}, 0.1, "'motor' answered nan"),
        ({"motor": lambda s: "fast"}, 0.1, "'motor' answered 'fast'"),
    ):
        with pytest.raises(cc.MechanismError, match=text):
            cc.simulate(block(), 0.3, callbacks=callbacks, sampling=sampling)
