"""Files of a study: everything as NetCDF, and the main channels as a table for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# What a table holds: curves over time that people plot; the rest is in the NetCDF file.
MAIN = (
    "q", "qd", "position", "velocity", "acceleration", "effort", "power", "reaction_force", "kinetic_energy",
    "potential_energy", "dissipated_energy", "input_work", "contact_force", "penetration", "contact_joint",
    "contact_time", "contact_end", "contact_speed", "contact_peak", "contact_depth",
)  # fmt: skip


def save_study(ds: "xr.Dataset", folder: Path, stem: str) -> list[Path]:
    """Writes STEM.nc, and for a motion over time STEM.csv; returns the files."""
    import closedchain as cc
    from closedchain.results.files import tables

    files = [cc.save(ds, folder / f"{stem}.nc")]
    if "time" in ds.dims and "q" in ds and tuple(ds["q"].dims) == ("time", "coordinate"):
        for name, table in tables(ds[[name for name in MAIN if name in ds]]).items():
            files.append(folder / (f"{stem}.{name}.csv" if name else f"{stem}.csv"))
            write_table(table, files[-1])
    return files


def write_table(table: "pd.DataFrame", path: Path) -> None:
    """Writes a table as `cc.save` does; numbers alone a few times sooner."""
    if not all(kind.kind == "f" for kind in table.dtypes) or table.isna().to_numpy().any():
        table.to_csv(path, lineterminator="\n")
        return
    import csv

    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow([table.index.name, *table.columns])
        rows = zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
        file.writelines(f"{first!r},{','.join(map(repr, row))}\n" for first, row in rows)
