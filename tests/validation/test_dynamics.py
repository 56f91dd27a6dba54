"""Forward dynamics against published benchmarks and exact solutions.

Pendulum, N-four-bar, flyball governor: M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS
simulation software, Multibody System Dynamics 16 (2006), and the IFToMM library of computational benchmark problems
(A01, A02, A05). Andrews' mechanism (A03) is checked in examples/andrews: F. Mazzia, C. Magherini, Test set for
initial value problem solvers, release 2.4, 2008. The four-bar falls as its reduction to one coordinate below.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
G = 9.81


def balance(ds):
    """Kinetic + potential + dissipated - input, which is constant."""
    return (ds["kinetic_energy"] + ds["potential_energy"] + ds["dissipated_energy"] - ds["input_work"]).values


def pendulum():
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -G]},
            "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0], "points": {"P": [1, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "180 deg"}},
            "outputs": {"P": {"point": "bob.P"}},
        }
    )


def exact_pendulum(t):
    """sin(theta/2) = -k sn(K - w t, k) with theta from the downward vertical; k = sin 45 deg, w = sqrt g."""
    k2 = 0.5
    sn = ellipj(ellipk(k2) - np.sqrt(G) * np.asarray(t), k2)[0]
    theta = 2 * np.arcsin(-np.sqrt(k2) * sn)
    return np.array([np.sin(theta), -np.cos(theta)]).T


def test_pendulum_is_the_exact_one_and_keeps_its_energy():
    times = np.linspace(0, 10, 101)
    ds = cc.simulate(pendulum(), 10.0, times=times, rtol=1e-12, atol=1e-13)
    assert np.abs(ds["position"].values[:, 0] - exact_pendulum(times)).max() < 1e-9
    # the benchmark asks for 5e-5 J
    assert np.ptp(balance(ds)) < 1e-9
    assert np.allclose(exact_pendulum(10.0), [-0.275087462576117, -0.961419205099125], atol=1e-12)


def n_four_bar(loops, speed):
    """Links of 1 m and 1 kg: upright ones on the ground, level ones between their tops."""
    link = {"mass": 1.0, "com": [0.5, 0], "inertia": 1 / 12, "points": {"B": [1, 0]}}
    uprights, joints = range(loops + 1), {}
    bodies = {"ground": {"points": {f"A{i}": [i, 0] for i in uprights}}}
    for i in uprights:
        bodies[f"up{i}"] = link
        ends = [f"ground.A{i}", f"up{i}.origin"]
        joints[f"A{i}"] = {"type": "revolute", "between": ends, "guess": "90 deg", "rate": -speed}
    for i in range(1, loops + 1):
        bodies[f"level{i}"] = link
        ends = [f"up{i - 1}.B", f"level{i}.origin"]
        joints[f"B{i}"] = {"type": "revolute", "between": ends, "guess": "-90 deg", "rate": speed}
        joints[f"C{i}"] = {"type": "revolute", "between": [f"level{i}.B", f"up{i}.B"]}
    return cc.Mechanism.from_dict(
        {"mechanism": {"planar": True, "gravity": [0, -G]}, "bodies": bodies, "joints": joints}
    )


def exact_n_four_bar(loops, speed, times):
    """Angle of the first link: phi'' = c sin phi from the upward vertical, phi' = speed at the start."""
    c = ((loops + 1) / 2 + loops) * G / ((loops + 1) / 3 + loops)
    found = solve_ivp(
        lambda t, y: [y[1], c * np.sin(y[0])], (0, times[-1]), [0, speed], "DOP853", times, rtol=3e-14, atol=1e-14
    )
    return np.pi / 2 - found.y[0]


@pytest.mark.parametrize(("rtol", "tolerance"), [(1e-7, 1e-3), (1e-8, 1e-5), (1e-10, 1e-7), (1e-12, 1e-7)])
def test_n_four_bar_passes_singular_positions_at_every_tolerance(rtol, tolerance):
    ds = cc.simulate(n_four_bar(2, 1.0), 10.0, times=[5.0, 10.0], rtol=rtol, atol=rtol / 100)
    error = np.abs(ds["q"].sel(coordinate="A0").values - exact_n_four_bar(2, 1.0, [5.0, 10.0])).max()
    assert error < tolerance
    assert float(ds["closure"].max()) < 1e-12


@pytest.mark.parametrize(("loops", "speed"), [(1, 1.0), (2, 2.3), (3, 0.7)])
def test_more_loops_pass_singular_positions_too(loops, speed):
    ds = cc.simulate(n_four_bar(loops, speed), 10.0, times=[5.0, 10.0], rtol=1e-10, atol=1e-12)
    error = np.abs(ds["q"].sel(coordinate="A0").values - exact_n_four_bar(loops, speed, [5.0, 10.0])).max()
    assert error < 1e-6


def four_bar():
    def rod(mass, length):
        return {"mass": mass, "com": [length / 2, 0], "inertia": mass * length**2 / 12, "points": {"end": [length, 0]}}

    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -G]},
            "bodies": {
                "ground": {"points": {"A": [0, 0], "D": [0.4, 0]}},
                "crank": rod(0.3, 0.15),
                "coupler": rod(0.7, 0.35),
                "rocker": rod(0.6, 0.30),
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.origin"], "guess": "60 deg"},
                "B": {"type": "revolute", "between": ["crank.end", "coupler.origin"], "guess": "-30 deg"},
                "C": {"type": "revolute", "between": ["coupler.end", "rocker.end"]},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "80 deg"},
            },
        }
    )


def falling_four_bar(times):
    """Crank angle of the same four-bar by one coordinate: M a'' + M' a'^2 / 2 + V' = 0, M' and V' by complex step."""
    a, b, c, d = 0.15, 0.35, 0.30, 0.40

    def inertia_and_potential(crank):
        x, y = a * np.cos(crank) - d, a * np.sin(crank)
        # rocker: |(x, y) - c (cos, sin)| = b, the branch with the coupler above
        away = np.sqrt(x * x + y * y)
        rocker = np.arctan(y / x) + np.pi - np.arccos((away**2 + c**2 - b**2) / (2 * away * c))
        coupler = np.arctan((c * np.sin(rocker) - y) / (c * np.cos(rocker) - x))
        w3 = a * np.sin(crank - rocker) / (b * np.sin(rocker - coupler))
        w4 = a * np.sin(crank - coupler) / (c * np.sin(rocker - coupler))
        vx = -a * np.sin(crank) - b / 2 * np.sin(coupler) * w3
        vy = a * np.cos(crank) + b / 2 * np.cos(coupler) * w3
        M = 0.3 * a**2 / 3 + 0.7 * (vx**2 + vy**2 + b**2 / 12 * w3**2) + 0.6 * c**2 / 3 * w4**2
        heights = 0.3 * y / 2 + 0.7 * (y + b / 2 * np.sin(coupler)) + 0.6 * c / 2 * np.sin(rocker)
        return M, G * heights

    def rates(t, state):
        M, V = inertia_and_potential(state[0] + 1e-30j)
        return [state[1], -(M.imag * state[1] ** 2 / 2 + V.imag) / 1e-30 / M.real]

    start = (0, times[-1]), [np.radians(60), 0.0]
    return solve_ivp(rates, *start, "DOP853", times, rtol=3e-14, atol=1e-14).y[0]


def test_four_bar_under_gravity_meets_its_angles():
    times = [0.0, 1.0, 5.0]
    ds = cc.simulate(four_bar(), 5.0, {"A": np.radians(60)}, times, rtol=1e-12, atol=1e-14)
    found = ds["q"].sel(coordinate="A").values
    assert np.abs(found - falling_four_bar(times)).max() < 1e-9
    assert np.abs(found[1:] - [-4.018284296456655, -2.041247777209523]).max() < 1e-9
    assert np.ptp(balance(ds)) < 1e-9


def test_stiff_governor_changes_to_the_implicit_method_and_back():
    m = cc.load(EXAMPLES / "flyball_governor" / "mechanism.toml")
    slider = {0.1: 0.523836475570, 1.0: 0.501420922380}
    explicit = cc.simulate(m, 1.0, times=list(slider), method="dop853")
    implicit = cc.simulate(m, 1.0, times=list(slider), method="radau")
    for ds in (explicit, implicit):
        assert np.abs(ds["q"].sel(coordinate="slide").values - list(slider.values())).max() < 1e-8
