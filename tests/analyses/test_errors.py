"""Errors of a point: the two-link limb by hand, loops against differences, statistics against each other."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

TIMES = np.linspace(0.0, 0.9, 4)


def limb(l1=0.25, l2=0.22):
    """Two links, both joints driven."""
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "parameters": {"l1": l1, "l2": l2},
            "bodies": {
                "ground": {},
                "one": {"points": {"B": ["l1", 0]}},
                "two": {"points": {"P": ["l2", 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "one.origin"]},
                "B": {"type": "revolute", "between": ["one.B", "two.origin"]},
            },
            "actuators": {
                "first": {"joint": "A", "motion": "0.3 + t + 0.4*t**2"},
                "second": {"joint": "B", "motion": "0.8 - 2*t**2"},
            },
            "outputs": {"P": {"point": "two.P"}},
        }
    )


def by_hand(t, l1=0.25, l2=0.22):
    """Angles of both links from ground x, their rates and accelerations, by the file's motions."""
    a = np.array([0.3 + t + 0.4 * t**2, 1 + 0.8 * t, 0.8 + 0 * t])
    b = a + np.array([0.8 - 2 * t**2, -4 * t, -4 + 0 * t])
    return a, b


def turned(angle):
    """u(angle) and its first two derivatives along the angle."""
    u = np.array([np.cos(angle), np.sin(angle)]).T
    w = np.array([-np.sin(angle), np.cos(angle)]).T
    return u, w


def test_two_link_limb_by_hand():
    """p = l1 u(a) + l2 u(b); the partial derivatives of p, v and a to lengths, angles, rates and accelerations."""
    tolerances = {
        "parameters.l1": 1e-4,
        "parameters.l2": 1e-4,
        "joints.A.offset": 1e-3,
        "actuators.first.position": 1e-3,
        "actuators.first.velocity": 1e-3,
        "actuators.first.acceleration": 1e-3,
    }
    m = limb()
    ds = cc.errors(m, "P", tolerances, TIMES)
    (a, ad, add), (b, bd, bdd) = by_hand(TIMES)
    l1, l2 = 0.25, 0.22
    col = lambda x: x[:, None]  # noqa: E731
    (ua, wa), (ub, wb) = turned(a), turned(b)
    both = l1 * wa + l2 * wb
    rate = -(l1 * col(ad) * ua + l2 * col(bd) * ub)
    jerk = -(l1 * (col(add) * ua + col(ad**2) * wa) + l2 * (col(bdd) * ub + col(bd**2) * wb))
    expected = {
        "parameters.l1": (ua, col(ad) * wa, col(add) * wa - col(ad**2) * ua),
        "parameters.l2": (ub, col(bd) * wb, col(bdd) * wb - col(bd**2) * ub),
        # The second link turns with the first.
        "actuators.first.position": (both, rate, jerk),
        "joints.A.offset": (-both, -rate, -jerk),
        "actuators.first.velocity": (0 * both, both, 2 * rate),
        "actuators.first.acceleration": (0 * both, 0 * both, both),
    }
    for path, parts in expected.items():
        for name, part in zip(("position", "velocity", "acceleration"), parts, strict=True):
            np.testing.assert_allclose(ds[f"sensitivity_{name}"].sel(path=path), part, atol=1e-12, err_msg=path)
    worst = sum(np.abs(expected[path][1]) * width for path, width in tolerances.items())
    np.testing.assert_allclose(ds["bound_velocity"], worst, atol=1e-15)
    rss = cc.errors(m, "P", tolerances, TIMES, statistics="rss")
    squares = sum((expected[path][2] * width) ** 2 for path, width in tolerances.items())
    np.testing.assert_allclose(rss["bound_acceleration"], np.sqrt(squares), atol=1e-15)
    np.testing.assert_allclose(ds["sensitivity_rotation"].sel(path="actuators.first.position"), 1.0)


def test_play_displaces_the_pin():
    """A pin displaced by up to c moves everything beyond it by as much, along with the driven angle."""
    ds = cc.errors(limb(), "P", {"joints.B.clearance.radial": 2e-4}, TIMES)
    np.testing.assert_allclose(ds["sensitivity_position"][..., 0], 1.0, atol=1e-12)
    np.testing.assert_allclose(ds["bound_position"], 2e-4)
    (_, ad, _), _ = by_hand(TIMES)
    # e is fixed in the bore, which turns with the first link: v = ad × e.
    np.testing.assert_allclose(ds["sensitivity_velocity"][..., 0], np.abs(ad)[:, None] * np.ones(2), atol=1e-12)


CLOSED = {
    "four_bar": ("P", ["parameters", "bodies.ground.points"]),
    "rssr": ("C", ["parameters", "bodies.ground.points.D", "joints.A.offset"]),
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_mechanisms_against_differences(name):
    point, starts = CLOSED[name]
    m = cc.load(f"examples/{name}/mechanism.toml")
    times = np.array([0.0, 0.3])
    # Differences need numbers that are not structural zeros, so that the members share their kernels.
    paths = [path for path, value in m.values().items() if path.startswith(tuple(starts)) and value.is_literal][:6]
    ds = cc.errors(m, point, dict.fromkeys(paths, 1e-4), times)
    h = 2e-5
    for path in paths[::2]:
        members = [cc.kinematics(m.with_values({path: m.evaluate(path) + k * h}), times) for k in (-2, -1, 1, 2)]
        for quantity in ("position", "velocity", "acceleration"):
            f = [member[quantity].sel(point=point).values for member in members]
            slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
            exact = ds[f"sensitivity_{quantity}"].sel(path=path).values
            assert np.abs(slope - exact).max() < 1e-7 * (1.0 + np.abs(exact).max()), (path, quantity)


def test_monte_carlo_agrees_with_root_sum_square():
    m = cc.load("examples/shift_manipulator/mechanism.toml")
    tolerances = {"parameters.l11": 2e-5, "parameters.l22": 2e-5, "bodies.ground.points.A2.1": 2e-5}
    tolerances["joints.B1.clearance.radial"] = 2e-5
    rss = cc.errors(m, "P", tolerances, [0.0, 0.2], statistics="rss")
    for distribution in ("normal", "uniform"):
        drawn = cc.errors(m, "P", tolerances, [0.0, 0.2], "monte-carlo", 4000, distribution=distribution, seed=3)
        assert int(drawn["assembled"]) == 4000
        for name in ("position", "velocity", "acceleration"):
            floor = 1e-3 * float(rss[f"bound_{name}"].max())
            np.testing.assert_allclose(drawn[f"bound_{name}"], rss[f"bound_{name}"], rtol=0.06, atol=floor)
    again = cc.errors(m, "P", tolerances, [0.0, 0.2], "monte-carlo", 4000, distribution="uniform", seed=3)
    np.testing.assert_array_equal(again["bound_position"], drawn["bound_position"])


def test_monte_carlo_assembles_again():
    """Wide tolerances show the curvature that first derivatives miss: mean of cos over a spread angle."""
    drawn = cc.errors(limb(), "P", {"actuators.first.position": 0.6}, [0.0], "monte-carlo", 20000)
    p = cc.kinematics(limb(), [0.0])["position"].values[0, 0]
    np.testing.assert_allclose(drawn["mean_position"][0], p * (np.exp(-(0.2**2) / 2) - 1), atol=2e-3)


def test_redundant_motors_hold_what_is_independent():
    m = cc.load("examples/shift_manipulator/mechanism.toml")
    first = cc.errors(m, "P", {"parameters.l31": 1e-4}, [0.0])
    np.testing.assert_allclose(first["sensitivity_position"], 0.0, atol=1e-12)
    other = cc.errors(m, "P", {"parameters.l31": 1e-4}, [0.0], driven=["A1", "A3"])
    assert np.abs(other["sensitivity_position"]).max() > 0.1


def test_errors_that_contradict_the_loops_are_named():
    m = cc.load("examples/bennett/mechanism.toml")
    name = next(iter(m.parameters))
    body = next(body for body in m.bodies if body != "ground")
    with pytest.raises(cc.MechanismError, match="overconstrained"):
        cc.errors(m, f"{body}.origin", {f"parameters.{name}": 1e-4}, [0.0])


def test_mistakes_are_named():
    with pytest.raises(cc.MechanismError, match="l1"):
        cc.errors(limb(), "P", {"parameters.l11": 1e-4})
    with pytest.raises(cc.MechanismError, match="negative"):
        cc.errors(limb(), "P", {"parameters.l1": -1e-4})
    with pytest.raises(cc.MechanismError, match="statistics"):
        cc.errors(limb(), "P", {"parameters.l1": 1e-4}, statistics="average")
    with pytest.raises(cc.MechanismError, match="point"):
        cc.errors(limb(), "two.Q", {"parameters.l1": 1e-4})


def test_contributions_are_the_bounds_of_one_path_alone():
    m = cc.load(Path(__file__).resolve().parents[2] / "examples" / "four_bar" / "mechanism.toml")
    widths = {"parameters.crank": 1e-4, "parameters.base": 2e-4}
    times = np.linspace(0.0, 1.0, 7)
    together = cc.errors(m, "P", widths, times)
    for path, width in widths.items():
        alone = cc.errors(m, "P", {path: width}, times)
        for name in ("position", "velocity", "acceleration"):
            largest = float(np.abs(alone[f"bound_{name}"].values).max())
            assert float(together[f"contribution_{name}"].sel(path=path)) == pytest.approx(largest)
