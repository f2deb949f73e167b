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

from astrace.check.compare.diff import described, shortened
from astrace.check.compare.snapshots import ATOMS, Camera
from astrace.check.inputs.code_constants import Mined
from astrace.check.inputs.numeric import NumberSource
from astrace.check.mutate.alternatives import alternatives
from astrace.check.mutate.immutable_places import can_hold_another
from astrace.check.report.findings import Suspect
from astrace.check.sandbox.files import Files
from astrace.check.sandbox.process_state import AROUND
from astrace.check.sandbox.reachable import Place
from astrace.check.sandbox.savers import keeper_of
from astrace.ir.constants import show

EACH: Final = 2
"""The number of other contents that are tried at one place."""


FEW: Final = 6
"""A container of at most so many items is shown by its items."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """One change of the world.

    Args:
        suspect: the place, what it held and what it holds now.
        make: makes the change.
        placed: what is put there, with how the user writes the place; the function may change it.
        owner: the object that is changed.
    """

    suspect: Suspect
    make: Callable[[], object]
    placed: tuple[tuple[str, Any], ...] = ()
    owner: Any = None

    def is_made(self, files: Files) -> bool:
        """Make the change, if the world lets it be made; files are kept before they are changed."""
        try:
            with files.watched():
                self.make()
        except Exception:  # code of the user's may refuse it in its own way
            return False
        return True


def shifts(
    places: Sequence[Place], mined: Mined, names: Sequence[str], source: NumberSource
) -> Iterator[Shift]:
    """Changes of the world, one place at a time.

    Args:
        places: the places that a function can reach.
        mined: constants of its code.
        names: the names that its code looks up.
        source: where noise comes from.
    """
    for place in places:
        if not can_hold_another(place.owner, place.key):
            continue
        for other in alternatives(place.value, mined, source)[:EACH]:
            yield shift_of(place, other)
    yield from _around(mined, names)


def shift_of(place: Place, other: Any) -> Shift:
    """The change of a place to something else."""
    suspect = Suspect(place.path, "state", said(place.value), said(other))

    def make() -> None:
        put(place, other)

    placed = ((place.path, other),) if keeper_of(other) is not None else ()
    return Shift(suspect, make, placed, place.owner)


def put(place: Place, value: Any) -> None:
    """Store a value in a place."""
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
        case np.ndarray() if place.key is None:
            np.copyto(owner, value)
        case _ if isinstance(place.key, str):
            setattr(owner, place.key, value)  # as a program does: a class may refuse it
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


def contents(owners: Sequence[tuple[str, Any]]) -> Iterator[Shift]:
    """Changes of what objects hold that know other contents for themselves: generators, queues, contexts.

    Args:
        owners: the objects, with how the user writes them.
    """
    for path, owner in owners:
        keeper = keeper_of(owner)
        if keeper is None:
            continue
        for other in keeper.others(keeper.save(owner)):
            suspect = Suspect(path, "state", "as it was", "another state")
            yield Shift(suspect, functools.partial(keeper.restore, owner, other), owner=owner)


def said(value: Any) -> str:
    """A value in a few words; a container by its size, a type or a function by its name."""
    if callable(value):
        return show(value)
    if isinstance(value, np.ndarray) and value.ndim and 0 < value.size <= FEW and not value.dtype.hasobject:
        return shortened(f"{value.dtype} {value.tolist()}")
    if isinstance(value, set | frozenset):
        return shortened(f"{{{', '.join(map(show, value))}}}")
    if type(value) in (list, tuple, dict) and len(value) <= FEW and _is_literal(value):
        return shortened(repr(value))
    picture = Camera().picture(value)
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return shortened(described(picture))


def _is_literal(value: Any) -> bool:
    """Return whether a value is written as Python's own literals."""
    if type(value) is dict:
        return _is_literal([*value, *value.values()])
    return all(map(_is_literal, value)) if type(value) in (list, tuple) else type(value) in ATOMS


def _around(mined: Mined, names: Sequence[str]) -> Iterator[Shift]:
    """Changes of what lies around all functions, for those that name it."""
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
    for row in (row for row in AROUND if row.is_read(names)):
        for other in row.others(row.get()):
            suspect = Suspect(row.name, "state", "as it was", "another state")
            yield Shift(suspect, functools.partial(row.put, other))
