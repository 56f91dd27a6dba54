"""Efforts on one joint coordinate that the joint's own keys ask for, one file each; `joint_efforts` finds them."""

from closedchain.elements.family import Family
from closedchain.elements.joint_efforts.contract import JointEffort

joint_efforts: Family[JointEffort] = Family("closedchain.elements.joint_efforts", JointEffort)

__all__ = ["JointEffort", "joint_efforts"]
