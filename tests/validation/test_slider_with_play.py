"""A slider with play in its guide against the equations of a free block, integrated by SciPy from contact to contact.

The block (mass centre off its middle) is pushed about in a guide; each of its four corners can touch a face. Between
located starts and ends of contact the right-hand side is smooth: Lankarani and Nikravesh's law with the approach speed
of the contact, and friction on the faces.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import closedchain as cc

MASS, INERTIA, G, COM = 0.7, 1e-3, 9.81, np.array([0.01, 0.0])
PLAY, LENGTH, HEIGHT, K, RESTITUTION, MU, VR = 2e-4, 0.1, 0.04, 1e8, 0.7, 0.1, 1e-2
CORNERS = [np.array([a * LENGTH / 2, b * HEIGHT / 2]) for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1))]
SIDES = (-1, -1, 1, 1)
UNTIL = 0.03
TIMES = np.linspace(0.0, UNTIL, 7)
START = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])


def block(friction):
    clearance = {
        "kind": "prismatic-slider", "radial": PLAY, "length": LENGTH, "height": HEIGHT, "stiffness": K,
        "normal": "lankarani-nikravesh", "exponent": 1.5, "restitution": RESTITUTION,
    }  # fmt: skip
    if friction:
        clearance |= {"friction": "coulomb", "mu": MU, "vr": VR, "smooth": "tanh"}
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -G]},
        "bodies": {"ground": {}, "block": {"mass": MASS, "inertia": INERTIA, "com": COM.tolist()}},
        "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"], "clearance": clearance}},
        "forces": {
            "push": {"kind": "force", "on": "block.origin", "vector": ["30*cos(200*t)", "20*sin(150*t)"]},
        },
        "outputs": {"P": {"point": "block.origin"}},
    })  # fmt: skip


def corner(y, k):
    """Penetration, its rate, slip along t = n turned by 90 degrees, and the arm of a corner; n = (0, side)."""
    c, s = np.cos(y[2]), np.sin(y[2])
    arm = np.array([c * CORNERS[k][0] - s * CORNERS[k][1], s * CORNERS[k][0] + c * CORNERS[k][1]])
    v = y[3:5] + y[5] * np.array([-arm[1], arm[0]])
    return SIDES[k] * (y[1] + arm[1]) - (HEIGHT / 2 + PLAY), SIDES[k] * v[1], -SIDES[k] * v[0], arm


def rate(t, y, closed, approach, friction):
    """Derivatives of x, y, angle of the block's origin and of their rates."""
    c, s = np.cos(y[2]), np.sin(y[2])
    centre = np.array([c * COM[0] - s * COM[1], s * COM[0] + c * COM[1]])
    total = np.array([30.0 * np.cos(200.0 * t), 20.0 * np.sin(150.0 * t)])
    moment = -centre[0] * total[1] + centre[1] * total[0]
    total = total + np.array([0.0, -MASS * G])
    for k in range(4):
        if closed[k]:
            delta, speed, slip, arm = corner(y, k)
            chi = 0.75 * (1.0 - RESTITUTION**2)
            normal = max(0.0, K * max(delta, 0.0) ** 1.5 * (1.0 + chi * speed / approach[k]))
            tangential = MU * normal * np.tanh(slip / VR) if friction else 0.0
            force = np.array([SIDES[k] * tangential, -SIDES[k] * normal])
            r = arm - centre
            total, moment = total + force, moment + r[0] * force[1] - r[1] * force[0]
    a, alpha = total / MASS, moment / INERTIA
    origin = a + alpha * np.array([centre[1], -centre[0]]) + y[5] ** 2 * centre
    return np.array([*y[3:], *origin, alpha])


def integrated(friction):
    """Positions of the origin at TIMES, and the starts of contact."""
    t, y, closed, approach = 0.0, START.copy(), [False] * 4, [1e-4] * 4
    found, starts = [y], []
    while t < UNTIL:
        events = []
        for k in range(4):

            def gap(_, state, k=k):
                return corner(state, k)[0]

            gap.terminal, gap.direction = True, -1.0 if closed[k] else 1.0  # type: ignore[attr-defined]
            events.append(gap)
        step = solve_ivp(
            lambda time, state: rate(time, state, closed, approach, friction),
            (t, UNTIL), y, method="DOP853", events=events, rtol=1e-12, atol=1e-15, dense_output=True,
        )  # fmt: skip
        found += [step.sol(time) for time in TIMES[len(found) :] if time <= step.t[-1]]
        t, y = step.t[-1], step.y[:, -1]
        if step.status == 1:
            k = next(k for k in range(4) if len(step.t_events[k]))
            if not closed[k]:
                starts.append(t)
                approach[k] = max(corner(y, k)[1], 1e-4)
            closed[k] = not closed[k]
            # off the root, so that the same event is not found again
            y, t = y + 1e-13 * rate(t, y, closed, approach, friction), t + 1e-13
    return np.array(found)[:, :2], np.array(starts)


@pytest.mark.parametrize("friction", [False, True], ids=["smooth", "with friction"])
def test_both_formulations_move_as_a_free_block(friction):
    expected, starts = integrated(friction)
    assert len(starts) > 3
    for formulation in ("loop", "multipliers"):
        ds = cc.simulate(block(friction), UNTIL, {"S": (0.0, 1.0)}, times=TIMES, formulation=formulation,
                         rtol=1e-11, atol=1e-14)  # fmt: skip
        np.testing.assert_allclose(ds.contact_time, starts, rtol=0, atol=1e-10, err_msg=formulation)
        np.testing.assert_allclose(ds.position[:, 0], expected, rtol=0, atol=1e-10, err_msg=formulation)
        assert np.abs(ds.body_angle).max() > 1e-4
