"""Analyses that can be called from a file and from the command line, one file each, found in this folder."""

import importlib
import pkgutil
from functools import cache

from closedchain.cli.studies.contract import Study

# Named by the file format; files that name them are right, but this version cannot run them yet.
FORTHCOMING = ("workspace",)


@cache
def studies() -> dict[str, Study]:
    """Every analysis by name; importing them loads nothing heavy."""
    found = {}
    for entry in pkgutil.iter_modules(__path__):
        member = getattr(importlib.import_module(f"{__name__}.{entry.name}"), "STUDY", None)
        if isinstance(member, Study):
            found[member.name] = member
    return found
