"""Normal contact laws F_N(δ, δ̇), one file each; `contact_laws` finds them."""

from closedchain.elements.contact_laws.contract import ContactLaw
from closedchain.elements.contact_laws.materials import contact_modulus, stiffness_from_material
from closedchain.elements.family import Family

contact_laws: Family[ContactLaw] = Family("closedchain.elements.contact_laws", ContactLaw)

__all__ = ["ContactLaw", "contact_laws", "contact_modulus", "stiffness_from_material"]
