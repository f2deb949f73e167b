"""Lifetimes: objects of a compiled function live no longer than with the plain function."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
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


def reads(held: Held) -> float:
    return held.rate * 2


def calls(held: Held) -> float:
    return held.scaled(3.0)


def changes(held: Held) -> None:
    held.rate = held.rate + 1  # type: ignore[misc]


def gives_back(held: Held) -> Held:
    return held


def tells_apart(held: Held) -> bool:
    return held is not None and isinstance(held, Held)


def keeps_for_a_while(held: Held) -> list[float]:
    items = [held, held]
    return [one.rate for one in items]


def gives_on(held: Held) -> Any:
    return eval("held"), repr(held)[:5]


def fails(held: Held) -> Any:
    return held.missing  # type: ignore[attr-defined]


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


GIVEN = [reads, calls, changes, gives_back, tells_apart, keeps_for_a_while, gives_on, fails]


@pytest.mark.parametrize("look", [None, "stages", "explain"])
@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("function", GIVEN, ids=lambda function: function.__name__)
def test_no_argument_is_kept(function: Callable[[Held], Any], look: str | None) -> None:
    """The arguments of a compiled function live no longer than with the plain function, also those of the first call.

    No garbage has to be collected for that.
    """
    compiled = astrace.compile(function)
    for _ in range(2):
        held = Held()
        alive = weakref.ref(held)
        with contextlib.suppress(AttributeError):
            compiled(held)
        if look is not None:
            str(getattr(compiled, look)(held))
        del held
        assert alive() is None


@pytest.mark.usefixtures("uncollected")
def test_no_array_is_kept() -> None:
    """An array that was an argument of the first call is let go."""

    def total(x: Any, y: Any) -> Any:
        return (x * 2 + y["a"]).sum()

    compiled = astrace.compile(total)
    array, inner = np.ones(3), np.ones(3)
    alive = weakref.ref(array), weakref.ref(inner)
    compiled(array, {"a": inner})
    del array, inner
    assert [one() for one in alive] == [None, None]
