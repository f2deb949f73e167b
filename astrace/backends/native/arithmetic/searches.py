"""Searches in sorted items as compiled code: the steps that NumPy takes, which also tell what it finds in items that are not sorted."""

from __future__ import annotations

from numba.extending import register_jitable

# pyright: basic


def place_in_items(items, key, side):
    return _place(items, key, side, 0, len(items))


def places_in_items(out, items, keys, side):
    size = len(items)
    low, high = 0, size
    last = keys[0] if len(keys) else items.dtype.type(0)
    for index in range(len(keys)):
        key = keys[index]
        if _comes_first(last, key, side):
            high = size
        else:
            low, high = 0, min(high + 1, size)
        last = key
        low = _place(items, key, side, low, high)
        high = low
        out[index] = low


@register_jitable
def _place(items, key, side, low, high):
    while low < high:
        middle = low + ((high - low) >> 1)
        if _comes_first(items[middle], key, side):
            low = middle + 1
        else:
            high = middle
    return low


@register_jitable
def _comes_first(item, key, side):
    """Tell whether the place is behind an item: NaN is larger than any number."""
    if side:
        return (item <= key) | (key != key)
    return (item < key) | ((key != key) & (item == item))


def interpolate_items(out, x, places, values):
    size = len(places)
    place = 0
    for index in range(len(x)):
        at = x[index]
        if size == 1:
            out[index] = values[0]
        elif at != at:
            out[index] = at
        else:
            place = _place_with_guess(places, at, place)
            if place < 0 or places[place] == at or place == size - 1:
                out[index] = values[max(place, 0)]
            else:
                out[index] = _on_line(at, place, places, values)


@register_jitable
def _on_line(at, place, places, values):
    rise = values[place + 1] - values[place]
    slope = rise / (places[place + 1] - places[place])
    found = slope * (at - places[place]) + values[place]
    if found != found:
        found = slope * (at - places[place + 1]) + values[place + 1]
        if found != found and values[place] == values[place + 1]:
            found = values[place]
    return found


@register_jitable
def _place_with_guess(places, at, guess):
    """The last place that is not behind a number, -1 where all are; looked for near another place at first."""
    size = len(places)
    if at > places[size - 1]:
        return size - 1
    if at < places[0]:
        return -1
    if size <= 4:
        place = 1
        while place < size and at >= places[place]:
            place += 1
        return place - 1
    low, high = _near(places, at, max(min(guess, size - 3), 1))
    while low < high:
        middle = low + ((high - low) >> 1)
        if at >= places[middle]:
            low = middle + 1
        else:
            high = middle
    return low - 1


@register_jitable
def _near(places, at, guess):
    """The bounds between which a place is, or the one that it is behind, twice."""
    size = len(places)
    if at < places[guess]:
        if not at < places[guess - 1]:  # as it is of NaN, too
            return guess, guess
        known = guess > NEAR and at >= places[guess - NEAR]
        return guess - NEAR if known else 0, guess - 1
    if at < places[guess + 1]:
        return guess + 1, guess + 1
    if at < places[guess + 2]:
        return guess + 2, guess + 2
    known = guess < size - NEAR - 1 and at < places[guess + NEAR]
    return guess + 2, guess + NEAR if known else size


NEAR = 8
"""How far from the guess NumPy looks before it halves all."""
