"""Numbers moved on in small steps: predators and prey, planets, prices, maps of the complex plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- ordinary differential equations ---------------------------------------------------------------------


def rabbits_and_foxes(prey, hunters):
    """The change of two populations (Lotka, 1925; Volterra, 1926)."""
    return 1.1 * prey - 0.4 * prey * hunters, 0.1 * prey * hunters - 0.4 * hunters


def populations(prey, hunters, dt, steps):
    """Two populations by the classical method of Runge and Kutta, number by number."""
    path = np.empty((steps, 2))
    for i in range(steps):
        a1, b1 = rabbits_and_foxes(prey, hunters)
        a2, b2 = rabbits_and_foxes(prey + 0.5 * dt * a1, hunters + 0.5 * dt * b1)
        a3, b3 = rabbits_and_foxes(prey + 0.5 * dt * a2, hunters + 0.5 * dt * b2)
        a4, b4 = rabbits_and_foxes(prey + dt * a3, hunters + dt * b3)
        prey += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        hunters += dt / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
        path[i, 0] = prey
        path[i, 1] = hunters
    return path


def oscillator(x, v, damping, end, tolerance):
    """Van der Pol's oscillator by Heun's method with steps that fit; gives times, places and how many were too long."""
    t, h, rejected = 0.0, 0.01, 0
    times, places = [t], [x]
    while t < end:
        h = min(h, end - t)
        a = damping * (1.0 - x * x) * v - x
        next_x, next_v = x + h * v, v + h * a
        b = damping * (1.0 - next_x * next_x) * next_v - next_x
        better_x, better_v = x + 0.5 * h * (v + next_v), v + 0.5 * h * (a + b)
        error = max(abs(better_x - next_x), abs(better_v - next_v))
        if error > tolerance:
            h *= 0.5
            rejected += 1
            continue
        t, x, v = t + h, better_x, better_v
        times.append(t)
        places.append(x)
        if error < 0.1 * tolerance:
            h *= 1.5
    return np.array(times), np.array(places), rejected


def planets(place, speed, mass, steps, dt):
    """Bodies that attract each other, pair by pair and number by number, in place."""
    n = len(mass)
    for _ in range(steps):
        for i in range(n):
            for j in range(i + 1, n):
                x, y, z = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1], place[i, 2] - place[j, 2]
                squared = x * x + y * y + z * z + 1e-3
                pull = dt / (squared * np.sqrt(squared))
                speed[i, 0] -= x * mass[j] * pull
                speed[i, 1] -= y * mass[j] * pull
                speed[i, 2] -= z * mass[j] * pull
                speed[j, 0] += x * mass[i] * pull
                speed[j, 1] += y * mass[i] * pull
                speed[j, 2] += z * mass[i] * pull
        for i in range(n):
            for k in range(3):
                place[i, k] += dt * speed[i, k]


def wild(size: int) -> tuple[Any, ...]:
    """Two populations, a step of time, a number of steps."""
    return 10.0, 5.0, 0.01, size


def other_wild() -> tuple[tuple[Any, ...], ...]:
    """No step, one, no hunters, whole numbers, NumPy's numbers."""
    return (
        (10.0, 5.0, 0.01, 0),
        (10.0, 5.0, 0.01, 1),
        (10.0, 0.0, 0.1, 3),
        (10, 5, 1, 2),
        (np.float64(9.0), np.float32(5.0), 0.1, 3),
    )


def swings(size: int) -> tuple[Any, ...]:
    """A start, a damping, an end, a tolerance."""
    return 2.0, 0.0, 1.0, size / 10, 1e-5


def other_swings() -> tuple[tuple[Any, ...], ...]:
    """No time, steps too long at first, NumPy's numbers."""
    return (
        (2.0, 0.0, 1.0, 0.0, 1e-3),
        (2.0, 0.0, 50.0, 0.1, 1e-6),
        (np.float64(2.0), np.float64(0.0), 1.0, 0.1, 1e-3),
    )


def suns(size: int) -> tuple[Any, ...]:
    """Bodies, a number of steps, a step of time."""
    rng = np.random.default_rng(46)
    return rng.normal(size=(size, 3)), rng.normal(size=(size, 3)) / 5, rng.random(size), 4, 0.01


def other_suns() -> tuple[tuple[Any, ...], ...]:
    """No step, one body, none."""
    place, speed, mass, _, dt = suns(3)
    return (
        (place, speed, mass, 0, dt),
        (place[:1], speed[:1], mass[:1], 2, dt),
        (place[:0], speed[:0], mass[:0], 2, dt),
    )


# -- chance that is given --------------------------------------------------------------------------------


def asian_option(price, rate, volatility, strike, noise):
    """The worth of an option on a mean price, from paths whose noise is given: a row for each day."""
    days, paths = noise.shape
    drift = (rate - 0.5 * volatility * volatility) / days
    spread = volatility / np.sqrt(days)
    prices = np.full(paths, price)
    total = np.zeros(paths)
    for day in range(days):
        prices *= np.exp(drift + spread * noise[day])
        total += prices
    gains = np.maximum(total / days - strike, 0.0)
    return np.exp(-rate) * gains.mean(), gains.std()


def first_passages(noise, barrier):
    """After how many steps each walk leaves a strip; -1 for one that stays in it."""
    found = np.full(noise.shape[0], -1)
    for i in range(noise.shape[0]):
        place = 0.0
        for j in range(noise.shape[1]):
            place += noise[i, j]
            if abs(place) > barrier:
                found[i] = j
                break
    return found


def market(size: int) -> tuple[Any, ...]:
    """A price, a rate, a volatility, a strike, noise for 50 days."""
    return 100.0, 0.03, 0.2, 100.0, np.random.default_rng(47).normal(size=(50, size))


def other_markets() -> tuple[tuple[Any, ...], ...]:
    """One day, one path, nothing moves, no day."""
    *known, noise = market(4)
    return (*known, noise[:1]), (*known, noise[:, :1]), (100.0, 0.0, 0.0, 90.0, noise), (*known, noise[:0])


def walks(size: int) -> tuple[Any, ...]:
    """Steps of walks, and half the width of a strip."""
    return np.random.default_rng(48).normal(size=(size, 50)), 5.0


def other_walks() -> tuple[tuple[Any, ...], ...]:
    """Never left, left at once, no steps, no walks."""
    steps, _ = walks(4)
    return (steps, 1e3), (steps, 0.0), (steps[:, :0], 1.0), (steps[:0], 1.0)


# -- maps ------------------------------------------------------------------------------------------------


def julia(real, imaginary, c, limit):
    """After how many turns each point leaves a circle under z * z + c, point by point."""
    turns = np.zeros((len(imaginary), len(real)), dtype=np.int64)
    for i in range(len(imaginary)):
        for j in range(len(real)):
            z = complex(real[j], imaginary[i])
            count = 0
            while count < limit and abs(z) <= 2.0:
                z = z * z + c
                count += 1
            turns[i, j] = count
    return turns


def escape(real, imaginary, limit):
    """The same for Mandelbrot's set, with two numbers for each complex one."""
    turns = np.zeros((len(imaginary), len(real)), dtype=np.int32)
    for i in range(len(imaginary)):
        for j in range(len(real)):
            x = y = 0.0
            for turn in range(limit):
                if x * x + y * y > 4.0:
                    break
                x, y = x * x - y * y + real[j], 2.0 * x * y + imaginary[i]
                turns[i, j] = turn
    return turns


def window(size: int) -> tuple[Any, ...]:
    """A window, a constant, a limit."""
    return np.linspace(-1.5, 1.5, size), np.linspace(-1.0, 1.0, size), complex(-0.8, 0.156), 50


def other_windows() -> tuple[tuple[Any, ...], ...]:
    """No turn, no points, one point."""
    x, y, c, _ = window(3)
    return (x, y, c, 0), (x[:0], y, c, 5), (x[:1], y[:1], c, 5)


def views(size: int) -> tuple[Any, ...]:
    """A window and a limit."""
    return np.linspace(-2.0, 0.5, size), np.linspace(-1.25, 1.25, size), 50


def other_views() -> tuple[tuple[Any, ...], ...]:
    """No turn, no points, one point."""
    x, y, _ = views(3)
    return (x, y, 0), (x[:0], y, 5), (x[:1], y[:1], 5)


KERNELS = (
    Kernel(populations, wild, 20, 1_000, other_wild),
    Kernel(oscillator, swings, 5, 200, other_swings),
    Kernel(planets, suns, 4, 40, other_suns),
    Kernel(asian_option, market, 10, 1_000, other_markets),
    Kernel(first_passages, walks, 8, 300, other_walks),
    Kernel(julia, window, 5, 40, other_windows),
    Kernel(escape, views, 5, 40, other_views),
)
