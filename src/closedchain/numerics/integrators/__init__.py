"""Integrators, one file each; see contract.py for what each must offer."""

import importlib
import pkgutil
from functools import cache

from closedchain.numerics.integrators.contract import Integrator

_HELPERS = {"contract"}


@cache
def names() -> tuple[str, ...]:
    """The methods there are, without loading any."""
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in found if name not in _HELPERS and "_" not in name))


@cache
def _load(name: str) -> Integrator:
    return getattr(importlib.import_module(f"{__name__}.{name}"), name)


def find(name: str) -> Integrator:
    """The method of that name; raises ValueError with the names there are.

    >>> find("rk4").order
    4
    """
    if name not in names():
        raise ValueError(f"There is no integration method {name!r}; there are auto, {', '.join(names())}.")
    return _load(name)
