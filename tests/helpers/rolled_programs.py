"""Functions that read fields some items before and behind, round their ends, as periodic models do it: each function with its calls.

Fields have one to three axes, some of one item or none; some share memory, overlap, or lie in it in other ways.
"""

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
SHAPES = ((5, 7), (1, 4), (4, 1), (1, 1), (0, 3), (3, 0), (2, 2), (40, 33))


def field(*shape, seed=0, dtype=np.float64):
    """A field of numbers of both signs."""
    return (np.random.default_rng(seed).uniform(-9.0, 9.0, shape)).astype(dtype)


def pairs(dtype=np.float64, shapes=SHAPES):
    """Two fields of one shape, and those that lie in memory in other ways."""
    yield from (
        lambda one=one: (field(*one, dtype=dtype), field(*one, seed=1, dtype=dtype)) for one in shapes
    )
    yield lambda: (np.asfortranarray(field(5, 4, dtype=dtype)), field(5, 4, seed=1, dtype=dtype))
    yield lambda: (field(10, 8, dtype=dtype)[::2, ::-1], field(5, 16, seed=1, dtype=dtype)[:, ::2])
    yield lambda: (lambda a: (a, a))(field(5, 4, dtype=dtype))
    yield lambda: (lambda a: (a[1:], a[:-1]))(field(6, 4, dtype=dtype))
    yield lambda: (lambda a: (a, a.T))(field(4, 4, dtype=dtype))
    yield lambda: (field(5, 4, dtype=dtype), field(4, 5, seed=1, dtype=dtype))


@called_with(*pairs(), *pairs(np.float32, SHAPES[:3]), *pairs(np.int64, SHAPES[:3]))
def beside(a, b):
    """Items beside others, of both axes, some of them used again."""
    east, west = np.roll(a, -1, axis=1), np.roll(a, 1, axis=1)
    north = np.roll(b, -1, axis=0)
    around = east + west + north + np.roll(east, 1, axis=0) * np.roll(north, 2, axis=1) - 4 * a
    return (
        around,
        np.where(east > west, north, np.roll(b, 3, axis=1)),
        np.roll(np.roll(a, 1, axis=1), 2, axis=1),
    )


@called_with(*pairs())
def in_place(a, b):
    """What is read is written: rolled items are those of before."""
    before = np.roll(a, 1, axis=0)
    a += np.roll(a, 1, axis=1)
    b[...] = np.roll(b, -1, axis=0) + before
    b *= np.roll(a, 2, axis=1)
    a[:] = np.roll(a, 1, axis=0)
    behind = np.roll(b, -1, axis=1)
    b[0] = 1.0
    return a, b, behind, behind - before


@called_with(*(lambda n=n, k=k: (field(n), k) for n in (0, 1, 2, 6, 700) for k in (0, 1, -1, 6, -7, 50)))
def by_any_number(x, k):
    """One axis, by a number that is given: further than it is long, or not at all."""
    y = np.roll(x, k)
    z = np.roll(x * 2.0, -k) - np.roll(x, 1) + np.roll(x, k + 1) * y
    return z, y[::2], y.sum(), np.roll(x, k)[1:] if len(x) else x


@called_with(
    *(
        lambda n=n, m=m: (field(n, m, 3), field(n, m, 3, seed=1), 3)
        for n, m in ((4, 5), (1, 2), (0, 2), (9, 30))
    )
)
def limited(q, u, turns):
    """Steps of a flux with a limiter, all axes round."""
    for turn in range(turns):
        before, behind = q - np.roll(q, 1, axis=0), np.roll(q, -1, axis=0) - q
        slope = np.where(before * behind > 0, np.where(np.abs(before) < np.abs(behind), before, behind), 0.0)
        flux = np.where(u > 0, u * (q + 0.5 * slope), u * np.roll(q - 0.5 * slope, -1, axis=0))
        q = q - 0.1 * (flux - np.roll(flux, 1, axis=0) + np.roll(q, turn, axis=2) - np.roll(q, -1, axis=-1))
    return q


@called_with(
    *(lambda n=n, m=m: (field(n, m), field(n, m, seed=1), 4) for n, m in ((4, 5), (1, 1), (2, 0), (30, 20)))
)
def leapt(h, u, turns):
    """Fields of three times take each other's places, the middle one being changed."""
    last, last_u = h.copy(), u.copy()
    for _ in range(turns):
        new = last - 0.1 * (np.roll(u, -1, axis=0) - u + np.roll(u, -1, axis=1) - u)
        new_u = last_u - 0.2 * (h - np.roll(h, 1, axis=0)) + 0.1 * np.roll(np.roll(u, 1, axis=1), -1, axis=0)
        h += 0.1 * (new - 2.0 * h + last)
        u += 0.1 * (new_u - 2.0 * u + last_u)
        last, h = h, new
        last_u, u = u, new_u
    return h, last, u, last_u


@called_with(*pairs(shapes=SHAPES[:4]), lambda: (field(3, 4), np.zeros((3, 4))))
def warned(a, b):
    """Divisions by items at other places, some of which are zero."""
    a[0] = np.roll(b, 1, axis=0)[0]
    return a / np.roll(b, 1, axis=1), np.sqrt(np.roll(a, 1, axis=0)) + np.log(np.abs(np.roll(b, -1, axis=1)))


@called_with(*pairs(np.complex128, SHAPES[:3]), *pairs(np.bool_, SHAPES[:2]))
def of_other_kinds(a, b):
    """Complex numbers and truth values."""
    return np.roll(a, 1, axis=0), np.where(np.roll(b, 1, axis=1) == a, np.roll(a, -1, axis=1), b)


@called_with(*pairs())
def summed(a, b):
    """Sums and the like of rolled fields: their order in memory is that of the field."""
    rolled = np.roll(a, 1, axis=1)
    product = a * np.roll(b, 1, axis=0)
    both = np.sum(rolled, axis=0), np.sum(product), np.sum(product, axis=1), (rolled - b).mean()
    return both, np.cumsum(rolled, axis=1), rolled.T.copy(), rolled.flags.c_contiguous


@called_with(
    *(
        lambda n=n, m=m: (field(n, m, 3), field(n, seed=1), field(m, seed=2))
        for n, m in ((4, 5), (1, 3), (3, 1), (0, 4), (4, 0), (70, 9))
    ),
    *(
        lambda n=n, m=m: (field(n, m, 3), field(n, seed=1) * 1e307, field(m, seed=2))
        for n, m in ((3, 2), (0, 4), (4, 0))
    ),
)
def by_widths(a, x, y):
    """Products of widths are repeated along the axes that they have not; they may overflow where nothing is repeated."""
    b = np.zeros_like(a)
    for k in range(a.shape[2]):
        b[:, 1:, k] = a[:, 1:, k] / (x[:, None] * 3.0) - a[:, :-1, k] * (y[None, 1:] * y[None, :-1])
    a[:] = (y + 1.0)[:, None] * b
    b += (x * x)[:, None, None] - b * (np.sqrt(np.abs(x)) / 2.0)[:, None, None]
    x[:] = (x * 2.0)[0] if len(x) else 1.0
    return a, b, x


def fields_of_two_times():
    """Fields of two times: apart, the same, parts of one, and of several sizes."""
    yield from (lambda n=n: (field(n, 4), field(n, 4, seed=1), 5) for n in (6, 1, 0, 50))
    yield lambda: (lambda a: (a, a, 3))(field(5, 4))
    yield lambda: (lambda a: (a[1:], a[:-1], 3))(field(6, 4))
    yield lambda: (field(5, 4), field(5, 4, seed=1), 0)
    yield lambda: (np.asfortranarray(field(5, 4)), field(5, 4, seed=1), 2)


@called_with(*fields_of_two_times())
def filtered(now, last, turns):
    """The middle one of three times is changed by both others; which is which goes round."""
    for _ in range(turns):
        new = last + 0.1 * (now[::-1] - np.roll(now, 1, axis=1))
        now += 0.2 * (new - 2.0 * now + last)
        last += 0.01 * now
        last, now = now, new
    return now, last


@called_with(*fields_of_two_times())
def in_the_place_of_each_other(now, last, turns):
    """What is written may be what is read: arrays take places without being made, or are handed on twice."""
    other = last.copy()
    same = now
    for turn in range(turns):
        other = np.add(now, last, out=last)
        now += other[::-1]
        same += 0.5 * now
        if turn % 2:
            same, other = other, same
        last, now = now, last
    kept, moved = now.copy(), now.copy()
    for _ in range(turns):
        moved += 0.5 * kept[::-1]
        kept[:] = kept + moved
        kept, moved = moved, moved
    return now, last, other, same, kept, moved
