"""Forms of values in a program: the variables that hold a value, and what is known of its identity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import NO_ATTRS
from astrace.ir.constants import same
from astrace.ir.specs import ArraySpec, Dim, GenericSpec, ScalarSpec, Spec, UnionSpec
from astrace.ir.trees import laid_out
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.functional.dtypes import PYTHON_DTYPES
from astrace.passes.functional.program import Atom, Lit, identity
from astrace.util.trees import Tree

PLAIN: Final = frozenset(PYTHON_DTYPES.values())
"""The dtypes that Python's own numbers have in programs."""
Place: TypeAlias = tuple[np.dtype[Any], int]
"""The dtype and rank of one variable."""


@dataclass(frozen=True, slots=True)
class Number:
    """A Python number or a NumPy scalar.

    Args:
        atom: the variable or constant that holds it.
        spec: its spec.
        bounds: its bounds, if it is an integer.
        inputs: the inputs that decide it, if they do so by arithmetic on integers alone.
        most: a named size and a difference: the number is no larger than their sum.
        exact: the number is their sum.
    """

    atom: Atom
    spec: ScalarSpec | GenericSpec
    bounds: tuple[int, int] = FULL
    inputs: frozenset[int] | None = None
    most: tuple[str, int] | None = None
    exact: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype it is computed in."""
        return PYTHON_DTYPES[self.spec.kind] if isinstance(self.spec, ScalarSpec) else self.spec.dtype

    @property
    def rank(self) -> int:
        """Zero, as of an array without dimensions."""
        return 0


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRoot:
    """An array object of the program: an argument, or one that an op makes.

    Args:
        argument: the number of the input that it is.
        packed: its items certainly lie in C order without gaps.
        may_be: other roots that may be the same object.
        family: roots that have this in common are different objects.
    """

    argument: int | None = None
    packed: bool = False
    may_be: frozenset[ArrayRoot] = field(default_factory=frozenset["ArrayRoot"])
    family: object = None

    def may_share(self, other: ArrayRoot) -> bool:
        """Return whether this and another root may be the same object."""
        if self is other:
            return True
        if self.family is not None and self.family is other.family:
            return False
        return other in self.may_be or self in other.may_be or bool(self.may_be & other.may_be)


@dataclass(frozen=True, slots=True)
class Which:
    """The identity of an array.

    Args:
        number: its place among ``objects``; another number if it is none of them.
        objects: the objects that ``number`` counts.
        possible: the objects that it may be.
        is_one: it is certainly one of ``objects``.
    """

    number: Atom
    objects: tuple[ArrayRoot, ...]
    possible: frozenset[ArrayRoot]
    is_one: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """One step from an array to a part of it that shares its memory.

    Args:
        kind: ``item``, or a key of ``UNDO``, which tells how a part is put back: see ``views``.
        op: the op that makes the part.
        args: its operands behind the array itself.
        attrs: the attributes that lay the array and ``args`` out as its arguments.
        rank: the number of dimensions of the part.
        key: the parts of the key.
        owner: the array that the key was for, if it is known.
        options: for the kind ``either``, two sequences of views; the argument is the test that chooses one.
    """

    kind: str
    op: str
    args: tuple[Atom, ...]
    attrs: Mapping[str, Any]
    rank: int
    key: tuple[Any, ...] = field(default=(), compare=False)
    owner: Array | None = field(default=None, compare=False)
    options: tuple[tuple[View, ...], ...] = ()


def view_of(
    kind: str, op: str, args: Sequence[Tree], rank: int, named: Mapping[str, Tree] = NO_ATTRS
) -> View:
    """Return a view by an op whose first argument is the array.

    Args:
        kind: the kind of the view, which tells how a part is put back.
        op: the op.
        args: its arguments behind the array: atoms, and containers of them.
        rank: the number of dimensions of the part.
        named: arguments that are passed by name.
    """
    (_, *atoms), attrs = laid_out((Lit(None), *args), named)
    return View(kind, op, tuple(atoms), attrs, rank)


UNDO: Final = {
    "T": "T",
    "mT": "mT",
    "reshape": "reshape_back",
    "real": "real_back",
    "imag": "imag_back",
    "swapaxes": "swapaxes_back",
    "window": "window_back",
    "front": "front_back",
}
"""The ops that put a part back, by kind of view; their operands are the part, the whole, and the view's own arguments."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The length of an axis that depends on data: its first items count, those behind them are anything.

    Args:
        length: the number of items that count.
        capacity: the size of the variable along the axis, if it is known.
    """

    length: Atom
    capacity: Dim


@dataclass(frozen=True, slots=True)
class Array:
    """An array: a root, and the views that lead from there.

    Args:
        root: the object whose memory it shares.
        path: the views, outermost first.
        spec: its spec.
        atom: the variable that held it when it was made.
        version: the variable that held the root at that time.
        extents: for each axis its extent, if its length depends on data; empty if no axis has one.
    """

    root: ArrayRoot
    path: tuple[View, ...]
    spec: ArraySpec
    atom: Atom
    version: Atom
    extents: tuple[Extent | None, ...] = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its items."""
        return self.spec.dtype

    @property
    def rank(self) -> int:
        """The number of its dimensions."""
        return len(self.spec.shape)


@dataclass(frozen=True, slots=True)
class Device:
    """A result of the array library in a program of device arrays: an array, or a tree of them.

    Args:
        atom: the variable that holds it.
        spec: its spec.
        kept: the condition that it has the type that Python would give it; ``None`` if it certainly has.  If it has
            not, an array has been made of a number, or an array converted, to carry it together with others.
    """

    atom: Atom
    spec: Spec
    kept: Atom | None = None


@dataclass(frozen=True, slots=True)
class Static:
    """A Python object that is the same at every call."""

    value: Any


@dataclass(frozen=True, slots=True)
class GivenText(Static):
    """A constant that is an argument, so that each call has its own object for it.

    Args:
        index: the number of the input.
    """

    index: int


@dataclass(frozen=True, slots=True)
class Given:
    """An argument that is only returned.

    Args:
        index: the number of the input.
        spec: its spec.
    """

    index: int
    spec: Spec


@dataclass(frozen=True, slots=True)
class ChosenForm:
    """A tuple that is returned: one of some known objects, or a new one.

    Args:
        number: 0 for a new one, else one more than the place of the known object.
        made: the items of a new one.
        given: the known objects.
    """

    number: Atom
    made: Items
    given: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, or a list that nothing changes."""

    items: tuple[Form, ...]
    cls: type = tuple


@dataclass(frozen=True, slots=True, eq=False)
class MadeForm:
    """A dict, or an instance of a class, that is made behind the program and never changed.

    Args:
        cls: its class.
        names: its keys, or the names of its attributes.
        items: the items under them.
    """

    cls: type
    names: tuple[Any, ...]
    items: tuple[Form, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """A list that changes: see ``lists``.

    Args:
        length: the root whose version is the number of items.
        columns: roots whose versions hold the parts of all items, one variable for each part.
        element: the spec of an item.
    """

    length: ArrayRoot
    columns: tuple[ArrayRoot, ...]
    element: Spec


@dataclass(frozen=True, slots=True)
class Rows:
    """A list: some items, and the rows of an array that a loop has stacked.

    Args:
        atom: the array.
        spec: the spec of a row.
        before: the items in front.
    """

    atom: Atom
    spec: Spec
    before: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """One of a few forms, by the number ``tag``."""

    tag: Atom
    options: tuple[Form, ...]
    spec: UnionSpec


def same_form(left: Form, right: Form) -> bool:
    """Return whether two forms are the same value; for arrays, the same object."""
    match left, right:
        case Number(), Number():
            return left.spec == right.spec and identity(left.atom) == identity(right.atom)
        case Array(), Array():
            return left.root is right.root and left.path == right.path
        case Device(), Device():
            return identity(left.atom) == identity(right.atom)
        case (GivenText() | Given(), _) | (_, GivenText() | Given()):
            return left == right
        case Static(), Static():
            return same(left.value, right.value)
        case Items(), Items():
            alike = left.cls is right.cls and len(left.items) == len(right.items)
            return alike and all(map(same_form, left.items, right.items))
        case Stack(), Stack():
            return left is right
        case Either(), Either():
            alike = left.spec == right.spec and identity(left.tag) == identity(right.tag)
            return alike and all(map(same_form, left.options, right.options))
        case _:
            return False


def leaves(form: Form) -> Iterator[Form]:
    """Yield the forms that a form is made of, which are no containers and no choices."""
    match form:
        case Items() | MadeForm():
            parts = form.items
        case Either():
            parts = form.options
        case ChosenForm():
            parts = (form.made,)
        case _:
            yield form
            return
    for part in parts:
        yield from leaves(part)


def roots_of(form: Form) -> list[ArrayRoot]:
    """Return the array objects in a form, those that hold the items of lists aside."""
    return [one.root for one in leaves(form) if isinstance(one, Array)]


def columns_in(form: Form) -> list[ArrayRoot]:
    """Return the array objects that hold the items of lists in a form."""
    return [column for one in leaves(form) if isinstance(one, Stack) for column in one.columns]


Form: TypeAlias = (
    Number | Array | Device | Static | Given | ChosenForm | Items | MadeForm | Rows | Stack | Either
)
