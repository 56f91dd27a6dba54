"""Results on disk: NetCDF keeps everything; CSV and Parquet are tables of the series for other programs."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from closedchain.exceptions import ClosedChainError
from closedchain.results.dataset import units_of
from closedchain.results.variables import DIMENSIONS

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# Dimensions that run down a table; the labelled ones become columns.
_ROWS = {"time", "contact"}


def save(ds: "xr.Dataset", path: str | Path) -> Path:
    """Writes a result: NetCDF (`.nc`, keeps everything), or a table as `.csv` or `.parquet`.

    ds: result of an analysis. path: file to write, its suffix names the format; an existing file is replaced.
    Returns the path. In a table each row is an instant (of each member of a sweep), each column a label with its unit:
    `position.tip.x [m]`; contacts go beside it as `NAME.contact.csv`.

    Raises ClosedChainError when the suffix is unknown or Parquet support is not installed.

    >>> import pathlib, tempfile
    >>> import closedchain as cc
    >>> import numpy as np
    >>> from closedchain.results import dataset
    >>> ds = dataset({"closure": np.zeros(2)}, {"time": [0.0, 0.1]}, analysis="kinematics")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cc.load_result(cc.save(ds, pathlib.Path(folder) / "motion.nc")).identical(ds)
    True
    """
    path = Path(path)
    if path.suffix not in _WRITERS:
        raise ClosedChainError(
            f"{path.name}: a result is written as {', '.join(_WRITERS)}; give one of these suffixes."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    _WRITERS[path.suffix](ds, path)
    return path


def load_result(path: str | Path) -> "xr.Dataset":
    """Reads a result written by `save` as NetCDF, into memory.

    path: the `.nc` file. Raises ClosedChainError when there is no such file or it holds something else.

    >>> import closedchain as cc
    >>> cc.load_result("nowhere.nc")
    Traceback (most recent call last):
    closedchain.exceptions.ClosedChainError: nowhere.nc: there is no such file.
    """
    import xarray as xr

    path = Path(path)
    if not path.is_file():
        raise ClosedChainError(f"{path}: there is no such file.")
    try:
        return xr.load_dataset(path, engine="h5netcdf")
    except (OSError, ValueError) as error:
        raise ClosedChainError(f"{path}: this is not a result in NetCDF format ({error}).") from error


def table(ds: "xr.Dataset", rows: str = "") -> "pd.DataFrame":
    """The series of a result as a pandas table: a row per instant, a column per label with its unit, as in CSV files.

    ds: result of an analysis. rows: "contact" for the list of contacts; the instants otherwise (members of a sweep are
    levels of the index). What has neither, such as a result at a pose, stays in the dataset.

    Raises ClosedChainError where the result has no such rows.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> cc.table(cc.kinematics(m, [0.0, 0.1])).columns[:2].tolist()
    ['q.A [rad]', 'q.B [rad]']
    """
    every = tables(ds)
    if rows not in every:
        known = ", ".join(repr(name) for name in every if name) or "none but its instants, if any"
        raise ClosedChainError(f"the result has no rows {rows!r}; it has {known}.")
    return every[rows]


def tables(ds: "xr.Dataset") -> dict[str, "pd.DataFrame"]:
    """The series of a result as tables: "" holds the instants, others are named by their row dimension.

    Labels become columns, named with their unit; swept parameters and time become the index.
    """
    import pandas as pd

    columns: dict[tuple[str, ...], dict[str, pd.Series]] = {}
    for name in ds.data_vars:
        array = ds[name]
        rows = tuple(str(dim) for dim in array.dims if dim in _ROWS or dim not in DIMENSIONS)
        spread = [str(dim) for dim in array.dims if dim not in rows]
        if not rows:
            continue
        for label, column in _columns(array, rows, spread):
            heads = [f"{name}", *label.values()]
            units = units_of(ds, str(name), label)
            columns.setdefault(rows, {})[".".join(heads) + (f" [{units}]" if units else "")] = column
    main = max(columns, key=lambda rows: ("time" in rows, math.prod(ds.sizes[dim] for dim in rows)), default=())
    return {"" if rows == main else rows[-1]: pd.DataFrame(each) for rows, each in columns.items()}


def _columns(array: "xr.DataArray", rows: tuple[str, ...], spread: list[str]):
    """(labels, column) for every combination of the labels of the spread dimensions."""
    import numpy as np
    import pandas as pd

    index = pd.MultiIndex.from_product([_index(array, dim) for dim in rows], names=rows)
    for place in np.ndindex(*(array.sizes[dim] for dim in spread)):
        chosen = dict(zip(spread, place, strict=True))
        label = {dim: str(_index(array, dim)[number]) for dim, number in chosen.items()}
        values = array.isel(chosen).transpose(*rows).values.ravel()
        yield label, pd.Series(values, index=index if len(rows) > 1 else index.get_level_values(0))


def _index(array: "xr.DataArray", dim: str):
    return array.indexes[dim] if dim in array.indexes else range(array.sizes[dim])


def _write_netcdf(ds: "xr.Dataset", path: Path) -> None:
    ds.to_netcdf(path, engine="h5netcdf")


def _write_csv(ds: "xr.Dataset", path: Path) -> None:
    for name, table in tables(ds).items():
        table.to_csv(_beside(path, name), lineterminator="\n")


def _write_parquet(ds: "xr.Dataset", path: Path) -> None:
    try:
        for name, table in tables(ds).items():
            table.to_parquet(_beside(path, name))
    except ImportError as error:
        raise ClosedChainError(
            "Writing Parquet needs pyarrow: pip install pyarrow (or save as .csv or .nc)."
        ) from error


def _beside(path: Path, name: str) -> Path:
    return path.with_suffix(f".{name}{path.suffix}") if name else path


_WRITERS = {".nc": _write_netcdf, ".csv": _write_csv, ".parquet": _write_parquet}
