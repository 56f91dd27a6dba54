"""Other numbers in a document: a path looked up, a value put in its place."""

from collections.abc import Mapping
from typing import Any

from closedchain.description.document import FrozenMap, with_entry
from closedchain.description.names import nearest
from closedchain.description.values import Value
from closedchain.exceptions import Finding


def unknown_path(path: str, known: Mapping[str, Value]) -> Finding:
    """The mistake of a path that names no number, with the one that was probably meant."""
    ending = [each for each in known if each.endswith(f".{path}")]
    parts = [each for each in known if each.startswith(f"{path}.")]
    if 1 < len(parts) <= 6:
        return Finding(str(path), "it is several numbers.", f"Give them one by one: {', '.join(parts)}.")
    found = ending[0] if len(ending) == 1 else nearest(str(path), known)
    return Finding(
        str(path), "no number has this path.", f"Did you mean {found}?" if found else "See the mechanism's values()."
    )


def with_number(document: FrozenMap[Any], known: Mapping[str, Value], path: str, value: Any) -> FrozenMap[Any]:
    """The document with a number at a path; a list the file leaves to its default is written out first."""
    address = known[path].address
    if isinstance(address[-1], int) and _at(document, address[:-1]) is None:
        whole = {v.address[-1]: v.written for v in known.values() if v.address[:-1] == address[:-1]}
        document = with_entry(document, address[:-1], tuple(whole[k] for k in sorted(whole)))
    return with_entry(document, address, value)


def _at(document: Any, address: tuple[str | int, ...]) -> Any:
    for key in address:
        if isinstance(document, Mapping):
            document = document.get(key)
        elif isinstance(document, tuple) and isinstance(key, int) and key < len(document):
            document = document[key]
        else:
            return None
    return document
