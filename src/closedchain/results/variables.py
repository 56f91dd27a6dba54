"""What every named result is: its dimensions, unit and meaning, kept in this one place.

A unit in braces follows the labels of a dimension: `"{coordinate}"` is rad for an angle and m for a length,
`"{rate}/s^2"` the matching acceleration.
In planar mechanisms the `angular` variables are scalars about +z and have no `axis`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """One result: `dims` (names of its dimensions), `units`, `long_name`, `angular` (scalar in planar mechanisms)."""

    dims: tuple[str, ...]
    units: str
    long_name: str
    angular: bool = False


VARIABLES: dict[str, Variable] = {
    # coordinates
    "q": Variable(("time", "coordinate"), "{coordinate}", "joint coordinate"),
    "qd": Variable(("time", "rate"), "{rate}/s", "rate of the joint coordinate"),
    "qdd": Variable(("time", "rate"), "{rate}/s^2", "acceleration of the joint coordinate"),
    # outputs
    "position": Variable(("time", "point", "axis"), "m", "position of the output point"),
    "velocity": Variable(("time", "point", "axis"), "m/s", "velocity of the output point"),
    "acceleration": Variable(("time", "point", "axis"), "m/s^2", "acceleration of the output point"),
    # bodies
    "body_position": Variable(("time", "body", "axis"), "m", "position of the mass centre"),
    "body_rotation": Variable(
        ("time", "body", "axis", "body_axis"), "1", "rotation matrix, ground axes from body axes"
    ),
    "body_angle": Variable(("time", "body"), "rad", "angle of the body from ground x, about +z"),
    "body_velocity": Variable(("time", "body", "axis"), "m/s", "velocity of the mass centre"),
    "body_angular_velocity": Variable(
        ("time", "body", "axis"), "rad/s", "angular velocity in ground axes", angular=True
    ),
    "body_acceleration": Variable(("time", "body", "axis"), "m/s^2", "acceleration of the mass centre"),
    "body_angular_acceleration": Variable(
        ("time", "body", "axis"), "rad/s^2", "angular acceleration in ground axes", angular=True
    ),
    # forces
    "effort": Variable(("time", "actuator"), "{actuator}", "force or torque of the actuator along its coordinate"),
    "power": Variable(("time", "actuator"), "W", "power of the actuator"),
    "reaction_force": Variable(("time", "joint", "axis"), "N", "reaction force on the moving side, ground axes"),
    "reaction_moment": Variable(
        ("time", "joint", "axis"), "N*m", "reaction moment on the moving side, ground axes, at its point", angular=True
    ),
    "reaction_determined": Variable(("time", "joint", "axis"), "1", "whether statics determines the reaction force"),
    "reaction_moment_determined": Variable(
        ("time", "joint", "axis"), "1", "whether statics determines the reaction moment", angular=True
    ),
    "dissipated_power": Variable(("time",), "W", "power taken by dampers and friction"),
    "load_power": Variable(("time",), "W", "power of given forces and moments"),
    # energies
    "kinetic_energy": Variable(("time",), "J", "kinetic energy"),
    "potential_energy": Variable(("time",), "J", "energy of gravity, springs and elastic contact"),
    "dissipated_energy": Variable(("time",), "J", "energy dissipated since the start"),
    "input_work": Variable(
        ("time",), "J", "work of efforts, imposed motions and time-dependent forces since the start"
    ),
    # loops
    "closure": Variable(("time",), "1", "largest gap of the closed loops relative to the size of the mechanism"),
    # loose joints
    "eccentricity": Variable(("time", "loose_joint", "axis"), "m", "pin centre from bore centre, ground axes"),
    "contact_force": Variable(("time", "loose_joint", "axis"), "N", "contact force on the journal, ground axes"),
    "penetration": Variable(("time", "loose_joint"), "m", "penetration of the pin into the bore, negative in flight"),
    "in_contact": Variable(("time", "loose_joint"), "1", "whether pin and bore touch"),
    # what a run goes on from, besides coordinates and rates
    "inner_state": Variable(("time", "inner"), "", "integrals of controllers, bristles of friction"),
    "gap_closed": Variable(("time", "gap"), "1", "whether the contact law acts at the gap"),
    "approach_speed": Variable(("time", "gap"), "m/s", "approach speed of the present or last contact"),
    # contacts, in order of time
    "contact_joint": Variable(("contact",), "", "loose joint of the contact"),
    "contact_time": Variable(("contact",), "s", "start of the contact"),
    "contact_end": Variable(("contact",), "s", "end of the contact"),
    "contact_speed": Variable(("contact",), "m/s", "approach speed at the start of the contact"),
    "contact_peak": Variable(("contact",), "N", "largest force of the joint during the contact"),
    "contact_depth": Variable(("contact",), "m", "largest penetration of the joint during the contact"),
}

# Dimension -> (units, long_name) of its labels.
DIMENSIONS: dict[str, tuple[str, str]] = {
    "time": ("s", "time"),
    "coordinate": ("", "joint coordinate"),
    "rate": ("", "rate of a joint coordinate"),
    "point": ("", "output"),
    "axis": ("", "ground axis"),
    "body_axis": ("", "body axis"),
    "body": ("", "body"),
    "joint": ("", "joint"),
    "loose_joint": ("", "joint with clearance"),
    "actuator": ("", "actuator"),
    "contact": ("", "contact in order of time"),
    "inner": ("", "state of a controller or of friction"),
    "gap": ("", "place where a loose joint can touch"),
}
