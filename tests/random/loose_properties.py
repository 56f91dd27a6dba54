"""What must hold of every simulation of loose joints."""

import json
from collections import Counter
from typing import Any

import numpy as np
from properties import CODE, kind_of, require

import closedchain as cc

# Part of the energy in play that may be lost, and how near the first contacts of both formulations must be, as parts of
# the time: each contact makes more of what lies between them.
ENERGY, APART = 1e-6, (1e-7, 1e-6, 1e-5)
SAMPLES = 501


def check_loose(data: dict[str, Any], until: float) -> Counter:
    """Simulate in both formulations; what came of it. Raises Broken where a property fails."""
    done: Counter = Counter()
    model = cc.compile(cc.Mechanism.from_dict(data), code=CODE)
    found, times = [], np.linspace(0.0, until, SAMPLES)
    for formulation in ("loop", "multipliers"):
        try:
            ds = cc.simulate(model, until, times=times, formulation=formulation, rtol=1e-9, atol=1e-12)
        except cc.ClosedChainError as error:
            done[f"{formulation}: {type(error).__name__}: {kind_of(str(error))}"] += 1
            continue
        check_run(ds, data, formulation)
        found.append(ds)
        done[f"{formulation} runs"] += 1
        done["contacts"] += len(ds.contact_time)
        done["runs in which a stiff method took over"] += json.loads(ds.attrs["settings"])["method_changes"] > 0
    if len(found) == 2:
        times = [ds.contact_time.values[: len(APART)] for ds in found]
        count = min(map(len, times))
        off = np.abs(times[0][:count] - times[1][:count])
        allowed = np.array(APART[:count]) * until
        require((off <= allowed).all(), f"contacts at {times[0][:count]} s and {times[1][:count]} s")
        done["compared"] += 1
    return done


def check_run(ds: Any, data: dict[str, Any], formulation: str) -> None:
    """Nothing passes through anything, the energy balance holds, and contacts begin and end in turn."""
    for name in ("q", "qd", "position", "penetration", "contact_force"):
        require(np.isfinite(ds[name].values).all(), f"{formulation}: {name} is not finite")
    apart = ~(ds.in_contact.values > 0.5)
    for k, joint in enumerate(ds.loose_joint.values):
        law = data["joints"][str(joint)]["clearance"]
        penetration = ds.penetration.values[:, k]
        unseen, depth = (float(np.where(which, penetration, 0.0).max()) for which in (apart[:, k], ~apart[:, k]))
        # a law that lets go before the surfaces part leaves them pressed for a moment
        deepest = max(depth, float(np.max(ds.contact_depth.values, initial=0.0)))
        allowed = deepest if law.get("ending") == "force" else 1e-12
        require(unseen <= allowed, f"{formulation}: {joint} is {unseen:.2e} m deep without contact")
    balance = (ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work).values
    scale = max(float(np.abs(ds.kinetic_energy.values).max()), float(np.ptp(ds.potential_energy.values)), 1e-9)
    off = float(np.abs(balance - balance[0]).max())
    require(off <= ENERGY * scale, f"{formulation}: {off:.1e} J of {scale:.1e} J are lost")
