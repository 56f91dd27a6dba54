"""Kane's equations with total partial velocities against the adjoint solution and against the power of real motions."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.actuation import find_demand
from closedchain.algorithms.applied import apply
from closedchain.algorithms.chain import place
from closedchain.algorithms.kane import generalised_forces, total_rates
from closedchain.algorithms.kinematics import full_state
from closedchain.algorithms.newton_euler import required_forces
from closedchain.analyses.assembly import assemble
from closedchain.analyses.kinematics import time_path
from closedchain.model.inverse_kernels import actuated_rates
from closedchain.model.loads import make_loads
from closedchain.model.rows import find_pattern


def both_ways(m, t=0.0):
    """(Kane's Q, adjoint Q, T, E, state) on floats at the start of the motion, where assembly puts the mechanism."""
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
    r = required_forces(system.tree, placed, state.motions, applied.wrenches, system.planar)
    for rate, effort in applied.efforts.items():
        r[rate] -= effort
    demand = find_demand(system, state.solver, state.rows, r, actuated_rates(model))
    return kane, demand, np.array(T, float), state, goals


RANDOM = [(True, 0, 2, 2), (True, 8, 2, 2), (False, 4, 1, 1), (False, 2, 2, 2), (False, 7, 3, 1)]


@pytest.mark.parametrize(("planar", "seed", "count", "freedoms"), RANDOM)
def test_random_mechanisms(loops, planar, seed, count, freedoms):
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar, count, freedoms))
    kane, demand, T, state, goals = both_ways(m)
    scale = np.abs(demand.Q).max()
    assert np.allclose(np.array(kane, float), np.array(demand.Q, float), rtol=0, atol=1e-11 * scale)
    # the rates of the motion itself are T times the given speeds
    assert np.allclose(T @ goals[1], state.v, rtol=0, atol=1e-11 * np.abs(state.v).max())


@pytest.mark.parametrize("name", ["gough_stewart", "shift_manipulator", "planar_3rrr", "five_bar"])
def test_examples(root, name):
    kane, demand, *_ = both_ways(cc.load(root / "examples" / name / "mechanism.toml"))
    scale = np.abs(demand.Q).max()
    assert np.allclose(np.array(kane, float), np.array(demand.Q, float), rtol=0, atol=1e-11 * scale)


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
