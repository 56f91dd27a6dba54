"""Applied forces between bodies and on them, one file each; `force_kinds` finds them."""

from closedchain.elements.family import Family
from closedchain.elements.forces.contract import ForceKind
from closedchain.elements.frame_state import FrameState, Wrench

force_kinds: Family[ForceKind] = Family("closedchain.elements.forces", ForceKind)

__all__ = ["ForceKind", "FrameState", "Wrench", "force_kinds"]
