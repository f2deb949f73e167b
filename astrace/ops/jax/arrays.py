"""Arrays of JAX in a graph: what is known of results, asked of JAX itself.

The spec of a result is what
``jax.eval_shape`` gives for the example's shapes; of the shapes only the number of dimensions is kept.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from astrace.ir.jax_arrays import is_array, jax_module
from astrace.ir.specs import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMERIC,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    spec_of,
)
from astrace.ops.registry import Op
from astrace.util.trees import is_namedtuple, leaves, map_tree

OPS: Final = frozenset({"device_call", "device_method", "device_update", "device_apply"})
"""Ops that run JAX's own functions."""
OF_CONTAINERS: Final = frozenset(
    {"unpack", "make_tuple", "make_namedtuple", "make_list", "make_dict", "make_set", "make_object"}
)
"""Ops that move their inputs unchanged, where JAX would make arrays."""
PYTHON_KINDS: Final[Mapping[str, Spec]] = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
HOST: Final[Mapping[str, Spec]] = {
    "len": INT,
    "dim": INT,
    "int": INT,
    "float": FLOAT,
    "complex": COMPLEX,
    "bool": BOOL,
    "not_": BOOL,
    "is_": BOOL,
    "is_not": BOOL,
}
"""Ops that give Python's numbers whatever they are given."""


def item_spec(spec: DeviceSpec) -> DeviceSpec:
    """Return the spec of an item along the first dimension."""
    return DeviceSpec(spec.dtype, spec.ndim - 1, spec.weak, spec.shape[1:])


def involved(op: Op, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether arrays of JAX take part in an op that only computes, so that JAX may be asked."""
    if op.ordered or op.name in OF_CONTAINERS:
        return False
    if op.name == "get_item" and any(isinstance(owner, TupleSpec | ListSpec) for owner in args[:1]):
        return False
    if op.name in OPS or (not kwargs and NUMERIC.issuperset(map(type, args))):
        return op.name in OPS
    return any(isinstance(leaf, DeviceSpec) for leaf in leaves((args, dict(kwargs))))


def result(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Spec | None:
    """The spec of a call with arrays of JAX.

    Args:
        name: the op's name.
        function: what the op does.
        args: the arguments, with a spec in place of each value.
        kwargs: likewise.
    """
    if name in HOST:
        return _size(args) or HOST[name] if name in ("dim", "len") else HOST[name]
    if name == "device_apply":
        return kwargs["gives"]
    tree = (args, dict(kwargs))
    if name == "device_method" and args[1:] == ("item",):
        return PYTHON_KINDS.get(getattr(args[0].dtype, "kind", ""))
    try:
        return _evaluated(function, _Key(tree))
    except TypeError:  # an argument can't be hashed
        return _ask(function, tree)


def _size(args: tuple[Any, ...]) -> Spec | None:
    """Return a size of an array of JAX, with its example value."""
    match args:
        case (DeviceSpec(shape=shape), int(axis)) if axis < len(shape):
            return ScalarSpec("int", shape[axis])
        case (DeviceSpec(shape=(first, *_)),):
            return ScalarSpec("int", first)
        case _:
            return None


class _Key:
    """Arguments as a key; of arrays the shapes count, too."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self._key = _key(tree)
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash


def _key(tree: Any) -> Any:
    kind: type[Any] = type(tree)
    if isinstance(tree, DeviceSpec):
        return (tree, tree.shape)
    if isinstance(tree, ScalarSpec):
        return (tree, tree.example)
    if kind is slice:
        return (kind, _key((tree.start, tree.stop, tree.step)))
    if isinstance(tree, dict):
        return (kind, tuple((key, _key(item)) for key, item in tree.items()))
    if isinstance(tree, tuple | list):
        return (kind, tuple(map(_key, tree)))
    if isinstance(tree, TupleSpec):
        return (kind, tree.cls, tuple(map(_key, tree.items)))
    return (kind, repr(tree) if isinstance(tree, float | complex | np.generic) else tree)


@lru_cache(maxsize=4096)
def _evaluated(function: Callable[..., Any], key: _Key) -> Spec | None:
    return _ask(function, key.tree)


def _ask(function: Callable[..., Any], tree: Any) -> Spec | None:
    """Ask JAX, with Python's numbers as computed values; if it needs to know them, with the numbers themselves."""
    for known in (False, True):
        with contextlib.suppress(Exception):
            found = _spec_of_result(_abstractly(function, tree, known))
            return None if _follows_sizes(function, tree, known, found) else found
    return None


def _follows_sizes(function: Callable[..., Any], tree: Any, known: bool, found: Spec | None) -> bool:
    """Return whether the number or kind of results follows from sizes, as with ``jnp.unstack`` and ``jnp.squeeze``."""

    def other(leaf: Any) -> Any:
        if not isinstance(leaf, DeviceSpec):
            return leaf
        several = isinstance(found, TupleSpec | ListSpec)
        shape = tuple(size + 1 if several else 1 for size in leaf.shape)
        return DeviceSpec(leaf.dtype, leaf.ndim, leaf.weak, shape)

    with contextlib.suppress(Exception):
        return _spec_of_result(_abstractly(function, map_tree(other, tree), known)) != found
    return False


class NotAbstract(Exception):
    """An argument of which too little is known."""


def _abstractly(function: Callable[..., Any], tree: Any, known: bool) -> Any:
    given: list[Any] = []

    def stand_in(leaf: Any) -> Any:
        abstract = _abstract(leaf, known)
        if abstract is None:
            return _as_value(leaf)
        given.append(abstract)
        return _Place(len(given) - 1)

    filled = map_tree(stand_in, _opened(tree))

    def run(*values: Any) -> Any:
        args, kwargs = map_tree(lambda leaf: values[leaf.index] if isinstance(leaf, _Place) else leaf, filled)
        return _Held(function(*args, **kwargs))

    held: list[Any] = []

    def arrays(*values: Any) -> Any:
        found = run(*values)
        held.append(found.value)
        return [leaf for leaf in leaves(found.value) if is_array(leaf)]

    shapes = iter(jax_module().eval_shape(arrays, *given))
    return map_tree(lambda leaf: next(shapes) if is_array(leaf) else leaf, held[-1])


SAMPLES: Final = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


def _as_value(leaf: Any) -> Any:
    """Return a leaf as a function of JAX is given it: a constant itself, a sample of a number."""
    match leaf:
        case LiteralSpec():
            return leaf.value
        case ScalarSpec():
            return SAMPLES[leaf.kind] if leaf.example is None else leaf.example
        case _:
            return leaf


class _Place:
    """The place of an abstract argument."""

    def __init__(self, index: int) -> None:
        self.index = index


class _Held:
    """The result of a function that only JAX can infer."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _opened(tree: Any) -> Any:
    """Turn tuples that are known item by item into tuples of their items' specs."""

    def opened(leaf: Any) -> Any:
        if isinstance(leaf, TupleSpec):
            items = tuple(map_tree(opened, item) for item in leaf.items)
            return items if leaf.cls is tuple else leaf.cls._make(items)  # type: ignore[attr-defined]
        if isinstance(leaf, ListSpec) and leaf.element is not None:
            count = leaf.length if isinstance(leaf.length, int) else 2  # any number shows what comes out
            return [map_tree(opened, leaf.element) for _ in range(count)]
        return leaf

    return map_tree(opened, tree)


def _abstract(leaf: Any, known: bool) -> Any:
    """Return the stand-in for an argument while JAX evaluates abstractly, or ``None`` for one that stands for itself.

    Raises:
        NotAbstract: too little is known of it.
    """
    jax = jax_module()
    match leaf:
        case DeviceSpec():
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, weak_type=leaf.weak)
        case ArraySpec():
            return jax.ShapeDtypeStruct((1,) * len(leaf.shape), leaf.dtype)
        case GenericSpec():
            return jax.ShapeDtypeStruct((), leaf.dtype)
        case ScalarSpec() if not known:
            dtype = jax.numpy.result_type(type(SAMPLES[leaf.kind]))
            return jax.ShapeDtypeStruct((), dtype, weak_type=True)
        case ScalarSpec() | LiteralSpec():
            return None
        case _ if isinstance(leaf, Spec):
            raise NotAbstract
        case _:
            return None


def _spec_of_result(value: Any) -> Spec | None:
    jax = jax_module()
    if isinstance(value, jax.ShapeDtypeStruct):
        return DeviceSpec(value.dtype, len(value.shape), bool(value.weak_type), tuple(value.shape))
    if type(value) is tuple or is_namedtuple(value):
        items = [_spec_of_result(item) for item in value]
        return None if None in items else TupleSpec(tuple(filter(None, items)), type(value))
    if type(value) is list:
        items = [_spec_of_result(item) for item in value]
        alike = items and all(item == items[0] for item in items)
        if alike or None in items:
            return ListSpec(items[0], len(items)) if alike else None
        return TupleSpec(tuple(filter(None, items)), list)
    if isinstance(value, bool | int | float | complex | str | type(None) | np.dtype | types.FunctionType):
        return spec_of(value)
    return None


def joined_with_numbers(spec: Spec) -> bool:
    """Return whether a value is an array of JAX on some ways and a number on others; JAX makes it an array on all."""
    if not isinstance(spec, UnionSpec):
        return isinstance(spec, DeviceSpec)
    kinds = ScalarSpec | GenericSpec | DeviceSpec | ArraySpec
    arrays = any(isinstance(option, DeviceSpec) for option in spec.options)
    return arrays and all(isinstance(option, kinds) for option in spec.options)


def is_promoted(spec: Spec, union: UnionSpec) -> bool:
    """Return whether a value has the type that JAX gives to the whole union when it carries the alternatives as one.

    Args:
        spec: what is known of the value.
        union: all alternatives of the value.
    """
    if not isinstance(spec, DeviceSpec):
        return False
    whole = together(union)
    return (spec.dtype, spec.weak, spec.ndim) == (whole.dtype, whole.weak_type, len(whole.shape))


def together(union: UnionSpec) -> Any:
    """Return the promoted dtype, by JAX's rules, and the shape of all alternatives of a value.

    Args:
        union: numbers, and arrays of JAX.
    """
    arrays = [option for option in union.options if isinstance(option, DeviceSpec)]
    kinds = [_kind(option) for option in union.options]
    weak = all(isinstance(kind, bool | int | float | complex) for kind in kinds)
    jax = jax_module()
    shape = max((one.shape for one in arrays), key=len)
    return jax.ShapeDtypeStruct(shape, jax.numpy.result_type(*kinds), weak_type=weak)


def common_dtype(spec: UnionSpec) -> np.dtype[Any] | None:
    """Return the dtype in which JAX carries the numbers of a union; ``None`` if that is known only when JAX traces."""
    arrays = [option for option in spec.options if isinstance(option, DeviceSpec)]
    if not joined_with_numbers(spec) or any(
        one.ndim or not isinstance(one.dtype, np.dtype) for one in arrays
    ):
        return None
    whole = together(spec)
    known = any(one.dtype == whole.dtype for one in arrays)
    return whole.dtype if known and not whole.weak_type else None


def _kind(spec: Any) -> Any:
    """Return the type that promotion goes by: a Python number for a weakly typed value, else the dtype."""
    if isinstance(spec, ScalarSpec):
        return SAMPLES[spec.kind]
    weak = isinstance(spec, DeviceSpec) and spec.weak and isinstance(spec.dtype, np.dtype)
    return spec.dtype.type(0).item() if weak else spec.dtype
