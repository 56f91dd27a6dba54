"""The studies of a mechanism that names none: what it is asked anyway, and why something does not apply."""

from dataclasses import dataclass
from typing import Any

from closedchain.cli.running.span import span
from closedchain.cli.studies import studies
from closedchain.cli.studies.planned import Planned
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

SAMPLES = 1001


@dataclass(frozen=True)
class LeftOut:
    """A study that does not apply, and the sentence why."""

    name: str
    kind: str
    sentence: str


def usual_studies(m: Any, until: float | None = None) -> tuple[list[Planned], list[LeftOut], str]:
    """Kinematics, inverse dynamics and simulations over the given motions; what is left out; and why so long.

    until: end of all [s]; without it the motions themselves tell.
    """
    end, why = span(m) if until is None else (until, tr("as --until says"))
    moved = bool(m.motions) or any(actuator.motion is not None for actuator in m.actuators.values())
    heavy = has_mass(m)
    loose = [name for name, joint in m.joints.items() if joint.clearance is not None]
    no_motion = tr("no motion is given: neither an actuator nor [motions] says how it moves.")
    no_mass = tr("no body has a mass.")
    plan: list[Planned] = []
    left: list[LeftOut] = []

    def add(name: str, kind: str, reason: str, **arguments: Any) -> None:
        if reason:
            left.append(LeftOut(name, kind, reason))
        else:
            plan.append(
                Planned(name, kind, studies()[kind], {"until": end, "samples": SAMPLES, **arguments}, usual=True)
            )

    add("kinematics", "kinematics", "" if moved else no_motion, start=0.0)
    add("inverse_dynamics", "inverse_dynamics", no_motion if not moved else "" if heavy else no_mass, start=0.0)
    if not loose:
        add("simulation", "simulate", "" if heavy else no_mass)
    else:
        add("ideal", "simulate", "" if heavy else no_mass, clearance=False)
        add("loose", "simulate", "" if heavy else no_mass, clearance=True)
    return plan, left, tr("{until:g} s: {why}", until=end, why=why)


def has_mass(m: Any) -> bool:
    """Whether any body has mass."""
    for name, body in m.bodies.items():
        try:
            if name != "ground" and float(m.evaluate(body.mass)) > 0.0:
                return True
        except (ClosedChainError, TypeError):
            continue
    return False
