"""Evaluate the right-hand side at the stages of an explicit step, for one member or for lanes of members at once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from closedchain.numerics._cache import jit
from closedchain.numerics.kernel_call import call, doubles
from closedchain.numerics.state import Arrays, Sizes, Table, allocate, point

# members side by side: entry i of lane l lies at i lanes + l
LANE_ARRAYS: Table = (
    ("t", "8"),  # time of each lane
    ("last", "8"),  # latest time at which a stage may be evaluated
    ("dt", "8"),  # signed steps, repeated to fill the tile
    ("sums", "16"),  # squared errors of up to two estimates
    ("residual", "8"),  # worst of the projections in this step
    ("conditioning", "8"),
    ("found", "8"),  # of an ensemble: what became of each lane's step
    ("distance", "8"),  # and a number its stiffness test needs later
    ("y0", "n * lanes"),
    ("y1", "n * lanes"),
    ("atol", "n * lanes"),
    ("rtol", "n * lanes"),
    ("memory", "m * lanes"),
    ("k", "stages * n * lanes + stages * e * lanes"),  # rows of rates and event functions, one per stage
    ("x", "lanes + n * lanes + m * lanes"),  # input of the kernels
    ("projected", "n * lanes + 2 * lanes"),
)
LANES = np.dtype(
    [(name, "u8") for name, _ in LANE_ARRAYS]
    + [
        ("stride", "u8"),  # bytes from row to row of k
        ("rhs_c", "u8"),  # constants of the kernels
        ("projection_c", "u8"),
    ]
)


def explicit_arrays(end: int) -> Callable[[Any, Any, Sizes, Arrays], tuple[Any, Arrays]]:
    """The `arrays` of an explicit method: the member's own are those of a single lane; end: the row of k at the end."""

    def arrays(plan: Any, run: Any, sizes: Sizes, tolerances: Arrays) -> tuple[Any, Arrays]:
        lanes = np.zeros(1, LANES)[0]
        made = allocate(sizes, LANE_ARRAYS, lanes)
        made["atol"][:], made["rtol"][:] = tolerances["atol"], tolerances["rtol"]
        row = sizes.n + sizes.e
        lanes["stride"] = 8 * row
        lanes["rhs_c"], lanes["projection_c"] = run["rhs_c"], run["projection_c"]
        views = {name: made[name] for name in ("y0", "y1", "memory")}
        views |= {"f0": made["k"][:row], "f1": made["k"][end * row : (end + 1) * row]}
        point(run, views)
        return lanes, made | views

    return arrays


@jit
def open_stages(plan, lanes):
    """Before the first stage of an attempt."""
    count = plan.lanes
    x, memory, sums = doubles(lanes.x), doubles(lanes.memory), doubles(lanes.sums)
    residual, conditioning = doubles(lanes.residual), doubles(lanes.conditioning)
    start = (1 + plan.states) * count
    for q in range(plan.memory * count):
        x[start + q] = memory[q]
    for p in range(8):
        sums[p] = 0.0
        sums[8 + p] = 0.0
        residual[p] = 0.0
        conditioning[p] = 1.0


@jit
def evaluate_stage(plan, lanes, part, row):
    """The row of k at that address, part × dt into the step; the states are in lanes.x already."""
    x, t, dt, last = doubles(lanes.x), doubles(lanes.t), doubles(lanes.dt), doubles(lanes.last)
    for lane in range(plan.lanes):
        time = t[lane] + part * dt[lane]
        x[lane] = time if (time - last[lane]) * plan.sign < 0.0 else last[lane]
    if plan.projection != 0 and plan.project_stages != 0:
        project_stage(plan, lanes)
    call(plan.rhs, lanes.x, lanes.rhs_c, row)


@jit
def evaluate_end(plan, lanes, row):
    """The row of k at that address, at the end of the step, and y1 moved onto the constraints."""
    count = plan.lanes
    x, y1, last = doubles(lanes.x), doubles(lanes.y1), doubles(lanes.last)
    for q in range(plan.states * count):
        x[count + q] = y1[q]
    for lane in range(count):
        x[lane] = last[lane]
    if plan.projection != 0:
        project_stage(plan, lanes)
        for q in range(plan.states * count):
            y1[q] = x[count + q]
    call(plan.rhs, lanes.x, lanes.rhs_c, row)


@jit
def project_stage(plan, lanes):
    """Move the states in lanes.x onto the constraints and keep the worst residual and conditioning of each lane."""
    count, n = plan.lanes, plan.states
    x, projected = doubles(lanes.x), doubles(lanes.projected)
    residual, conditioning = doubles(lanes.residual), doubles(lanes.conditioning)
    call(plan.projection, lanes.x, lanes.projection_c, lanes.projected)
    for q in range(n * count):
        x[count + q] = projected[q]
    for lane in range(count):
        left = projected[n * count + lane]
        # a residual that is not a number stays
        if residual[lane] == residual[lane] and not left <= residual[lane]:
            residual[lane] = left
        conditioning[lane] = min(conditioning[lane], projected[(n + 1) * count + lane])
