"""Classes that get properties, and objects that get the dict of others, between calls of functions that store into them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition

Wrap: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
ITEMS = np.array([0.5, 0.25, 0.75])


def adds(a, x):
    for v in x:
        a.level = a.level + v
    return a.level


def adds_and_doubles(a, b, x):
    for v in x:
        a.level = a.level + v
        b.level = b.level * 2
    return a.level


def stores_and_reads(a, b):
    a.level = a.level + 1
    return b.level


def adds_to_all(objects, x):
    for one in objects:
        one.level = one.level + x
    return [one.level for one in objects]


def telling(told: list[Any]) -> property:
    """A property that tells of each time that it is asked or set."""
    return property(lambda _: told.append("asked") or 2.0, lambda _, value: told.append(float(value)))


def plain_class() -> type:
    return type("Plain", (), {})


def with_slot() -> type:
    return type("Slotted", (), {"__slots__": ("level",)})


def with_default() -> type:
    return dataclasses.make_dataclass("Record", [("level", float, 0.0)])


def derived() -> type:
    return type("Derived", (with_default(),), {})


CLASSES = (with_slot, with_default, derived)


def level_of(cls: type, level: float = 0.0) -> Any:
    one = cls()
    one.level = level
    return one


def a_property_comes_and_goes(wrap: Wrap, make: Callable[[], type]) -> list[Any]:
    cls, told = make(), []
    function, one = wrap(adds), level_of(cls)
    seen: list[Any] = [function(one, ITEMS)]
    before = vars(cls).get("level", told)
    cls.level = telling(told)
    seen += [function(one, ITEMS), list(told)]
    del cls.level
    if before is not told:
        cls.level = before
    return [*seen, function(one, ITEMS), one.level, told]


def methods_come_and_go(wrap: Wrap, make: Callable[[], type]) -> list[Any]:
    cls, told = make(), []
    function, one = wrap(adds), level_of(cls)
    seen: list[Any] = [function(one, ITEMS)]
    cls.__setattr__ = lambda self, name, value: told.append(value) or object.__setattr__(self, name, value)
    seen += [function(one, ITEMS), list(told)]
    del cls.__setattr__
    cls.__getattribute__ = lambda self, name: told.append(name) or object.__getattribute__(self, name)
    seen += [function(one, ITEMS), list(told)]
    del cls.__getattribute__
    return [*seen, function(one, ITEMS), told]


@pytest.fixture(params=["numpy", "native"])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Wrap:
    """How a function is compiled; Python runs the text of kernels."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    return functools.partial(astrace.compile, backend=request.param)


@pytest.mark.parametrize("make", CLASSES)
@pytest.mark.parametrize(
    "scenario",
    [a_property_comes_and_goes, methods_come_and_go],
)
def test_a_class_that_changes(compiled: Wrap, scenario: Any, make: Callable[[], type]) -> None:
    assert scenario(compiled, make) == scenario(lambda one: one, make)


def one_dict_later(wrap: Wrap) -> list[Any]:
    cls, function = plain_class(), wrap(adds_and_doubles)
    a, b = level_of(cls, 1.0), level_of(cls, 2.0)
    seen: list[Any] = [function(a, b, ITEMS), a.level, b.level]
    b.__dict__ = a.__dict__
    seen += [function(a, b, ITEMS), a.level, b.level]
    b.__dict__ = {"level": 5.0}
    return [*seen, function(a, b, ITEMS), a.level, b.level]


def one_dict_at_first(wrap: Wrap) -> list[Any]:
    cls, function = plain_class(), wrap(adds_and_doubles)
    a, b = level_of(cls, 1.0), level_of(cls, 2.0)
    b.__dict__ = a.__dict__
    seen: list[Any] = [function(a, b, ITEMS), a.level]
    b.__dict__ = {"level": 5.0}
    return [*seen, function(a, b, ITEMS), a.level, b.level]


def one_dict_without_a_loop(wrap: Wrap) -> list[Any]:
    cls, function = plain_class(), wrap(stores_and_reads)
    a, b, c = level_of(cls, 1.0), level_of(cls, 2.0), level_of(cls, 3.0)
    seen = [function(a, b)]
    b.__dict__ = a.__dict__
    return [*seen, function(a, b), function(a, c), function(c, b), function(b, b)]


def one_dict_of_many(wrap: Wrap) -> list[Any]:
    cls, function = plain_class(), wrap(adds_to_all)
    objects = [level_of(cls, float(number)) for number in range(9)]
    seen = [function(objects, 1.0)]
    objects[3].__dict__ = objects[5].__dict__
    return [*seen, function(objects, 1.0)]


@pytest.mark.parametrize(
    "scenario", [one_dict_later, one_dict_at_first, one_dict_without_a_loop, one_dict_of_many]
)
def test_objects_with_one_dict(compiled: Wrap, scenario: Any) -> None:
    assert scenario(compiled) == scenario(lambda one: one)
