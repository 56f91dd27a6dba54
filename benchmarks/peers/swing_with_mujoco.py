"""MuJoCo: crank angle of a swinging mechanism on standard input, with its integrators at two steps."""

import json
import math
import sys
import time

import mujoco
from with_mujoco import build


def main():
    given = json.load(sys.stdin)
    angles = {float(t): angle for t, angle in given["angles"].items()}
    found = {}
    for integrator, step in (("implicitfast", 1e-3), ("implicitfast", 1e-4), ("RK4", 1e-3), ("RK4", 1e-4)):
        model = build(given, f'integrator="{integrator}" timestep="{step}"')
        data = mujoco.MjData(model)
        start, errors, done = time.process_time(), [], 0
        for until, angle in angles.items():
            for _ in range(round(until / step) - done):
                mujoco.mj_step(model, data)
            done = round(until / step)
            errors.append(abs(data.qpos[0] + math.pi / 3 - angle))
        name = f"MuJoCo {mujoco.__version__}, {integrator}, step {step:g} s"
        found[name] = {"errors": errors, "ms": 1e3 * (time.process_time() - start)}
    print(json.dumps(found))


main()
