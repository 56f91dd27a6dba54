"""What every leaf asks of the file: readable units, defaults within their ranges, distinct names."""

import pytest

from closedchain.description.units import parse_unit
from closedchain.elements.clearances import clearance_kinds
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.controls import control_kinds
from closedchain.elements.family import Switch, VectorParameter
from closedchain.elements.forces import force_kinds
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.elements.joint_efforts.friction import FRICTION_PARAMETERS

FAMILIES = (clearance_kinds, contact_laws, control_kinds, force_kinds, friction_laws, joint_efforts)
ASKED = [(f"{name}.{q.name}", q) for family in FAMILIES for name, leaf in family.items() for q in leaf.parameters]
ASKED += [(f"friction.{q.name}", q) for q in FRICTION_PARAMETERS]


def within(parameter, value):
    above = value > parameter.lower if parameter.open_lower else value >= parameter.lower
    below = value < parameter.upper if parameter.open_upper else value <= parameter.upper
    return above and below


@pytest.mark.parametrize(("parameter"), [q for _, q in ASKED], ids=[name for name, _ in ASKED])
def test_parameter_is_readable(parameter):
    assert parameter.name.isidentifier()
    assert parameter.meaning
    if isinstance(parameter, Switch):
        return
    if isinstance(parameter, VectorParameter):
        units, defaults = parameter.units, parameter.default or ()
        assert set(parameter.in_plane) <= set(range(len(units)))
    elif parameter.choices:
        assert parameter.default is None or parameter.default in parameter.choices
        return
    else:
        units, defaults = parameter.unit.split(" or "), () if parameter.default is None else (parameter.default,)
    assert all(within(parameter, value) for value in defaults)
    for unit in units:
        if unit:
            assert parse_unit(unit).size == pytest.approx(1.0), "the units of leaves are SI"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(next(iter(family.values()))).__name__)
def test_a_leaf_asks_for_each_name_once(family):
    assert len(family) >= 2
    for leaf in family.values():
        names = [parameter.name for parameter in leaf.parameters]
        assert len(names) == len(set(names))
