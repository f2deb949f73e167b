"""Specs: what is known of a value before it exists.

========================  ====================================================================
``ArraySpec``             an ``np.ndarray`` of known dtype and rank; a dimension may be unknown
``GenericSpec``           a NumPy scalar (an instance of ``np.generic``) of known dtype
``ScalarSpec``            a Python number: weak under NEP 50
``LiteralSpec``           exactly this Python object: ``None``, a function, a string
``TupleSpec``             a tuple whose items are known
``ListSpec``              a list whose items all have one spec
``UnionSpec``             one of a few specs; which one shows when the program runs
``DeviceSpec``            an array of JAX of known dtype and number of dimensions
``AnySpec``               anything, or any instance of one class
========================  ====================================================================

A dimension is an ``int``, a name (equal names are equal sizes within one block) or ``None``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from astrace.ir.constants import UNSET, Undefined, Unset, same, same_dtype, show
from astrace.ir.jax_arrays import is_array, jax_module
from astrace.util.trees import is_namedtuple

Dim: TypeAlias = int | str | None
Kind: TypeAlias = Literal["bool", "int", "float", "complex"]

KINDS: Final[dict[type, Kind]] = {bool: "bool", int: "int", float: "float", complex: "complex"}
PYTHON_TYPES: Final[dict[Kind, type]] = {kind: cls for cls, kind in KINDS.items()}
MOST_OPTIONS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class ArraySpec:
    """An array.

    Example:
        >>> print(ArraySpec(("n", 3, None), np.dtype("float32")))
        float32[n, 3, ?]
    """

    shape: tuple[Dim, ...]
    dtype: np.dtype[Any]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArraySpec):
            return NotImplemented
        return self.shape == other.shape and same_dtype(self.dtype, other.dtype)

    def __hash__(self) -> int:
        return hash((ArraySpec, self.shape, self.dtype))

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join('?' if dim is None else str(dim) for dim in self.shape)}]"


@dataclass(frozen=True, slots=True, eq=False)
class GenericSpec:
    """A NumPy scalar, printed by its dtype: ``float64``; ``np.bool`` is told from Python's ``bool``."""

    dtype: np.dtype[Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GenericSpec) and same_dtype(self.dtype, other.dtype)

    def __hash__(self) -> int:
        return hash((GenericSpec, self.dtype))

    def __str__(self) -> str:
        return "np.bool" if self.dtype == np.bool_ else str(self.dtype)


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """An array of JAX, which nothing can change.

    Args:
        dtype: its dtype, which may be one that NumPy does not have.
        ndim: how many dimensions it has.
        weak: it takes the dtype of what it meets, as Python's numbers do.
        shape: its sizes while tracing; they play no part in what fits.
    """

    dtype: Any
    ndim: int
    weak: bool = False
    shape: tuple[int, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        sizes = ", ".join("?" * self.ndim)
        return f"jax.{self.dtype}[{sizes}]{'*' if self.weak else ''}"


@dataclass(frozen=True, slots=True)
class ScalarSpec:
    """A Python number, printed by its type: ``float``.

    Args:
        kind: its type.
        example: what it is while tracing, of an integer; it plays no part in what fits.
    """

    kind: Kind
    example: int | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True, eq=False)
class LiteralSpec:
    """Exactly one Python object."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiteralSpec) and same(self.value, other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))

    def __repr__(self) -> str:  # without the value's own, which may be the user's code
        return f"LiteralSpec({show(self.value)})"

    def __str__(self) -> str:
        return show(self.value)


@dataclass(frozen=True, slots=True)
class TupleSpec:
    """A tuple, or a named tuple of class ``cls``, whose items are known."""

    items: tuple[Spec, ...]
    cls: type = tuple

    def __str__(self) -> str:
        name = "" if self.cls is tuple else self.cls.__name__
        return f"{name}({', '.join(map(str, self.items))})"


@dataclass(frozen=True, slots=True)
class ListSpec:
    """A list whose items all have the spec ``element``; ``None`` while it is empty."""

    element: Spec | None
    length: Dim = None

    def __str__(self) -> str:
        return f"list[{self.element or ''}]"


@dataclass(frozen=True, slots=True)
class UnionSpec:
    """One of two to four specs."""

    options: tuple[Spec, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnionSpec) and set(self.options) == set(other.options)

    def __hash__(self) -> int:
        return hash(frozenset(self.options))

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True, slots=True)
class AnySpec:
    """Any value at all, or any instance of exactly the class ``cls``."""

    cls: type | None = None

    def __str__(self) -> str:
        return "any" if self.cls is None else self.cls.__name__


Spec: TypeAlias = (
    ArraySpec
    | GenericSpec
    | DeviceSpec
    | ScalarSpec
    | LiteralSpec
    | TupleSpec
    | ListSpec
    | UnionSpec
    | AnySpec
)

NUMERIC: Final = frozenset({ArraySpec, GenericSpec, ScalarSpec, *KINDS})
"""Classes of specs of arrays and numbers, and of Python's numbers: nothing else is in what these describe."""

ANY: Final = AnySpec()
BOOL: Final = ScalarSpec("bool")
INT: Final = ScalarSpec("int")
FLOAT: Final = ScalarSpec("float")
COMPLEX: Final = ScalarSpec("complex")
NONE: Final = LiteralSpec(None)
SCALARS: Final[Mapping[type, ScalarSpec]] = {kind: ScalarSpec(name) for kind, name in KINDS.items()}
"""The specs of numbers, one object for each kind: constants are asked for theirs many times."""
STR: Final = AnySpec(str)


def spec_of(value: Any) -> Spec:
    """The narrowest spec of a Python object, or of a container in which specs stand for values.

    Example:
        >>> str(spec_of(np.zeros((2, 3)))), str(spec_of(np.float32(1))), str(spec_of((1, None)))
        ('float64[2, 3]', 'float32', '(int, None)')
    """
    if isinstance(value, Spec):
        return value
    kind: type[Any] = type(value)
    if kind in SCALARS:
        return SCALARS[kind]
    if kind is np.ndarray:
        return ArraySpec(value.shape, value.dtype)
    if isinstance(value, np.generic):
        return GenericSpec(value.dtype)
    if kind is tuple or is_namedtuple(value):
        return TupleSpec(tuple(map(spec_of, value)), kind)
    if kind is list:
        return _list_spec(value)
    if kind in (dict, set, bytearray) or isinstance(value, np.ndarray):
        return AnySpec(kind)
    if is_array(value):
        return device_spec(value)
    return LiteralSpec(value)


def device_spec(value: Any) -> DeviceSpec:
    """Return the spec of an array of JAX."""
    aval = jax_module().typeof(value)
    return DeviceSpec(value.dtype, aval.ndim, bool(getattr(aval, "weak_type", False)), tuple(aval.shape))


def _list_spec(values: list[Any]) -> Spec:
    element: Spec | None = None
    for value in values:
        element = spec_of(value) if element is None else join(element, spec_of(value))
    return ListSpec(element, len(values))


def join(left: Spec, right: Spec) -> Spec:
    """The narrowest spec that covers both.

    Example:
        >>> str(join(INT, FLOAT)), str(join(spec_of(np.zeros(2)), spec_of(np.zeros(3))))
        ('int | float', 'float64[?]')
    """
    if left == right or is_unset(right):
        return left
    if is_unset(left):
        return right
    return _union((*options_of(left), *options_of(right)))


def is_unset(spec: Spec) -> bool:
    """Return whether ``spec`` is that of a place nobody will read."""
    return isinstance(spec, LiteralSpec) and spec.value is UNSET


def _family(spec: Spec) -> Hashable:
    """Return the family of a spec: a family is joined into one spec, others stand side by side in a union."""
    match spec:
        case ArraySpec():
            return ArraySpec, GenericSpec(spec.dtype), len(spec.shape)
        case TupleSpec():
            return TupleSpec, spec.cls, len(spec.items)
        case ListSpec():
            return ListSpec
        case _:
            return spec


def _join_alike(left: Spec, right: Spec) -> Spec:
    """Join two specs of one family."""
    match left, right:
        case ArraySpec(), ArraySpec():
            dims = (a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
            return ArraySpec(tuple(dims), left.dtype)
        case TupleSpec(), TupleSpec():
            return TupleSpec(tuple(map(join, left.items, right.items)), left.cls)
        case ListSpec(), ListSpec():
            length = left.length if left.length == right.length else None
            return ListSpec(join_elements(left.element, right.element), length)
        case _:
            return left


def join_elements(left: Spec | None, right: Spec | None) -> Spec | None:
    """Join the element specs of two lists, of which either may be empty."""
    if left is None or right is None:
        return left or right
    return join(left, right)


def options_of(spec: Spec) -> tuple[Spec, ...]:
    """Return the alternatives of a union; any other spec is its own alternative."""
    return spec.options if isinstance(spec, UnionSpec) else (spec,)


def _union(options: Sequence[Spec]) -> Spec:
    merged: dict[Hashable, Spec] = {}
    for option in options:
        family = _family(option)
        merged[family] = _join_alike(merged[family], option) if family in merged else option
    wide = {option.cls for option in merged.values() if isinstance(option, AnySpec)}
    if None in wide:
        return ANY
    kept = [one for one in merged.values() if isinstance(one, AnySpec) or class_of(one) not in wide]
    if len(kept) == 1:
        return kept[0]
    if len(kept) > MOST_OPTIONS:
        classes = {class_of(option) for option in kept}
        return AnySpec(classes.pop() if len(classes) == 1 else None)
    return UnionSpec(tuple(kept))


def covers(wide: Spec, narrow: Spec) -> bool:
    """Return whether every value that ``narrow`` describes is described by ``wide``."""
    return join(wide, narrow) == wide


def class_of(spec: Spec) -> type | None:
    """The exact class of the values that ``spec`` describes, where there is only one."""
    match spec:
        case ArraySpec():
            return np.ndarray
        case GenericSpec():
            return spec.dtype.type
        case ScalarSpec():
            return PYTHON_TYPES[spec.kind]
        case LiteralSpec():
            return type(spec.value)
        case TupleSpec():
            return spec.cls
        case ListSpec():
            return list
        case AnySpec():
            return spec.cls
        case DeviceSpec():
            return None
        case UnionSpec():
            classes = {class_of(option) for option in spec.options}
            return classes.pop() if len(classes) == 1 else None


IMMUTABLE_CLASSES: Final = frozenset({str, bytes, range, slice, frozenset, type(None), Undefined, Unset})


IMMUTABLE_SPECS: Final[Mapping[type, bool]] = {
    GenericSpec: True,
    DeviceSpec: True,
    ScalarSpec: True,
    LiteralSpec: True,
    ArraySpec: False,
    ListSpec: False,
}
"""The kinds of specs of which all values, or none, can change."""


def is_immutable(spec: Spec) -> bool:
    """Return whether the values that ``spec`` describes cannot change: numbers, strings, tuples of them."""
    known = IMMUTABLE_SPECS.get(type(spec))  # passes ask this many times of each value
    if known is not None:
        return known
    match spec:
        case TupleSpec():
            return all(map(is_immutable, spec.items))
        case UnionSpec():
            return all(map(is_immutable, spec.options))
        case AnySpec():
            return spec.cls in IMMUTABLE_CLASSES
        case _:
            raise AssertionError(spec)


def rank_of(spec: ArraySpec | DeviceSpec) -> int:
    """Return the number of dimensions of an array."""
    return spec.ndim if isinstance(spec, DeviceSpec) else len(spec.shape)


def is_typed(spec: Spec) -> bool:
    """Return whether ``spec`` describes numbers or arrays of one dtype (or tuples of them)."""
    match spec:
        case ArraySpec() | GenericSpec() | ScalarSpec():
            return True
        case TupleSpec():
            return all(map(is_typed, spec.items))
        case _:
            return False
