"""Rows for items, attributes, calls, containers and names: what is known of their results.

The functions stand in ``objects``; here are their rules and what passes must know of them.
"""

from __future__ import annotations

import random
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.constants import UNDEFINED, is_exception_class
from astrace.ir.specs import (
    FLOAT,
    INT,
    NONE,
    STR,
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    join,
)
from astrace.ops.jax.arrays import item_spec
from astrace.ops.lookup_errors import tell_lookup
from astrace.ops.numpy.array_items import array_item, is_integer
from astrace.ops.numpy.draws import GENERATOR, drawn, made_generator
from astrace.ops.numpy.legacy_draws import LEGACY, drawn_by_legacy
from astrace.ops.numpy.list_arrays import EMPTY
from astrace.ops.numpy.probe import probe
from astrace.ops.promised import promised
from astrace.ops.python.objects import (
    another,
    append,
    apply_device,
    call,
    call_mapping,
    call_method,
    call_spread,
    check_bound,
    check_defined,
    check_iterator,
    check_next,
    check_step,
    chosen,
    copied,
    delete_attr,
    delete_item,
    dim,
    format_value,
    get_attr,
    get_item,
    join_strings,
    make_dict,
    make_list,
    make_namedtuple,
    make_object,
    make_set,
    make_tuple,
    max_by,
    min_by,
    raise_,
    read_cell,
    read_global,
    reraise,
    set_attr,
    set_field,
    set_item,
    sorted_by,
    update_device,
)
from astrace.ops.python.random_streams import RANDOM, drawn_by_python, method_called
from astrace.ops.python.unpacking import unpack
from astrace.ops.rechecks import check_array, check_still, check_unchanged
from astrace.ops.registry import DEEP, Impossible, Op, always
from astrace.ops.rules import fixed, nothing, spec_of, unknown

Kwargs = Mapping[str, Any]


# -- items -------------------------------------------------------------------------------------------------


def _get_item_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    owner, key = spec_of(args[0]), args[1]
    match owner:
        case TupleSpec() if type(key) is int and -len(owner.items) <= key < len(owner.items):
            return owner.items[key]
        case TupleSpec() if isinstance(key, Spec) and is_integer(key) and owner.items:
            found = owner.items[0]
            for item in owner.items[1:]:
                found = join(found, item)
            return found
        case ListSpec() if is_integer(spec_of(key)):
            return owner.element
        case ListSpec() if isinstance(key, slice) or key == AnySpec(slice):
            return ListSpec(owner.element)
        case ArraySpec():
            if owner == EMPTY and is_integer(spec_of(key)):
                raise Impossible
            return array_item(owner, key)
        case AnySpec() if owner.cls in (bytes, bytearray, range, str):
            item = STR if owner.cls is str else INT
            return item if is_integer(spec_of(key)) else owner if isinstance(key, slice) else None
        case _:
            return None


ATTRIBUTES: Final[Mapping[str, Spec]] = {
    "size": INT,
    "nbytes": INT,
    "device": STR,
    "flags": AnySpec(type(np.zeros(()).flags)),
    "flat": AnySpec(np.flatiter),
    "data": AnySpec(memoryview),
}
"""Attributes of arrays and NumPy scalars that say the same of all of them."""
SAFE_ATTRIBUTES: Final = frozenset({"real", "imag", "T", "size", "nbytes"})
"""Attributes that every array and NumPy scalar has."""


def _attr_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    owner, name = spec_of(args[0]), args[1]
    if isinstance(owner, ScalarSpec) and name in ("real", "imag"):
        return FLOAT if owner.kind in ("float", "complex") else INT
    if not isinstance(owner, ArraySpec | GenericSpec):
        return None
    if name in ("real", "imag", "T", "mT"):
        return probe(get_attr, args, {})
    if name == "strides":
        return TupleSpec((INT,) * len(owner.shape if isinstance(owner, ArraySpec) else ()))
    return ATTRIBUTES.get(name)


def _array_attr_safe(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    return isinstance(spec_of(args[0]), ArraySpec | GenericSpec) and args[1] in SAFE_ATTRIBUTES


def _unpack_rule(args: tuple[Any, ...], kwargs: Kwargs) -> tuple[Spec, ...] | None:
    owner, before, after = spec_of(args[0]), kwargs["before"], kwargs.get("after")
    match owner:
        case TupleSpec() if after is None and len(owner.items) == before:
            return owner.items
        case ArraySpec() if owner.shape:
            item = array_item(owner, 0)
        case ListSpec():
            item = owner.element
        case DeviceSpec() if owner.ndim:
            item = item_spec(owner)
        case _:
            return None
    if item is None:
        return None
    rest = () if after is None else (ListSpec(item), *(item,) * after)
    return (*(item,) * before, *rest)


def _method_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """Infer methods of lists: results come out of the list, or describe it; views of a dict have their own classes.

    What a random generator draws is a number, or an array.
    """
    owner, name = spec_of(args[0]), args[1]
    if owner == GENERATOR:
        return drawn(name, args[2:], kwargs)
    if owner == LEGACY:
        return drawn_by_legacy(name, args[2:], kwargs)
    if owner == RANDOM:
        return drawn_by_python(name, args[2:], kwargs)
    if owner == AnySpec(dict):
        return AnySpec(VIEWS[name]) if name in VIEWS else None
    match name:
        case "pop" if isinstance(owner, ListSpec):
            return owner.element
        case "copy" if isinstance(owner, ListSpec):
            return ListSpec(owner.element)
        case "index" | "count" if isinstance(owner, ListSpec):
            return INT
        case "append" | "clear" | "extend" | "insert" | "remove" | "reverse" | "sort" if isinstance(
            owner, ListSpec
        ):
            return NONE
        case _:
            return None


def _call_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """A call of an exception's class, or of what makes one before ``__init__`` is called, gives one of that class.

    So does a call of what makes a random generator.
    """
    cls: Any = args[0]
    if isinstance(cls, types.BuiltinFunctionType):
        made = cls.__name__ == "__new__" and is_exception_class(cls.__self__) and isinstance(args[1], type)
        return AnySpec(args[1]) if made else None
    if is_exception_class(cls) and not issubclass(cls, GIVE_OTHERS):
        return AnySpec(cls)
    if cls is random.Random or cls is np.random.RandomState:
        return AnySpec(cls)
    method = method_called(cls, args[1:])
    return (
        made_generator(cls, args[1:], kwargs) if method is None else drawn_by_python(method, args[2:], kwargs)
    )


GIVE_OTHERS: Final = (OSError, BaseExceptionGroup)
"""Classes of exceptions that, when called, give one of a class derived from them, as the arguments say."""


def _make_list_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    element: Spec | None = kwargs.get("element")
    for arg in args:
        element = spec_of(arg) if element is None else join(element, spec_of(arg))
    return ListSpec(element)


def _sorted_by_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return ListSpec(_items(args[0]))


def _picked_by_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    element = _items(args[0])
    if not kwargs or element is None:
        return element
    return join(element, spec_of(kwargs["default"]))


def _items(items: Any) -> Spec | None:
    spec = spec_of(items)
    return spec.element if isinstance(spec, ListSpec) else None


def _make_tuple_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return TupleSpec(tuple(map(spec_of, args)))


def _make_namedtuple_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return TupleSpec(tuple(map(spec_of, args[1:])), args[0])


def _defined_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...]:
    """Infer each option of a union; the one without a value can only raise."""
    spec = spec_of(args[0])
    return () if spec == LiteralSpec(UNDEFINED) else spec


def _same_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return spec_of(args[0])


VIEWS: Final = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}


def _item_safe(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    owner, key = spec_of(args[0]), args[1]
    if isinstance(owner, TupleSpec):
        return type(key) is int and -len(owner.items) <= key < len(owner.items)
    if not isinstance(owner, ArraySpec):
        return False
    keys = key if type(key) is tuple else (key,)
    return len(keys) <= len(owner.shape) and all(
        part == slice(None) or (type(part) is int and isinstance(size, int) and -size <= part < size)
        for part, size in zip(keys, owner.shape, strict=False)
    )


def _dim_safe(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """An axis that an array of this rank has."""
    owner, axis = args
    return isinstance(owner, ArraySpec) and type(axis) is int and 0 <= axis < len(owner.shape)


def _is_array_item(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """Return whether the item is one of an array's, which holds numbers."""
    return isinstance(spec_of(args[0]), ArraySpec)


def _is_gathered(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """Return whether items are picked by an array of positions or a mask, which copies them."""
    keys = args[1] if type(args[1]) is tuple else (args[1],)
    specs = map(spec_of, keys)
    picked = any(isinstance(spec, ListSpec) or (isinstance(spec, ArraySpec) and spec.shape) for spec in specs)
    return _is_array_item(args, kwargs) and picked


def _checks_nothing(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """A place for checks, while it is not known of which arrays."""
    return len(args) < 2


ROWS: Final = (
    Op("get_item", get_item, _get_item_rule, safe=_item_safe, fresh=_is_gathered),
    Op("set_item", set_item, nothing, writes=(0,), fresh=_is_array_item, reads=0),
    Op("delete_item", delete_item, nothing, writes=(0,)),
    Op("get_attr", get_attr, _attr_rule, safe=_array_attr_safe),
    Op("set_attr", set_attr, nothing, writes=(0,), ordered=True, reads=0),
    Op("set_field", set_field, nothing, writes=(0,), reads=0),
    Op("tell_lookup", tell_lookup, nothing, writes=(0,), ordered=True, reads=0),
    Op("delete_attr", delete_attr, nothing, writes=(0,), ordered=True),
    Op("dim", dim, fixed(INT), safe=_dim_safe),
    Op("call", call, _call_rule, ordered=True, reads=0),
    Op("call_pure", call, unknown, reads=DEEP, droppable=True),
    Op("call_spread", call_spread, unknown, ordered=True, reads=0),
    Op("call_mapping", call_mapping, unknown, ordered=True, reads=0),
    Op("call_method", call_method, _method_rule, ordered=True, reads=0),
    Op("device_call", call, unknown, reads=DEEP),
    Op("device_method", call_method, unknown, reads=DEEP),
    Op("device_update", update_device, unknown, reads=DEEP),
    Op("device_apply", apply_device, unknown, reads=DEEP),
    Op("raise_", raise_, nothing, ordered=True, reads=0),
    Op("reraise", reraise, nothing, ordered=True),
    Op("copied", copied, unknown, ordered=True),
    Op("another", another, _same_rule, ordered=True, safe=always, reads=DEEP),
    Op("make_list", make_list, _make_list_rule, safe=always, creates=True, reads=0),
    Op("make_tuple", make_tuple, _make_tuple_rule, safe=always, reads=0),
    Op("make_namedtuple", make_namedtuple, _make_namedtuple_rule, safe=always, reads=0),
    Op("chosen", chosen, lambda args, kwargs: spec_of(args[1]), safe=always, reads=0),
    Op("make_dict", make_dict, fixed(AnySpec(dict)), creates=True, reads=0),
    Op("make_set", make_set, fixed(AnySpec(set)), creates=True, reads=0),
    Op("make_object", make_object, lambda args, kwargs: AnySpec(args[0]), creates=True, reads=0),
    Op("append", append, nothing, writes=(0,), reads=0),
    Op("unpack", unpack, _unpack_rule),
    Op("format_value", format_value, fixed(STR)),
    Op("join_strings", join_strings, fixed(STR)),
    Op("sorted_by", sorted_by, _sorted_by_rule, creates=True),
    Op("max_by", max_by, _picked_by_rule),
    Op("min_by", min_by, _picked_by_rule),
    Op("check_defined", check_defined, _defined_rule),
    Op("read_global", read_global, unknown),
    Op("read_cell", read_cell, unknown),
    Op("check_next", check_next, _defined_rule),
    Op("check_iterator", check_iterator, _same_rule),
    Op("check_bound", check_bound, fixed(INT)),
    Op("check_step", check_step, _same_rule),
    Op("check_unchanged", check_unchanged, nothing, ordered=True),
    Op("check_still", check_still, nothing, ordered=True, safe=always),
    Op("check_array", check_array, nothing, ordered=True, safe=_checks_nothing),
    Op("promised", promised, lambda args, kwargs: args[1] if isinstance(args[1], Spec) else None),
)


def rows() -> Iterator[Op]:
    """The rows of this module."""
    yield from ROWS
