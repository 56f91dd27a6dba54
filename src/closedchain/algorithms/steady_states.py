"""States of friction laws where only the motion is given: the values they settle at while the joint slides steadily."""

from collections.abc import Sequence
from typing import Any

from closedchain.algorithms.applied import Loads
from closedchain.elements.joint_efforts.friction import friction_rates
from closedchain.numbers import absolute, greater, select

Number = Any


def steady_states(loads: Loads, v: Sequence[Number], count: int) -> list[Number]:
    """The vector of extra states at rates v: zero for controllers, at rest in their own equation for friction laws.

    A friction state z with z' = f(z), f(0) = a, f(1) - f(0) = b settles at z = -a/b (every law with a state is linear
    in
    it: a bristle's deflection); a joint that stands still keeps z = 0.
    """
    extra: list[Number] = [0.0] * count
    for friction in loads.frictions:
        for k, name in enumerate(friction.law.states):

            def rate(value: Number, friction=friction, k=k, name=name) -> Number:
                states = {each: extra[friction.states + n] for n, each in enumerate(friction.law.states)}
                changes = friction_rates(friction.law, friction.values, v[friction.rate], states | {name: value})
                return changes[k]

            start = rate(0.0)
            slope = rate(1.0) - start
            moving = greater(absolute(slope), 0.0)
            extra[friction.states + k] = select(moving, -start / select(moving, slope, 1.0), 0.0)
    return extra
