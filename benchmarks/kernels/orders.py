"""Orders: sorting by exchanging, shifting, merging and counting, and what is asked of sorted values."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- sorting ---------------------------------------------------------------------------------------------


def insertion_sort(values):
    """Sort in place: each value goes down to its place among those before it."""
    for i in range(1, len(values)):
        value = values[i]
        j = i - 1
        while j >= 0 and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


def sift(values, start, end):
    """Let a value sink in a heap."""
    node = start
    while 2 * node + 1 < end:
        child = 2 * node + 1
        if child + 1 < end and values[child] < values[child + 1]:
            child += 1
        if values[node] >= values[child]:
            return
        values[node], values[child] = values[child], values[node]
        node = child


def heap_sort(values):
    """Sort in place by a heap (Williams, 1964)."""
    n = len(values)
    for start in range(n // 2 - 1, -1, -1):
        sift(values, start, n)
    for end in range(n - 1, 0, -1):
        values[0], values[end] = values[end], values[0]
        sift(values, 0, end)
    return values


def merge_sort(values):
    """Sort by merging runs that double in length, from one array to another and back."""
    n = len(values)
    source, target = values.copy(), np.empty_like(values)
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or source[i] <= source[j]):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
        source, target = target, source
        width *= 2
    return source


def counting_sort(keys, highest):
    """The order of small whole numbers: count them, add up, put each in its place."""
    counts = [0] * (highest + 1)
    for key in keys:
        counts[key] += 1
    total = 0
    for key in range(highest + 1):
        counts[key], total = total, total + counts[key]
    order = np.empty(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        order[counts[keys[i]]] = i
        counts[keys[i]] += 1
    return order


def unsorted(size: int) -> tuple[Any, ...]:
    """Values in no order."""
    return (np.random.default_rng(35).normal(size=size),)


def other_unsorted() -> tuple[tuple[Any, ...], ...]:
    """None, one, sorted, backwards, equal, whole numbers."""
    values = np.arange(6.0)
    return (
        (values[:0],),
        (values[:1],),
        (values,),
        (values[::-1].copy(),),
        (values * 0,),
        (np.arange(9) * 5 % 7,),
    )


def keys(size: int) -> tuple[Any, ...]:
    """Whole numbers below 100."""
    return np.random.default_rng(36).integers(0, 100, size), 99


def other_keys() -> tuple[tuple[Any, ...], ...]:
    """None, one key, one too large, bytes."""
    given = np.array([3, 1, 2, 3, 0])
    return (given[:0], 3), (given * 0, 0), (given, 2), (given.astype(np.uint8), 3), (given, -1)


# -- questions -------------------------------------------------------------------------------------------


def quickselect(values, rank):
    """The value with a rank, by parting the values around one of them (Hoare, 1961); changes their order."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[rank]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if j < rank:
            low = i
        if i > rank:
            high = j
    return values[rank]


def percentiles(values, asked):
    """Percentiles by sorting, with values in between."""
    ordered = np.sort(values)
    found = np.empty(len(asked))
    for i in range(len(asked)):
        place = (len(ordered) - 1) * asked[i] / 100.0
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        part = place - below
        found[i] = ordered[below] * (1.0 - part) + ordered[above] * part
    return found


def longest_rise(values):
    """The length of the longest rising subsequence, with the least last value of each length on a list."""
    tails = []
    for value in values:
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low == len(tails):
            tails.append(value)
        else:
            tails[low] = value
    return len(tails)


def with_rank(size: int) -> tuple[Any, ...]:
    """Values and a rank."""
    return unsorted(size)[0], size // 3


def other_ranks() -> tuple[tuple[Any, ...], ...]:
    """One value, the least, the largest, beyond."""
    values = unsorted(5)[0]
    return (values[:1], 0), (values, 0), (values, 4), (values[:0], 0)


def with_percents(size: int) -> tuple[Any, ...]:
    """Values and percentages."""
    return unsorted(size)[0], np.linspace(0.0, 100.0, 21)


def other_percents() -> tuple[tuple[Any, ...], ...]:
    """No percentage, one value, no values."""
    values, asked = with_percents(5)
    return (values, asked[:0]), (values[:1], asked), (values[:0], asked)


KERNELS = (
    Kernel(insertion_sort, unsorted, 12, 200, other_unsorted),
    Kernel(heap_sort, unsorted, 12, 1_000, other_unsorted),
    Kernel(merge_sort, unsorted, 12, 1_000, other_unsorted),
    Kernel(counting_sort, keys, 20, 5_000, other_keys),
    Kernel(quickselect, with_rank, 12, 2_000, other_ranks),
    Kernel(percentiles, with_percents, 12, 5_000, other_percents),
    Kernel(longest_rise, unsorted, 12, 2_000, other_unsorted),
)
