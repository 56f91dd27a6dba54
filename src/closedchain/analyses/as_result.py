"""Any answer of an analysis as a dataset, so that a sweep can lay it beside others."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.pose import Pose

if TYPE_CHECKING:
    import xarray as xr


def as_result(answer: Any) -> "xr.Dataset":
    """The numbers and texts of an answer by name; a dataset as it is.

    A Pose gives `q` and `residual`, a dataclass or a named tuple its fields, a mapping its entries, plain tuples
    `value_0`, `value_1`, …, anything else `value`. Parts that are neither numbers nor texts are left out; sets and
    lists of words become one text.
    """
    import xarray as xr

    if isinstance(answer, xr.Dataset):
        return answer
    if isinstance(answer, Pose):
        labels = list(answer.coordinates)
        values = np.array(list(answer.coordinates.values()))
        return xr.Dataset({"q": ("coordinate", values), "residual": answer.residual}, {"coordinate": labels})
    found = {}
    for name, part in parts_of(answer).items():
        array = as_array(part)
        if array is not None:
            found[name] = (tuple(f"{name}_{k}" for k in range(array.ndim)), array)
    return xr.Dataset(found)


def parts_of(answer: Any) -> dict[str, Any]:
    """The named parts of an answer."""
    if isinstance(answer, Mapping):
        return {str(name): part for name, part in answer.items()}
    if hasattr(answer, "__dataclass_fields__"):
        names = answer.__dataclass_fields__
    elif hasattr(answer, "_fields"):
        names = answer._fields
    elif isinstance(answer, tuple):
        return {f"value_{k}": part for k, part in enumerate(answer)}
    else:
        return {"value": answer}
    return {name: getattr(answer, name) for name in names}


def as_array(part: Any) -> np.ndarray | None:
    """Numbers or a text as an array; None where the part is neither."""
    if isinstance(part, set | frozenset | list | tuple) and all(isinstance(each, str) for each in part):
        part = ", ".join(sorted(part) if isinstance(part, set | frozenset) else part)
    try:
        array = np.asarray(part)
    except ValueError:
        return None
    return array if array.dtype.kind in "biufU" else None
