"""A string that is looped over is data: one loop for all strings; one that only decides what is done is a flag."""

import numpy as np

CODES = "ACGT"


def failures(pattern):
    """Where to go on in a pattern after a mismatch (Knuth, Morris and Pratt, 1977)."""
    table = [0] * len(pattern)
    j = 0
    for i, letter in enumerate(pattern):
        if i == 0:
            continue
        while j and letter != pattern[j]:
            j = table[j - 1]
        if letter == pattern[j]:
            j += 1
        table[i] = j
    return table


def scaled(x, names):
    for name in names:
        x = getattr(np, {"s": "sqrt", "a": "abs"}[name])(x)
    return x


def f(text, pattern, x, mode):
    table, hits, j = failures(pattern), [], 0
    for i, letter in enumerate(text):
        while j and letter != pattern[j]:
            j = table[j - 1]
        if letter == pattern[j]:
            j += 1
        if j == len(pattern):
            hits.append(i - j + 1)
            j = table[j - 1]
    counts = np.zeros(len(CODES), int)
    for letter in text:
        counts[CODES.index(letter)] += 1
    pairs = sum(1 for a, b in zip(text, reversed(text)) if a == b)
    weights = [0.5, 0.25, 2.0, 1.0, 4.0]
    for i in range(len(x)):
        x[i] *= weights[i % len(weights)]
    return hits, counts, pairs, scaled(x, "as"), x if mode == "all" else x[0]


CALLS = [
    ("ACACAGT", "ACA", np.arange(7.0), "all"),
    ("GGGGGGGGGGGG", "GGG", np.arange(2.0), "first"),
    ("", "T", np.ones(1), "all"),
    ("ACX", "A", np.ones(1), "all"),
]


def noise(rng):
    text, pattern = ("".join(rng.choice(list("ACG"), size)) for size in (rng.integers(0, 9), rng.integers(1, 4)))
    return text, pattern, rng.normal(size=6), str(rng.choice(["all", "first"]))
