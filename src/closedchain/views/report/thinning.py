"""Which samples of curves tell something: straight lines between them show the rest, and no extreme is lost."""

import numpy as np

# Error of the lines over the range of a curve: a fraction of a pixel, and still the fourth digit of a reading.
ERROR = 5e-5
FEW = 200
MOST = 250_000


def telling(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A mask of the samples to keep, shape (n, m), for curves y (n, m) over ascending x (n,).

    Every sample is looked at once, from the finest level to the coarsest: at stride s the odd multiples of s are kept
    where they stray from the line between their neighbours at s to either side (the hierarchical surplus of piecewise
    linear interpolation); the neighbours of what is kept are kept with it.

    >>> import numpy as np
    >>> x = np.linspace(0, 1, 1001)
    >>> y = np.stack([x, np.where(x > 0.5, 1.0, 0.0)], axis=1)
    >>> telling(x, y).sum(axis=0) < 30
    array([ True,  True])
    """
    n = len(x)
    if n <= FEW:
        return np.ones(y.shape, dtype=bool)
    low, high = np.nanmin(y, axis=0, initial=np.inf), np.nanmax(y, axis=0, initial=-np.inf)
    error = ERROR
    while True:
        kept = at_error(x, y, error * np.where(high > low, high - low, 1.0))
        if kept.sum() <= MOST:
            break
        error *= 2.0
    kept |= (y == low) & ~seen_before(y == low)
    kept |= (y == high) & ~seen_before(y == high)
    return kept


def at_error(x: np.ndarray, y: np.ndarray, error: np.ndarray) -> np.ndarray:
    """The mask for given errors (m,)."""
    n = len(x)
    kept = np.zeros(y.shape, dtype=bool)
    kept[[0, n - 1]] = True
    stride = 1
    while stride < n - 1:
        here = np.arange(stride, n - 1, 2 * stride)
        left, right = here - stride, np.minimum(here + stride, n - 1)
        span = np.where(x[right] > x[left], x[right] - x[left], 1.0)
        weight = ((x[here] - x[left]) / span)[:, None]
        stray = np.abs(y[here] - (y[left] * (1.0 - weight) + y[right] * weight))
        # Not a number: kept with its neighbours, so that gaps stay gaps.
        own = kept[here] | ~(stray <= error)
        kept[here] = own
        kept[left] |= own
        kept[right] |= own
        stride *= 2
    return kept


def seen_before(mask: np.ndarray) -> np.ndarray:
    """Where a true entry of a column stands below another one."""
    return np.cumsum(mask, axis=0) > 1
