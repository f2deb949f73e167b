"""Values and constants: what the nodes of a block are given and make.

Frozen, compared by identity, knowing nothing of the nodes that use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from astrace.ir.specs import Spec, spec_of
from astrace.locations import Location


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An output of a node or an input of a block.

    Args:
        spec: what is known of it.
        name: the user's name for it, where there is one; only for reading.
    """

    spec: Spec
    name: str = ""

    def rename(self, name: str) -> None:
        """Give a value that has no name yet the one the user gives it; nothing but printing depends on it."""
        if not self.name:
            object.__setattr__(self, "name", name)


@dataclass(frozen=True, slots=True)
class Origin:
    """The reason why a constant is one: a literal, a guard, a frozen read.

    Args:
        kind: ``literal`` (written in the source), ``guarded`` (read from outside and checked at every
            call), ``folded`` (computed by a pass) or ``frozen`` (a live read, or what a call gave, fixed on
            request).
        path: the access path it was read through, or the call; for ``folded``, those of what it was computed from.
        location: the user's line.
    """

    kind: str
    path: str = ""
    location: Location | None = None


LITERAL: Final = Origin("literal")


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A Python object that is the same at every call."""

    value: Any
    origin: Origin = LITERAL

    @property
    def spec(self) -> Spec:
        """The narrowest spec, which is the constant itself."""
        return spec_of(self.value)


Operand: TypeAlias = Value | Constant
