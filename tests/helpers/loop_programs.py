"""Loops that native code has to run as NumPy and Python do, or leave to them: each function with its calls.

The calls of a function take other branches, other numbers of iterations, and come to whatever ends a kernel early.
"""

import math

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()


def floats(*shape):
    return np.linspace(-1.0, 2.0, math.prod(shape)).reshape(shape)


def unaligned(size):
    """Floats whose memory starts at an odd address."""
    made = np.zeros(size * 8 + 1, "u1")[1:].view("f8")
    made[:] = floats(size)
    return made


# -- indices -------------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(5), 5),
    lambda: (floats(5), 0),
    lambda: (floats(5), 7),
    lambda: (floats(0), 3),
    lambda: (floats(4), 2**40),
)
def stores_until_an_index_is_outside(a, n):
    for i in range(n):
        a[i] = a[i] * 2.0
    return n


@called_with(
    lambda: (floats(6), -1), lambda: (floats(6), -6), lambda: (floats(6), -7), lambda: (floats(6), 3)
)
def counts_from_the_end(a, k):
    total = 0.0
    for i in range(3):
        total = total + a[k] + a[-i - 1]
        a[k] = total
    return total


@called_with(lambda: (floats(4, 5),), lambda: (floats(1, 1),), lambda: (floats(0, 3),))
def changes_rows(m):
    for row in m:
        row[0] = row[-1] + 1.0
        row[1:] = row[:-1] * 0.5
    return m


@called_with(lambda: (floats(8), 2), lambda: (floats(8), 3), lambda: (floats(8), 9), lambda: (floats(3), -2))
def slices_that_grow(a, k):
    for i in range(1, 4):
        a[: i + k] += a[i]
        a[-i:] *= 0.5
    return a


@called_with(
    lambda: (floats(8), 3),
    lambda: (floats(8), 9),
    lambda: (floats(8), -2),
    lambda: (floats(0), 0),
    lambda: (floats(2), -7),
)
def slices_that_run_backwards(a, k):
    for i in range(3):
        a[: i + 1] += a[i::-1][: i + 1]
        a[k:0:-1] *= 0.5
        a[-i - 2 :: -2] += 1.0
    return a


@called_with(lambda: (floats(6),), lambda: (floats(1),), lambda: (floats(0),))
def stores_over_what_is_read(a):
    for _ in range(3):
        a[1:] = a[:-1] + 0.5
        a[:-1] = a[1:]
    return a


@called_with(
    *(lambda n=n, size=size: (floats(size), n) for n in (0, 1, 3, -2, 9) for size in (5, 1, 0)),
)
def bounds_that_may_be_none(a, n):
    """``-k or None`` reaches to the end where ``k`` is zero."""
    total = np.zeros(4)
    for k in range(2):
        total[0] += a[: -k or None].sum()
        total[1] += a[k - 1 or None : n or None].sum()
        total[2] += (a[n or None :: -1] * 0.5).sum()
        total[3] += (a[: (n - 1) or None : -2] * 0.5).sum()
    return total


@called_with(
    lambda: (floats(6, 4), np.arange(4.0)),
    lambda: (floats(3, 1), floats(1)),
    lambda: (floats(3, 0), floats(0)),
)
def neighbours_in_two_layers(a, weights):
    found = np.zeros_like(a)
    for k in range(2):
        first = 0 if k == 1 else 1
        found[1:-1, first:] += weights[: -1 + k or None] * a[k : -2 + k or None, : -1 + k or None]
    return found


@called_with(
    lambda: (floats(4, 4), 2),
    lambda: (floats(3, 3), 0),
    lambda: (floats(1, 1), 0),
    lambda: (floats(4, 4).T, 1),
)
def axes_stored_along_one_another(m, k):
    """NumPy reads what it has stored where a row and a column that share an item have different strides."""
    for i in range(len(m)):
        m[i] = m[:, k]
    for i in range(len(m)):
        m[1:, i] = m[:-1, i] + 0.0
        m[:-1, i] = m[1:, i]
        m[i] = m[i, ::-1]
        m[i, :2] = m[i, 1:2]
    for _ in range(2):
        m[0, : len(m) // 2 * 2 : 2] = m[0, : len(m) // 2]
    return m


@called_with(lambda: (floats(9), 1), lambda: (floats(9), 2), lambda: (floats(9), 0), lambda: (floats(9), -1))
def steps_from_data(a, step):
    for i in range(2):
        for j in range(i, 9, step):
            a[j] = -a[j]
    return a


@called_with(*(lambda places=places: (floats(5), np.array(places)) for places in ([1, 0], [4, 4], [5, 0])))
def indices_from_an_array(a, where):
    total = 0.0
    for k in range(2):
        total += a[where[k]]
        a[where[k]] = total
    return total, a


# -- numbers -------------------------------------------------------------------------------------------------


@called_with(lambda: (3, 5), lambda: (2**31, 70), lambda: (-7, 200), lambda: (1, 0), lambda: (2**70, 2))
def integers_without_bounds(x, n):
    y = 1
    for i in range(n):
        x = x * 3 - i
        y = (y * 31 + x) % 1000003 if x > 0 else y + 1
    return x, y


@called_with(lambda: (7, 2), lambda: (-7, 2), lambda: (7, -2), lambda: (7, 0))
def divides_integers(a, b):
    found = 0
    for i in range(3):
        found += (a + i) // b + (a - i) % b
    return found, a / b


@called_with(
    lambda: (1.0, 4),
    lambda: (0.0, 4),
    lambda: (-0.0, 4),
    lambda: (math.inf, 4),
    lambda: (math.nan, 4),
    lambda: (1e200, 9),
)
def floats_of_python(x, n):
    y = 1.0
    for i in range(n):
        y = y * x + 1.0 / (x + i)
    return y


@called_with(
    lambda: (np.array([1.0, 2.0, 4.0]),),
    lambda: (np.array([1.0, 0.0, 4.0]),),
    lambda: (np.array([1e308, 1e308]),),
    lambda: (np.array([np.nan, np.inf]),),
    lambda: (np.zeros(0),),
)
def scalars_that_may_warn(a):
    total = np.float64(1.0)
    for x in a:
        total = total / x + x * 10.0
    return total


@called_with(
    lambda: (np.array([1.0, 2.0]), 2),
    lambda: (np.array([1.0, 2.0]), 0),
    lambda: (np.arange(3), 3),
    lambda: (np.arange(3.0, dtype="f4"), 3),
)
def sum_that_begins_with_zero(a, n):
    total = 0
    for i in range(n):
        total += a[i]
    return total


@called_with(lambda: (2.0, 3), lambda: (2, 3), lambda: (2, 0))
def number_of_two_types(x, n):
    best = 0
    for i in range(n):
        if x * i > 1.5:
            best = 0.5
    return best


@called_with(
    lambda: (np.array([100, 27, 1], np.int8),),
    lambda: (np.array([1, 2, 3], np.int8),),
    lambda: (np.array([200, 100], np.uint8),),
)
def narrow_integers(a):
    wide = 0
    for i in range(len(a) - 1):
        wide += int(a[i])
        a[i] = a[i] + a[i + 1]
    return wide, a


@called_with(lambda: (np.arange(5, dtype=np.int32) * 2**29,), lambda: (np.arange(5, dtype=np.int64) * 2**61,))
def integers_of_arrays_wrap_around(a):
    for _ in range(2):
        a[1:] = a[:-1] * a[1:] + 7
        a -= 3
    return a


@called_with(
    lambda: (np.array([7, -7, 0]), 2),
    lambda: (np.array([7, -7, 0]), 0),
    lambda: (np.array([-(2**63), 1]), -1),
)
def arrays_of_integers_are_divided(a, b):
    for _ in range(1):
        a[:] = a // b + a % b
    return a


@called_with(
    lambda: (np.array([0.5, -2.0, 4.0]),), lambda: (np.array([2.0, 1e308]),), lambda: (np.array([-1.0]),)
)
def functions_of_numpy(a):
    total = 0.0
    for x in a:
        total += np.sin(x) + np.exp(x) - np.sqrt(abs(x)) + np.minimum(x, 1.0) ** 3
    return total


@called_with(lambda: (4.0,), lambda: (-4.0,), lambda: (0.0,), lambda: (math.inf,), lambda: (9,))
def functions_of_math(x):
    total = 0.0
    for i in range(3):
        total += math.sqrt(x) + float(i) ** 2.5
    return total


@called_with(lambda: (2.0, 0.5), lambda: (-2.0, 0.5), lambda: (0.0, -1.0), lambda: (10.0, 400.0))
def powers(x, y):
    found = 0.0
    for _ in range(2):
        found += x**y
    return found


@called_with(lambda: (5, 3), lambda: (5, 63), lambda: (5, -1), lambda: (2**30, 40))
def shifts(x, by):
    found = 0
    for _ in range(2):
        found ^= (x << by) | (x >> by) & ~x
    return found


# -- control flow --------------------------------------------------------------------------------------------


@called_with(lambda: (floats(9), 0.5), lambda: (floats(9), 5.0), lambda: (floats(0), 0.5))
def leaves_a_loop(a, limit):
    found = -1
    for i in range(len(a)):
        if a[i] > limit:
            found = i
            break
    else:
        found = -2
    return found


@called_with(lambda: (floats(9), 0.5), lambda: (floats(9), -5.0), lambda: (floats(9), 5.0))
def returns_from_a_loop(a, limit):
    for x in a:
        if x > limit:
            return x
    return None


@called_with(lambda: (floats(9), 0.5), lambda: (floats(9)[::-1], -5.0), lambda: (floats(0), 5.0))
def none_before_the_first(a, limit):
    best = None
    for x in a:
        if best is None or x < best:
            best = float(x)
    return best


@called_with(lambda: (floats(4), 1.0), lambda: (floats(4), -3.0))
def raises_in_a_loop(a, limit):
    for i in range(len(a)):
        if a[i] < limit - 1.5:
            raise ValueError("too small")
        a[i] = 0.0
    return a


@called_with(lambda: (10, 3), lambda: (0, 3), lambda: (27, 200))
def while_with_a_condition(n, most):
    count = 0
    while n > 1 and count < most:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return n, count


@called_with(lambda: (floats(3), floats(4)), lambda: (floats(0), floats(4)))
def walks_two_arrays(a, b):
    total = 0.0
    for k, (x, y) in enumerate(zip(a, reversed(b))):
        total += x * y * k
    return total


@called_with(lambda: (floats(5), 2), lambda: (floats(5), 0))
def nothing_is_carried(a, n):
    for i in range(n):
        if a[i] > 0:
            continue
        a[i] = -a[i]
    return i if n else None


# -- arrays --------------------------------------------------------------------------------------------------


def _overlapping():
    a = floats(8)
    return a[1:], a[:-1]


@called_with(
    lambda: (floats(5), floats(5)),
    _overlapping,
    lambda: (floats(5)[::-1], floats(5)),
    lambda: (floats(5), floats(4)),
    lambda: (floats(5), floats(1)),
)
def arrays_that_may_overlap(a, b):
    for _ in range(2):
        a[:] = a + b
        b[1:] += a[:-1]
    return a, b


@called_with(
    lambda: (floats(4), floats(4)), lambda: (floats(4), np.arange(4)), lambda: (floats(4), floats(1))
)
def results_into_an_array(a, b):
    for _ in range(2):
        np.add(a, b, out=b)
        np.multiply(a, b, a)
        np.subtract(a, 1.0, out=a[:])
    return a, b


def _read_only():
    a = floats(4)
    a.flags.writeable = False
    return (a,)


@called_with(lambda: (floats(4),), _read_only)
def array_that_can_not_be_written(a):
    for i in range(2):
        a[i] = 1.0
    return a


@called_with(
    lambda: (floats(3, 4), 0.5),
    lambda: (floats(3, 4).T, 0.5),
    lambda: (floats(6, 8)[::2, ::2], 0.5),
    lambda: (floats(0, 4), 0.5),
)
def layouts(m, s):
    for i in range(m.shape[0]):
        m[i] = m[i] * s + m[i, ::-1]
        for j in range(m.shape[1]):
            m[i, j] += s * j
    return m


@called_with(
    lambda: (floats(4, 4), floats(4)), lambda: (floats(4, 4), floats(3)), lambda: (floats(0, 0), floats(0))
)
def products(m, v):
    total = 0.0
    for i in range(len(m)):
        total += m[i, :i] @ v[:i] + np.dot(v, m[i])
        v[:] = m @ v / (1.0 + abs(total))
    return total, v


@called_with(lambda: (floats(300),), lambda: (floats(1),), lambda: (floats(0),))
def sums(a):
    total = np.float64(0.0)
    for i in range(3):
        total += a[i:].sum() + np.sum(a * a) + a.max()
    return total


@called_with(lambda: (floats(7),), lambda: (floats(7)[::-1],))
def functions_of_arrays(a):
    for _ in range(2):
        a[:] = np.exp(-(a**2)) + np.sin(a) * 0.5
        a[1:] = np.maximum(a[:-1], 0.25)
    return a


@called_with(lambda: (np.array([True, False, True]), 3), lambda: (np.array([True]), 2))
def truth_values(flags, n):
    count = 0
    for i in range(n):
        if flags[i] and not flags[-1]:
            count += 1
        flags[i] = not flags[i]
    return count, flags


@called_with(lambda: (np.array([1.5, -2.5, 1e300]),), lambda: (np.array([0.5]),))
def single_precision(a):
    b = a.astype(np.float32)
    for i in range(len(a)):
        b[i] = a[i] * b[i]
        b[i] += 0.1
    return b


@called_with(lambda: (4, 3), lambda: (0, 3), lambda: (2, 0), lambda: (-1, 2))
def arrays_made_in_a_loop(n, times):
    total = 0.0
    for i in range(times):
        a = np.zeros(n)
        b = np.full((n, 2), i)
        c = np.empty_like(a)
        c[:] = i + 0.5
        a[1:] = np.ones(n)[1:] * c[:-1]
        total += a.sum() + b[:, 1].sum() * np.float32(2.0)
    return total


@called_with(
    lambda: (floats(3, 4),), lambda: (floats(4, 3).T,), lambda: (floats(1, 1),), lambda: (floats(0, 2),)
)
def transposed_and_chosen(m):
    total = 0.0
    for i in range(m.shape[1]):
        column = m.T[i]
        column[:] = np.where(column > 0.5, column * 2.0, 0)
        other = column.copy()
        column[1:] += other[:-1]
        total += np.float64(other.astype(np.float32).sum()) + (
            np.any(column > 1.0) and not np.all(other < 3.0)
        )
        if len(other):
            total += column[np.argmax(other)] - other[column.argmin()]
    return total, m


@called_with(
    lambda: (np.array([1.0, np.nan, 3.0, np.nan]),),
    lambda: (np.array([2, 5, 5, 1]),),
    lambda: (np.array([-0.0, 0.0]),),
    lambda: (np.zeros(0),),
)
def places_of_extremes(a):
    found = 0
    for i in range(2):
        found += a[i:].argmax() * 10 + np.argmin(a)
    return found


# -- what a fresh reader found ----------------------------------------------------------------------------------


@called_with(
    lambda: (np.array([100, -100]), np.zeros(2, "i1")),
    lambda: (np.array([200]), np.zeros(1, "i1")),
    lambda: (np.array([7, -1]), np.zeros(2, "u1")),
    lambda: (np.array([2**40]), np.zeros(1, "i4")),
    lambda: (np.array([200], "u1"), np.zeros(1, "i1")),
)
def stores_integers_among_narrower_ones(a, out):
    for i in range(len(a)):
        out[i] = a[i]


@called_with(lambda: (np.array([1, 2], "i1"), 100), lambda: (np.array([1, 2], "i1"), 300))
def smaller_of_a_narrow_integer_and_a_number(a, most):
    out = np.zeros(2, "i1")
    for i in range(len(a)):
        out[i] = np.minimum(a[i], most)
    return out


@called_with(
    lambda: (np.ones(3), 3),
    lambda: (-np.ones(60), 33),
    lambda: (-np.ones(60), 34),
    lambda: (-np.ones(60), 60),
    lambda: (np.array([-1.0] * 5 + [1.0, -1.0]), 7),
)
def grows_as_an_integer_or_float(a, n):
    x = 1
    for i in range(n):
        if a[i] > 0:
            x = x * 1.5
        else:
            x = x * 3
    return x


@called_with(lambda: (0, 1.0), lambda: (0, 2.0), lambda: (3, 1.0))
def negates_an_integer_or_float(x, y):
    for i in range(3):
        if i < 2:
            x = -x
        else:
            x = x * y
    return x


@called_with(lambda: (np.array([0, 9]),), lambda: (np.array([-(2**62), 2**62]),), lambda: (np.array([5, 2]),))
def range_between_elements(a):
    k = 0
    for _ in range(1):
        for _ in range(a[0], a[1]):
            k += 1
            if k > 3:
                break
    return k


@called_with(lambda: (np.ones(3), np.array([5])), lambda: (np.ones(3), np.array([2**63 - 1])))
def enumerate_from_an_element(a, b):
    k = 0
    for _ in range(1):
        for i, _ in enumerate(a, b[0]):
            k = i
    return k


@called_with(lambda: (np.ones(3), np.array([0, 9, 2])), lambda: (np.ones(3), np.array([0, 2**63 - 1, 2**62])))
def zip_with_a_range_between_elements(a, b):
    k = 0
    for _ in range(1):
        for i, _ in zip(range(b[0], b[1], b[2]), a):  # noqa: B905
            k = i
    return k


@called_with(lambda: (floats(2, 3),), lambda: (floats(2, 0),))
def slices_with_a_large_step(out):
    for i in range(len(out)):
        out[i, :: 2**40] = 7.0


@called_with(
    lambda: (np.zeros(1, "f4"), np.array([3])), lambda: (np.zeros(1, "f4"), np.array([2**60 + 2**36 + 1]))
)
def python_integers_among_narrow_floats(out, b):
    same = 0
    for i in range(len(out)):
        k = int(b[i])
        out[i] = k
        out[i] = out[i] + k
        if out[i] == k:
            same += 1
    return same


@called_with(lambda: (floats(7, 5), floats(5)), lambda: (np.asfortranarray(floats(57, 43)), floats(43)))
def product_of_a_temporary(a, v):
    out = np.empty((2, len(a)))
    for i in range(2):
        t = a * 2.0
        out[i, :] = t @ v
    return out


@called_with(
    lambda: (np.zeros(3), 2),
    lambda: (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), 1),
    lambda: (np.lib.stride_tricks.as_strided(np.arange(9.0), (4, 3), (8, 8)), 2),
    lambda: (np.lib.stride_tricks.as_strided(np.arange(9.0), (2, 2), (8, 16)), 2),
)
def adds_in_place(x, n):
    for _ in range(n):
        x += 1.0


@called_with(
    lambda: (np.ones((1, 3)), np.ones((1, 3)), np.zeros((1, 3))),
    lambda: (np.ones((1, 3)), np.array([[1.0, 0, 2]]), np.zeros((1, 3))),
)
def divides_where_it_is_chosen(a, b, out):
    for i in range(len(a)):
        out[i, :] = np.where(b[i] != 0, a[i] / b[i], 0.0)


@called_with(lambda: (np.ones(3), np.zeros(3)), lambda: (np.array([1.0, 0, 2]), np.zeros(3)))
def divides_in_front_of_a_branch(a, out):
    for i in range(len(a)):
        t = 1.0 / a[i]
        if i > 5:
            out[i] = t


@called_with(lambda: (np.ones(3),), lambda: (np.array([1.0, 0, 2]),))
def keeps_the_last_quotient(a):
    x = 1.0
    for v in a:
        x = 1.0 / v
    return x


@called_with(lambda: (np.ones(3),), lambda: (np.array([1e200, 4.0]),))
def keeps_the_last_square(a):
    x = 1.0
    for v in a:
        x = v * v
    return x


@called_with(lambda: (np.ones(3),), lambda: (np.array([-1.0, 4.0]),))
def keeps_the_last_root(a):
    x = 1.0
    for v in a:
        x = np.sqrt(v)
    return x


@called_with(
    lambda: (np.ones(2), np.zeros(2)),
    lambda: (np.array([1e308]), np.array([-1e308])),
    lambda: (np.array([np.inf]), np.array([np.inf])),
)
def counts_differences(a, b):
    n = 0
    for i in range(len(a)):
        if a[i] - b[i] > 0:
            n += 1
    return n


@called_with(lambda: (np.ones((2, 3)), np.zeros(2)), lambda: (np.zeros((2, 3)), np.zeros(2)))
def divides_by_a_sum(a, out):
    for i in range(len(a)):
        s = a[i].sum()
        r = 1.0 / s
        if s > 0:
            out[i] = r


@called_with(lambda: (np.ones(3), np.ones(3)), lambda: (np.ones(3), np.array([1.0, 0, 0])))
def stores_quotients_in_one_place(a, b):
    out = np.zeros(1)
    for i in range(len(a)):
        out[0] = a[i] / b[i]
        out[0] = 2.0
    return out


@called_with(
    lambda: (np.ones(3), np.zeros(3, "f4"), 2.0), lambda: (np.array([1e300]), np.zeros(1, "f4"), 1e308)
)
def stores_floats_among_narrower_ones(a, out, x):
    below = 0
    for i in range(len(a)):
        out[i] = a[i]
        if out[i] < x:
            below += 1
    return below


@called_with(lambda: (np.array([np.nan, 1.0, -2.0]),))
def signs_of_products(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = np.copysign(1.0, a[i] * -1.0)
    return out


@called_with(
    lambda: (floats(50),),
    lambda: (unaligned(9000),),
)
def sums_and_products_of_odd_arrays(a):
    total = np.float64(0)
    for _ in range(2):
        total += a.sum() + a @ a + np.dot(a, a)
    return total


@called_with(lambda: (floats(1000)[::-1], floats(1000)), lambda: (floats(1000), floats(1000)))
def dot_of_a_reversed_array(a, b):
    total = np.float64(0)
    for _ in range(2):
        total += np.dot(a, b)
    return total


@called_with(
    lambda: (np.ones((2, 3), np.longlong), np.zeros(2)), lambda: (np.ones((2, 3), np.int64), np.zeros(2))
)
def sums_of_rows(a, out):
    for i in range(len(out)):
        out[i] = a[i].sum()


@called_with(lambda: (3, 2), lambda: (3, -1), lambda: (2, 2**31))
def makes_an_array_in_a_loop(n, m):
    total = 0.0
    for i in range(n):
        o = np.zeros((m, m))
        o[0, 0] = i
        total += o[0, 0]
    return total


# -- arrays that loops replace --------------------------------------------------------------------------------


@called_with(
    lambda: (floats(9), 3),
    lambda: (floats(9), 0),
    lambda: (floats(2), 4),
    lambda: (np.array([np.inf, 1.0, 2.0]), 2),
)
def exchanges_two_arrays(u, steps):
    old = u.copy()
    new = u.copy()
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            new[i] = (old[i - 1] + old[i + 1]) * 0.5
        old, new = new, old
    return old


@called_with(
    lambda: (floats(9), 0.1, 3), lambda: (floats(9), 0.1, 0), lambda: (np.array([1e308, 1e308]), 10.0, 3)
)
def steps_by_new_arrays(u, dt, steps):
    for _ in range(steps):
        u = u + dt * u
    return u


@called_with(
    lambda: (floats(5), floats(5), 3), lambda: (floats(5), floats(5), 0), lambda: (floats(5), floats(6), 2)
)
def exchanges_arguments(a, b, n):
    for i in range(n):
        a[i] = b[i] + 1.0
        a, b = b, a
    return a


@called_with(lambda: (floats(6), 4), lambda: (floats(6), 1))
def looks_at_what_it_replaced(u, steps):
    total = 0.0
    for _ in range(steps):
        before = u
        u = u * 0.5
        before[0] = 1.0
        total += before[0] + u[0]
    return total


@called_with(lambda: (floats(6), 1.0), lambda: (floats(6), -1.0))
def chooses_an_array(a, limit):
    total = 0.0
    for i in range(len(a)):
        b = a * 2.0 if a[i] > limit else a
        total += b[i]
        b[i] = 0.0
    return total


@called_with(lambda: (floats(4, 4), 3), lambda: (np.asfortranarray(floats(4, 4)), 3))
def multiplies_again(m, n):
    v = np.ones(len(m))
    for _ in range(n):
        w = m @ v
        v = w / w[0]
    return v


@called_with(lambda: (floats(8), 3), lambda: (floats(8), 5))
def nested_replacements(u, n):
    for _ in range(n):
        for _ in range(2):
            u = u * 0.5 + 1.0
        u = u - 0.25
    return u


@called_with(lambda: (floats(5), 1e-3), lambda: (floats(5), 1e3))
def repeats_until_it_is_still(x, tolerance):
    error = 1e9
    count = 0
    while error > tolerance and count < 50:
        new = x * 0.5
        error = abs(new - x).max()
        x = new
        count += 1
    return x, count


# -- arrays of indices ---------------------------------------------------------------------------------------


def numbers(*shape):
    return np.arange(math.prod(shape)).reshape(shape)


@called_with(
    lambda: (floats(6), np.array([2, 0, 5, 2]), 3),
    lambda: (floats(6), np.array([2, -1, -6]), 1),
    lambda: (floats(6), np.array([2, 6]), 2),
    lambda: (floats(6), np.array([], int), 2),
    lambda: (floats(6)[::-1], np.array([1, 2, 3, 0], np.int32)[::-1], 2),
    lambda: (floats(6), np.array([-7, 1]), 0),
    lambda: (floats(8)[::2], np.array([3, 1], np.uint8), 2),
)
def gathers(a, where, n):
    total = 0.0
    for i in range(n):
        b = a[where] * 2.0
        total += (a[where] + i).sum() + len(b)
        a[where] = b - 0.5
    return total


@called_with(
    lambda: (floats(5, 4), np.array([0, 3, 0]), np.array([1, 1, 2])),
    lambda: (np.asfortranarray(floats(5, 4)), np.array([0, 3, 0]), np.array([1, 1, 2])),
    lambda: (floats(5, 4), np.array([0, 5]), np.array([1, 1])),
    lambda: (floats(5, 4), np.array([0, 3]), np.array([1, 1, 2])),
    lambda: (floats(5, 4), np.array([0]), np.array([1])),
    lambda: (floats(4, 5).T, np.array([1, 3]), np.array([-1, -4])),
    lambda: (floats(5, 0), np.array([1, 3]), np.array([], int)),
)
def gathers_along_axes(m, rows, columns):
    total = 0.0
    for i in range(len(m)):
        total += m[i, columns].sum() + (m[rows, columns] * 2.0).sum() + m[rows, i % 4].sum()
        m[i, columns] = m[i, columns] + 1.0
        m[rows] = m[rows] * 0.5
        m[:, columns] += m[:, columns] * 0.25
        m[rows, columns] = total
    return total


@called_with(
    lambda: (floats(5, 6, 4), np.array([2, 1, 2])),
    lambda: (floats(5, 6, 4), np.array([2])),
    lambda: (floats(4, 0, 4), np.array([2, 9])),
)
def rows_and_planes(m, where):
    out = np.zeros((len(where), 4))
    for i in range(len(m)):
        out += m[i, where] + m[i][where, :] + m[:4, where, i % 4].T - m[i, where, None, :][:, 0]
        out[:, 1:3] = m[1:3, i, where].T
    return out


@called_with(
    lambda: (np.zeros(5), np.array([1, 3, 1, 1]), floats(4)),
    lambda: (np.zeros(5), np.array([1, 3, 1, 1])[::-1], floats(4)),
    lambda: (np.zeros(5), np.array([1, 3, -5, 5]), floats(4)),
    lambda: (np.zeros(5), np.array([1, 3]), floats(1)),
    lambda: (np.zeros(5), np.array([1, 3]), floats(3)),
    lambda: (np.zeros(5, np.float32), np.array([1, 3]), floats(2)),
)
def the_last_of_equal_indices_counts(a, where, values):
    for i in range(3):
        a[where] = values * i
    return a


@called_with(lambda: (np.array([1, 2, 0, 3]), 2), lambda: (np.array([3, 2, 0, 1]), 0))
def indices_that_are_stored_to(p, n):
    for _ in range(n):
        p[p] = p[::-1] + 0
    for i in range(n):
        p[i] = p[p][i]
    return p


@called_with(
    lambda: (floats(6), np.array([True, False, True, True, False, False]), 3),
    lambda: (floats(6), np.zeros(6, bool), 2),
    lambda: (floats(6), np.ones(6, bool), 0),
    lambda: (floats(6), np.ones(5, bool), 2),
    lambda: (floats(0), np.ones(0, bool), 2),
    lambda: (floats(12)[::-2], np.array([True, False] * 6)[::2], 2),
)
def masks(a, mask, n):
    total = 0.0
    for i in range(n):
        chosen = a[mask]
        total += chosen.sum() + chosen.size + a[a > 0.0].size
        a[mask] = chosen * 0.5
        a[mask] *= -1
        a[a > 1.0] = 0.25
        a[mask & (a < 0)] = i
    return total


@called_with(
    lambda: (floats(4, 5), 3),
    lambda: (np.asfortranarray(floats(4, 5)), 2),
    lambda: (floats(4, 5)[::-1, ::2], 2),
    lambda: (floats(0, 5), 2),
)
def masks_of_matrices(m, n):
    found = 0.0
    for i in range(n):
        inside = m < 0.5 + i
        m[inside] = m[inside] ** 2 + m[inside]
        found += m[inside].sum()
        m[m > 2.0] = i
        rows = m[:, 1] > 0.0
        found += m[rows].size
        m[rows, 0] = 7.0
        m[rows, 1:] *= 0.5
    return found


@called_with(
    lambda: (floats(5, 5), 4),
    lambda: (floats(5, 5), 1),
    lambda: (floats(5, 5), 0),
    lambda: (floats(5, 5).T, 3),
    lambda: (floats(4, 5), 5),
)
def exchanges_rows(m, n):
    for k in range(n):
        p = (k * 3 + 1) % n
        m[[k, p]] = m[[p, k]]
        m[:, [0, k]] = m[:, [k, 0]]
    return m


@called_with(
    lambda: (floats(7), np.array([0, 3, 3, 7]), np.array([1, 0, 2, 2, 1, 0, 2]), floats(3)),
    lambda: (floats(7), np.array([0, 3, 9]), np.array([1, 0, 2, 2, 1, 0, 2]), floats(3)),
    lambda: (floats(7), np.array([0, 3, 7], np.int32), np.array([1, 0, 2, 2, 1, 3, 2]), floats(3)),
    lambda: (floats(0), np.array([0]), np.array([], int), floats(3)),
)
def rows_of_a_sparse_matrix(values, starts, columns, x):
    y = np.empty(len(starts) - 1)
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        y[i] = values[row] @ x[columns[row]]
    return y


@called_with(lambda: (floats(4), np.array([1.0, 0.0, 2.0, 1.0]), 3), lambda: (floats(4), floats(4), 0))
def looks_at_one_of_many_quotients(a, b, n):
    total = 0.0
    for i in range(n):
        total += (a / b)[0] + len(a / b)
    return total


@called_with(
    lambda: (floats(3, 4), np.array([1.0, 0.0, 2.0, 1.0]), 2),
    lambda: (floats(0, 4), np.array([1.0, 0.0, 2.0, 1.0]), 2),
    lambda: (floats(0, 4), np.array([1.0, 1.0, 2.0, 1.0]), 2),
)
def quotients_in_each_row(m, d, n):
    for _ in range(n):
        m += 1.0 / d
        m[:] = 2.0 / d
    return m


@called_with(lambda: (floats(3), 2), lambda: (floats(1), 2))
def an_array_in_the_place_of_one_item(a, n):
    for _ in range(n):
        one = np.zeros(1)
        one[:] = a
        a = a + one
    return a


@called_with(
    lambda: (floats(3, 4), 2), lambda: (np.asfortranarray(floats(3, 4)), 2), lambda: (floats(4, 3).T, 0)
)
def a_matrix_comes_out(u, n):
    for _ in range(n):
        u = u * 0.5
    return u


@called_with(lambda: (floats(4, 4), 1.5, True), lambda: (floats(4, 4), 0.0, False))
def python_or_numpy_beside_arrays(m, limit, flag):
    for i in range(len(m) - 1):
        if m[i, i] > limit:
            c, s = 1.0, 0.0
        else:
            c, s = m[i, 0] * 0.5, m[i, 1] + 1.0
        m[i] = c * m[i] + s * m[i + 1]
    return m


@called_with(lambda: (np.array([3, 1, 2, 4]), 9), lambda: (np.array([3, 1, 2]), 2))
def an_index_of_python_or_numpy(steps, room):
    taken = np.zeros(12, np.int64)
    for step in steps:
        taken[room] = room
        room -= step
    return taken, room


# -- arrays of numbers and of other arrays' elements -----------------------------------------------------------


@called_with(lambda: (floats(3), 4), lambda: (floats(3), 0), lambda: (floats(3), 1), lambda: (floats(2), 2))
def arrays_of_numbers(y, n):
    path = np.zeros((n + 1, 3))
    for i in range(n):
        step = np.array([y[1] - y[0], y[0] * (28.0 - y[2]), i])
        turned = np.array([[1.0, i], [y[0], 2]])
        path[i + 1] = y + 0.1 * step
        path[i, :2] = turned @ path[i, :2] + np.array([i, 2 * i])[::-1]
        y = path[i + 1].copy()
    return path


@called_with(
    lambda: (floats(4), floats(3), 2),
    lambda: (floats(0), floats(3), 1),
    lambda: (floats(4)[::-2], floats(3), 2),
)
def pairs_of_elements(a, b, n):
    m = np.zeros((len(a), len(b)))
    for i in range(n):
        m += np.outer(a, b) * i
        m -= np.add.outer(a, b * 2.0)
        m[:, 0] = np.multiply.outer(a[1:2], b)[0, 1] - np.subtract.outer(b, b)[2, 0]
    return m


@called_with(
    lambda: (floats(5), 3), lambda: (floats(1), 2), lambda: (floats(5)[::-1], 0), lambda: (floats(0), 2)
)
def joined_and_rolled(a, n):
    total = np.zeros(2 * len(a))
    for i in range(n):
        both = np.concatenate([a, a[::-1] * 2.0])
        total += both + np.concatenate((both[1:], both[:1]))
        a += np.roll(a, i) - np.roll(a, -1) * 0.5 + np.roll(a, 7)
    return total


@called_with(
    lambda: (floats(3, 4), 2),
    lambda: (np.asfortranarray(floats(3, 4)), 2),
    lambda: (floats(1, 4), 3),
    lambda: (floats(0, 4), 1),
)
def matrices_rolled_and_joined(m, n):
    for i in range(n):
        m += np.roll(m, 1, 0) - np.roll(m, i, axis=1) * np.roll(m, -3, -1)
        m[:] = np.concatenate((m[1:], m[:1])) * 0.5
    return m


@called_with(
    lambda: (floats(5), numbers(5), np.array([250, 9, 4, 1, 0], np.uint8)),
    lambda: (floats(1), numbers(1), np.ones(1, np.uint8)),
    lambda: (floats(0), numbers(0), np.ones(0, np.uint8)),
    lambda: (np.array([1e308, 1e308]), np.array([2**62, 2**62]), np.ones(2, np.uint8)),
    lambda: (floats(8)[::-2], numbers(4), np.ones(4, np.int16)),
)
def sums_so_far(a, b, c):
    total = 0.0
    for i in range(2):
        total += np.cumsum(a * 0.5)[-1] + np.cumsum(b)[-1] + np.diff(a).size
        a[1:] += np.diff(a) + np.diff(b) + np.diff(c)
        b[:] = np.cumsum(b)
    return total


@called_with(
    lambda: (floats(4), floats(3, 4), 3),
    lambda: (floats(4), floats(3, 4), 0),
    lambda: (floats(4), floats(3, 5), 2),
)
def views_that_repeat(a, m, n):
    for i in range(n):
        row = np.broadcast_to(a, (3, 4))
        m += row * np.broadcast_to(m[:, 0:1], m.shape)
        a[0] = i
        m[:, 1] = row[:, 0] + row[1, 2] + np.broadcast_to(a[:, None], (4, 2)).T[0, 1]
    return m


@called_with(lambda: (floats(3), 2), lambda: (floats(3), 0))
def writes_a_view_that_repeats(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    for i in range(n):
        row = np.broadcast_to(a, (2, 3))
        row[0] = i
    return total


@called_with(
    lambda: (floats(5), np.array([0, 1, 2, 0, 3]), np.array([True, False, True, True, False])),
    lambda: (np.array([np.nan, 0.0, -0.0]), np.array([0, 1, 2]), np.array([True, False, True])),
)
def truth_of_elements(a, b, c):
    found = np.zeros(len(a), bool)
    total = 0
    for i in range(len(a)):
        found |= np.logical_and(a > 0.5, b) ^ np.logical_or(c, a) & np.logical_not(b)
        found[i] = np.logical_xor(a[i], b[i])
        if np.logical_and(a[i] > 0, b[i] < 3):
            total += i
    return found, total


@called_with(
    lambda: (np.array([5, 2**31, 7, 2**32 - 1], np.uint32), 3),
    lambda: (np.array([5, -7, 2**62, -(2**63)]), 3),
    lambda: (np.array([200, 7], np.uint8), 7),
    lambda: (np.array([200, 7], np.uint8), 8),
    lambda: (np.array([-100, 7], np.int8), -1),
    lambda: (np.array([-100, 7], np.int16), 0),
)
def shifts_of_elements(words, by):
    for i in range(3):
        words ^= (words >> by) | (words << i)
        words += words >> words.dtype.type(1)
    return words


@called_with(
    lambda: (np.array([5, 255, 0], np.uint8), 7),
    lambda: (np.array([5], np.uint8), -1),
    lambda: (np.arange(3), 300),
)
def scalars_of_many_types(data, start):
    crc = np.uint32(start)
    table = np.zeros(4, np.int16)
    for byte in data:
        crc = (crc ^ np.uint32(byte)) >> np.uint32(1)
        table[0] = np.int16(byte)
        table[1] += np.int16(start)
    return crc, table


@called_with(
    lambda: (1e10, 2e10, np.float64(3.5), 10**9, np.array([1.0, 3.0])),
    lambda: (1e10, 1e10, np.float64(3.5), 10**9, np.array([1.0, 3.0, 3.0, 0.0])),
    lambda: (0.0, -0.0, np.float64("nan"), 0, np.array([0.0])),
    lambda: (1e10, 2e10, np.float64(3.5), 10**9, np.array([])),
)
def objects_that_are_handed_on(x, y, z, n, a):
    low, high, least, count, kept, new = x, y, z, n, None, z
    for value in a:
        if value > 2:
            low, high = high, low
            kept = least
        elif value > 0.5:
            count += 1
            count -= 1
        else:
            new = new * 1.0
    while count < n:
        kept, count = low, count + 1
    found = (low, high, least, count, kept, new)
    return found, [[one is other for other in (x, y, z, n)] for one in found]


@called_with(lambda: (4, 2), lambda: (0, 1), lambda: (-3, 2), lambda: (9, 0))
def ranges_of_integers(n, step):
    out = np.zeros(12, np.int64)
    total = 0
    for i in range(3):
        a = np.arange(n)
        total += len(a) + np.arange(2, n, step).sum() + np.arange(n, i).size
        out[: len(a)] += a * i
    return out, total


# -- reductions along axes -------------------------------------------------------------------------------------


def noise(*shape):
    """Floats of all sizes, so that the order of a sum shows in its bits."""
    rng = np.random.default_rng(math.prod(shape))
    return rng.normal(size=shape) * 10.0 ** rng.integers(-8, 8, shape)


MATRICES = (
    lambda: (noise(7, 5), 2),
    lambda: (noise(300, 130), 1),
    lambda: (noise(3, 2), 3),
    lambda: (noise(1, 9), 2),
    lambda: (noise(9, 1), 2),
    lambda: (noise(40, 30)[::2, ::3], 2),
    lambda: (np.asfortranarray(noise(40, 30)), 2),
    lambda: (noise(40, 30)[::-1], 1),
    lambda: (noise(4, 6) * np.nan, 1),
    lambda: (noise(0, 5), 1),
    lambda: (noise(5, 0), 0),
)


@called_with(*MATRICES)
def sums_along_axes(m, n):
    a, b, c = np.zeros(m.shape[1]), np.zeros(m.shape[0]), 0.0
    for i in range(n):
        a += m.sum(axis=0) + np.sum(m * 0.5, axis=-2) + m.prod(axis=0)
        b += np.sum(m, axis=1) - (m + i).sum(axis=-1, keepdims=True)[:, 0] + np.prod(m, 1)
        c += (m * 2.0).sum() + np.sum(m + i, axis=(0, 1)) + m.sum(keepdims=True)[0, 0]
        m -= np.sum(m, axis=1, keepdims=True) + m.sum(axis=0, keepdims=True) * 1e-3
    return a, b, c


@called_with(*MATRICES)
def extremes_along_axes(m, n):
    a, b, c = np.zeros(m.shape[1]), np.zeros(m.shape[0]), 0.0
    for i in range(n):
        a += m.max(axis=0) - np.min(m * i, axis=0)
        b += np.max(m, axis=1) - m.min(axis=-1, keepdims=True)[:, 0]
        c += m.max() + np.min(m - 1.0)
        b += m.argmax(axis=1) + np.argmin(m * 2.0, axis=1)
        a -= np.argmax(m, axis=0)
    return a, b, c


@called_with(*MATRICES)
def means_and_tests_along_axes(m, n):
    a, b, c = np.zeros(m.shape[1]), np.zeros(m.shape[0]), 0.0
    for i in range(n):
        a += m.mean(axis=0) + np.any(m > 1.0, axis=0)
        b += np.mean(m * 0.5, axis=1) - (m > i).all(axis=1)
        c += m.mean() + np.any(m) + np.all(m == m) + (m > 0).sum()
        b += (m > 0).sum(axis=1) + np.any(m, axis=1)
        m -= m.mean(axis=1, keepdims=True)
    return a, b, c


@called_with(
    lambda: (noise(2, 6, 7, 3), noise(3, 3, 3, 4)),
    lambda: (noise(1, 5, 5, 3), noise(3, 3, 3, 1)),
    lambda: (noise(2, 4, 4, 1), noise(2, 2, 1, 2)),
    lambda: (noise(0, 4, 4, 1), noise(2, 2, 1, 2)),
    lambda: (noise(3, 6, 7, 2).transpose(0, 2, 1, 3), noise(3, 3, 2, 2)),
)
def windows(images, filters):
    size = filters.shape[0]
    height, width = images.shape[1] - size + 1, images.shape[2] - size + 1
    out = np.zeros((images.shape[0], height, width, filters.shape[3]))
    best = np.zeros((images.shape[0], height, width, images.shape[3]))
    total = np.zeros((images.shape[0], height))
    for i in range(height):
        for j in range(width):
            window = images[:, i : i + size, j : j + size, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * filters, axis=(1, 2, 3)) + 1.0
            best[:, i, j, :] = np.max(images[:, i : i + size, j : j + size, :], axis=(1, 2))
            total[:, i] += (images[:, i, j : j + size] * 0.5).sum(axis=(1, 2))
            total[:, i] += images[:, i].sum(axis=(1, 2))
    return out, best, total


@called_with(
    lambda: (numbers(4, 6), 2),
    lambda: (numbers(4, 6).T, 2),
    lambda: (numbers(4, 6)[:, ::-2].astype(np.int32), 2),
    lambda: (numbers(4, 1).astype(np.uint8), 2),
    lambda: (noise(9, 12).astype(np.float32), 2),
    lambda: (noise(300, 7).astype(np.float32), 1),
    lambda: (numbers(0, 3), 1),
)
def reductions_of_many_types(m, n):
    total = 0.0
    out = np.zeros(m.shape[1])
    for _ in range(n):
        out += m.sum(axis=0) + m.max(axis=0) - m.min(axis=0) + (m > 2).any(axis=0)
        total += float(m.sum()) + m.sum(axis=1).max() + m.argmax(axis=1)[-1]
    return out, total


@called_with(
    lambda: (noise(9), noise(4, 5), 2),
    lambda: (noise(40)[::3], noise(4, 5), 2),
    lambda: (np.ones(3) * 1e200, noise(4, 5), 2),
    lambda: (noise(0), noise(4, 5).T, 2),
    lambda: (noise(9).astype(np.float32), noise(4, 5), 1),
)
def lengths_of_vectors(v, m, n):
    total = 0.0
    for i in range(n):
        total += np.linalg.norm(v) + np.linalg.norm(m[i]) + np.linalg.norm(m[:, i] * 2.0)
        total += np.linalg.norm(m) + np.linalg.norm(m - i)
    return total


@called_with(
    lambda: (noise(9),),
    lambda: (noise(2),),
    lambda: (noise(1),),
    lambda: (noise(40)[::2],),
    lambda: (noise(9)[::-1],),
)
def products_of_reversed_arrays(r):
    a = np.zeros(len(r))
    for k in range(len(r) - 1):
        a[k] = np.dot(a[:k], r[k:0:-1]) + r[::-1] @ r + r[k] + 1.0
        a[:k] += 0.5 * a[:k][::-1]
    return a


@called_with(
    lambda: (noise(6, 6), noise(6, 3), 2),
    lambda: (noise(60, 60), noise(60, 30), 1),
    lambda: (np.asfortranarray(noise(6, 6)), noise(6, 3), 1),
    lambda: (noise(6, 6).T, noise(6, 3), 1),
    lambda: (noise(1, 1), noise(1, 3), 1),
)
def products_of_transposed_matrices(a, b, n):
    total = np.zeros((len(a), len(a)))
    for i in range(n):
        total += a @ a.T + a.T @ a + b @ b.T
        b -= (a.T @ b) * 0.5
        b[:, i] += a.T @ b[:, i] + b[:, i] @ a.T
        b[i] += (a[1:].T @ a[1:])[0, 0] + (b.T @ a)[:, i]
    return total


# -- functions of the C library, whole numbers -----------------------------------------------------------------


@called_with(
    lambda: (floats(7), 0.75),
    lambda: (floats(7), 2.0),
    lambda: (floats(0), 0.5),
    lambda: (np.array([0.0, -0.0, 1e-310, 0.5]), 0.25),
    lambda: (np.array([1000.0, 0.5]), 0.25),
    lambda: (np.array([np.inf, np.nan]), 0.25),
)
def many_functions_of_math(a, x):
    found = []
    total = 0.0
    for i in range(len(a)):
        y = float(a[i])
        total += math.sin(y) + math.cos(y) * math.tan(y) + math.exp(y) + math.expm1(a[i]) + math.atan(y)
        total += math.asin(x) + math.acos(x) + math.log(x) + math.log2(x + i) + math.log10(x) + math.log1p(x)
        total += (
            math.sinh(y) + math.cosh(y) - math.tanh(y) + math.asinh(y) + math.acosh(1.0 + x) + math.atanh(x)
        )
        total += math.erf(y) + math.erfc(y) + math.fabs(y) + math.atan2(y, -x) + math.atan2(-0.0, y)
        total += math.fmod(y, x) + math.copysign(x, y) + math.exp(i)
        if math.isnan(y) or math.isinf(y) or not math.isfinite(y):
            total += 1.0
    return found, total


@called_with(
    lambda: (floats(9) * 7.5, 2.0),
    lambda: (np.array([2.0**62, -(2.0**63), 0.5]), 1.0),
    lambda: (np.array([2.0**63, 0.5]), 1.0),
    lambda: (np.array([0.5, -np.inf]), 1.0),
    lambda: (np.array([0.5, np.nan]), 1.0),
    lambda: (np.array([300.0, -1.5]), 1.0),
    lambda: (floats(9).astype(np.float32) * 7, 2.0),
)
def floats_made_whole(a, scale):
    counts = np.zeros(4, np.int64)
    total = 0
    for i in range(len(a)):
        total += int(a[i]) + math.floor(a[i]) - math.ceil(float(a[i])) + math.trunc(a[i] * scale)
        total += int(np.floor(a[i] / scale)) & 7
        counts[int(abs(a[i])) % 4] += 1
    return counts, total


@called_with(
    lambda: (floats(9) * 7.5, 2),
    lambda: (np.array([300.0, -1.5]), 1),
    lambda: (np.array([30.0, np.nan]), 2),
    lambda: (np.array([3e9, 1.0]), 1),
    lambda: (floats(9).astype(np.float32) * 7, 1),
    lambda: (floats(0), 3),
)
def floats_stored_among_integers(a, n):
    wide, narrow = np.zeros(len(a), np.int64), np.zeros(len(a), np.int8)
    for i in range(n):
        wide[:] = a * 2.0
        wide += (a / 3.0).astype(np.int64) + np.floor(a).astype(int)
        narrow[:] = a
        if len(a):
            narrow[i] = a[0] + i
            wide[0] = -1.5
    return wide, narrow


@called_with(
    lambda: (floats(4, 4), floats(4), 3),
    lambda: (np.asfortranarray(floats(4, 4)), floats(4), 2),
    lambda: (floats(4, 4), floats(3), 1),
)
def results_of_functions_into_arrays(m, v, n):
    for k in range(n):
        np.minimum(m, np.add.outer(m[:, k], m[k, :]), out=m)
        np.exp(m[k], out=m[k])
        np.maximum(v, m[k], out=m[k])
        np.copysign(v, m[k], m[k])
        np.sqrt(np.absolute(v), out=v)
    return m


@called_with(
    lambda: (np.zeros(5), np.array([0, 3, 3, -1]), floats(4)),
    lambda: (np.zeros(5), np.array([0, 3, 3, 5]), floats(4)),
    lambda: (np.zeros(5), np.array([], int), floats(0)),
    lambda: (np.ones(5), np.array([1, 1])[::-1], floats(1)),
    lambda: (np.ones(5, np.float32), np.array([1, 1]), floats(2)),
)
def changes_at_indices(a, where, values):
    for i in range(3):
        np.add.at(a, where, values * i)
        np.subtract.at(a, where[1:], 0.5)
        np.multiply.at(a, where, values)
    return a


@called_with(
    lambda: (3, 5),
    lambda: (10, 19),
    lambda: (2, 63),
    lambda: (-2, 63),
    lambda: (0, 3),
    lambda: (-1, 9),
    lambda: (3, -2),
)
def powers_of_integers(base, n):
    out = np.zeros(4)
    total = 0.0
    for i in range(4):
        out[i] = (base**n - 4**i) / (2**i + 1) + i**3 + (-3) ** i
        total += (0.5 * np.arange(1, 2**i, 2)).sum()
    return out, total


@called_with(
    lambda: (numbers(5) % 2, floats(5), 2),
    lambda: (floats(5), floats(5), 1),
    lambda: (np.array([np.nan, 0.0]), floats(2), 1),
)
def chosen_by_numbers(odd, a, n):
    for i in range(n):
        a += np.where(odd, a * 2.0, i)
        a[0] = np.where(odd, 1, 2).sum()
    return a


@called_with(
    lambda: (floats(4, 5), 4),
    lambda: (floats(4, 5), 6),
    lambda: (floats(4, 5), 0),
    lambda: (floats(0, 5), 2),
    lambda: (floats(5, 4), 5),
)
def slices_of_one_item(m, n):
    total = 0.0
    for k in range(n):
        m += m[:, k : k + 1] * 0.5 - m[k : k + 1]
        total += m[k - 1 : k].sum() + len(m[k : k + 1])
    return total


@called_with(
    lambda: (floats(3, 4, 2), 3), lambda: (floats(3, 4, 2)[:, ::-1], 2), lambda: (floats(0, 4, 2), 2)
)
def masks_that_change(m, n):
    found = 0.0
    mask = m > 0.0
    flat = mask[:, 0, 0].copy()
    for i in range(n):
        inside = m > 0.25
        found += m[inside].sum()
        inside[:, i] ^= True
        found += m[inside].sum()
        found += m[mask].sum() + m[flat].size
        m[mask] = m[mask] * 0.5
        mask[:, i, 1] = False
        m[mask] -= 0.25
        for j in range(2):
            found += m[mask].size
            mask[:, j] ^= True
        found += m[mask].sum()
    return found


@called_with(
    lambda: (floats(6), floats(6) * 2.0, 3),
    lambda: (floats(6), floats(6) * 2.0, 0),
    lambda: (floats(6), floats(6) * 2.0, 2),
    lambda: (floats(0), floats(0), 1),
)
def three_arrays_go_round(a, b, n):
    last, now, later = a.copy(), b, np.zeros_like(a)
    for _ in range(n):
        later[1:-1] = 2.0 * now[1:-1] - last[1:-1] + now[2:] + now[:-2]
        last, now, later = now, later, last
    now[:1] = 7.0
    return last, now, later


@called_with(lambda: (floats(4), 3), lambda: (floats(4), 0), lambda: (floats(4), 1))
def two_new_arrays_or_one(u, n):
    v = u + 1.0
    for i in range(n):
        u = v * 0.5
        v = u if i == 2 else u + v
    v[:1] = -1.0
    return u, v


@called_with(
    lambda: (floats(4, 5), -0.5, 1.0, 2),
    lambda: (floats(4, 5).astype("f4"), -0.5, 1.0, 2),
    lambda: (floats(5, 4).T, np.float64(0.25), 1.0, 2),
    lambda: (np.array([[0.0, -0.0, np.nan, np.inf, -np.inf]]), 0.0, -0.0, 1),
    lambda: (np.array([[0.0, -0.0, np.nan, np.inf, -np.inf]]), -0.0, 0.0, 1),
    lambda: (floats(4, 5), np.nan, 1.0, 1),
    lambda: (floats(4, 5), 2.0, 1.0, 1),
    lambda: (np.arange(6).reshape(2, 3), 1, 4, 2),
    lambda: (np.arange(6, dtype="u1").reshape(2, 3), -1, 4, 2),
    lambda: (np.arange(6, dtype="i2").reshape(2, 3), 0.5, 4, 2),
    lambda: (floats(0, 5), -0.5, 1.0, 2),
)
def keeps_between(a, low, high, n):
    total = np.zeros(1)
    for i in range(n):
        b = np.clip(a * 2, low, high)
        total[0] += np.clip(b.sum() + i, -100, 100)
        a[:, 1:] = a[:, 1:].clip(0, 3)
    return total


# -- arrays that get shorter or longer --------------------------------------------------------------------------


@called_with(
    lambda: (floats(9), 5, 0.8),
    lambda: (floats(9), 0, 0.8),
    lambda: (floats(9), 3, -1.0),
    lambda: (floats(0), 2, 1.0),
    lambda: (floats(9)[::2], 2, 1.0),
)
def those_that_are_left(z, turns, limit):
    """Fewer in each iteration; none in the end, for some limits."""
    place, seen = np.arange(len(z)), np.zeros(len(z), np.int64)
    for turn in range(turns):
        if not len(z):
            break
        small = abs(z) < limit
        seen[place[~small]] = turn
        z, place = z[small] * 1.5, place[small]
    return z, place, seen, len(z)


@called_with(lambda: (floats(3, 4), 0.5), lambda: (floats(3, 4), 9.0), lambda: (floats(0, 4), 0.5))
def rows_that_are_left(rows, least):
    """Rows that are taken away until all that are left have a large sum; the rows given stay as they are."""
    count = 0
    while len(rows) and rows.sum() < least:
        keep = rows[:, 0] > rows[0, 0]
        rows = rows[keep] + 0.0
        count += 1
    return rows, count


@called_with(lambda: (floats(2), 4), lambda: (floats(2), 0), lambda: (floats(1), 3))
def grows_in_one_branch(x, n):
    kept = x
    for i in range(n):
        if i % 2 == 0:
            x = np.concatenate((x, x[:1] + i))
        else:
            x = x * 0.5
    x[0] = 7.0
    return x, kept, x.size


@called_with(
    lambda: (floats(7), 3), lambda: (floats(7), 0), lambda: (floats(2), 3), lambda: (np.arange(5), 2)
)
def differences_of_differences(u, n):
    total = 0.0
    for _ in range(n):
        u = u[1:] - u[:-1]
        total += u.sum()
    return u, total


@called_with(
    lambda: (floats(4, 3), 3), lambda: (floats(1, 3), 2), lambda: (floats(4, 3), 0), lambda: (floats(0, 3), 1)
)
def pairs_of_rows(x, n):
    found = np.zeros(2)
    for step in range(n):
        i, j = np.triu_indices(len(x), k=1)
        low, high = np.tril_indices(len(x), -step)
        apart = x[j] - x[i]
        found[0] += (apart * apart).sum()
        found[1] += (x[low] * x[high]).sum()
    return found, i, j


@called_with(lambda: (3, 4, 2), lambda: (0, 4, 2), lambda: (3, 0, 1), lambda: (1, 1, 3))
def grids(n, m, turns):
    found = np.zeros((n, m))
    for turn in range(turns):
        rows, columns = np.indices((n, m))
        (line,) = np.indices((m,))
        found += rows * turn + columns * line
    return found


@called_with(
    lambda: (np.array([1.0, -3.0, 0.5]), -4.0, 4.0, 1e-9),
    lambda: (np.array([1.0, 0.0]), -2.0, 2.0, 1e-6),
    lambda: (np.array([1.0, 0.0, 1.0]), -1.0, 2.0, 1e-6),
    lambda: (np.zeros(0), -1.0, 2.0, 1e-6),
)
def halves_until_short(coefficients, low, high, tolerance):
    """Loops with numbers between them, of which one may be Python's or NumPy's; one raises between the loops."""
    at_low = 0.0
    for one in coefficients:
        at_low = at_low * low + one
    at_high = 0.0
    for one in coefficients:
        at_high = at_high * high + one
    if at_low * at_high > 0:
        raise ValueError("no sign change")
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        value = 0.0
        for one in coefficients:
            value = value * middle + one
        if (value < 0) == (at_low < 0):
            low, at_low = middle, value
        else:
            high = middle
    return low, high, at_low


@called_with(lambda: (floats(3), 2, 0.5), lambda: (floats(3), 0, 0.5), lambda: (floats(0), 2, 0.5))
def rows_of_numbers(x, n, start):
    """A row is stored whose numbers are Python's or NumPy's, as the loop goes."""
    table = np.zeros((n + 1, 2))
    for step in range(n + 1):
        total = start
        for one in x:
            total = total + one * step
        table[step] = total, step
    return table


@called_with(
    lambda: (floats(5), np.arange(4), 1),
    lambda: (floats(5), np.arange(4), 0),
    lambda: (floats(5), np.arange(4), 2),
)
def swaps_parts_of_two_types(x, y, n):
    """What the loop replaces by arrays of another type has no place in a kernel; the sums beside it have one."""
    total = np.zeros(3)
    for i in range(n):
        x, y = y[1:], x
    for i in range(3):
        total[i] += i
    return x, y, total


@called_with(
    lambda: (floats(6), np.arange(6), 2, 100),
    lambda: (floats(6), np.arange(6), 4, 100),
    lambda: (floats(6), np.arange(6), 4, 2),
    lambda: (floats(6), np.arange(6), 2, 2),
)
def changes_what_may_be_the_argument(x, y, n, limit):
    """An array that a branch may have replaced is changed in place by a loop, and an index is outside later."""
    total = 0
    for i in range(n):
        if len(y) > limit:
            x = x * 2
        x += 1
        total += y[5 if i < 2 else 9]
    return x, total


@called_with(
    lambda: (floats(5), 3, -1),
    lambda: (floats(5), 2, 4),
    lambda: (floats(3), 1, 1),
    lambda: (floats(0), 0, 2),
)
def sizes_from_two_integers(x, n, k):
    """Nothing where the two integers are equal, which says nothing of others."""
    rows, columns = np.triu_indices(n, k)
    lower = np.tril_indices(n, k)[0]
    total = 0.0
    for i in range(len(rows)):
        total += rows[i] * 3 + columns[i]
    return total, rows, len(columns), lower.size, np.triu_indices(len(x), k)[1].shape


# -- sizes that are computed in front of a loop ------------------------------------------------------------------


@called_with(
    lambda: (floats(7), floats(5), 1),
    lambda: (floats(5), floats(7), 1),
    lambda: (floats(5), floats(5), 0),
    lambda: (floats(0), floats(3), 2),
    lambda: (floats(6), floats(6), -1),
)
def sizes_of_other_arrays(a, b, k):
    """Sizes of the array, of another one, of a part that goes by its name, and with something added."""
    last, other, wide = len(a) - 1, len(b) - 1, len(a) + k
    for i in range(1, last):
        b[i] = a[i - 1] + a[i + 1]
    a = a[1:]
    for i in range(other):
        a[i] = a[i] * 0.5 + b[i + 1]
    for i in range(last * 2 - last):
        a[i] += 1.0
    for i in range(k, wide - k):
        b[i - 1] -= a[i - 1]
    return a, b


@called_with(lambda: (floats(5),), lambda: (floats(0),), lambda: (np.array([0.0, -1.0]),))
def texts_that_are_no_numbers(x):
    """Each `float("nan")` is another object, and all have the same bits."""
    last = float("nan")
    for i in range(len(x)):
        x[i] = float("NaN") if x[i] > 0.5 else float("-inf")
        last = x[i] if i else float("NAN")
    return last
