"""What filters and other code over time series is written with, in small: each function with its calls."""

import math

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()


def noise(*shape, seed=1):
    """Random floats, each with its own size."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) * 10.0 ** rng.uniform(-3, 3, shape)


SPECIAL = np.array([0.0, -0.0, np.nan, 1.5, -2.0, np.inf, -np.inf, 5e-324, 1e308, -1e308, 0.3, -0.0])

# -- indices that grow from turn to turn ---------------------------------------------------------------------


@called_with(
    lambda: (floats(5), floats(4)),
    lambda: (floats(1), floats(0)),
    lambda: (floats(0), floats(3)),
)
def warped(a, b):
    """The cost of the best alignment, in a table with one more row and column."""
    n, m = len(a), len(b)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            step = min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
            cost[i, j] = abs(a[i - 1] - b[j - 1]) + step
    return cost[n, m], cost


@called_with(
    lambda: (floats(8), 3),
    lambda: (floats(7), 2),
    lambda: (floats(8), 0),
    lambda: (floats(1), 1),
    lambda: (floats(8), -1),
)
def halved(x, levels):
    """Sums and differences of pairs, again and again; an odd length leaves the last item."""
    out, n = x.copy(), len(x)
    for _ in range(levels):
        made, half = np.empty(n), n // 2
        for i in range(half):
            made[i] = (out[2 * i] + out[2 * i + 1]) / 2.0
            made[half + i] = out[2 * i] - out[2 * i + 1]
        out[: 2 * half] = made[: 2 * half]
        n = half
    return out


@called_with(
    lambda: (floats(6), 2, 1),
    lambda: (floats(6), 0, 1),
    lambda: (floats(6), 2, 2),
    lambda: (floats(6), 6, 1),
    lambda: (floats(6), 2, -1),
    lambda: (floats(0), 2, 1),
    lambda: (floats(6), -7, 1),
)
def from_behind(x, lag, step):
    """Indices count from the end at the first turns; some are outside at the last ones, behind what has been written."""
    for i in range(len(x)):
        x[i * step] += 0.5 * x[i - lag]
    return x


@called_with(
    lambda: (floats(6), 6),
    lambda: (floats(6), 7),
    lambda: (floats(6), 0),
)
def left_before_the_end(x, n):
    """An index that would be outside is never reached."""
    total = 0.0
    for i in range(n + 3):
        if i == n:
            break
        total += x[i]
    return total


@called_with(
    lambda: (floats(6), 3),
    lambda: (floats(6), 2**30),
    lambda: (floats(6), -(2**30)),
    lambda: (floats(6), 0),
)
def large_steps(x, step):
    """What a branch multiplies leaves 64 bits at other turns than those that take it."""
    total = 0.0
    for i in range(len(x)):
        place = i * step
        if 0 <= place < len(x):
            total += x[place] + place * step
    return total


@called_with(
    lambda: (floats(7), floats(6), 3, 2),
    lambda: (floats(7), floats(6), 1, 1),
    lambda: (floats(7), floats(5), 3, 2),
    lambda: (floats(7), floats(6), -3, 2),
    lambda: (floats(0), floats(6), 3, 2),
)
def resampled(x, taps, up, down):
    """A polyphase filter, with a test that leaves out what comes before the first sample."""
    made = np.zeros(abs(len(x) * up // down))
    for i in range(len(made)):
        position = i * down
        phase, base = position % up, position // up
        for k in range(len(taps) // up):
            j = base - k
            if j >= 0:
                made[i] += taps[phase + k * up] * x[j]
    return made


@called_with(
    lambda: (np.array([3.0, -1.0, 2.0, 2.0, 0.5]), 2),
    lambda: (np.array([np.nan, 1.0, -0.0, 0.0]), 1),
    lambda: (floats(0), 1),
    lambda: (floats(1), 3),
)
def inserted(x, reach):
    """An insertion sort, and the sum of what is near each item."""
    items, near = x.copy(), np.zeros(len(x))
    for i in range(1, len(items)):
        key, j = items[i], i - 1
        while j >= 0 and items[j] > key:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = key
    for i in range(len(x)):
        for k in range(-reach, reach + 1):
            if 0 <= i + k < len(x):
                near[i] += x[i + k]
            if not (i + k < 0 or i + k >= len(x)):
                near[i] -= 0.5 * x[i + k]
    return items, near


@called_with(
    lambda: (floats(9), 4),
    lambda: (floats(9), 1),
    lambda: (floats(0), 3),
    lambda: (floats(9), 0),
    lambda: (floats(9), -2),
)
def in_seasons(y, m):
    """An index that goes round and round, through memory of that size."""
    season, out = np.zeros(m), np.zeros(len(y))
    for t in range(len(y)):
        out[t] = season[t % m]
        season[t % m] = 0.5 * y[t] + 0.25 * season[t % m]
    return out, season


@called_with(
    lambda: (floats(9), 2),
    lambda: (floats(9), 20),
    lambda: (floats(0), 2),
    lambda: (floats(1), 1),
    lambda: (floats(9), -3),
)
def kept_inside(x, half):
    """Windows that are cut at the ends, and indices that stop there."""
    n = len(x)
    found = np.zeros((n, 2))
    for i in range(n):
        found[i, 0] = x[max(0, i - half) : min(n, i + half + 1)].sum()
        for k in range(-half, half + 1):
            found[i, 1] += x[min(max(i + k, 0), n - 1)] - 0.5 * x[max(min(i - k, n - 1), 0)]
    return found


# -- states that take the place of the last turn's -----------------------------------------------------------


@called_with(
    lambda: (floats(4, 3), floats(3), floats(3)),
    lambda: (floats(0, 3), floats(3), floats(3)),
    lambda: (floats(1, 1), floats(3), floats(3)),
    lambda: (floats(4, 0), floats(3), floats(3)),
    lambda: (floats(4, 3)[:, ::2], floats(3), floats(3)),
    lambda: (floats(4, 3), floats(2), floats(3)),
)
def filtered_channels(x, b, a):
    """A filter of second order for each channel; both states begin as zeros."""
    y = np.empty_like(x)
    z1, z2 = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for i in range(len(x)):
        y[i] = b[0] * x[i] + z1
        z1 = b[1] * x[i] - a[1] * y[i] + z2
        z2 = b[2] * x[i] - a[2] * y[i]
    return y, z1, z2


@called_with(
    lambda: (floats(6), floats(4)),
    lambda: (floats(0), floats(4)),
    lambda: (floats(1), floats(4)),
    lambda: (floats(2), floats(0)),
    lambda: (np.array([1.0, np.nan, np.inf]), floats(3)),
)
def resonators(x, coefficients):
    """The states of two turns are kept, and of three."""
    s1, s2 = np.zeros_like(coefficients), np.zeros_like(coefficients)
    a, b, c = np.zeros(len(coefficients)), np.ones(len(coefficients)), coefficients * 2.0
    for n in range(len(x)):
        s0 = x[n] + coefficients * s1 - s2
        s2 = s1
        s1 = s0
        a, b, c = 0.5 * a + x[n] * c, a, b
    return s1 * s1 + s2 * s2 - coefficients * s1 * s2, s1, a, b, c


@called_with(
    lambda: (floats(5), floats(4)),
    lambda: (floats(0), floats(4)),
    lambda: (floats(1), floats(1)),
    lambda: (floats(2), floats(0)),
    lambda: (np.array([1.0, np.nan, 1e308, 1e308]), floats(3) * 10.0),
)
def turning_together(x, k):
    """Both states are computed from both; one of the first ones is needed behind."""
    p, q, first = np.zeros(len(k)), np.ones(len(k)), np.zeros(len(k))
    r, s = first, np.zeros(len(k))
    out = np.zeros(len(x))
    for n in range(len(x)):
        p, q = k * p - 0.5 * q + x[n], 0.5 * p + k * q
        r, s = s + r * k, r - 0.25 * s
        out[n] = p.sum() + r.sum()
    return out, p, q, r, s, first


@called_with(
    lambda: (floats(5), floats(4)),
    lambda: (floats(0), floats(4)),
    lambda: (floats(1), floats(1)),
    lambda: (floats(3), floats(2)),
)
def states_of_two_turns_that_are_needed(x, k):
    """The state before the last is read behind, or by neighbours, or is one from outside, or is a view."""
    a, b = np.zeros(len(k)), np.ones(len(k))
    c, d = np.zeros(len(k)), np.ones(len(k))
    e, f = np.zeros(len(k)), k
    g, h = np.zeros(len(k)), np.ones(len(k))
    total = 0.0
    for n in range(len(x)):
        new = k * a - b + x[n]
        total += b.sum() - new.sum()
        a, b = new, a
        c, d = 0.5 * c + np.roll(d, 1), c
        e, f = 0.5 * e - f + x[n], e
        g, h = h[::-1] + 0.5 * g, g
    return a, b, c, d, e, f, g, h, total


@called_with(
    lambda: (floats(5), 4),
    lambda: (floats(5), 0),
    lambda: (floats(1), 3),
)
def states_that_are_needed(x, turns):
    """Neighbours, a view, a copy, the first state or a sum of what came before: none may be written over."""
    beside, viewed, kept = np.ones(len(x)), np.ones(len(x)), np.ones(len(x))
    first = np.zeros(len(x))
    summed, state, held = 0.0, np.zeros(len(x)), first
    for t in range(turns):
        beside = x + 0.5 * np.roll(beside, 1)
        before = viewed[1:]
        viewed = viewed * 0.5 + x
        summed += before.sum()
        old = kept
        kept = 0.25 * kept + t
        summed += old[-1] - kept[0]
        held = held + x
        state = x[::-1] + state[::-1]
    return beside, viewed, kept, first, held, state, summed


@called_with(
    lambda: (floats(12), floats(12), 3, 0.5),
    lambda: (floats(12), floats(12), 9, 0.5),
    lambda: (noise(40), noise(40, seed=2), 17, 1e-3),
    lambda: (floats(3), floats(3), 5, 0.5),
    lambda: (floats(12), floats(11), 3, 0.5),
)
def adapted(x, d, taps, mu):
    """Weights that follow a signal, by sums of products over a window that runs backwards."""
    w, e = np.zeros(taps), np.zeros(len(x))
    for n in range(taps, len(x)):
        u = x[n - taps + 1 : n + 1][::-1]
        e[n] = d[n] - np.sum(w * u)
        w = w + mu * e[n] * u / (1e-6 + np.sum(u * u)) + mu * np.sign(e[n]) * np.sign(u)
    return e, w


@called_with(lambda: (3, 2), lambda: (1, 0), lambda: (0, 3))
def begun_anew(n, turns):
    """A loop in a loop begins with zeros each time; an array from outside is never written."""
    found, ones = np.zeros(n), np.ones(n)
    for i in range(turns):
        inner = np.zeros(n)
        other = ones
        for k in range(i):
            inner = inner * 0.5 + found + k
            other = other + inner
        found = found + inner + other
    return found, ones


# -- windows in order, and their sums ------------------------------------------------------------------------


@called_with(
    lambda: (np.array([3.0, 1.0, 2.0, 9.0, -1.0, 0.5, 7.0]), 1, 1.0),
    lambda: (np.array([3.0, 0.0, -0.0, 9.0, np.nan, 0.5, 7.0]), 1, 1.0),
    lambda: (floats(2), 3, 1.0),
    lambda: (noise(30), 4, 2.0),
)
def without_outliers(x, half, limit):
    """A window is sorted in its own memory, twice."""
    y, window = x.copy(), np.zeros(2 * half + 1)
    for i in range(half, len(x) - half):
        window[:] = x[i - half : i + half + 1]
        window.sort()
        middle = window[half]
        window[:] = np.abs(x[i - half : i + half + 1] - middle)
        window.sort()
        if abs(x[i] - middle) > limit * 1.4826 * window[half]:
            y[i] = middle
    return y, window


@called_with(
    lambda: (np.array([[3, 1, 2], [9, -1, 0]]),),
    lambda: (np.array([[3, 1, 2], [9, -1, 0]], "f4"),),
    lambda: (np.array([[3.0, 1.0, 2.0, 5.0], [9.0, 0.0, -0.0, 1.0]])[:, ::-1],),
    lambda: (np.zeros((2, 0)),),
)
def rows_in_order(x):
    """Rows of an array that was given are sorted."""
    for i in range(len(x)):
        x[i].sort()
    return x


@called_with(
    lambda: (noise(300), 9),
    lambda: (noise(300), 128),
    lambda: (noise(300), 129),
    lambda: (noise(300), 1),
    lambda: (noise(300).astype("f4"), 31),
    lambda: (noise(600)[::2], 100),
    lambda: (np.full(40, -0.0), 16),
    lambda: (noise(20), 30),
)
def summed_windows(x, size):
    """Sums of few numbers, of the squares of them, and of every other one."""
    found = np.zeros((len(x) // 8 + 1, 3))
    for i in range(len(found)):
        window = x[8 * i : 8 * i + size]
        found[i, 0] = np.sum(window)
        found[i, 1] = np.sum(window * window)
        found[i, 2] = np.sum(window[::2])
    return found


# -- functions -----------------------------------------------------------------------------------------------


@called_with(
    lambda: (noise(40), noise(40, seed=3)),
    lambda: (np.array([3.0, 0.0, -0.0, 5e-324, 1e-310]), np.array([4.0, 0.0, -2.0, 5e-324, 2e-310])),
    lambda: (np.array([1e300, 3.0]), np.array([1e300, 4.0])),
    lambda: (SPECIAL, SPECIAL[::-1].copy()),
    lambda: (np.array([1e308]), np.array([1.5e308])),
    lambda: (floats(0), floats(0)),
)
def distances(x, y):
    """``math.hypot``, which Python computes by itself."""
    found, top = np.empty(len(x)), 0.0
    for i in range(len(x)):
        found[i] = math.hypot(x[i], y[i])
        top = max(math.hypot(float(x[i]), 2), 0.5 * top)
    return found, top


@called_with(
    lambda: (np.array([12, -18, 0, 7]), 6),
    lambda: (np.array([2**62, -(2**62), 2**63 - 1, 3037000499**2]), 0),
    lambda: (np.array([-(2**63), 4]), -8),
    lambda: (np.array([5, 4]), -1),
)
def whole_numbers(a, b):
    """``math.gcd`` and ``math.isqrt``, which raises for what is less than zero."""
    total = 0
    for i in range(len(a)):
        total = total * 3 % 1000003 + math.gcd(int(a[i]), b)
        total += math.isqrt(abs(int(a[i])) + min(b, 0) * i)
    return total


@called_with(
    lambda: (np.array([[1.0, 5.0, 2.0], [4.0, 5.0, -1.0]]), 2),
    lambda: (np.array([[np.nan, 5.0, -0.0], [4.0, np.nan, 0.0], [np.nan, -np.inf, -np.inf]]), 2),
    lambda: (np.array([[1, 5, 2], [4, 5, -1]], "i4"), 1),
    lambda: (np.array([[True, False], [True, True]]), 1),
    lambda: (np.full((2, 2), -np.inf, "f4"), 1),
    lambda: (np.zeros((2, 0)), 1),
    lambda: (np.zeros((0, 2)), 1),
    lambda: (np.array([[1.0, 5.0, 2.0], [4.0, 5.0, -1.0]]).T, 2),
)
def best_rows(a, turns):
    """The row of the largest and of the smallest item of each column, and these items."""
    rows = np.zeros(a.shape[1], int)
    for t in range(turns):
        rows = rows + (t + 1) * a.argmax(axis=0) - np.argmin(a, axis=0)
    return rows, np.max(a, axis=0), np.min(a, axis=0), a.argmax(axis=1)


@called_with(
    lambda: (floats(6),),
    lambda: (np.array([0.0, -0.0, np.nan, 2.0, -np.inf]),),
    lambda: (np.array([0.0, -0.0, np.nan, 2.0, -np.inf], "f4"),),
    lambda: (np.array([0, 3, -2], "i4"),),
    lambda: (np.array([0, 3, -2]),),
)
def signs(x):
    """``np.sign`` of arrays and of numbers."""
    total = 0.0
    for i in range(len(x)):
        total += np.sign(x[i]) * (i + 1)
    return total, np.sign(x) * 2, 1 / np.abs(np.sign(x).astype(float) + 3)


def steps_of_two(n):
    """Measured values, and a model of two numbers of which one is measured."""
    moves = np.array([[1, 0.1], [0, 1.0]])
    return noise(n, 1), moves, np.eye(1, 2), 0.01 * np.eye(2), 0.5 * np.eye(1), np.zeros(2), np.eye(2)


def steps_of_four(n):
    """The same for four numbers, two of which are measured."""
    moves = np.eye(4) + 0.1 * np.eye(4, k=2)
    return noise(n, 2), moves, np.eye(2, 4), 0.01 * np.eye(4), 0.5 * np.eye(2), np.ones(4), np.eye(4)


def changed(given, place, value):
    """The same arguments, one of which is another."""
    return (*given[:place], value, *given[place + 1 :])


@called_with(
    lambda: steps_of_two(6),
    lambda: steps_of_four(5),
    lambda: steps_of_two(0),
    lambda: steps_of_two(1),
    lambda: steps_of_four(2),
    lambda: changed(steps_of_two(3), 0, np.array([[1.0], [np.nan], [-0.0]])),
    lambda: changed(steps_of_two(3), 0, np.array([[1.0], [np.inf], [1.0]])),
    lambda: changed(steps_of_two(3), 6, 1e300 * np.eye(2)),  # overflows in the middle
    lambda: changed(steps_of_two(2), 4, np.full((1, 1), -1.01)),
    lambda: changed(steps_of_four(3), 1, np.asfortranarray(np.eye(4) + 0.1 * np.eye(4, k=1))),
    lambda: changed(steps_of_four(3), 2, np.eye(2, 3)),  # raises
    lambda: changed(steps_of_four(3), 1, np.eye(4, dtype="f4")),
)
def predicted_and_corrected(values, moves, measures, spread, error, state, doubt):
    """A Kalman filter by products of small matrices; the arrays that it makes take turns."""
    found = np.zeros((len(values), len(state)))
    for k in range(len(values)):
        state = moves @ state
        doubt = moves @ doubt @ moves.T + spread
        whole = measures @ doubt @ measures.T + error
        gain = doubt @ measures.T / whole[0, 0]
        state = state + gain @ (values[k] - measures @ state)
        doubt = doubt - gain @ measures @ doubt
        found[k] = state
    return found, doubt
