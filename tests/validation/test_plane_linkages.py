"""Plane linkages with known motions.

Peaucellier-Lipkin inversor: exact straight line (C.-N. Peaucellier, Nouv. Ann. Math. 3, 1864). Whitworth quick-return
and Stephenson six-bar: closed forms by circle intersection. Parallelogram with a third crank: one freedom although the
count of Chebyshev and Gruebler gives none. Elliptic trammel: half axes of the ellipse.
"""

import numpy as np
import pytest

import closedchain as cc


def bar(length, **more):
    return {"mass": 1.0, "points": {"a": [0, 0], "b": [length, 0], **more}}


def revolute(base, moving, degrees=0.0):
    return {"type": "revolute", "between": [base, moving], "guess": f"{degrees} deg"}


def planar(bodies, joints, driven, outputs):
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": bodies,
            "joints": joints,
            "actuators": {name: {"joint": name} for name in driven},
            "outputs": {name: {"point": point} for name, point in outputs.items()},
        }
    )


def derivatives(f, t, radius=0.05, points=32):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def meet(P, r, Q, s, side):
    """The point at r from P and s from Q, left (side = 1) or right (-1) of the way from P to Q (analytic)."""
    w = Q - P
    along = (r**2 - s**2 + w @ w) / (2 * (w @ w))
    across = side * np.sqrt(r**2 / (w @ w) - along**2)
    return P + along * w + across * np.array([-w[1], w[0]])


def sweep(m, name, angles):
    n = len(angles)
    return cc.kinematics(m, {name: (angles, np.ones(n), np.zeros(n))})


def agree(ds, point, path, angles):
    expected = np.array([derivatives(path, angle) for angle in angles])
    for k, what in enumerate(("position", "velocity", "acceleration")):
        size = np.abs(expected[:, k]).max()
        np.testing.assert_allclose(ds[what].sel(point=point), expected[:, k], atol=1e-11 * size, rtol=0)
    assert ds["closure"].max() < 1e-12


def test_peaucellier_draws_a_straight_line():
    """Crank = distance of the pivots: the tracer stays at x = (arm² - side²)/(2 crank)."""
    arm, side, crank = 0.5, 0.25, 0.15
    near, far = np.array([2 * crank, 0]), np.array([(arm**2 - side**2) / (2 * crank), 0])
    up = meet(near, side, far, side, 1)
    down = up * [1, -1]

    def angle(v):
        return float(np.degrees(np.arctan2(v[1], v[0])))

    bodies = {
        "ground": {"points": {"O": [0, 0], "C": [crank, 0]}},
        "crank": bar(crank),
        "arm_up": bar(arm),
        "arm_down": bar(arm),
        "near_up": bar(side),
        "near_down": bar(side),
        "far_up": bar(side),
        "far_down": bar(side),
    }
    joints = {
        "crank": revolute("ground.C", "crank.a"),
        "O1": revolute("ground.O", "arm_up.a", angle(up)),
        "O2": revolute("ground.O", "arm_down.a", angle(down)),
        "N1": revolute("crank.b", "near_up.a", angle(up - near)),
        "N2": revolute("crank.b", "near_down.a", angle(down - near)),
        "U1": revolute("arm_up.b", "near_up.b", angle(up - near) - angle(up)),
        "U2": revolute("arm_up.b", "far_up.a", angle(far - up) - angle(up)),
        "D1": revolute("arm_down.b", "near_down.b", angle(down - near) - angle(down)),
        "D2": revolute("arm_down.b", "far_down.a", angle(far - down) - angle(down)),
        "F": revolute("far_up.b", "far_down.b", angle(far - down) - angle(far - up)),
    }
    m = planar(bodies, joints, ["crank"], {"tracer": "far_up.b"})
    assert cc.mobility(m).dof == 1
    angles = np.linspace(-0.8, 0.8, 17)
    ds = sweep(m, "crank", angles)
    tracer = ds["position"].sel(point="tracer")
    np.testing.assert_allclose(tracer.sel(axis="x"), far[0], atol=1e-13)
    np.testing.assert_allclose(tracer.sel(axis="y"), far[0] * np.tan(angles / 2), atol=1e-13)
    np.testing.assert_allclose(ds["velocity"].sel(point="tracer", axis="x"), 0, atol=1e-12)
    np.testing.assert_allclose(ds["acceleration"].sel(point="tracer", axis="x"), 0, atol=1e-11)


def test_whitworth_quick_return():
    """A pin at r on the crank slides in the slot of a lever about a pivot at distance d."""
    r, d, lever = 0.08, 0.2, 0.45
    bodies = {
        "ground": {"points": {"O": [0, d], "L": [0, 0]}},
        "crank": bar(r),
        "lever": bar(lever),
    }
    joints = {
        "O": revolute("ground.O", "crank.a", 10),
        "L": revolute("ground.L", "lever.a", 70),
        "slot": {"type": "point-in-slot", "between": ["lever.a", "crank.b"], "guess": [0.2, 0.0]},
    }
    m = planar(bodies, joints, ["O"], {"end": "lever.b"})
    assert cc.mobility(m).dof == 1

    def end(angle):
        pin = np.array([r * np.cos(angle), d + r * np.sin(angle)])
        return lever * pin / np.sqrt(pin @ pin)

    angles = np.linspace(0, 2 * np.pi, 25)
    ds = sweep(m, "O", angles)
    agree(ds, "end", end, angles)
    lengths = ds["q"].sel(coordinate="slot.length")
    np.testing.assert_allclose(lengths, np.sqrt(r**2 + d**2 + 2 * r * d * np.sin(angles)), atol=1e-13)
    dead = np.pi - np.arccos(r / d) - np.pi / 2  # the lever turns back where it touches the pin's circle
    turning = sweep(m, "O", np.array([-dead, np.pi + dead]))
    np.testing.assert_allclose(turning["qd"].sel(rate="L"), 0, atol=1e-12)


def test_stephenson_six_bar():
    """Crank-rocker whose coupler point drives a dyad: two circle intersections in a row."""
    O, Q, S = np.array([0, 0]), np.array([0.30, 0.0]), np.array([0.12, 0.34])
    crank, coupler, rocker, dyad, output = 0.08, 0.26, 0.20, 0.22, 0.16
    tip = np.array([0.15, 0.10])

    def points(angle):
        A = crank * np.array([np.cos(angle), np.sin(angle)])
        B = meet(A, coupler, Q, rocker, 1)
        u = (B - A) / coupler
        P = A + tip[0] * u + tip[1] * np.array([-u[1], u[0]])
        return P, meet(P, dyad, S, output, 1)

    P, E = points(0.3)
    A, B = crank * np.array([np.cos(0.3), np.sin(0.3)]), None
    B = meet(A, coupler, Q, rocker, 1)

    def angle(v):
        return float(np.degrees(np.arctan2(v[1], v[0])))

    bodies = {
        "ground": {"points": {"O": O.tolist(), "Q": Q.tolist(), "S": S.tolist()}},
        "crank": bar(crank),
        "coupler": bar(coupler, P=tip.tolist()),
        "rocker": bar(rocker),
        "dyad": bar(dyad),
        "output": bar(output),
    }
    joints = {
        "O": revolute("ground.O", "crank.a", np.degrees(0.3)),
        "A": revolute("crank.b", "coupler.a", angle(B - A) - np.degrees(0.3)),
        "B": revolute("coupler.b", "rocker.b", angle(B - Q) - angle(B - A)),
        "Q": revolute("ground.Q", "rocker.a", angle(B - Q)),
        "P": revolute("coupler.P", "dyad.a", angle(E - P) - angle(B - A)),
        "E": revolute("dyad.b", "output.b", angle(E - S) - angle(E - P)),
        "S": revolute("ground.S", "output.a", angle(E - S)),
    }
    m = planar(bodies, joints, ["O"], {"P": "coupler.P", "E": "output.b"})
    assert (cc.mobility(m).dof, cc.mobility(m).loops) == (1, 2)
    angles = np.linspace(0.3, 0.3 + 2 * np.pi, 25)
    ds = sweep(m, "O", angles)
    agree(ds, "P", lambda a: points(a)[0], angles)
    agree(ds, "E", lambda a: points(a)[1], angles)


def test_parallelogram_with_a_third_crank():
    bodies = {
        "ground": {"points": {"A": [0, 0], "B": [0.2, 0], "C": [0.5, 0]}},
        "coupler": {"mass": 1.0, "points": {"A": [0, 0], "B": [0.2, 0], "C": [0.5, 0], "P": [0.1, 0.3]}},
    }
    joints = {}
    for name in "ABC":
        bodies[f"crank{name}"] = bar(0.15)
        joints[name] = revolute(f"ground.{name}", f"crank{name}.a", 60)
        joints[f"{name}{name}"] = revolute(f"crank{name}.b", f"coupler.{name}", -60)
    m = planar(bodies, joints, ["A"], {"P": "coupler.P"})
    mobility = cc.mobility(m)
    assert (mobility.dof, mobility.gruebler, mobility.redundant) == (1, 0, 1)
    angles = np.linspace(np.pi / 3, 2.5, 9)
    ds = sweep(m, "A", angles)
    agree(ds, "P", lambda a: np.array([0.1, 0.3]) + 0.15 * np.array([np.cos(a), np.sin(a)]), angles)


@pytest.mark.parametrize("share", [0.3, 1.4])
def test_elliptic_trammel(share):
    """A bar whose ends slide on x and y: a point at a share of its length draws an ellipse."""
    length = 0.4
    bodies = {
        "ground": {},
        "bar": bar(length, P=[share * length, 0]),
        "x_slider": {"mass": 0.1},
        "y_slider": {"mass": 0.1},
    }
    joints = {
        "x": {"type": "prismatic", "between": ["ground.origin", "x_slider.origin"], "guess": 0.3},
        "y": {"type": "prismatic", "between": ["ground.origin", "y_slider.origin"], "axis": [0, 1], "guess": 0.2},
        "A": revolute("x_slider.origin", "bar.a", 150),
        "B": revolute("y_slider.origin", "bar.b", 150),
    }
    m = planar(bodies, joints, ["A"], {"P": "bar.P"})
    angles = np.linspace(2.6, 8.0, 15)
    ds = sweep(m, "A", angles)
    agree(ds, "P", lambda a: length * np.array([(share - 1) * np.cos(a), share * np.sin(a)]), angles)
