"""Items in order as compiled code, and what tells that any other way to sort gives the same bits."""

from __future__ import annotations

import math

from astrace.ops.lowered_searches import MOST_SORTED

# pyright: basic

GAPS = (301, 132, 57, 23, 10, 4, 1)
"""The distances over which items are put in order, the largest first (Ciura, 2001)."""


def sort_items(array):
    size = len(array)
    if size > MOST_SORTED:
        return False
    for gap in GAPS:
        for index in range(gap, size):
            item, place = array[index], index
            while place >= gap and array[place - gap] > item:
                array[place] = array[place - gap]
                place -= gap
            array[place] = item
    positive = negative = False
    for item in array:
        if item != item:
            return False
        if item == 0:
            below = math.copysign(1.0, item) < 0
            negative, positive = negative or below, positive or not below
    return not (positive and negative)


def order_items(places, items):
    size = len(items)
    if size > MOST_SORTED:
        return False
    for index in range(size):
        places[index] = index
    for gap in GAPS:
        for index in range(gap, size):
            item, was, place = items[index], places[index], index
            while place >= gap and items[place - gap] > item:
                items[place], places[place] = items[place - gap], places[place - gap]
                place -= gap
            items[place], places[place] = item, was
    for index in range(size):
        if items[index] != items[index] or (index and items[index] == items[index - 1]):
            return False
    return True


def order_items_stably(places, items):
    size = len(items)
    if size > MOST_SORTED:
        return False
    for index in range(size):
        places[index] = index
        if items[index] != items[index]:
            return False
    for gap in GAPS:
        for index in range(gap, size):
            item, was, place = items[index], places[index], index
            while place >= gap and (
                items[place - gap] > item or (items[place - gap] == item and places[place - gap] > was)
            ):
                items[place], places[place] = items[place - gap], places[place - gap]
                place -= gap
            items[place], places[place] = item, was
    return True
