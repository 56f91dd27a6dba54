"""The stages of a Radau IIA step: simplified Newton iterations on the transformed system.

E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.8: with T⁻¹ A⁻¹ T block diagonal, the 3n
equations fall into one real system (γ/dt − J) and one complex system (α + iβ)/dt − J of n equations each.
"""

from typing import Any

import numpy as np

from closedchain.numerics._cache import jit
from closedchain.numerics.evaluation import copy, evaluate, load
from closedchain.numerics.kernel_call import call, doubles, offset
from closedchain.numerics.linear import complexes, factor, factor_complex, solve, solve_complex
from closedchain.numerics.state import Arrays, Sizes, Table, allocate

ITERATIONS = 7
# the Jacobian of the last evaluation: none that may be used, of this place, of a place before
NONE, CURRENT, OLD = 0, 1, 2

_SQRT6 = 6.0**0.5
C1, C2 = (4.0 - _SQRT6) / 10.0, (4.0 + _SQRT6) / 10.0

_GAMMA = 3.0 + 3.0 ** (2 / 3) - 3.0 ** (1 / 3)
_ALPHA = 3.0 + 0.5 * (3.0 ** (1 / 3) - 3.0 ** (2 / 3))
_BETA = -0.5 * (3.0 ** (5 / 6) + 3.0 ** (7 / 6))

_T11, _T12, _T13 = 0.09443876248897524, -0.14125529502095421, 0.03002919410514742
_T21, _T22, _T23 = 0.25021312296533332, 0.20412935229379994, -0.38294211275726192
_I11, _I12, _I13 = 4.17871859155190428, 0.32768282076106237, 0.52337644549944951
_I21, _I22, _I23 = -4.17871859155190428, -0.32768282076106237, 0.47662355450055044
_I31, _I32, _I33 = 0.50287263494578682, -2.57192694985560522, 0.59603920482822492

# a slower rate of Newton's method asks for a new Jacobian after the step
_SLOW = 1e-3
_POWER_STEPS = 4

_ARRAYS: Table = (
    ("z", "3 * n"),  # stages less y0
    ("w", "3 * n"),  # the same transformed
    ("f", "3 * n + 3 * e"),  # rates and event functions at the stages
    ("jacobian_matrix", "n * n"),
    ("real", "n * n"),
    ("real_order", "n"),
    ("complex", "2 * n * n"),
    ("complex_order", "n"),
    ("right", "n"),
    ("right_complex", "2 * n"),
    ("error", "n"),
    ("column", "n + e"),
    ("vector", "n"),  # of the power iteration
)
RADAU = np.dtype(
    [(name, "u8") for name, _ in _ARRAYS]
    + [
        ("jacobian", "i8"),
        ("factored", "f8"),  # step for which the factors hold, 0 none
        ("predict", "f8"),  # step of the interpolant that continues into this step, 0 none
        ("last", "f8"),  # latest time at which a stage may be evaluated
        ("iterations", "i8"),
        ("converges", "i8"),  # whether Newton's method went fast with the Jacobian it had
        ("radius", "f8"),  # spectral radius of the Jacobian, about
        ("rhs_before", "i8"),
        ("factorisations_before", "i8"),
        ("cheap", "i8"),  # steps in a row that an explicit method would do at less cost
        ("tries", "i8"),  # how often the step was shortened to end at its event, 0: it was not
        ("theta", "f8"),  # where the event is
        ("margin", "f8"),
        ("whole", "f8"),  # the step before it was shortened
        ("target", "f8"),  # and after
    ]
)


def radau_arrays(plan: Any, run: Any, sizes: Sizes, tolerances: Arrays) -> tuple[Any, Arrays]:
    """The `arrays` of this method."""
    work = np.zeros(1, RADAU)[0]
    arrays = allocate(sizes, _ARRAYS, work)
    arrays["vector"][:] = np.random.default_rng(1).uniform(0.5, 1.0, sizes.n)
    work["rhs_before"], work["factorisations_before"] = run["rhs"], run["factorisations"]
    return work, arrays


@jit
def _update_jacobian(plan, run, work):
    """∂(dy/dt)/∂y at (t, y0) by the kernel or by differences, and its spectral radius by some power iterations."""
    n = plan.states
    matrix, y0, f0 = doubles(work.jacobian_matrix), doubles(run.y0), doubles(run.f0)
    run.jacobians += 1
    work.jacobian = CURRENT
    work.factored = 0.0
    if plan.jacobian != 0:
        load(plan, run, run.t, run.y0)
        call(plan.jacobian, run.x, run.jacobian_c, work.jacobian_matrix)
    else:
        atol, rtol = doubles(plan.atol), doubles(plan.rtol)
        shifted, column = doubles(run.point), doubles(work.column)
        copy(n, run.y0, run.point)
        for j in range(n):
            change = 1.5e-8 * max(abs(y0[j]), min(1.0, atol[j] / (rtol[j] + 1e-300)))
            shifted[j] = y0[j] + (change if f0[j] >= 0.0 else -change)
            evaluate(plan, run, run.t, run.point, work.column)
            for i in range(n):
                matrix[i * n + j] = (column[i] - f0[i]) / (shifted[j] - y0[j])
            shifted[j] = y0[j]
    _estimate_radius(plan, run, work)


@jit
def _estimate_radius(plan, run, work):
    """Growth of a vector under the Jacobian, as a geometric mean, so that complex pairs count too."""
    n = plan.states
    matrix, vector, image = doubles(work.jacobian_matrix), doubles(work.vector), doubles(run.point)
    growth = 1.0
    for _ in range(_POWER_STEPS):
        total = 0.0
        for i in range(n):
            image[i] = 0.0
            for j in range(n):
                image[i] += matrix[i * n + j] * vector[j]
            total += image[i] * image[i]
        size = np.sqrt(total)
        if not 0.0 < size < np.inf:
            break
        growth *= size
        for i in range(n):
            vector[i] = image[i] / size
    work.radius = growth ** (1.0 / _POWER_STEPS)


@jit
def _factorise(plan, run, work, dt):
    """Factors of both systems for this step; False when one is singular."""
    n = plan.states
    matrix, real, pair = doubles(work.jacobian_matrix), doubles(work.real), complexes(work.complex)
    for q in range(n * n):
        real[q] = -matrix[q]
        pair[q] = complex(-matrix[q], 0.0)
    for i in range(n):
        real[i * n + i] += _GAMMA / dt
        pair[i * n + i] += complex(_ALPHA, _BETA) / dt
    run.factorisations += 1
    work.factored = dt
    return factor(n, work.real, work.real_order) and factor_complex(n, work.complex, work.complex_order)


@jit
def _predict(plan, run, work, dt):
    """Start values of the stages: the former interpolant continued, else none."""
    n = plan.states
    z, w, dense = doubles(work.z), doubles(work.w), doubles(run.dense)
    for stage in range(3):
        part = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
        theta = 1.0 + part * dt / work.predict if work.predict != 0.0 else 1.0
        for i in range(n):
            later = dense[n + i] + theta * dense[2 * n + i]
            z[stage * n + i] = theta * (dense[i] + (1.0 - theta) * later) - dense[i] if work.predict != 0.0 else 0.0
    for i in range(n):
        z1, z2, z3 = z[i], z[n + i], z[2 * n + i]
        w[i] = _I11 * z1 + _I12 * z2 + _I13 * z3
        w[n + i] = _I21 * z1 + _I22 * z2 + _I23 * z3
        w[2 * n + i] = _I31 * z1 + _I32 * z2 + _I33 * z3


@jit
def _evaluate_stages(plan, run, work, dt):
    """Rates and event functions at the three stages."""
    n = plan.states
    y0, z, state = doubles(run.y0), doubles(work.z), doubles(run.point)
    for stage in range(3):
        for i in range(n):
            state[i] = y0[i] + z[stage * n + i]
        t = run.t + (C1 if stage == 0 else (C2 if stage == 1 else 1.0)) * dt
        t = t if (t - work.last) * plan.sign < 0.0 else work.last
        evaluate(plan, run, t, run.point, offset(work.f, stage * (n + plan.events)))


@jit
def _correct(plan, run, work, dt):
    """One Newton correction of w and z; its size in units of the tolerance."""
    n = plan.states
    f, z, w = doubles(work.f), doubles(work.z), doubles(work.w)
    right, pair = doubles(work.right), complexes(work.right_complex)
    y0, atol, rtol = doubles(run.y0), doubles(plan.atol), doubles(plan.rtol)
    row = n + plan.events
    for i in range(n):
        f1, f2, f3 = f[i], f[row + i], f[2 * row + i]
        right[i] = _I11 * f1 + _I12 * f2 + _I13 * f3 - _GAMMA / dt * w[i]
        real = _I21 * f1 + _I22 * f2 + _I23 * f3 - (_ALPHA * w[n + i] - _BETA * w[2 * n + i]) / dt
        imaginary = _I31 * f1 + _I32 * f2 + _I33 * f3 - (_ALPHA * w[2 * n + i] + _BETA * w[n + i]) / dt
        pair[i] = complex(real, imaginary)
    solve(n, work.real, work.real_order, work.right)
    solve_complex(n, work.complex, work.complex_order, work.right_complex)
    total = 0.0
    for i in range(n):
        change = pair[i]
        scale = atol[i] + rtol[i] * abs(y0[i])
        total += (right[i] / scale) ** 2 + (change.real / scale) ** 2 + (change.imag / scale) ** 2
        w1, w2, w3 = w[i] + right[i], w[n + i] + change.real, w[2 * n + i] + change.imag
        w[i], w[n + i], w[2 * n + i] = w1, w2, w3
        z[i] = _T11 * w1 + _T12 * w2 + _T13 * w3
        z[n + i] = _T21 * w1 + _T22 * w2 + _T23 * w3
        z[2 * n + i] = w1 + w2
    return np.sqrt(total / (3 * n))


@jit
def _iterate(plan, run, work, dt):
    """Newton's method from the prediction; False when it does not converge in time."""
    _predict(plan, run, work, dt)
    before, rate = 0.0, 0.0
    for k in range(ITERATIONS):
        work.iterations = k + 1
        _evaluate_stages(plan, run, work, dt)
        size = _correct(plan, run, work, dt)
        if not size < np.inf:
            return False
        if k > 0:
            rate = size / before
            if rate >= 1.0 or rate ** (ITERATIONS - 1 - k) / (1.0 - rate) * size > plan.newton_tolerance:
                return False
        if size == 0.0 or (k > 0 and rate / (1.0 - rate) * size < plan.newton_tolerance):
            work.converges = 1 if k < 2 or rate < _SLOW else 0
            return True
        before = size
    return False


@jit
def solve_stages(plan, run, work, dt):
    """Solve for the stages of a step with the Jacobian there is, and with a new one where that one fails."""
    if work.jacobian == NONE:
        _update_jacobian(plan, run, work)
    while True:
        if (work.factored == dt or _factorise(plan, run, work, dt)) and _iterate(plan, run, work, dt):
            return True
        if work.jacobian == CURRENT:
            return False
        _update_jacobian(plan, run, work)
