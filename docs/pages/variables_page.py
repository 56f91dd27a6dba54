"""The variables of results: dimensions, units and meaning, from the one place that names them."""

from closedchain.results import VARIABLES
from pages.text import code, escaped, table


def reference() -> str:
    """Table of all variables."""
    rows = []
    for name, variable in VARIABLES.items():
        dims = ", ".join(variable.dims)
        if variable.angular:
            dims += " (planar without axis)"
        unit = variable.units if "{" not in variable.units else f"{variable.units} (that of the label)"
        rows.append([code(name), dims, escaped(unit), escaped(variable.long_name)])
    return table(["variable", "dimensions", "unit", "meaning"], rows)
