"""Joint types, one file each; `joint_types` finds them."""

from closedchain.elements.family import Family
from closedchain.elements.joints.contract import Ball, Closure, JointType, Rotation, Screw, Step, Translation

joint_types: Family[JointType] = Family("closedchain.elements.joints", JointType)

__all__ = ["Ball", "Closure", "JointType", "Rotation", "Screw", "Step", "Translation", "joint_types"]
