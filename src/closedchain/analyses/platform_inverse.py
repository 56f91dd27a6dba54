"""All joint rates and accelerations of a closed mechanism for a given motion of its platform."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from closedchain.analyses.influence import INSTANTANEOUS, pseudo_inverse
from closedchain.analyses.loop_rates import LoopRates, loop_rates, nearby
from closedchain.analyses.pose import Pose
from closedchain.description import Mechanism
from closedchain.exceptions import Finding, MechanismError, SingularConfigurationError
from closedchain.model import Model
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

COMPATIBLE = 1e-7


def platform_inverse(
    mechanism: Mechanism | Model, pose: Pose, of: str, V: ArrayLike, A: ArrayLike | None = None
) -> "xr.Dataset":
    """Rates and accelerations of all joints for a twist of the platform and its derivative.

    mechanism, pose: the assembled mechanism. of: "platform.point" or the name of an output. V: angular velocity [rad/s]
    and velocity of the point [m/s] in ground axes, shape (6,), planar (3,): w, x, y. A: angular acceleration [rad/s^2]
    and acceleration of the point [m/s^2], likewise; zero by default.

    From the loop equations and the platform's own coefficients over all joints (G = [G^-1 V] for six-joint limbs)

        J q' = 0,  G q' = V          J q'' = -q'^T K q',  G q'' = A - q'^T H q'

    so limbs may have fewer than six joints and actuators may be redundant; a freedom that is idle takes the least
    rates.

    Returns a Dataset with `qd` and `qdd` over `rate`, all joints in file order.

    Raises MechanismError when V or A asks for a motion that the limbs do not allow, naming that part, or leaves joints
    free; SingularConfigurationError where a singular limb leaves them free.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "x": {}, "table": {}},
    ...     "joints": {
    ...         "X": {"type": "prismatic", "between": ["ground.origin", "x.origin"]},
    ...         "Y": {"type": "prismatic", "between": ["x.origin", "table.origin"], "axis": [0, 1]},
    ...     },
    ... })
    >>> ds = cc.platform_inverse(m, cc.assemble(m), "table.origin", V=[0.0, 0.2, 0.1])
    >>> ds.qd.sel(rate="Y").item()
    0.1
    """
    rates = loop_rates(mechanism, pose)
    twist, slope = as_twist("V", V, rates.planar), as_twist("A", A, rates.planar)
    G, H = rates.point(of)
    platform = find_platform(rates, G, of)
    v = platform.solve("V", np.zeros(len(rates.J)), twist)
    q = rates.unit * v
    bend = np.einsum("rmn,m,n->r", rates.K, v, v)
    a = platform.solve("A", -bend, slope - np.einsum("imn,m,n->i", H, q, q))
    return as_dataset(rates, of, twist, slope, q, rates.unit * a)


@dataclass(frozen=True, eq=False)
class Platform:
    """The platform's twist over all joint rates, scaled: G (6, nv); moving: motions that are not idle (nv, dof)."""

    rates: LoopRates
    G: np.ndarray
    scale: np.ndarray
    moving: np.ndarray

    def solve(self, name: str, loops: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """Scaled rates x with J x = loops and G x = twist; raises MechanismError that names the part they do not allow.

        x = x0 + motions that keep the loops closed, x0 the least solution of the loops alone.
        """
        x0 = pseudo_inverse(self.rates.J, self.rates.rank) @ loops
        if np.abs(self.rates.J @ x0 - loops).max(initial=0.0) > COMPATIBLE * (1.0 + np.abs(loops).max(initial=0.0)):
            raise SingularConfigurationError(INSTANTANEOUS)
        left = twist / self.scale - self.G @ x0
        reach = self.G @ self.moving
        U, s, _ = np.linalg.svd(reach)
        rank = int(np.sum(s > self.rates.limit * max([1.0, *s[:1]])))
        missing = U[:, rank:] @ (U[:, rank:].T @ left)
        if np.abs(missing).max(initial=0.0) > COMPATIBLE * (1.0 + np.abs(left).max(initial=0.0)):
            raise MechanismError(self.forbidden(name, missing * self.scale, rank))
        return x0 + self.moving @ (pseudo_inverse(reach, rank) @ left)

    def forbidden(self, name: str, missing: np.ndarray, rank: int) -> Finding:
        """Sentence about the part of a motion that the joints do not allow."""
        parts = ", ".join(
            f"{label} = {value:.6g}"
            for label, value in zip(labels(self.rates.planar), missing, strict=True)
            if abs(value) > 1e-9
        )
        return Finding(
            "",
            f"{name}: the joints do not allow this motion of the platform; the part they forbid is {parts}.",
            f"The platform has {rank} freedom{'' if rank == 1 else 's'} here; leave that part out.",
        )


def find_platform(rates: LoopRates, G: np.ndarray, of: str) -> Platform:
    """The platform of a mechanism; raises where joints can move while it stands."""
    size = rates.model.size
    scale = np.array([1.0, size, size] if rates.planar else [1.0] * 3 + [size] * 3)
    moving, _ = rates.split_idle()
    platform = Platform(rates, G * rates.unit / scale[:, None], scale, moving)
    loose = loose_motions(platform)
    if loose.shape[1] == 0:
        return platform
    moves = np.abs(loose).max(axis=1) > 1e-6
    names = ", ".join(name for name in rates.model.rates if moves[rates.model.tree_rates[name]])
    text = f"{names} can move while the body of {of!r} stands, so its motion does not determine their rates"
    near = nearby(rates)
    if near is not None:
        there = Platform(near, near.point(of)[0] * near.unit / scale[:, None], scale, near.split_idle()[0])
        if loose_motions(there).shape[1] < loose.shape[1]:
            raise SingularConfigurationError(f"{text} at this pose: a limb is singular. See cc.singularities.")
    raise MechanismError(Finding("", f"{text}.", "Name a platform that every joint helps to carry."))


def loose_motions(platform: Platform) -> np.ndarray:
    """Motions that are not idle but leave the platform where it is, scaled rates (nv, count)."""
    if platform.moving.shape[1] == 0:
        return platform.moving
    _, s, Vt = np.linalg.svd(platform.G @ platform.moving)
    rank = int(np.sum(s > platform.rates.limit * max([1.0, *s[:1]])))
    return platform.moving @ Vt[rank:].T


def labels(planar: bool) -> tuple[str, ...]:
    """Names of the parts of a twist."""
    return ("w", "x", "y") if planar else ("wx", "wy", "wz", "x", "y", "z")


def as_twist(name: str, values: Any, planar: bool) -> np.ndarray:
    """Six numbers, three in the plane; zeros for None."""
    count, parts = len(labels(planar)), ", ".join(labels(planar))
    if values is None:
        return np.zeros(count)
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise MechanismError(Finding("", f"{name}: {values!r} are not numbers.", f"Give {parts}.")) from None
    if array.shape != (count,) or not np.all(np.isfinite(array)):
        raise MechanismError(
            Finding("", f"{name} has shape {array.shape} or is not finite.", f"Give {count} finite numbers: {parts}.")
        )
    return array


def as_dataset(
    rates: LoopRates, of: str, twist: np.ndarray, slope: np.ndarray, q: np.ndarray, a: np.ndarray
) -> "xr.Dataset":
    """Rates and accelerations under their labels."""
    model = rates.model
    order = [model.tree_rates[name] for name in model.rates]
    units = [unit for form in model.forms.values() for unit in form.units]
    meaning = (
        ("qd", q, "/s", "rate of the joint coordinate"),
        ("qdd", a, "/s^2", "acceleration of the joint coordinate"),
    )
    variables = {}
    for name, values, per, text in meaning:
        unit = units[0] + per if len(set(units)) == 1 else "mixed"
        variables[name] = (("rate",), values[order], {"units": unit, "long_name": text})
    return dataset(
        variables, {"rate": list(model.rates)}, analysis="platform_inverse", mechanism=model.mechanism.to_text(),
        settings={"of": of, "V": twist, "A": slope}, label_units={"rate": units},
    )  # fmt: skip


__all__ = ["platform_inverse"]
