"""Functions that write fields of three axes in several statements, over parts that differ by haloes and levels: each function with its calls.

Statements go through the lines of rows together.  Fields have no rows, lines or levels, one, two or three, or more than a turn takes.
"""

import itertools

import numpy as np
from field_programs import field
from registry import registry

PROGRAMS, called_with = registry()


def small():
    """Three fields of each small shape."""
    for shape in itertools.product((0, 1, 2, 3), (0, 1, 3), (0, 1, 2)):
        yield lambda shape=shape: tuple(field(*shape, seed=seed) for seed in range(3))


def odd(*shape):
    """Three fields: in other orders, with gaps, of other dtypes, with what warns, one and the same, overlapping, and one that can't be written."""
    three = lambda *shape: tuple(field(*shape, seed=seed) for seed in range(3))  # noqa: E731
    yield lambda: tuple(map(np.asfortranarray, three(*shape)))
    yield lambda: (
        field(shape[0] * 2, *shape[1:])[::2],
        field(*shape, seed=1)[:, ::-1],
        field(*shape, seed=2),
    )
    yield lambda: tuple(one.astype(np.float32) for one in three(*shape))
    yield lambda: (field(*shape), field(*shape, seed=1).astype(np.float32), field(*shape, seed=2))
    yield lambda: (field(*shape), np.where(field(*shape) > 0.9, np.inf, 0.0), field(*shape, seed=2) * 1e308)
    yield lambda: (one := field(*shape), one, one)
    yield lambda: ((one := field(*shape)), one.copy(), one)
    yield lambda: ((one := field(shape[0] + 1, *shape[1:]))[1:], one[:-1], field(*shape, seed=2))
    yield lambda: ((one := field(*shape[:2], shape[2] + 1))[..., 1:], one[..., :-1], one[..., 1:])
    yield locked
    yield lambda: three(9, 7, 5)
    yield lambda: three(6, 150, 20)
    yield lambda: three(4, 5, 300)


def locked():
    """A field that can't be written, behind two that can."""
    fields = tuple(field(6, 5, 4, seed=seed) for seed in range(3))
    fields[0].flags.writeable = False
    return fields


@called_with(*small(), *odd(6, 5, 4))
def advected(c, u, mask):
    """Fluxes along three axes, which statements behind each other read, and a first level by itself."""
    east, north, up = np.zeros_like(c), np.zeros_like(c), np.zeros_like(c)
    east[1:-2, 2:-2] = 0.5 * u[1:-2, 2:-2] * (c[2:-1, 2:-2] + c[1:-2, 2:-2]) * mask[2:-1, 2:-2]
    north[2:-2, 1:-2] = 0.5 * u[2:-2, 1:-2] * (c[2:-2, 2:-1] + c[2:-2, 1:-2]) * mask[2:-2, 2:-1]
    up[:, :, :-1] = u[:, :, :-1] * (c[:, :, 1:] - c[:, :, :-1])
    c[2:-2, 2:-2] -= east[2:-2, 2:-2] - east[1:-3, 2:-2] + north[2:-2, 2:-2] - north[2:-2, 1:-3]
    c[:, :, :1] -= up[:, :, :1]
    c[:, :, 1:] -= mask[:, :, 1:] * (up[:, :, 1:] - up[:, :, :-1])
    return c


@called_with(*small(), *odd(6, 5, 4))
def closed(energy, stability, mixing):
    """Levels that differ by one, edges set behind all others, and arrays that one line alone of each is needed of."""
    shear = np.zeros_like(energy)
    shear[:, :, :-1] = (energy[:, :, 1:] - energy[:, :, :-1]) ** 2
    mixing[...] = np.minimum(1.0, np.sqrt(np.maximum(energy, 1e-8)))
    mixing[:, :, :1] = 0.0
    lost = mixing / np.maximum(shear, 1e-3) * stability
    lost[:, :, -1:] = 0.0
    mixing[1:-1, 1:-1] *= 0.5
    return energy + mixing * shear - lost


@called_with(*small(), *odd(6, 5, 4))
def smoothed(c, mask, change):
    """A field of differences that is read a row and a line around each of its items."""
    bend = np.zeros_like(c)
    bend[1:-1, 1:-1] = (c[2:, 1:-1] + c[:-2, 1:-1] + c[1:-1, 2:] + c[1:-1, :-2]) * mask[1:-1, 1:-1]
    change[2:-2, 2:-2] -= bend[3:-1, 2:-2] + bend[1:-3, 2:-2] + bend[2:-2, 3:-1] + bend[2:-2, 1:-3]
    change *= mask
    return change, bend[1:] - bend[:-1]


def times():
    """A field and rates at three times, and the same with numbers that warn, as one memory, and of no items."""
    for shape in ((6, 5, 4), (4, 4, 1), (3, 9, 2), (0, 4, 3), (5, 0, 3), (2, 130, 20), (7, 6, 5)):
        yield lambda shape=shape: (field(*shape, 3), field(*shape, 3, seed=1), field(*shape, seed=2), 0, 1, 2)
    yield lambda: (field(6, 5, 4, 3), field(6, 5, 4, 3, seed=1), field(6, 5, 4, seed=2), 0, 1, 5)
    yield lambda: (field(6, 5, 4, 3), field(6, 5, 4, 3, seed=1), field(6, 5, 4, seed=2), 1, 1, 1)
    yield lambda: (
        field(6, 5, 4, 3) * 1e308,
        field(6, 5, 4, 3, seed=1),
        field(6, 5, 4, seed=2) * 0.0,
        0,
        1,
        2,
    )
    yield lambda: ((one := field(6, 5, 4, 3)), one, one[..., 0], 0, 1, 2)
    yield lambda: ((one := field(6, 5, 4, 6))[..., :3], one[..., 3:], one[..., 1], 0, 1, 2)
    yield lambda: (field(6, 5, 4, 3), field(6, 5, 4, 3, seed=1), field(6, 5, 4, seed=2), -3, -2, -1)


@called_with(*times())
def tracer_step(tracer, rate, mask, last, now, new):
    """Rates in the interior, at the first level, and at others; then all of the field."""
    rate[2:-2, 2:-2, :, now] = -mask[2:-2, 2:-2] / (mask[2:-2, 2:-2] - mask[1:-3, 2:-2])
    rate[:, :, 0, now] -= mask[:, :, 0] * 0.5
    rate[:, :, 1:, now] -= mask[:, :, 1:] - mask[:, :, :-1]
    tracer[..., new] = tracer[..., now] + 0.1 * (1.6 * rate[..., now] - 0.6 * rate[..., last]) * mask
    return tracer


@called_with(*small(), *odd(6, 5, 4))
def lines_behind(c, u, mask):
    """What has been written is read a line further on, further back, and upside down."""
    found = c * u
    other = np.zeros_like(c)
    other[:, 1:] = found[:, :-1] - mask[:, 1:]
    c[:, :-1] = other[:, 1:] / found[:, 1:]
    u[1:] = c[:-1] + other[1:]
    mask[...] = u[:, ::-1] * c
    return found[1:, 1:] - found[:-1, :-1]


@called_with(*small(), *odd(6, 5, 4))
def not_beside_each_other(c, u, mask):
    """Two fields that have nothing to do with each other."""
    c[1:-1] = mask[1:-1] * 2.0
    u[:, 1:-1] = mask[:, 1:-1] / 3.0
    return mask
