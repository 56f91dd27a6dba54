"""The one formula behind the dissipative laws, F = F_e(δ) (1 + χ δ̇/δ̇₀), and the power law F_e = K δⁿ.

For one impact of mass m at speed δ̇₀ it gives the restitution e of χ(1 + e) = ln[(1 + χ)/(1 − χ e)], whatever
F_e, mass and speed, and a largest penetration where the stored energy is m δ̇₀² (χ − ln(1 + χ))/χ².
"""

from collections.abc import Callable

from closedchain.elements.contact_laws.contract import ContactLaw, Number, Values
from closedchain.elements.family import Parameter
from closedchain.numbers import maximum, power

APPROACH_SPEED = "approach_speed"

# below any length of a mechanism; keeps roots and their derivatives finite at δ = 0
TINY_LENGTH = 1e-30

STIFFNESS = Parameter("stiffness", "", "contact stiffness K [N/m^exponent]", lower=0.0, open_lower=True)
EXPONENT = Parameter(
    "exponent", "1", "exponent n of the penetration", default=1.5, lower=1.0, upper=4.0, structural=True
)
MODULUS = Parameter("modulus", "Pa", "contact modulus E*, 1/E* = σ_i + σ_j", lower=0.0, open_lower=True)


def restitution(default: float | None = None, above_zero: bool = False) -> Parameter:
    """The parameter `restitution`; `above_zero` for laws that divide by it."""
    return Parameter(
        "restitution", "1", "coefficient of restitution asked for", default, 0.0, 1.0, open_lower=above_zero
    )


def energy_chi(e: Number) -> Number:
    """3(1 − e²)/4, χ from the energy lost in an almost elastic impact (Lankarani and Nikravesh 1990)."""
    return 0.75 * (1.0 - e * e)


def damping_factor(chi: Number, delta_dot: Number, memory: Values) -> Number:
    """1 + χ δ̇/δ̇₀; negative where the law would pull."""
    return 1.0 + chi * delta_dot / memory[APPROACH_SPEED]


def power_force(p: Values, delta: Number) -> Number:
    """K δⁿ [N]."""
    return p["stiffness"] * power(maximum(delta, TINY_LENGTH), p["exponent"])


def power_energy(p: Values, delta: Number) -> Number:
    """K δⁿ⁺¹/(n + 1) [J]."""
    n = p["exponent"]
    return p["stiffness"] * power(maximum(delta, TINY_LENGTH), n + 1.0) / (n + 1.0)


def dissipative(
    name: str,
    meaning: str,
    source: str,
    chi: Callable[[Number], Number],
    *,
    parameters: tuple[Parameter, ...],
    elastic_force: Callable[[Values, Number], Number] = power_force,
    stored_energy: Callable[[Values, Number], Number] = power_energy,
    geometry: tuple[str, ...] = (),
    material: str = "stiffness",
) -> ContactLaw:
    """A law F = F_e(δ) max(1 + χ δ̇/δ̇₀, 0) with χ from the parameter `restitution`."""

    def switch(p: Values, delta: Number, delta_dot: Number, memory: Values) -> Number:
        """1 + χ δ̇/δ̇₀."""
        return damping_factor(chi(p["restitution"]), delta_dot, memory)

    def force(p: Values, delta: Number, delta_dot: Number, memory: Values) -> Number:
        """F_e(δ) max(1 + χ δ̇/δ̇₀, 0) [N]; bodies pulled apart faster than they met get no pull."""
        return elastic_force(p, delta) * maximum(switch(p, delta, delta_dot, memory), 0.0)

    return ContactLaw(
        name=name,
        meaning=meaning,
        source=source,
        parameters=parameters,
        force=force,
        elastic_force=elastic_force,
        stored_energy=stored_energy,
        memory=(APPROACH_SPEED,),
        switch=switch,
        chi=chi,
        geometry=geometry,
        material=material,
    )


def power_law(
    name: str, meaning: str, source: str, chi: Callable[[Number], Number], *, above_zero: bool = False
) -> ContactLaw:
    """A law F = K δⁿ (1 + χ δ̇/δ̇₀); `above_zero`: χ needs a restitution above zero."""
    parameters = (STIFFNESS, EXPONENT, restitution(above_zero=above_zero))
    return dissipative(name, meaning, source, chi, parameters=parameters)
