"""Joints in NumPy, written from the table of the file format alone: their transforms and their freedoms.

Nothing is shared with the library, so that a wrong convention there cannot hide here.
"""

import numpy as np

Pose = tuple[np.ndarray, np.ndarray]

# coordinate labels and units of rates; a quaternion counts as a rotation vector here
SPATIAL = {
    "revolute": (("", "rad"),),
    "prismatic": (("", "m"),),
    "cylindrical": (("angle", "rad"), ("length", "m")),
    "helical": (("", "rad"),),
    "universal": (("angle1", "rad"), ("angle2", "rad")),
    "spherical": (("wx", "rad"), ("wy", "rad"), ("wz", "rad")),
    "planar": (("x", "m"), ("y", "m"), ("angle", "rad")),
    "free": (("x", "m"), ("y", "m"), ("z", "m"), ("wx", "rad"), ("wy", "rad"), ("wz", "rad")),
    "fixed": (),
}
PLANAR = {
    "revolute": (("", "rad"),),
    "prismatic": (("", "m"),),
    "point-in-slot": (("length", "m"), ("angle", "rad")),
    "free": (("x", "m"), ("y", "m"), ("angle", "rad")),
    "planar": (("x", "m"), ("y", "m"), ("angle", "rad")),
    "fixed": (),
}


def parts(kind: str, planar: bool) -> tuple[tuple[str, str], ...]:
    """(label, unit) of every rate of a joint."""
    return (PLANAR if planar else SPATIAL)[kind]


def turn(axis: int, angle: float) -> np.ndarray:
    """Rotation matrix about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def turn_vector(v: np.ndarray) -> np.ndarray:
    """Rotation matrix of a rotation vector."""
    angle = float(np.linalg.norm(v))
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * K @ K


def quaternion_matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions w, x, y, z (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def compose(a: Pose, b: Pose) -> Pose:
    """The pose b, given in a."""
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def inverse(a: Pose) -> Pose:
    """The outer frame seen from this one."""
    return a[0].T, -a[0].T @ a[1]


def transform(kind: str, q: np.ndarray, planar: bool, lead: float = 0.0) -> Pose:
    """Moving frame seen from the base frame at coordinates q (rotation vector where the file has a quaternion)."""
    zero, I = np.zeros(3), np.eye(3)
    if kind == "revolute":
        return turn(2, q[0]), zero
    if kind == "prismatic":
        return I, q[0] * I[0 if planar else 2]
    if kind == "cylindrical":
        return turn(2, q[0]), q[1] * I[2]
    if kind == "helical":
        return turn(2, q[0]), lead * q[0] / (2 * np.pi) * I[2]
    if kind == "universal":
        return turn(2, q[0]) @ turn(0, q[1]), zero
    if kind == "spherical":
        return turn_vector(q), zero
    if kind == "point-in-slot":
        return turn(2, q[1]), q[0] * I[0]
    if kind == "planar" or (kind == "free" and planar):
        return turn(2, q[2]), np.array([q[0], q[1], 0.0])
    if kind == "free":
        return turn_vector(q[3:]), q[:3]
    return I, zero


def read_transform(kind: str, values: np.ndarray, planar: bool, lead: float = 0.0) -> Pose:
    """The same from the library's coordinates, quaternions as they are."""
    if kind == "spherical":
        return quaternion_matrix(values), np.zeros(3)
    if kind == "free" and not planar:
        return quaternion_matrix(values[3:]), values[:3]
    return transform(kind, values, planar, lead)


def freedoms(kind: str, base: Pose, moving: Pose, planar: bool, lead: float = 0.0) -> np.ndarray:
    """Unit twists (angular, velocity of the moving origin) of all rates, shape (rates, 6), in ground axes."""
    x, y, z = base[0].T
    o = np.zeros(3)

    def w(axis, advance=0.0):
        return np.concatenate([axis, advance * axis])

    def u(axis):
        return np.concatenate([o, axis])

    found = {
        "revolute": lambda: [w(z)],
        "prismatic": lambda: [u(x if planar else z)],
        "cylindrical": lambda: [w(z), u(z)],
        "helical": lambda: [w(z, lead / (2 * np.pi))],
        "universal": lambda: [w(z), w(moving[0][:, 0])],
        "spherical": lambda: [w(x), w(y), w(z)],
        "planar": lambda: [u(x), u(y), w(z)],
        "point-in-slot": lambda: [u(x), w(z)],
        "free": lambda: [u(x), u(y), w(z)] if planar else [u(x), u(y), u(z), w(x), w(y), w(z)],
        "fixed": list,
    }[kind]()
    return np.array(found).reshape(-1, 6)


def smallest_turn(z: np.ndarray) -> np.ndarray:
    """The smallest rotation that takes (0, 0, 1) to the unit vector z; half a turn about x for (0, 0, -1)."""
    if z[2] < -1.0 + 1e-14:
        return np.diag([1.0, -1.0, -1.0])
    axis = np.cross([0.0, 0.0, 1.0], z)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + K + K @ K / (1.0 + z[2])
