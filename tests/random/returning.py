"""The efforts of inverse dynamics, put back as tables, return the motion that they were found for."""

import copy
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from mechanisms import Mechanism
from properties import CODE, kind_of, require

import closedchain as cc

UNTIL, ROWS, RETURNED = 0.2, 401, 1e-7


def check_return(m: Mechanism, folder: Path, formulation: str) -> Counter:
    """What came of a mechanism whose joints are driven: returned, or the named error in the way.

    Every body has mass here, so that efforts determine the motion. Raises Broken where the run goes another way.
    """
    done: Counter = Counter()
    data = copy.deepcopy(m.data)
    if data["motions"] or not data["actuators"]:
        return Counter({"driven by points, or not at all": 1})
    for name, body in data["bodies"].items():
        if name != "ground" and not body.get("mass"):
            body |= {"mass": 0.7, "inertia": 0.02 if m.planar else [0.02, 0.03, 0.04]}
    times, known = np.linspace(0.0, UNTIL, 5), np.linspace(0.0, UNTIL, ROWS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted, found = (cc.inverse_dynamics(cc.compile(cc.Mechanism.from_dict(data), code=CODE), t)
                             for t in (times, known))  # fmt: skip
        start = {}
        for name, actuator in data["actuators"].items():
            joint = actuator["joint"]
            columns = np.column_stack([known, found.effort.sel(actuator=name).values])
            np.savetxt(folder / f"{name}.csv", columns, delimiter=",", fmt="%.17g")
            data["actuators"][name] = {"joint": joint, "effort": f'table("{name}.csv", t)'}
            start[joint] = tuple(
                float(found[of].sel({at: joint})[0]) for of, at in (("q", "coordinate"), ("qd", "rate"))
            )
        driven = cc.compile(cc.Mechanism.from_dict(data, folder=folder), code=CODE)
        ds = cc.simulate(driven, UNTIL, start=start, times=times, formulation=formulation, rtol=1e-11, atol=1e-13)
    except cc.ClosedChainError as error:
        done[f"return: {type(error).__name__}: {kind_of(str(error))}"] += 1
        return done
    off = float(np.abs(ds.body_position.values - wanted.body_position.values).max())
    require(off < RETURNED, f"the {formulation} run leaves the motion of its efforts by {off:.1e} m")
    done["returned"] += 1
    return done
