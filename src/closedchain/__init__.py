"""closedchain: mechanisms with closed loops - assembly, motion, forces, singularities, accuracy, joint clearance.

The public names load their modules when first used, so importing the package is cheap:

    import closedchain as cc
    m = cc.load("four_bar.toml")
    pose = cc.assemble(m, {"A": 0.5})
"""

import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

# Public name -> (module, name there), from the one list that type checkers read too.
_HOMES: dict[str, tuple[str, str]] = {
    public: (module, name)
    for module, name, public in re.findall(
        r"^from (\S+) import (\w+) as (\w+)$", Path(__file__).with_suffix(".pyi").read_text("utf-8"), re.MULTILINE
    )
} | {"plot": ("closedchain.views", "plots")}

__all__ = ["__version__", *_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'closedchain' has no attribute {name!r}")
    module, there = _HOMES[name]
    home = importlib.import_module(module)
    value = getattr(home, there) if hasattr(home, there) else importlib.import_module(f"{module}.{there}")
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
