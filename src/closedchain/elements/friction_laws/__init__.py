"""Friction laws F_T(v_T, F_N), one file each; `friction_laws` finds them."""

from closedchain.elements.family import Family
from closedchain.elements.friction_laws.contract import FrictionLaw

friction_laws: Family[FrictionLaw] = Family("closedchain.elements.friction_laws", FrictionLaw)

__all__ = ["FrictionLaw", "friction_laws"]
