"""Exudyn: crank angle of a swinging mechanism on standard input, with generalised alpha at two steps.

The angle is read from the crank's rotation matrix, so errors are known up to whole turns.
"""

import json
import math
import sys

import exudyn as exu
import numpy as np
from with_exudyn import build, solve


def main():
    given = json.load(sys.stdin)
    angles = {float(t): angle for t, angle in given["angles"].items()}
    found = {}
    for step in (1e-3, 1e-4):
        errors, taken = [], 0.0
        for until, angle in angles.items():
            _system, mbs, bodies = build(given)
            taken = solve(mbs, round(until / step), step)
            R = np.array(mbs.GetObjectOutputBody(bodies[0], exu.OutputVariableType.RotationMatrix)).reshape(3, 3)
            off = math.atan2(R[1, 0], R[0, 0]) - angle
            errors.append(abs((off + math.pi) % (2 * math.pi) - math.pi))
        found[f"Exudyn {exu.__version__}, generalised alpha, step {step:g} s"] = {"errors": errors, "ms": 1e3 * taken}
    print(json.dumps(found))


main()
