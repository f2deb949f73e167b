"""Filters and estimators whose states are small arrays, in small: each function with its calls."""

import numpy as np
from loop_programs import floats
from registry import registry
from signal_programs import noise

PROGRAMS, called_with = registry()


def model(states, measured=1, count=12):
    """A transition, two covariances, what is measured, its noise, and the numbers."""
    rng = np.random.default_rng(states)
    forward = np.eye(states) + 0.1 * np.eye(states, k=1)
    seen = rng.normal(size=(measured, states))
    return forward, 0.01 * np.eye(states), seen, 0.5 * np.eye(measured), rng.normal(size=(count, measured))


def with_nan(states):
    """The same with a number that is missing."""
    *given, z = model(states)
    z[5] = np.nan
    return (*given, z)


@called_with(
    lambda: model(2),
    lambda: model(3, 2),
    lambda: with_nan(2),
    lambda: model(2, 1, 0),
    lambda: (*(np.asfortranarray(one) for one in model(4)[:-1]), model(4)[-1]),
    lambda: tuple(np.repeat(np.repeat(one, 2, 0), 2, 1)[::2, ::2] for one in model(3)),
)
def tracks(F, Q, H, R, z):
    """A Kalman filter written with products."""
    n = len(F)
    x, P = np.zeros(n), np.eye(n)
    found = np.zeros((len(z), n))
    for k in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T / S[0, 0]
        x = x + K @ (z[k] - H @ x)
        P = (np.eye(n) - K @ H) @ P
        found[k] = x
    return found, x, P


@called_with(
    lambda: (noise(20), model(2)[0], np.array([1.0, 0.0]), np.zeros(2), np.eye(2)),
    lambda: (noise(20), model(3)[0], np.array([1.0, 0.5, 0.0]), np.zeros(3), np.eye(3)),
    lambda: (noise(20), model(2)[0], np.array([1.0, 0.0]), np.array([1e308, 0.0]), np.eye(2)),
)
def tracks_a_number(z, F, h, x, P):
    """The state begins as the array that was given; what is measured is one number."""
    gains = np.empty((len(z), len(h)))
    for k in range(len(z)):
        x, P = F @ x, F @ P @ F.T + 0.01
        seen = P @ h
        gain = seen / (h @ seen + 0.5)
        x = x + gain * (z[k] - h @ x)
        P = P - np.outer(gain, seen)
        gains[k] = gain
    return gains, x, P


@called_with(
    lambda: (np.log(np.arange(1.0, 10).reshape(3, 3)), -floats(3, 4), np.array([0, 3, 1, 2, 2, 0])),
    lambda: (-floats(2, 2), -floats(2, 4), np.array([0, 3, 1, 2, 2, 0])),
    lambda: (np.full((3, 3), np.nan), -floats(3, 4), np.array([0, 1, 3])),
    lambda: (-floats(3, 3), -floats(3, 4), np.array([0, 7])),
    lambda: (-floats(12, 12), -floats(12, 4), np.array([0, 1, 3])),
)
def decodes(moves, emits, seen):
    """The most likely states, in logarithms."""
    n, count = len(moves), len(seen)
    score, back = emits[:, seen[0]], np.zeros((count, n), np.int64)
    for t in range(1, count):
        ways = score[:, None] + moves
        back[t] = np.argmax(ways, axis=0)
        score = np.max(ways, axis=0) + emits[:, seen[t]]
    path = np.zeros(count, np.int64)
    path[-1] = np.argmax(score)
    for t in range(count - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path, score


@called_with(
    lambda: (noise(40), noise(40, seed=2), 4, 0.5),
    lambda: (noise(40), noise(40, seed=2), 6, 0.5),
    lambda: (noise(80)[::2], noise(40, seed=2), 4, 0.5),
    lambda: (noise(3), noise(3), 4, 0.5),
    lambda: (noise(40), noise(40), 0, 0.5),
    lambda: (noise(40), noise(40), 20, 0.5),
)
def cancels(x, d, n, rate):
    """Normalised least mean squares."""
    w, errors = np.zeros(n), np.zeros(len(x))
    for i in range(n, len(x)):
        u = x[i - n : i][::-1]
        errors[i] = d[i] - w @ u
        w = w + rate * errors[i] * u / (1e-3 + u @ u)
    return errors, w


@called_with(
    lambda: (noise(40), noise(40, seed=2), 3),
    lambda: (noise(40), noise(40, seed=2), 2),
    lambda: (noise(40), np.full(40, np.nan), 3),
)
def adapts_in_place(x, d, n):
    """Recursive least squares, whose weights and covariance are changed in place."""
    w, P = np.zeros(n), np.eye(n) / 0.01
    for i in range(n, len(x)):
        u = x[i - n : i]
        seen = P @ u
        gain = seen / (0.99 + u @ seen)
        w += gain * (d[i] - w @ u)
        P -= np.outer(gain, seen)
        P /= 0.99
    return w, P


@called_with(
    lambda: (np.full((2, 2), 0.5), np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([0, 1, 1, 0, 1])),
    lambda: (np.full((3, 3), 0.3), np.full((3, 2), 0.5), np.array([0, 1, 1, 0, 1])),
    lambda: (np.zeros((2, 2)), np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([0, 1, 1, 0, 1])),
    lambda: (-np.full((2, 2), 0.0), np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([0, 1, 1, 0, 1])),
)
def scores(moves, emits, seen):
    """The likelihood of what was seen."""
    state, total = emits[:, seen[0]], 0.0
    for t in range(1, len(seen)):
        state = (state @ moves) * emits[:, seen[t]]
        total += np.log(state.sum())
        state = state / state.sum()
    return total, state.max(), state.min()


@called_with(
    lambda: (noise(30), np.array([0.5, -0.3, 0.2])),
    lambda: (noise(30), np.array([0.5])),
    lambda: (noise(30), np.linspace(-0.5, 0.5, 12)),
    lambda: (np.full(30, 1e200), np.full(3, 1e200)),
)
def climbs(x, k):
    """A lattice filter: the last turn's numbers are copied, and written anew one by one."""
    back, y = np.zeros(len(k) + 1), np.zeros(len(x))
    for n in range(len(x)):
        last, ahead = back.copy(), x[n]
        back[0] = ahead
        for i in range(len(k)):
            back[i + 1] = last[i] + k[i] * ahead
            ahead = ahead + k[i] * last[i]
        y[n] = ahead
    return y, back


@called_with(
    lambda: (noise(9), noise(3, 3, seed=2) * 1e-3, noise(3, seed=3)),
    lambda: (noise(9), noise(2, 2, seed=2) * 1e-3, noise(2, seed=3)),
    lambda: (noise(9), np.full((3, 3), 1e300), noise(3, seed=3)),
    lambda: (noise(9), noise(3, 4, seed=2), noise(3, seed=3)),
)
def takes_turns(u, A, b):
    """Two states that change places, of which a branch writes one: two names may be one array."""
    old, new = np.zeros(len(A)), np.ones(len(A))
    same = new
    for n in range(len(u)):
        old, new = new, A @ old + b * u[n]
        if n % 3 == 2:
            new[0] = old[1]
            same = old
    return old, new, same.copy()


@called_with(
    lambda: (noise(6), np.array([1e200, 1.0])),
    lambda: (noise(6), np.array([1.0, 1.0, 1.0])),
)
def leaves_unread(u, a):
    """NumPy warns of an element that nobody reads."""
    total = 0.0
    for n in range(len(u)):
        squares = a * a * u[n]
        total += squares[1]
    return total


@called_with(
    lambda: (noise(3, 3), noise(3, 3)),
    lambda: (noise(2, 2),) * 2,
    lambda: (noise(4, 4).T, noise(4, 4)),
)
def multiplies_with_itself(a, b):
    """Products of which the library computes a half, and of two matrices that may be one."""
    made = np.zeros(a.shape)
    for _ in range(3):
        made = made + a @ b.T + 1e-3 * (made @ made.T)
        made = made + a[:2, :].T @ b[:2, :]
    return made


@called_with(
    lambda: (np.array([1.0, 2.0, 3.0]), 20),
    lambda: (np.array([1.0, 2.0]), 20),
    lambda: (np.array([1.0, 2.0, 3.0, 4.0]), 20),
    lambda: (np.array([1, 2, 3]), 20),
)
def flows(start, steps):
    """A field of three numbers, by halves of steps."""
    y, found = start.copy(), np.empty((steps, 3))
    for i in range(steps):
        slope = np.array([10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 2.5 * y[2]])
        y = y + 0.01 * slope
        found[i] = y
    return found


@called_with(
    lambda: (noise(8, 3), 0.5),
    lambda: (noise(5, 2, 2), 0.5),
    lambda: (noise(1, 3), 0.5),
    lambda: (noise(0, 3), 0.5),
    lambda: (noise(8, 3)[::2, ::-1], 0.5),
)
def smooths_backwards(xs, a):
    """Lists of arrays: walked both ways, copied, given other arrays, put in front."""
    seen, ahead = [], []
    for x in xs:
        seen.append(x * 2)
        ahead.append(a * x + 1)
    kept = list(seen)
    for k in range(len(seen) - 2, -1, -1):
        kept[k] = seen[k] + a * (kept[k + 1] - ahead[k + 1])
    total = np.zeros(xs.shape[1:])
    for number, (one, other) in enumerate(zip(kept, reversed(ahead))):
        total = total + number * one - other
    back = [seen[-1]]
    for one in seen[-2::-1]:
        back.insert(0, a * back[0] + one)
    return np.array(kept), total, np.array(back[::-1]), len(back)


@called_with(
    lambda: (noise(6, 2), noise(8, 2, seed=2), noise(8, 2, seed=3)),
    lambda: (noise(6, 3), noise(12, 3, seed=2), noise(12, 3, seed=3)),
    lambda: (noise(6, 2), noise(6, 2, seed=2), noise(6, 2, seed=3)),
    lambda: (noise(0, 2), noise(8, 2, seed=2), noise(8, 2, seed=3)),
)
def gates(xs, W, U):
    """A recurrent cell whose gates are parts of one array; where that has no four parts of one size, NumPy raises."""
    h = c = np.zeros(U.shape[1])
    found = []
    for x in xs:
        i, f, o, g = np.split(W @ x + U @ h, 4)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
        found.append(h)
    return np.array(found), c


@called_with(
    lambda: (noise(30),),
    lambda: (np.array([1.0, np.nan, 2.0]),),
    lambda: (np.array([np.inf, 1.0, -np.inf]),),
    lambda: (np.zeros(0),),
)
def modulates(x):
    """What begins as a number of Python's chooses; numbers that are missing, or infinite, are passed by."""
    first = second = 0.0
    bits, passed = np.zeros(len(x)), 0
    for n in range(len(x)):
        if np.isnan(x[n]) or np.isinf(x[n]):
            passed += 1
            continue
        bit = np.where(second >= 0, 1.0, -1.0)
        bits[n] = bit
        first += x[n] - bit
        second += first - 2 * bit
    return bits[: len(x) - passed], passed, first, np.isfinite(x).sum()


@called_with(
    lambda: (noise(20), noise(7, seed=2), 3, 2),
    lambda: (noise(20), noise(7, seed=2), 1, 1),
    lambda: (noise(20), noise(7, seed=2), 2, 5),
    lambda: (noise(20), noise(7, seed=2), -3, 2),
)
def resamples(x, h, up, down):
    """Every so many items of a filter, from one that changes."""
    found = np.zeros(abs(len(x) * up // down))
    for m in range(len(found)):
        total = 0.0
        for k, weight in enumerate(h[(m * down) % abs(up) :: up]):
            at = m * down // abs(up) - k
            if at < 0:
                break
            total += weight * x[at]
        found[m] = total
    return found


@called_with(
    lambda: (*(one for one in model(2)[:1]), noise(2, 1), np.eye(2), np.array([[0.1]]), 9),
    lambda: (*(one for one in model(3)[:1]), noise(3, 2), np.eye(3), 0.1 * np.eye(2), 9),
    lambda: (*(one for one in model(4)[:1]), noise(4, 3), np.eye(4), 0.1 * np.eye(3), 9),
    lambda: (np.zeros((2, 2)), np.zeros((2, 1)), np.eye(2), np.zeros((1, 1)), 9),
    lambda: (*(one for one in model(2)[:1]), noise(2, 1), np.full((2, 2), np.nan), np.array([[0.1]]), 9),
    lambda: (*(np.asfortranarray(one) for one in (*model(3)[:1], noise(3, 2))), np.eye(3), np.eye(2), 9),
)
def regulates(A, B, Q, R, most):
    """A Riccati equation by repetition, until nothing changes: inverses of few numbers, and solutions."""
    P, gain = Q, np.zeros(B.T.shape)
    for _ in range(most):
        gain = np.linalg.inv(R + B.T @ P @ B) @ (B.T @ P @ A)
        new = Q + A.T @ P @ A - A.T @ P @ B @ gain
        if np.max(np.abs(new - P)) < 1e-9:
            break
        P = 0.5 * (new + new.T)
    return P, gain, np.linalg.solve(P + np.eye(len(P)), A)
