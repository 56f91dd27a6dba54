"""Contact constants that follow from the two materials and radii."""

from typing import Any

from closedchain.numbers import sqrt


def compliance(youngs: Any, poisson: Any) -> Any:
    """σ = (1 − ν²)/E [1/Pa] of one material. Lankarani's h is σ/π and goes with 4/(3π(h_i + h_j)): the same stiffness.

    youngs: E [Pa]. poisson: ν [1].
    """
    return (1.0 - poisson * poisson) / youngs


def contact_modulus(E_i: Any, nu_i: Any, E_j: Any, nu_j: Any) -> Any:
    """Contact modulus E* [Pa] of two materials, 1/E* = σ_i + σ_j (Johnson 1985, section 4.2).

    E_i, E_j: Young's moduli [Pa]. nu_i, nu_j: Poisson's ratios [1].

    >>> round(contact_modulus(207e9, 0.3, 207e9, 0.3) / 1e9, 3)
    113.736
    """
    return 1.0 / (compliance(E_i, nu_i) + compliance(E_j, nu_j))


def stiffness_from_material(R_B: Any, R_J: Any, E_i: Any, nu_i: Any, E_j: Any, nu_j: Any) -> Any:
    """Hertz stiffness K [N/m^1.5] of a pin in a bore treated as spheres, K = (4/3) E* √(R_B R_J/(R_B − R_J)).

    It goes with the exponent 3/2 (Hertz 1881; Goldsmith 1960; Lankarani and Nikravesh 1990).

    R_B, R_J: radii of bore and journal [m], R_B > R_J. E_i, E_j, nu_i, nu_j: moduli [Pa] and Poisson's ratios [1] of
    bore and journal.

    >>> f"{stiffness_from_material(10e-3, 9.5e-3, 207e9, 0.3, 207e9, 0.3):.6e}"
    '6.610198e+10'
    """
    return 4.0 / 3.0 * contact_modulus(E_i, nu_i, E_j, nu_j) * sqrt(R_B * R_J / (R_B - R_J))
