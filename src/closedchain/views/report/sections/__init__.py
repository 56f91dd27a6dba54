"""What a report says of results, one subject per file, in the order of the page.

Every subject answers three questions about all studies together: `tables`, `findings` (sentences) and `figures` (the
few numbers at the head of the page).
"""

from closedchain.views.report.sections import conditioning, contacts, drives, numerics, outputs, reactions
from closedchain.views.report.sections.contract import Figure, Section

SECTIONS: tuple[Section, ...] = tuple(
    module.SECTION for module in (outputs, drives, reactions, contacts, conditioning, numerics)
)

__all__ = ["SECTIONS", "Figure", "Section"]
