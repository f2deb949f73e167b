"""Loops that draw random numbers: each function with its calls, whose generators have to go on alike afterwards."""

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
CLASSES = (np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64)


def rng(seed=1, cls=np.random.PCG64, half=False):
    """A generator, of which half of a number may have been used."""
    made = np.random.Generator(cls(seed))
    if half:
        made.integers(5)
    return made


@called_with(
    *(lambda cls=cls: (rng(3, cls), 40) for cls in CLASSES),
    lambda: (rng(4, half=True), 25),
    lambda: (rng(5), 0),
    lambda: (rng(6, np.random.MT19937, half=True), 700),
)
def bits_of_all_classes(rng, n):
    total, counts, last = 0.0, 0, 0.0
    for _ in range(n):
        total += rng.random() - rng.uniform(-3.0, 1.5)
        counts += int(rng.integers(7)) * int(rng.integers(0, 2**32))
        counts -= int(rng.integers(-5, 2**40))
        last = rng.standard_normal()
        total -= last * rng.standard_exponential()
    return total, counts, last


@called_with(
    lambda: (rng(1), 30, 0.7), lambda: (rng(2), 30, 12.0), lambda: (rng(3), 3, 0.0), lambda: (rng(3), 3, -1.0)
)
def every_distribution(rng, n, a):
    out = np.zeros((n, 20))
    for i in range(n):
        out[i, 0] = rng.normal(a, a)
        out[i, 1] = rng.lognormal(a, 0.25) + rng.exponential(a)
        out[i, 2] = rng.standard_gamma(a) + rng.gamma(a, 2)
        out[i, 3] = rng.beta(a, 0.5) - rng.beta(a, a)
        out[i, 4] = rng.chisquare(a) * rng.standard_t(a)
        out[i, 5] = rng.standard_cauchy() + rng.laplace(1, a)
        out[i, 6] = rng.gumbel(a, a) + rng.logistic()
        out[i, 7] = rng.rayleigh(a) + rng.weibull(a)
        out[i, 8] = rng.pareto(a) - rng.power(a)
        out[i, 9] = rng.poisson(a) + rng.poisson(40 * a)
        out[i, 10] = rng.geometric(0.3) + rng.geometric(1 / (1 + a))
        out[i, 11] = rng.uniform(high=a) - rng.uniform(0, 3)
    return out


@called_with(
    lambda: (rng(1), 6, 5),
    lambda: (rng(1), 1, 0),
    lambda: (rng(1), 2, -1),
    lambda: (rng(1, np.random.SFC64), 3, 4),
)
def arrays_of_draws(rng, n, size):
    out = np.zeros(7)
    for _ in range(n):
        out[0] += rng.random(size).sum() + rng.random((2, 3))[1, 2]
        out[1] += rng.normal(1.0, 2.0, size).sum() + rng.standard_normal(size=(size, 2)).sum()
        out[2] += rng.integers(0, 100, size).sum() + rng.integers(9, size=(3, 3))[2, 0]
        out[3] += rng.uniform(-1.0, 1.0, (5,)).max() + rng.exponential(size=6).min()
        out[4] += rng.integers(1, 6, size=4, endpoint=True).sum()
        out[5] += rng.poisson(3.0, size=3).sum() + rng.gamma(2.0, size=2).sum()
    return out


@called_with(lambda: (rng(8), 20), lambda: (rng(8), 0))
def few_at_once(rng, n):
    inside, total = 0, 0.0
    for _ in range(n):
        x, y = rng.random(2)
        a, b, c = rng.normal(size=3)
        d = rng.uniform(1.0, 2.0, size=4)
        e = rng.random(3) * 2.0
        f = rng.random(2)
        f[0] = a
        for v in rng.random(3):
            total += v
        for w in rng.integers(4, size=2):
            total += d[w]
        if x * x + y * y <= 1.0:
            inside += 1
        total += (a - b) * c + d[0] * d[-1] - d[1] + e[2] + f[0] * f[1] + d.sum()
    return inside, total


@called_with(lambda: (rng(1), 3, 2), lambda: (rng(1), 3, 1), lambda: (rng(1), 0, 1))
def more_names_than_draws(rng, n, size):
    total = 0.0
    for _ in range(n):
        a, b = rng.random(size)
        total += a - b
    return total


@called_with(lambda: (rng(1), 4), lambda: (rng(1), 8))
def index_behind_few(rng, n):
    total = 0.0
    for i in range(n):
        pair = rng.random(2)
        total += pair[1] + pair[i // 4]
    return total


@called_with(
    lambda: (rng(1), np.zeros(6), 6),
    lambda: (rng(1), np.zeros(6), 9),
    lambda: (rng(1, half=True), np.zeros(2), 9),
)
def draws_until_an_index_is_outside(rng, a, n):
    for i in range(n):
        a[i] = rng.random() + float(rng.integers(10))
    return a


@called_with(lambda: (rng(1), 30, 1.0), lambda: (rng(1), 30, 0.0), lambda: (rng(1), 0, 0.0))
def warns_between_draws(rng, n, x):
    out = np.zeros(n)
    for i in range(n):
        out[i] = out[i - 1] + rng.random() / np.float64(x)
        x = x * 0.5
    return out


@called_with(
    lambda: (rng(1), 5, 0.0, 1.0),
    lambda: (rng(1), 5, 0.0, -1.0),
    lambda: (rng(1), 5, 0.0, float("nan")),
    lambda: (rng(1), 5, 0.0, -0.0),
    lambda: (rng(1), 5, -1e308, 1e308),
    lambda: (rng(1), 5, 2.0, 1.0),
    lambda: (rng(1), 5, 1.0, float("inf")),
)
def parameters_at_the_edge(rng, n, low, scale):
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.uniform(low, scale) + rng.normal(0.0, scale)
    return total


@called_with(
    *(
        lambda pair=pair: (rng(9), 8, *pair)
        for pair in [
            (0, 1),
            (0, 2),
            (-3, 4),
            (5, 5),
            (6, 5),
            (0, 2**31),
            (0, 2**31 - 1),
            (-(2**31), 2**31),
            (2**31, 1),
        ]
    ),
)
def integers_between(rng, n, low, high):
    total = np.int64(0)
    for _ in range(n):
        total = total ^ rng.integers(low, high) ^ rng.integers(low, high * 2, endpoint=True)
        total = total ^ rng.integers(low * 2**31, high * 2**31)
    return total


@called_with(lambda: (rng(9), 5, np.int32(7), np.uint8(3)), lambda: (rng(9), 5, np.int32(0), np.uint8(3)))
def integers_of_numpys_numbers(rng, n, high, low):
    found = np.zeros((n, 2))
    for i in range(n):
        found[i] = rng.integers(high), rng.integers(low, high + 1)
    return found, rng.random()


@called_with(
    lambda: (rng(1), np.arange(5.0), 9), lambda: (rng(1), np.zeros(0), 2), lambda: (rng(1), np.zeros(1), 3)
)
def random_items(rng, a, n):
    for _ in range(n):
        i, j = rng.integers(0, len(a), size=2)
        a[i], a[j] = a[j], a[i] + 1.0
        a[rng.integers(len(a))] -= 0.5
    return a


def _twice():
    one = rng(2)
    return one, one, 5


def _shared():
    one = rng(2)
    return one, np.random.Generator(one.bit_generator), 5


@called_with(_twice, _shared, lambda: (rng(1), rng(2, np.random.Philox), 7), lambda: (rng(1), rng(1), 0))
def two_generators(one, other, n):
    total = 0.0
    for _ in range(n):
        total += one.random() - 2.0 * other.random() + 3.0 * one.normal()
    return total, one.random() - other.random()


@called_with(lambda: (rng(1), 30), lambda: (rng(2), 1), lambda: (rng(2), 0))
def order_of_draws(rng, n):
    x = 0.5
    for _ in range(n):
        first = rng.random()
        rng.standard_normal()
        second = rng.random()
        if second < first:
            x = second - rng.random() * first
        else:
            x = rng.uniform(x, x + 1.0) - rng.random() - rng.random()
        x = x + (rng.random() if x < 0.0 else 0.25)
    return x


@called_with(lambda: (7, 20), lambda: (8, 0), lambda: (2**70, 3), lambda: (-1, 3))
def made_in_the_function(seed, n):
    rng = np.random.default_rng(seed)
    before = rng.random()
    walk = np.zeros(n)
    for i in range(1, n):
        walk[i] = walk[i - 1] + rng.normal()
    return before, walk, rng.random(), rng.integers(3)


@called_with(lambda: (rng(1), 6, 0.2), lambda: (rng(1), 3, 1.0))
def tries_again(rng, n, most):
    out, tries = np.empty(n), 0
    for i in range(n):
        v = rng.exponential(0.5)
        while v > most:
            tries += 1
            v = rng.exponential(0.5)
        out[i] = v
    return out, tries


@called_with(lambda: (rng(1), np.arange(6.0), 4), lambda: (rng(1), np.arange(1.0), 2))
def beside_methods_without_a_form(rng, a, n):
    rng.shuffle(a)
    total = 0.0
    for i in range(n):
        total += i * rng.random()
    return total, rng.choice(a), rng.random(dtype=np.float32), rng.binomial(3, 0.5)


@called_with(lambda: (rng(1), 400, 0.5), lambda: (rng(1), 0, 0.5))
def noise_on_arrays(rng, n, scale):
    x = np.linspace(0.0, 1.0, n)
    y = 2.0 * x + rng.normal(0.0, scale, n) - rng.random(n) * 0.5
    for i in range(1, n):
        y[i] += 0.5 * y[i - 1]
    return y, rng.random()


@called_with(
    *(lambda cls=cls, half=half: (rng(3, cls, half), 9, 3) for cls in CLASSES for half in (False, True)),
    lambda: (rng(4), 0, 2),
    lambda: (rng(4), 1, 2),
    lambda: (rng(4), 2, 2),
    lambda: (rng(4), -1, 2),
    lambda: (rng(4), 300, 1),
)
def visits_in_another_order(rng, n, turns):
    total = 0
    for turn in range(turns):
        for place, one in enumerate(rng.permutation(n)):
            total += one * place * (turn + 1)
    return total, rng.random()


@called_with(
    *(lambda d=d: (rng(5), np.arange(12).astype(d), 3) for d in ("f8", "f4", "i2", "u1", "?")),
    *(lambda n=n: (rng(5), np.arange(1.0 * n), 2) for n in (0, 1, 2)),
    lambda: (rng(5), np.arange(24.0)[::2], 2),
    lambda: (rng(5), np.arange(24.0)[::-3], 2),
)
def shuffles(rng, x, turns):
    firsts = np.zeros((turns, 3))
    for turn in range(turns):
        rng.shuffle(x)
        firsts[turn, 0] = x[:2].sum()
        rng.shuffle(x[1::2])
        mixed = rng.permutation(x)
        firsts[turn, 1] = mixed[:1].sum()
        firsts[turn, 2] = rng.permutation(x * 2)[-1:].sum()
    return firsts, rng.random()


@called_with(
    lambda: (rng(6), np.arange(30.0).reshape(10, 3), np.arange(10.0), 4),
    lambda: (rng(6), np.arange(3.0).reshape(1, 3), np.arange(1.0), 4),
    lambda: (rng(6), np.zeros((0, 3)), np.zeros(0), 4),
)
def learns_by_batches(rng, x, y, size):
    """Steps down a gradient, batch by batch, through rows in an order that is drawn for each epoch."""
    w = np.zeros(x.shape[1])
    for _ in range(3):
        order = rng.permutation(len(x))
        for start in range(0, len(x), size):
            batch = order[start : start + size]
            error = x[batch] @ w - y[batch]
            w -= 0.001 * (x[batch].T @ error) / len(batch)
    return w, rng.permutation(x)
