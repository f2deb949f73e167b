"""Functions that write fields in place, as models of oceans and the air do: each function with its calls.

Fields have one to four axes, levels along the last one; some share memory, or lie in it in other ways, and some have no items.
"""

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
SHAPES = ((5, 4, 3), (1, 4, 3), (5, 1, 1), (3, 70, 9), (0, 4, 3), (40, 3, 2))


def field(*shape, seed=0, low=-1.0):
    """A field of random numbers."""
    return np.random.default_rng(seed).uniform(low, 1.0, shape)


def steps(*shapes):
    """Calls with a field at three times, and one at one time."""
    return tuple(lambda one=one: (field(*one, 3), field(*one, seed=1)) for one in shapes)


def shared():
    """A field at three times, and a view of it at one."""
    whole = field(5, 4, 3, 3)
    return whole, whole[..., 1]


def other_orders():
    """Fields whose axes run in other orders, and with gaps."""
    yield lambda: (np.asfortranarray(field(5, 4, 3, 3)), field(5, 4, 3, seed=1))
    yield lambda: (field(10, 4, 6, 3)[::2, :, ::2], field(5, 4, 6, seed=1)[:, :, ::2])
    yield lambda: (field(5, 4, 3, 3)[::-1], field(5, 4, 3, seed=1))
    yield lambda: (field(3, 4, 5, 3).swapaxes(0, 2), field(3, 4, 5, seed=1).swapaxes(0, 2))


def read_only():
    """A field that can't be written."""
    state, source = field(5, 4, 3, 3), field(5, 4, 3, seed=1)
    state.flags.writeable = False
    return state, source


def locked():
    """The same field twice, which can be written, then one that can't."""
    for is_writeable in (True, False):
        state = field(5, 4, 3)
        state.flags.writeable = is_writeable
        yield lambda state=state: (state, field(5, 4, 3, seed=1))


def repeated():
    """A field whose rows are one row of memory."""
    return np.lib.stride_tricks.as_strided(field(4, 3, 3), (5, 4, 3, 3), (0, 72, 24, 8)), field(
        5, 4, 3, seed=1
    )


@called_with(*steps(*SHAPES), *other_orders(), shared, read_only, repeated)
def next_time(state, source):
    """One time is written from two others."""
    for now, last, new in ((1, 0, 2), (2, 1, 0)):
        state[..., new] = state[..., last] + 0.1 * (1.5 * state[..., now] - 0.5 * source)
        state[:, :, 0, new] += source[:, :, 0]
        state[:, :, 1:, new] -= source[:, :, 1:] * source[:, :, :-1]
    return state


@called_with(*steps(*SHAPES), *other_orders(), shared)
def warned_late(state, source):
    """What was written before the division by zero has to be there, whatever comes of it."""
    state[..., 2] = state[..., 1] * 2.0
    state[1:, :, :, 0] = state[:-1, :, :, 2] + source[1:]
    state[..., 1] = source / (source - source[:1])
    state[0, ...] = 0.5
    return state


@called_with(*steps(*SHAPES), *other_orders(), shared)
def raised_late(state, source):
    """Sizes do not meet when something is written already."""
    state[..., 2] = state[..., 1] * 2.0
    state[..., 0] = source[:, :, ::-1] - state[..., 2]
    state[..., 1] = source[:, 1:]
    return state


@called_with(*(lambda tau=tau: (field(5, 4, 3, 3), field(5, 4, 3), tau) for tau in (0, 2, -1, 3, -4)))
def at_an_index(state, source, tau):
    """An index may count from the end, or lie outside."""
    source *= 2.0
    state[1:-1, 1:-1, :, tau] = source[2:, 1:-1] - source[:-2, 1:-1]
    state[..., tau] *= 0.5
    return state


@called_with(*(lambda n=n: (field(n, 4), np.array([n])) for n in (0, 1, 3, 30)))
def edges(a, count):
    """Rows and columns at the ends are written by themselves."""
    a[0, :] = a[-1, :]
    a[-1, :] = 2.0
    a[:, 0] = a[:, 1] / a[:, 2]
    a[:, -1] = a[:, -2]
    a[count[0] // 2, 1] = np.sqrt(a[0, 2])
    return a


@called_with(
    *(
        lambda one=one: (field(*one), field(*one, seed=1, low=0.1), field(*one, seed=2, low=0.1))
        for one in SHAPES
    ),
    lambda: (np.asfortranarray(field(5, 4, 3)), field(5, 4, 3), field(5, 4, 3)),
    lambda: (lambda a: (a, a, a))(field(5, 4, 3)),
)
def solved(values, upper, lower):
    """A system of three diagonals for each column: level after level."""
    nz = values.shape[2]
    c = np.zeros_like(values)
    d = np.zeros_like(values)
    diagonal = 4.0 + upper + lower
    c[:, :, 0] = upper[:, :, 0] / diagonal[:, :, 0]
    d[:, :, 0] = values[:, :, 0] / diagonal[:, :, 0]
    for k in range(1, nz):
        norm = 1.0 / (diagonal[:, :, k] - lower[:, :, k] * c[:, :, k - 1])
        c[:, :, k] = upper[:, :, k] * norm
        d[:, :, k] = (values[:, :, k] - lower[:, :, k] * d[:, :, k - 1]) * norm
    values[:, :, -1] = d[:, :, -1]
    for k in range(nz - 2, -1, -1):
        values[:, :, k] = d[:, :, k] - c[:, :, k] * values[:, :, k + 1]
    return values


@called_with(
    *(
        lambda n=n, m=m: (field(n, m, low=0.1), field(n, seed=1))
        for n, m in ((600, 5), (5, 7), (1, 1), (0, 3), (9, 0))
    )
)
def through_levels(tau, top):
    """Numbers go down level by level and up again, through NumPy's own functions; a row is what its neighbours are not."""
    n, levels = tau.shape
    down = np.empty((n, levels + 1))
    down[:, 0] = top
    for i in range(levels):
        down[:, i + 1] = down[:, i] * np.exp(-tau[:, i])
    up = np.zeros((n, levels + 1))
    up[:, levels] = down[:, levels] * 0.3
    for i in range(levels - 1, -1, -1):
        up[:, i] = up[:, i + 1] * 0.9 + tau[:, i] * down[:, i]
    return down - up, np.tanh(up) * down


@called_with(*(lambda n=n: (field(n, 6), field(n, 6, seed=1)) for n in (60, 5, 1, 0)))
def rows_beside(a, b):
    """Steps read the rows beside them, which an earlier statement, or the step before, has written."""
    grown = np.zeros_like(a)
    for k in range(6):
        grown[:, k] = a[:, k] * 2.0
    moved = np.zeros_like(a)
    moved[1:] = grown[1:] - grown[:-1]
    b[:-1] += moved[1:]
    for k in range(1, 6):
        a[1:, k] = a[:-1, k - 1] + moved[1:, k]
    for k in range(5):
        moved[:, k] += moved[:, k + 1]
    return a, b, moved, grown[::-1] * 0.5


@called_with(*(lambda n=n: (field(n), field(n, seed=1), 3) for n in (5000, 9, 1, 0)))
def relaxed(x, target, count):
    """Steps that touch each item by itself, and some that do not."""
    error = np.zeros_like(x)
    for _ in range(count):
        error[:] = x - target
        x -= 0.5 * error
    for _ in range(count):
        x[1:] = x[:-1] * 0.5
    return x, error


@called_with(*(lambda n=n, rows=rows: (field(n, 3), rows) for n, rows in ((20, 4), (7, 3), (3, 9))))
def rows_at_a_time(a, rows):
    """The user's own loop over tiles, the rows of which overlap."""
    total = np.zeros_like(a)
    for k in range(3):
        total[:, k] = a[:, k] * 2.0
    for start in range(0, len(a), rows):
        for row in range(start, min(start + rows + 1, len(a))):
            total[row, 0] += total[row, 1]
    for k in range(3):
        total[:, k] += a[:, k]
    return total


@called_with(*(lambda n=n: (field(n, 3), np.zeros((n, 3))) for n in (5000, 20, 7, 0)))
def places_in_tiles(a, found):
    """The user's own loop over tiles, which computes with the place of a row in its tile."""
    total = np.zeros_like(a)
    for k in range(a.shape[1]):
        total[:, k] = a[:, k] * 2.0
        for start in range(0, len(a), 3):
            size = min(len(a) - start, 3)
            for row in range(start, start + size):
                found[row, k] = total[row, k] + (row - start)
    return total, found


@called_with(
    *(lambda n=n, k=k: (field(n, 3), field(n, k)) for n, k in ((5, 3), (5, 2), (0, 3), (0, 2))),
    lambda: (field(0, 3), field(1, 3)),
    lambda: (field(0, 3), field(2, 3)),
)
def levels_that_are_not_there(a, b):
    """An index outside raises where there is no row, too."""
    total = np.zeros_like(a)
    for k in range(3):
        total[:, k] = a[:, k] * 2.0
        total[:, k] += b[:, k]
    return total


@called_with(*(lambda n=n: (field(n, 3), np.zeros((n, 3))) for n in (5000, 9, 1, 0)))
def rows_of_its_own(a, found):
    """An array that each level makes anew, of which a row is what the row in front has left there."""
    for k in range(a.shape[1]):
        own = np.empty(len(a))
        for i in range(len(a)):
            own[i] = a[i, k] * 2.0
            if i > 0:
                found[i, k] = own[i] + own[i - 1]
    return found


@called_with(*(lambda n=n: (field(n, 3), np.zeros((n, 3))) for n in (5000, 9, 1, 0)))
def rows_of_last_level(a, found):
    """An array that one loop alone uses: a level reads what the last level has left one row further on."""
    own = np.empty(len(a) + 1)
    for k in range(a.shape[1]):
        for i in range(len(a)):
            if k == 0:
                own[i] = own[i + 1] = 0.0
            own[i] = own[i + 1] + a[i, k]
            found[i, k] = own[i]
    return found


@called_with(*locked())
def levels_of_itself(state, source):
    """What is stored is there already: NumPy raises all the same where it can't be."""
    for k in range(source.shape[2]):
        state[:, :, k] = state[:, :, k]
    return source * 2.0


@called_with(*locked())
def rows_of_itself(state, source):
    """The same without a loop."""
    source[0] = 2.0 * source[1]
    state[...] = state
    return source


def plain_rows():
    """Two fields of rows: of no rows, of fewer than haloes have, of more than a turn takes, in other orders, one and the same, and with numbers that warn."""
    shapes = ((0, 5), (1, 5), (2, 2), (3, 1), (4, 4), (5, 0), (9, 7), (70, 130), (3, 9000))
    yield from (lambda one=one: (field(*one), field(*one, seed=1)) for one in shapes)
    yield lambda: (np.asfortranarray(field(9, 7)), field(9, 7, seed=1))
    yield lambda: (field(18, 7)[::2], field(9, 14, seed=1)[:, ::-2])
    yield lambda: (field(9, 7)[::-1], field(9, 7, seed=1).astype(np.float32))
    yield lambda: (field(9, 7).astype(np.float32), field(9, 7, seed=1).astype(np.float32))
    yield lambda: (one := field(9, 7), one)
    yield lambda: ((one := field(12, 7))[1:], one[:-1])
    yield lambda: (np.where(field(9, 7) > 0.9, np.inf, field(9, 7)), field(9, 7, seed=1) * 1e308)
    yield lambda: (field(9, 7), field(9, 6, seed=1))


@called_with(*plain_rows())
def upwind(c, u):
    """Fluxes on the faces between rows and columns, and what they leave behind."""
    east = np.zeros_like(c)
    north = np.zeros_like(c)
    east[1:-2, 2:-2] = u[1:-2, 2:-2] * (c[2:-1, 2:-2] + c[1:-2, 2:-2]) - np.abs(u[1:-2, 2:-2]) * (
        c[2:-1, 2:-2] - c[1:-2, 2:-2]
    )
    north[2:-2, 1:-2] = u[2:-2, 1:-2] * (c[2:-2, 2:-1] + c[2:-2, 1:-2])
    c[2:-2, 2:-2] -= 0.1 * (east[2:-2, 2:-2] - east[1:-3, 2:-2] + north[2:-2, 2:-2] - north[2:-2, 1:-3])
    return c


@called_with(*plain_rows())
def limited(c, u):
    """Slopes of differences, fluxes of slopes: three fields, each of which the next one reads at several rows."""
    ahead = np.zeros_like(c)
    ahead[:-1] = c[1:] - c[:-1]
    slope = np.zeros_like(c)
    slope[1:-1] = np.where(ahead[1:-1] * ahead[:-2] > 0, np.minimum(ahead[1:-1], ahead[:-2]), 0.0)
    flux = np.zeros_like(c)
    flux[1:-2] = np.where(u[1:-2] > 0, u[1:-2] * (c[1:-2] + slope[1:-2]), u[1:-2] * (c[2:-1] - slope[2:-1]))
    c[2:-2] -= 0.5 * (flux[2:-2] - flux[1:-3])
    return c


@called_with(*plain_rows())
def twice(c, u):
    """The same two fields hold the fluxes of a field, and then those of what comes of it."""
    east, bend = np.zeros_like(c), np.zeros_like(c)
    east[:-1] = (c[1:] - c[:-1]) * u[1:]
    bend[1:-1] = (east[1:-1] - east[:-2]) / u[1:-1]
    east[:-1] = (bend[1:] - bend[:-1]) / u[:-1]
    c[3:-1] += east[2:-2] - east[4:]
    return c


@called_with(*plain_rows())
def far_away(c, u):
    """A field that is read three rows behind, three rows ahead, and upside down."""
    found = np.zeros_like(c)
    found[:] = c * u
    other = np.zeros_like(c)
    other[3:] = found[:-3] + u[3:]
    c[:-3] = found[3:] - other[:-3]
    return c, other[::-1] + 1.0


@called_with(
    *(lambda one=one: (field(*one), field(*one, seed=1), 3) for one in ((6, 5, 4), (4, 4, 1), (2, 3, 2), (0, 4, 4))),
    lambda: (field(3, 80, 70), field(3, 80, 70, seed=1), 2),
    lambda: (field(6, 5, 4), field(6, 5, 4, seed=1) * 1e200, 4),
)  # fmt: skip
def steps_of_fluxes(c, u, steps):
    """Fluxes along three axes, at each of some steps."""
    for _ in range(steps):
        east, north, up = np.zeros_like(c), np.zeros_like(c), np.zeros_like(c)
        east[:-1] = u[:-1] * (c[1:] - c[:-1])
        north[:, :-1] = u[:, :-1] * (c[:, 1:] - c[:, :-1])
        up[..., :-1] = u[..., :-1] * (c[..., 1:] - c[..., :-1])
        c[1:-1, 1:-1] += east[1:-1, 1:-1] - east[:-2, 1:-1] + north[1:-1, 1:-1] - north[1:-1, :-2]
        c[..., 0] += up[..., 0]
        c[..., 1:] += up[..., 1:] - up[..., :-1]
    return c
