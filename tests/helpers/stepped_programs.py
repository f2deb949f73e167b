"""Functions about items that take turns along an axis, sums of lines, and arrays of indices: each function with its calls.

Fields are relaxed in place in the manner of red and black squares, integrated over levels, and changed at one level of each column.
"""

import numpy as np
from field_programs import field
from registry import registry

PROGRAMS, called_with = registry()
PLATES = ((9, 8), (6, 7), (2, 9), (1, 5), (3, 1), (0, 4), (4, 0), (2, 2))
LEVELS = (1, 5, 8, 9, 20, 128, 129, 300)


def plates(*shapes):
    """Calls with a field of two axes, and another one."""
    for shape in shapes:
        yield lambda shape=shape: (field(*shape), field(*shape, seed=2))
    yield lambda: (np.asfortranarray(field(9, 8)), field(9, 8, seed=2))
    yield lambda: (field(18, 8)[::2, ::-1], field(9, 8, seed=2))
    yield lambda: ((one := field(9, 8)), one)
    yield lambda: (field(9, 8) * 1e308, field(9, 8, seed=2) * 1e308)


def columns(*levels):
    """Calls with two fields of so many levels, and the heights of these."""
    for count in levels:
        yield lambda count=count: (field(4, 3, count), field(4, 3, count, seed=2), field(count, seed=3))
    yield lambda: (field(4, 0, 5), field(4, 0, 5, seed=2), field(5, seed=3))
    yield lambda: (field(4, 3, 0), field(4, 3, 0, seed=2), field(0, seed=3))
    yield lambda: (-0.0 * field(4, 3, 20), field(4, 3, 20, seed=2), field(20, seed=3))
    yield lambda: (np.asfortranarray(field(4, 3, 20)), field(4, 3, 20, seed=2), field(20, seed=3))
    yield lambda: (field(4, 3, 40)[:, :, ::2], field(4, 3, 20, seed=2), field(40, seed=3)[::2])
    yield lambda: (field(4, 3, 20).astype(np.float32), field(4, 3, 20, seed=2), field(20, seed=3))
    yield lambda: (np.where(field(4, 3, 20) > 0.5, np.inf, -np.inf), field(4, 3, 20), field(20, seed=3))


# -- items that take turns -----------------------------------------------------------------------------------


@called_with(*plates(*PLATES))
def relaxed(p, f):
    """Four sweeps over points that are no neighbours."""
    for _ in range(2):
        p[1:-1:2, 1:-1:2] += 0.3 * (p[:-2:2, 1:-1:2] + p[2::2, 1:-1:2] - f[1:-1:2, 1:-1:2])
        p[2:-1:2, 2:-1:2] += 0.3 * (p[2:-1:2, 1:-2:2] + p[2:-1:2, 3::2] - f[2:-1:2, 2:-1:2])
        p[1:-1:2, 2:-1:2] += 0.3 * (p[:-2:2, 2:-1:2] + p[1:-1:2, 1:-2:2] - f[1:-1:2, 2:-1:2])
        p[2:-1:2, 1:-1:2] += 0.3 * (p[3::2, 1:-1:2] + p[2:-1:2, 2::2] - f[2:-1:2, 1:-1:2])
    return p.sum()


@called_with(*plates(*PLATES))
def relaxed_by_parity(p, f):
    for parity in range(2):
        first = 1 + parity
        p[1:-1, first:-1:2] += 0.5 * (p[1:-1, first - 1 : -2 : 2] - f[1:-1, first:-1:2])
        p[first:-1:2, 1:-1] = p[first + 1 :: 2, 1:-1] * 0.5
    return p * 1.0


@called_with(*plates(*PLATES))
def relaxed_from_the_end(p, f):
    """Starts that are counted from the end are the first item where they are too far from it."""
    p[-4::2] = p[-4::2] * f[-4::2] + 1.0
    p[-2::2] -= p[-3:-1:2] + f[-2::2]
    p[:, -3::2] *= 0.5 * p[:, -4:-1:2]
    return p * 1.0


@called_with(*plates(*PLATES, (12, 11)))
def by_threes(p, f):
    p[0:-3:3] = p[1:-2:3] + p[2:-1:3]
    p[1:-2:3] = p[4::3] + f[1:-2:3]
    p[:, 7::3] = p[:, 5:-2:3] - 1.0
    return p.max(initial=0.0)


@called_with(*plates(*PLATES))
def one_axis(p, f):
    x = p[:, 0].copy()
    x[::2] = x[1::2]
    x[1::2] += x[:-1:2] * f[1::2, 0]
    return x


@called_with(*plates(*PLATES))
def evens_from_odds(p, f):
    """The axis has an odd number of items, or an even one: NumPy raises at the user's line where the two differ."""
    p[::2, 1:] = p[1::2, :-1] * 2.0
    return p[:, ::2] + f[:, ::2]


@called_with(
    *plates((9, 8)), lambda: (field(9, 8), 1, 2), lambda: (field(9, 8), 3, 2), lambda: (field(9, 8), 2, 2)
)
def steps_from_outside(p, start, step):
    """What is not known is computed first."""
    if not isinstance(start, int):
        return p
    p[start::2] = p[: len(p[start::2]) * 2 : 2] + 1.0
    p[:, ::step] = p[:, : p[:, ::step].shape[1]] * 2.0
    return p


# -- lines ---------------------------------------------------------------------------------------------------


@called_with(*columns(*LEVELS))
def mean_velocities(u, v, heights):
    """What is added up over levels, and what is left when the mean is taken away."""
    h = heights * (v > 0.3)
    depth = np.maximum(np.sum(h, axis=2), 1e-3)
    mean, other = np.sum(u * h, axis=2) / depth, (v * h).sum(axis=-1) / depth
    return mean, u - mean[:, :, np.newaxis], v - other[:, :, np.newaxis]


@called_with(*columns(*LEVELS))
def extremes_of_products(u, v, heights):
    return np.max(u * v, axis=2), np.min(u - v, axis=2), (u * heights > v).any(axis=2), (u > v).sum(axis=2)


@called_with(*columns(*LEVELS))
def sums_of_neighbours(u, v, heights):
    """A line of one row is subtracted from that of the next one."""
    flux = u * v * heights
    total = np.sum(flux, axis=2)
    change = np.zeros_like(total)
    change[1:] = total[1:] - total[:-1]
    return change, np.sum(flux[1:] - flux[:-1], axis=2)


@called_with(*columns(*LEVELS))
def rows_of_few(u, v, heights):
    """Lines of a known number of items."""
    short = u[:, :, :3] * v[:, :, :3]
    return short.sum(axis=2), np.sum(u[:, 0] * v[:, 0], axis=1), np.sum(u[0, 0] * heights)


# -- indices -------------------------------------------------------------------------------------------------


@called_with(*columns(5, 1))
def drag_at_bottom(u, v, heights):
    """One level of each column, named by numbers of rows and columns."""
    n, m, k = u.shape
    lowest = np.minimum((v[:, :, 0] * k).astype(int), k - 1)
    i, j = np.arange(n)[:, np.newaxis], np.arange(m)[np.newaxis, :]
    speed = np.sqrt(u[i, j, lowest] ** 2 + v[i, j, lowest] ** 2)
    u[i, j, lowest] = u[i, j, lowest] - 0.1 * speed * u[i, j, lowest] / heights[lowest]
    return speed, i + j


@called_with(*columns(5, 1))
def indices_that_are_computed(u, v, heights):
    """Indices that run backwards, begin later, lie outside or are changed."""
    n, m, _ = u.shape
    last = np.arange(n - 1, -1, -1)
    found = u[last, 0, 0] + v[np.arange(0, 2 * n, 2) // 2, 0, 0] + u[np.arange(-n, 0), 0, 0]
    changed = np.arange(m)
    changed[0] = m - 1
    return found, u[0, changed, 0], u[0, np.arange(1, m), 0] * np.arange(1.0, m)


@called_with(*columns(5, 1))
def indices_in_loops(u, v, heights):
    total = 0.0
    for step in range(3):
        places = np.arange(step, u.shape[0])
        u[places, 0, 0] += v[places - step, 0, 0]
        for n in range(0, -2, -1):
            total = total + u[n, n, 0] + places[n]
    return total, u


@called_with(*columns(5), lambda: (field(4, 3, 5), field(3, 3, 5, seed=2), field(5, seed=3)))
def indices_of_another(u, v, heights):
    """Numbers of rows that the other field may not have."""
    i = np.arange(u.shape[0])
    v[i, 0, 0] = u[i, 1, 0] + v[i, 2, 0]
    return np.where(i[:, None] > np.arange(u.shape[1]), u[:, :, 0], 0.0)
