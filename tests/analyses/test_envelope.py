"""The static envelope of play against triangles by hand, and the error of one motion against another."""

import numpy as np
import pytest

import closedchain as cc


def two_limbs():
    """Two bars from fixed pivots to a common point: a triangle, held by nothing but its lengths."""
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {
                "ground": {"points": {"A": [0, 0], "D": [0.5, 0]}},
                "left": {"points": {"P": [0.4, 0]}},
                "right": {"points": {"P": [0.3, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "left.origin"], "guess": "36.87 deg"},
                "D": {"type": "revolute", "between": ["ground.D", "right.origin"], "guess": "126.87 deg"},
                "P": {"type": "revolute", "between": ["left.P", "right.P"]},
            },
            "outputs": {"P": {"point": "left.P"}},
        }
    )


def test_envelope_of_a_right_triangle():
    """Bars of 0.4 and 0.3 m over 0.5 m stand at right angles: play of one bar moves P along it alone."""
    m = two_limbs()
    ds = cc.envelope(m, cc.assemble(m), "P", {"A": 1e-4, "D": 2e-4, "P": 3e-4})
    # A stretches the left bar only, D and P the right one.
    assert ds["joint_largest"][0].values == pytest.approx([1e-4, 2e-4, 3e-4])
    u, v = np.array([0.8, 0.6]), np.array([-0.6, 0.8])
    d = ds["direction_vector"].values
    np.testing.assert_allclose(ds["reach"][0], 1e-4 * abs(d @ u) + 5e-4 * abs(d @ v), atol=1e-12)
    np.testing.assert_allclose(np.einsum("da,da->d", d, ds["outline"][0]), ds["reach"][0], atol=1e-15)
    np.testing.assert_allclose(ds["extent"][0], 1e-4 * abs(u) + 5e-4 * abs(v), atol=1e-12)
    # The corners of the rectangle lie between the directions; the outline meets them.
    assert float(ds["largest"][0]) == pytest.approx(np.hypot(1e-4, 5e-4), rel=1e-3)


def test_clearances_of_the_file_and_along_a_motion():
    m = cc.load("examples/shift_manipulator/mechanism.toml")
    ds = cc.envelope(m, [0.0, 0.2], "P")
    assert set(ds["loose_joint"].values) == {name for name, joint in m.joints.items() if joint.clearance is not None}
    bound = cc.errors(m, "P", {f"joints.{name}.clearance.radial": 2e-4 for name in ("B1", "B2")}, [0.0, 0.2])
    part = cc.envelope(m, [0.0, 0.2], "P", {"B1": 2e-4, "B2": 2e-4})
    np.testing.assert_allclose(part["extent"], bound["bound_position"], rtol=1e-9)


def test_mistakes_are_named():
    m = two_limbs()
    with pytest.raises(cc.MechanismError, match="no joint has play"):
        cc.envelope(m, cc.assemble(m), "P")
    with pytest.raises(cc.MechanismError, match="'Q'"):
        cc.envelope(m, cc.assemble(m), "P", {"Q": 1e-4})


def test_deviation_is_the_difference_at_the_same_time():
    m = cc.load("examples/four_bar/mechanism.toml")
    name = next(iter(m.parameters))
    longer = m.with_values({f"parameters.{name}": 1.01 * m.evaluate(f"parameters.{name}")})
    times = [0.0, 0.1, 0.2]
    one, other = cc.kinematics(longer, times), cc.kinematics(m, times)
    ds = cc.deviation(one, other)
    np.testing.assert_allclose(ds["velocity_error"], one["velocity"] - other["velocity"])
    np.testing.assert_allclose(
        ds["position_largest"], np.linalg.norm(one["position"] - other["position"], axis=2).max(0)
    )
    with pytest.raises(cc.MechanismError, match="instants"):
        cc.deviation(one, cc.kinematics(m, [0.0, 0.1, 0.21]))
