"""Eigenvalues and mode shapes of M u" + C u' + K u = 0."""

from dataclasses import dataclass

import numpy as np

# an eigenvalue counts as real when its imaginary part is below this part of the largest eigenvalue
REAL = 1e-9


@dataclass(frozen=True, eq=False)
class Modes:
    """One entry per conjugate pair and per real eigenvalue, slowest first.

    eigenvalues: (k,) complex [1/s], imaginary part not negative. shapes: (k, n) complex, the largest part of each is
    1.
    """

    eigenvalues: np.ndarray
    shapes: np.ndarray

    @property
    def frequency(self) -> np.ndarray:
        """|eigenvalue| / 2 pi of vibrations, the undamped eigenfrequency; 0 of motions that do not vibrate [Hz]."""
        return np.where(np.imag(self.eigenvalues) > 0.0, np.abs(self.eigenvalues) / (2.0 * np.pi), 0.0)

    @property
    def damping_ratio(self) -> np.ndarray:
        """-Re / |eigenvalue|: 0 undamped, 1 just not vibrating, negative growing; 0 where the eigenvalue is zero."""
        size = np.abs(self.eigenvalues)
        return 0.0 - np.where(size > 0.0, np.real(self.eigenvalues) / np.where(size > 0.0, size, 1.0), 0.0)


def find_modes(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> Modes:
    """Modes of M u" + C u' + K u = 0, each (n, n), M symmetric and positive definite.

    Symmetric K without C: the generalised eigenproblem K u = w^2 M u, whose double roots keep independent shapes;
    else the first-order form (Tisseur and Meerbergen 2001).

    >>> modes = find_modes(np.eye(1), np.array([[0.2]]), np.array([[1.0]]))
    >>> round(float(modes.damping_ratio[0]), 12), round(float(modes.frequency[0] * 2 * np.pi), 12)
    (0.1, 1.0)
    """
    import scipy.linalg

    n = len(M)
    symmetric = np.abs(K - K.T).max(initial=0.0) <= 1e-9 * np.abs(K).max(initial=0.0)
    if symmetric and np.abs(C).max(initial=0.0) <= 1e-12 * scale_of(M, K):
        squares, vectors = scipy.linalg.eigh(0.5 * (K + K.T), M)
        zero = np.abs(squares) <= 1e-10 * np.abs(squares).max(initial=0.0)
        squares[zero] = 0.0
        found = [(root, vectors[:, k]) for k in range(n) for root in roots(squares[k])]
    else:
        A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        values, vectors = np.linalg.eig(A)
        real = np.abs(np.imag(values)) <= REAL * np.abs(values).max(initial=0.0)
        values = np.where(real, np.real(values), values)
        found = [(values[k], vectors[:n, k]) for k in range(2 * n) if np.imag(values[k]) >= 0.0]
    found.sort(key=lambda each: (abs(each[0]), each[0].real))
    shapes = [shape / shape[np.argmax(np.abs(shape))] if np.any(shape) else shape for _, shape in found]
    return Modes(np.array([value for value, _ in found], complex), np.array(shapes, complex).reshape(len(found), n))


def roots(square: float) -> list[complex]:
    """Eigenvalues with imaginary part not negative of u" + square u = 0."""
    if square > 0.0:
        return [1j * np.sqrt(square)]
    if square == 0.0:
        return [0j]
    return [complex(-np.sqrt(-square)), complex(np.sqrt(-square))]


def scale_of(M: np.ndarray, K: np.ndarray) -> float:
    """Size of damping that would matter: the root of stiffness times mass."""
    mass, stiffness = float(np.abs(M).max(initial=0.0)), float(np.abs(K).max(initial=0.0))
    return (mass * stiffness) ** 0.5 if stiffness > 0.0 else mass
