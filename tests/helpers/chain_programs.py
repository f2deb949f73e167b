"""Array code without loops, or around them, that native code has to run as NumPy does: each function with its calls.

The calls of a function have other sizes, layouts and dtypes, raise and warn, and are given one array twice.
"""

import numpy as np
from loop_programs import floats, unaligned
from registry import registry

PROGRAMS, called_with = registry()


def both(array):
    return array, array


def overlapping(size):
    """Two arrays that share all elements but one."""
    whole = floats(size + 1)
    return whole[1:], whole[:-1]


def in_fortran_order(*shape):
    return np.asfortranarray(floats(*shape))


def windows(size, width):
    """Rows that overlap."""
    return np.lib.stride_tricks.sliding_window_view(floats(size), width)


# -- elementwise ---------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(50), floats(50)),
    lambda: (floats(1), floats(1)),
    lambda: (floats(0), floats(0)),
    lambda: (floats(5), floats(4)),
    lambda: (floats(5), floats(1)),
    lambda: (floats(9)[::-1], floats(9)),
    lambda: (floats(9)[::-2], floats(9)[::-2]),
    lambda: (unaligned(7), floats(7)),
    lambda: both(floats(6)),
    lambda: overlapping(6),
    lambda: (floats(6).astype("f4"), floats(6).astype("f4")),
    lambda: (floats(6).astype("f4"), floats(6)),
    lambda: (np.arange(6), floats(6)),
    lambda: (np.full(5, np.inf), floats(5)),
    lambda: (np.full(5, 1e200), np.full(5, 1e200)),
)
def polynomials(t, s):
    a = t * 0.8 - s * 0.2
    b = a * a + t * s
    c = (b + 1.0) * (a - b) * 0.25
    return a, b, c, a


@called_with(
    lambda: (floats(4, 5), floats(5)),
    lambda: (floats(4, 5), floats(4, 5)[0]),
    lambda: (in_fortran_order(4, 5), floats(5)),
    lambda: (floats(5, 4).T, floats(5)),
    lambda: (floats(4, 5)[::-1], floats(5)),
    lambda: (floats(4, 5)[:, ::-1], floats(5)[::-1]),
    lambda: (floats(8, 10)[::2, ::2], floats(5)),
    lambda: (np.broadcast_to(floats(5), (4, 5)), floats(5)),
    lambda: (np.broadcast_to(floats(4, 1), (4, 5)), floats(5)),
    lambda: (windows(8, 5), floats(5)),
    lambda: (floats(0, 5), floats(5)),
    lambda: (floats(4, 0), floats(0)),
    lambda: (floats(1, 1), floats(1)),
    lambda: (floats(4, 5), floats(4)),
    lambda: (floats(3, 1), floats(1)),
)
def rows_and_columns(m, v):
    centred = m - v
    scaled = centred * 0.5 + m
    outer = v[:, None] * v[None, :] + 1.0
    return scaled, outer, centred[:, 1:], scaled.T


@called_with(lambda: (floats(6, 7),), lambda: (windows(12, 7),), lambda: (in_fortran_order(6, 7),))
def every_second_column(m):
    a = m[:, ::2] + 1.0
    return a * a, a - 2.0


@called_with(
    lambda: (floats(20), floats(20)),
    lambda: (floats(20), np.zeros(20)),
    lambda: (floats(3), np.full(3, np.nan)),
    lambda: (floats(0), floats(0)),
)
def chooses_elements(x, y):
    positive = y > 0.0
    a = np.where(positive, x / 2.0, x - y)
    b = np.where(a > 0.5, np.sqrt(np.abs(a)), -a)
    return positive, np.maximum(a, b), np.minimum(b, 0.25)


@called_with(
    lambda: (floats(5), np.array([1.0, 2.0, 0.0, 1.0, 2.0])),
    lambda: (floats(5), np.ones(5)),
    lambda: both(np.zeros(4)),
)
def divides(x, y):
    a = x * 2.0
    b = a / y
    return b + 1.0, a


@called_with(lambda: (floats(5), np.array([1.0, 2.0, 0.0, 1.0, 2.0])), lambda: (floats(5), np.ones(5)))
def divides_in_silence(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        a = x * 2.0
        b = a / y + 1.0
    return b * 2.0 + a


@called_with(lambda: (floats(5), np.array([1.0, 2.0, 0.0, 1.0, 2.0])), lambda: (floats(5), np.ones(5)))
def divides_or_raises(x, y):
    x += 1.0
    x *= x - 0.5
    with np.errstate(divide="raise"):
        x *= 2.0
        x /= y
        x += 1.0
    return x - y


@called_with(
    lambda: (np.arange(8), np.arange(8) % 3),
    lambda: (np.arange(8), np.arange(8) % 3 + 1),
    lambda: (np.full(4, 2**62), np.full(4, 3)),
    lambda: (np.arange(8, dtype="i4"), np.full(8, 2, "i4")),
    lambda: (np.arange(8, dtype="u1"), np.full(8, 250, "u1")),
    lambda: (np.arange(8, dtype="i1"), np.arange(8) + 1),
)
def integers(k, l):
    a = k * l + 3
    b = a - k * 2
    return b // 2, a % 5, a > b, b * 0.5


@called_with(
    lambda: (np.arange(8) > 3, np.arange(8) % 2 == 0), lambda: (np.zeros(0, bool), np.zeros(0, bool))
)
def truth_values(p, q):
    a = (p & q) | ~p
    b = a ^ q
    return a, b, b.any(), np.all(a)


@called_with(
    lambda: (floats(6), 2.0),
    lambda: (floats(6), 2),
    lambda: (floats(6), np.float32(2)),
    lambda: (floats(6), 2**40),
)
def scalars_beside_arrays(x, s):
    half = s * 0.5
    y = x * half + s
    z = (y - half) * y
    return z, half, half + 1


@called_with(lambda: (np.array(2.0), floats(3)), lambda: (np.array(2.0), floats(0)))
def arrays_without_axes(x, y):
    a = x * 2.0
    b = a + y
    c = b * x - a
    return a, c, x + 1.0


@called_with(
    lambda: (np.array(2.0), np.array(0.5)),
    lambda: (np.array(-1.5), np.array(0.5)),
    lambda: (np.array(2.0), np.array(1e200)),
    lambda: (np.array(2.0), floats(3)),
)
def polynomials_without_axes(t, p):
    """Both hold arrays without axes in between: what a polynomial starts with, and what a power is given."""
    first = np.polyval(np.array([1e-9, 2e-3, 0.5]), t)
    second = np.polyval(np.array([3e-3, 0.25]), p)
    return first + (p**2) * second + 3.0 * (p**3), t**2.5 * first


# -- in place ------------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(8),),
    lambda: (floats(2),),
    lambda: (floats(1),),
    lambda: (floats(0),),
    lambda: (floats(8)[::-1],),
    lambda: (unaligned(8),),
    lambda: (np.full(4, 1e308),),
)
def shifts(u):
    inner = u[1:-1]
    before = inner * 1.0
    inner += 0.5 * (u[2:] - 2.0 * inner + u[:-2])
    u[0] = u[-1]
    return inner, before, u


@called_with(
    lambda: (floats(6, 7),),
    lambda: (floats(3, 3),),
    lambda: (floats(2, 2),),
    lambda: (in_fortran_order(6, 7),),
    lambda: (floats(12, 7)[::2],),
    lambda: (floats(1, 7),),
)
def laplacian(u):
    found = np.zeros_like(u)
    found[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
    found[0] = found[1]
    found[:, 0] = found[:, 1]
    return found


@called_with(
    lambda: (floats(6, 6), floats(6, 6) * 0.5),
    lambda: both(floats(5, 5)),
    lambda: (floats(5, 5), floats(5, 4)),
    lambda: (in_fortran_order(5, 5), floats(5, 5)),
)
def reaction(u, v):
    lu = u[:-2, 1:-1] + u[2:, 1:-1] - 2.0 * u[1:-1, 1:-1]
    lv = v[:-2, 1:-1] + v[2:, 1:-1] - 2.0 * v[1:-1, 1:-1]
    a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
    product = a * b * b
    a += 0.2 * lu - product + 0.04 * (1.0 - a)
    b += 0.1 * lv + product - 0.1 * b
    return a, product


@called_with(
    lambda: (floats(6), floats(6)),
    lambda: both(floats(6)),
    lambda: overlapping(6),
    lambda: (floats(6), floats(5)),
)
def changes_arguments(x, y):
    x += y
    y *= x
    z = x - y
    z += x
    x[1:] = y[:-1] + 1.0
    return z, x


@called_with(lambda: (floats(6),), lambda: (np.broadcast_to(floats(1), (6,)),), lambda: (np.arange(6),))
def writes_what_may_be_read_only(x):
    y = x * 2.0
    x[1:] = y[1:] + 1.0
    return y, x


@called_with(lambda: (floats(7), 2), lambda: (floats(7), 9), lambda: (floats(7), -3), lambda: (floats(7), 7))
def slices_by_numbers(x, k):
    middle = x.shape[0] // 2 + k
    y = x[:k] * 2.0
    z = x[-k:] + 1.0
    x[middle:] = 0.5 * x[middle:] + 1.0
    return y, z, x[k:], middle


@called_with(lambda: (floats(9), 3), lambda: (floats(9), 9), lambda: (floats(9), -10))
def fails_in_the_middle(x, k):
    x += 1.0
    y = x * x
    y[k] = 7.0
    x -= y
    return x, y


@called_with(
    lambda: (floats(4, 5), floats(5, 4)), lambda: (floats(4, 4), floats(4, 4)), lambda: both(floats(3, 3))
)
def adds_a_transpose(m, w):
    a = m.T + w
    m[...] = a.T * 0.5
    w -= 1.0
    return m.T, w[1:], m


# -- what comes out ------------------------------------------------------------------------------------------


@called_with(lambda: (floats(5),), lambda: (floats(0),))
def one_array_by_several_names(x):
    a = x * 2.0 + 1.0
    b = a
    b += 1.0
    c = b[:]
    c *= 0.5
    return a, b, c, (a, [c])


@called_with(lambda: (floats(5),), lambda: (floats(1),))
def views_of_new_arrays(x):
    a = np.zeros((x.shape[0], 3))
    a[:, 1] = x * 2.0
    a[:, 2] = x * x - 1.0
    first, last = a[0], a[-1, ::-1]
    a += 1.0
    return first, last, a.T


@called_with(
    lambda: (floats(40),), lambda: (floats(1),), lambda: (np.full(3, np.inf),), lambda: (floats(300)[::-1],)
)
def sums_at_the_end(x):
    y = x * x - 0.5
    z = y * x
    return y.sum(), np.max(z), z.sum() / y.sum(), z.min()


@called_with(lambda: (floats(40) + 2.0,), lambda: (floats(3),), lambda: (floats(8)[::-1] + 2.0,))
def functions_of_numpy(x):
    a = np.exp(-x * x) * 0.5
    b = np.log(x) + a
    return a, np.sin(b) * np.sqrt(x)


@called_with(lambda: (np.linspace(0.1, 30.0, 999),), lambda: (np.linspace(0.1, 30.0, 7),))
def functions_of_reversed_arrays(x):
    """NumPy's loops take another way where they run backwards: other bits."""
    x = x * 0.5 + 1.0
    y = x[::-1]
    a = np.log10(y) + np.exp(y * 0.5)
    b = np.cbrt(y[1:]) - np.sinh(x[:0:-1] * 0.1)
    return a, b, np.log2(x[::2]) * 2.0 + a[::2]


@called_with(
    lambda: (floats(3, 4) + 2.0,),
    lambda: (in_fortran_order(3, 4) + 2.0,),
    lambda: (floats(3, 4)[:, ::-1] + 2.0,),
)
def functions_of_matrices(m):
    a = np.exp(-m) * 0.5
    return np.log(a) + m, a


@called_with(lambda: (floats(5),), lambda: (floats(5).astype("f4"),))
def copies_and_casts(x):
    a = x.copy() * 2.0
    b = a.astype(np.float32) + np.float32(1.0)
    c = np.ones_like(b) - b
    return a, b, c, np.full(3, 0.5) * 2.0


# -- around loops --------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(6, 6), 3),
    lambda: (floats(6, 6), 0),
    lambda: (floats(2, 2), 2),
    lambda: (in_fortran_order(5, 5), 2),
)
def views_before_a_loop(u, steps):
    inner = u[1:-1, 1:-1]
    for _ in range(steps):
        inner += 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] - 2.0 * inner)
    return inner


@called_with(lambda: (floats(6), 3), lambda: (floats(6), 6), lambda: (floats(6), 7), lambda: (floats(0), 0))
def arrays_around_a_loop(x, n):
    a = x * 2.0 + 1.0
    found = np.zeros(x.shape[0])
    for i in range(n):
        found[i] = a[i] * a[i - 1]
    total = found + a
    return total, total.sum(), found


@called_with(lambda: (floats(6), 3), lambda: (floats(6), 0), lambda: (floats(1), 4))
def arrays_that_change_places(x, steps):
    old = x * 1.0
    new = old + 0.5
    for _ in range(steps):
        new[1:] = old[:-1] * 0.5
        old, new = new, old
    return old, new, old + new


@called_with(lambda: (floats(6), True), lambda: (floats(6), False), lambda: (floats(0), True))
def arrays_around_a_branch(x, flag):
    a = x * 2.0 + 1.0
    b = a - x
    if flag:
        b = b * a + 1.0
    c = b * 0.5 + a
    return a, b, c


@called_with(lambda: (floats(6), 0.5), lambda: (floats(6), -0.5))
def raises_in_a_branch(x, limit):
    x += 1.0
    a = x * x
    if limit < 0:
        raise ValueError("the limit is negative")
    a = np.minimum(a, limit) + x
    return a * 2.0


# -- NumPy's loops beside arithmetic -------------------------------------------------------------------------


@called_with(lambda: (floats(5), 2.0), lambda: (floats(5), 0.0), lambda: (np.zeros(3), 0.0))
def warns_before_a_loop_that_clears_flags(found, divisor):
    """NumPy's loops of some functions clear the processor's flags."""
    for i in range(len(found)):
        found[i] = found[i] / np.float64(divisor)
        found[:] = np.fmax(found, -1.0)
    return found.max()


@called_with(
    lambda: (floats(3), floats(3)),
    lambda: (np.array([0.0]), np.array([-0.5])),
    lambda: (np.array([-0.0, 0.0]), np.array([0.5, -0.5])),
    lambda: (floats(0), floats(0)),
)
def dots_of_few(a, b):
    """``np.dot`` of one element keeps the sign of zero; ``@`` adds it to zero."""
    some = (a * 1.0) @ (b * 1.0)
    return np.dot(a * 1.0, b * 1.0), some, a * b + 0.0


@called_with(
    lambda: (floats(6, 6), floats(6)),
    lambda: (floats(1, 1), floats(1)),
    lambda: (floats(6, 6).astype("f4"), floats(6).astype("f4")),
)
def dots_that_grow(m, b):
    """Rows of no element, of one and of several, in one loop."""
    found = np.zeros(len(b), dtype=b.dtype)
    for i in range(len(b)):
        found[i] = b[i] - np.dot(m[i, :i], found[:i])
        found[i] += np.dot(m[i, i:], m[i:, i])
    return found


@called_with(
    lambda: (floats(5), np.arange(5)),
    lambda: (floats(0), np.arange(0)),
    lambda: (floats(5).astype("f4"), np.arange(5, dtype="i2")),
    lambda: (floats(9)[::2], np.arange(5)),
    lambda: (np.array([1e308, -1e308, 0.0]), np.arange(3)),
)
def as_arrays(a, k):
    """An array that has the dtype is the same one; what is written to it is seen."""
    x = np.asarray(a)
    y = np.asarray(k, dtype=np.float64)
    z = np.array(k, float) + np.array(a, dtype=np.float64)
    x[:1] = x[:1] * 0.5
    return x, (y * 2.0 + z) * 2.0, np.asarray([1.0, 2.0]) * 3.0 + a.sum()


# -- results that are not there before a loop is left -------------------------------------------------------------


@called_with(
    lambda: (np.arange(20.0).reshape(4, 5) % 3, 1),
    lambda: (np.arange(20).reshape(4, 5) % 7, 2),
    lambda: (np.ones((3, 3)), 2),
    lambda: (np.ones((3, 3)), 0),
    lambda: (np.zeros((0, 2)), 1),
)
def rows_above_their_neighbours(a, order):
    """The array that is returned out of the loop is not there when its statements run for the first time."""
    places = np.arange(len(a))
    above = np.ones(a.shape, dtype=bool)
    for shift in range(1, order + 1):
        behind = a.take(places + shift, axis=0, mode="clip")
        before = a.take(places - shift, axis=0, mode="clip")
        above &= np.greater(a, behind)
        above &= np.greater(a, before)
        if not above.any():
            return above
    return above


@called_with(
    lambda: (np.linspace(-1.0, 2.0, 9), 3),
    lambda: (np.linspace(-1.0, 2.0, 9), 0),
    lambda: (np.linspace(-1.0, 0.0, 3, dtype="f4"), 3),
)
def number_out_of_a_loop(a, turns):
    for turn in range(turns):
        moved = a.take(np.arange(len(a)) - turn, mode="wrap")
        scaled = moved * 2.0 + turn
        total = scaled[0] * moved[-1] + turn
        if total > 1.5:
            return total
        a = scaled - moved * 0.5
    return -1.0


@called_with(
    lambda: (np.linspace(-1.0, 2.0, 9), 0.5),
    lambda: (np.linspace(1.0, 2.0, 4), 0.5),
    lambda: (np.zeros(0), 0.5),
)
def divided_by_what_was_put_in(a, least):
    """A number of Python's own between statements that run together: NumPy warns where it divides by it."""
    a[a < least] = 0.0
    a /= a
    return a / np.sqrt(a)
