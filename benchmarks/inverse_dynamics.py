"""What the motor forces of the 6-UPS platform cost for a given pose, velocity and acceleration of the platform."""

import numpy as np
from kinematics_throughput import closed_start
from measuring import Row, load
from right_hand_sides import costs

import closedchain as cc
from closedchain.analyses.kinematics import time_path
from closedchain.model.inverse_kernels import effort_kernel
from closedchain.model.rows import find_pattern


def rows() -> list[Row]:
    """One state and per lane."""
    path = time_path(cc.compile(load("gough_stewart")), np.array([0.0]))
    q, x = closed_start(path)
    find_pattern(path.model, path.drive, q, path.goals(np.array([0.0]))[0][:, 0])
    kernel = effort_kernel(path.model, path.drive)
    c = kernel.constants(path.model.parameters.values)
    return costs("gough_stewart: inverse dynamics", kernel, c, np.concatenate([x, [0.0]]), 500, 100)


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
