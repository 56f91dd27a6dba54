"""Monte Carlo: mechanisms with drawn deviations, assembled again at every instant, in lanes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.error_kernels import OUTPUTS, Deviated
from closedchain.exceptions import AssemblyError

# Half width over standard deviation.
SPREAD = {"normal": 3.0, "uniform": 3.0**0.5}
CLOSED = 1e-9
STEPS = 12
COLUMNS = 8192


@dataclass(frozen=True)
class Bounds:
    """Errors (time, axis) by name: bounds, means, extremes; and how many samples could be assembled."""

    bounds: dict[str, np.ndarray]
    means: dict[str, np.ndarray]
    largest: dict[str, np.ndarray]
    assembled: int

    def variables(self) -> dict[str, Any]:
        """As variables of a dataset."""
        found: dict[str, Any] = {"assembled": ((), self.assembled, {"long_name": "samples that could be assembled"})}
        units = {"position": "m", "velocity": "m/s", "acceleration": "m/s^2"}
        for name, unit in units.items():
            for word, arrays in (("mean", self.means), ("largest", self.largest)):
                text = {"units": unit, "long_name": f"{word} error of the {name} over the samples"}
                found[f"{word}_{name}"] = (("time", "axis"), arrays[name], text)
        return found


def draw_samples(deviation: Deviated, width: np.ndarray, count: int, distribution: str, seed: int) -> Bounds:
    """Draw deviations, close every mechanism by Newton's method, and measure the spread of the point's motion.

    width: half width per source. Deviations of a play are drawn per direction. Bounds are the standard deviation times
    half width over standard deviation of the distribution. Raises AssemblyError where fewer than two samples close.
    """
    draw = np.random.default_rng(seed)
    n = len(deviation.held.times)
    if distribution == "normal":
        drawn = draw.standard_normal((len(width), count)) * width[:, None] / 3.0
    else:
        drawn = draw.uniform(-1.0, 1.0, (len(width), count)) * width[:, None]
    nominal, _ = evaluate(deviation, np.zeros((len(width), 1)), np.arange(n))
    sums: dict[str, list[np.ndarray]] = {name: [] for name in OUTPUTS[:3]}
    closed = np.zeros(0, bool)
    together = max(1, COLUMNS // n)
    for first in range(0, count, together):
        values, good = evaluate(deviation, drawn[:, first : first + together], np.arange(n))
        for name in sums:
            sums[name].append(values[name] - nominal[name])
        closed = np.concatenate([closed, good])
    if closed.sum() < 2:
        raise AssemblyError(
            f"only {int(closed.sum())} of {count} drawn mechanisms can be assembled; narrow the tolerances."
        )
    found = {name: np.concatenate(parts, axis=2)[:, :, closed] for name, parts in sums.items()}
    return Bounds(
        {name: SPREAD[distribution] * array.std(axis=2, ddof=1).T for name, array in found.items()},
        {name: array.mean(axis=2).T for name, array in found.items()},
        {name: np.abs(array).max(axis=2).T for name, array in found.items()},
        int(closed.sum()),
    )


def evaluate(deviation: Deviated, drawn: np.ndarray, samples: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Motion of the point (axis, time, draw) for deviations (source, draw), and which draws closed at all times."""
    held, sources = deviation.held, deviation.sources
    kernel, paths = deviation.motion_kernel, held.model.parameters.paths
    n, m = len(samples), drawn.shape[1]
    P = np.repeat(held.model.parameters.values[:, None], m, axis=1)
    X = np.repeat(deviation.columns(samples), m, axis=1)
    amounts = X[-2 * len(sources) : -len(sources)]
    for k, source in enumerate(sources):
        if source.kind == "value":
            P[paths.index(source.path)] += drawn[k]
        else:
            amounts[k] = np.tile(drawn[k], n)
    c = np.tile(kernel.constants(np.ascontiguousarray(P)), n)
    place = kernel.outputs["q"][0]
    Y = np.zeros((kernel.n_outputs, n * m))
    for _ in range(STEPS):
        Y = kernel.batch(X, c)
        step = Y[kernel.outputs["step"][0].start]
        X[1 : 1 + place.stop - place.start] = Y[place]
        if not step.max(initial=0.0) > CLOSED:
            break
    Y = kernel.batch(X, c)
    parts = kernel.split(Y)
    good = (parts["step"] <= CLOSED) & (np.abs(parts["rows"]).max(axis=0, initial=0.0) <= CLOSED)
    values = {name: parts[name].reshape(-1, n, m) for name in OUTPUTS[:3]}
    return values, good.reshape(n, m).all(axis=0)
