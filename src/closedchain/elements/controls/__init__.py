"""Controllers of actuators, one file each; `control_kinds` finds them."""

from closedchain.elements.controls.contract import ControlKind
from closedchain.elements.family import Family

control_kinds: Family[ControlKind] = Family("closedchain.elements.controls", ControlKind)

__all__ = ["ControlKind", "control_kinds"]
