"""What a loop carries of one name: nothing, one value, or the parts of a tuple or an object; Python data, which knows no trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from astrace.ir.constants import UNSET
from astrace.ir.specs import Spec
from astrace.tracing.changes.journal import Site


@dataclass(frozen=True, slots=True)
class Fixed:
    """Not carried: the same object at every iteration."""

    value: Any


@dataclass(frozen=True, slots=True)
class Leaf:
    """Carried as one value.

    Args:
        spec: covers it at all times.
        initial: what it is before the loop.
        left: an object that an iteration leaves in it, if that may run the user's code.
    """

    spec: Spec
    initial: Any
    left: Any = None


@dataclass(frozen=True, slots=True)
class Parts:
    """Carried part by part: a tuple, or an object made while tracing.

    Args:
        like: an object of that class.
        names: the keys or positions of the parts.
        parts: the parts.
        sites: where the objects were made that it stands for; empty for tuples.
        whole: the tuple itself, where it may be an object from outside.
    """

    like: Any
    names: tuple[Any, ...]
    parts: tuple[Entry, ...]
    sites: tuple[Site, ...] = ()
    whole: Leaf | None = None


Entry: TypeAlias = Fixed | Leaf | Parts


def leaves_of(entry: Entry) -> Iterator[Leaf]:
    """Yield the values that are carried, in the order of the node's inputs."""
    match entry:
        case Fixed():
            return
        case Leaf():
            yield entry
        case Parts():
            for part in entry.parts:
                yield from leaves_of(part)
            if entry.whole is not None:
                yield entry.whole


def is_unset(entry: Entry) -> bool:
    """Return whether there is nothing before the loop of what is carried."""
    match entry:
        case Fixed():
            return False
        case Leaf():
            return entry.initial is UNSET
        case Parts():
            return bool(entry.parts) and all(map(is_unset, entry.parts))
