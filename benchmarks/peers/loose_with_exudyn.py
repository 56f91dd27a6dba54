"""Exudyn: a slider-crank with a loose wrist pin as contact of a sphere in a hollow sphere, from JSON on standard input.

Its nearest equivalent to pin in bore: Hunt and Crossley's law in generalised alpha with discontinuous iterations. For
every number of steps asked for: processor time and the slider's velocity at the instants asked for.
"""

import json
import sys
import time

import exudyn as exu
import exudyn.itemInterface as eii


def body(mbs, mass, inertia, position, angle, velocity, spin):
    """A planar rigid body with its mass centre as node."""
    node = mbs.AddNode(
        eii.NodeRigidBody2D(
            referenceCoordinates=[*position, angle], initialCoordinates=[0, 0, 0], initialVelocities=[*velocity, spin]
        )
    )
    made = mbs.AddObject(eii.ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))
    return node, made


def build(given):
    """The assembled system and the sensor of the slider's velocity."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    a, l, omega = given["crank"], given["rod"], given["speed"]
    turn = -omega * a / l
    ground = mbs.AddObject(eii.ObjectGround())
    crank_node, crank = body(mbs, 0.30, 1e-4, [a / 2, 0], 0.0, [0, omega * a / 2], omega)
    _, rod = body(mbs, 0.21, 2.5e-4, [a + l / 2, 0], 0.0, [0, omega * a + turn * l / 2], turn)
    slider_node, slider = body(mbs, 0.14, 1e-6, [a + l, 0], 0.0, [0, 0], 0.0)

    def spot(owner, at):
        return mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=owner, localPosition=[*at, 0]))

    def held(node, coordinate, speed=0.0):
        fixed = mbs.AddNode(eii.NodePointGround())
        markers = [
            mbs.AddMarker(eii.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0)),
            mbs.AddMarker(eii.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate)),
        ]
        moving = speed != 0.0
        mbs.AddObject(eii.ObjectConnectorCoordinate(markerNumbers=markers, offset=speed, velocityLevel=moving))

    hinges = (
        (spot(ground, [0, 0]), spot(crank, [-a / 2, 0])),
        (spot(crank, [a / 2, 0]), spot(rod, [-l / 2, 0])),
    )
    for one, other in hinges:
        mbs.AddObject(eii.ObjectJointRevolute2D(markerNumbers=[one, other]))
    held(crank_node, 2, omega)
    held(slider_node, 1)
    held(slider_node, 2)
    data = mbs.AddNode(eii.NodeGenericData(initialCoordinates=[0, 0, 0, 0], numberOfDataCoordinates=4))
    mbs.AddObject(
        eii.ObjectContactSphereSphere(
            markerNumbers=[spot(slider, [0, 0]), spot(rod, [l / 2, 0])], nodeNumber=data,
            spheresRadii=[given["bore"] - given["radial"], given["bore"]], isHollowSphere1=True,
            contactStiffness=given["stiffness"], contactStiffnessExponent=1.5,
            restitutionCoefficient=given["restitution"], minimumImpactVelocity=1e-4, impactModel=1,
        )
    )  # fmt: skip
    sensor = mbs.AddSensor(
        eii.SensorNode(nodeNumber=slider_node, outputVariableType=exu.OutputVariableType.Velocity, storeInternal=True)
    )
    mbs.Assemble()
    return system, mbs, sensor


def main():
    """Solve with every number of steps."""
    given = json.load(sys.stdin)
    found = []
    for steps in given["steps"]:
        _container, mbs, sensor = build(given)
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = given["until"]
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = given["until"] / given["samples"]
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        # the goal is a force; with the default of 1 N the first contact ends the run at any step
        settings.timeIntegration.discontinuous.iterationTolerance = 1e9
        settings.linearSolverType = exu.LinearSolverType.EigenDense
        start = time.process_time()
        mbs.SolveDynamic(settings)
        taken = time.process_time() - start
        velocity = mbs.GetSensorStoredData(sensor)
        found.append({"steps": steps, "time": taken, "t": velocity[:, 0].tolist(), "v": velocity[:, 1].tolist()})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
