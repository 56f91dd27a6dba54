"""Checks that need numbers, or several tables together; each notes every mistake it finds with place and remedy."""

from typing import TYPE_CHECKING

from closedchain.description.checks.connections import check_connections
from closedchain.description.checks.directions import check_directions
from closedchain.description.checks.drives import check_drives
from closedchain.description.checks.inertia import check_inertia
from closedchain.description.checks.laws import check_laws
from closedchain.description.checks.numbers import Numbers, check_numbers
from closedchain.description.reading import Reader

if TYPE_CHECKING:
    from closedchain.description.assembly import Content


def check_all(content: "Content", reader: Reader) -> None:
    """Everything that can be checked without mechanics."""
    numbers: Numbers = reader.numbers
    check_numbers(numbers, content.parameters, reader)
    check_directions(content, numbers, reader)
    check_inertia(content, numbers, reader)
    check_laws(content, numbers, reader)
    check_connections(content, reader)
    check_drives(content, numbers, reader)
