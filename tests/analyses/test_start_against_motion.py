"""A start that contradicts an imposed motion is told; one that agrees with it is met."""

import pytest

import closedchain as cc


def driven(root):
    m = cc.load(root / "examples/four_bar/mechanism.toml")
    name = next(iter(m.actuators))
    joint = m.actuators[name].joint.text
    return m.with_table("actuators", name, joint=joint, motion="0.4 + 0.5*t + t**2"), joint


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_a_start_against_an_imposed_motion(root, formulation):
    m, joint = driven(root)
    with pytest.raises(cc.AssemblyError, match=f"{joint} as 0.7, but its imposed motion starts at 0.4"):
        cc.simulate(m, until=0.1, start={joint: 0.7}, formulation=formulation)
    with pytest.raises(cc.AssemblyError, match=f"{joint} as 2, but its imposed motion starts with the rate 0.5"):
        cc.simulate(m, until=0.1, start={joint: (0.4, 2.0)}, formulation=formulation)


def test_a_start_that_agrees_with_an_imposed_motion(root):
    m, joint = driven(root)
    ds = cc.simulate(m, until=0.1, start={joint: (0.4, 0.5)}, times=[0.0, 0.1])
    assert ds.q.sel(coordinate=joint).values.tolist() == pytest.approx([0.4, 0.46], abs=1e-12)
