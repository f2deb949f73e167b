"""Oceans, air and the round earth: columns of water, flow over a grid, distances on an ellipsoid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- columns ---------------------------------------------------------------------------------------------


def density(salinity, temperature):
    """Density of sea water at the surface, in kg/m³ (UNESCO, 1981), without a loop."""
    t, s = temperature, salinity
    fresh = (
        999.842594
        + 6.793952e-2 * t
        - 9.095290e-3 * t**2
        + 1.001685e-4 * t**3
        - 1.120083e-6 * t**4
        + 6.536332e-9 * t**5
    )
    first = 8.24493e-1 - 4.0899e-3 * t + 7.6438e-5 * t**2 - 8.2467e-7 * t**3 + 5.3875e-9 * t**4
    second = -5.72466e-3 + 1.0227e-4 * t - 1.6546e-6 * t**2
    return fresh + first * s + second * s * np.sqrt(s) + 4.8314e-4 * s**2


def specific_volume(salinity, temperature, pressure):
    """What a kilogram of sea water takes up, by a quotient of polynomials; the pressure is a profile over the depth."""
    s, t, p = np.maximum(salinity, 0.0), temperature, pressure
    root = np.sqrt(s)
    below = 999.84 + t * (2.84 + t * (-0.0315 + 1.18e-3 * t)) + s * (-6.7 + t * (-0.03 - 0.04 * root))
    above = 1.0 + t * (2.776e-3 + t * (-2.35e-5 - 1.5e-7 * t)) + s * (5e-4 + 4e-6 * t * root)
    return (above + p * (6.4e-7 + 4.3e-12 * p * t)) / (below + p * (1e-2 - 1.1e-5 * t * p))


def tridiagonal_columns(below, diagonal, above, right):
    """Solve a tridiagonal system along the last axis for each column."""
    levels = right.shape[-1]
    upper, result = np.empty_like(right), np.empty_like(right)
    upper[..., 0] = above[..., 0] / diagonal[..., 0]
    result[..., 0] = right[..., 0] / diagonal[..., 0]
    for k in range(1, levels):
        scale = 1.0 / (diagonal[..., k] - below[..., k] * upper[..., k - 1])
        upper[..., k] = above[..., k] * scale
        result[..., k] = (right[..., k] - below[..., k] * result[..., k - 1]) * scale
    for k in range(levels - 2, -1, -1):
        result[..., k] -= upper[..., k] * result[..., k + 1]
    return result


def mix_turbulence(energy, mixing, forcing, bottom, thickness, dt=100.0, dissipation=0.7):
    """Turbulent kinetic energy of columns that end at their own depth, implicit in time; in place."""
    levels = np.arange(energy.shape[-1])
    water = levels[np.newaxis, np.newaxis, :] >= bottom[..., np.newaxis]
    deepest = levels[np.newaxis, np.newaxis, :] == bottom[..., np.newaxis]
    flux = np.zeros(energy.shape)
    below, diagonal, above = np.zeros_like(flux), np.zeros_like(flux), np.zeros_like(flux)
    flux[..., :-1] = dt / thickness[1:] * 0.5 * (mixing[..., :-1] + mixing[..., 1:])
    below[..., 1:] = -flux[..., :-1] / thickness[1:]
    above[..., :-1] = -flux[..., :-1] / thickness[:-1]
    loss = dt * dissipation * np.sqrt(np.maximum(0.0, energy))
    diagonal[..., 1:-1] = 1.0 + (flux[..., 1:-1] + flux[..., :-2]) / thickness[1:-1] + loss[..., 1:-1]
    diagonal[..., -1] = 1.0 + flux[..., -2] / (0.5 * thickness[-1]) + loss[..., -1]
    diagonal = np.where(water, np.where(deepest, 1.0 + flux / thickness + loss, diagonal), 1.0)
    right = water * (energy + dt * forcing)
    solved = tridiagonal_columns(water * below * ~deepest, diagonal, water * above, right)
    energy[...] = np.where(water, np.maximum(solved, 0.0), energy)
    return np.where(solved[..., -1] < 0.0, -solved[..., -1] * thickness[-1] / dt, 0.0)


def diffuse_columns(temperature, diffusivity, thickness, dt):
    """Mixing in columns of water, implicit in time: one tridiagonal system for each column, all at once."""
    levels = temperature.shape[1]
    flux = dt * diffusivity / thickness**2
    above, result = np.zeros_like(temperature), np.zeros_like(temperature)
    pivot = 1.0 + flux[:, 0]
    above[:, 0] = flux[:, 0] / pivot
    result[:, 0] = temperature[:, 0] / pivot
    for k in range(1, levels):
        below = flux[:, k - 1]
        here = flux[:, k] if k < levels - 1 else 0.0 * flux[:, k]
        pivot = 1.0 + below + here - below * above[:, k - 1]
        above[:, k] = here / pivot
        result[:, k] = (temperature[:, k] + below * result[:, k - 1]) / pivot
    for k in range(levels - 2, -1, -1):
        result[:, k] += above[:, k] * result[:, k + 1]
    return result


def convect(temperature, limit):
    """Overturn columns until none is heavier above: cold water over warm is mixed, in place."""
    mixed = 0
    for column in range(temperature.shape[0]):
        for _ in range(limit):
            stable = True
            for k in range(temperature.shape[1] - 1):
                if temperature[column, k] < temperature[column, k + 1]:
                    mean = 0.5 * (temperature[column, k] + temperature[column, k + 1])
                    temperature[column, k] = mean
                    temperature[column, k + 1] = mean
                    mixed += 1
                    stable = False
            if stable:
                break
    return mixed


def saturation(temperature, pressure):
    """Specific humidity of air that is saturated over water (Bolton, 1980)."""
    vapour = 611.2 * np.exp(17.67 * (temperature - 273.15) / (temperature - 29.65))
    return 0.622 * vapour / (pressure - 0.378 * vapour)


def condense(temperature, humidity, pressure, turns):
    """Let what air can't hold condense, which warms it: a few turns of Newton's method, in place."""
    water = np.zeros_like(temperature)
    for _ in range(turns):
        most = saturation(temperature, pressure)
        slope = most * 17.67 * 243.5 / (temperature - 29.65) ** 2
        excess = np.maximum((humidity - most) / (1.0 + 2.5e6 / 1005.0 * slope), 0.0)
        humidity -= excess
        temperature += 2.5e6 / 1005.0 * excess
        water += excess
    return water


def waters(size: int) -> tuple[Any, ...]:
    """Salinities and temperatures."""
    rng = np.random.default_rng(37)
    return 35.0 + rng.normal(size=(size, 10)), 20.0 * rng.random((size, 10))


def other_waters() -> tuple[tuple[Any, ...], ...]:
    """No water, fresh water, none that there is."""
    salinity, temperature = waters(2)
    return (salinity[:0], temperature[:0]), (0 * salinity, temperature), (-salinity, temperature)


def water_bodies(size: int) -> tuple[Any, ...]:
    """Salinities and temperatures over a grid, and a profile of the pressure."""
    rng = np.random.default_rng(71)
    pressure = rng.uniform(0.0, 1000.0, size=(1, 1, 10))
    return rng.uniform(-0.01, 40.0, (size, size, 10)), rng.uniform(-2.0, 30.0, (size, size, 10)), pressure


def other_water_bodies() -> tuple[tuple[Any, ...], ...]:
    """A pressure for each place, one for all, one column, nothing."""
    s, t, p = water_bodies(3)
    return (s, t, p + 0 * s), (s, t, p[..., :1]), (s[:1, :1], t[:1, :1], p), (s[:0], t[:0], p)


def turbulent(size: int) -> tuple[Any, ...]:
    """Energies, coefficients of mixing, what drives them, the levels of the bottom, thicknesses."""
    rng = np.random.default_rng(72)
    shape = (size, size, 12)
    energy, mixing = 1e-3 * rng.random(shape), 1e-3 * rng.random(shape)
    return (
        energy,
        mixing,
        1e-5 * rng.normal(size=shape),
        rng.integers(0, 12, (size, size)),
        5.0 + rng.random(12),
    )


def other_turbulent() -> tuple[tuple[Any, ...], ...]:
    """Land alone, one column, still water."""
    energy, mixing, forcing, bottom, thickness = turbulent(3)
    return (
        (energy, mixing, forcing, bottom + 12, thickness),
        (energy[:1, :1], mixing[:1, :1], forcing[:1, :1], bottom[:1, :1], thickness),
        (0 * energy, mixing, 0 * forcing, bottom, thickness),
    )


def columns(size: int) -> tuple[Any, ...]:
    """Columns of 20 levels, a diffusivity, a thickness, a step of time."""
    rng = np.random.default_rng(38)
    return 20.0 * rng.random((size, 20)), 1e-3 + 1e-2 * rng.random((size, 20)), 10.0, 3600.0


def other_columns() -> tuple[tuple[Any, ...], ...]:
    """No columns, one level, two, a thickness for each."""
    t, k, dz, dt = columns(3)
    return (t[:0], k[:0], dz, dt), (t[:, :1], k[:, :1], dz, dt), (t[:, :2], k[:, :2], dz, dt)


def unstable(size: int) -> tuple[Any, ...]:
    """Columns of 20 levels and a number of turns."""
    return columns(size)[0], 30


def other_unstable() -> tuple[tuple[Any, ...], ...]:
    """No turn, one, stable ones."""
    t = unstable(3)[0]
    return (t, 0), (t, 1), (np.sort(t, axis=1)[:, ::-1].copy(), 5), (t[:, :1], 5)


def air(size: int) -> tuple[Any, ...]:
    """Temperatures, humidities, a pressure, a number of turns."""
    rng = np.random.default_rng(39)
    return 270.0 + 30.0 * rng.random(size), 0.02 * rng.random(size), 9e4, 3


def other_air() -> tuple[tuple[Any, ...], ...]:
    """No turn, dry air, no air."""
    t, q, p, _ = air(4)
    return (t, q, p, 0), (t, 0 * q, p, 2), (t[:0], q[:0], p, 2)


# -- flow ------------------------------------------------------------------------------------------------


def advect(tracer, velocity, courant, steps):
    """Carry a tracer along a channel with a limiter on its slopes (van Leer, 1979), in place."""
    for _ in range(steps):
        left, middle, right = tracer[:-2], tracer[1:-1], tracer[2:]
        product = (middle - left) * (right - middle)
        slope = np.where(product > 0.0, 2.0 * product / np.where(product > 0.0, right - left, 1.0), 0.0)
        speed = courant * velocity
        flux = speed[1:-1] * (middle + 0.5 * (1.0 - speed[1:-1]) * slope)
        tracer[2:-1] -= flux[1:] - flux[:-1]
    return tracer.sum()


def shallow_water(height, u, v, steps, dt):
    """Waves in shallow water on a staggered grid, forward in time and backward, in place."""
    for _ in range(steps):
        u[1:-1, :] -= dt * 9.81 * (height[1:, :] - height[:-1, :])
        v[:, 1:-1] -= dt * 9.81 * (height[:, 1:] - height[:, :-1])
        height -= dt * 10.0 * (u[1:, :] - u[:-1, :] + v[:, 1:] - v[:, :-1])


def channel(size: int) -> tuple[Any, ...]:
    """A block of tracer, velocities, a Courant number, a number of steps."""
    tracer = np.zeros(size)
    tracer[size // 4 : size // 2] = 1.0
    return tracer, 0.8 + 0.2 * np.cos(np.arange(size) / 9), 0.6, 20


def other_channels() -> tuple[tuple[Any, ...], ...]:
    """No step, one, too short, lengths that differ."""
    tracer, velocity, courant, _ = channel(8)
    return (
        (tracer, velocity, courant, 0),
        (tracer, velocity, courant, 1),
        (tracer[:3], velocity[:3], courant, 2),
        (tracer, velocity[:5], courant, 2),
    )


def basin(size: int) -> tuple[Any, ...]:
    """A hill of water at rest."""
    y, x = np.indices((size, size)) - size / 2
    return np.exp(-(x * x + y * y) / size), np.zeros((size + 1, size)), np.zeros((size, size + 1)), 20, 0.01


def other_basins() -> tuple[tuple[Any, ...], ...]:
    """No step, one, a single point."""
    h, u, v, _, dt = basin(4)
    return (h, u, v, 0, dt), (h, u, v, 1, dt), (h[:1, :1], u[:2, :1], v[:1, :2], 2, dt)


# -- the round earth -------------------------------------------------------------------------------------

A, B = 6378137.0, 6356752.314245
F = 1.0 - B / A


def vincenty(lat1, lon1, lat2, lon2):
    """The distance of two places on an ellipsoid in metres (Vincenty, 1975)."""
    u1, u2 = math.atan((1.0 - F) * math.tan(lat1)), math.atan((1.0 - F) * math.tan(lat2))
    sin1, cos1, sin2, cos2 = math.sin(u1), math.cos(u1), math.sin(u2), math.cos(u2)
    lam = lon2 - lon1
    for _ in range(100):
        across = cos2 * math.sin(lam)
        along = cos1 * sin2 - sin1 * cos2 * math.cos(lam)
        sin_sigma = math.sqrt(across * across + along * along)
        if sin_sigma == 0.0:
            return 0.0
        cos_sigma = sin1 * sin2 + cos1 * cos2 * math.cos(lam)
        sigma = math.atan2(sin_sigma, cos_sigma)
        sin_alpha = cos1 * cos2 * math.sin(lam) / sin_sigma
        cos2_alpha = 1.0 - sin_alpha * sin_alpha
        middle = cos_sigma - 2.0 * sin1 * sin2 / cos2_alpha if cos2_alpha > 0.0 else 0.0
        c = F / 16.0 * cos2_alpha * (4.0 + F * (4.0 - 3.0 * cos2_alpha))
        last = lam
        bend = middle + c * cos_sigma * (2.0 * middle * middle - 1.0)
        lam = lon2 - lon1 + (1.0 - c) * F * sin_alpha * (sigma + c * sin_sigma * bend)
        if abs(lam - last) < 1e-12:
            break
    u_squared = cos2_alpha * (A * A - B * B) / (B * B)
    k1 = (math.sqrt(1.0 + u_squared) - 1.0) / (math.sqrt(1.0 + u_squared) + 1.0)
    scale, shift = (1.0 + k1 * k1 / 4.0) / (1.0 - k1), k1 * (1.0 - 0.375 * k1 * k1)
    bend = shift / 4.0 * cos_sigma * (2.0 * middle * middle - 1.0)
    return B * scale * (sigma - shift * sin_sigma * (middle + bend))


def route(latitudes, longitudes):
    """The length of a route over many places, and its legs."""
    legs = np.zeros(len(latitudes) - 1)
    total = 0.0
    for i in range(len(legs)):
        legs[i] = vincenty(latitudes[i], longitudes[i], latitudes[i + 1], longitudes[i + 1])
        total += legs[i]
    return total, legs


def great_circles(latitudes, longitudes):
    """The distances of all pairs of places on a sphere (haversines), without a loop."""
    down = np.sin(0.5 * (latitudes[:, None] - latitudes[None, :])) ** 2
    right = np.sin(0.5 * (longitudes[:, None] - longitudes[None, :])) ** 2
    h = down + np.cos(latitudes)[:, None] * np.cos(latitudes)[None, :] * right
    return 2.0 * 6371.0 * np.arcsin(np.sqrt(h))


def places(size: int) -> tuple[Any, ...]:
    """Places on the earth, in radians."""
    rng = np.random.default_rng(40)
    return rng.uniform(-1.4, 1.4, size), rng.uniform(-1.5, 1.5, size)


def other_places() -> tuple[tuple[Any, ...], ...]:
    """One place, twice the same, along the equator, none."""
    lat, lon = places(4)
    return (lat[:1], lon[:1]), (lat[[0, 0]], lon[[0, 0]]), (0 * lat, lon), (lat[:0], lon[:0])


KERNELS = (
    Kernel(density, waters, 10, 3_000, other_waters),
    Kernel(specific_volume, water_bodies, 4, 40, other_water_bodies),
    Kernel(mix_turbulence, turbulent, 4, 40, other_turbulent),
    Kernel(diffuse_columns, columns, 10, 1_000, other_columns),
    Kernel(convect, unstable, 3, 30, other_unstable),
    Kernel(condense, air, 30, 20_000, other_air),
    Kernel(advect, channel, 16, 2_000, other_channels),
    Kernel(shallow_water, basin, 6, 200, other_basins),
    Kernel(route, places, 6, 300, other_places),
    Kernel(great_circles, places, 6, 200, other_places),
)
