"""Influence coefficients as variables of a result, and as text: a table of G, the entries of H that are not zero."""

from collections.abc import Sequence
from typing import Any

from closedchain.cli.output import table
from closedchain.language import tr

SPATIAL = ("angular x", "angular y", "angular z", "linear x", "linear y", "linear z")
PLANAR = ("angular", "linear x", "linear y")
MEANING = {"long_name": "coefficients: (angular, linear) velocity = G rates, in ground axes, SI"}
SECOND = {"long_name": "coefficients: acceleration = G accelerations + rates H rates; H[i, m, n] = dG[i, n]/dq_m"}


def components(planar: bool) -> tuple[str, ...]:
    """Names of the rows."""
    return PLANAR if planar else SPATIAL


def arrays(G: Any, H: Any, dim: str, names: Sequence[str], mark: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """G and H as variables, and the labels of their rates; dim: of the rates; mark: behind the variables' names."""
    first, second = f"{dim}_m", f"{dim}_n"
    variables = {
        f"G{mark}": (("component", dim), G, MEANING),
        f"H{mark}": (("component", first, second), H, SECOND),
    }
    return variables, {dim: names, first: names, second: names}


def lines(ds: Any, dim: str, mark: str = "") -> list[str]:
    """The tables of G and H under their headings but the first."""
    names, rows = (list(map(str, ds[name].values)) for name in (dim, "component"))
    second = second_order(rows, names, ds[f"H{mark}"].values)
    return [first_order(rows, names, ds[f"G{mark}"].values), tr("second order"), second]


def first_order(rows: Sequence[str], names: Sequence[str], G: Any) -> str:
    """G as a table."""
    return table(["", *names], [[name, *map(float, row)] for name, row in zip(rows, G, strict=True)])


def second_order(rows: Sequence[str], names: Sequence[str], H: Any) -> str:
    """The entries of H that are not zero."""
    size = float(abs(H).max(initial=0.0))
    entries = [
        [component, m, n, float(H[i, a, b])]
        for i, component in enumerate(rows)
        for a, m in enumerate(names)
        for b, n in enumerate(names)
        if abs(H[i, a, b]) > 1e-12 * size
    ]
    return table(["", "m", "n", "H"], entries) if entries else "  " + tr("all zero")
