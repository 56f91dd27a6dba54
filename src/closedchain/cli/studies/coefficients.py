"""Arrays of influence coefficients as text: a table of G, the entries of H that are not zero."""

from collections.abc import Sequence
from typing import Any

from closedchain.cli.output import table
from closedchain.language import tr

SPATIAL = ("angular x", "angular y", "angular z", "linear x", "linear y", "linear z")
PLANAR = ("angular", "linear x", "linear y")
MEANING = {"long_name": "coefficients: (angular, linear) velocity = G rates, in ground axes, SI"}
SECOND = {"long_name": "coefficients: acceleration = G accelerations + rates H rates; H[i, m, n] = dG[i, n]/dq_m"}


def first_order(components: Sequence[str], names: Sequence[str], G: Any) -> str:
    """G as a table."""
    return table(["", *names], [[name, *map(float, row)] for name, row in zip(components, G, strict=True)])


def second_order(components: Sequence[str], names: Sequence[str], H: Any) -> str:
    """The entries of H that are not zero."""
    size = float(abs(H).max(initial=0.0))
    entries = [
        [component, m, n, float(H[i, a, b])]
        for i, component in enumerate(components)
        for a, m in enumerate(names)
        for b, n in enumerate(names)
        if abs(H[i, a, b]) > 1e-12 * size
    ]
    return table(["", "m", "n", "H"], entries) if entries else "  " + tr("all zero")
