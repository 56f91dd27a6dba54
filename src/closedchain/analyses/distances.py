"""How far a pose is from singular ones: singular values, condition numbers, manipulability."""

from collections.abc import Sequence

import numpy as np

from closedchain.analyses.input_output import rank_of
from closedchain.analyses.limb_influence import Limb
from closedchain.analyses.lost_motion import WHOLE, output_map
from closedchain.analyses.surroundings import Surroundings
from closedchain.analyses.tangent import RANK
from closedchain.model import Model


def distances(around: Surroundings, limbs: Sequence[Limb]) -> dict[str, float]:
    """The measures of `Singularities`, each against the rank it has near by."""
    J, neighbours = around.here.J, around.neighbours
    found = {"length": around.model.size}
    if J.size:
        note(found, "constraint", around.here.values, max((other.rank for other in neighbours), default=J.shape[1]))
    passive = [rate for rate in range(J.shape[1]) if rate not in around.inputs]
    if around.inputs and J.size and passive:
        rank = max((rank_of(other.J[:, passive]) for other in neighbours), default=len(passive))
        note(found, "passive", np.linalg.svd(J[:, passive], compute_uv=False), rank)
    if around.judged:
        controllable = around.generic - around.loose
        note(found, "forward", np.linalg.svd(around.seen.inputs, compute_uv=False), controllable)
        note_outputs(found, around)
    for limb in limbs:
        note(found, f"limb.{limb.name}", limb_values(around.model, limb), min(limb.G.shape))
    return found


def note(found: dict[str, float], name: str, values: np.ndarray, rank: int) -> None:
    """The smallest singular value that counts, and the condition number, under a name."""
    if rank > 0:
        least = float(values[rank - 1]) if rank <= len(values) else 0.0
        found[name] = least
        found[f"{name}_condition"] = float(values[0]) / least if least > RANK else float("inf")


def note_outputs(found: dict[str, float], around: Surroundings) -> None:
    """Transmission from motors to every output, and of the worst one."""
    names = [name for item in around.outputs for name in (item.name, item.name + WHOLE)]
    for name in names:
        values = around.seen.transmission(output_map(around.seen, name))
        usual = max(int(np.sum(other.transmission(output_map(other, name)) > RANK)) for other in around.near)
        rank = min(usual, len(values))
        if rank:
            note(found, f"inverse.{name}", values, rank)
            found[f"manipulability.{name}"] = float(np.prod(values[:rank]))
    known = [name for name in names if f"inverse.{name}" in found]
    if known:
        worst = min(known, key=lambda name: found[f"inverse.{name}"])
        found["inverse"] = found[f"inverse.{worst}"]
        found["inverse_condition"] = found[f"inverse.{worst}_condition"]
        found["manipulability"] = found[f"manipulability.{worst}"]


def limb_values(model: Model, limb: Limb) -> np.ndarray:
    """Singular values of a limb's G with lengths over the size."""
    units = {
        f"{name}.{part}" if part else name: unit
        for name, form in model.forms.items()
        for part, unit in zip(form.rates, form.units, strict=True)
    }
    unit = np.array([model.size if units[rate] == "m" else 1.0 for rate in limb.rates])
    turns = 1 if len(limb.G) == 3 else 3
    scale = np.array([1.0] * turns + [model.size] * (len(limb.G) - turns))
    return np.linalg.svd(limb.G * unit / scale[:, None], compute_uv=False)
