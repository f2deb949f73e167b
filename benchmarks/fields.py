"""Fields that are written in place and solved level by level, as models of oceans and the air do it, and powers and products beside them.

    python -m benchmarks.report fields

Plain, as machine code, and as they are written by hand for Numba (`benchmarks.numba_fields`).
"""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np

import astrace
from benchmarks.kernels.kernel import Kernel
from benchmarks.native_times import HEAD, hot_at_once, result
from benchmarks.programs import quiet
from benchmarks.tables import Table


def mix_levels(field, mixing, bottom, heights, forcing, dt):
    """Mix a field along its levels, implicitly, above the bottom of each column."""
    levels = np.arange(field.shape[2])
    water = levels >= bottom[:, :, np.newaxis]
    edge = levels == bottom[:, :, np.newaxis]
    between = np.zeros_like(field)
    between[:, :, :-1] = dt * mixing[:, :, :-1] / heights[:-1]
    lower = np.zeros_like(field)
    upper = np.zeros_like(field)
    middle = np.ones_like(field)
    lower[:, :, 1:] = -between[:, :, :-1] / heights[1:]
    upper[:, :, :-1] = -between[:, :, :-1] / heights[:-1]
    middle[:, :, 1:] += (between[:, :, 1:] + between[:, :, :-1]) / heights[1:]
    middle = np.where(edge, 1.0 + between / heights, middle)
    lower = np.where(water & ~edge, lower, 0.0)
    middle = np.where(water, middle, 1.0)
    upper = np.where(water, upper, 0.0)
    right = field.copy()
    right[:, :, -1] += dt * forcing / heights[-1]
    c = np.zeros_like(field)
    d = np.zeros_like(field)
    c[:, :, 0] = upper[:, :, 0] / middle[:, :, 0]
    d[:, :, 0] = right[:, :, 0] / middle[:, :, 0]
    for k in range(1, field.shape[2]):
        factor = 1.0 / (middle[:, :, k] - lower[:, :, k] * c[:, :, k - 1])
        c[:, :, k] = upper[:, :, k] * factor
        d[:, :, k] = (right[:, :, k] - lower[:, :, k] * d[:, :, k - 1]) * factor
    for k in range(field.shape[2] - 2, -1, -1):
        d[:, :, k] -= c[:, :, k] * d[:, :, k + 1]
    return np.where(water, d, field)


def pass_light(depth, reflected, ground, cosine):
    """Add up the light that layers reflect and let through, down and up."""
    columns, layers = depth.shape
    through = np.exp(-depth) * (1.0 - reflected)
    direct = np.empty((columns, layers + 1))
    direct[:, 0] = cosine
    for i in range(layers):
        direct[:, i + 1] = direct[:, i] * np.exp(-depth[:, i] / cosine)
    below = np.empty((columns, layers + 1))
    source = np.empty((columns, layers + 1))
    below[:, layers] = ground
    source[:, layers] = ground * direct[:, layers]
    for i in range(layers - 1, -1, -1):
        factor = 1.0 / (1.0 - below[:, i + 1] * reflected[:, i])
        below[:, i] = reflected[:, i] + through[:, i] * through[:, i] * below[:, i + 1] * factor
        source[:, i] = reflected[:, i] * direct[:, i] * 0.5 + through[:, i] * factor * source[:, i + 1]
    down = np.zeros((columns, layers + 1))
    up = np.empty((columns, layers + 1))
    up[:, 0] = source[:, 0]
    for i in range(layers):
        factor = 1.0 / (1.0 - below[:, i + 1] * reflected[:, i])
        down[:, i + 1] = (through[:, i] * down[:, i] + reflected[:, i] * source[:, i + 1]) * factor
        up[:, i + 1] = below[:, i + 1] * down[:, i + 1] + source[:, i + 1]
    return up, down + direct


def step_tracer(tracer, rate, mask, east, top, widths, heights, last, now, new):
    """Step a tracer at three times by its fluxes, with the rates of two of them."""
    rate[2:-2, 2:-2, :, now] = (
        -mask[2:-2, 2:-2] * (east[2:-2, 2:-2] - east[1:-3, 2:-2]) / widths[2:-2, np.newaxis, np.newaxis]
    )
    rate[:, :, 0, now] -= mask[:, :, 0] * top[:, :, 0] / heights[0]
    rate[:, :, 1:, now] -= mask[:, :, 1:] * (top[:, :, 1:] - top[:, :, :-1]) / heights[1:]
    tracer[..., new] = tracer[..., now] + 0.1 * (1.6 * rate[..., now] - 0.6 * rate[..., last]) * mask
    return tracer


def force_turbulence(energy, stability, shear, mixing, lengths, wind, dt, now, new):
    """Step the energy of turbulence by what makes and eats it, with lengths and coefficients written in place."""
    speed = np.sqrt(np.maximum(0.0, energy[..., now]))
    lengths[...] = np.sqrt(2.0) * speed / np.sqrt(np.maximum(1e-12, stability))
    np.minimum(lengths, 500.0, out=lengths)
    lengths[:, :, -1] = np.minimum(lengths[:, :, -1], 10.0)
    mixing[...] = np.minimum(1.0, 0.1 * lengths * speed)
    ratio = np.maximum(stability, 0.0) / np.maximum(shear, 1e-12)
    heat = np.maximum(1e-5, mixing / np.maximum(1.0, np.minimum(10.0, 6.6 * ratio)))
    np.maximum(mixing, 1e-5, out=mixing)
    change = mixing * shear - heat * stability - 0.7 * speed**3 / np.maximum(lengths, 1e-8)
    change[:, :, -1] += wind * 2.0
    energy[..., new] = np.maximum(0.0, energy[..., now] + dt * change)
    return heat


def react(u, turns):
    """Two phases that part: diffusion with a reaction of the third power, of numbers of both signs."""
    for _ in range(turns):
        around = np.zeros_like(u)
        around[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
        u = u + 0.01 * (around + u - u**3)
    return u


def slide_filters(picture, filters):
    """A layer of a network: each window of a picture times all filters."""
    rows, columns = filters.shape[:2]
    found = np.zeros((picture.shape[0] - rows + 1, picture.shape[1] - columns + 1, filters.shape[3]))
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            window = picture[i : i + rows, j : j + columns]
            found[i, j] = np.tensordot(window, filters, axes=([0, 1, 2], [0, 1, 2]))
    return found


LEVELS: Final = 20


def _random(*shape: int, low: float = 0.0, high: float = 1.0, seed: int = 1) -> Any:
    return np.random.default_rng(seed).uniform(low, high, shape)


def columns_of_water(size: int) -> tuple[Any, ...]:
    """As many rows as columns, with levels."""
    shape = size, size, LEVELS
    bottom = np.random.default_rng(2).integers(-1, LEVELS // 2, (size, size))
    return (
        _random(*shape, high=20.0),
        _random(*shape, low=1e-5, high=1e-2),
        bottom,
        _random(LEVELS, low=10.0, high=50.0),
        _random(size, size, high=1e-4),
        3600.0,
    )


def columns_of_air(size: int) -> tuple[Any, ...]:
    """The same number of columns on one axis."""
    shape = size * size, LEVELS
    return (
        _random(*shape, low=0.01),
        _random(*shape, high=0.3),
        _random(size * size, low=0.1, high=0.3),
        _random(size * size, low=0.2),
    )


def tracers(size: int) -> tuple[Any, ...]:
    """Three times, and what changes them."""
    shape = size, size, LEVELS
    fields = (_random(*shape, low=-1.0, seed=seed) for seed in (3, 4))
    mask = (_random(*shape) > 0.2).astype(float)
    axes = _random(size, low=1.0, high=2.0), _random(LEVELS, low=1.0, high=2.0)
    return _random(*shape, 3), _random(*shape, 3, seed=2), mask, *fields, *axes, 0, 1, 2


def turbulence(size: int) -> tuple[Any, ...]:
    """Energy at three times, and what makes it."""
    shape = size, size, LEVELS
    given = _random(*shape, low=-1e-5, high=1e-4), _random(*shape, high=1e-4, seed=2)
    return (
        *(_random(*shape, 3, high=1e-3), *given, np.zeros(shape), np.zeros(shape)),
        *(_random(size, size, high=1e-5), 10.0, 1, 2),
    )


def phases(size: int) -> tuple[Any, ...]:
    """A plate of noise."""
    return _random(size, size, low=-1.0), 20


def picture(size: int) -> tuple[Any, ...]:
    """Three colours, and six filters."""
    return _random(size, size, 3), _random(3, 3, 3, 6, seed=2)


KERNELS: Final = (
    Kernel(mix_levels, columns_of_water, 12, 200),
    Kernel(pass_light, columns_of_air, 12, 200),
    Kernel(step_tracer, tracers, 12, 200),
    Kernel(force_turbulence, turbulence, 12, 200),
    Kernel(react, phases, 64, 512),
    Kernel(slide_filters, picture, 12, 64),
)


def measure(smoke: bool) -> Table:
    """Return what a call takes plain, as NumPy source and as chosen, and through peers, at two sizes."""
    with quiet(), warnings.catch_warnings(), hot_at_once():
        warnings.simplefilter("ignore")
        astrace.compile(react)(*phases(4))
        sizes = [
            (one, size) for one in KERNELS for size in ((one.small,) if smoke else (one.small, one.large))
        ]
        rows = [result(one, size, smoke).row for one, size in sizes[:: 3 if smoke else 1]]
    return Table(HEAD, rows)
