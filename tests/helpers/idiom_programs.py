"""What models and filters are written with, by their authors, in small: each function with its calls."""

import cmath
import math

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()

# -- axes of one item ----------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(3, 4, 5), floats(3, 4, 5), floats(1, 1, 5)),
    lambda: (floats(3, 4, 5), floats(3, 4, 5), floats(3, 4, 5)),
    lambda: (floats(1, 4, 5), floats(3, 1, 5), floats(3, 4, 1)),
    lambda: (floats(1, 1, 1), floats(1, 1, 1), floats(1, 1, 1)),
    lambda: (floats(0, 4, 5), floats(1, 4, 5), floats(1, 1, 5)),
    lambda: (floats(3, 4, 5), floats(2, 4, 5), floats(1, 1, 5)),
    lambda: (floats(3, 4, 5), floats(3, 4, 5), floats(1, 1, 5)),
)
def repeats_axes_of_arguments(a, b, c):
    """A profile of the depth beside fields over the whole grid, which have an axis of one item now and then, too."""
    root = np.sqrt(np.maximum(a, 0))
    return 0.5 + b * (0.25 - b * root) + c * (1.0 + 0.125 * b * c)


@called_with(
    lambda: (floats(4, 5), floats(1, 5)),
    lambda: (floats(4, 5), floats(4, 1)),
    lambda: (floats(4, 5), floats(4, 5)),
    lambda: (floats(4, 5), floats(1, 1)),
    lambda: (floats(1, 5), floats(4, 5)),
)
def stores_axes_of_one_item(a, b):
    """A row, a column or a number is stored and added in place; it does not fit where the place has one item itself."""
    for _ in range(2):
        a += b
        a[...] = a * 0.5 + b
    return a.sum()


@called_with(lambda: (floats(6), 3), lambda: (floats(6), 1), lambda: (floats(6), 0))
def keeps_columns(x, turns):
    """A column with one known axis goes in and out of a loop's kernels."""
    w = np.zeros((6, 1))
    for _ in range(turns):
        w = w + 0.5 * x[:, None] / (1.0 + w * w)
    return w


# -- axes in another order -----------------------------------------------------------------------------------


@called_with(
    lambda: (floats(6, 8), floats(6, 8) ** 2, 2),
    lambda: (floats(8, 6).T.copy(), floats(6, 8) ** 2, 4),
    lambda: (floats(1, 2), floats(1, 2) ** 2, 2),
    lambda: (floats(3, 3), floats(3, 3) ** 2, 2),
    lambda: (floats(6, 8).astype(np.float32), floats(6, 8) ** 2, 2),
)
def splits_heads(x, w, heads):
    """Features are split among heads, whose axis comes first, and put together again."""
    size = x.shape[1] // heads
    out = np.zeros_like(x)
    for turn in range(2):
        parts = x.reshape(len(x), heads, size).transpose(1, 0, 2)
        other = np.transpose(w.reshape(len(w), heads, size), (1, 2, 0))
        for h in range(heads):
            for i in range(len(x)):
                for j in range(size):
                    out[i, h * size + j] += parts[h, i, j] * other[h, j, i] + turn
    return out


@called_with(
    lambda: (floats(3, 4, 5), 2),
    lambda: (floats(5, 4, 3).T, 2),
    lambda: (floats(4, 3, 5).swapaxes(0, 1), 1),
    lambda: (floats(3, 4, 10)[:, ::-1, ::2], 1),
    lambda: (floats(3, 1, 1), 1),
    lambda: (floats(0, 4, 5), 1),
    lambda: (floats(3, 4, 5).astype(complex), 1),
)
def moves_axes(a, turns):
    """The same items along other axes, read and written through views."""
    total = np.zeros((a.shape[1], a.shape[2], a.shape[0]), a.dtype)
    for k in range(turns):
        total += np.moveaxis(a, 0, -1) * 2.0
        total += np.swapaxes(np.swapaxes(a, 0, 1), 1, 2) - k
        total -= np.moveaxis(a, (1, 2), (0, 1)) * 0.5
        np.moveaxis(a, 2, 0)[0] += 1.0
        a.transpose(1, 0, 2)[-1] -= np.transpose(total, (2, 0, 1))[:, 0]
    return total, a.swapaxes(1, 2)


@called_with(
    lambda: (floats(5, 3), floats(5) ** 2, 2),
    lambda: (np.asfortranarray(floats(5, 3)), floats(5) ** 2, 2),
    lambda: (floats(10, 6)[::2, ::2], floats(5) ** 2, 1),
    lambda: (floats(1, 3), floats(1), 1),
    lambda: (floats(0, 3), floats(0), 1),
)
def pulls_in_pairs(position, mass, turns):
    """Differences of all pairs are those of a column and of the same as a row."""
    speed = np.zeros_like(position)
    for _ in range(turns):
        x, y = position[:, 0:1], position[:, 1:2]
        dx, dy = x.T - x, y.T - y
        near = 1.0 / (dx * dx + dy * dy + 0.01)
        near[near > 50.0] = 0.0
        speed[:, 0] += (dx * near) @ mass
        speed[:, 1] += (near * dy) @ mass
        position += speed * 0.1
    return speed, dx, near


# -- products ------------------------------------------------------------------------------------------------


def tracking(n, states, sees, dtype=float):
    """What a filter is given: observations, matrices, a state and its spread, not symmetric, in some layouts."""
    moves = (np.eye(states) + 0.1 * floats(states, states)).astype(dtype)
    sees = floats(sees, states).astype(dtype)
    noise, error = (0.25 * np.eye(one, dtype=dtype) for one in (states, len(sees)))
    return floats(n, len(sees)).astype(dtype), moves, sees, noise, error


@called_with(
    lambda: tracking(5, 4, 2),
    lambda: tracking(3, 2, 1),
    lambda: tracking(3, 1, 1),
    lambda: tracking(0, 4, 2),
    lambda: (*tracking(5, 4, 2)[:1], np.asfortranarray(tracking(5, 4, 2)[1]), *tracking(5, 4, 2)[2:]),
    lambda: (*tracking(5, 4, 2)[:2], tracking(5, 8, 2)[2][:, ::2], *tracking(5, 4, 2)[3:]),
)
def filters_with_dot(z, moves, sees, noise, error):
    """A Kalman filter by ``dot``, of matrices as they are, transposed and cut."""
    state, spread = np.zeros(len(moves)), np.eye(len(moves))
    for t in range(len(z)):
        state = moves.dot(state)
        spread = np.dot(moves, spread).dot(moves.T) + noise
        crossed = spread.dot(sees.T)
        gain = np.dot(crossed, np.linalg.inv(np.dot(sees, crossed) + error))
        state = state + gain.dot(z[t] - np.dot(sees, state))
        spread = spread - np.dot(gain, np.dot(sees, spread))
    return state, spread, np.dot(z.T, z)


@called_with(
    lambda: (floats(4, 3), floats(3, 5)),
    lambda: (floats(4, 3).astype("f4"), floats(3, 5).astype("f4")),
    lambda: (floats(4, 3) + 1j, floats(3, 5) - 0.5j),
    lambda: (floats(4, 1) + 1j, floats(1, 5) - 0.5j),
    lambda: (floats(4, 1), -floats(1, 5)),
    lambda: (np.array([[-0.0]]), np.array([[1.0]])),
    lambda: (floats(1, 3), floats(3, 1)),
    lambda: (floats(3, 4).T, floats(5, 3).T),
    lambda: (floats(0, 3), floats(3, 5)),
    lambda: (floats(4, 0), floats(0, 5)),
    lambda: (floats(4, 3), floats(4, 5)),
)
def multiplies(a, b):
    """Matrices of all kinds, parts of them, and vectors on both sides."""
    whole = np.dot(a, b) * 2.0
    part = a[1:].dot(b[:, ::-1]) + whole[1:, ::-1]
    return whole, part, a.dot(b[:, 0]) + a.dot(b)[:, 0], np.dot(a[0], b) - 1.0, np.dot(a.T, a) + 1.0


# -- axes that are added and taken away -----------------------------------------------------------------------


@called_with(
    lambda: (floats(9), floats(9), 3),
    lambda: (floats(9), floats(9), 1),
    lambda: (floats(2), floats(2), 3),
    lambda: (floats(18)[::2], floats(9), 3),
)
def adapts_with_columns(x, d, m):
    """Recursive least squares with columns and rows of one item, cut out backwards."""
    spread, w, errors = 10.0 * np.eye(m), np.zeros((m, 1)), []
    for n in range(m, len(x)):
        u = x[n - m : n].reshape(-1, 1)
        gain = spread @ u / (0.95 + u.T @ spread @ u)
        error = d[n] - (w.T @ u)[0, 0]
        w = w + gain * error
        spread = (spread - gain @ u.T @ spread) / 0.95
        errors.append(error)
    return w.reshape(m), np.array(errors)


@called_with(
    lambda: (floats(4, 6), 4, 6),
    lambda: (floats(4, 6), 6, 4),
    lambda: (floats(4, 6).T, 6, 4),
    lambda: (floats(0, 6), 0, 6),
    lambda: (floats(4, 0), 4, 0),
    lambda: (floats(4, 6), -1, 6),
)
def adds_axes(a, n, m):
    """What is stored into a view with other axes is stored into the array; sizes that do not fit are left to NumPy."""
    total = np.zeros((n if n > 0 else 4, 1, m))
    for i in range(3):
        view = a.reshape((n, 1, m))
        view += 0.5
        row = a[:1].reshape(-1)
        total += view * row.reshape(1, 1, m)
        a[0] = row.reshape((m,)) * 0.25
    return total, a.flatten() + a.T.flatten(), a.reshape(n, 1, m)


@called_with(lambda: (floats(5), floats(5), 1.5), lambda: (floats(5) - 3, floats(5) * 300, -2.0))
def powers_of_constants(a, b, x):
    """A level in decibels, powers of integers, and the least and largest of some numbers."""
    out = np.zeros(len(a))
    found = []
    for i in range(len(a)):
        level = 10 ** (a[i] / 20)
        out[i] = level + 2.0 ** b[i] - 3 ** float(a[i])
        found.append(np.argmin((a[i], b[i], x)))
        out[i] += np.max([a[i], b[i]]) - np.mean((out[i], b[i], 0.5)) + np.argmax([i, 2, 3 - i])
    return out, found


# -- arrays beside each other, and what is said of them --------------------------------------------------------


@called_with(
    lambda: (floats(4, 3), floats(3)),
    lambda: (floats(4, 3), floats(3).astype("f4")),
    lambda: (floats(1, 3), floats(3)),
    lambda: (floats(0, 3), floats(3)),
    lambda: (floats(4, 3), floats(2)),
    lambda: (floats(3, 4).T, floats(3)),
)
def joins(a, x):
    """Sigma points, their mean and spread, and parts beside each other along all axes."""
    total = 0.0
    for i in range(3):
        points = np.vstack([x[None, :] * 1.0, x + a, x - a])
        sides = np.hstack((points, points[:, :1] * 2, points[:, :2]))
        both = np.stack([x, 2 * x], axis=-1)
        rows = np.concatenate((np.vstack((x, -x)), np.stack((x * i, x))), axis=0)
        total += sides.sum() + both.mean(axis=0)[0] + rows[1, 0]
        x = x * 0.5 + points.mean(axis=0)
    return (
        total,
        sides,
        both,
        rows,
        np.column_stack((x, x + 1.0)),
        np.hstack((x, x)),
        np.concatenate((a, a), axis=1),
    )


@called_with(
    lambda: (floats(9), floats(4, 5), 3),
    lambda: (floats(9)[::2], floats(4, 5), 2),
    lambda: (floats(1), floats(4, 1), 1),
    lambda: (floats(1030), floats(40, 50), 500),
    lambda: (floats(0), floats(4, 5), 3),
    lambda: (np.array([1.0, np.inf, 2.0]), floats(4, 5), 2),
)
def spreads(x, m, w):
    """Standard deviations and variances of windows, rows, columns and all elements."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        window = x[max(0, i - w) : i + 1]
        out[i] = (x[i] - window.mean()) / (window.std() + 1.0) + np.var(window)
    normal = (m - m.mean(axis=0)) / (m.std(axis=0) + 0.5)
    return out, normal, np.var(m, axis=1, keepdims=True), m.var(), np.std(m[1:], axis=0, ddof=1)


@called_with(
    lambda: (floats(4, 5), floats(5), floats(4)),
    lambda: (floats(4, 5), floats(10)[::2], floats(8)[::2]),
    lambda: (floats(8, 9), floats(9), floats(8)),
    lambda: (floats(4, 5) - 1j, floats(5) + 1j, floats(4) + 0j),
    lambda: (floats(1, 1), floats(1), floats(1)),
    lambda: (floats(0, 5), floats(5), floats(0)),
)
def multiplies_rows_and_columns(a, x, y):
    """Rows and columns of arrays of one axis, of matrices, and of what is computed."""
    total = 0.0
    for i in range(len(a)):
        row, column = x[None, :], y.reshape(-1, 1)
        whole = a @ x[:, None] + column @ (row @ a.T @ column)
        part = a[i].reshape(1, -1) @ a.T + (a[i, 1:][None] @ a[:, 1:].T)
        total += whole.sum() + part.sum() + (column @ row)[i, 0] + (2 * row @ row.T)[0, 0]
    return total, whole, part


# -- order, and functions of signals -----------------------------------------------------------------------------


@called_with(
    lambda: (floats(20), 5),
    lambda: (floats(20) % 3, 4),
    lambda: (np.array([0.0, 3.0, -0.0, 1.0, 2.0, -0.0]), 3),
    lambda: (np.array([0.0, np.nan, 1.0, 2.0, 5.0, 1.0]), 3),
    lambda: (floats(20), 0),
    lambda: (floats(1600)[::-1] % 7.25, 700),
    lambda: (floats(40)[::2], 5),
    lambda: (floats(130) * 37 % 11, 120),
)
def medians_of_windows(x, k):
    """A median filter, the spread of the middle half, and sorted copies."""
    padded = np.concatenate((x[:1], x, x[-1:]))
    out, kept = np.empty_like(x), np.zeros(3)
    for i in range(len(x) - k):
        window = np.sort(padded[i : i + k])
        out[i] = np.median(padded[i : i + k])
        if k > 3:
            out[i] += window[3 * k // 4] - window[k // 4]
        kept += np.sort((out[i], x[i], 0.5)) + np.sort(np.array([3, i, 2]))
    return out[: len(x) - k], kept, np.median([x[0], 2.0, 0.25])


@called_with(
    lambda: (floats(6, 7) % 0.7, 3),
    lambda: ((floats(6, 7) % 0.7).T, 3),
    lambda: (np.where(floats(6, 7) > 1.5, np.nan, 1.0), 3),
    lambda: (floats(3, 3), 3),
    lambda: (floats(3, 3), 0),
    lambda: (floats(4, 4, 2)[:, :, 0], 2),
)
def medians_of_patches(image, k):
    """A median filter of an image."""
    out = np.zeros((image.shape[0] - k + 1, image.shape[1] - k + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.median(image[i : i + k, j : j + k])
    return out


@called_with(
    lambda: (floats(9) % 4.1,),
    lambda: (np.arange(3_000) * 7_919 % 3_001 * 0.25 - 300.0,),
    lambda: (np.arange(1_200) * 7 % 1_201,),
    lambda: (np.arange(700)[::-1] // 2,),
    lambda: (np.append(np.arange(800.0), np.nan),),
    lambda: (np.arange(66_000.0)[::-1],),
)
def takes_by_size(lengths):
    """Items in the order of their size, few and many; of equal ones, NumPy's way to sort decides."""
    total, taken = 0.0, 0
    for place in np.argsort(lengths):
        if place % 3 != taken:
            total = total * 0.5 + lengths[place]
            taken = place % 3
    return total, taken


@called_with(lambda: (floats(6), 0.7, 3), lambda: (floats(6) * np.inf, 0.7, 3), lambda: (floats(0), 0.7, 3))
def interpolates_by_sinc(x, ratio, taps):
    """A signal at places in between; of whole numbers, too."""
    out = np.zeros(int(len(x) * ratio))
    for i in range(len(out)):
        t = i / ratio
        for k in range(int(t) - taps, int(t) + taps):
            if 0 <= k < len(x):
                out[i] += x[k] * np.sinc(t - k) + np.sinc(k - i)
    return out, np.sinc(x) * 2.0 + 1.0


# -- axes in two orders -------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(4, 4), floats(4, 4), 3),
    lambda: (floats(1, 1), floats(1, 1), 3),
    lambda: (floats(4, 4).T, floats(4, 4), 3),
    lambda: (floats(200, 200), floats(200, 200), 1),
    lambda: (floats(4, 1), floats(1, 4), 2),
    lambda: (floats(4, 4), floats(1, 4), 2),
)
def keeps_symmetric(p, q, n):
    """The mean of a matrix and itself transposed, which a filter carries on and multiplies; sums depend on the order of its axes."""
    for _ in range(n):
        p = 0.5 * (p + p.T) + 0.125 * p
    turned = q.T * 2.0
    q = (turned + q) * 0.25
    found = (q.T + 1.0) * p
    return p, q, p @ p, found, found.sum(axis=1), p.T + q.T


@called_with(lambda: (floats(8), 0.9, 0.99), lambda: (floats(8) * 0, 0.9, 0.99), lambda: (floats(3), 1, 0.5))
def levels_of_floats_of_both_kinds(x, rising, falling):
    """What is Python's float at first and NumPy's later is given to a function, and a power is taken of it."""
    envelope, last = 0.0, 0.0
    out = np.zeros(len(x))
    for i in range(len(x)):
        rate = rising if x[i] > envelope else falling
        envelope = rate * envelope + (1.0 - rate) * abs(x[i])
        level = np.log10(max(envelope, 1e-8)) + np.hypot(envelope, 0.5)
        last = level if level > 0.1 else 0.0
        out[i] = 10 ** (last / 20) + envelope**0.5
    return out, envelope, last, 2.0**last


# -- products ---------------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(9, 9), floats(9)),
    lambda: (floats(1, 1), floats(1) * 0),
    lambda: (floats(40, 40).astype(np.float32), floats(40).astype(np.float32)),
    lambda: (floats(3, 3) * 1j - floats(3, 3).T, floats(3) * 1j),
    lambda: (floats(4, 4).T, floats(4)),
    lambda: (floats(2, 2), floats(3)),
    lambda: (floats(0, 0), floats(0)),
)
def multiplies_what_runs_backwards(a, x):
    """Matrices and a window of the latest items, which start at the end; a transposed matrix and a number."""
    for k in range(2):
        u = x[::-1]
        y = a @ u + a[::-1] @ x + u @ a[:, ::-1].T
        z = a[:, ::-1] @ a[::-1, ::-1] + a.T[::-1] @ a[::-1]
        y = 0.5 + 0.25 * a.T @ y
        z += (a.T * 2.0 - a.T) @ a
    return y, z


@called_with(
    lambda: (np.arange(-4, 5), floats(9, 9), np.arange(81, dtype=np.int8).reshape(9, 9)),
    lambda: (np.arange(1), -0.0 * floats(1, 1), np.ones((1, 1), np.int8)),
    lambda: (np.arange(4).astype(np.uint8), floats(4, 4), np.eye(4, dtype=np.int16) * 32767),
    lambda: (np.arange(4) > 1, floats(4, 4), np.eye(4, dtype=np.int32)),
    lambda: (np.arange(3), floats(3, 3).T, np.eye(3, dtype=np.int64)[::-1]),
    lambda: (np.arange(3), floats(3, 3), np.eye(2, dtype=np.int64)),
)
def multiplies_several_dtypes(t, a, m):
    """Integers and floats, which are converted first, and integers alone, which wrap around."""
    for k in range(2):
        y = t @ a + np.dot(a, t) + t[1:] @ a[1:]
        n = (m @ m, np.dot(m, m[0]), m @ m[:, 0], np.dot(m[0], m[0]), m[0] @ m)
    return y, n, np.dot(t, a[0])


@called_with(
    lambda: (floats(1, 1), -floats(5, 1), floats(1, 1)),
    lambda: (-0.0 * floats(1, 1), floats(2, 1), floats(1, 1)),
    lambda: (floats(1, 1) * np.inf, floats(2, 1), floats(1, 1) * 0),
    lambda: (floats(2, 2), floats(2, 2), floats(1, 2)),
    lambda: (floats(1, 1) * 1j, floats(2, 1) * 1j, floats(1, 1) - 1j),
)
def steps_a_system(a, u, c):
    """A system of one state or of several, by `np.dot`: of numbers it gives the product alone."""
    x, out = np.zeros(len(a), a.dtype), np.zeros((len(u), 1), a.dtype)
    for k in range(len(u)):
        out[k] = np.dot(c, x)
        x = np.dot(a, x) + np.dot(a, u[k])
    return x, out


@called_with(
    lambda: (0.3, 0.1, 1000, 1, 9),
    lambda: (0.3, 0.1, 1000, -1, 9),
    lambda: (0.3, 0.1, 2**62, 2**61, 3),
    lambda: (0.3, 0.1, 0, 1, 9),
    lambda: (1, 2, 3, 4, 0),
)
def stores_what_was_whole_at_first(beta, gamma, n, infected, days):
    """Counts that are integers in the first row and floats later."""
    s, i, r = n - infected, infected, 0
    found = np.zeros((days, 3))
    for d in range(days):
        found[d] = s, i, r
        new, old = beta * s * i / n, gamma * i
        s, i, r = s - new, i + new - old, r + old
    return found, s, i, r


# -- more items around an array, places in sorted items ---------------------------------------------------------------


@called_with(
    lambda: (floats(4, 5), 2, 1.5),
    lambda: (floats(3, 4) > 0, 1, True),
    lambda: (np.arange(12, dtype=np.int8).reshape(3, 4), 1, 7),
    lambda: (floats(5, 4).T, 2, 1),
    lambda: (np.arange(12, dtype=np.uint8).reshape(3, 4), 1, -1),
    lambda: (floats(4, 4).astype(np.float32), 1, 1e300),
    lambda: (floats(1, 4), 2, 0.5),
    lambda: (floats(0, 4), 1, 0.5),
    lambda: (floats(3, 4), -1, 0.5),
    lambda: (floats(3, 4), np.int64(0), 0.5),
)
def pads_an_image(a, k, value):
    """With a number, and with items of its own, in each way that has them one after the other."""
    for _ in range(2):
        wide = np.pad(a, k, mode="edge")
        around = np.pad(wide[k : len(wide) - k], ((k, 1),), "symmetric")
        filled = np.pad(a, (k, 1), constant_values=value)
    mirrored = np.pad(a, ((1, 2), (k, 0)), mode="reflect")
    return wide, around, filled, mirrored, np.pad(a[0], k), np.pad(a, ((k,), (0,)), mode="wrap")


@called_with(
    lambda: (np.sort(floats(9) ** 2), floats(6), 0.25),
    lambda: (np.arange(7), np.arange(-2, 9, 2), 3),
    lambda: (np.arange(7, dtype=np.uint8), floats(9)[::-1], 2.5),
    lambda: (floats(5).astype(np.float32), floats(4).astype(np.float32), np.float32(0.5)),
    lambda: (floats(9)[::-1], floats(9), np.nan),
    lambda: (np.array([-np.inf, 0.0, -0.0, np.nan, np.nan]), np.array([np.nan, np.inf, 0.0]), 0.0),
    lambda: (floats(0), floats(3), 1.0),
)
def finds_places(items, keys, key):
    """Levels of a profile: the layer that each lies in, by one search after the other and by one for all."""
    total = 0
    for i in range(len(keys)):
        k = np.searchsorted(items, keys[i])
        if 0 < k < len(items):
            total += items[k - 1]
        total += k - np.searchsorted(items, key, side="right") * i
    return total, np.searchsorted(items, keys), items.searchsorted(keys, "right")


@called_with(
    lambda: (floats(9), np.sort(floats(7) ** 2), floats(7)),
    lambda: (floats(3), np.arange(3), np.array([2, 0, 1])),
    lambda: (floats(20)[::-1] * 30, np.arange(30.0)[::2], floats(30)[::2]),
    lambda: (np.arange(4), np.zeros(1), np.ones(1)),
    lambda: (np.array([np.nan, 0.5, np.inf]), np.array([0.0, 0.0, 1.0, 1.0]), floats(4)),
    lambda: (floats(4), floats(6)[::-1], floats(6) * np.inf),
    lambda: (floats(4), floats(0), floats(0)),
    lambda: (floats(4), floats(3), floats(2)),
)
def interpolates(x, places, values):
    """A signal that is read between its samples, at times that move."""
    out, total = np.zeros(len(x)), 0.0
    for k in range(3):
        out += np.interp(x + 0.1 * k, places, values)
        total += np.interp(x[0] + k, places, values * 2.0) + np.interp(k, [0.0, 1.5], [2.0, 3.0])
    return out, total


# -- lists of arrays --------------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(3), floats(3, 3), 5),
    lambda: (floats(3), floats(3, 3), 0),
    lambda: (floats(1), floats(1, 1), 2),
    lambda: (floats(0), floats(0, 0), 2),
    lambda: (floats(6)[::2], floats(3, 3).T, 2),
    lambda: (floats(3), floats(2, 2), 2),
    lambda: (floats(3) * 1j, floats(3, 3) + 1j, 4),
)
def keeps_a_history(x, a, n):
    """States that are put into a list, read again, and made one array in the end."""
    states = [x]
    for i in range(n):
        x = a @ x
        if i % 2 == 0:
            states.append(x * 0.5)
        x = x / (1.0 + abs(x[0])) + states[-1] * 0.125
    return np.array(states), x, len(states)


@called_with(
    lambda: (floats(2, 2), 4),
    lambda: (floats(2, 2), 1),
    lambda: (floats(2, 2), 0),
    lambda: (floats(2, 2).T, 3),
    lambda: (floats(3, 3) + 1j, 2),
    lambda: (floats(3, 3).astype(np.float32), 3),
)
def keeps_matrices(a, n):
    """Matrices that a filter keeps for the way back, and their sum."""
    kept = []
    for _ in range(n):
        a = a @ a.T * 0.125 + a
        kept.append(a)
    back = np.zeros_like(a)
    for k in range(len(kept) - 1, -1, -1):
        back = back @ kept[k] + kept[k].T
    found = np.stack(kept)
    return found, back, found.sum(axis=0)


@called_with(
    lambda: (floats(4), floats(4), 3),
    lambda: (floats(1), floats(1), 1),
    lambda: (floats(3), np.arange(3), 2),
    lambda: (floats(3).astype(np.float32), np.arange(3, dtype=np.int8), 1),
    lambda: (floats(3), floats(4), 1),
    lambda: (floats(1), floats(4), 1),
)
def makes_rows_of_arrays(a, b, n):
    """Fluxes of several quantities, written down as one array."""
    for _ in range(n):
        flux = np.array([a * b, a + b, b])
        small = np.array([[a[0], 1.0], [2.0, b[0]]])
        a = flux[0] * 0.5
    return flux, small, np.asarray([a, b]), np.array((b, a[::-1])), np.array([flux.T, flux.T])


@called_with(
    lambda: (floats(3), floats(3) * 2, 5),
    lambda: (floats(3), floats(3), 1),
    lambda: (floats(3), floats(3), 0),
    lambda: (floats(2, 3), floats(2, 3), 3),
    lambda: (floats(0), floats(0), 3),
    lambda: (floats(3), floats(1), 3),
    lambda: (floats(3, 2).T, floats(2, 3), 3),
)
def begins_without_the_last_state(x, v, n):
    """Verlet's method: there is no state before the first one."""
    last = best = None
    for i in range(n):
        if last is None:
            new = x + v * 0.25
        else:
            new = 2.0 * x - last - x * 0.0625
        last, x = x, new
        if best is None or x.sum() > best.sum():
            best = x
    return x, last, best


# -- along axes -------------------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(3, 4),),
    lambda: (floats(4, 3).T,),
    lambda: (floats(4, 4)[::-1],),
    lambda: ((floats(3, 4) * 90).astype(np.int8),),
    lambda: (floats(3, 4).astype(np.float32),),
    lambda: (floats(3, 4) > 0.5,),
    lambda: (floats(0, 4),),
    lambda: (floats(3, 4) * 8e307,),
    lambda: (floats(3, 1),),
)
def adds_up_along_axes(a):
    """Sums and products so far, of rows, of columns and of all, and differences of neighbours."""
    down, along = np.cumsum(a, axis=0), a.cumsum(axis=-1)
    whole = np.cumsum(a) * 0.5 + np.cumprod(a[0]).sum()
    return down, along + 1, whole, np.diff(down, axis=0) * 2, np.diff(along, n=2), np.cumprod(down, axis=1)


@called_with(
    lambda: (floats(12), 4, 3),
    lambda: (floats(8), 4, 2),
    lambda: (floats(24)[::2], 4, 3),
    lambda: (floats(12)[::-1], 4, 3),
    lambda: (floats(0), 2, 0),
    lambda: (floats(12), -4, -3),
    lambda: (floats(12), 5, 2),
    lambda: (floats(12).astype(np.float32), 4, 3),
)
def joins_and_splits_axes(a, n, k):
    """Frames of a signal, which are the signal: what is stored into one is seen in the other."""
    total = 0.0
    for _ in range(2):
        frames, pairs = a.reshape(n, k), np.reshape(a * 2.0, (-1, k)).reshape((n // 2, 2, k))
        a[0] += 1.0
        frames[:, 0] += 0.5
        frames[...] = frames + a.reshape(n, -1)[::-1]
        flat, rest = frames.ravel(), a[k:].reshape(-1, k)
        flat[1:3] = a[:2] + flat[3:5]
        rest *= 0.5
        a[...] = frames.reshape(-1) + flat
        total += pairs[0, 1, 0] + frames[0, 0]
    return total, a


@called_with(
    lambda: (floats(4, 4), floats(4)),
    lambda: (floats(40, 40).T, floats(40)),
    lambda: (floats(40, 40), floats(40)),
    lambda: (floats(6, 4)[::2].T, floats(3)[:4]),
)
def takes_rows_of_new_arrays(a, x):
    """New arrays are laid out as those that they are made of: products of their rows, and what other axes are a view of, tell."""
    total = 0.0
    for i in range(3):
        b, c = a * 2.0, np.cumsum(a, axis=0)
        flat, other = b.reshape(-1), np.exp(c).ravel()
        flat[1] = other[2] = 5.0 + i
        total += b[0, 1] + flat[2] + (a + 1.0)[0, : len(x)] @ x + np.dot(c[1, : len(x)], x)
    return total


@called_with(
    lambda: (floats(4, 4), 3),
    lambda: (floats(4, 4).T, 3),
    lambda: (floats(30, 30).T, 3),
)
def takes_rows_of_items(a, n):
    """Items of a list are laid out as they were when they were put there."""
    kept = []
    for i in range(n):
        kept.append(a * 0.5 + i)
    total = 0.0
    for i in range(len(kept)):
        total += kept[i][0] @ kept[-1][1]
    return total


# -- tables and counts ------------------------------------------------------------------------------------------------


@called_with(
    lambda: (np.array([3, 2, 1, 1, 0, 2]), floats(6)),
    lambda: (np.array([1, 3, 2, 3, 2, 1]), floats(6)),
    lambda: (np.array([-1, 1, 3]), floats(3)),
    lambda: (np.array([4, 1, 3]), floats(3)),
    lambda: (np.zeros(0, np.int64), floats(3)),
)
def looks_up_what_is_written_down(q, a):
    """Neighbours by their direction, and coefficients: lists that an index tells an item of."""
    around = [(0, 1), (1, 1), (1, 0), (1, -1)]
    weights, turns = [0.5, 0.25, 0.125], (1, 2, 3)
    total = 0.0
    for i in range(len(q)):
        di, dj = around[q[i]]
        total += di * a[i] + dj + weights[q[i] - 3] * turns[q[i] % 3]
    return total


@called_with(
    lambda: (np.array([1, 2, 2, 5]), floats(4), floats(40, 30), 9),
    lambda: (np.array([3, 1], np.uint8), floats(2), floats(5, 2).T[::-1], 0),
    lambda: (np.array([0]), floats(1), (floats(9, 9) * 90).astype(np.int8), 1),
    lambda: (np.array([1, -1]), floats(2), floats(3, 3), 1),
    lambda: (np.array([1, 2]), floats(3), floats(3, 3), 1),
    lambda: (np.zeros(0, np.int64), floats(0), floats(0, 3), 2),
    lambda: (np.array([1, 2]), floats(2), floats(3, 3), -1),
)
def counts(x, w, m, least):
    """Bins, with weights and without, what is not zero, and the sum of a diagonal."""
    total = 0
    for i in range(3):
        total += np.count_nonzero(x > i) + np.count_nonzero(m)
    bins, summed = np.bincount(x, minlength=least), np.bincount(x, weights=w)
    return total, bins, np.bincount(x) * 2, summed[0] + bins.sum(), summed, np.trace(m), m.trace() + 1


@called_with(
    lambda: (floats(3), 5, 0.25),
    lambda: (floats(3), 5, -9.0),
    lambda: (floats(3), 2, 9.0),
    lambda: (floats(3), 1, 0.25),
    lambda: (floats(3), 0, 0.25),
)
def names_what_a_loop_has_found(a, n, tolerance):
    """Names that have a number of Python's or of NumPy's behind a loop, if any; and zeros put beside an array."""
    for i in range(n):
        for k in range(n - 1):
            step = a[0] / (k + 1.0)
            scale = 0.5 if step > 0.25 else step
            if scale < tolerance:
                break
        changed = 0
        if i > 0:
            changed += np.count_nonzero(a > 0.125)
        a = np.concatenate(([0.0], a * scale))[1:] + np.hstack((a[:-1], [i * 1.0]))
    return a * 2.0, scale, changed, k


# -- views that a loop puts in the place of arrays ------------------------------------------------------------------------


@called_with(
    lambda: (floats(50) ** 2, 5),
    lambda: (floats(9), 2),
    lambda: (floats(3), 1),
    lambda: (floats(3), 5),
    lambda: (floats(9), 0),
)
def shortens_errors(x, n):
    """Burg's method: errors forward and backward are parts of new arrays, ever shorter ones."""
    forward, backward = x[1:].copy(), x[:-1].copy()
    a, kept, total = np.array([1.0]), np.zeros(n), 0.0
    for m in range(n):
        k = -2 * np.dot(backward, forward) / (np.dot(forward, forward) + np.dot(backward, backward))
        kept[m] = k
        longer = np.concatenate((a, [0.0]))
        a = longer + k * longer[::-1]
        forward, backward = (forward + k * backward)[1:], (backward + k * forward)[:-1]
        total += np.exp(forward).sum()
    return a, kept, total


@called_with(
    lambda: (floats(9), 5),
    lambda: (floats(9), 6),
    lambda: (floats(9), 0),
    lambda: (floats(2), 3),
)
def writes_through_shrinking_views(x, n):
    """What is stored into a view is seen in the array that it is a part of, until that is another one."""
    y, z, total = x * 2.0, x * 1.0, 0.0
    for i in range(n):
        part = y[1:]
        part[0] += 1.0
        y[1] *= 2.0
        total += part[0] + y[0] + z[0]
        y = part
        y[:] = y[::-1] * 0.5
        z = (z * 0.5)[1:] if i % 2 else z + y[0]
    return total


# -- numbers of several types -----------------------------------------------------------------------------------


def whole(n, dtype="i4"):
    """Small integers of both signs."""
    return (floats(n) * 40).astype(dtype)


@called_with(
    lambda: (whole(9, "i1"),),
    lambda: (whole(9),),
    lambda: (whole(7, "u1"),),
    lambda: (whole(0),),
    lambda: (whole(5, "i8"),),
)
def looks_beyond_the_edge(a):
    """What stands to the left, or zero: one of NumPy's integers or Python's, added, divided, compared, stored."""
    out, shares, many = np.zeros(len(a), np.int32), np.zeros(len(a), np.float32), 0
    last = step = 0
    for i in range(len(a)):
        left = a[i - 1] if i % 3 else 0
        step = left + 1 if i % 5 else left // 3
        out[i] = step - left
        if left > 50 or step == 1:
            many += 1
        shares[i] = max(0, left) / 3
        last = left
    return out, shares, many, last, step


@called_with(
    lambda: (floats(9).astype("f4"),),
    lambda: (floats(9),),
    lambda: (np.full(4, np.nan, "f4"),),
    lambda: (floats(0),),
)
def follows_peaks(x):
    """Numbers of single precision, of which some are Python's, or zero, an integer: each is computed in its own type."""
    out, kept = np.zeros(len(x)), []
    level = 0.0
    for i in range(len(x)):
        over = x[i] if x[i] > 0 else 0.0
        rate = 0.1 if over > level else 0.3
        level = rate * level + (1 - rate) * over
        out[i] = level * 2 - over * over + abs(-over)
        kept.append(max(0, x[i]) * 3 - 1)
    return out, kept, level


@called_with(
    lambda: (floats(9).astype("f4"), whole(9, "i2")),
    lambda: (floats(9), whole(9)),
    lambda: (floats(1), whole(1)),
)
def scales_by_either(x, a):
    """An array times a number that is NumPy's in some turns and Python's in others."""
    scaled, moved, total = x.copy(), a.copy(), np.zeros(len(x))
    factor, shift = 0.0, 0
    for i in range(len(x)):
        scaled = scaled * factor + x
        moved = moved - shift // 2
        total += x * factor
        factor = x[i] if i % 2 else 0.5
        shift = a[i] // 4 if i % 3 else 1
    return scaled, moved, total, factor, shift


@called_with(
    lambda: (floats(9).astype("f4"), whole(9, "i1")),
    lambda: (floats(9), whole(9, "i8")),
    lambda: (floats(0), whole(0)),
)
def keeps_the_best(x, a):
    """The extremes so far, which begin as Python's numbers."""
    best, at, low, high = 0, -1, 1.0, 0.5
    for i in range(len(a)):
        if a[i] > best:
            best, at = a[i], i
        low = min(low, x[i])
        high = max(low, 0.5, x[i])
    return best, at, low, high, best * 2, low + 1, best // 7, low / 3, -best, best == 3, low < 1


@called_with(
    lambda: (-(floats(7) ** 2), 2**53), lambda: (-(floats(7) ** 2), 3), lambda: (np.full(5, -0.0), -(2**60))
)
def multiplies_nothing(x, many):
    """An integer's zero has no sign, and an integer more digits than a float, where another turn has one of NumPy's floats."""
    kept = []
    for i in range(len(x)):
        first = x[i] if i % 2 else -2
        second = x[i] if i % 3 == 1 else 3
        kept.append((first - 1) * -(second - second))
        kept.append((many if i % 2 else x[i]) + 1)
    return kept


@called_with(
    lambda: (floats(5, 6) > 0,),
    lambda: (floats(7, 3) > -0.5,),
    lambda: (floats(1, 1) > 9,),
    lambda: (floats(0, 3) > 0,),
)
def labels_components(mask):
    """Connected parts of a picture, of which each points at another one that it meets."""
    rows, columns = mask.shape
    labels = np.zeros((rows, columns), dtype=np.int32)
    parent = np.arange(rows * columns // 2 + 2, dtype=np.int32)
    count = 1
    for i in range(rows):
        for j in range(columns):
            if not mask[i, j]:
                continue
            up = labels[i - 1, j] if i > 0 else 0
            left = labels[i, j - 1] if j > 0 else 0
            if up == 0 and left == 0:
                labels[i, j] = count
                count += 1
            elif up and left:
                a, b = up, left
                while parent[a] != a:
                    a = parent[a]
                while parent[b] != b:
                    b = parent[b]
                parent[a] = parent[b] = labels[i, j] = min(a, b)
            else:
                labels[i, j] = max(up, left)
    return labels, parent[labels], count - 1


# -- functions of Python's modules --------------------------------------------------------------------------------


@called_with(
    lambda: (floats(8) + 1j * floats(8), 100.0),
    lambda: ((floats(8) + 1j * floats(8)).astype("c8"), 1e5),
    lambda: (np.array([1e300, np.nan, 0, -0.0j, np.inf, -1.0]), 1.0),
    lambda: (np.zeros(3, complex), -7e2),
    lambda: (np.zeros(0, complex), 1.0),
)
def locks_on_a_phase(z, rate):
    """A phase-locked loop on complex numbers of Python's."""
    phase = drift = 0.0
    phases, turned = np.zeros(len(z)), np.zeros(len(z), complex)
    for k, one in enumerate(z):
        error = cmath.phase(one * cmath.exp(-1j * phase))
        drift += error / rate
        phase += drift + 0.1 * error
        if phase > math.pi:
            phase -= 2 * math.pi
        phases[k] = math.degrees(phase)
        turned[k] = cmath.rect(abs(error), math.radians(phases[k])) + cmath.exp(one * rate * 0.01)
    return phases, turned, drift


@called_with(
    lambda: (np.abs(floats(8)).astype("f4"), 0.5),
    lambda: (floats(8), 2.5),
    lambda: (np.array([0, 1e30, 3], "f4"), 3.0),
    lambda: (np.array([2, -1], "f4"), 0.5),
    lambda: (np.zeros(0, "f4"), 1.0),
)
def raises_single_numbers(x, exponent):
    """Powers of numbers of single precision, which NumPy computes in it."""
    kept, total = np.zeros_like(x), 0.0
    for i in range(len(x)):
        level = x[i] if i % 2 else 0.25
        kept[i] = x[i] ** exponent + 10 ** (level / 20) + x[i] ** x[i]
        total += level**2 + x[i] ** 3
    return kept, total


# -- views that take turns ---------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(7, 6), 5),
    lambda: (floats(7, 6).astype("f4"), 5),
    lambda: (floats(2, 2), 3),
    lambda: (floats(0, 3), 2),
)
def takes_turns_between_layouts(x, turns):
    """The same statements on whole arrays, which lie in one piece, and on parts that do not."""
    total, weight = np.zeros_like(x), np.ones_like(x)
    for turn in range(turns):
        first = turn % 2
        scaled = np.exp(-x[:, first:] * x[:, first:]) * weight[:, first:]
        print(end="")  # no kernel: what is before it and behind it is called turn by turn
        weight[:, first:] = 0.5 * scaled + 0.25 * x[:, first:]
        total[:, first:] += 2.0 * scaled * weight[:, first:]
    return total, weight


# -- whole floats -------------------------------------------------------------------------------------------------


def halves(dtype):
    """Floats on both sides of halves, with zeros of both signs and what is not finite."""
    near = np.array(
        [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -0.2, 0.0, -0.0, 4503599627370497.5, 1e30]
    )
    return np.concatenate((near, -near, [np.inf, -np.inf, np.nan, 5e-324])).astype(dtype)


@called_with(
    lambda: (halves("f8"), 0.75),
    lambda: (halves("f4"), 0.75),
    lambda: (floats(4, 6)[:, ::2], 0.1),
    lambda: (floats(0), 1.0),
)
def rounds_to_whole_numbers(x, size):
    """In arrays, of which some are written in place, and number by number."""
    near = x - size * np.round(x / size)
    near += np.floor(x * 0.3) + np.ceil(x * 0.3) * 2 - np.trunc(x * 0.7) + np.rint(x + 0.25)
    out = np.empty_like(x)
    np.floor(x, out=out)
    total, steps = np.zeros(4), 0
    for one in x.ravel():
        total += np.array([np.floor(one), np.ceil(one), np.rint(one * 2), np.round(one)])
        if abs(one) < 100:
            steps += math.floor(one) - math.ceil(one * 0.5) + math.trunc(one)
    return near, out, x.round(), total, steps


@called_with(
    lambda: (np.array([0x7FF0000000000001, 0], "u8").view("f8"),),
    lambda: (floats(5),),
    lambda: (np.array([0x7F800001, 0], "u4").view("f4"),),
)
def rounds_signalling_numbers(x):
    """NumPy warns of signalling NaNs where it rounds."""
    return np.floor(x) + 1.0, np.ceil(x) - x, np.rint(x) * 0.5


@called_with(
    lambda: (np.array([1.0, -1.0, 0.0, -0.0, 2.25, -0.1, 1e30, 5e-324, -5e-324, 0.75]), 3),
    lambda: (whole(9), -4),
    lambda: (floats(5).astype("f4"), 7),
    lambda: (floats(5), 0),
    lambda: (np.array([np.nan, np.inf]), 3),
)
def splits_numbers(x, k):
    """``divmod`` of integers and floats, NumPy's and Python's, with divisors of both signs."""
    wholes, rests, total = np.zeros(len(x)), np.zeros(len(x)), 0
    row = column = 0
    for i in range(len(x)):
        row, column = divmod(i * 7 - 20, k)
        wholes[i], rests[i] = divmod(x[i], k)
        turns, angle = divmod(float(i) - 3.5, -1.25)
        total += row * 2 + column + turns * angle
    return wholes, rests, total, row, column


@called_with(
    lambda: (floats(8) + 1j * floats(8),),
    lambda: ((floats(4) + 1j * floats(4)).astype("c8"),),
    lambda: (np.array([-0.0, complex(np.nan, -0.0)]),),
    lambda: (floats(6),),
    lambda: (floats(0),),
)
def transforms_in_place(x):
    """A Fourier transform of two halves at a time, of which the smallest have one element."""
    n = len(x)
    if n & (n - 1) or n == 0:
        return None
    a = np.array(x, dtype=complex)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    size = 2
    while size <= n:
        half = size // 2
        turns = np.exp(-2j * np.pi * np.arange(half) / size)
        for start in range(0, n, size):
            other = turns * a[start + half : start + size]
            a[start + half : start + size] = a[start : start + half] - other
            a[start : start + half] += other
        size *= 2
    return a


# -- numbers of several types --------------------------------------------------------------------------------


@called_with(
    lambda: (floats(6), floats(6), 0.5),
    lambda: (floats(6).astype(np.float32), floats(6), 0.5),
    lambda: (np.arange(6), floats(6), 2.0),
    lambda: (floats(3) * np.nan, floats(3), 1.0),
    lambda: (floats(0), floats(0), 1.0),
)
def goes_back_along_a_flow(q, u, dt):
    """Where something came from, held inside of the domain, and what was there in between two places."""
    found, n, cells = np.zeros(len(q)), len(q), 0
    for i in range(n):
        y = min(max(i - dt * u[i], 0.0), n - 1.0)
        below = int(y)
        above = min(below + 1, n - 1)
        found[i] = (1 - (y - below)) * q[below] + (y - below) * q[above]
        cells += math.ceil(max(u[i], 0.25)) - math.floor(min(q[i], 0.5))
    return found, cells


@called_with(
    lambda: (floats(5) + 2.0, floats(5), 4),
    lambda: (floats(5).astype(np.float32) + 2, floats(5), 3),
    lambda: (floats(5) + 2.0, floats(5), 0),
    lambda: (floats(3) * np.inf, floats(3), 2),
    lambda: (floats(3) - 30.0, floats(3) - 40.0, 2),
)
def stable_or_not(wind, heat, turns):
    """A root of what may be Python's or NumPy's, which is complex nowhere, and logarithms of it."""
    found = np.zeros(len(wind))
    for i in range(len(wind)):
        friction, flux = 0.036 * wind[i], 0.036 * heat[i]
        for _ in range(turns):
            length = friction * friction / flux if abs(flux) > 1e-3 else 1e6
            zeta = min(max(1.0 / length, -5.0), 5.0)
            if zeta >= 0:
                psi = -5 * zeta
            else:
                x = (1 - 16 * zeta) ** 0.25
                psi = 2 * math.log((1 + x) / 2) + math.log((1 + x * x) / 2) - 2 * math.atan(x)
            friction = 0.4 * wind[i] / (math.log(1e5) - psi)
        found[i] = friction
    return found


@called_with(
    lambda: (floats(2, 4), floats(4), 3),
    lambda: (floats(2, 4).astype(np.float32), floats(4).astype(np.float32), 3),
    lambda: (np.arange(8).reshape(2, 4), np.arange(4, dtype=np.int8), 3),
    lambda: (floats(2, 4) * 1j, floats(4), 2),
    lambda: (floats(2, 4), floats(1), 2),
    lambda: (floats(2, 1), floats(1), 2),
)
def takes_numbers_out(m, x, turns):
    """``item`` of a product with one element, of a part, and at a place."""
    total = 0.0
    for i in range(turns):
        total += (m[:1] * x[0]).sum(axis=1).item() * 0.5
        total -= m.item(1, i % 2) + x[1:2].item() + x.item(-1)
    return total


@called_with(
    lambda: (np.arange(5), 3),
    lambda: (np.array([2**62 + 1, 2**53 + 1, -(2**53) - 3, 0]), 2),
    lambda: (np.arange(4, dtype=np.uint8), 2),
    lambda: (np.array([-1, 1]), 0),
)
def angles_of_integers(hours, turns):
    """``math`` of integers that floats may not hold."""
    total = 0.0
    for i in range(turns):
        total += math.radians(15 * (hours[i] - 12)) + math.sin(hours[i]) + math.fabs(hours[i] * 3 - i)
    return total


@called_with(
    lambda: (floats(9), 9),
    lambda: (floats(9) * 2.0, 9),
    lambda: (floats(6) + 0.5, 0),
    lambda: (np.array([-0.0, 0.0, 1.0, 0.25]), 4),
    lambda: (np.array([2.0, np.inf, -np.inf]), 3),
    lambda: (np.array([np.nan, 1.0]), 2),
)
def limits_of_three_types(x, turns):
    """Integers, floats of Python's and of NumPy's in one place, on which all operators are used."""
    found, total = np.zeros(len(x)), 0
    for i in range(turns):
        most = min(1, x[i] * 2) if x[i] > 0 else 0.0
        rest = max(0, x[i]) - 0.5 * most
        step = 1 if x[i] > 1 else 0.25 if x[i] > 0 else x[i]
        found[i] = most * 0.5 + rest + abs(step) - step // 2 + step % 3 + np.sqrt(step * step)
        if most > 0.5 and step:
            found[i] -= 1
        if i % 3 == 0:
            total += 1
        elif i % 3 == 1:
            total = total + 0.5
        else:
            total = total * x[i]
        found[i] += 1 / (step + 7) if total else -step
    return found, float(total)


@called_with(
    lambda: (np.arange(24, dtype=np.uint8).reshape(3, 4, 2) * 9, 5, 6),
    lambda: (floats(3, 4, 2).astype(np.float32), 1, 6),
    lambda: (floats(2, 2, 1) * 7.5, 4, 1),
    lambda: (np.zeros((1, 1, 1), np.int16), 2, 2),
    lambda: (floats(2, 2, 1) * np.nan, 3, 3),
)
def resizes(image, rows, columns):
    """Places between those that there are, and colours that are rounded; along one row Python's integers."""
    down = (image.shape[0] - 1) / (rows - 1) if rows > 1 else 0
    right = (image.shape[1] - 1) / (columns - 1) if columns > 1 else 0
    found = np.zeros((rows, columns, image.shape[2]), np.int64)
    for y in range(rows):
        top = int(y * down)
        below, dy = min(top + 1, image.shape[0] - 1), y * down - top
        for x in range(columns):
            left = int(x * right)
            after, dx = min(left + 1, image.shape[1] - 1), x * right - left
            for k in range(image.shape[2]):
                one = image[top, left, k] * (1 - dx) + image[top, after, k] * dx
                other = image[below, left, k] * (1 - dx) + image[below, after, k] * dx
                found[y, x, k] = int(round(one * (1 - dy) + other * dy)) - round(dx * 2)
    return found


@called_with(
    lambda: (np.arange(9), np.uint32(2166136261)),
    lambda: (np.arange(9, dtype=np.uint8), np.int8(-77)),
    lambda: (np.arange(9), np.int64(2**40 + 3)),
    lambda: (np.arange(40) + 5, np.uint16(7)),
)
def scrambles(data, state):
    """Bits of NumPy's integers that are shifted out, and turned."""
    kind = state.dtype.type
    found = np.zeros(len(data), state.dtype)
    for i in range(len(data)):
        state = state ^ kind(data[i])
        state = state ^ (state << kind(5))
        state = state ^ (state >> kind(i % 9))
        state = ~state ^ (state << kind(data[i] % 11))
        found[i] = state
    return found, state


@called_with(
    lambda: (floats(5), 5),
    lambda: (floats(5), 1),
    lambda: (floats(5).astype(np.float32), 3),
    lambda: (floats(5), 0),
    lambda: (floats(5), -2),
)
def halves_its_steps(x, levels):
    """Ranges up to powers of two, of which a negative one is a float, and raises."""
    total, step = 0, 1.0
    for k in range(1, levels):
        step /= 2
        new = 0
        for i in range(1, 2**k, 2):
            new += x[i % len(x)] * step
        total = total / 2 + new
    for i in range(2 ** (levels + 1)):
        total += i
    return float(total)


# -- few numbers ----------------------------------------------------------------------------------------------


@called_with(
    lambda: (floats(9), floats(5, 3)),
    lambda: (floats(9).astype("f4"), floats(5, 3).astype("f4")),
    lambda: (np.array([0.0, -0.0, 0.0, -0.0, -0.0, 0.0]), np.array([[0.0, -0.0], [-0.0, 0.0]])),
    lambda: (np.array([0.0, -0.0, np.nan, 1.0, -1.0, np.inf, 2.0]), np.array([[np.nan, 1.0], [1.0, np.nan]])),
    lambda: (np.arange(9) - 4, np.arange(6).reshape(3, 2)),
    lambda: (np.arange(9, dtype="u1"), np.arange(20, dtype="i2").reshape(1, 20)),
    lambda: (floats(9), floats(3, 1)),
    lambda: (floats(30), floats(2, 9)),
    lambda: (floats(9), floats(3, 0)),
    lambda: (floats(1), floats(0, 3)),
    lambda: (floats(0), floats(0, 3)),
)
def reduces_few(x, rows):
    """Extremes, sums and tests of windows that are cut at the ends, and of rows."""
    found, places, tests = np.zeros((len(x), 6)), np.zeros(3, np.int64), 0
    for i in range(len(x)):
        window = x[max(i - 1, 0) : i + 2]
        found[i, 0], found[i, 1] = np.max(window), window.min()
        found[i, 2] = x[i : i + 5].sum() + np.max(x[: i + 1])
        found[i, 3] = np.max([x[i], x[i - 1], x[0]]) - min(x[i], x[i - 1], 0)
        places[np.argmin([x[i], x[i - 1], x[0]])] += 1
    for i in range(len(rows)):
        tests += int(np.any(rows[i] > 0.5)) * 2 + int((rows[i] < 0.75).all()) * 3
        places[1] += int(rows[i].max() - rows[i].min() > 0.25)
    return found, places, tests


@called_with(
    lambda: (floats(6), 3.0),
    lambda: (floats(6).astype("f4"), 0.5),
    lambda: (np.array([0.0, -0.0, np.nan, np.inf, -1.0]), -0.0),
    lambda: (np.arange(6), 2.0),
    lambda: (floats(0), 2.0),
    lambda: (floats(1), 2.0),
)
def chooses_numbers(x, slope):
    """``np.where`` of numbers, which gives arrays without axes."""
    total, out = 0.0, np.zeros(len(x))
    for i in range(len(x)):
        leaky = np.where(x[i] > 0, x[i], slope * x[i])
        total += leaky
        out[i] = np.where(x[i] < 0.5, leaky + 1.0, 2.0)
    return total, out


@called_with(
    lambda: (floats(30), 2.5),
    lambda: (floats(1), 0.5),
    lambda: (floats(0), 2.5),
    lambda: (floats(9) * 9, 1.5),
)
def counts_in_many_bins(x, scale):
    """Lists that are written down with more items than are set one by one."""
    counts, edges = [0] * 12, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, scale]
    for i in range(len(x)):
        bin = int(abs(x[i]) * scale)
        if bin < 12:
            counts[bin] += 1
            edges[bin % 11] += x[i]
    edges.append(scale)
    return counts, edges


BASES = [
    0.0,
    -0.0,
    np.nan,
    -np.nan,
    np.inf,
    -np.inf,
    1.0,
    -1.0,
    -2.0,
    -1e-320,
    1e-200,
    -1e31,
    -1e-31,
    -3e40,
    5.0,
]


@called_with(
    lambda: (np.array(BASES), 3),
    lambda: (np.array(BASES * 40), 4),
    *(
        lambda exponent=exponent: (floats(700) * 3.0, exponent)
        for exponent in (3, 4, 5, 6, 7, 8, 9, 3.0, -3, 2.5)
    ),
    lambda: (floats(40, 30)[::2, ::3] * 2.0, 3),
    lambda: (floats(40, 30).T * 2.0, 5),
    lambda: (floats(6)[::-1] * 2.0, 3),
    lambda: (abs(floats(300)), 3),
    lambda: (-abs(floats(1)), 3),
    lambda: (floats(0), 3),
    lambda: (floats(300).astype(np.float32), 3),
    lambda: (floats(30) * 2.0, floats(30) * 2.0 // 1.0),
    lambda: (floats(30) * 2.0, np.array([3.0])),
)
def raises_negative_items(x, exponent):
    """Reactions and activations have the third power of what may be negative."""
    for _ in range(2):
        x = 0.5 * x + 0.25 * np.tanh(x - 0.125 * x**exponent)
    return x, x**exponent - x


@called_with(
    lambda: (floats(9, 8, 3), floats(3, 2, 3, 5)),
    lambda: (floats(5, 5, 1), floats(1, 1, 1, 1)),
    lambda: (floats(5, 5, 2), floats(2, 2, 3, 4)),
    lambda: (floats(5, 5, 0), floats(2, 2, 0, 4)),
    lambda: (floats(9, 8, 3).astype(np.float32), floats(3, 2, 3, 5).astype(np.float32)),
    lambda: (floats(9, 8, 3), floats(3, 2, 3, 5).astype(np.float32)),
    lambda: (floats(3, 8, 9).T, floats(5, 3, 2, 3).T),
    lambda: (floats(18, 16, 6)[::2, ::2, ::2], floats(3, 2, 3, 10)[..., ::2]),
    lambda: (floats(9, 8, 3)[::-1], floats(3, 2, 3, 5)),
    lambda: (np.full((4, 4, 2), np.nan), floats(2, 2, 2, 3)),
)
def slides_filters(x, filters):
    """A layer of a network: each window times all filters."""
    rows, columns, _, count = filters.shape
    found = np.zeros((x.shape[0] - rows + 1, x.shape[1] - columns + 1, count))
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            found[i, j] = np.tensordot(x[i : i + rows, j : j + columns], filters, axes=([0, 1, 2], [0, 1, 2]))
    return found


@called_with(
    lambda: (floats(6, 5, 4), floats(4, 3), 3),
    lambda: (floats(6, 5, 4), floats(4, 3, 2), 3),
    lambda: (floats(6, 5, 1), floats(1, 3), 3),
    lambda: (floats(0, 5, 4), floats(4, 3), 3),
    lambda: (floats(6, 5, 4)[::2], floats(4, 6)[:, ::2], 3),
    lambda: (floats(4, 5, 6).T, floats(3, 4).T, 3),
    lambda: (floats(6, 5, 4), floats(3, 3), 1),
    lambda: (floats(6, 5, 4), floats(4, 3), 0),
)
def mixes_last_axes(x, weights, turns):
    """The last axis of one array with the first of another, in the ways to say so."""
    total = np.zeros(())
    for turn in range(turns):
        mixed = np.tensordot(x, weights, axes=1) + np.tensordot(x, weights, axes=(-1, 0)) * (turn + 0.5)
        total = total + mixed * np.tensordot(x, weights, ([2], [0]))
    return total


@called_with(
    lambda: (floats(40) * 200.0, 48.0),
    lambda: (np.array(BASES), 1e300),
    lambda: (floats(40).astype(np.float32) * 200, 48.0),
    lambda: (np.arange(40), 48),
    lambda: (floats(6, 7).T * 200.0, floats(7, 1)),
    lambda: (floats(1), np.float64(-0.0)),
    lambda: (floats(0), 1.0),
)
def turns_degrees(hours, latitude):
    """Where the sun stands, in degrees and back."""
    total = np.zeros(())
    for turn in range(3):
        up = np.sin(np.radians(latitude)) + np.cos(np.deg2rad(15.0 * (hours - turn))) * 0.5
        total = total + np.degrees(up) + np.rad2deg(up * 0.25)
    return total


@called_with(
    lambda: (np.random.default_rng(3).normal(size=3000) * 10.0 ** np.arange(-150, 150, 0.1),),
    lambda: (np.random.default_rng(4).uniform(1, 2, 3000),),
    lambda: (np.array([0.0, -0.0, 1.0, -1.5, 2.0**-540, 5e-324, -(2.0**511), 1e-170]),),
    lambda: (np.array([np.nan, np.inf, -np.inf, 1e200]),),
    lambda: (floats(5).astype("f4"),),
    lambda: (floats(0),),
)
def squares_numbers(x):
    """Squares and roots as powers of NumPy's numbers and of Python's: the C library's, which no product always gives."""
    squares, roots = np.zeros((len(x), 2)), np.zeros((len(x), 2))
    for i in range(len(x)):
        squares[i, 0], squares[i, 1] = x[i] ** 2, float(x[i]) ** 2.0
        roots[i, 0], roots[i, 1] = abs(x[i]) ** 0.5, float(abs(x[i])) ** 0.5
    return squares, roots


@called_with(
    lambda: (floats(12), [1.5, -0.0, 2.5], [3, 1, 2]),
    lambda: (np.array([-0.0, 0.0, np.nan, np.inf, -1.0, -np.inf, -0.0]), [-0.0], [2**62, 2**62 - 1]),
    lambda: (np.arange(7) * 2.0**60, [1e308, 1e308], [True, False]),
    lambda: (np.arange(6, dtype="i4") - 3, [float("nan"), 1.0], [2**62, 2**62]),
    lambda: (floats(5).astype("f4"), [1.0, float("nan")], [0]),
    lambda: (np.array([200, 100, 50], "u1"), [0.25], [-5, 7]),
    lambda: (floats(2) > 0.5, [0.25], [-5, 7]),
    lambda: (floats(0), [0.5], [1]),
)
def reduces_by_python(x, weights, counts):
    """Python's sums and extremes, of arrays, of lists that are given and of lists that are made in the loop."""
    found = []
    for i in range(len(x)):
        window = [x[k] * 0.5 for k in range(i)]
        found.append(sum(window))
        found.append(sum(x[i:], 0) + max(x[: i + 1]) - min(x[i:]))
        found.append(sum(weights) + max(weights) * min(weights))
        found.append(sum(counts) + max(counts) - min(counts))
    return found, [type(one) for one in found], max([sum(window)] + weights)


WINDOWS = (
    lambda: (floats(9, 10), 1),
    lambda: (np.random.default_rng(5).normal(size=(12, 40)) * 10.0 ** np.arange(40), 2),
    lambda: (np.random.default_rng(6).choice([0.0, -0.0, np.nan, 1.0], (11, 12)), 1),
    lambda: (floats(9, 20)[:, ::2], 1),
    lambda: (floats(10, 9).T, 1),
    lambda: (floats(9, 10)[::-1], 1),
    lambda: (np.broadcast_to(floats(9, 1), (9, 10)), 1),
    lambda: (np.broadcast_to(floats(10), (9, 10)), 1),
    lambda: (floats(3, 3), 1),
    lambda: (floats(9, 2), 1),
    lambda: (floats(0, 0), 1),
)


@called_with(*WINDOWS, lambda: (floats(9, 10).astype("f4"), 1), lambda: (np.arange(60).reshape(6, 10), 1))
def reduces_windows(x, half):
    """Parts of rows and columns around each place, whole and in strips: of them NumPy reduces a copy."""
    rows, columns = x.shape
    found = np.zeros((4, rows, columns))
    for i in range(half, rows - half):
        for j in range(half, columns - half):
            around = x[i - half : i + half + 1, j - half : j + half + 1]
            found[0, i, j] = np.sum(around)
            found[1, i, j] = around.max() - np.min(around)
            found[2, i, j] = np.sum(x[: i + 1, j : j + 1])
            found[3, i, j] = np.sum(x[::2, j : j + 2])
    return found


@called_with(*WINDOWS)
def averages_windows(x, half):
    """Means and deviations of the parts around each place."""
    rows, columns = x.shape
    found = np.zeros((2, rows, columns))
    for i in range(half, rows - half):
        for j in range(half, columns - half):
            around = x[i - half : i + half + 1, j - half : j + half + 1]
            found[0, i, j] = around.mean()
            found[1, i, j] = np.std(around)
    return found


ZEROS = np.random.default_rng(6).choice([0.0, -0.0], (11, 30))


@called_with(
    lambda: (ZEROS[:, :1].copy(),),
    lambda: (ZEROS,),
    lambda: (ZEROS[:, :1],),
    lambda: (floats(6, 5),),
)
def takes_extremes_of_columns(x):
    """Which of two zeros comes out depends on the distance of the items: NumPy's, unless they are in one piece."""
    found = np.zeros((2, len(x)))
    for i in range(len(x)):
        found[0, i] = np.max(x[: i + 1, :1])
        found[1, i] = np.min(x[: i + 1, :1])
    return found


@called_with(
    lambda: (ZEROS[:, :1].copy(),),
    lambda: (ZEROS,),
    lambda: (ZEROS[:, :1],),
    lambda: (floats(6, 5),),
)
def takes_extremes_of_every_second_item(x):
    """Likewise, in one row and in several."""
    found = np.zeros((2, len(x)))
    for i in range(len(x)):
        found[0, i] = np.max(x[i : i + 1, ::2])
        found[1, i] = np.min(x[: i + 1, ::2])
    return found


@called_with(lambda: (ZEROS, 2), lambda: (ZEROS, 9), lambda: (ZEROS[::2], 3), lambda: (ZEROS.astype("f4"), 5))
def takes_extremes_of_zeros(x, size):
    """Parts whose rows are in one piece each: NumPy compares a copy."""
    found = np.zeros((2, len(x), 8))
    for i in range(len(x)):
        for j in range(8):
            found[0, i, j] = np.max(x[: i + 1, j : j + size])
            found[1, i, j] = x[i:, j : j + size].min()
    return found


WIDE = np.random.default_rng(7).normal(size=(100, 100)) * 10.0 ** np.arange(-50, 50)


@called_with(
    lambda: (WIDE, 0, 82),
    lambda: (np.random.default_rng(8).normal(size=(97, 91)), 0, 90),
    lambda: (np.random.default_rng(8).normal(size=(9, 8, 7)), 0, 9),
    lambda: (WIDE, 82, 100),
)
def reduces_large_parts(x, first, last):
    """Parts of as many items as NumPy copies at a time, and of more."""
    found = np.zeros((len(x), 2))
    for i in range(first, last):
        found[i, 0] = np.sum(x[: i + 1, 1:-1])
        found[i, 1] = x[: i + 1, 1:].max()
    return found
