"""One mechanism simulated in both formulations, and how far the results are apart."""

import numpy as np

import closedchain as cc

STATE = ("q", "qd", "position", "velocity", "body_position", "body_velocity", "body_angular_velocity",
         "body_angle", "body_rotation")  # fmt: skip
ENERGIES = ("kinetic_energy", "potential_energy", "input_work", "dissipated_energy")
DRIVEN = ("motion", "control", "effort")


def falling(mechanism, **changes):
    """The mechanism with its motors off and its point motions dropped."""
    data = {name: value for name, value in mechanism.to_dict().items() if name not in ("motions", "studies")}
    motors = data.get("actuators", {}).items()
    data["actuators"] = {
        name: {key: value for key, value in motor.items() if key not in DRIVEN} for name, motor in motors
    }
    return cc.Mechanism.from_dict(data | changes)


def both(mechanism, until, rtol=1e-12, samples=11, **options):
    """Results of the loop formulation and of the multipliers."""
    times = np.linspace(0.0, until, samples)
    options = {"times": times, "rtol": rtol, "atol": 1e-2 * rtol, "clearance": False} | options
    return tuple(cc.simulate(mechanism, until, formulation=name, **options) for name in ("loop", "multipliers"))


def difference(one, other, names=STATE + ENERGIES):
    """Largest difference of all results, each relative to its largest value where that exceeds 1."""
    assert set(STATE + ENERGIES) & set(one.data_vars) == set(STATE + ENERGIES) & set(other.data_vars)
    worst = 0.0
    for name in names:
        if name in one:
            a, b = one[name].values, other[name].values
            worst = max(worst, np.abs(a - b).max(initial=0.0) / max(1.0, np.abs(a).max(initial=0.0)))
    return worst


def energy_error(ds):
    """How far kinetic + potential + dissipated - input strays, relative to its parts where they exceed 1 J."""
    parts = [ds[name].values for name in ENERGIES]
    total = parts[0] + parts[1] + parts[3] - parts[2]
    return np.abs(total - total[0]).max() / max(1.0, *(np.abs(part).max() for part in parts))
