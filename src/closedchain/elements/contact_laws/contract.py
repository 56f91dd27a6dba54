"""What a normal contact law answers: the force of a penetration, what of it is stored, and where it ends.

1. `force(p, delta, delta_dot, memory)`: normal force F_N [N] for a penetration δ ≥ 0 [m] that grows with δ̇ [m/s]; never
   negative unless `pulls(p)`. Contact begins where δ rises through zero and is over where δ falls through zero; the
   caller applies no force while δ < 0, where the law still answers with finite numbers.
2. `elastic_force(p, delta)` [N] and `stored_energy(p, delta)` [J], its integral from 0; 0 where nothing is stored. The
   dissipated power (F_N − F_elastic) δ̇ is never negative.
3. `memory`: names of numbers latched when contact begins and constant until it ends. "approach_speed" is δ̇ at that
   moment [m/s], raised by the caller to a stated positive floor.
4. `switch(p, delta, delta_dot, memory)`: positive while the law pushes; where it changes sign inside the contact
   the force has a kink (it is held at zero beyond). None: the force has no kink while δ > 0.
5. `ending(p)`: "penetration", contact ends where δ falls through zero, or "force", it ends (for events and
   reports) where `switch` falls through zero; should `switch` rise again with δ > 0, a contact begins anew. Such a
   switch is a length [m], above δ while δ grows.
6. `chi(e)`: the factor of F = F_elastic (1 + χ δ̇/δ̇₀) for a restitution e asked for; None for laws of another form.
7. `p` holds the parameters by name, what `geometry` names of the clearance ("radial": radius difference c [m],
   "length": length of the pin in the bore [m]); the parameter named by `material` may be given or follow from two
   materials (a "stiffness" only where the exponent is 3/2).
8. `check(p)`: what is wrong with the values together (key, sentence), beyond the range of each.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.elements.family import Parameter, Problem, no_problems

Number = Any
Values = Mapping[str, Any]


def never(p: Values) -> bool:
    """The answer of laws that do not pull."""
    return False


def at_penetration(p: Values) -> str:
    """The ending of laws whose force vanishes with the penetration."""
    return "penetration"


@dataclass(frozen=True)
class ContactLaw:
    """A normal contact law: see the numbered contract of this module.

    source: author, year and equation. material: name of the parameter that two materials determine ("stiffness": by
    `stiffness_from_material`, "modulus": by `contact_modulus`), "" where they do not.
    """

    name: str
    meaning: str
    source: str
    parameters: tuple[Parameter, ...]
    force: Callable[[Values, Number, Number, Values], Number]
    elastic_force: Callable[[Values, Number], Number]
    stored_energy: Callable[[Values, Number], Number]
    memory: tuple[str, ...] = ()
    switch: Callable[[Values, Number, Number, Values], Number] | None = None
    ending: Callable[[Values], str] = at_penetration
    pulls: Callable[[Values], bool] = never
    chi: Callable[[Number], Number] | None = None
    geometry: tuple[str, ...] = ()
    material: str = ""
    check: Callable[[Values], tuple[Problem, ...]] = no_problems
