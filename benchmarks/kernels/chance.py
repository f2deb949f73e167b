"""Monte Carlo: the same seed gives the same stream of random numbers."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel


def pi_by_darts(rng, throws):
    """Pi from the darts that hit a quarter of a circle, thrown one by one."""
    hits = 0
    for _ in range(throws):
        x, y = rng.random(2)
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / throws


def throws(size: int) -> tuple[Any, ...]:
    """A generator and a number of throws."""
    return np.random.default_rng(25), size


def other_throws() -> tuple[tuple[Any, ...], ...]:
    """One throw, none."""
    return (np.random.default_rng(26), 1), (np.random.default_rng(26), 0)


def log_density(x):
    """Two hills, up to a constant."""
    return np.logaddexp(-0.5 * (x - 2.0) ** 2, -0.5 * (x + 2.0) ** 2)


def metropolis(seed, length, width):
    """A random walk that visits places as often as they are likely (Metropolis et al., 1953)."""
    rng = np.random.default_rng(seed)
    chain = np.empty(length)
    x, density = 0.0, log_density(0.0)
    accepted = 0
    for i in range(length):
        step = x + width * rng.standard_normal()
        there = log_density(step)
        if np.log(rng.random()) < there - density:
            x, density = step, there
            accepted += 1
        chain[i] = x
    return chain, accepted


def chains(size: int) -> tuple[Any, ...]:
    """A seed and a length."""
    return 27, size, 1.5


def other_chains() -> tuple[tuple[Any, ...], ...]:
    """None, one step, steps too wide."""
    return (28, 0, 1.5), (28, 1, 1.5), (28, 20, 100.0)


def ising(spins, coupling, sweeps, rng):
    """A magnet, one half of the chessboard after the other, in place; gives the magnetisation."""
    rows, columns = np.indices(spins.shape)
    means = np.zeros(sweeps)
    for sweep in range(sweeps):
        for colour in (0, 1):
            field = sum(np.roll(spins, shift, axis) for shift in (-1, 1) for axis in (0, 1))
            chosen = (rows + columns) % 2 == colour
            flip = chosen & (rng.random(spins.shape) < np.exp(-2.0 * coupling * spins * field))
            spins[flip] *= -1
        means[sweep] = spins.mean()
    return means


def magnet(size: int) -> tuple[Any, ...]:
    """Spins at random."""
    rng = np.random.default_rng(29)
    return rng.choice([-1, 1], (size, size)), 0.4, 10, rng


def other_magnets() -> tuple[tuple[Any, ...], ...]:
    """No sweep, one, spins of one byte."""
    spins, coupling, _, rng = magnet(4)
    return (spins, coupling, 0, rng), (spins, coupling, 1, rng), (spins.astype(np.int8), coupling, 2, rng)


def pi_by_random(seed, throws):
    """Pi from darts that are thrown by Python's ``random``."""
    random.seed(seed)
    inside = 0
    for _ in range(throws):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / max(throws, 1)


def seeded_throws(size: int) -> tuple[Any, ...]:
    """A seed and a number of throws."""
    return 31, size


def other_seeded_throws() -> tuple[tuple[Any, ...], ...]:
    """One throw, none, as many as the stream makes anew at once."""
    return (32, 1), (32, 0), (33, 400)


def annealed(distances, turns, seed):
    """A short way around all places (Kirkpatrick et al., 1983): two of them change, while it is warm also for the worse."""
    random.seed(seed)
    places = len(distances)
    order = list(range(places))
    heat, gained = 1.0, 0.0
    for _ in range(turns):
        i = random.randrange(places)
        j = random.randint(0, places - 1)
        change = 0.0
        if i != j:
            for k, new in ((i, order[j]), (j, order[i])):
                before, behind = order[k - 1], order[(k + 1) % places]
                change += distances[before, new] + distances[new, behind]
                change -= distances[before, order[k]] + distances[order[k], behind]
        if change <= 0.0 or random.uniform(0.0, 1.0) < math.exp(-change / heat):
            order[i], order[j] = order[j], order[i]
            gained += change
        heat = 0.999 * heat + 1e-6
    return order, gained


def places_apart(size: int) -> tuple[Any, ...]:
    """Places at random, twenty times as many turns."""
    x, y = np.random.default_rng(34).random((2, size))
    return np.hypot(x[:, None] - x, y[:, None] - y), 20 * size, 35


def other_places() -> tuple[tuple[Any, ...], ...]:
    """No turn, one, a single place."""
    distances, turns, seed = places_apart(5)
    return (distances, 0, seed), (distances, 1, seed), (distances[:1, :1], turns, seed)


KERNELS = (
    Kernel(pi_by_darts, throws, 20, 2_000, other_throws),
    Kernel(pi_by_random, seeded_throws, 20, 20_000, other_seeded_throws),
    Kernel(annealed, places_apart, 8, 100, other_places),
    Kernel(metropolis, chains, 20, 1_000, other_chains),
    Kernel(ising, magnet, 4, 60, other_magnets),
)
