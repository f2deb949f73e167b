"""Programs over lists, dicts, sets and texts in which every item decides: searches, sieves, automata.

They are what captures are for the least, and what makes them grow the most: a search through constants would be traced
step by step.  Each is a plain function that knows nothing of astrace, with arguments that keep its plain call short.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np


@dataclass(frozen=True)
class Puzzle:
    """A program and what it is called with.

    Args:
        function: the program.
        given: its arguments, of which each call has a copy.
    """

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    def arguments(self) -> tuple[Any, ...]:
        """Fresh arguments."""
        return copy.deepcopy(self.given)


# -- searches --------------------------------------------------------------------------------------------


def hamiltonian_cycle(graph):
    """A way through all places and back, by backtracking."""
    path = [-1] * (len(graph) + 1)
    path[0] = path[-1] = 0
    return path if extended(graph, path, 1) else []


def extended(graph, path, index):
    """Return whether a path can be completed."""
    if index == len(graph):
        return graph[path[index - 1]][path[0]] == 1
    for place in range(len(graph)):
        if fits(graph, place, index, path):
            path[index] = place
            if extended(graph, path, index + 1):
                return True
            path[index] = -1
    return False


def fits(graph, place, index, path):
    """Return whether a place can come next."""
    if graph[path[index - 1]][place] == 0:
        return False
    return not any(known == place for known in path)


def queens(size):
    """In how many ways queens leave each other alone."""
    columns, found = [], []

    def place(row):
        if row == size:
            found.append(tuple(columns))
            return
        for column in range(size):
            if all(column != other and row - at != abs(column - other) for at, other in enumerate(columns)):
                columns.append(column)
                place(row + 1)
                columns.pop()

    place(0)
    return found


def knights_tour(size):
    """A knight's way over all of a board."""
    board = [[0] * size for _ in range(size)]
    steps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

    def go(row, column, count):
        board[row][column] = count
        if count == size * size:
            return True
        for down, right in steps:
            y, x = row + down, column + right
            if 0 <= y < size and 0 <= x < size and board[y][x] == 0 and go(y, x, count + 1):
                return True
        board[row][column] = 0
        return False

    go(0, 0, 1)
    return board


def permutations(items):
    """All orders of a list, by swaps in place."""
    found = []

    def swap(at):
        if at == len(items):
            found.append(items[:])
            return
        for other in range(at, len(items)):
            items[at], items[other] = items[other], items[at]
            swap(at + 1)
            items[at], items[other] = items[other], items[at]

    swap(0)
    return found


# -- numbers ---------------------------------------------------------------------------------------------


def circular_primes(limit):
    """Primes that stay primes when their digits go round."""
    prime = [True] * (limit + 1)
    for number in range(2, int(limit**0.5) + 1):
        if prime[number]:
            for multiple in range(number * number, limit + 1, number):
                prime[multiple] = False
    found = [2]
    for number in range(3, limit + 1, 2):
        if prime[number] and not any(digit in "02468" for digit in str(number)):
            text = str(number)
            turned = [int(text[at:] + text[:at]) for at in range(len(text))]
            if all(prime[one] for one in turned):
                found.append(number)
    return found


TABLE: Final = [number % 7 != 0 for number in range(100_000)]


def table_of_outside():
    """The same over a long table from outside, with constant bounds."""
    found = []
    for number in range(3, 20_001, 2):
        if TABLE[number] and not any(digit in "02468" for digit in str(number)):
            text = str(number)
            if all(TABLE[int(text[at:] + text[:at])] for at in range(len(text))):
                found.append(number)
    return found


def collatz(limit):
    """The longest way to 1, with what is known of shorter ones."""
    known, best = {1: 1}, (1, 1)
    for first in range(2, limit):
        count, number = 0, first
        while number not in known:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            count += 1
        known[first] = count + known[number]
        if known[first] > best[1]:
            best = first, known[first]
    return best


def collatz_of_constants():
    """The same, where everything is known beforehand."""
    return collatz(1_500)


def fibonacci(count):
    """A number of many digits."""
    last, now = 0, 1
    for _ in range(count):
        last, now = now, last + now
    return last


def huge_numbers(wanted):
    """Constants that take long or give much, on ways that are not taken."""
    if wanted == "power":
        return 9**9**9
    if wanted == "items":
        return len(list(range(10**9))) + sum(range(10**10)) + len([0] * 10**9)
    if wanted == "text":
        return "a" * 10**10 + f"{1:>1000000000}"
    return wanted


# -- lists, sets and texts ---------------------------------------------------------------------------------


class Filter:
    """A recursive filter that keeps what went through it in lists."""

    def __init__(self, order):
        self.order = order
        self.back, self.forth = [1.0] + [0.25] * order, [0.5] + [0.125] * order
        self.given, self.found = [0.0] * order, [0.0] * order

    def process(self, sample):
        """One sample further."""
        total = 0.0
        for at in range(1, self.order + 1):
            total += self.forth[at] * self.given[at - 1] - self.back[at] * self.found[at - 1]
        total = (total + self.forth[0] * sample) / self.back[0]
        self.given[1:], self.found[1:] = self.given[:-1], self.found[:-1]
        self.given[0], self.found[0] = sample, total
        return total


def frequency_response(order):
    """Compute the response of a filter to a pulse."""
    made, size = Filter(order), 256
    answers = [made.process(sample) for sample in [1.0] + [0.0] * (size - 1)]
    answers += [0.0] * 256
    return np.abs(np.fft.fft(answers))


def automaton(rule, size):
    """Rows of cells, each from the one above."""
    answers = [int(digit) for digit in f"{rule:08b}"[::-1]]
    rows = [[0] * (size // 2) + [1] + [0] * (size // 2)]
    for _ in range(size // 2):
        row = rows[-1]
        padded = [0, *row, 0]
        rows.append([answers[int("".join(map(str, padded[at : at + 3])), 2)] for at in range(len(row))])
    return rows


def game_of_life(steps):
    """Cells in a set."""
    cells = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
    for _ in range(steps):
        counts = {}
        for x, y in cells:
            for right in (-1, 0, 1):
                for down in (-1, 0, 1):
                    if right or down:
                        counts[x + right, y + down] = counts.get((x + right, y + down), 0) + 1
        cells = {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in cells)}
    return sorted(cells)


def levenshtein(left, right):
    """Return the edit distance of two texts."""
    above = list(range(len(right) + 1))
    for at, letter in enumerate(left):
        row = [at + 1]
        for column, other in enumerate(right):
            row.append(min(above[column + 1] + 1, row[column] + 1, above[column] + (letter != other)))
        above = row
    return above[-1]


def matrix_chain(sizes):
    """In which order to multiply."""
    count = len(sizes)
    costs = [[0] * count for _ in range(count)]
    for length in range(2, count):
        for first in range(1, count - length + 1):
            last = first + length - 1
            costs[first][last] = min(
                costs[first][at] + costs[at + 1][last] + sizes[first - 1] * sizes[at] * sizes[last]
                for at in range(first, last)
            )
    return costs[1][count - 1]


class Branch:
    """A place of a tree."""

    def __init__(self, value):
        self.value, self.left, self.right = value, None, None


def sorted_by_tree(values):
    """A list in order, by way of a tree."""
    root = None
    for value in values:
        made = Branch(value)
        if root is None:
            root = made
            continue
        at = root
        while True:
            side = "left" if value < at.value else "right"
            if getattr(at, side) is None:
                setattr(at, side, made)
                break
            at = getattr(at, side)
    found = []

    def walk(place):
        if place is not None:
            walk(place.left)
            found.append(place.value)
            walk(place.right)

    walk(root)
    return found


def look_and_say(count):
    """Texts that tell each other."""
    text = "1"
    for _ in range(count):
        told, at = "", 0
        while at < len(text):
            end = at
            while end < len(text) and text[end] == text[at]:
                end += 1
            told += str(end - at) + text[at]
            at = end
        text = told
    return text


PLACES: Final = [[0, 1, 0, 1, 0], [1, 0, 1, 1, 1], [0, 1, 0, 0, 1], [1, 1, 0, 0, 1], [0, 1, 1, 1, 0]]

PUZZLES: Final = (
    Puzzle(hamiltonian_cycle, (PLACES,)),
    Puzzle(queens, (5,)),
    Puzzle(knights_tour, (5,)),
    Puzzle(permutations, ([1, 2, 3, 4],)),
    Puzzle(circular_primes, (9_999,)),
    Puzzle(table_of_outside),
    Puzzle(collatz, (300,)),
    Puzzle(collatz_of_constants),
    Puzzle(fibonacci, (3_000,)),
    Puzzle(huge_numbers, ("none",)),
    Puzzle(frequency_response, (2,)),
    Puzzle(automaton, (30, 31)),
    Puzzle(game_of_life, (4,)),
    Puzzle(levenshtein, ("kitten sits", "sitting kit")),
    Puzzle(matrix_chain, ([30, 35, 15, 5, 10, 20, 25],)),
    Puzzle(sorted_by_tree, ([5, 2, 8, 1, 9, 3, 7, 4, 6, 0],)),
    Puzzle(look_and_say, (8,)),
)
