"""Motion of a point of the deviated mechanism, and its exact derivatives with respect to every deviation.

One Newton step from the closed nominal position q, taken with the deviated numbers p, has the derivative -J^-1 dphi/dp
that implicit differentiation of the closure phi(q, p) = 0 gives; rates and accelerations follow from the loops. So
the derivative of (Newton step, then full state) along p is exact where the nominal position is closed.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from closedchain.algorithms.kinematics import full_state, newton_step, scaled
from closedchain.algorithms.motion import moved_link
from closedchain.analyses.error_sources import Source, deviated
from closedchain.analyses.held import Held
from closedchain.description import At
from closedchain.model.dynamics_kernels import goals_at
from closedchain.model.motion_kernels import body_angles
from closedchain.numbers import Vec3

OUTPUTS = ("position", "velocity", "acceleration", "rotation")
BLOCK = 4096


@dataclass(frozen=True)
class Deviated:
    """A mechanism held to its nominal motion, a point of it, and what deviates."""

    held: Held
    point: At
    sources: tuple[Source, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Inputs of the kernels; `amount` and `seed` have one entry per source."""
        goals = len(self.held.model.goals(self.held.drive))
        inputs = {"t": 1, "q": self.held.model.topology.coordinates, "goal": goals, "goal_rate": goals}
        return {**inputs, "goal_acceleration": goals, "amount": len(self.sources), "seed": len(self.sources)}

    @cached_property
    def traced(self) -> Any:
        """The trace of the motion of the point; numbers of the file deviate through the parameters."""
        held, planar = self.held, self.held.model.mechanism.planar
        evaluate = held.model.parameters.evaluator()
        joints = held.model.mechanism.joints
        z = {
            each.name: Vec3(*(float(x) for x in joints[each.name].frames(evaluate)[0][0].column(2)))
            for each in self.sources
            if each.kind == "tilt"
        }

        def function(t, q, goal=(), goal_rate=(), goal_acceleration=(), amount=(), seed=(), parameters=None):
            system = deviated(held.model.system(held.drive, parameters), self.sources, amount, z)
            # A motion that is a function of the file's numbers deviates with them; others keep their nominal course.
            goals = goals_at(held.model, held.drive, t[0], parameters)
            for place, (_, said) in enumerate(held.model.goals(held.drive)):
                if said is None or not held.moving:
                    for part, given in zip(goals, (goal, goal_rate, goal_acceleration), strict=True):
                        part[place] = given[place]
            for source, error in zip(self.sources, amount, strict=True):
                if source.kind == "motion" and source.name in held.drive.coordinates:
                    place = held.drive.coordinates.index(source.name)
                    goals[source.axis][place] = goals[source.axis][place] + error
            step = newton_step(system, held.pattern, q, goals[0])
            state = full_state(system, held.pattern, step["q"], goals[0], goals[1], goals[2])
            index = held.model.topology.link_of[self.point.body]
            body = moved_link(state.motions, index)
            motion = body.point(self.point.point.position(held.model.parameters.evaluator(parameters)))
            axes = 2 if planar else 3
            still = self.point.body == "ground"
            angle = [0.0 if still else body_angles(system, state.q)[index]]
            return {
                "q": step["q"],
                "step": step["step"],
                "position": list(motion.frame.p)[:axes],
                "velocity": list(motion.v)[:axes],
                "acceleration": list(motion.a)[:axes],
                "rotation": angle if planar else [list(motion.frame.R.row(i)) for i in range(3)],
                "rows": [
                    value for row, value in zip(state.rows, scaled(system, state.rows), strict=True) if not row.extra
                ],
            }

        return held.model.traced(function, self.counts)

    @cached_property
    def motion_kernel(self) -> Any:
        """Kernel -> q after a Newton step, its size, and the motion of the point."""
        return self.held.model.make_kernel(self.traced.only("q", "step", "rows", *OUTPUTS))

    @cached_property
    def derivative_kernel(self) -> Any:
        """Kernel -> derivative of the motion of the point along the seeds of the sources."""
        traced, paths = self.traced, self.held.model.parameters.paths
        seeds, amounts, parameters = traced.symbols("seed"), traced.symbols("amount"), traced.parameter_symbols
        direction = {
            parameters[paths.index(source.path)] if source.kind == "value" else amounts[k]: seeds[k]
            for k, source in enumerate(self.sources)
        }
        from closedchain.compile import directional_derivative

        names = (*OUTPUTS, "rows")
        found = {}
        for name in names:
            part, _ = traced.outputs[name]
            found[f"d_{name}"] = (name, directional_derivative(traced.expressions[part], direction))
        return self.held.model.make_kernel(
            traced.with_outputs({name: values for name, (_, values) in found.items()}).only(
                *found, "rotation", "position", "velocity", "acceleration"
            )
        )

    def columns(self, samples: np.ndarray) -> np.ndarray:
        """Inputs of the kernels at nominal samples (their indices), without deviation and seed."""
        held = self.held
        nominal = np.concatenate([held.times[None], held.q, *held.goals])[:, samples]
        return np.concatenate([nominal, np.zeros((2 * len(self.sources), len(samples)))])


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives (time, axis, source) by name, the nominal motion (time, axis), and rows left open (time, source)."""

    derivatives: dict[str, np.ndarray]
    motion: dict[str, np.ndarray]
    left: np.ndarray


def find_sensitivities(deviation: Deviated) -> Sensitivities:
    """Exact first derivatives at every instant with respect to every source, in lanes."""
    held, sources = deviation.held, deviation.sources
    kernel = deviation.derivative_kernel
    c = kernel.constants(held.model.parameters.values)
    n, m = len(held.times), len(sources)
    X = np.repeat(deviation.columns(np.arange(n)), m, axis=1)
    X[-m:] = np.tile(np.eye(m), n)
    Y = np.concatenate([kernel.batch(X[:, a : a + BLOCK].copy(), c) for a in range(0, n * m, BLOCK)], axis=1)
    parts = {name: array.reshape(-1, n, m) for name, array in kernel.split(Y).items()}
    rotation = parts["d_rotation"]
    if not held.model.mechanism.planar:
        rotation = turn_of(rotation.reshape(3, 3, n, m), parts["rotation"].reshape(3, 3, n, m))
    derivatives = {name: np.moveaxis(parts[f"d_{name}"], 0, 1) for name in OUTPUTS[:3]}
    derivatives["rotation"] = np.moveaxis(rotation, 0, 1)
    motion = {name: parts[name][:, :, 0].T for name in OUTPUTS[:3]}
    return Sensitivities(derivatives, motion, np.abs(parts["d_rows"]).max(axis=0, initial=0.0))


def turn_of(dR: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The small rotation vector w of dR = [w]x R, ground axes; arrays (3, 3, ...)."""
    W = np.einsum("ik...,jk...->ij...", dR, R)
    return 0.5 * np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])
