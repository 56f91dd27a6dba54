"""Rows of the position problem: compact kernels give the dense Jacobian, and know where it can differ from zero."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.position import retract
from closedchain.model import Drive
from closedchain.model.rows import row_marks, rows_kernel

FOLDER = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart", "rssr", "shift_manipulator", "dh_arm"])
@pytest.mark.parametrize("code", ["quick", "none"])
def test_jacobian_is_the_derivative_of_the_rows(name, code):
    m = cc.load(FOLDER / name / "mechanism.toml")
    model = cc.compile(m, code=code)
    drive = Drive((), bool(m.motions))
    kernel, structure = rows_kernel(model, drive)
    goal = np.linspace(0.1, 0.3, len(model.goals(drive)))
    q = cc.assemble(model).tree(model)
    c = kernel.constants(model.parameters.values)
    rates = model.topology.rates
    steps = 1e-6 * np.concatenate([np.zeros((1, rates)), np.eye(rates), -np.eye(rates)])
    moved = retract(model, np.repeat(q[None], len(steps), axis=0), steps)
    Y = kernel.batch(np.concatenate([moved.T, np.repeat(goal[:, None], len(steps), axis=1)]), c)
    parts = kernel.split(Y)
    assert parts["values"].shape[0] == len(row_marks(model, drive))
    J = parts["jacobian"][:, :, 0]
    differences = (parts["values"][:, 1 : rates + 1] - parts["values"][:, rates + 1 :]) / 2e-6
    marks = row_marks(model, drive)
    true = [k for k, mark in enumerate(marks) if not mark[3]]
    assert J[true] == pytest.approx(differences[true], abs=1e-7)
    assert not J[~structure].any()
    assert kernel(np.concatenate([q, goal]), c) == pytest.approx(Y[:, 0], rel=1e-13, abs=1e-15)


def test_driven_coordinates_share_the_rows_of_all_drives():
    model = cc.compile(cc.load(FOLDER / "five_bar" / "mechanism.toml"))
    names = tuple(a.joint.text for a in model.mechanism.actuators.values())
    some, structure = rows_kernel(model, Drive(names))
    all_, same = rows_kernel(model, Drive())
    assert some.kernel is all_.kernel
    assert np.array_equal(structure, same)
    q = cc.assemble(model).tree(model)
    c = some.constants(model.parameters.values)
    assert some(np.concatenate([q, np.full(len(names), np.nan)]), c) == pytest.approx(all_(q, c))
