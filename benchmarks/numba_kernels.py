"""Some of the kernels that are array code, written by hand for Numba: loops over numbers, without temporaries."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numba
import numpy as np


@numba.njit
def heat_1d(u, steps, alpha):
    old, new = u, u.copy()
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            new[i] = old[i] + alpha * (old[i + 1] - 2.0 * old[i] + old[i - 1])
        old, new = new, old
    return old


@numba.njit
def jacobi_2d(a, b, steps):
    rows, columns = a.shape
    for _ in range(steps):
        for one, other in ((a, b), (b, a)):
            for i in range(1, rows - 1):
                for j in range(1, columns - 1):
                    other[i, j] = 0.2 * (
                        one[i, j] + one[i, j - 1] + one[i, j + 1] + one[i - 1, j] + one[i + 1, j]
                    )


@numba.njit
def density(salinity, temperature):
    result = np.empty_like(temperature)
    for i in range(temperature.shape[0]):
        for j in range(temperature.shape[1]):
            t, s = temperature[i, j], salinity[i, j]
            fresh = 999.842594 + t * (
                6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9)))
            )
            first = 8.24493e-1 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)))
            second = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6)
            result[i, j] = fresh + s * (first + second * math.sqrt(s) + 4.8314e-4 * s)
    return result


@numba.njit
def edges(picture, threshold):
    rows, columns = picture.shape
    result = np.zeros((rows - 2, columns - 2))
    for i in range(rows - 2):
        for j in range(columns - 2):
            across = (
                picture[i, j + 2] + 2.0 * picture[i + 1, j + 2] + picture[i + 2, j + 2]
                - picture[i, j] - 2.0 * picture[i + 1, j] - picture[i + 2, j]
            )  # fmt: skip
            down = (
                picture[i + 2, j] + 2.0 * picture[i + 2, j + 1] + picture[i + 2, j + 2]
                - picture[i, j] - 2.0 * picture[i, j + 1] - picture[i, j + 2]
            )  # fmt: skip
            strength = math.sqrt(across * across + down * down)
            if strength > threshold:
                result[i, j] = strength
    return result


@numba.njit
def shallow_water(height, u, v, steps, dt):
    rows, columns = height.shape
    for _ in range(steps):
        for i in range(rows):
            for j in range(columns):
                if i > 0:
                    u[i, j] -= dt * 9.81 * (height[i, j] - height[i - 1, j])
                if j > 0:
                    v[i, j] -= dt * 9.81 * (height[i, j] - height[i, j - 1])
        for i in range(rows):
            for j in range(columns):
                height[i, j] -= dt * 10.0 * (u[i + 1, j] - u[i, j] + v[i, j + 1] - v[i, j])


@numba.njit
def running_integral(x, y):
    result = np.zeros(len(x))
    for i in range(1, len(x)):
        result[i] = result[i - 1] + 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1])
    return result


@numba.njit
def condense(temperature, humidity, pressure, turns):
    water = np.zeros_like(temperature)
    for i in range(len(temperature)):
        for _ in range(turns):
            t = temperature[i]
            vapour = 611.2 * math.exp(17.67 * (t - 273.15) / (t - 29.65))
            most = 0.622 * vapour / (pressure - 0.378 * vapour)
            slope = most * 17.67 * 243.5 / ((t - 29.65) * (t - 29.65))
            excess = max((humidity[i] - most) / (1.0 + 2.5e6 / 1005.0 * slope), 0.0)
            humidity[i] -= excess
            temperature[i] += 2.5e6 / 1005.0 * excess
            water[i] += excess
    return water


@numba.njit
def asian_option(price, rate, volatility, strike, noise):
    days, paths = noise.shape
    drift = (rate - 0.5 * volatility * volatility) / days
    spread = volatility / math.sqrt(days)
    prices, total = np.full(paths, price), np.zeros(paths)
    for day in range(days):
        for i in range(paths):
            prices[i] *= math.exp(drift + spread * noise[day, i])
            total[i] += prices[i]
    gains = np.maximum(total / days - strike, 0.0)
    return math.exp(-rate) * gains.mean(), gains.std()


BY_HAND: Final[Mapping[str, Callable[..., Any]]] = {
    one.__name__: one
    for one in (
        *(heat_1d, jacobi_2d, density, edges, shallow_water, running_integral, condense, asian_option),
    )
}
"""All of them, by the kernel's name."""
