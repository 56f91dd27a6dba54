"""Derivatives by central differences over equally spaced samples, with what they cannot resolve."""

import numpy as np

STENCIL = 7
FIRST = {5: np.array([1, -8, 0, 8, -1]) / 12.0, 7: np.array([-1, 9, -45, 0, 45, -9, 1]) / 60.0}


def stencil(t: float, h: float) -> np.ndarray:
    """Instants of a 7-point stencil."""
    return t + h * np.arange(-3, 4)


def derivative(values: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """First derivative at the middle of 7 samples along the first axis (order 6), and its distance from order 4.

    The distance is large where the motion is not smooth on the scale of the stencil.
    """
    best = np.tensordot(FIRST[7], values, 1) / h
    coarse = np.tensordot(FIRST[5], values[1:-1], 1) / h
    return best, np.abs(best - coarse)


def disagreement(values: np.ndarray, said: np.ndarray, h: float) -> float:
    """Largest difference of `said` (at the middle) from the derivative of 7 samples, beyond what these resolve.

    Relative to one plus the largest derivative.
    """
    if not values.size:
        return 0.0
    best, doubt = derivative(values, h)
    beyond = np.abs(best - said) - doubt - 3e-15 * np.abs(values).max() / h
    return float(beyond.max() / (1.0 + np.abs(best).max()))


def angular_velocity(R: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """(w_x, w_y, w_z) of rotation matrices (7, ..., 3, 3) at the middle, and its doubt, from R' R^T."""
    best, doubt = derivative(R, h)
    W = best @ np.swapaxes(R[3], -1, -2)
    w = np.stack([W[..., 2, 1] - W[..., 1, 2], W[..., 0, 2] - W[..., 2, 0], W[..., 1, 0] - W[..., 0, 1]], -1) / 2
    return w, np.broadcast_to(doubt.max(initial=0.0), w.shape)


def quaternion_rates(q: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity in base axes of quaternions w, x, y, z (7, 4) at the middle, 2 q' q*, and its doubt."""
    best, doubt = derivative(q, h)
    w, v = q[3, 0], q[3, 1:]
    return 2.0 * (w * best[1:] - best[0] * v + np.cross(v, best[1:])), np.full(3, 2.0 * doubt.max())
