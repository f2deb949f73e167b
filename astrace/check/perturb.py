"""Changes of the world: one place outside the function holds something else, for the length of a trial.

For each place that a function can reach there are a few other contents of the same kind: another number, the
other flag, one item more, other items in an array, another value of a context variable or an environment
variable, another working directory.  A `Shift` makes the change; the world's sandbox undoes it.
"""

from __future__ import annotations

import contextvars
import functools
import os
import tempfile
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.check.compare import described, shortened
from astrace.check.findings import Suspect
from astrace.check.keepers import keeper_of
from astrace.check.mined import Mined
from astrace.check.noise import KINDS, Source, array_like
from astrace.check.pictures import Camera
from astrace.check.reach import Place

EACH: Final = 2
"""How many other contents are tried at one place."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """One change of the world.

    Args:
        suspect: the place, what it held and what it holds now.
        make: makes the change.
        placed: what is put there, with how the user writes the place; the function may change it.
    """

    suspect: Suspect
    make: Callable[[], object]
    placed: tuple[tuple[str, Any], ...] = ()


def shifts(places: Sequence[Place], mined: Mined, names: Sequence[str], source: Source) -> Iterator[Shift]:
    """Changes of the world, one place at a time.

    Args:
        places: the places that a function can reach.
        mined: constants of its code.
        names: the names that its code looks up.
        source: where noise comes from.
    """
    for place in places:
        for other in _others(place.value, mined, source)[:EACH]:
            yield _shift(place, other)
    yield from _around(mined, names)


def _shift(place: Place, other: Any) -> Shift:
    suspect = Suspect(place.path, "state", _said(place.value), _said(other))

    def make() -> None:
        put(place, other)

    return Shift(suspect, make, ((place.path, other),) if keeper_of(other) is not None else ())


def put(place: Place, value: Any) -> None:
    """Let a place hold something else."""
    owner = place.owner
    match owner:
        case dict():
            dict.__setitem__(owner, place.key, value)
        case list():
            owner[place.key] = value
        case types.CellType():
            owner.cell_contents = value
        case contextvars.ContextVar():
            owner.set(value)
        case type():
            type.__setattr__(owner, place.key, value)
        case np.ndarray() if place.key is None:
            np.copyto(owner, value)
        case _ if isinstance(place.key, str):
            object.__setattr__(owner, place.key, value)
        case _:
            raise TypeError(f"{place.path} can't be set")


def content_places(places: Sequence[Place]) -> Iterator[Place]:
    """The contents of the arrays and context variables that places hold, as places of their own."""
    seen: set[int] = set()
    for place in places:
        value = place.value
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, np.ndarray) and value.flags.writeable:
            yield Place(f"{place.path}[...]", value, None, value.copy())
        elif isinstance(value, contextvars.ContextVar):
            held = value.get(None)
            if held is not None:
                yield Place(f"{place.path}.get()", value, None, held)


def _others(value: Any, mined: Mined, source: Source) -> list[Any]:
    """Other contents for a place that holds a value."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, -value - 2]
        case float():
            return [value * 1.5 + 1.0, -value - 0.25]
        case complex():
            return [value + (1 + 2j)]
        case str():
            return [*(text for text in mined.strings if text != value), f"{value}_"]
        case None:
            return [2.0]
        case np.generic() | np.ndarray() if value.dtype.kind in "biufc":
            items = array_like(np.asarray(value), KINDS["jitter"], source)
            return [items if isinstance(value, np.ndarray) else items[()]]
        case _:
            return _other_containers(value)


def _other_containers(value: Any) -> list[Any]:
    """A container with an item more, and with one less; another object for a mere marker."""
    kind: type[Any] = type(value)
    if kind is list or kind is tuple:
        return [kind([*value, value[-1]]), value[:-1]] if value else [kind([1.0])]
    if kind is dict and value and isinstance(next(reversed(value)), str):
        key, item = next(reversed(value.items()))
        return [{**value, f"{key}_2": item}]
    return [object()] if kind is object else []


def _said(value: Any) -> str:
    picture = Camera().picture(value)
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return shortened(described(picture))


def _around(mined: Mined, names: Sequence[str]) -> Iterator[Shift]:
    """Changes of the environment and the working directory, for functions that name them."""
    if {"environ", "getenv"} & set(names):
        for key in mined.strings:
            then = os.environ.get(key)
            other = "1" if then != "1" else "0"
            suspect = Suspect(f"os.environ[{key!r}]", "state", repr(then), repr(other))
            yield Shift(suspect, functools.partial(os.environ.__setitem__, key, other))
    if {"getcwd", "cwd", "open", "load"} & set(names):
        other = tempfile.gettempdir()
        yield Shift(
            Suspect("os.getcwd()", "state", "where it was", other), functools.partial(os.chdir, other)
        )
    if {"geterr", "errstate", "seterr"} & set(names):
        now = np.geterr()["over"]
        other = "ignore" if now != "ignore" else "warn"
        shift = functools.partial(np.seterr, over=other)
        yield Shift(Suspect("np.geterr()['over']", "state", now, other), shift)
