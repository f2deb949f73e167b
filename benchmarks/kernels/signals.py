"""Signals: filters with and without memory, tones, crossings, values in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- filters ---------------------------------------------------------------------------------------------


def fir(signal, taps):
    """A filter of finite length, sample by sample: each is a sum over those before it."""
    filtered = np.zeros_like(signal)
    for i in range(len(signal)):
        total = 0.0
        for k in range(min(len(taps), i + 1)):
            total += taps[k] * signal[i - k]
        filtered[i] = total
    return filtered


def biquads(signal, sections):
    """A recursive filter as a chain of sections of second order (transposed direct form II)."""
    filtered = signal.copy()
    for b0, b1, b2, a1, a2 in sections:
        first = second = 0.0
        for i in range(len(filtered)):
            x = filtered[i]
            y = b0 * x + first
            first = b1 * x - a1 * y + second
            second = b2 * x - a2 * y
            filtered[i] = y
    return filtered


def median_filter(signal, width):
    """The item in the middle of each window, with the ends held."""
    half = width // 2
    held = np.concatenate((np.full(half, signal[0]), signal, np.full(half, signal[-1])))
    filtered = np.empty_like(signal)
    for i in range(len(signal)):
        filtered[i] = np.median(held[i : i + width])
    return filtered


def outliers(signal, lag, threshold, influence):
    """Mark what is far from the mean of the last items, which it moves by a part only; with a mean and a spread for each window."""
    marks, calm = np.zeros(len(signal)), signal.copy()
    mean, spread = np.zeros(len(signal)), np.zeros(len(signal))
    mean[lag - 1], spread[lag - 1] = np.mean(signal[:lag]), np.std(signal[:lag])
    for i in range(lag, len(signal)):
        if abs(signal[i] - mean[i - 1]) > threshold * spread[i - 1]:
            marks[i] = 1.0 if signal[i] > mean[i - 1] else -1.0
            calm[i] = influence * signal[i] + (1.0 - influence) * calm[i - 1]
        mean[i] = np.mean(calm[i - lag + 1 : i + 1])
        spread[i] = np.std(calm[i - lag + 1 : i + 1])
    return marks, mean, spread


def compress(signal, rising, falling, threshold, ratio):
    """Make loud parts quieter: an envelope that rises faster than it falls, its level in decibels, and a gain."""
    gains = np.empty_like(signal)
    envelope = 0.0
    for i in range(signal.size):
        level = abs(signal[i])
        rate = rising if level > envelope else falling
        envelope = rate * envelope + (1.0 - rate) * level
        over = 20 * np.log10(max(envelope, 1e-8)) - threshold
        gain = (1.0 / ratio - 1.0) * over if over > 0.0 else 0.0
        gains[i] = 10 ** (gain / 20)
    return signal * gains, gains


def smooth(signal, level_rate, trend_rate):
    """Exponential smoothing with a trend (Holt, 1957); gives the smoothed signal and what comes next."""
    smoothed = np.empty(len(signal))
    level, trend = signal[0], signal[1] - signal[0]
    for i, value in enumerate(signal):
        last = level
        level = level_rate * value + (1.0 - level_rate) * (level + trend)
        trend = trend_rate * (level - last) + (1.0 - trend_rate) * trend
        smoothed[i] = level
    return smoothed, level + trend


def wave(size: int) -> np.ndarray:
    """A tone in noise."""
    return np.sin(np.arange(size) / 5) + 0.1 * np.random.default_rng(31).normal(size=size)


def with_taps(size: int) -> tuple[Any, ...]:
    """A signal and a window."""
    return wave(size), np.hanning(18)[1:-1] / 8.5


def other_taps() -> tuple[tuple[Any, ...], ...]:
    """No signal, no taps, fewer samples than taps."""
    signal, taps = with_taps(6)
    return (signal[:0], taps), (signal, taps[:0]), (signal, taps), (signal[:1], taps[:1])


def with_sections(size: int) -> tuple[Any, ...]:
    """A signal and a low pass of fourth order."""
    return wave(size), np.array([[0.067, 0.135, 0.067, -1.143, 0.413], [0.2, 0.4, 0.2, -0.9, 0.3]])


def other_sections() -> tuple[tuple[Any, ...], ...]:
    """No signal, no section, one sample."""
    signal, sections = with_sections(6)
    return (signal[:0], sections), (signal, sections[:0]), (signal[:1], sections)


def with_width(size: int) -> tuple[Any, ...]:
    """A signal and the width of a window."""
    return wave(size), 7


def other_widths() -> tuple[tuple[Any, ...], ...]:
    """One item, an even number of them, one that is no number."""
    broken = wave(9)
    broken[4] = np.nan
    return (wave(6), 1), (wave(7), 4), (broken, 3)


def with_lag(size: int) -> tuple[Any, ...]:
    """A signal, how many items are looked back at, a threshold, an influence."""
    return wave(size), 5, 2.0, 0.5


def other_lag() -> tuple[tuple[Any, ...], ...]:
    """Nothing that lies apart, all of it, a signal that is too short."""
    return (wave(12), 3, 1e9, 0.5), (wave(12), 3, 0.0, 0.5), (wave(3), 5, 2.0, 0.5)


def with_levels(size: int) -> tuple[Any, ...]:
    """A signal, rates, a threshold in decibels, a ratio."""
    return wave(size), 0.9, 0.999, -20.0, 4.0


def other_levels() -> tuple[tuple[Any, ...], ...]:
    """Silence, a ratio that changes nothing, no signal."""
    return (
        (0 * wave(5), 0.9, 0.99, -20.0, 4.0),
        (wave(5), 0.9, 0.99, -20.0, 1.0),
        (wave(0), 0.9, 0.99, -20.0, 4.0),
    )


def with_rates(size: int) -> tuple[Any, ...]:
    """A signal and two rates."""
    return wave(size), 0.3, 0.1


def other_rates() -> tuple[tuple[Any, ...], ...]:
    """Too short, just long enough, whole numbers."""
    return (wave(1), 0.3, 0.1), (wave(2), 0.5, 0.5), (np.arange(5), 0.5, 0.5)


# -- tones -----------------------------------------------------------------------------------------------


def tones(signal, frequencies):
    """The power of a signal at some frequencies, each by a recurrence over all samples (Goertzel, 1958)."""
    powers = np.zeros(len(frequencies))
    for k in range(len(frequencies)):
        turn = 2.0 * np.cos(2.0 * np.pi * frequencies[k] / len(signal))
        last = before = 0.0
        for sample in signal:
            last, before = sample + turn * last - before, last
        powers[k] = last * last + before * before - turn * last * before
    return powers


def autocorrelation(signal, lags):
    """How alike a signal is to itself some samples later."""
    centred = signal - signal.mean()
    found = np.empty(lags)
    for lag in range(lags):
        found[lag] = np.sum(centred[: len(centred) - lag] * centred[lag:])
    return found / found[0]


def with_frequencies(size: int) -> tuple[Any, ...]:
    """A signal and eight frequencies."""
    return wave(size), np.arange(1.0, 9.0)


def other_frequencies() -> tuple[tuple[Any, ...], ...]:
    """No signal, one sample, no frequency."""
    signal, frequencies = with_frequencies(6)
    return (signal[:0], frequencies), (signal[:1], frequencies), (signal, frequencies[:0])


def with_lags(size: int) -> tuple[Any, ...]:
    """A signal and a number of lags."""
    return wave(size), size // 4


def other_lags() -> tuple[tuple[Any, ...], ...]:
    """One lag, silence."""
    return (wave(8), 1), (np.zeros(4), 2), (wave(3), 3)


# -- crossings, values in between ------------------------------------------------------------------------


def crossings(signal, threshold):
    """Where a signal rises above a threshold, between samples, and how long it stays above."""
    places, lengths = [], []
    start = -1.0
    for i in range(1, len(signal)):
        before, value = signal[i - 1], signal[i]
        if before < threshold <= value:
            start = i - 1 + (threshold - before) / (value - before)
        elif value < threshold <= before and start >= 0.0:
            end = i - 1 + (threshold - before) / (value - before)
            places.append(start)
            lengths.append(end - start)
            start = -1.0
    return np.array(places), np.array(lengths)


def interpolate(x, known_x, known_y):
    """Values in between, on straight lines; the interval is found by bisection."""
    found = np.empty(len(x))
    for i in range(len(x)):
        low, high = 0, len(known_x) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if known_x[middle] > x[i]:
                high = middle
            else:
                low = middle
        part = (x[i] - known_x[low]) / (known_x[high] - known_x[low])
        found[i] = known_y[low] + part * (known_y[high] - known_y[low])
    return found


def running_integral(x, y):
    """The integral up to each point, by the trapezoidal rule."""
    steps = np.diff(x)
    parts = 0.5 * steps * (y[1:] + y[:-1])
    return np.concatenate([np.zeros(1), np.cumsum(parts)])


def with_threshold(size: int) -> tuple[Any, ...]:
    """A signal and a threshold."""
    return wave(size), 0.2


def other_thresholds() -> tuple[tuple[Any, ...], ...]:
    """No signal, never reached, always above."""
    return (wave(0), 0.2), (wave(9), 5.0), (wave(9), -5.0), (wave(40), 0.5)


def between(size: int) -> tuple[Any, ...]:
    """Places, and a table."""
    known = np.linspace(0.0, 5.0, 64) ** 2
    return np.linspace(0.0, 25.0, size), known, np.sin(known)


def other_between() -> tuple[tuple[Any, ...], ...]:
    """No places, two known values, one alone, outside."""
    x, known_x, known_y = between(5)
    return (
        (x[:0], known_x, known_y),
        (x, known_x[:2], known_y[:2]),
        (x, known_x[:1], known_y[:1]),
        (x * 2 - 30, known_x, known_y),
    )


def curve(size: int) -> tuple[Any, ...]:
    """A curve."""
    x = np.linspace(0.0, 3.0, size) ** 2
    return x, np.cos(x)


def other_curves() -> tuple[tuple[Any, ...], ...]:
    """Nothing, one point, two, lengths that differ."""
    x, y = curve(4)
    return (x[:0], y[:0]), (x[:1], y[:1]), (x[:2], y[:2]), (x, y[:2])


KERNELS = (
    Kernel(fir, with_taps, 20, 1_000, other_taps),
    Kernel(biquads, with_sections, 20, 5_000, other_sections),
    Kernel(median_filter, with_width, 20, 1_000, other_widths),
    Kernel(outliers, with_lag, 20, 1_000, other_lag),
    Kernel(compress, with_levels, 20, 5_000, other_levels),
    Kernel(smooth, with_rates, 20, 5_000, other_rates),
    Kernel(tones, with_frequencies, 20, 1_000, other_frequencies),
    Kernel(autocorrelation, with_lags, 20, 2_000, other_lags),
    Kernel(crossings, with_threshold, 40, 5_000, other_thresholds),
    Kernel(interpolate, between, 20, 2_000, other_between),
    Kernel(running_integral, curve, 20, 100_000, other_curves),
)
