"""What changes where contacts start and end: modes, latched approach speeds, friction states, energy that is lost."""

from collections.abc import Sequence
from typing import Any

from closedchain.algorithms.contact import MEMORY, Contacts, LooseJoint, lets_go
from closedchain.algorithms.friction_regimes import next_regime, regime_at
from closedchain.numbers import absolute, add, greater, less, logical_and, logical_or, maximum, select

Number = Any


def latch(
    loose: Sequence[LooseJoint], contacts: Sequence[Contacts], extra: Sequence[Number], memory: Sequence[Number], flags
) -> tuple[list[Number], list[Number], Number]:
    """Extra states and memory after events, and the energy lost in them [J].

    flags: two per gap, for its start and its end, then two per gap whose friction has regimes (see numerics.problem).
    At a start the approach speed is latched and the friction states begin at zero; what a law still holds where it ends
    early counts as lost, until a contact begins that finds it. A chattering contact stays closed, with the lowest
    approach speed.
    """
    extra, after, lost = list(extra), list(memory), 0.0
    gap, watched = 0, 2 * sum(len(contact.touches) for contact in contacts)
    for joint, contact in zip(loose, contacts, strict=True):
        for index, each in enumerate(contact.touches):
            begins, ends = flags[2 * gap], flags[2 * gap + 1]
            starts = logical_or(greater(begins, 0.5), greater(absolute(ends), 1.5))
            stops = logical_and(less(ends, -0.5), greater(ends, -1.5))
            speed = maximum(each.gap.delta_dot, joint.values["approach_floor"])
            after[MEMORY * gap] = select(starts, 1.0, select(stops, 0.0, memory[MEMORY * gap]))
            after[MEMORY * gap + 1] = select(starts, speed, memory[MEMORY * gap + 1])
            if each.slipping is not None:
                regimes = joint.regimes
                assert regimes is not None
                place = MEMORY * gap + 2
                changed = next_regime(regimes, memory[place], flags[watched], flags[watched + 1])
                after[place] = select(starts, regime_at(regimes, each.gap.slip), changed)
                watched += 2
            lost = add(lost, select(stops, each.energy, 0.0))
            if lets_go(joint.law, joint.law_values):
                # pushed together before the sides parted: what was given up is still there
                held = joint.law.stored_energy(joint.law_values, maximum(each.gap.delta, 0.0))
                lost = add(lost, select(greater(begins, 0.5), -held, 0.0))
            count = len(joint.friction.states)
            for k in range(joint.states + index * count, joint.states + (index + 1) * count):
                extra[k] = select(starts, 0.0, extra[k])
            gap += 1
    return extra, after, lost
