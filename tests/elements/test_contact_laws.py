"""Every normal contact law answers its contract; values against the exact identity of one impact."""

import math
import re

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.contact_laws import contact_laws, contact_modulus, stiffness_from_material

ALL = sorted(contact_laws)
DISSIPATIVE = [name for name in ALL if contact_laws[name].chi is not None]
MEMORY = {"approach_speed": 0.3}
VALUES = {
    "stiffness": 6.6e10,
    "exponent": 1.5,
    "restitution": 0.7,
    "modulus": 1.1e11,
    "damping": 120.0,
    "ending": "force",
    "radial": 0.5e-3,
    "length": 20e-3,
}


def values(law, **changed):
    """Numbers for every parameter and geometry value that the law declares."""
    names = [*(parameter.name for parameter in law.parameters), *law.geometry]
    return {name: VALUES[name] for name in names} | changed


def delivered(chi):
    """Restitution of one impact: χ(1 + e) = ln[(1 + χ)/(1 − χ e)] without its trivial root."""
    if chi == 0.0:
        return 1.0

    def defect(e):
        return (math.log1p(chi) - math.log1p(-chi * e) - chi * (1.0 + e)) / (1.0 + e)

    return float(brentq(defect, 0.0, min(1.0, 1.0 / chi) * (1.0 - 1e-15), xtol=1e-16))  # type: ignore[arg-type]


def elastic_depth(law, p, energy):
    """Penetration at which the law has stored the energy."""
    return float(brentq(lambda d: law.stored_energy(p, d) - energy, 1e-12, 1e-2))  # type: ignore[arg-type]


def impact(law, p, mass=0.4, speed=0.3, depth=None):
    """One impact by integration: restitution, largest penetration and dissipated energy."""
    memory = {"approach_speed": speed}
    # scaled by the depth of the elastic impact, so that the tolerances mean the same for every law
    scale = depth or elastic_depth(law, p, 0.5 * mass * speed**2)
    tau = scale / speed

    def rates(t, y):
        delta, rate = y[0] * scale, y[1] * speed
        F = law.force(p, delta, rate, memory)
        taken = (F - law.elastic_force(p, delta)) * rate
        return [y[1], -F / mass * tau / speed, taken * tau / (mass * speed**2)]

    def end(t, y):
        return y[0] * scale if law.ending(p) == "penetration" else law.switch(p, y[0] * scale, y[1] * speed, memory)

    def deepest(t, y):
        return y[1]

    end.terminal, end.direction, deepest.direction = True, -1, -1
    done = solve_ivp(rates, (0.0, 1e3), [0.0, 1.0, 0.0], "DOP853", events=[end, deepest], rtol=1e-11, atol=1e-13)
    last = done.y_events[0][0]
    return -last[1], done.y_events[1][0][0] * scale, last[2] * mass * speed**2, last[0] * scale


@pytest.mark.parametrize("name", ALL)
def test_law_declares_itself(name):
    law = contact_laws[name]
    assert law.name == name
    assert law.meaning
    assert law.name == "kelvin-voigt" or re.search(r"\b1[89]\d\d\b|\b20\d\d\b", law.source)
    for parameter in law.parameters:
        assert parameter.meaning
        if isinstance(parameter.default, float):
            assert parameter.lower <= parameter.default <= parameter.upper
    assert law.material in ("", *(parameter.name for parameter in law.parameters))
    assert law.check(values(law)) == ()


@pytest.mark.parametrize("name", ALL)
def test_no_force_without_contact(name):
    law = contact_laws[name]
    p = values(law)
    touching = law.force(p, 1e-6, 0.0, MEMORY)
    for delta in (-1e-3, -1e-9, 0.0):
        assert abs(law.force(p, delta, 0.0, MEMORY)) < 1e-12 * touching
        assert abs(law.elastic_force(p, delta)) < 1e-12 * touching
        assert abs(law.stored_energy(p, delta)) < 1e-18
        assert math.isfinite(law.force(p, delta, -0.2, MEMORY))


@pytest.mark.parametrize("name", ALL)
def test_no_tension_and_dissipation_never_negative(name):
    law = contact_laws[name]
    p = values(law)
    assert not law.pulls(p)
    rng = np.random.default_rng(3)
    for delta, rate in zip(10 ** rng.uniform(-9, -4, 300), rng.uniform(-2.0, 0.3, 300), strict=True):
        F = law.force(p, delta, rate, MEMORY)
        assert F >= 0.0
        assert (F - law.elastic_force(p, delta)) * rate >= -1e-12 * abs(F * rate)


@pytest.mark.parametrize("name", ALL)
def test_force_grows_with_penetration_and_pushes_where_its_switch_is_positive(name):
    law = contact_laws[name]
    p = values(law)
    depths = np.geomspace(1e-8, 4e-4, 40)
    elastic = [law.elastic_force(p, float(d)) for d in depths]
    assert np.all(np.diff(elastic) > 0)
    if law.switch is None:
        return
    for rate in (-5.0, -0.5, -0.1, 0.2):
        pushes = law.switch(p, 1e-5, rate, MEMORY) > 0.0
        assert (law.force(p, 1e-5, rate, MEMORY) > 0.0) == pushes


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("depth", [1e-8, 1e-5, 1e-4, 4e-4])
def test_stored_energy_is_the_work_of_the_elastic_force(name, depth):
    law = contact_laws[name]
    p = values(law)
    # x = d s² makes the powers smooth for the quadrature
    work = quad(lambda s: law.elastic_force(p, depth * s * s) * 2.0 * depth * s, 0.0, 1.0, epsrel=1e-12, epsabs=0.0)[0]
    assert law.stored_energy(p, depth) == pytest.approx(work, rel=2e-11)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("name", DISSIPATIVE)
def test_impact_obeys_the_exact_identity(name, restitution):
    law = contact_laws[name]
    p = values(law, restitution=restitution)
    mass, speed = 0.4, 0.3
    assert law.chi
    chi = law.chi(restitution)
    e, deepest, taken, _ = impact(law, p, mass, speed)
    assert e == pytest.approx(delivered(chi), abs=1e-8)
    share = 0.5 if chi == 0.0 else (chi - math.log1p(chi)) / chi**2
    assert law.stored_energy(p, deepest) == pytest.approx(share * mass * speed**2, rel=1e-8)
    assert taken == pytest.approx(0.5 * mass * speed**2 * (1.0 - e**2), rel=1e-7, abs=1e-10 * mass * speed**2)


@pytest.mark.parametrize(("mass", "speed", "exponent"), [(0.01, 5.0, 1.0), (30.0, 0.02, 2.5)])
def test_restitution_depends_on_neither_mass_nor_speed_nor_exponent(mass, speed, exponent):
    law = contact_laws["flores"]
    p = values(law, restitution=0.5, exponent=exponent, stiffness=1e7)
    assert impact(law, p, mass, speed)[0] == pytest.approx(0.470445, abs=1e-6)


def test_hertz_gives_all_energy_back():
    law = contact_laws["hertz"]
    e, _, taken, _ = impact(law, values(law))
    assert e == pytest.approx(1.0, abs=1e-9)
    assert taken == 0.0


@pytest.mark.parametrize(
    ("name", "chi_at_half", "chi_at_eight_tenths"),
    [
        ("hunt-crossley", 0.75, 0.3),
        ("herbert-mcwhannell", 1.0, 1.2 / 3.36),
        ("lee-wang", 0.375, 0.15),
        ("lankarani-nikravesh", 0.5625, 0.27),
        ("gonthier", 1.5, 0.45),
        ("zhiying-qishao", 0.5625 * math.e, 0.27 * math.exp(0.4)),
        ("flores", 1.6, 0.4),
        ("hu-guo", 1.5, 0.375),
        ("carvalho-martins", 0.75 * 10.5 / 5.5, 0.3 * 10.2 / 8.2),
        ("johnson", 0.5625, 0.27),
        ("liu", 0.5625, 0.27),
        ("bai-zhao", 0.5625 * math.e, 0.27 * math.exp(0.4)),
    ],
)
def test_damping_factor(name, chi_at_half, chi_at_eight_tenths):
    chi = contact_laws[name].chi
    assert chi
    assert (chi(0.5), chi(0.8)) == pytest.approx((chi_at_half, chi_at_eight_tenths), rel=1e-14)


@pytest.mark.parametrize(
    ("name", "at_half", "at_nine_tenths"),
    [
        ("hunt-crossley", 0.662962, 0.909016),
        ("lankarani-nikravesh", 0.725241, 0.913177),
        ("flores", 0.470445, 0.893921),
        ("gonthier", 0.487741, 0.876435),
        ("carvalho-martins", 0.500174, 0.899999),
        ("zhang-sharf", 0.5, 0.9),
    ],
)
def test_restitution_delivered(name, at_half, at_nine_tenths):
    chi = contact_laws[name].chi
    assert chi
    assert delivered(chi(0.5)) == pytest.approx(at_half, abs=6e-7)
    assert delivered(chi(0.9)) == pytest.approx(at_nine_tenths, abs=6e-7)


@pytest.mark.parametrize("restitution", [1e-3, 0.05, 0.2, 0.39999, 0.4, 0.6, 0.9, 0.99, 0.9999])
def test_zhang_sharf_solves_the_exact_relation(restitution):
    chi_of = contact_laws["zhang-sharf"].chi
    assert chi_of
    with mpmath.workdps(60):
        e, chi = mpmath.mpf(restitution), mpmath.mpf(chi_of(restitution))

        def defect(x):
            return (mpmath.log1p(x) - mpmath.log1p(-x * e) - x * (1 + e)) / x**2

        # one Newton step in many digits measures the error
        limit = (1 - chi * e) if restitution < 0.1 else chi
        error = abs(defect(chi) / mpmath.diff(defect, chi, h=limit * mpmath.mpf("1e-20")))
    assert error < 2e-14 * max(1.0, float(chi))


@pytest.mark.parametrize("zeta", [0.02, 0.3, 0.9])
def test_kelvin_voigt_ends(zeta):
    law = contact_laws["kelvin-voigt"]
    K, mass, speed = 4e6, 0.5, 0.2
    C, s = 2.0 * zeta * math.sqrt(K * mass), math.sqrt(1.0 - zeta**2)
    depth = speed * math.sqrt(mass / K)
    clamped = {"stiffness": K, "damping": C, "ending": "force"}
    e, _, taken, left = impact(law, clamped, mass, speed, depth)
    assert e == pytest.approx(math.exp(-2.0 * zeta / s * math.atan2(s, zeta)), abs=1e-9)
    assert left > 0.0
    # what the spring still holds when the force ends is lost while it relaxes
    balance = 0.5 * mass * speed**2 * (1.0 - e**2)
    assert taken + law.stored_energy(clamped, left) == pytest.approx(balance, rel=1e-8)
    assert law.force(clamped, left * 0.9, -e * speed, {}) == 0.0

    pulling = {"stiffness": K, "damping": C, "ending": "penetration"}
    e, _, taken, left = impact(law, pulling, mass, speed, depth)
    assert e == pytest.approx(math.exp(-math.pi * zeta / s), abs=1e-9)
    assert law.pulls(pulling)
    assert law.force(pulling, 1e-9, -e * speed, {}) < 0.0
    assert taken == pytest.approx(0.5 * mass * speed**2 * (1.0 - e**2), rel=1e-8)


@pytest.mark.parametrize("fraction", [1e-9, 1e-3, 0.1, 0.5, 0.98])
def test_cylindrical_laws_satisfy_their_implicit_equations(fraction):
    R_B, c, L = 10e-3, 0.2e-3, 15e-3
    R_J = R_B - c
    E, nu = 207e9, 0.3
    E_star = contact_modulus(E, nu, E, nu)
    sigma = (1.0 - nu**2) / E
    p = {"modulus": E_star, "radial": c, "length": L, "restitution": 1.0}

    def johnson(F):
        return F / (math.pi * L * E_star) * (math.log(4 * math.pi * L * E_star * c / F) - 1.0)

    def radzimovsky(F):
        b = 1.60 * math.sqrt(F / L * (2 * R_B * 2 * R_J / (2 * R_B - 2 * R_J)) * 2 * sigma)
        return F / (math.pi * L * E_star) * (2 / 3 + math.log(4 * R_B / b) + math.log(4 * R_J / b))

    def esdu(F):
        h = 2 * sigma / math.pi
        return F * h / L * (math.log(4 * L * c / (F * h)) + 1.0)

    largest = 4 * math.pi * L * E_star * c / math.e**2
    for name, equation in (("johnson", johnson), ("radzimovsky", radzimovsky), ("esdu-78035", esdu)):
        F = fraction * largest
        assert contact_laws[name].elastic_force(p, equation(F)) == pytest.approx(F, rel=1e-12)


@pytest.mark.parametrize("name", ["johnson", "radzimovsky", "esdu-78035"])
def test_cylindrical_laws_continue_as_a_line_beyond_their_range(name):
    law = contact_laws[name]
    p = values(law)
    # the three ranges end at 0.54 c, 0.71 c and 4 c
    depths = np.linspace(4.1, 5.0, 7) * p["radial"]
    forces = np.array([law.elastic_force(p, float(d)) for d in depths])
    assert np.all(np.isfinite(forces))
    assert np.diff(forces) == pytest.approx(np.diff(forces)[0], rel=1e-9)
    energies = np.array([law.stored_energy(p, float(d)) for d in depths])
    assert np.diff(energies) == pytest.approx(0.5 * (forces[1:] + forces[:-1]) * np.diff(depths), rel=1e-9)


def test_bai_zhao_stiffness_is_the_slope_of_liu():
    liu, bai_zhao = contact_laws["liu"], contact_laws["bai-zhao"]
    for depth in (1e-7, 1e-5, 2e-4, 1e-3):
        slope = liu.elastic_force(values(liu), complex(depth, 1e-40)).imag / 1e-40
        assert bai_zhao.elastic_force(values(bai_zhao, exponent=1.0), depth) == pytest.approx(slope * depth, rel=1e-12)


@pytest.mark.parametrize(
    ("clearance", "stiffness"),
    [
        (0.5e-3, 6.610198e10),
        (0.25e-3, 9.470437e10),
        (0.2e-3, 1.061538e11),
        (0.1e-3, 1.508882e11),
        (0.05e-3, 2.139263e11),
    ],
)
def test_stiffness_from_material(clearance, stiffness):
    K = stiffness_from_material(10e-3, 10e-3 - clearance, 207e9, 0.3, 207e9, 0.3)
    assert pytest.approx(stiffness, rel=1e-6) == K


POINTS = [(3e-6, 0.1), (3e-6, -0.15), (2e-4, -0.05), (1e-8, 0.3), (0.0, 0.2), (-1e-4, 0.2), (1e-5, -3.0)]


def symbolic(law, p):
    """Force and stored energy over symbols: δ, δ̇, the memory, and every number of p that does not shape the formula."""
    structural = {parameter.name for parameter in law.parameters if parameter.structural or parameter.choices}
    names = [name for name in p if name not in structural]

    def outputs(x, parameters):
        given = p | dict(zip(names, parameters, strict=False))
        memory = dict(zip(law.memory, parameters[len(names) :], strict=True))
        return {"force": law.force(given, x[0], x[1], memory), "energy": law.stored_energy(given, x[0])}

    traced = trace(outputs, {"x": 2}, len(names) + len(law.memory))
    numbers = [*(p[name] for name in names), *(MEMORY[name] for name in law.memory)]
    return traced, lambda wanted, x: evaluate(
        wanted,
        dict(zip([*traced.input_symbols, *traced.parameter_symbols], [*x, *numbers], strict=True)),
    )


@pytest.mark.parametrize("name", ALL)
def test_traced_law_is_the_law_and_its_derivatives_stay_finite(name):
    law = contact_laws[name]
    p = values(law)
    traced, at = symbolic(law, p)
    slopes = traced.jacobian("force", "x")[0] + traced.jacobian("force", "parameters")[0]
    for delta, rate in POINTS:
        force, energy = at(traced.expressions, (delta, rate))
        assert force == pytest.approx(law.force(p, delta, rate, MEMORY), rel=1e-13, abs=1e-30)
        assert energy == pytest.approx(law.stored_energy(p, delta), rel=1e-13, abs=1e-40)
        assert np.all(np.isfinite(np.array(at(slopes, (delta, rate)), dtype=float)))


@pytest.mark.parametrize("name", ALL)
def test_complex_step_is_the_traced_derivative_and_the_finite_difference(name):
    law = contact_laws[name]
    p = values(law)
    traced, at = symbolic(law, p)
    slopes = traced.jacobian("force", "x")[0]
    for delta, rate in POINTS[:4]:
        by_graph = at(slopes, (delta, rate))
        by_delta = law.force(p, complex(delta, 1e-40), rate, MEMORY).imag / 1e-40
        by_rate = law.force(p, delta, complex(rate, 1e-40), MEMORY)
        by_rate = by_rate.imag / 1e-40 if isinstance(by_rate, complex) else 0.0
        assert by_graph == pytest.approx([by_delta, by_rate], rel=1e-11)
        h = 1e-5 * delta
        difference = (law.force(p, delta + h, rate, MEMORY) - law.force(p, delta - h, rate, MEMORY)) / (2 * h)
        assert by_delta == pytest.approx(difference, rel=1e-7)
