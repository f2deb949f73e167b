"""Local functions that opaque code is given, and those that call themselves, have the annotations that they were written with."""

import inspect
import operator

import numpy as np

Number = float


def shown(function):
    return operator.call(lambda: (dict(function.__annotations__), str(inspect.signature(function))))


def kinds(x):
    def scale(v: np.ndarray | None, by: "int" = 2, *, names: dict[str, list[int]] = None) -> Number:
        return v * by

    def none(v):
        return v

    def result() -> tuple[int, ...]:
        return (x, scale)

    return [shown(one) for one in (scale, none, result)], operator.call(scale, x), len(operator.call(result))


def tree(n):
    """Calls itself until the data say stop, over a variable of the function around it."""
    step = 1

    def total(k: int, left: float = 0.5) -> float:
        return left if k <= 0 else k + total(k - step, left)

    return total(n), total(n, 1.5)


def missing(x):
    def wrong(v: Missing) -> int:  # noqa: F821
        return v

    return operator.call(wrong, x)


def defined_later(x):
    def late(v: Later) -> int:
        return v

    return operator.call(lambda: late.__annotations__["v"]), operator.call(late, x)


class Later:
    pass


def f(x, n):
    try:
        failed = missing(x)
    except NameError as error:
        failed = str(error), error.name
    return kinds(x), tree(n), failed, defined_later(x)


CALLS = [(1.5, 3), (np.arange(3.0), 0), (2, 6), (2, -1)]
PLAIN = "AT203"
