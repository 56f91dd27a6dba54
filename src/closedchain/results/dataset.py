"""Named arrays of an analysis become one `xarray.Dataset` that says what it holds, in which units, and whence."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.results.variables import DIMENSIONS, VARIABLES

if TYPE_CHECKING:
    import xarray as xr

# Dimensions, array, attributes: what xarray takes as a variable; and such by name.
PlainVariable = tuple[tuple[str, ...], Any, dict[str, Any]]
PlainVariables = dict[str, PlainVariable]
MIXED = "mixed"  # unit of a variable whose labels differ in unit; `units_of` tells each


def dataset(
    variables: Mapping[str, Any],
    labels: Mapping[str, Any],
    *,
    analysis: str,
    mechanism: str = "",
    settings: Mapping[str, Any] | None = None,
    label_units: Mapping[str, Sequence[str]] | None = None,
    attrs: Mapping[str, Any] | None = None,
) -> "xr.Dataset":
    """Puts arrays under names with dimensions, units and provenance.

    variables: name -> array (registered in `VARIABLES`), or name -> (dims, array, attributes) for others; arrays
        are kept as they are, views included. More dimensions than registered stand in front: swept parameters.
    labels: dimension -> labels (strings) or values ("time" in s), shape (n,).
    analysis, mechanism, settings: provenance: name of the analysis, the mechanism as TOML text, its settings.
    label_units: dimension -> unit of each label ("rad", "m", ...), for variables whose unit follows a label.
    attrs: further attributes, strings or numbers.

    Raises ValueError when an array does not fit its dimensions.

    >>> import numpy as np
    >>> from closedchain.results import dataset
    >>> ds = dataset({"q": np.zeros((2, 1))}, {"time": [0.0, 0.1], "coordinate": ["A"]},
    ...              analysis="kinematics", label_units={"coordinate": ["rad"]})
    >>> ds.q.dims, ds.q.attrs["units"], ds.attrs["analysis"]
    (('time', 'coordinate'), 'rad', 'kinematics')
    """
    import xarray as xr

    from closedchain import __version__

    data, coords = plain_variables(variables, labels, label_units)
    provenance = {
        "analysis": analysis,
        "mechanism": mechanism,
        "settings": json.dumps(dict(settings or {}), default=_plain, sort_keys=True),
        "closedchain_version": __version__,
    }
    return xr.Dataset(data, _coordinates(coords), provenance | dict(attrs or {}))


def _coordinates(coords: PlainVariables) -> "xr.Coordinates":
    """Coordinates with their indexes; those of words, which are the same in many results, are made once."""
    import xarray as xr
    from xarray.indexes import PandasIndex

    words = {name: entry for name, entry in coords.items() if entry[1].dtype.kind == "U"}
    made = _of_words(tuple((name, dims, tuple(array.tolist()), tuple(attributes.items()))
                           for name, (dims, array, attributes) in words.items()))  # fmt: skip
    variables, indexes = dict(made.variables), dict(made.xindexes)
    for name, entry in coords.items():
        if name not in words:
            variables[name] = xr.Variable(*entry)
            if entry[0] == (name,):
                indexes[name] = PandasIndex.from_variables({name: variables[name]}, options={})
                variables[name] = indexes[name].create_variables({name: variables[name]})[name]
    return xr.Coordinates({name: variables[name] for name in coords}, indexes=indexes)


@lru_cache(maxsize=64)
def _of_words(entries: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[Any, ...]], ...]) -> "xr.Coordinates":
    import xarray as xr

    return xr.Dataset(
        coords={name: (dims, np.array(words, dtype=str), dict(attributes)) for name, dims, words, attributes in entries}
    ).coords


def plain_variables(
    variables: Mapping[str, Any],
    labels: Mapping[str, Any],
    label_units: Mapping[str, Sequence[str]] | None = None,
) -> tuple[PlainVariables, PlainVariables]:
    """The variables and labels of `dataset` as (dims, array, attributes), without the cost of an `xarray.Dataset`."""
    units = {dim: [str(unit) for unit in each] for dim, each in (label_units or {}).items()}
    coords = {dim: _label(dim, each) for dim, each in labels.items()}
    coords |= {f"{dim}_unit": ((dim,), _text(each), {}) for dim, each in units.items() if dim in coords}
    swept = [dim for dim in labels if dim not in DIMENSIONS]
    return {name: _variable(name, value, swept, units) for name, value in variables.items()}, coords


def units_of(ds: "xr.Dataset", name: str, selection: Mapping[str, str] | None = None) -> str:
    """Unit of a variable, or of its entry at the given labels where they differ.

    >>> import numpy as np
    >>> from closedchain.results import dataset, units_of
    >>> ds = dataset({"q": np.zeros((1, 2))}, {"time": [0.0], "coordinate": ["A", "S"]},
    ...              analysis="kinematics", label_units={"coordinate": ["rad", "m"]})
    >>> units_of(ds, "q"), units_of(ds, "q", {"coordinate": "S"})
    ('mixed', 'm')
    """
    units = str(ds[name].attrs.get("units", ""))
    if units != MIXED or not selection:
        return units
    pattern = VARIABLES[name].units
    for dim, label in selection.items():
        if "{" + dim + "}" in pattern:
            return _unit(pattern, dim, str(ds[f"{dim}_unit"].sel({dim: label}).item()))
    return units


def _variable(name: str, value: Any, swept: Sequence[str], units: Mapping[str, Sequence[str]]) -> PlainVariable:
    if isinstance(value, tuple):
        dims, array, attributes = value
        return (dims,) if isinstance(dims, str) else tuple(dims), _array(array), dict(attributes)
    if name not in VARIABLES:
        raise ValueError(f"{name!r} is not a registered result; give (dims, array, attributes) or register it.")
    known = VARIABLES[name]
    array = _array(value)
    extra = array.ndim - len(known.dims)
    dims = known.dims
    if known.angular and extra - len(swept) == -1:
        dims, extra = dims[:-1], extra + 1
    if extra not in (0, len(swept)):
        raise ValueError(f"{name!r} has {array.ndim} dimensions where {(*swept, *dims)} are expected.")
    dims = (*swept, *dims) if extra else dims
    return dims, array, {"units": _common_unit(known.units, units), "long_name": known.long_name}


def _common_unit(pattern: str, units: Mapping[str, Sequence[str]]) -> str:
    """Unit of a whole variable: the one all its labels share, else `MIXED`."""
    for dim, each in units.items():
        if "{" + dim + "}" in pattern:
            found = {_unit(pattern, dim, unit) for unit in each}
            return found.pop() if len(found) == 1 else MIXED
    return "" if "{" in pattern else pattern


def _unit(pattern: str, dim: str, unit: str) -> str:
    return pattern.replace("{" + dim + "}", unit)


def _label(dim: str, values: Any) -> PlainVariable:
    units, long_name = DIMENSIONS.get(dim, ("", dim))
    array = np.asarray(values)
    if (array.size == 0 and dim != "time") or array.dtype.kind in "OU":
        array = _text(values)
    return (dim,), array, {"units": units, "long_name": long_name} if units else {"long_name": long_name}


def _text(values: Any) -> np.ndarray:
    """Strings as a fixed-width array, which files keep also when empty."""
    return np.asarray([str(value) for value in values], dtype=str)


def _array(value: Any) -> Any:
    array = value if isinstance(value, np.ndarray) else np.asarray(value)
    return _text(array.ravel()).reshape(array.shape) if array.dtype.kind == "O" else array


def _plain(value: Any) -> Any:
    """What JSON has no word for, in plain numbers and lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)
