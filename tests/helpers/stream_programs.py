"""Loops that draw from Python's ``random``: each function with its calls; all streams have to go on alike afterwards."""

import math
import random
from dataclasses import dataclass, field
from random import random as drawn_number
from types import SimpleNamespace

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
SHARED = random.Random(77)


def seeded(seed, *args):
    """Arguments, with Python's own stream, and the one of this module, at the beginning of a known sequence."""
    random.seed(seed)
    SHARED.seed(seed)
    return args


def rng(seed=1, turns=0):
    """A stream, of which some numbers were drawn."""
    made = random.Random(seed)
    for _ in range(turns):
        made.random()
    return made


class Doubled(random.Random):
    """Draws something else."""

    def random(self):
        return 2.0 * super().random()


class Counted(random.Random):
    """Counts its draws of bits."""

    def getrandbits(self, k):
        self.count = getattr(self, "count", 0) + 1
        return super().getrandbits(k)


def shadowed(seed, name, function):
    """A stream of which one method is its own."""
    made = random.Random(seed)
    setattr(made, name, function)
    return made


@dataclass
class Walker:
    """Walks by a stream of its own."""

    rng: random.Random = field(default_factory=lambda: random.Random(3))
    place: float = 0.0

    def walk(self, turns):
        for _ in range(turns):
            self.place += self.rng.random() - 0.5
        return self.place


SEEDS = (0, 1, 2**70, "text")


@called_with(
    *(lambda seed=seed: seeded(seed, 40) for seed in SEEDS),
    lambda: seeded(1, 0),
    lambda: seeded(1, 1),
    lambda: seeded(2, 900),
)
def darts(n):
    inside = 0
    for _ in range(n):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return inside


@called_with(lambda: seeded(3, 700), lambda: seeded(3, 0))
def imported_by_name(n):
    total = 0.0
    for i in range(n):
        total += drawn_number() * i
    return total, random.random(), random.getstate()


@called_with(
    lambda: seeded(4, rng(5), 700), lambda: (rng(5, 623), 2), lambda: (rng(5, 312), 2), lambda: (rng(5), 0)
)
def as_an_argument(*given):
    *_, stream, n = given
    total = 0.0
    for _ in range(n):
        total += stream.random()
    return total


@called_with(lambda: seeded(5, 30), lambda: seeded(6, 0))
def as_a_global(n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = SHARED.random() - random.random()
    return out


@called_with(
    lambda: (SimpleNamespace(rng=rng(7)), 20), lambda: (Walker(), 20), lambda: (Walker(rng=rng(8, 5)), 1)
)
def as_an_attribute(one, n):
    total = 0.0
    for _ in range(n):
        total += one.rng.random() - one.rng.uniform(0.0, 0.5)
    return total


@called_with(lambda: (Walker(), 20), lambda: (Walker(), 0))
def by_a_method(walker, n):
    return walker.walk(n), walker.walk(2 * n), walker.rng.random()


def two_streams_from(one, other, n):
    total = 0.0
    for i in range(n):
        total += one.random() - other.random() if i % 3 else other.random()
    return total


@called_with(
    lambda: (rng(1), rng(2), 700), lambda: (*[rng(1)] * 2, 20), lambda: (rng(1), np.random.default_rng(1), 9)
)
def two_streams(one, other, n):
    return two_streams_from(one, other, n)


@called_with(
    *(lambda k=k: (rng(3), k, 20) for k in (0, 1, 31, 32, 33, 62, 63, 64, 100, -1)),
    lambda: (rng(3), True, 3),
    lambda: (rng(3), 5, 0),
    lambda: (rng(3, 623), 40, 3),
)
def bits(stream, k, n):
    total, last = 0, 0
    for _ in range(n):
        last = stream.getrandbits(k)
        total ^= last
        total += stream.getrandbits(1) + stream.getrandbits(40) % 7
    return total, last


@called_with(
    *(lambda a=a, b=b: (rng(4), a, b, 20) for a, b in ((0.0, 1.0), (3, -2.5), (1, 1), (1e308, -1e308))),
    lambda: (rng(4), 0.0, math.inf, 3),
    lambda: (rng(4), math.nan, 1.0, 3),
    lambda: (rng(4), np.float32(0.5), 2.0, 3),
    lambda: (rng(4), "a", "b", 3),
    lambda: (rng(4), 10**400, 1.0, 3),
)
def between(stream, a, b, n):
    total = 0.0
    for _ in range(n):
        total += stream.uniform(a, b)
    return total, stream.uniform(b, a)


@called_with(
    *(lambda n=n: (rng(5), n, 40) for n in (1, 2, 3, 6, 8, 2**31 - 1, 2**31, 2**40, 2**63 - 1, 2**63, 2**70)),
    *(lambda n=n: (rng(5), n, 3) for n in (0, -1, 2.0, 2.5, "2", True, np.int64(7), np.int8(7))),
    lambda: (rng(5), 0, 0),
)
def below(stream, n, turns):
    total = 0
    for _ in range(turns):
        total += stream.randrange(n)
    return total


@called_with(
    lambda: (rng(6), 2, 9, 3, 30),
    lambda: (rng(6), -9, 2, -2, 30),
    lambda: (rng(6), 9, 2, -2, 30),
    lambda: (rng(6), 0, 100, 7, 0),
    lambda: (rng(6), 3, 3, 1, 2),
    lambda: (rng(6), 3, 9, 0, 2),
    lambda: (rng(6), -(2**40), 2**40, 2**20, 30),
)
def ranges(stream, a, b, step, turns):
    total = 0
    for i in range(turns):
        total += stream.randrange(a + i, b + i) if b > a else 1
        total += stream.randrange(a, b, step) * i
        total -= stream.randint(a, max(a, b))
    return total


@called_with(lambda: seeded(7, 200), lambda: seeded(7, 0))
def dice(n):
    counts = np.zeros(13, int)
    for _ in range(n):
        counts[random.randint(1, 6) + random.randint(1, 6)] += 1
    return counts


@called_with(lambda: (rng(7), 9), lambda: (rng(7), 3), lambda: (rng(7), 0))
def empties_in_the_middle(stream, n):
    out = []
    for i in range(n):
        out.append(stream.random())
        out.append(stream.randrange(5 - i))
    return out


@called_with(
    lambda: (rng(8), np.zeros(6), 6), lambda: (rng(8), np.zeros(6), 9), lambda: (rng(8, 620), np.zeros(2), 9)
)
def draws_until_an_index_is_outside(stream, a, n):
    for i in range(n):
        a[i] = stream.random() + stream.getrandbits(3)
    return a


@called_with(lambda: (rng(9), 30, 1.0), lambda: (rng(9), 30, 0.0), lambda: (rng(9), 0, 0.0))
def warns_between_draws(stream, n, x):
    out = np.zeros(n)
    for i in range(n):
        out[i] = out[i - 1] + stream.random() / np.float64(x)
        x = x * 0.5
    return out


@called_with(lambda: (rng(1), 3, 0.0), lambda: (rng(1), 9, 1.5), lambda: (rng(1), 9, 0))
def divides_between_draws(stream, n, x):
    total = 0.0
    for i in range(n):
        total += stream.random() / (x - 0.5 * (i - 4))
    return total


@called_with(
    *(
        lambda items=items: (rng(10), items, 20)
        for items in ([1, 5, 7], [2.5], (1, 2, 3, 4), "abc", range(3, 40, 4))
    ),
    lambda: (rng(10), np.arange(5.0), 20),
    lambda: (rng(10), [], 2),
    lambda: (rng(10), [], 0),
    lambda: (rng(10), {1: 2}, 3),
    lambda: (rng(10), 5, 3),
)
def choices_of(stream, items, n):
    return [stream.choice(items) for _ in range(n)]


@called_with(lambda: seeded(11, 60), lambda: seeded(11, 0))
def choices_of_what_is_written_down(n):
    x = y = 0
    for _ in range(n):
        x += random.choice([-1, 1])
        y += random.choice((-1, 0, 1)) * 2
    return x, y, random.choice("NESW")


@called_with(*(lambda n=n: seeded(12, n) for n in (0, 1, 2, 50)))
def shuffled(n):
    order = [i * i for i in range(n)]
    random.shuffle(order)
    total = 0
    for place, one in enumerate(order):
        total += place * one
    return total, order


@called_with(
    lambda: (rng(12), [3.5, "a", None, 2]),
    lambda: (rng(12), np.arange(9)),
    lambda: (rng(12), np.arange(9).reshape(3, 3)),
    lambda: (rng(12), (1, 2, 3)),
    lambda: (rng(12), {0: 1, 1: 5, 2: 6}),
)
def shuffles_what_is_given(stream, items):
    stream.shuffle(items)
    stream.shuffle(items)
    return items


@called_with(
    lambda: (rng(13), 60, 0.5, 2.0),
    lambda: (rng(13), 3, 0, 0.0),
    lambda: (rng(13), 0, 1, 1),
    lambda: (rng(13), 3, 1.0, -1),
)
def distributions(stream, n, a, b):
    out = []
    for _ in range(n):
        out.append(stream.gauss(a, b))
        out.append(stream.normalvariate(a, b) + stream.normalvariate())
        out.append(stream.triangular() + stream.triangular(a, b) + stream.triangular(-1.0, 3.0, a))
        out.append(stream.lognormvariate(a, b))
    return out, stream.gauss(0.0, 1.0), stream.gauss_next


@called_with(
    lambda: (rng(14), 60, 0.5, 2.0),
    lambda: (rng(14), 3, 0, 1.0),
    lambda: (rng(14), 3, 1.0, -1),
    lambda: (rng(14), 3, 2.0, 0),
)
def more_distributions(stream, n, a, b):
    total = 0.0
    for _ in range(n):
        total += stream.expovariate(b) + stream.vonmisesvariate(a, 0.5) + stream.weibullvariate(1.0, b)
        total += stream.paretovariate(b) + stream.gammavariate(b, a) + stream.betavariate(b, 1.5)
    return total


@called_with(lambda: seeded(15, 9), lambda: seeded(15, 0))
def seeds_in_the_middle(n):
    total = random.random()
    for _ in range(n):
        total += random.random()
    random.seed(8)
    for _ in range(n):
        total -= random.random() * random.randint(0, 3)
    kept = random.getstate()
    for _ in range(n):
        total += random.random()
    random.setstate(kept)
    return total, random.random()


@called_with(lambda: seeded(16, 9), lambda: seeded(16, 1))
def seeds_in_each_turn(n):
    total = 0.0
    for i in range(n):
        if i % 4 == 2:
            random.seed(i)
        total += random.random()
    return total


@called_with(lambda: (17, 20), lambda: (2**70, 3), lambda: ("text", 0), lambda: (None, 0), lambda: ([], 3))
def made_in_the_function(seed, n):
    stream = random.Random(seed)
    before = stream.random()
    walk = np.zeros(n)
    for i in range(1, n):
        walk[i] = walk[i - 1] + stream.uniform(-1.0, 1.0)
    return walk, stream.getrandbits(7) if seed is not None else before > 2.0


@called_with(lambda: (Doubled(1), 9), lambda: (Counted(1), 9), lambda: (rng(1), 9), lambda: (Doubled(1), 0))
def subclasses(stream, n):
    total = 0.0
    for _ in range(n):
        total += stream.random() + stream.randrange(9) + stream.uniform(0.0, 2.0)
    return total, getattr(stream, "count", None)


@called_with(
    lambda: (shadowed(1, "random", lambda: 0.25), 9),
    lambda: (shadowed(1, "getrandbits", lambda k: 3), 9),
    lambda: (shadowed(1, "uniform", lambda a, b: "ab"), 2),
    lambda: (shadowed(1, "_randbelow", lambda n: 1), 9),
    lambda: (rng(1), 9),
)
def methods_of_their_own(stream, n):
    total = 0.0
    for _ in range(n):
        total += stream.random() + stream.randrange(9) + stream.uniform(0.0, 2.0)
    return total


@called_with(lambda: (random.SystemRandom(), 9), lambda: (rng(1), 9))
def of_the_system(stream, n):
    total = 0.0
    for _ in range(n):
        total += stream.random() + stream.randrange(9)
    return 0.0 <= total < 9 * n


@called_with(
    lambda: ([rng(1), rng(2)], 9),
    lambda: ([rng(1), shadowed(2, "random", lambda: 7)], 9),
    lambda: ([Doubled(1)] * 2, 2),
)
def several_in_a_list(streams, n):
    total = 0.0
    for i in range(n):
        total += streams[i % 2].random()
    for stream in streams:
        for _ in range(n):
            total += stream.random()
    return total


@called_with(lambda: (rng(1), 6, 0.2), lambda: (rng(1), 3, 1.0))
def tries_again(stream, n, most):
    out, tries = np.empty(n), 0
    for i in range(n):
        v = stream.random()
        while v > most:
            tries += 1
            v = stream.random()
        out[i] = v
    return out, tries


@called_with(lambda: seeded(18, [3.0, 1.0, 2.0, 0.5, 4.0], 60), lambda: seeded(18, [1.0, 2.0], 0))
def annealed(heights, turns):
    order = list(range(len(heights)))
    cost = sum(i * heights[one] for i, one in enumerate(order))
    heat = 2.0
    for _ in range(turns):
        i, j = random.randrange(len(order)), random.randrange(len(order))
        change = (i - j) * (heights[order[j]] - heights[order[i]])
        if change < 0.0 or random.random() < math.exp(-change / heat):
            order[i], order[j] = order[j], order[i]
            cost += change
        heat *= 0.95
    return order, cost


# -- numpy.random's functions, and RandomState ----------------------------------------------------------------------


def numpy_seeded(seed, *args):
    """Arguments, with the stream behind NumPy's functions at the beginning of a known sequence."""
    np.random.seed(seed)
    return args


@called_with(
    *(lambda seed=seed: numpy_seeded(seed, 40) for seed in (0, 5)),
    lambda: numpy_seeded(1, 0),
    lambda: numpy_seeded(1, 700),
)
def by_functions_of_numpy(n):
    inside, total = 0, 0.0
    for _ in range(n):
        x, y = np.random.rand(), np.random.random()
        inside += x * x + y * y < 1.0
        total += np.random.random_sample() - np.random.uniform(-1.0, 2) + np.random.uniform()
        inside += np.random.randint(6) - np.random.randint(-3, 2**40) // 2**37
    return inside, total, np.random.normal()


def state(seed=1, gauss=False):
    """A legacy state, of which a number may be kept."""
    made = np.random.RandomState(seed)
    if gauss:
        made.normal()
    return made


@called_with(
    lambda: (state(3), 1, 7, 30),
    lambda: (state(3, True), 0, 2**32, 30),
    lambda: (state(3), -5, 2**63 - 1, 30),
    lambda: (state(3), 4, 5, 30),
    lambda: (state(3), 5, 5, 3),
    lambda: (state(3), 5, 4, 0),
    lambda: (state(3), np.int64(2), np.int8(9), 3),
    lambda: (state(3), 0.5, 9.5, 3),
    lambda: (np.random.RandomState(np.random.PCG64(3)), 0, 9, 30),
)
def whole_numbers_of_a_state(rs, low, high, n):
    total = 0
    for i in range(n):
        total += rs.randint(low, high) ^ i
        total -= rs.randint(3)
    return total


@called_with(
    lambda: (state(4), 0.0, 3.0, 30),
    lambda: (state(4), 2, 1, 3),
    lambda: (state(4), -1e308, 1e308, 3),
    lambda: (state(4), float("nan"), 1.0, 3),
    lambda: (state(4, True), np.float32(0.5), True, 3),
)
def between_of_a_state(rs, low, high, n):
    total = 0.0
    for _ in range(n):
        total += rs.uniform(low, high) + rs.uniform(high=2.0)
    return total, rs.normal()


@called_with(
    lambda: (state(1), np.zeros(6), 6),
    lambda: (state(1, True), np.zeros(6), 9),
    lambda: (state(2), np.zeros(0), 0),
)
def states_until_an_index_is_outside(rs, a, n):
    for i in range(n):
        a[i] = rs.rand() + rs.randint(10)
    return a


@called_with(lambda: (7, 20), lambda: (8, 0), lambda: (-1, 3), lambda: (2**40, 3))
def seeds_numpys_stream(seed, n):
    np.random.seed(seed)
    total = np.random.rand()
    for _ in range(n):
        total += np.random.uniform(0.0, 1.0) * np.random.randint(1, 7)
    own = np.random.RandomState(seed)
    for _ in range(n):
        total -= own.rand()
    np.random.seed(seed + 1)
    return total, own.rand(), np.random.rand(), np.random.rand(2)


class OwnState(np.random.RandomState):
    """Draws something else."""

    def rand(self):
        return 0.25


@called_with(lambda: (OwnState(1), 5), lambda: (state(1), 5), lambda: (np.random.default_rng(1), 5))
def states_of_users(rs, n):
    total = 0.0
    for _ in range(n):
        total += rs.rand() if hasattr(rs, "rand") else rs.random()
    return total


@called_with(lambda: numpy_seeded(9, state(1), 9), lambda: numpy_seeded(9, np.random.mtrand._rand, 9))
def two_states(rs, n):
    total = 0.0
    for i in range(n):
        total += np.random.rand() - rs.rand() if i % 3 else rs.random_sample()
    return total
