"""The stores that may be moved, the places into which they go, and what is known of the last store into each.

Knows single nodes, values and their specs; nothing of branches and loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.constants import same
from astrace.ir.specs import (
    ANY,
    PYTHON_TYPES,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ScalarSpec,
    Spec,
    UnionSpec,
)
from astrace.locations import Location
from astrace.util.trees import Hole

STORES: Final = frozenset({"set_attr", "set_item"})
EXTEND: Final = "extend"
"""The method that stores what a list is to be longer by."""
STORED: Final = ArraySpec | GenericSpec | ScalarSpec | UnionSpec
NEVER: Final = Constant(False)
ALWAYS: Final = Constant(True)


Place: TypeAlias = tuple[Value | int, str, str]
"""An owner, or the ``id`` of one that is known, the op that stores, and the name of the attribute or the key."""


@dataclass(frozen=True, slots=True)
class NamedStore:
    """A store into an attribute, or into an entry of a dict, whose name is known, or what is appended to a list.

    Args:
        op: how it is stored.
        owner: the object, the dict or the list.
        name: of the attribute, or the key; none of a list.
        value: what is stored.
        location: the user's line.
    """

    op: str
    owner: Operand
    name: str
    value: Operand
    location: Location | None

    @property
    def place(self) -> Place:
        """The place: owners that are one value, or one object that is known, are the same."""
        owner = self.owner
        return id(owner.value) if isinstance(owner, Constant) else owner, self.op, self.name


@dataclass(frozen=True, slots=True)
class LastStore:
    """The last store into a place.

    Args:
        store: a store into the place, if not the last one.
        value: what is stored last.
        stored: whether anything is.
    """

    store: NamedStore
    value: Operand
    stored: Operand

    @property
    def behind(self) -> Node:
        """The node that stores it."""
        owner, value = self.store.owner, self.value
        if self.stored is ALWAYS:
            return self._node(owner, value)
        names: dict[Operand, Operand] = {
            one: Value(one.spec, one.name) for one in (owner, value) if isinstance(one, Value)
        }
        inputs = tuple(one for one in names.values() if isinstance(one, Value))
        node = self._node(names.get(owner, owner), names.get(value, value))
        regions = Block(inputs, (node,), ()), Block(inputs, (), ())
        return Node("cond", (self.stored, *names), (), {}, regions, self.store.location)

    def _node(self, owner: Operand, value: Operand) -> Node:
        store = self.store
        if store.op == EXTEND:
            inputs = owner, Constant(EXTEND), value
            return Node("call_method", inputs, (Value(ANY),), location=store.location)
        return Node(store.op, (owner, Constant(store.name), value), (), location=store.location)


Stores: TypeAlias = dict[Place, LastStore]


class NotDeferred(Exception):
    """A store has to stay where it is.

    Args:
        place: into which it stores; ``None`` for one of a list.
    """

    def __init__(self, place: Place | None) -> None:
        super().__init__(place)
        self.place = place


def store_of(node: Node) -> NamedStore | None:
    """Return what a node stores into an attribute or an entry of a dict, if it does and may be moved.

    Args:
        node: any node.
    """
    if node.op not in STORES or node.raises:
        return None
    owner, name, value = _operands(node)
    is_owner = isinstance(owner, Constant) or isinstance(owner.spec, AnySpec)
    if not is_owner or not isinstance(name, Constant) or type(name.value) is not str:
        return None
    if not isinstance(value, Constant) and not isinstance(value.spec, STORED):
        return None
    return NamedStore(node.op, owner, name.value, value, node.location)


def appended_by(node: Node) -> NamedStore | None:
    """Return what a node appends to a list from outside, if it does and may be moved.

    Args:
        node: any node.
    """
    if node.op != "call_method" or node.raises:
        return None
    operands = _operands(node)
    if len(operands) != len(("list", "append", "value")):
        return None
    owner, name, value = operands
    if not isinstance(name, Constant) or name.value != "append" or owner.spec != AnySpec(list):
        return None
    return None if isinstance(value.spec, AnySpec) else NamedStore(EXTEND, owner, "", value, node.location)


def _operands(node: Node) -> Sequence[Operand]:
    """Return what a node is given by position; a part that is computed from several operands counts as unknown."""
    pattern = node.attrs.get("pattern")
    if pattern is None:
        return node.inputs
    parts: Sequence[Any] = () if pattern.kwargs else pattern.args
    return [node.inputs[one.index] if isinstance(one, Hole) else Constant(one) for one in parts]


def is_deferrable(node: Node) -> bool:
    """Return whether a node stores into an attribute or an entry of a dict, or appends to a list from outside, and may be moved.

    Args:
        node: any node.
    """
    return store_of(node) is not None or appended_by(node) is not None


def is_same(one: Operand, other: Operand) -> bool:
    """Return whether two operands are the same value."""
    if isinstance(one, Constant) and isinstance(other, Constant):
        return same(one.value, other.value)
    return one is other


def zero(spec: Spec) -> Operand | None:
    """Return a number of a spec, for where nothing was stored; ``None`` for a spec of which there is none at hand."""
    match spec:
        case ScalarSpec():
            return Constant(PYTHON_TYPES[spec.kind]())
        case GenericSpec():
            return Constant(spec.dtype.type())
        case _:
            return None
