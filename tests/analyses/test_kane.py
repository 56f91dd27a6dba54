"""Kane's equations with total partial velocities, in ground axes, against the adjoint solution in link frames."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.applied import apply
from closedchain.algorithms.chain import place
from closedchain.algorithms.kane import generalised_forces, total_rates
from closedchain.algorithms.kinematics import full_state
from closedchain.analyses.assembly import assemble
from closedchain.analyses.kinematics import time_path
from closedchain.model.inverse_kernels import inverse_at
from closedchain.model.loads import make_loads
from closedchain.model.rows import find_pattern


def both_ways(m, t=0.0):
    """Kane's Q and T in ground axes, the demand by the adjoint in link frames, rates, goals: floats, at the start."""
    path = time_path(cc.compile(m), np.array([t]))
    model, drive = path.model, path.drive
    q = assemble(m).tree(model)
    goals = [part[:, 0] for part in path.goals(np.array([t]))]
    q[[model.tree_coordinates[name] for name in drive.coordinates]] = goals[0][: len(drive.coordinates)]
    pattern = find_pattern(model, drive, q, goals[0])
    system = model.system(drive)
    state = full_state(system, pattern, q.tolist(), *(part.tolist() for part in goals))
    placed = place(system.tree, state.q)
    applied = apply(make_loads(model, t, motors=False), state.motions, state.q, state.v, [])
    T = total_rates(system, state.solver, state.rows)
    kane = generalised_forces(system.tree, placed, state.motions, applied, T, system.planar)
    motion = {"q": q.tolist()}
    motion |= {f"goal{name}": part.tolist() for name, part in zip(("", "_rate", "_acceleration"), goals, strict=True)}
    demand = inverse_at(model, drive, motion, t, None).demand
    return np.array(kane, float), demand, np.array(T, float), np.array(state.v, float), goals


RANDOM = [(True, 0, 2, 2), (True, 8, 2, 2), (False, 4, 1, 1), (False, 2, 2, 2), (False, 7, 3, 1)]


@pytest.mark.parametrize(("planar", "seed", "count", "freedoms"), RANDOM)
def test_random_mechanisms(loops, planar, seed, count, freedoms):
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar, count, freedoms))
    kane, demand, T, v, goals = both_ways(m)
    assert np.allclose(kane, demand.Q, rtol=0, atol=1e-11 * np.abs(kane).max())
    # the rates of the motion itself are T times the given speeds, those of the actuators E times
    assert np.allclose(T @ goals[1], v, rtol=0, atol=1e-11 * np.abs(v).max())
    assert np.allclose(np.array(demand.E, float) @ goals[1], goals[1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", ["gough_stewart", "shift_manipulator", "planar_3rrr", "five_bar"])
def test_examples(root, name):
    kane, demand, *_ = both_ways(cc.load(root / "examples" / name / "mechanism.toml"))
    assert np.allclose(kane, demand.Q, rtol=0, atol=1e-11 * np.abs(kane).max())


def test_loads_along_the_motion_count(loops):
    data = loops.random_loop(4, False, 1, 1)
    data["joints"]["j0"]["damping"] = [3.0, 2.0, 1.0][: len(cc.Mechanism.from_dict(data).joints["j0"].form.rates)]
    data["forces"] = {
        "push": {"kind": "force", "on": "b0.J1", "vector": [1, 2, 3]},
        "spring": {
            "kind": "spring-damper",
            "between": ["ground.J0", "b1.J2"],
            "stiffness": 40,
            "damping": 2,
            "length": 1,
        },
    }
    with_loads, *_ = both_ways(cc.Mechanism.from_dict(data))
    bare, *_ = both_ways(cc.Mechanism.from_dict({**data, "forces": {}}))
    assert np.abs(np.subtract(with_loads, bare)).max() > 0.1
    kane, demand, *_ = both_ways(cc.Mechanism.from_dict(data))
    assert np.allclose(kane, demand.Q, rtol=1e-11)
