"""Files of a study: everything as NetCDF, and the main channels as a table for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr

# What a table holds: curves over time that people plot; the rest is in the NetCDF file.
MAIN = (
    "q", "qd", "position", "velocity", "acceleration", "effort", "power", "kinetic_energy", "potential_energy",
    "dissipated_energy", "input_work", "contact_force", "penetration", "contact_joint", "contact_time", "contact_end",
    "contact_speed",
)  # fmt: skip


def save_study(ds: "xr.Dataset", folder: Path, stem: str) -> list[Path]:
    """Writes STEM.nc, and for a motion over time STEM.csv; returns the files."""
    import closedchain as cc

    files = [cc.save(ds, folder / f"{stem}.nc")]
    if "time" in ds.dims and "q" in ds and tuple(ds["q"].dims) == ("time", "coordinate"):
        table = ds[[name for name in MAIN if name in ds]]
        files.append(cc.save(table, folder / f"{stem}.csv"))
        beside = folder / f"{stem}.contact.csv"
        if table.sizes.get("contact") and beside.is_file():
            files.append(beside)
    return files
