"""Rules of items, tuples and attributes."""

from __future__ import annotations

from typing import Any, Final

from astrace.backends.jax.lower.functions.views import attribute_view
from astrace.backends.jax.lower.rule import Rule, array_of, constant_of, needed
from astrace.ir.block import Constant, Node
from astrace.ir.specs import INT, GenericSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.functional.dtypes import INT as INT_DTYPE
from astrace.passes.functional.forms import Array, ChosenForm, Form, Items, MadeForm, Number, Stack, Static
from astrace.passes.functional.indexing import dynamic_slices, items
from astrace.passes.functional.layout import lists
from astrace.passes.functional.operands import made
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import integer, size


def _get_item(state: Lowering, node: Node, owner: Any, key: Any) -> Any:
    if isinstance(owner, Array):
        return dynamic_slices.get_item(state, owner, key, node.output.spec)
    if isinstance(owner, Stack):
        return lists.item_of(state, owner, key)
    if isinstance(owner, tuple | list):
        owner = Items(tuple(map(state.given, owner)))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(key, Number) and isinstance(key.atom, Constant):
        key = key.atom.value
    if isinstance(owner, Items) and type(key) is int and -len(owner.items) <= key < len(owner.items):
        return owner.items[key]
    if isinstance(owner, Items) and isinstance(key, Number) and not is_host(key.atom):
        return lists.item_of(state, lists.of_items(state, owner.items), key)
    raise state.refusal("AT301", "an item of a value that is not an array")


def _set_item(state: Lowering, node: Node, owner: Any, key: Any, value: Any) -> None:
    stored = state.given(value)
    if isinstance(owner, Stack):
        lists.store_item(state, owner, key, stored)
        return
    if isinstance(stored, Items) or (isinstance(stored, Static) and isinstance(stored.value, list)):
        stored = array_of(state, stored)
    dynamic_slices.set_item(state, needed(state, Array, owner, "a store to an item"), key, stored)


def _make_tuple(state: Lowering, node: Node, *items: Any) -> Form:
    return Items(tuple(map(state.given, items)))


def _chosen(state: Lowering, node: Node, number: Any, new: Any, *given: Any) -> Form:
    """Return a tuple with a number that tells whether it is one that was given."""
    which, made, *known = map(state.given, (number, new, *given))
    if not isinstance(which, Number) or not isinstance(made, Items):
        raise state.refusal("AT302", "which of several objects comes out is decided when the program runs")
    if isinstance(which.atom, Constant):
        return made if which.atom.value < 0 else known[which.atom.value]
    return ChosenForm(state.expr("add", (which.atom, Lit(1)), INT_DTYPE), made, tuple(known))


def _make_list(state: Lowering, node: Node, *items: Any, **named: Any) -> Form:
    """Return a new list; one that nothing changes is known by its items."""
    made = tuple(map(state.given, items))
    if node.output in state.filled or (node.output in state.changed and not state.device):
        return lists.new_list(state, node.output.spec, made, filled=node.output in state.filled)
    return Items(made, list)


def _slice(state: Lowering, node: Node, *bounds: Any) -> Form:
    """Return ``slice(a, b)``, which an index takes apart."""
    return Static(slice(*bounds))


def _append(state: Lowering, node: Node, owner: Any, item: Any) -> None:
    if not isinstance(owner, Stack):
        raise state.refusal("AT304", "`append` to a list that the function did not make")
    lists.append(state, owner, state.given(item))


def _make_namedtuple(state: Lowering, node: Node, cls: Any, *items: Any) -> Form:
    return Items(tuple(map(state.given, items)), cls)


def _make_dict(state: Lowering, node: Node, *parts: Any) -> Form:
    """Return a dict whose keys are known."""
    _of_device(state, node)
    items = {_key(state, key): state.given(item) for key, item in zip(parts[::2], parts[1::2], strict=True)}
    return MadeForm(dict, tuple(items), tuple(items.values()))


def _of_device(state: Lowering, node: Node) -> None:
    """Refuse a container outside of programs of JAX's own functions."""
    if not state.device:
        raise state.refusal("AT304", f"`{node.op}` has no counterpart in JAX")


def _key(state: Lowering, key: Any) -> Any:
    if isinstance(key, Number) and isinstance(key.atom, Constant):
        key = key.atom.value
    if not isinstance(key, str | int | bool | None):
        raise state.refusal("AT301", "a dict whose keys are not known")
    return key


def _make_object(state: Lowering, node: Node, cls: Any, names: Any, *items: Any) -> Form:
    """Return an instance of one of the user's classes."""
    _of_device(state, node)
    return MadeForm(cls, names, tuple(map(state.given, items)))


def _dim(state: Lowering, node: Node, array: Any, axis: Any) -> Form:
    along = constant_of(state, axis)
    if not isinstance(array, Array) or type(along) is not int or along >= array.rank:
        raise state.refusal("AT301", "the size of a value that is not an array")
    return size(state, array, along)


def _get_attr(state: Lowering, node: Node, owner: Any, name: Any) -> Form:
    spec = node.output.spec
    if isinstance(owner, Items) and name in getattr(owner.cls, "_fields", ()):
        return owner.items[owner.cls._fields.index(name)]  # type: ignore[attr-defined]
    if isinstance(owner, Array) and name == "size":
        return _size(state, owner)
    if isinstance(owner, Array):
        return attribute_view(state, owner, name, spec)
    if isinstance(owner, Number) and isinstance(owner.spec, GenericSpec) and name in ("real", "imag"):
        dtype = spec.dtype if isinstance(spec, GenericSpec) else owner.dtype
        return made(state, state.expr(f"xp.{name}", (owner.atom,), dtype), spec)
    raise state.refusal("AT301", f"the attribute {name} of a value that is not an array")


def _size(state: Lowering, array: Array) -> Number:
    """Write ``array.size``, which is known when JAX traces unless an axis depends on data."""
    sizes = [size(state, array, axis) for axis in range(array.rank)]
    if len(sizes) == 1:
        return sizes[0]
    known = all(is_host(one.atom) for one in sizes)
    product: Atom = Lit(1)
    for one in sizes:
        product = integer(state, "mul", product, one.atom)
    return Number(product, INT, (0, LARGEST_SIZE), frozenset() if known else None)


def _unpack(state: Lowering, node: Node, owner: Any, before: int, after: int | None = None) -> Any:
    if after is not None:
        raise state.refusal("AT301", "the rest of an unpacked array is a list")
    if isinstance(owner, Items):
        if len(owner.items) != before:
            raise state.refusal("AT304", "it always raises")
        return owner.items if before > 1 else owner.items[0]
    if not isinstance(owner, Array) or not owner.rank:
        raise state.refusal("AT301", "a value that is not an array is unpacked")
    limit = size(state, owner, 0)
    state.check(state.expr("eq", (limit.atom, Lit(before)), None))
    found = [items.item_at(state, owner, Number(Lit(index), INT, (index, index))) for index in range(before)]
    return found if before > 1 else found[0]


RULES: Final = {
    "get_item": Rule(_get_item),
    "set_item": Rule(_set_item),
    "make_tuple": Rule(_make_tuple, unions=True),
    "make_list": Rule(_make_list, unions=True),
    "chosen": Rule(_chosen, unions=True),
    "make_dict": Rule(_make_dict, unions=True),
    "make_object": Rule(_make_object, unions=True),
    "slice": Rule(_slice),
    "append": Rule(_append, unions=True),
    "make_namedtuple": Rule(_make_namedtuple, unions=True),
    "dim": Rule(_dim),
    "get_attr": Rule(_get_attr),
    "unpack": Rule(_unpack),
}
