"""Pinocchio: time of `constraintDynamics` for a mechanism on standard input; loops closed by proximal points."""

import json
import sys
import time

import numpy as np
import pinocchio as pin


def depth_first(links):
    """Links with every branch in one piece, which the algorithms take for granted."""
    order, waiting = [], [k for k, link in enumerate(links) if link["parent"] < 0][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += [k for k, link in enumerate(links) if link["parent"] == order[-1]][::-1]
    return order


def build(given):
    """The model of a mechanism in ground axes, and its point constraints with their data."""
    model = pin.Model()
    model.gravity = pin.Motion(np.array(given["gravity"]), np.zeros(3))
    # A joint of several freedoms is a chain of joints; their frames stand in ground axes at the start.
    spots, holder = {0: pin.SE3.Identity()}, {-1: 0}
    for k in depth_first(given["links"]):
        link = given["links"][k]
        here = holder[link["parent"]]
        for n, joint in enumerate(link["joints"]):
            spot = pin.SE3(np.eye(3), np.array(joint["at"]))
            axis = np.array(joint["axis"])
            kind = pin.JointModelRevoluteUnaligned if joint["kind"] == "hinge" else pin.JointModelPrismaticUnaligned
            here_next = model.addJoint(here, kind(*axis), spots[here].actInv(spot), f"{k}_{n}")
            spots[here_next] = spot
            here = here_next
        holder[k] = here
        inertia = pin.Inertia(link["mass"], np.array(link["com"]), np.array(link["inertia"]))
        body = pin.SE3(np.array(link["R"]), np.array(link["p"]))
        model.appendBodyToJoint(here, inertia, spots[here].actInv(body))
    rows, held = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for closure in given["closures"]:
        spot = pin.SE3(np.eye(3), np.array(closure["at"]))
        a, b = holder[closure["a"]], holder[closure["b"]]
        row = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, model, a, spots[a].actInv(spot), b, spots[b].actInv(spot)
        )
        rows.append(row)
        held.append(row.createData())
    return model, rows, held


def main():
    model, rows, held = build(json.load(sys.stdin))
    data = model.createData()
    pin.initConstraintDynamics(model, data, rows, held)
    q, v, tau = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    settings = pin.ProximalSettings(1e-10, 1e-10, 10)
    count, least = 300, np.inf
    for _ in range(15):
        start = time.process_time()
        for _ in range(count):
            pin.constraintDynamics(model, data, q, v, tau, rows, held, settings)
        least = min(least, time.process_time() - start)
    print(json.dumps({f"Pinocchio {pin.__version__}, constraintDynamics": least / count * 1e9}))


if __name__ == "__main__":
    main()
