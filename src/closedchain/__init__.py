"""closedchain: mechanisms with closed loops - assembly, motion, forces, singularities, accuracy, joint clearance.

The public names load their modules when first used, so importing the package is cheap:

    import closedchain as cc
    m = cc.load("four_bar.toml")
    pose = cc.assemble(m, {"A": 0.5})
"""

import importlib
import sys
from types import ModuleType
from typing import Any

from closedchain.exceptions import (
    AssemblyError,
    ClosedChainError,
    Finding,
    IntegrationError,
    MechanismError,
    SingularConfigurationError,
)

__version__ = "0.1.0"

# Public name -> module that defines it.
_HOMES = {
    "load": "closedchain.description",
    "Mechanism": "closedchain.description",
    "compile": "closedchain.model",
    "Model": "closedchain.model",
    "mobility": "closedchain.analyses.mobility",
    "assemble": "closedchain.analyses.assembly",
    "Pose": "closedchain.analyses.assembly",
    "kinematics": "closedchain.analyses.kinematics",
    "influence": "closedchain.analyses.influence",
    "chain_influence": "closedchain.analyses.chain_influence",
    "limb_influence": "closedchain.analyses.limb_influence",
    "loop_matrices": "closedchain.analyses.loop_matrices",
    "platform_inverse": "closedchain.analyses.platform_inverse",
    "singularities": "closedchain.analyses.singularities",
    "point": "closedchain.analyses.point",
    "load_result": "closedchain.results",
    "save": "closedchain.results",
}

# Public name -> module that is the name itself (a family of functions).
_FAMILIES = {"plot": "closedchain.views.plots"}

__all__ = [
    "AssemblyError",
    "ClosedChainError",
    "Finding",
    "IntegrationError",
    "MechanismError",
    "SingularConfigurationError",
    "__version__",
    *_HOMES,
    *_FAMILIES,
]


def __getattr__(name: str) -> Any:
    if name in _FAMILIES:
        value = importlib.import_module(_FAMILIES[name])
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'closedchain' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The package, whose public function `compile` is not hidden by its subpackage of the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        # The import system sets a subpackage as attribute of its parent once it is loaded.
        if not (isinstance(value, ModuleType) and name in _HOMES):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
