"""The recipe by which the host puts the results of a block together when a program has run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from astrace.backends.jax.lower.value_forms import View
from astrace.ir.block import Constant
from astrace.ir.specs import GenericSpec, ScalarSpec, Spec


@dataclass(frozen=True, slots=True)
class GiveNumber:
    """A number, from variable ``slot`` of the program's outputs."""

    slot: int
    spec: ScalarSpec | GenericSpec


@dataclass(frozen=True, slots=True)
class GiveArray:
    """An array, from variable ``slot``; ``key`` tells which object it is."""

    slot: int
    key: int


@dataclass(frozen=True, slots=True)
class GiveView:
    """A part of another result, or of an argument.

    Args:
        base: the whole.
        path: the views that lead to the part.
        slots: for each view the variables, or constants, that fill its holes.
    """

    base: GiveArray | GiveArgument | GiveEither
    path: tuple[View, ...]
    slots: tuple[tuple[int | Constant, ...], ...]


@dataclass(frozen=True, slots=True)
class GiveArgument:
    """An argument itself."""

    index: int


@dataclass(frozen=True, slots=True)
class GiveStatic:
    """The same object at every call."""

    value: Any


@dataclass(frozen=True, slots=True)
class GiveItems:
    """A tuple, or a list."""

    items: tuple[Give, ...]
    cls: type


@dataclass(frozen=True, slots=True)
class GiveRows:
    """A list: some items, and the rows of variable ``slot``."""

    slot: int
    before: tuple[Give, ...]


@dataclass(frozen=True, slots=True)
class GiveMade:
    """A dict, or an instance of a class."""

    cls: type
    names: tuple[Any, ...]
    items: tuple[Give, ...]


@dataclass(frozen=True, slots=True)
class GiveEither:
    """One of several results, by the number in variable ``slot``.

    Args:
        slot: the variable.
        options: the results.
        alike: they are equal but different objects; the first one is made anew.
    """

    slot: int
    options: tuple[Give, ...]
    alike: bool = False


@dataclass(frozen=True, slots=True)
class GiveList:
    """A list whose number of items is in variable ``length``.

    Args:
        length: the variable.
        slots: the variables that hold the parts of the items.
        element: the spec of an item.
        apart: the variables are tuples of items, which may differ in shape.
    """

    length: int
    slots: tuple[int, ...]
    element: Spec
    apart: bool = False


@dataclass(frozen=True, slots=True)
class GiveDevice:
    """The result of JAX in variable ``slot``, as it is."""

    slot: int


Give: TypeAlias = (
    GiveDevice
    | GiveNumber
    | GiveArray
    | GiveView
    | GiveArgument
    | GiveStatic
    | GiveItems
    | GiveMade
    | GiveList
    | GiveRows
    | GiveEither
)
