"""Functions in the manner of various authors: of image processing, numerical recipes, statistics, signals, chemistry."""

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()
LEFT_TO_NUMPY: dict[str, set[int]] = {
    "begins_without_a_name": {3, 4},
    "lives": {3},
    "sums_what_is_listed": {3},
    "begins_with_numbers": {3},
    "adds_terms": {1, 3},
    "takes_polynomials": {2},
    "widens": {2},
    "adds_up_by_methods": {1},
    "takes_parts_in_order": {3, 4},
    "tells_different_ones": {4, 5},
    "orders_equal_ones": {4},
    "reduces_what_is_turned": {3, 6},
    "reduces_what_is_taken": {1, 2},
    "chooses": {2},
    "flattens_what_is_turned": {1, 3},
}
"""As in ``test_idioms``."""


@called_with(
    lambda: (floats(12, 14), floats(3, 3)),
    lambda: (floats(4, 9).astype(np.float32), floats(5, 3)),
    lambda: (floats(9, 5)[::2], floats(1, 1)),
    lambda: (floats(3, 3).T, floats(3, 5).T),
)
def slides_a_kernel(image, weights):
    """Rows of a padded image, another distance from those of the result at each turn."""
    rows, columns = weights.shape
    padded = np.pad(image, ((rows // 2,), (columns // 2,)), mode="edge")
    out = np.zeros_like(image)
    for i in range(rows):
        for j in range(columns):
            out += weights[i, j] * padded[i : i + image.shape[0], j : j + image.shape[1]]
    return out


@called_with(lambda: (2.0,), lambda: (1e-9,), lambda: (1.5,))
def goes_on_until_it_stays(x):
    """A name that has no value in front of the loop, and one for certain behind it."""
    count = 0
    while True:
        y = 0.5 * (x + 2 / x)
        count += 1
        if abs(y - x) < 1e-12:
            break
        x = y
    return y, count


@called_with(lambda: (floats(5), 5), lambda: (floats(1) - 2, 3), lambda: (floats(600), 1))
def goes_on_with_arrays(x, most):
    """Likewise, of an array."""
    count = 0
    while True:
        y = np.sin(x) * 0.5
        count += 1
        if np.max(np.abs(y - x)) < 0.1 or count > most:
            break
        x = y
    return y, count


@called_with(lambda: (7, 5, 0), lambda: (1, 3, 0), lambda: (3, -1, 0), lambda: (3, 5, 1), lambda: (11, 5, 1))
def begins_without_a_name(x, most, reads):
    """A name with a value of one of two types, which one turn may ask for before it has one."""
    while True:
        if reads:
            x += y  # noqa: F821
        y = 1.5 if x > most else x
        x += 1
        if x > 10:
            break
    return y, x


# -- folds that begin with a number --------------------------------------------------------------------------


def board(rows, columns, dtype=np.int64):
    """Cells of which some live."""
    return (np.random.default_rng(rows).random((rows, columns)) > 0.6).astype(dtype)


@called_with(
    lambda: (board(10, 12), 3),
    lambda: (board(5, 8, np.int8), 2),
    lambda: (board(7, 6, bool), 1),
    lambda: (board(10, 12).T, 2),
    lambda: (board(1, 1), 1),
    lambda: (board(4, 4), 0),
)
def lives(cells, turns):
    """The neighbours of a cell, by the sum of what a generator gives."""
    for _ in range(turns):
        around = sum(
            np.roll(np.roll(cells, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i != 0 or j != 0
        )
        cells = ((around == 3) | ((cells == 1) & (around == 2))).astype(cells.dtype)
    return cells


@called_with(
    lambda: (floats(4, 5), floats(5)),
    lambda: (floats(1, 3).astype(np.float32), floats(3)),
    lambda: (floats(5, 4).T, floats(5)),
    lambda: (floats(4, 0), floats(0)),
)
def sums_what_is_listed(rows, weights):
    """Sums of arrays in lists of a known length, and of one that is not known."""
    count = rows.shape[1]
    listed = sum([rows[:, 0], rows[:, -1] * 2.0], 1.5) if count else 0
    return listed, sum(weights[k] * rows[:, k] for k in range(count)), sum((rows, rows, 1, rows), rows)


@called_with(
    lambda: (floats(40), floats(5)),
    lambda: (floats(40).astype(np.float32), floats(1)),
    lambda: (floats(80)[::2], floats(4)[::-1]),
    lambda: (floats(40), floats(0)),
    lambda: (np.arange(20), floats(3)),
    lambda: (floats(9) > 0, np.arange(3)),
)
def begins_with_numbers(x, weights):
    """Arrays in the place of the integer 0, which are added to in place, and in the place of 1."""
    added, summed, scaled = 0, 0.0, 1
    size = len(x) - len(weights) + 1
    for k, weight in enumerate(weights):
        added = added + weight * x[k : k + size]
        summed += x[k : k + size] * 2
        scaled = weight * scaled * x
    return added, summed, scaled


@called_with(
    lambda: (floats(6), 0.5),
    lambda: (floats(6) * 1e-9, 0.5),
    lambda: (floats(1), 20.0),
    lambda: (floats(6), 1e9),
)
def adds_terms(x, tolerance):
    """A series whose terms begin with the number 1; the loop may be left in its first turn."""
    k, term, total = 0, 1, 0
    while k < 50:
        term = term * x / (k + 1)
        total = total + term
        k += 1
        if np.max(np.abs(term)) < tolerance * 1e-8:
            break
    return total, k


@called_with(
    lambda: (floats(6), 5),
    lambda: (floats(6).astype(np.float32), 2),
    lambda: (floats(6), 1),
    lambda: (floats(4, 3), 3),
)
def takes_polynomials(x, order):
    """A recurrence of two whose first is a number."""
    before, now = 1, x
    for k in range(1, order):
        before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)
    return before, now


@called_with(lambda: (4, floats(4, 4)), lambda: (1, floats(1, 1)), lambda: (0, floats(1, 1)))
def widens(count, steps):
    """An array of floats of four bytes, in whose place one of eight comes."""
    found = np.eye(count, dtype=np.float32)
    for i in range(count):
        found = found + steps[i, 0]
    return found


@called_with(lambda: (floats(5, 4), 3), lambda: (floats(2, 1), 2), lambda: (floats(3, 2), 0))
def adds_up_inside(rows, count):
    """A sum that begins with 0 at each turn of a loop around, and which is stored into then."""
    out = np.zeros((count, rows.shape[1]))
    for i in range(count):
        total = 0
        for j in range(i + 1):
            total = total + rows[j % len(rows)] * i
            total[0] = j
        out[i] = total
    return out


# -- functions of NumPy, as they are called ------------------------------------------------------------------


def digits(size, below=6):
    """Integers of which some are equal."""
    return np.random.default_rng(size).integers(0, below, size)


@called_with(
    lambda: (floats(6, 5), 3),
    lambda: (np.asfortranarray(floats(6, 5)), 2),
    lambda: (floats(7, 8, 3)[::2], 2),
    lambda: (digits(12).reshape(3, 4), 1),
    lambda: (floats(4, 0), 1),
)
def adds_up_by_methods(x, count):
    """Running sums and products by the methods of arrays."""
    total = 0.0
    for i in range(count):
        total += x.cumsum(0).cumsum(axis=1)[-1].sum() + x.cumsum()[-1] * i + x.cumprod(axis=0).sum()
    return total, x.cumsum(axis=-1), x.cumprod(0)


@called_with(
    lambda: (floats(9) + 1j * floats(9)[::-1], 3),
    lambda: (np.array([complex(-0.0, -0.0)] * 3), 1),
    lambda: (np.array([complex(-0.0, 0.0)]), 1),
    lambda: (np.array([complex(0.0, -0.0), 1j]), 2),
    lambda: ((floats(3, 4) + 1j * floats(3, 4)), 1),
)
def adds_up_complex_numbers(z, count):
    """Running sums, whose first item keeps the signs of its zeros; powers with exponents that are literals."""
    total = 0j
    for i in range(count):
        total += (np.cumsum(z * 1.0)[-1] if z.ndim == 1 else z[0, 0]) ** 3 + (z.ravel()[0] + 2.0) ** i
        total += (z.ravel()[0] + 1.5) ** -1
    return total, np.cumsum(z, axis=0), z.cumsum()


@called_with(
    lambda: (floats(6, 5), 3),
    lambda: (floats(5, 6).T, 2),
    lambda: (floats(7, 8)[::2], 2),
    lambda: (np.zeros((3, 3)), 1),
    lambda: (np.array([[1.0, np.nan], [np.nan, 3.0]]), 2),
    lambda: (floats(5, 4) > 0, 1),
    lambda: (digits(16).reshape(4, 4).T, 2),
    lambda: (np.zeros((3, 0)), 1),
)
def finds_extremes_of_all(x, count):
    """The places of extremes among all elements, and the indices that they stand for."""
    out = np.zeros((count, 2), dtype=int)
    places = 0
    for i in range(count):
        out[i] = np.unravel_index(np.argmax(x * 1), x.shape)
        places += x.argmin() + np.argmax(x)
    return places, out


@called_with(
    lambda: (floats(20), 3),
    lambda: (floats(40)[::2], 5),
    lambda: (floats(2), 2),
    lambda: (np.array([1.0, 2.0, 3.0, np.nan]), 3),
    lambda: (floats(1), 1),
)
def takes_parts_in_order(x, count):
    """Several places among the items in order, and places that are computed."""
    out = np.zeros((count, 4))
    for i in range(count):
        out[i, :2] = np.percentile(x * 1.0, [25, 75])
        out[i, 2] = np.percentile(x, 30 + i)
        out[i, 3] = np.quantile(x, i * 0.1)
    return out


@called_with(
    lambda: (floats(6, 5), 3), lambda: (floats(6, 5).T, 2), lambda: (np.asfortranarray(floats(6, 5)), 1)
)
def takes_parts_along_axes(x, count):
    """The same along an axis, or of all elements."""
    out = np.zeros(x.shape[1])
    for i in range(count):
        out += np.percentile(x * (i + 1), 40, axis=0)
    return out, np.percentile(x, 10), np.quantile(x, 0.2, axis=1)


@called_with(
    lambda: (digits(30), 3),
    lambda: (digits(30) * 1.0, 2),
    lambda: (digits(60)[::2], 2),
    lambda: (digits(1), 1),
    lambda: (np.array([0.0, -0.0, 1.0]), 1),
    lambda: (np.array([0.0, np.nan, 1.0]), 1),
)
def tells_different_ones(x, count):
    """Different items, where they are first, which each is, and how often it is there."""
    found = 0
    for i in range(count):
        items, often = np.unique(x, return_counts=True)
        found += items[np.argmax(often)] * i + np.unique(x, return_inverse=True)[1][0]
        found += np.unique(x, True, True, True)[1].sum()
    return found, np.unique(x, return_index=True), np.unique(x, return_inverse=True)


@called_with(
    lambda: (digits(30), floats(30), 3),
    lambda: (digits(30) * 1.0, digits(30), 2),
    lambda: (digits(60)[::2], floats(30), 1),
    lambda: (np.array([0.0, -0.0, 1.0]), floats(3), 1),
    lambda: (np.array([0.0, np.nan, 1.0]), floats(3), 1),
    lambda: (digits(0), floats(0), 1),
)
def orders_equal_ones(x, y, count):
    """Orders in which equal items stay as they are, by one key and by several."""
    found = 0
    for _ in range(count):
        found += (np.argsort(x, kind="stable") * np.lexsort((y, x))).sum()
    return found, np.lexsort([x, y, x]), (-x).argsort(kind="mergesort")


@called_with(
    lambda: (floats(20), 3), lambda: (floats(10).astype(np.float32), 2), lambda: (floats(3)[::-1], 1)
)
def makes_by_lists_and_dtypes(x, count):
    """Items at places in a list, and unit matrices of several dtypes."""
    total = 0.0
    for i in range(count):
        unit = np.eye(3, dtype=np.float32)
        total += np.take(x, [0, 2, 1])[i % 3] * unit[0, 0] + np.identity(count, dtype=int)[0, 0]
        total += np.eye(2, 3, dtype=complex)[1, 1].real
    return total, unit, np.eye(2, dtype=bool)


SPREAD = np.random.default_rng(9).normal(size=(60, 41)) * 10.0 ** np.arange(-20, 21)


@called_with(
    lambda: (SPREAD, 3),
    lambda: (SPREAD[:7, :40], 2),
    lambda: (SPREAD.astype(np.float32), 1),
    lambda: (SPREAD[:, :1], 2),
    lambda: (SPREAD[:1], 2),
    lambda: (SPREAD[::2, ::2], 2),
    lambda: (SPREAD.T, 1),
    lambda: (SPREAD[:0], 1),
)
def reduces_what_is_turned(x, count):
    """Sums, means and extremes of arrays whose axes run in the other order, and of what is computed from them."""
    out = np.zeros((count, 8))
    for i in range(count):
        out[i, :3] = x.T.sum(), (x.T * i).sum(), x.T.mean()
        out[i, 3] = (x.T - 1.5).max()
        out[i, 4] = x.T.min(axis=0)[0]
        out[i, 5] = (x.T * x.T).sum(axis=0, keepdims=True)[0, 0]
        out[i, 6] = (x.T * x[::-1].T).mean(axis=1)[-1]
    return out


@called_with(
    lambda: (SPREAD, digits(50, 41), 2),
    lambda: (SPREAD.T, digits(50, 41), 1),
    lambda: (np.asfortranarray(SPREAD), digits(50, 41), 1),
)
def reduces_what_is_taken(x, places, count):
    """Rows at any places, and what is repeated along an axis, beside what is turned: other arrays have a say in the order."""
    out = np.zeros((count, 7))
    for i in range(count):
        out[i, 0] = (x[:41].T[places] * 1.5).sum()
        out[i, 1] = x[places].T.sum(axis=0)[3]
        out[i, 2] = x.T[places % len(x.T)].sum(axis=0)[3]
        out[i, 3] = (x[places].T * 2).sum(axis=1)[0]
        out[i, 4] = (x.T - x[0][:, None]).mean(axis=1)[-1]
        out[i, 5] = (x.T + x[0][:, None] * x[:, 0]).sum(axis=1)[0]
        out[i, 6] = (x.T * np.ones((x.shape[1], x.shape[0]))).sum(axis=0)[1]
    return out


@called_with(
    lambda: (floats(8, 10), 2, 2),
    lambda: (floats(4, 4).T, 2, 1),
    lambda: (floats(6, 6).astype(np.float32), 3, 1),
    lambda: (floats(4, 6), 1, 2),
)
def averages_blocks(image, size, count):
    """Blocks of an image one after the other: axes in another order that become fewer."""
    rows, columns = image.shape
    total = np.zeros((rows // size, columns // size))
    for i in range(count):
        blocks = image.reshape(rows // size, size, columns // size, size)
        blocks = blocks.transpose(0, 2, 1, 3).reshape(-1, size * size)
        total += blocks.mean(axis=1).reshape(rows // size, columns // size) * i + blocks.max()
    return total


@called_with(
    lambda: (floats(6, 4), 3),
    lambda: (floats(4, 6).T, 2),
    lambda: (floats(12, 8)[::2, ::2], 2),
    lambda: (floats(1, 4), 1),
    lambda: (floats(3, 3), 0),
)
def flattens_what_is_turned(x, count):
    """Elements in the order of an array's axes, which run in another one: read, changed, and as results."""
    total = 0.0
    for i in range(count):
        changed = x.T.ravel()
        changed[0] = i
        total += changed[1] + x[0, 0] + (x.T * 2).flatten()[1]
    return total, x.T.ravel(), (x * count).T.reshape(x.size)


@called_with(lambda: (floats(3, 5, 8), 2), lambda: (floats(1, 1, 2), 2), lambda: (floats(4, 3, 4), 0))
def mixes_heads(x, count):
    """Parts of the last axis in front, and back."""
    batch, length, size = x.shape
    total = np.zeros(x.shape)
    for _ in range(count):
        heads = x.reshape(batch, length, 2, size // 2).transpose(0, 2, 1, 3) * 1.5
        total += heads.transpose(0, 2, 1, 3).reshape(batch, length, size)
    return total


@called_with(
    lambda: (floats(20), 20, 1),
    lambda: (floats(1), 5, 2),
    lambda: (floats(40)[::-2], 3, 5),
    lambda: (digits(8), 3, 5),
    lambda: (floats(8) > 0, 3, 5),
    lambda: (floats(8).astype(np.float32), 3, 5),
    lambda: (floats(0), 0, 2),
    lambda: (floats(0), 2, 2),
)
def chooses(x, count, seed):
    """Samples with items that come several times: of an array, of integers below a number, of a tuple."""
    rng = np.random.default_rng(seed)
    found = np.empty(count)
    for i in range(count):
        found[i] = np.sum(rng.choice(x, size=len(x), replace=True)) + rng.choice(x) * rng.choice(len(x))
        found[i] += rng.choice(5, 3).sum() + rng.choice(x, (2, 2))[1, 0] + rng.choice((-1, 1))
    return found, rng.random(), rng.choice(x, 3), rng.choice(7)


SPECIAL = np.array([0.0, -0.0, 1.5, 2.0, 5e-324, 0.25])


@called_with(
    *(
        lambda x=x, exponent=exponent: (x, exponent, 2)
        for exponent in (2.0, 0.5, -1.0, 0.0, 1.0, 3.7, 2, 0, -1, 3)
        for x in (np.abs(floats(7)) + 0.5, np.abs(floats(3, 4)).T)
    ),
    *(lambda exponent=exponent: (SPECIAL, exponent, 1) for exponent in (2.0, 0.5, -1.0, 0.0, 1.0, -2.5)),
    *(lambda exponent=exponent: (floats(9), exponent, 1) for exponent in (2.0, 0.5, 3)),
    lambda: (np.abs(floats(6)).astype(np.float32), 0.5, 3),
    lambda: (floats(0), 2.0, 3),
)
def raises_to_what_is_given(x, exponent, count):
    """A power whose exponent may be one for which NumPy takes a reciprocal, a root, a square."""
    total = np.zeros_like(x)
    for i in range(count):
        total += (x * i + 1) ** exponent
    return total, x**exponent


# -- what random programs have found ---------------------------------------------------------------------------


@called_with(
    lambda: (np.arange(4.0) - 1.5, 3),
    lambda: (np.arange(5) - 2, 2),
    lambda: (np.arange(16.0)[::4] - 1.5, 1),
    lambda: (floats(4), 0),
)
def takes_away_the_first_item(x, count):
    """One item that is repeated, of the very array that the result is stored into."""
    for _ in range(count):
        x -= x[0:1]
        x[1:] += x[1:2]
        x[:] = x[2:3] + x
    return x


@called_with(
    lambda: (np.arange(12.0).reshape(3, 4) - 1.5, 2),
    lambda: (np.arange(24.0).reshape(6, 4)[::2], 1),
    lambda: (np.arange(12.0).reshape(4, 3).T, 1),
)
def repeats_its_own_rows(x, count):
    """The same along axes, and rows and columns that are stored as they are, again and again."""
    for _ in range(count):
        x[1:] = x[1:2] * 2
        x[0] = x[0, 0:1]
        x[:, 1:] = np.maximum(x[:, 1:], x[:, 1:2] + 1)
        x[:] = np.where(x > 3, x[0:1], x)
        x[:, :] = x[:, 0:1]
    return x


@called_with(lambda: (np.arange(4.0) - 1.5, 3), lambda: (np.arange(4.0), 1))
def begins_with_a_number_and_is_an_argument(x, count):
    """What is a number at first is an argument then, which is changed in place."""
    found = 1
    for k in range(count):
        found = x
        found -= x[k : k + 1]
    return found


@called_with(lambda: (3,), lambda: (1,), lambda: (0,))
def calls_functions_with_either(count):
    """What is Python's at first is given to functions of NumPy's, and is that of NumPy's then."""
    size, total, product = -0.5, 0.5, 1
    for _ in range(count):
        size, total, product = np.abs(size), np.add(total, 1.5), np.multiply(product, 3)
    return size, total, product
