"""Names for values in generated code.

A variable is used again for another value as soon as what it holds is not needed any more, so that code
reads as a person would write it (``s = s * 2``) and no array is kept alive longer than in the original.
"""

from __future__ import annotations

import builtins
import functools
import keyword
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.ir.block import Block, Operand, Value
from astrace.ir.walk import last_uses

# Beyond this many names that are all in use, a new one is made instead of looking for one that has become free.
MOST_TRIED: Final = 64
RESERVED: Final = frozenset(
    {*keyword.kwlist, *dir(builtins), "np", "math", "operator", "jax", "jnp", "lax", "support"}
)


@dataclass(slots=True)
class NameFrame:
    """A block that is being written.

    Args:
        last: the number of the last node that uses each of its values.
        index: the node that is being written; half a step less before it is evaluated, when its inputs are
            still needed.
        pinned: names that must keep what they hold until the block's end: a loop comes back to them.
        held: names that hold values of this block.
    """

    last: dict[Value, int]
    index: float = -1
    pinned: frozenset[str] = frozenset()
    held: set[str] = field(default_factory=set[str])


class VariableNames:
    """The variables of one generated function.

    Args:
        reuse: a variable is used again for another value; without, each value that can has a variable of its own.
    """

    def __init__(self, reuse: bool = True) -> None:
        self._reuse = reuse
        self._names: dict[Value, str] = {}
        self._holders: dict[str, list[tuple[int, Value]]] = {}
        self._frames: list[NameFrame] = []
        self._objects: dict[str, Any] = {}
        self._object_names: dict[int, str] = {}
        self._promised: set[str] = set()
        self._pinned: Counter[str] = Counter()
        self._numbers: Counter[str] = Counter()
        self._undo: list[Callable[[], None]] = []
        self._reserved = RESERVED

    @property
    def objects(self) -> dict[str, Any]:
        """The objects that generated code refers to, by name."""
        return self._objects

    def reserve(self, name: str) -> None:
        """Keep a name free: the generated function's own, which a recursive function also calls."""
        self._reserved |= {name}

    # -- blocks ------------------------------------------------------------------------------------

    def enter(self, block: Block, pinned: set[str] | None = None) -> NameFrame:
        """Begin to write a block."""
        frame = NameFrame(last_uses(block), pinned=frozenset(pinned or ()))
        self._frames.append(frame)
        self._pinned.update(frame.pinned)
        return frame

    def leave(self) -> None:
        """A block is written; its values are gone."""
        frame = self._frames.pop()
        self._pinned.subtract(frame.pinned)
        for name in frame.held:
            self._hold(name, self._holders[name])

    def _hold(self, name: str, holders: list[tuple[int, Value]]) -> None:
        self._holders[name] = [holder for holder in holders if holder[0] < len(self._frames)]

    @property
    def frame(self) -> NameFrame:
        """The block that is being written."""
        return self._frames[-1]

    # -- values ------------------------------------------------------------------------------------

    def __contains__(self, value: object) -> bool:
        return value in self._names

    def __getitem__(self, value: Value) -> str:
        return self._names[value]

    def share(self, value: Value, name: str) -> None:
        """Give a value of an inner block the name of the outer value that it is."""
        self._names[value] = name
        self._holders.setdefault(name, []).append((len(self._frames) - 1, value))
        self.frame.held.add(name)

    def assign(self, value: Value, wanted: str = "", avoid: Container[str] = ()) -> str:
        """A variable for a value that is assigned now; ``wanted`` if that is free and not to be avoided."""
        free = wanted and wanted not in avoid and self.is_free(wanted)
        name = wanted if free else self.fresh(value.name or "t", avoid)
        self.take(value, name)
        return name

    def promise(self, name: str) -> None:
        """A variable will hold a value later: no object is given its name in between."""
        self._promised.add(name)

    def take(self, value: Value, name: str) -> None:
        """Make a variable hold a value from now on."""
        self._undo.append(functools.partial(self._restore, name, self._holders.get(name, []), value))
        self._names[value] = name
        self._holders[name] = [(len(self._frames) - 1, value)]
        self.frame.held.add(name)

    def fresh(self, hint: str, avoid: Container[str] = ()) -> str:
        """A variable that holds nothing that is needed: the hint itself, or the hint with a number."""
        base = f"{hint}_" if hint in self._reserved or hint in self._objects else hint
        plain = base == "t"
        number = 1 if plain else 0
        while True:
            name = f"t{number}" if plain else f"{base}_{number}" if number else base
            if name not in avoid and self.is_free(name) and (self._reuse or name not in self._holders):
                self._numbers[base] = max(number, self._numbers[base])
                self.promise(name)
                return name
            number = number + 1 if number < MOST_TRIED else max(number, self._numbers[base]) + 1

    def is_free(self, name: str) -> bool:
        """Return whether a variable holds nothing that is needed from here on."""
        if name in self._reserved or name in self._objects:
            return False
        if self._pinned[name] > 0:
            return False
        return all(
            self._frames[depth].last.get(value, -1) <= self._frames[depth].index
            for depth, value in self._holders.get(name, ())
        )

    def is_last_use(self, operand: Operand) -> bool:
        """Return whether the node being written is the last to need what a variable holds."""
        return isinstance(operand, Value) and operand in self._names and self.is_free(self._names[operand])

    def remember(self) -> Callable[[], None]:
        """Remember the contents of variables, for an attempt that may fail; return the function that restores them."""
        mark = len(self._undo)

        def bring_back() -> None:
            while len(self._undo) > mark:
                self._undo.pop()()

        return bring_back

    def _restore(self, name: str, holders: list[tuple[int, Value]], value: Value) -> None:
        self._names.pop(value, None)
        self._hold(name, holders)

    def own(self, name: str, value: Any) -> None:
        """A module, or a builtin, that generated code refers to by its own name."""
        self._objects[name] = value

    # -- objects -----------------------------------------------------------------------------------

    def object(self, value: Any, hint: str) -> str:
        """The name under which generated code finds an object."""
        known = self._object_names.get(id(value))
        if known is not None:
            return known
        clean = "".join(char if char.isalnum() or char == "_" else "_" for char in hint) or "value"
        clean = clean if clean[0].isalpha() or clean[0] == "_" else f"v_{clean}"
        name, number = clean, 0
        while (
            name in self._reserved or name in self._objects or name in self._holders or name in self._promised
        ):
            number += 1
            name = f"{clean}_{number}"
        self._objects[name] = value
        self._object_names[id(value)] = name
        return name
