"""Pinocchio: crank angle of a swinging mechanism on standard input; semi-implicit Euler, as commonly written."""

import json
import math
import sys
import time

import numpy as np
import pinocchio as pin
from with_pinocchio import build


def main():
    given = json.load(sys.stdin)
    angles = {float(t): angle for t, angle in given["angles"].items()}
    found = {}
    for step in (1e-3, 1e-4):
        model, rows, held = build(given)
        for row in rows:
            row.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(1e4, 2e2))
        data = model.createData()
        pin.initConstraintDynamics(model, data, rows, held)
        settings = pin.ProximalSettings(1e-10, 1e-10, 10)
        q, v, tau = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        start, errors, done = time.process_time(), [], 0
        for until, angle in angles.items():
            for _ in range(round(until / step) - done):
                v = v + step * pin.constraintDynamics(model, data, q, v, tau, rows, held, settings)
                q = pin.integrate(model, q, step * v)
            done = round(until / step)
            errors.append(abs(q[0] + math.pi / 3 - angle))
        name = f"Pinocchio {pin.__version__}, semi-implicit Euler, step {step:g} s"
        found[name] = {"errors": errors, "ms": 1e3 * (time.process_time() - start)}
    print(json.dumps(found))


main()
