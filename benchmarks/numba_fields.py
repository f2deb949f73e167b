"""The programs of `benchmarks.fields`, written by hand for Numba: column by column, without temporaries of the field's size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numba
import numpy as np


@numba.njit
def mix_levels(field, mixing, bottom, heights, forcing, dt):  # noqa: C901 - one loop, as it is written for speed
    rows, columns, levels = field.shape
    found = np.empty_like(field)
    between, c, d = np.zeros(levels), np.empty(levels), np.empty(levels)
    for i in range(rows):
        for j in range(columns):
            ground = bottom[i, j]
            for k in range(levels - 1):
                between[k] = dt * mixing[i, j, k] / heights[k]
            for k in range(levels):
                lower, middle, upper, right = 0.0, 1.0, 0.0, field[i, j, k]
                if k == levels - 1:
                    right += dt * forcing[i, j] / heights[k]
                if k >= ground:
                    if k > 0:
                        middle = 1.0 + (between[k] + between[k - 1]) / heights[k]
                        lower = -between[k - 1] / heights[k]
                    if k == ground:
                        middle, lower = 1.0 + between[k] / heights[k], 0.0
                    if k < levels - 1:
                        upper = -between[k] / heights[k]
                if k == 0:
                    c[k], d[k] = upper / middle, right / middle
                else:
                    factor = 1.0 / (middle - lower * c[k - 1])
                    c[k], d[k] = upper * factor, (right - lower * d[k - 1]) * factor
            for k in range(levels - 2, -1, -1):
                d[k] -= c[k] * d[k + 1]
            for k in range(levels):
                found[i, j, k] = d[k] if k >= ground else field[i, j, k]
    return found


@numba.njit
def pass_light(depth, reflected, ground, cosine):
    columns, layers = depth.shape
    up, down = np.empty((columns, layers + 1)), np.empty((columns, layers + 1))
    direct, below, source = np.empty(layers + 1), np.empty(layers + 1), np.empty(layers + 1)
    through = np.empty(layers)
    for j in range(columns):
        direct[0] = cosine[j]
        for i in range(layers):
            through[i] = math.exp(-depth[j, i]) * (1.0 - reflected[j, i])
            direct[i + 1] = direct[i] * math.exp(-depth[j, i] / cosine[j])
        below[layers], source[layers] = ground[j], ground[j] * direct[layers]
        for i in range(layers - 1, -1, -1):
            factor = 1.0 / (1.0 - below[i + 1] * reflected[j, i])
            below[i] = reflected[j, i] + through[i] * through[i] * below[i + 1] * factor
            source[i] = reflected[j, i] * direct[i] * 0.5 + through[i] * factor * source[i + 1]
        light = 0.0
        up[j, 0], down[j, 0] = source[0], direct[0]
        for i in range(layers):
            factor = 1.0 / (1.0 - below[i + 1] * reflected[j, i])
            light = (through[i] * light + reflected[j, i] * source[i + 1]) * factor
            up[j, i + 1] = below[i + 1] * light + source[i + 1]
            down[j, i + 1] = light + direct[i + 1]
    return up, down


@numba.njit
def step_tracer(tracer, rate, mask, east, top, widths, heights, last, now, new):
    rows, columns, levels = mask.shape
    for i in range(rows):
        for j in range(columns):
            for k in range(levels):
                change = rate[i, j, k, now]
                if 2 <= i < rows - 2 and 2 <= j < columns - 2:
                    change = -mask[i, j, k] * (east[i, j, k] - east[i - 1, j, k]) / widths[i]
                above = top[i, j, k - 1] if k else 0.0
                change -= mask[i, j, k] * (top[i, j, k] - above) / heights[k]
                rate[i, j, k, now] = change
                step = 0.1 * (1.6 * change - 0.6 * rate[i, j, k, last]) * mask[i, j, k]
                tracer[i, j, k, new] = tracer[i, j, k, now] + step
    return tracer


@numba.njit
def force_turbulence(energy, stability, shear, mixing, lengths, wind, dt, now, new):
    rows, columns, levels = stability.shape
    found = np.empty_like(stability)
    for i in range(rows):
        for j in range(columns):
            for k in range(levels):
                still = stability[i, j, k]
                speed = math.sqrt(max(0.0, energy[i, j, k, now]))
                length = min(math.sqrt(2.0) * speed / math.sqrt(max(1e-12, still)), 500.0)
                if k == levels - 1:
                    length = min(length, 10.0)
                mix = min(1.0, 0.1 * length * speed)
                ratio = max(still, 0.0) / max(shear[i, j, k], 1e-12)
                heat = max(1e-5, mix / max(1.0, min(10.0, 6.6 * ratio)))
                mix = max(mix, 1e-5)
                change = mix * shear[i, j, k] - heat * still - 0.7 * speed**3 / max(length, 1e-8)
                if k == levels - 1:
                    change += wind[i, j] * 2.0
                lengths[i, j, k], mixing[i, j, k], found[i, j, k] = length, mix, heat
                energy[i, j, k, new] = max(0.0, energy[i, j, k, now] + dt * change)
    return found


@numba.njit
def react(u, turns):
    rows, columns = u.shape
    for _ in range(turns):
        found = np.empty_like(u)
        for i in range(rows):
            for j in range(columns):
                around = 0.0
                if 0 < i < rows - 1 and 0 < j < columns - 1:
                    around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                found[i, j] = u[i, j] + 0.01 * (around + u[i, j] - u[i, j] * u[i, j] * u[i, j])
        u = found
    return u


@numba.njit
def slide_filters(picture, filters):
    rows, columns, colours, count = filters.shape
    found = np.zeros((picture.shape[0] - rows + 1, picture.shape[1] - columns + 1, count))
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            for row in range(rows):
                for column in range(columns):
                    for colour in range(colours):
                        for one in range(count):
                            found[i, j, one] += (
                                picture[i + row, j + column, colour] * filters[row, column, colour, one]
                            )
    return found


BY_HAND: Final[Mapping[str, Callable[..., Any]]] = {
    one.__name__: one for one in (mix_levels, pass_light, step_tracer, force_turbulence, react, slide_filters)
}
"""All of them, by the program's name."""
