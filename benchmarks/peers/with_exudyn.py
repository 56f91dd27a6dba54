"""Exudyn: time of a step of generalised alpha for a mechanism on standard input; spatial bodies, all coordinates."""

import json
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia


def joint_frame(joints):
    """Axes of the joint's frame and which of (x, y, z, turns about them) are held."""
    axes = [np.array(j["axis"], float) for j in joints]
    kinds = [j["kind"] for j in joints]
    if len(joints) == 3:
        return np.eye(3), [1, 1, 1, 0, 0, 0]
    first = axes[0] if axes else np.array([1.0, 0.0, 0.0])
    other = axes[1] if len(axes) > 1 else np.eye(3)[int(np.argmin(np.abs(first)))]
    second = other - first * (first @ other)
    second /= np.linalg.norm(second)
    held = [1, 1, 1, 1, 1, 1]
    for place, kind in enumerate(kinds):
        held[place + (3 if kind == "hinge" else 0)] = 0
    return np.column_stack([first, second, np.cross(first, second)]), held


def build(given):
    """The assembled system of a mechanism in ground axes, and its bodies by link."""
    import exudyn.itemInterface as eii

    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.AddObject(eii.ObjectGround())
    bodies, spots = {-1: ground}, {-1: (np.eye(3), np.zeros(3))}
    for k, link in enumerate(given["links"]):
        R, p, com, I = (np.array(link[name], float) for name in ("R", "p", "com", "inertia"))
        centre = p + R @ com
        inertia = RigidBodyInertia(link["mass"], I)
        made = mbs.CreateRigidBody(
            inertia=inertia, referencePosition=centre, referenceRotationMatrix=R, gravity=given["gravity"]
        )
        bodies[k], spots[k] = made, (R, centre)

    def connect(a, b, at, F, held):
        markers = []
        for k in (a, b):
            R, p = spots[k]
            local = R.T @ (np.array(at) - p)
            markers.append(mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=bodies[k], localPosition=local)))
        mbs.AddObject(
            eii.ObjectJointGeneric(
                markerNumbers=markers, constrainedAxes=held,
                rotationMarker0=spots[a][0].T @ F, rotationMarker1=spots[b][0].T @ F,
            )
        )  # fmt: skip

    for k, link in enumerate(given["links"]):
        at = link["joints"][-1]["at"] if link["joints"] else link["p"]
        connect(link["parent"], k, at, *joint_frame(link["joints"]))
    for closure in given["closures"]:
        connect(closure["a"], closure["b"], closure["at"], np.eye(3), [1, 1, 0 if given["planar"] else 1, 0, 0, 0])
    mbs.Assemble()
    return system, mbs, bodies


def solve(mbs, steps, step):
    """Integrate with generalised alpha."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = steps, steps * step
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    start = time.process_time()
    mbs.SolveDynamic(settings)
    return time.process_time() - start


def main():
    _system, mbs, _bodies = build(json.load(sys.stdin))

    least = min(solve(mbs, 400, 1e-4) - solve(mbs, 100, 1e-4) for _ in range(4)) / 300
    print(json.dumps({f"Exudyn {exu.__version__}, one step (generalised alpha)": least * 1e9}))


if __name__ == "__main__":
    main()
