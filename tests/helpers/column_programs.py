"""Functions that read and store one level of each column, as bottom drag and mixed layers do: each function with its calls.

Places are named by arrays of several axes, in orders of their own; some name a place twice, some lie outside.  Slices have one item, or none.
"""

import numpy as np
from field_programs import field
from registry import registry

PROGRAMS, called_with = registry()
SHAPES = ((5, 4, 3), (1, 4, 3), (5, 1, 1), (3, 70, 9), (0, 4, 3), (40, 3, 2), (4, 0, 3), (4, 3, 0))


def levels(*shape, low=0, seed=2):
    """A level for each column."""
    return np.random.default_rng(seed).integers(low, max(shape[2], low + 1), shape[:2])


def columns(*shapes):
    """Calls with a field, levels, and an array to be stored there."""
    for shape in shapes:
        yield lambda shape=shape: (field(*shape), levels(*shape), field(*shape[:2], seed=3))


def other_columns():
    """Arrays in other orders, with gaps, of other dtypes, sharing memory, with levels outside and counted from the end."""
    f, k, v = (lambda: field(5, 4, 3)), (lambda: levels(5, 4, 3)), (lambda: field(5, 4, seed=3))
    yield lambda: (f(), np.asfortranarray(k()), v())
    yield lambda: (f(), k(), np.asfortranarray(v()))
    yield lambda: (np.asfortranarray(f()), k(), v())
    yield lambda: (f()[::-1], k()[:, ::-1], v()[::-1])
    yield lambda: (field(10, 4, 6)[::2, :, ::2], levels(5, 8, 3)[:, ::2], field(5, 8, seed=3)[:, ::2])
    yield lambda: (f(), levels(5, 4, 3, low=-3), v())
    yield lambda: (f(), k() + 1, v())
    yield lambda: (f(), k() - 4, v())
    yield lambda: (f(), k().astype(np.int32), v().astype(np.float32))
    yield lambda: (f(), k().astype(np.uint8), v())
    yield lambda: (f(), k(), np.where(v() > 0.5, np.inf, v() * 1e308))
    yield lambda: ((one := f()), k(), one[:, :, 1])
    yield lambda: ((one := levels(5, 4, 3)[:, :, None] + np.zeros(3, int)), one[:, :, 0], one[:, :, 1])
    yield lambda: (f(), np.broadcast_to(k()[:1], (5, 4)), np.broadcast_to(v()[:, :1], (5, 4)))
    yield lambda: (np.nan * f(), k(), v())
    yield read_only


def read_only():
    """A field that can't be written."""
    one = field(5, 4, 3)
    one.flags.writeable = False
    return one, levels(5, 4, 3), field(5, 4, seed=3)


@called_with(*columns(*SHAPES), *other_columns())
def drag(u, k, stress):
    i, j = np.meshgrid(np.arange(u.shape[0]), np.arange(u.shape[1]), indexing="ij")
    lowest = u[i, j, k]
    u[i, j, k] = lowest / (1.0 + np.abs(lowest)) - stress
    return u[i, j, k] - lowest


@called_with(*columns(*SHAPES), *other_columns())
def with_indices(u, k, stress):
    i, j = np.indices(k.shape)
    u[i, j, k] = stress
    return u.sum()


@called_with(*columns(*SHAPES), *other_columns())
def open_mesh(u, k, stress):
    i, j = np.ix_(np.arange(u.shape[0]), np.arange(u.shape[1]))
    u[i, j, k] = stress * 2.0
    return u[i, j, np.maximum(k - 1, 0)]


@called_with(*columns(*SHAPES), *other_columns())
def named_twice(u, k, stress):
    """Several columns go to one place, of which the last one stays."""
    flat = u[:, 0]
    flat[k // 2, k] = stress
    return flat * 1.0


@called_with(*columns(*SHAPES), *other_columns())
def named_by_columns_first(u, k, stress):
    flat = u[:, 0]
    flat[k.T, 0] = stress.T
    return (flat * 2.0 + 1.0) * flat


@called_with(*columns(*SHAPES), *other_columns())
def one_of_each_axis(u, k, stress):
    """Arrays of indices each of which has one of the axes: the order is that of what is stored."""
    rows, lines = np.array([[0], [0], [1]]), np.array([[0, 1, 0]])
    u[rows, lines, 0] = stress[:3, :3].T * 2.0
    return u.copy()


@called_with(*columns(*SHAPES), *other_columns())
def whole_columns(u, k, stress):
    i, j = np.array([[0, 1], [1, 0]]), np.array([[0, 0], [0, 0]])
    u[i, j] = stress[0, :1] + u[1:2, 0]
    u[i, :, 0] += 1.0
    return u.copy()


@called_with(*columns(*SHAPES), *other_columns())
def named_by_what_is_stored_to(u, k, stress):
    k[k % 2, k % 3] = k
    return k


@called_with(*columns(*SHAPES), *other_columns())
def deepest(u, k, stress):
    """Slices of one item, along which others repeat."""
    over = u > u[:, :, :1] + 0.1
    first = np.argmax(over, axis=2)
    return over.any(axis=2), first, u - u[:, :, -1:], u[:1] + u[-1:] * stress[-2:-1, :1, None]


@called_with(*columns(*SHAPES), *other_columns())
def ends_of_levels(u, k, stress):
    u[:, :, -1:] -= stress[:, :, None]
    u[:, :, :1] = u[:, :, 1:2]
    return u[:, -1:0], u[:, -1:], u[0:1], u[-1:None], u[:0]


@called_with(*columns(*SHAPES), *other_columns())
def one_item_from_a_number(u, k, stress):
    total = 0.0
    for n in range(-2, u.shape[0]):
        total = total + u[n : n + 1].sum()
    return total
