"""Gap geometry, contact law and friction law are independent choices that only rarely exclude each other."""

from itertools import product

import pytest

from closedchain.elements.clearances import clearance_kinds
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.loose_joint import problems

PIN = {"radial": 1e-4, "bore": 1e-2, "length": 2e-2, "journal": "moving", "exponent": 1.5}
SLIDER = {"radial": 1e-4, "length": 2e-2, "height": 1e-2}
SLIPS = {"mu": 0.1, "mu_s": 0.2, "v0": 1e-3, "v1": 2e-3}


def check(kind, normal, friction, p, by_material=False):
    chosen = clearance_kinds[kind]
    return problems(chosen, contact_laws[normal], friction_laws[friction], SLIPS | p, chosen.planar, by_material)


def test_every_combination_shares_one_table_without_a_clash_of_names():
    for kind, normal, friction in product(clearance_kinds.values(), contact_laws.values(), friction_laws.values()):
        names = [parameter.name for member in (kind, normal, friction) for parameter in member.parameters]
        assert len(names) == len(set(names)), (kind.name, normal.name, friction.name)


@pytest.mark.parametrize("normal", sorted(contact_laws))
@pytest.mark.parametrize("kind", ["revolute-pin", "revolute-pin-ends", "spherical-socket"])
def test_round_gaps_take_every_law_with_its_geometry(kind, normal):
    own = {parameter.name for parameter in clearance_kinds[kind].parameters} | {"exponent"}
    found = check(kind, normal, "coulomb", {name: value for name, value in PIN.items() if name in own})
    assert bool(found) == (kind == "spherical-socket" and "length" in contact_laws[normal].geometry)


@pytest.mark.parametrize(
    ("kind", "normal", "friction", "p", "by_material", "key", "words"),
    [
        ("revolute-pin", "johnson", "none", PIN | {"length": None}, False, "normal", "give length"),
        ("prismatic-slider", "liu", "none", SLIDER, False, "normal", "choose another law"),
        ("prismatic-slider", "hertz", "none", SLIDER | {"exponent": 1.5}, True, "material", "stiffness"),
        ("spherical-socket", "hertz", "lugre", PIN, False, "friction", "two"),
        ("revolute-pin", "hertz", "none", PIN | {"exponent": 2.0}, True, "exponent", "1.5"),
        ("revolute-pin", "hertz", "ambrosio", PIN | {"v1": 1e-4}, False, "v1", "v0"),
        ("revolute-pin", "hertz", "none", PIN | {"radial": 0.02}, False, "radial", "bore"),
    ],
)
def test_what_does_not_go_together_is_named(kind, normal, friction, p, by_material, key, words):
    ((found, sentence),) = check(kind, normal, friction, p, by_material)
    assert found == key
    assert words in sentence
