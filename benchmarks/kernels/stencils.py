"""Stencils in time loops: heat conduction by explicit differences, a wave by leapfrog.

The schemes are those of any textbook on partial differential equations, e.g. LeVeque, *Finite Difference
Methods for Ordinary and Partial Differential Equations*, chapters 9 and 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- one dimension ---------------------------------------------------------------------------------------


def heat_1d(u, steps, alpha):
    """Heat in a rod; two buffers change places after each step."""
    old, new = u, u.copy()
    for _ in range(steps):
        new[1:-1] = old[1:-1] + alpha * (old[2:] - 2.0 * old[1:-1] + old[:-2])
        old, new = new, old
    return old


def rod(size: int) -> tuple[Any, ...]:
    """A rod with a hot middle."""
    u = np.zeros(size)
    u[size // 3 : 2 * size // 3] = 1.0
    return u, size, 0.25


def other_rods() -> tuple[tuple[Any, ...], ...]:
    """No step, one step, too short a rod."""
    return (rod(6)[0], 0, 0.25), (rod(6)[0], 1, 0.5), (np.ones(1), 2, 0.25)


def wave_1d(u, steps, courant):
    """A string that is plucked: three buffers go round, those of the last, this and the next moment."""
    last, now, later = u.copy(), u.copy(), np.zeros_like(u)
    ratio = courant * courant
    for _ in range(steps):
        later[1:-1] = 2.0 * now[1:-1] - last[1:-1] + ratio * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        later[0] = later[-1] = 0.0
        last, now, later = now, later, last
    energy = 0.5 * np.sum((now - last) ** 2)
    return now, energy


# -- two dimensions --------------------------------------------------------------------------------------


def jacobi_2d(a, b, steps):
    """The mean of a point and its four neighbours, from one buffer to the other and back, in place."""
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[:-2, 1:-1] + b[2:, 1:-1])


def plate(size: int) -> tuple[Any, ...]:
    """A plate and room for the next step."""
    y, x = np.indices((size, size)) / size
    a = np.sin(3 * x) + y
    return a, a.copy(), 20


def other_plates() -> tuple[tuple[Any, ...], ...]:
    """No step, one, and both buffers the same."""
    a, b, _ = plate(5)
    return (a, b, 0), (a, b, 1), (a, a, 3)


def gauss_seidel_2d(a, tolerance, limit):
    """Relaxation in place, point by point, until a sweep changes nothing much."""
    rows, columns = a.shape
    for sweep in range(limit):
        change = 0.0
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                value = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
                change = max(change, abs(value - a[i, j]))
                a[i, j] = value
        if change < tolerance:
            return sweep + 1
    return limit


def cold_plate(size: int) -> tuple[Any, ...]:
    """A plate with one hot edge."""
    a = np.zeros((size, size))
    a[0, :] = 1.0
    return a, 1e-2, 50


def other_cold_plates() -> tuple[tuple[Any, ...], ...]:
    """Never near enough, near enough at once, nothing inside."""
    a = cold_plate(5)[0]
    return (a, 0.0, 3), (a, 10.0, 3), (a[:2], 1e-3, 3), (a, 1e-3, 0)


def yee_2d(ex, ey, hz, source):
    """Maxwell's equations in a plane: each field is updated in place from the others (Yee, 1966)."""
    for pulse in source:
        ey[0, :] = pulse
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def fields(size: int) -> tuple[Any, ...]:
    """Three fields and a pulse."""
    rng = np.random.default_rng(1)
    ex, ey, hz = rng.random((3, size, size + 1))
    return ex, ey, hz, np.sin(np.arange(20) / 3)


def other_fields() -> tuple[tuple[Any, ...], ...]:
    """No pulse, and one."""
    ex, ey, hz, source = fields(4)
    return (ex, ey, hz, source[:0]), (ex, ey, hz, source[:1])


# -- three dimensions ------------------------------------------------------------------------------------


def laplacian_3d(u):
    """The sum over the axes of second differences, on the inner points."""
    inner = u[1:-1, 1:-1, 1:-1]
    return (
        (u[2:, 1:-1, 1:-1] - 2.0 * inner + u[:-2, 1:-1, 1:-1])
        + (u[1:-1, 2:, 1:-1] - 2.0 * inner + u[1:-1, :-2, 1:-1])
        + (u[1:-1, 1:-1, 2:] - 2.0 * inner + u[1:-1, 1:-1, :-2])
    )


def heat_3d(u, steps, alpha=0.125):
    """Heat in a block; the change is made in place on a view of the inner points."""
    inner = u[1:-1, 1:-1, 1:-1]
    for _ in range(steps):
        inner += alpha * laplacian_3d(u)
    return inner


def block(size: int) -> tuple[Any, ...]:
    """A block that is warmer towards a corner."""
    return np.indices((size, size, size)).sum(axis=0) / size, 8


def other_blocks() -> tuple[tuple[Any, ...], ...]:
    """No step, one step, nothing inside."""
    return (block(4)[0], 0), (block(4)[0], 1, 0.1), (block(2)[0], 2)


KERNELS = (
    Kernel(heat_1d, rod, 7, 2_000, other_rods),
    Kernel(wave_1d, rod, 7, 2_000, other_rods),
    Kernel(jacobi_2d, plate, 6, 400, other_plates),
    Kernel(gauss_seidel_2d, cold_plate, 5, 20, other_cold_plates),
    Kernel(yee_2d, fields, 5, 300, other_fields),
    Kernel(heat_3d, block, 4, 60, other_blocks),
)
