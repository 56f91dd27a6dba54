"""Gap geometries of loose joints, one file each; `clearance_kinds` finds them."""

from closedchain.elements.clearances.contract import ClearanceKind, Gap, contact_wrenches
from closedchain.elements.family import Family

clearance_kinds: Family[ClearanceKind] = Family("closedchain.elements.clearances", ClearanceKind)

__all__ = ["ClearanceKind", "Gap", "clearance_kinds", "contact_wrenches"]
