"""Results: datasets with dimensions, units and provenance, and their files."""

from closedchain.results.dataset import MIXED, dataset, plain_variables, units_of
from closedchain.results.digest import digest, swept_dims
from closedchain.results.files import load_result, save, table
from closedchain.results.variables import DIMENSIONS, VARIABLES, Variable

__all__ = [
    "DIMENSIONS", "MIXED", "VARIABLES", "Variable", "dataset", "digest", "load_result", "plain_variables", "save",
    "swept_dims", "table", "units_of",
]  # fmt: skip
