"""Monte Carlo: the same seed gives the same stream of random numbers."""

from __future__ import annotations

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


KERNELS = (
    Kernel(pi_by_darts, throws, 20, 2_000, other_throws),
    Kernel(metropolis, chains, 20, 1_000, other_chains),
    Kernel(ising, magnet, 4, 60, other_magnets),
)
