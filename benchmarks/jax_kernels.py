"""Ten of the kernels, written by hand for JAX: values instead of writes, ``lax`` instead of ``for`` and ``while``.

Each gives what its kernel gives, and the new contents of the arguments that the kernel changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.kernels.stencils import laplacian_3d


def heat_1d(u, steps, alpha):
    def step(_, old):
        inner = old[1:-1] + alpha * (old[2:] - 2.0 * old[1:-1] + old[:-2])
        return old.at[1:-1].set(inner)

    return lax.fori_loop(0, steps, step, u)


def wave_1d(u, steps, courant):
    ratio = courant * courant

    def step(_, state):
        last, now = state
        inner = 2.0 * now[1:-1] - last[1:-1] + ratio * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        return now, jnp.pad(inner, 1)

    last, now = lax.fori_loop(0, steps, step, (u, u))
    return now, 0.5 * jnp.sum((now - last) ** 2)


def five_points(a):
    return 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])


def jacobi_2d(a, b, steps):
    def step(_, state):
        a, b = state
        b = b.at[1:-1, 1:-1].set(five_points(a))
        return a.at[1:-1, 1:-1].set(five_points(b)), b

    return lax.fori_loop(0, steps, step, (a, b))


def gauss_seidel_2d(a, tolerance, limit):
    rows, columns = a.shape

    def point(i, j, a):
        return a.at[i, j].set(0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]))

    def row(i, a):
        return lax.fori_loop(1, columns - 1, partial(point, i), a)

    # The change of a point would keep its old value alive, and XLA copy all in each iteration.
    def sweep(state):
        a, _, count = state
        after = lax.fori_loop(1, rows - 1, row, a)
        return after, jnp.max(jnp.abs(after - a)), count + 1

    first = (a, jnp.inf, 0)
    a, _, count = lax.while_loop(lambda s: (s[1] >= tolerance) & (s[2] < limit), sweep, first)
    return count, a


def yee_2d(ex, ey, hz, source):
    def step(state, pulse):
        ex, ey, hz = state
        ey = ey.at[0, :].set(pulse)
        ey = ey.at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        curl = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        return (ex, ey, hz.at[:-1, :-1].add(-0.7 * curl)), None

    return lax.scan(step, (ex, ey, hz), source)[0]


def heat_3d(u, steps, alpha=0.125):
    def step(_, u):
        return u.at[1:-1, 1:-1, 1:-1].add(alpha * laplacian_3d(u))

    return lax.fori_loop(0, steps, step, u)


def tridiagonal(below, diagonal, above, right):
    def down(state, row):
        c, d = state
        below, diagonal, above, right = row
        pivot = diagonal - below * c
        c, d = above / pivot, (right - below * d) / pivot
        return (c, d), (c, d)

    def up(x, row):
        c, d = row
        x = d - c * x
        return x, x

    _, rows = lax.scan(down, (0.0, 0.0), (below, diagonal, above, right))
    return lax.scan(up, 0.0, rows, reverse=True)[1]


def conjugate_gradients(a, b, tolerance=1e-10):
    def iteration(state):
        x, residual, direction, size, count = state
        along = a @ direction
        step = size / (direction @ along)
        residual = residual - step * along
        last, size = size, residual @ residual
        return x + step * direction, residual, direction * (size / last) + residual, size, count + 1

    def goes_on(state):
        return (jnp.sqrt(state[3]) >= tolerance) & (state[4] < 10 * len(b))

    x, *_, count = lax.while_loop(goes_on, iteration, (jnp.zeros_like(b), b, b, b @ b, 0))
    return x, jnp.where(count == 10 * len(b), -1, count)


def power_iteration(a, tolerance, limit):
    def iteration(state):
        v, value, _, count = state
        w = a @ v
        last, value = value, jnp.dot(v, w)
        done = jnp.abs(value - last) <= tolerance * jnp.abs(value)
        return w / jnp.linalg.norm(w), value, done, count + 1

    first = (jnp.ones(len(a)) / jnp.sqrt(len(a)), 0.0, False, 0)
    v, value, done, _ = lax.while_loop(lambda s: ~s[2] & (s[3] < limit), iteration, first)
    return value, v, done


def substitutions(lower, b):
    n = len(b)

    def forward(i, x):
        return x.at[i].set((b[i] - jnp.dot(lower[i], x)) / lower[i, i])

    def backward(iteration, x):
        i = n - 1 - iteration
        return x.at[i].set((y[i] - jnp.dot(lower[:, i], x)) / lower[i, i])

    y = lax.fori_loop(0, n, forward, jnp.zeros_like(b))
    return lax.fori_loop(0, n, backward, jnp.zeros_like(b))


BY_HAND: Final[Mapping[str, Callable[..., Any]]] = {
    one.__name__: jax.jit(one)
    for one in (
        *(heat_1d, wave_1d, jacobi_2d, gauss_seidel_2d, yee_2d),
        *(heat_3d, tridiagonal, conjugate_gradients, power_iteration, substitutions),
    )
}
"""All of them, by the kernel's name."""
