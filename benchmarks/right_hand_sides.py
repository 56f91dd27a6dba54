"""What one evaluation of the equations of motion costs: forward and inverse, one state and per lane."""

from typing import Any

import numpy as np
from measuring import Row, document, per_lane, per_operation, per_state

import closedchain as cc
from closedchain.analyses.preparing import prepare
from closedchain.model.dynamics_kernels import rhs_kernel

# example, targets of one state and per lane [ns]
FORWARD = (("four_bar", 60, None), ("shift_manipulator", 150, 25), ("gough_stewart", 800, 200))


def released(example: str) -> Any:
    """The mechanism of an example with its joints ideal, its motors without motion, moved by a constant effort."""
    plain = document(example)
    plain.pop("motions", None)
    plain["actuators"] = {
        name: {"joint": actuator["joint"], "effort": 0.1} for name, actuator in plain["actuators"].items()
    }
    for joint in plain["joints"].values():
        joint.pop("clearance", None)
    return cc.Mechanism.from_dict(plain)


def forward(example: str) -> tuple[Any, np.ndarray, np.ndarray]:
    """Kernel of the right-hand side, its constants, and its inputs at the start."""
    setting, y0 = prepare(cc.compile(released(example)), None)
    kernel = rhs_kernel(setting)
    c = kernel.constants(setting.model.parameters.values)
    return kernel, c, np.concatenate([[0.0], y0, np.zeros(setting.memory)])


def costs(name: str, kernel: Any, c: np.ndarray, x: np.ndarray, scalar: float | None, lane: float | None) -> list[Row]:
    """Both rows of a kernel."""
    count = kernel.instructions
    floor = count * per_operation()
    return [
        Row(f"{name}, one state", per_state(kernel, c, x), "ns", scalar, count),
        Row(f"{name}, per lane", per_lane(kernel, c, x), "ns", lane, count, floor),
    ]


def rows() -> list[Row]:
    """Forward dynamics of three mechanisms."""
    found = []
    for example, scalar, lane in FORWARD:
        found += costs(f"{example}: right-hand side", *forward(example), scalar, lane)
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
