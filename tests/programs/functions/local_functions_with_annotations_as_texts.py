"""Annotations of local functions where a module has them as texts."""

from __future__ import annotations

import inspect
import operator

import numpy as np


def f(x, n):
    found = []

    def keep(v: np.ndarray | undefined, into: list[float] = found) -> None:  # noqa: F821
        into.append(v)

    def count(k: int, step: int = 1) -> int:
        return 0 if k <= 0 else 1 + count(k - step, step)

    operator.call(keep, x)
    return found, count(n), operator.call(lambda: (dict(keep.__annotations__), str(inspect.signature(count))))


CALLS = [(1.5, 3), (np.arange(3.0), 0), (2, 6)]
PLAIN = "AT203"
