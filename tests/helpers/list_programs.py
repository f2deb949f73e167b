"""Programs of lists of numbers that native code has to run as Python does: each function with its calls.

The calls of a function take other branches, come to empty lists and to places outside, and are given other types.
"""

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()


@called_with(
    lambda: (floats(9), 0.5),
    lambda: (floats(9), 5.0),
    lambda: (floats(0), 0.5),
    lambda: (np.array([1e308, 1e308]), 0.5),
)
def grows_and_comes_out(a, least):
    large, places = [], []
    total = 0.0
    for i in range(len(a)):
        if a[i] > least:
            large.append(a[i] * 10.0)
            places.append(i)
            total += a[i] * 10.0
    return large, places, total


@called_with(
    lambda: (floats(4), 3, 0.25),
    lambda: (floats(1), 1, 0.25),
    lambda: (floats(4), 0, 0.25),
    lambda: (floats(0), 2, 0.25),
)
def takes_out_what_the_program_holds(a, n, x):
    """An item that comes out alone is a constant of the program, an argument, or a number that was computed."""
    held, other = [0.0] * len(a), [1.5, x]
    last = held.pop() if held else x
    for i in range(n):
        held += other
        held.append(x * i)
        held, other = other, held
    return last, held[0], held[-1], other.pop(), len(held)


@called_with(
    lambda: (0.5, 2.0, 4), lambda: (np.float64(0.5), 2.0, 4), lambda: (0.5, 2.0, 0), lambda: (0.5, -0.0, 1)
)
def keeps_what_came_in(x, y, n):
    """The objects that came in are in the list, as they are under Python."""
    found = [x]
    for i in range(n):
        found.append(y if i % 2 else x * 0.5)
    first = found[0]
    return found, first


@called_with(lambda: (5, 2), lambda: (0, 2), lambda: (5, 9), lambda: (3, -4), lambda: (3, -1))
def counts_and_raises(n, k):
    counts = [0] * n
    total = 0
    for i in range(n):
        counts[i] += i * i
        total += counts[i]
    return counts[k], counts[1:], counts[::-1], total


@called_with(lambda: (6, 3), lambda: (6, 0), lambda: (1, 1), lambda: (6, 40))
def takes_out(n, k):
    left, taken = list(range(n)), []
    for _ in range(k):
        taken.append(left.pop(0) if len(left) % 2 else left.pop())
    return left, taken


@called_with(lambda: (np.array([3, 1, 2, 5, 4, 0]),), lambda: (np.array([0]),), lambda: (np.zeros(0, int),))
def ranges_to_do(values):
    """A list of tuples as a stack."""
    todo = [(0, len(values) - 1)]
    depth = 0
    while todo:
        low, high = todo.pop()
        if low >= high:
            continue
        middle = (low + high) // 2
        depth = max(depth, len(todo))
        if values[low] > values[high]:
            values[low], values[high] = values[high], values[low]
        todo.append((low, middle))
        todo.append((middle + 1, high))
    return depth


@called_with(lambda: (7,), lambda: (1,), lambda: (0,))
def rows_one_after_the_other(n):
    """Pascal's triangle: a list takes the place of another one."""
    row = [1]
    sums = []
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
        sums.append(sum_of(row))
    return row, sums


def sum_of(items):
    total = 0
    for item in items:
        total += item
    return total


@called_with(lambda: (4, 2), lambda: (4, 0), lambda: (0, 3), lambda: (70, 1))
def leaves_64_bits(n, k):
    found = [1]
    for i in range(n):
        found.append(found[-1] * (k + 1) + i)
    return found[-1], len(found)


@called_with(lambda: (floats(6), 1), lambda: (floats(6), 0), lambda: (floats(2), 9))
def two_names_of_one(a, k):
    one = [0.0]
    other = [1.0]
    for i in range(len(a)):
        if i == k:
            other = one
        one.append(a[i])
        other[0] = other[0] + 0.5
    return one[0], other[0], len(one), len(other)


@called_with(lambda: (floats(8), 0.0), lambda: (floats(8), 9.0), lambda: (floats(3), -5.0))
def steps_and_arrays(a, level):
    times, places = [0.0], []
    t = 0.0
    while t < 1.0 and len(times) < 50:
        t += 0.25
        times.append(t)
        if a[len(times) % len(a)] > level:
            places.append(a[len(times) % len(a)] + 0.0)
    return np.array(times), np.array(places)


@called_with(lambda: (5, True), lambda: (5, False), lambda: (0, True))
def kinds_of_numbers(n, flag):
    flags, mixed, pairs = [flag], [0], []
    for i in range(n):
        flags.append(i % 2 == 0)
        mixed.append(i * 0.5 if i % 2 else i)
        pairs.append((i, flags[-1], i * 0.5))
    return flags, mixed, pairs


@called_with(lambda: (floats(5), 2), lambda: (floats(5), -9), lambda: (floats(5), 9))
def puts_in_between(a, k):
    found = list(a)
    for i in range(3):
        found.insert(k, 0.5 * i)
        found[-1] = found[0]
    joined = found + found[:2] * 2
    joined += [1.0]
    return len(joined), [v * 2.0 for v in joined]


# -- tuples, and what is there or not ----------------------------------------------------------------------------


@called_with(
    lambda: (floats(6), 1e-3, 40),
    lambda: (floats(6), 0.0, 3),
    lambda: (floats(1), 1.0, 2),
    lambda: (floats(0), 1.0, 2),
    lambda: (np.array([1e308, -1e308]), 1e-3, 5),
)
def leaves_early_with_an_array(a, least, most):
    for turn in range(most):
        other = a * 0.5 + 1.0
        if np.abs(other - a).sum() < least:
            return other, turn
        a = other
    return None


@called_with(lambda: (4, 3), lambda: (0, 3), lambda: (9, 0), lambda: (3, 1))
def a_tuple_takes_the_place_of_another(n, k):
    pair, total = (0, 1), 0
    for i in range(n):
        pair = (pair[1], pair[0] + pair[1]) if i != k else (i, i)
        total += pair[0] * 2
    return pair[0], pair, total


@called_with(lambda: (floats(5), 2), lambda: (floats(5), 0), lambda: (floats(5), -1), lambda: (floats(2), 9))
def arrays_of_two_sizes(a, k):
    if k > 1:
        b = np.zeros(k * 2) + a[0]
    elif k > 0:
        b = a[1:] * 2.0
    else:
        b = a + 1.0
    total = 0.0
    for i in range(len(b)):
        total += b[i]
    return total, b


@called_with(
    lambda: (floats(4, 5), floats(9)),
    lambda: (floats(4, 4), floats(9)),
    lambda: (floats(0, 5), floats(2)),
    lambda: (floats(4, 5).astype("f4"), floats(2)),
)
def names_for_rows(sections, signal):
    out = signal * 1.0
    for a, b, c, d, e in sections:
        s = 0.0
        for i in range(len(out)):
            x, y = out[i], (s, a)
            s, f = y
            out[i] = x * f + b * s - c * d + e
    return out


# -- linear algebra, powers ----------------------------------------------------------------------------------------


def matrices(n, size):
    """Positive definite ones."""
    some = np.cos(np.arange(n * size * size)).reshape(n, size, size)
    return some @ some.transpose(0, 2, 1) + np.eye(size)


@called_with(
    lambda: (matrices(3, 4), floats(3, 4)),
    lambda: (matrices(3, 1), floats(3, 1)),
    lambda: (np.zeros((2, 3, 3)), floats(2, 3)),
    lambda: (-matrices(2, 3), floats(2, 3)),
    lambda: (np.full((2, 2, 2), 1e308), floats(2, 2)),
    lambda: (np.full((1, 2, 2), np.nan), floats(1, 2)),
    lambda: (matrices(3, 4), floats(3, 5)),
    lambda: (np.zeros((2, 0, 0)), floats(2, 0)),
    lambda: (matrices(3, 4).transpose(0, 2, 1), floats(3, 4)),
)
def algebra_of_small_matrices(ms, vs):
    total = np.eye(ms.shape[1])
    sizes = []
    for i in range(len(ms)):
        m = ms[i]
        inverse = np.linalg.inv(m)
        x = np.linalg.solve(m, vs[i])
        total = total + inverse @ np.linalg.solve(m, total.T)
        sizes.append(np.linalg.det(m) + x[0])
        total += np.linalg.cholesky(m) * 0.125
    return total, sizes


@called_with(
    *(
        lambda exponent=exponent: (
            np.array([0.0, -0.0, 1.5, -2.0, 1e-300, np.inf, -np.inf, np.nan, 1e200]),
            exponent,
        )
        for exponent in (3, -2, 1.5, -0.5, 2, 2.0, 0.5, -1, 1, 0, 3.0, np.float64(0.5), np.float64(2), True)
    ),
    lambda: (np.linspace(0.1, 9.0, 700), 2.7),
    lambda: (np.linspace(0.1, 9.0, 700)[::2], 3),
    lambda: (np.linspace(0.1, 9.0, 40).astype("f4"), 3),
    lambda: (np.arange(-3, 4), 2),
)
def powers_of_arrays(a, exponent):
    b = a**exponent
    return b + a**3 + (np.abs(a) + 1.0) ** 1.5


@called_with(
    lambda: (floats(4, 4), 3, 0),
    lambda: (floats(4, 4), 4, 2),
    lambda: (floats(4, 4).T, 4, 1),
    lambda: (floats(3, 5), 2, 1),
    lambda: (floats(8, 8)[::2, ::2], 3, 1),
)
def views_of_one_or_the_other(u, n, k):
    """What is written through a view is seen in its array."""
    total = 0.0
    for i in range(n):
        v = u.T if i % 2 else u
        row = v[k] if i < 2 else v[k] * 2.0
        edge = u[:, 0] if i else u[0]
        row[0] = row[1] + edge[0] * 0.5
        v[1:, 1:] = v[:-1, :-1] * 0.5
        edge[1] += 1.0
        total += u[0, 1] + v[1, 0] + edge.sum()
    return total, u


@called_with(
    lambda: (floats(3), floats(3), 2), lambda: (floats(3), floats(3), 0), lambda: (floats(3), floats(3), 9)
)
def gives_what_it_was_given(x, y, k):
    """And a name of the user's that a kernel might choose for itself."""
    result_1 = None
    for i in range(3):
        x[i] = x[i] * 0.5
        if i == k:
            result_1 = 0.5, k
            break
    if result_1 is None:
        return x, y
    return result_1


@called_with(lambda: (4, 0.75), lambda: (0, 0.75))
def lists_of_constants(n, x):
    some = [0.5] * n
    others = [x, 2.5]
    for i in range(n):
        some[i] += i * 1.0
        others.append(2.5)
    some.append(2.5)
    return some, others


@called_with(
    lambda: (floats(9), 0.25, 9),
    lambda: (floats(9), 5.0, 9),
    lambda: (floats(9), 0.25, 1),
    lambda: (floats(0), 0.25, 0),
)
def arrays_of_floats_of_both_kinds(a, least, n):
    """An array is the same of Python's floats and NumPy's, and of none."""
    found, start = [], -1.0
    for i in range(n):
        if start >= 0.0 or a[i] > 1.5:
            found.append(start)
            start = -1.0
        elif a[i] > least:
            start = i + a[i]
    return np.array(found), np.sort(np.array(found)), np.asarray(found).sum()


@called_with(lambda: (floats(4), 2.5), lambda: (floats(0), 2.5), lambda: (floats(1), -9.0))
def of_both_kinds_of_floats(a, x):
    """What NumPy makes of constants is NumPy's, beside floats of Python's in one list."""
    found, others = [0.25], [np.float64(0.5)]
    for i in range(len(a)):
        found.append(np.clip(2, -4.0, 4.0) if a[i] > 0.5 else 1.5)
        found.append(np.clip(x, -4.0, 4.0))
        others.append(3.0)
        others.append(np.float64(3.0))
    return found, others


@called_with(lambda: (floats(4), 4), lambda: (floats(4), 0), lambda: (floats(4), 1), lambda: (floats(2), 3))
def rows_of_numbers(x, n):
    """Tuples of numbers are the rows of an array of the dtype that holds them all; of none, it has a single axis."""
    found, narrow, whole, last = [], [], [], [(0.0, 1.0)]
    for i in range(n):
        found.append((i, x[i], x[i] > 0.5))
        narrow.append((np.float32(x[i]), np.int16(i)))
        whole.append((i, -2 * i))
        last.append((last[-1][1], last[-1][0] + x[i]))
    pairs = np.array([(v, v * v) for v in x])
    return np.array(found), np.asarray(narrow), np.array(whole).sum(axis=0), np.array(last)[:, 1], pairs, last


@called_with(lambda: (floats(4), 4), lambda: (floats(4), 0), lambda: (floats(4), 1), lambda: (floats(2), 3))
def rows_that_are_lists(x, n):
    """Lists that nothing but an array is made of; an array is the same of tuples."""
    found, others = [], []
    for i in range(n):
        found.append([i, x[i], x[i] > 0.5])
        if x[i] > 1.0:
            others.append([x[i], i * 2.0])
        else:
            others.append([0.0, 1.0])
    return np.array(found), len(others), np.array(others).T, np.array([[v, v * v] for v in x])


@called_with(lambda: (floats(4), 4), lambda: (floats(4), 0), lambda: (floats(4), 1))
def rows_that_are_seen(x, n):
    """Lists that are changed, appended twice, or handed on, are lists."""
    x = np.sqrt(np.abs(x)) * 2.0
    changed, twice, given = [], [], []
    for i in range(n):
        row = [x[i], 1.0]
        row[0] = 2.0
        changed.append(row)
        pair = [x[i], 0.5]
        twice.append(pair)
        twice.append(pair)
        given.append([i, x[i]])
    same = twice[0] is twice[1] if n else None
    return np.array(changed), np.array(twice), same, np.array(given), given
