"""What a compiled function closes over lives no longer than with the plain function."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import astrace


class Held:
    """An object that closures are made over."""

    rate = 2.0

    def scaled(self, x: float) -> float:
        """A method that is traced through."""
        return x * self.rate


def attribute(held: Held) -> Callable[..., Any]:
    return lambda x: held.rate * x


def method(held: Held) -> Callable[..., Any]:
    bound = held.scaled
    return lambda x: bound(x)


def default(held: Held) -> Callable[..., Any]:
    return lambda x, one=held: one.rate * x


def comprehension(held: Held) -> Callable[..., Any]:
    return lambda x: [g() for g in [lambda: held.rate * i for i in range(3)]] + [x]


def generator(held: Held) -> Callable[..., Any]:
    return lambda x: next(v for v in (held.rate, x))


def recursion(held: Held) -> Callable[..., Any]:
    def down(n: float) -> float:
        return held.rate if n <= 0 else down(n - 1)

    return down


def left_plain(held: Held) -> Callable[..., Any]:
    return lambda x: eval("x") * held.rate


def declared(held: Held) -> Callable[..., Any]:
    scaled = astrace.pure(lambda x: x * held.rate)
    noted = astrace.impure(lambda x: x * held.rate)
    return lambda x: scaled(x) + noted(x)


MAKERS = [attribute, method, default, comprehension, generator, recursion, left_plain, declared]


@pytest.mark.parametrize("look", [None, "stages", "explain"])
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_nothing_is_kept(make: Callable[[Held], Callable[..., Any]], look: str | None) -> None:
    """Called with several types, looked at or not: once the function is gone, so is what it was made over."""
    held = Held()
    alive = weakref.ref(held)
    function = astrace.compile(make(held))
    function(1.0)
    function(2)
    if look is not None:
        str(getattr(function, look)(1.0))
    del function, held
    gc.collect()
    assert alive() is None
