"""Values from outside as the very objects that each call brings: numbers, texts, tuples, slices.

Tracing takes such values apart, or goes on with what they are equal to.  Where one goes out as a whole (it is
returned, stored, given to opaque code, asked for by ``is``) the object itself does.  So what enters is a copy
that nothing else is, remembered with the place that it was read from; this module knows places and copies, and
`operands` asks it for what stands for a copy in a node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from astrace.guards.access_paths import Item, Path
from astrace.tracing.recorder import Recorder
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer
from astrace.util.trees import is_namedtuple, tuple_like


@dataclass(frozen=True, slots=True, eq=False)
class ValuePart:
    """A part of a value that only the running program has.

    Args:
        whole: the value.
        keys: the positions that lead to the part.
    """

    whole: Tracer
    keys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ChosenTuple:
    """A tuple that branches or loops lead to: one from outside, or one that was put together.

    Args:
        which: the number of the place that it was read from, or -1 where it was put together.
    """

    which: Any


Source: TypeAlias = Path | ValuePart | ChosenTuple
"""The way to an object: from outside, as a part of a value, or as one of several tuples."""

NEW: Final = -1
"""In place of the number of a place, for a tuple that was built here."""

KINDS: Final = (str, bytes, int, float, complex)
"""Classes of constants of which each computation makes a new object."""
SMALL_INTEGERS: Final = range(-5, 257)
"""Of each of them Python has one object."""


class ValueIdentities:
    """The copies that stand for values from outside in one trace.

    Args:
        twins: the numbers and texts that are objects of their own where they are computed here.
    """

    def __init__(self, twins: set[tuple[type, Any]]) -> None:
        self._twins = twins
        self._known: dict[int, tuple[Any, Source]] = {}
        self.places: dict[Path, Any] = {}
        self._births: dict[int, tuple[Any, Recorder]] = {}
        self._mixed: dict[int, Any] = {}
        self.held: list[Any] = []
        self._computed: dict[int, Any] = {}
        self._equal: dict[tuple[type, Any], list[tuple[Any, bool]]] = {}

    def enter(self, value: Any, source: Source) -> Any:
        """A copy of a constant, remembered with its source, and so are its parts."""
        if isinstance(value, tuple) and value and (type(value) is tuple or is_namedtuple(value)):  # type: ignore[reportUnknownArgumentType]
            parts = [self.enter(part, inside(source, index)) for index, part in enumerate(value)]  # type: ignore[reportUnknownArgumentType,reportUnknownVariableType]
            return self.remember(tuple_like(value, parts), source)
        copy = copied(value)
        return value if copy is value else self.remember(copy, source)

    def remember(self, value: Any, source: Source) -> Any:
        """Remember where the object is found that a value stands for; gives the value."""
        self._known[id(value)] = value, source
        return value

    # -- tuples and slices made here -------------------------------------------------------------------

    def born(self, value: Any, recorder: Recorder) -> Any:
        """Remember where a tuple, a slice or a lazy object was made; gives it."""
        if id(value) not in self._births:
            self._births[id(value)] = value, recorder
        return value

    def is_born(self, value: Any) -> bool:
        """Return whether it is known where a tuple or a slice was made."""
        return id(value) in self._births

    def home(self, value: Any, recorder: Recorder) -> Recorder:
        """Return the block that a tuple or a slice is to be made in: that of its display, if it is still open."""
        found = self._births.get(id(value))
        return found[1] if found is not None and recorder.is_within(found[1]) else recorder

    def lives_in(self, value: Any, recorder: Recorder) -> bool:
        """Return whether a tuple was made in a block, or in one around it."""
        found = self._births.get(id(value))
        return found is not None and recorder.is_within(found[1])

    def hold(self, value: Any, made: Tracer) -> None:
        """Treat a tuple or a slice made here as an object of the running program from here on."""
        self.remember(value, ValuePart(made))
        self.held.append(value)

    def release(self, first: int) -> None:
        """Forget the objects that were made since there were ``first``: their nodes are gone."""
        for value in self.held[first:]:
            self._known.pop(id(value), None)
        del self.held[first:]

    def mix(self, value: Any) -> None:
        """Remember that a tuple stands for one of several, of which one is known elsewhere, too."""
        self._mixed[id(value)] = value

    def is_mixed(self, value: Any) -> bool:
        """Return whether only the running program knows which tuple a value stands for."""
        return id(value) in self._mixed

    # -- numbers and texts made here -------------------------------------------------------------------

    def computed(self, value: Any, *operands: Any) -> Any:
        """Remember that a number or a text was computed from constants, if it is a new object; gives it."""
        if type(value) in KINDS and not any(value is one for one in operands) and copied(value) is not value:
            self._computed[id(value)] = value
        return value

    def are_two(self, left: Any, right: Any) -> bool:
        """Return whether one of two values was computed here, and the other one read from outside."""
        return self._is_new_beside(left, right) or self._is_new_beside(right, left)

    def _is_new_beside(self, value: Any, other: Any) -> bool:
        source = self.source(other)
        return id(value) in self._computed and not (
            source is None or isinstance(source, ValuePart | ChosenTuple)
        )

    def is_another(self, value: Any) -> bool:
        """Return whether a computed number or text goes to a receiver that is given an equal one, too.

        Constants that stand in the program are one object where they are equal.

        Raises:
            Restart: it is not, and one that was given before is not the only one any more.
        """
        kind: type[Any] = type(value)
        if kind not in KINDS:
            return False
        given = self.source(value) is not None and not any(value is one for one in self.held)
        key = kind, value if kind in (str, bytes) else repr(value)
        equal = self._equal.setdefault(key, [])
        for one, apart in equal:
            if one is value:
                return apart
        made = id(value) in self._computed and not given
        if not made and any(id(one) in self._computed and not apart for one, apart in equal):
            self._twins.add(key)
            raise Restart
        apart = made and (bool(equal) or key in self._twins)
        equal.append((value, apart))
        return apart

    # -- sources ---------------------------------------------------------------------------------------

    def source(self, value: Any) -> Source | None:
        """Return the place at which the object that a value stands for is found, or ``None`` for a value of its own."""
        found = self._known.get(id(value))
        return found[1] if found is not None and found[0] is value else None

    def which(self, value: Any) -> Any:
        """Return the number of the place a tuple was read from, `NEW` if it was built here; ``None`` if there is none."""
        match self.source(value):
            case None:
                return NEW
            case ChosenTuple() as chosen:
                return chosen.which
            case ValuePart():
                return None
            case path:
                self.places.setdefault(path, value)
                return list(self.places).index(path)

    def stands_for(self, value: Any) -> bool:
        """Return whether a value, or a part of a tuple, stands for an object from outside."""
        if not self._known:
            return False
        if self.source(value) is not None:
            return True
        return isinstance(value, tuple) and any(map(self.stands_for, value))  # type: ignore[reportUnknownArgumentType]

    def told_apart(self, left: Any, right: Any) -> bool:
        """Return whether two equal values may stand for two objects."""
        if left is right:
            return False
        if self._is_made_twice(left, right):
            return True
        if not (self.stands_for(left) or self.stands_for(right)):
            return False
        source = self.source(left)
        return source is None or source != self.source(right)

    def _is_made_twice(self, left: Any, right: Any) -> bool:
        """Return whether equal tuples, or those in them, were made in two places."""
        if left is right or not isinstance(left, tuple):
            return False
        if self.is_born(left) or self.is_born(right):
            return True
        return any(map(self._is_made_twice, left, right))  # type: ignore[reportUnknownArgumentType]


def inside(source: Source, index: int) -> Source:
    """Return the place of an item of a tuple."""
    assert not isinstance(source, ChosenTuple)
    return (
        ValuePart(source.whole, (*source.keys, index))
        if isinstance(source, ValuePart)
        else Item(source, index)
    )


def copied(value: Any) -> Any:
    """Return another object equal to a constant, or the constant itself where Python has but one."""
    match value:
        case int() if type(value) is int:
            return value if value in SMALL_INTEGERS else value + 1 - 1
        case float() if type(value) is float:
            return value * 1.0
        case complex() if type(value) is complex:
            return complex(value.real, value.imag)
        case str() if type(value) is str:
            return (value + " ")[:-1] if len(value) > 1 else value  # Python has one copy of each letter
        case bytes() if type(value) is bytes:
            return (value + b" ")[:-1] if len(value) > 1 else value
        case range():
            return range(value.start, value.stop, value.step)
        case slice():
            return slice(value.start, value.stop, value.step)
        case _:
            return value
