"""Loops over numbers that call NumPy's functions, which kernels call for tiles of iterations: each function with its calls.

The loops have no, one and many iterations, as many as a tile and one more; some write what they read, or stop early.
"""

import math

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()
LEFT, called_as_they_are = registry()
"""Loops in which some call stays as it is."""
SIZES = (0, 1, 3, 4, 5, 9, 128, 300)


def vectors(*sizes):
    return [lambda size=size: (floats(size) * 0.1,) for size in sizes]


@called_with(*vectors(*SIZES), lambda: (floats(9)[::-1],), lambda: (np.array([0.5, np.nan, 800.0, -800.0]),))
def sum_of_exponentials(x):
    total = 0.0
    for i in range(len(x)):
        total += np.exp(-x[i] * x[i])
    return total


@called_with(*vectors(*SIZES))
def made_and_counted(x):
    out, count = np.zeros(len(x)), 0
    for i in range(len(x)):
        out[i] = np.sin(x[i]) + count
        count += 2
    return out, count


@called_with(*vectors(*SIZES), lambda: (np.array([1.0, -1.0, 2.0]),), lambda: (np.array([1.0, 0.0]),))
def one_of_the_other(x):
    """The second call needs the first; both warn of some numbers."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        y = np.exp(x[i] * 0.25)
        out[i] = np.log(y - x[i]) + y
    return out


@called_with(*vectors(*SIZES), lambda: (np.array([0.0, 3.0]),))
def two_operands(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.arctan2(x[i], 2.0) - np.logaddexp(x[i], 0.5 * x[i])
    return out


@called_with(*[lambda size=size: (floats(size).astype(np.float32) * np.float32(0.1),) for size in SIZES])
def in_single_precision(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = np.exp(x[i]) * x[i]
    return out


@called_with(
    *[lambda a=a, b=b: (floats(a), floats(b)) for a, b in [(3, 4), (0, 2), (2, 0), (5, 130), (9, 1)]]
)
def rows_and_columns(a, b):
    """A loop with calls in a loop with calls."""
    out = np.zeros(len(a))
    for i in range(len(a)):
        scale = np.cos(a[i] * 0.1)
        for j in range(len(b)):
            out[i] += np.exp(-0.1 * (a[i] - b[j]) ** 2) * scale
    return out


@called_with(*[lambda n=n: (floats(9), n) for n in (0, 1, 5, 9, 10)], lambda: (floats(2), 3))
def until_outside(x, n):
    """The last calls raise an IndexError, in an iteration behind some that were written."""
    out = np.zeros(16)
    for i in range(n):
        out[i] = np.exp(x[i])
    return out


@called_with(*[lambda n=n: (floats(9), n) for n in (1, 4, 9, 20)])
def from_the_end(x, n):
    out = np.zeros(n)
    for i in range(n):
        out[-1 - i] = np.tanh(x[-1 - i % 9])
    return out


@called_with(*[lambda a=a, b=b: (floats(9), a, b) for a, b in [(0, 9), (3, 7), (7, 3), (-4, 2), (2, 8)]])
def between_bounds(x, first, last):
    total = 1.0
    for i in range(first, last):
        total = total * 0.5 + np.cos(x[i] + i)
    return total


@called_with(
    *[lambda size=size: (floats(size),) for size in (1, 5, 9)], lambda: (np.array([-1.0, -2.0, 3.0]),)
)
def in_a_branch(x):
    """A call in a branch stays as it is, the one in front of it does not."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        y = np.exp(-x[i])
        if y > 1.0:
            y = np.log(y)
        out[i] = y
    return out


@called_with(*[lambda size=size: (floats(size),) for size in (1, 5, 9, 140)])
def with_a_loop_behind(x):
    out = np.zeros((len(x), 3))
    for i in range(len(x)):
        y = np.exp(x[i] * 0.01)
        for j in range(3):
            out[i, j] = y * j
    return out


# -- operands that the loop carries ------------------------------------------------------------------------


@called_with(
    *vectors(*SIZES), lambda: (np.array([1.0, -3.0, 2.0, np.nan, 1.0]),), lambda: (np.full(4, -np.inf),)
)
def likelihood(x):
    """The variance of each turn follows from the one before, and is used beside its logarithm."""
    variance, total = np.float64(0.5), 0.0
    for i in range(len(x)):
        total += np.log(variance) + x[i] * x[i] / variance
        variance = 0.1 + 0.2 * x[i] + 0.7 * variance
    return total, variance


@called_with(
    *vectors(*SIZES), lambda: (np.array([0.0, 0.0, 1.0]),), lambda: (np.array([0.0, np.inf, 1.0, np.nan]),)
)
def level_of_an_envelope(x):
    """The state is needed by the calls alone; branches decide how it changes."""
    state = np.float64(0.0)
    out = np.empty(len(x))
    for i in range(len(x)):
        size = np.abs(x[i])
        if size > state:
            state = 0.5 * state + 0.5 * size
        else:
            state = 0.9 * state + 0.1 * size
        out[i] = 20.0 * np.log10(state)
    return out, state


@called_with(*vectors(*SIZES))
def two_calls_of_one_state(x):
    """Both calls need the state, the second one a state of its own and what the first one gives."""
    phase, slow, last = np.float64(0.1), np.float64(0.0), np.float64(7.0)
    out, turns = np.empty(len(x)), 0
    for i in range(len(x)):
        turn = np.cos(phase)
        out[i] = turn + np.exp(slow * 0.1 - turn) * last + turns
        last = phase
        slow = slow * 0.5 + phase
        phase = phase + x[i]
        if phase > 3.0:
            phase -= 6.0
            turns += 1
    return out, phase, slow, last, turns


@called_with(
    *vectors(*SIZES), lambda: (np.array([0.0, 0.0, -0.0]),), lambda: (np.array([np.inf, np.nan, 1.0]),)
)
def lengths_of_what_turns(x):
    """What Python computes by itself is computed for a tile, too; a division in a branch leads to it."""
    a, b, total = 0.0, 0.0, 0.0
    out = np.empty(len(x))
    for i in range(len(x)):
        a, b = 0.8 * a - 0.5 * b + x[i], 0.5 * a + 0.8 * b
        if b > 1.0:
            a = a / b
        out[i] = math.hypot(a, b) + a
        total += math.hypot(x[i], 3.0)
    return out, total


def sizes(first, last, step):
    """Numbers of these powers of ten, and the same from the end with a sign."""
    found = 10.0 ** np.arange(first, last, step)
    return found, -found[::-1].copy()


@called_with(
    lambda: sizes(-300.0, 300.0, 1.5), lambda: sizes(-300.0, 10.0, 0.5), lambda: sizes(-323.0, 308.0, 1.0)
)
def lengths_of_all_sizes(x, y):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = math.hypot(x[i], y[i])
    return out


@called_as_they_are(*vectors(1, 5, 9, 140))
def length_of_a_length(x):
    length = 0.0
    for i in range(len(x)):
        length = math.hypot(length, x[i])
    return length


@called_with(*vectors(*SIZES))
def integers_and_truths(x):
    """A counter, and whether something has happened, lead to the operand."""
    count, seen, total = 0, False, 0.0
    for i in range(len(x)):
        count += 3 if seen else 1
        total += np.sqrt(np.exp(-0.01 * count)) * x[i]
        seen = x[i] > 0.5
    return total, count, seen


@called_with(*[lambda n=n: (floats(9), n) for n in (0, 1, 2, 8, 9, 10)], lambda: (floats(2), 3))
def states_until_outside(x, n):
    """The last calls raise an IndexError, behind the call or in front of it."""
    state, total, out = np.float64(1.0), 0.0, np.zeros(9)
    for i in range(n):
        out[i] = state
        total += np.log(state)
        state = 0.5 * state + x[i] * x[i]
    return total, out


@called_with(*vectors(0, 1, 2, 9, 130))
def beside_a_call_that_stays(x):
    """The logarithm is that of a state that its own call leads to; the other one is not."""
    state, own, total = np.float64(1.0), np.float64(0.3), 0.0
    for i in range(len(x)):
        own = np.sin(own) + x[i]
        total += np.log(state) * own
        state = 0.9 * state + 0.1 * x[i] * x[i]
    return total, own


@called_with(*[lambda size=size: (floats(size).astype(np.float32),) for size in SIZES])
def states_in_single_precision(x):
    state, out = np.float32(1.0), np.zeros_like(x)
    for i in range(len(x)):
        state = np.float32(0.5) * state + x[i] * x[i]
        out[i] = np.log(state) + state
    return out


@called_with(
    *[lambda a=a, b=b: (floats(a), floats(b)) for a, b in [(3, 4), (0, 2), (2, 0), (5, 130), (9, 1)]]
)
def states_of_rows(a, b):
    """An inner loop begins with a state of the outer one."""
    state, total = np.float64(1.0), 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            total += np.log(state)
            state = 0.5 * state + b[j] * b[j]
        state = state + a[i] * a[i]
    return total, state


@called_as_they_are(*vectors(1, 5, 9, 140))
def of_a_state_that_is_written(x):
    """The state goes through memory that the loop writes."""
    state, out = np.float64(1.0), np.zeros(len(x) + 1)
    for i in range(len(x)):
        state = 0.5 * state + out[i]
        out[i + 1] = np.exp(-state) + x[i]
    return out


@called_as_they_are(*vectors(1, 5, 9, 140))
def of_arrays_that_are_carried(x):
    state, total = np.linspace(1.0, 2.0, 20), 0.0
    for i in range(len(x)):
        total += np.log(state[0] * state[0])
        state = state[::-1] * 0.5 + x[i]
    return total


@called_as_they_are(*vectors(*SIZES))
def of_what_is_carried(x):
    y = np.float64(0.1)
    for i in range(len(x)):
        y = np.sin(y) + x[i]
    return y


@called_as_they_are(*vectors(1, 5, 9))
def of_what_is_written(x):
    """Each iteration reads what the one before has written."""
    out = np.zeros(len(x) + 1)
    for i in range(len(x)):
        out[i + 1] = np.exp(-out[i]) + x[i]
    return out


@called_as_they_are(*vectors(1, 5, 9))
def in_place(x):
    for i in range(1, len(x)):
        x[i] = np.exp(x[i - 1] * 0.1)
    return x


@called_as_they_are(lambda: (floats(9),), lambda: (np.array([3.0, 0.0, -1.0]),))
def stopped_early(x):
    """What comes behind the end must not warn."""
    total = 0.0
    for i in range(len(x)):
        if x[i] <= 0.0:
            break
        total += np.log(x[i])
    return total


@called_as_they_are(*[lambda size=size: (floats(size),) for size in (0, 1, 5, 9)])
def by_twos(x):
    total = 0.0
    for i in range(0, len(x), 2):
        total += np.exp(-x[i])
    return total


@called_as_they_are(lambda: (floats(9), floats(9)), lambda: (lambda a: (a[1:], a[:-1]))(floats(9)))
def into_an_argument(x, out):
    """The two may overlap."""
    for i in range(len(x)):
        out[i] = np.exp(-x[i])
