"""Ways in which a whole call is varied: every number in it, its sizes, types, containers, what is one object.

A call is a nest of tuples, lists, dicts, arrays, numbers and instances; `rebuilt` makes the same nest with other
leaves.  `directed` gives varied calls in the order in which they find most.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.check.compare.observe import Call
from astrace.check.compare.snapshots import attributes_of
from astrace.check.inputs.argument_variants import NUMBERS, given_by_name, others
from astrace.check.inputs.numeric import (
    KINDS,
    MINED,
    Array,
    Kind,
    NumberSource,
    array_like,
    cast,
    number_like,
)
from astrace.util.trees import is_namedtuple

DTYPES: Final = ("float32", "int64", "bool", "complex128", "int32", "uint8", "float64", "float16", ">f8")
MOST_LEAVES: Final = 1000
LARGEST: Final = 100

Change = Callable[[Any], Any]


def rebuilt(value: Any, change: Change, seen: dict[int, Any] | None = None) -> Any:
    """Rebuild a nest with other leaves; shared objects stay shared.

    Args:
        value: the nest.
        change: gives a leaf for a leaf: an array, a number, a string, ``None``, a function.
        seen: the objects met so far.
    """
    seen = {} if seen is None else seen
    if id(value) in seen and not isinstance(value, (*NUMBERS, str, np.generic)):
        return seen[id(value)]
    found = _rebuilt(value, change, seen)
    seen[id(value)] = found
    return found


def _rebuilt(value: Any, change: Change, seen: dict[int, Any]) -> Any:
    kind: type[Any] = type(value)
    if kind in (list, tuple):
        return kind(rebuilt(item, change, seen) for item in value)
    if is_namedtuple(value):
        return kind._make(rebuilt(item, change, seen) for item in value)
    if kind is dict:
        return {key: rebuilt(item, change, seen) for key, item in value.items()}
    if is_leaf(value):
        return change(value)
    return _instance(value, change, seen)


def _instance(value: Any, change: Change, seen: dict[int, Any]) -> Any:
    """An instance with its attributes varied; one that can't be made so is copied."""
    made = copy.copy(value)
    seen[id(value)] = made
    for name, item in attributes_of(value):
        if is_leaf(item) and not callable(item):
            try:
                object.__setattr__(made, name, change(item))
            except (AttributeError, TypeError):
                continue
    return made


def is_leaf(value: Any) -> bool:
    """Return whether a value is varied as a whole."""
    atoms = (*NUMBERS, str, bytes, np.generic, np.ndarray, np.dtype, type(None), range, slice, type)
    return isinstance(value, atoms) or callable(value)


def leaves_of(value: Any) -> list[Any]:
    """The leaves of a nest."""
    found: list[Any] = []

    def note(leaf: Any) -> Any:
        if len(found) < MOST_LEAVES:
            found.append(leaf)
        return leaf

    rebuilt(value, note)
    return found


def with_noise(call: Call, name: str, kind: Kind, source: NumberSource) -> Call:
    """The call with every number and array in it made special in one way."""

    def change(leaf: Any) -> Any:
        if type(leaf) is bool:
            return leaf
        if isinstance(leaf, np.ndarray):
            return array_like(leaf, kind, source)
        if isinstance(leaf, (*NUMBERS, np.number, np.bool_)):
            return whole_or(leaf, kind, source)
        return leaf

    return _changed(call, change, name)


def whole_or(leaf: Any, kind: Kind, source: NumberSource) -> Any:
    """A number for a number; whole ones stay small, for they may be sizes or counts."""
    found = number_like(leaf, kind, source)
    if type(leaf) is int or isinstance(leaf, np.integer):
        return type(leaf)(abs(int(found)) % 13) if abs(int(found)) > 100 else found
    return found


def _changed(call: Call, change: Change, kind: str) -> Call:
    args, kwargs = rebuilt((call.args, dict(call.kwargs)), change)
    return Call(args, kwargs, kind)


# -- sizes -------------------------------------------------------------------------------------------------


def resized(call: Call, sizes: dict[int, int], source: NumberSource) -> Call:
    """The call with other sizes; dimensions that were equal stay equal."""

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            shape = other_shape(leaf, sizes)
            return array_like(leaf, KINDS["normal"], source, shape)
        return leaf

    return _changed(call, change, f"sizes {sizes}")


def other_shape(array: Array, sizes: Mapping[int, int]) -> tuple[int, ...]:
    """The shape of an array with some sizes replaced."""
    return tuple(sizes.get(size, size) for size in tuple[int, ...](array.shape))


def other_sizes(call: Call, source: NumberSource) -> Iterator[dict[int, int]]:
    """Sizes to try instead of those that a call has."""
    arrays = [leaf for leaf in leaves_of((call.args, dict(call.kwargs))) if isinstance(leaf, np.ndarray)]
    present = sorted({size for array in arrays for size in array.shape})
    if not present:
        return
    yield {size: size + 2 for size in present}
    yield dict.fromkeys(present, 1)
    yield dict.fromkeys(present, 0)
    if max(present) <= LARGEST:
        yield {size: 2 * size + 1 for size in present}
    if len(present) > 1:
        yield from ({size: size + 1} for size in present)
    yield from (dict.fromkeys(present, size) for size in source.mined.sizes)


# -- types -------------------------------------------------------------------------------------------------


def with_dtype(call: Call, dtype: np.dtype[Any]) -> Call:
    """The call with every array of numbers in another dtype."""

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "biufc":
            items = np.real(leaf).astype(float)
            return cast(items * 3 if dtype.kind in "iu" else items, dtype)
        return leaf

    return _changed(call, change, f"dtype {dtype}")


def with_rank(call: Call, step: int) -> Call:
    """The call with arrays of one dimension more or less; a subclass may not take others than it has."""

    def change(leaf: Any) -> Any:
        if type(leaf) is not np.ndarray:
            return leaf
        if step > 0:
            return np.stack([leaf, leaf + leaf.dtype.type(1)]) if leaf.dtype.kind in "iufc" else leaf[None]
        return leaf[0] if leaf.ndim > 1 and len(leaf) else leaf

    return _changed(call, change, "rank")


def with_layout(call: Call, layout: Callable[[Array], Array]) -> Call:
    """The call with arrays that lie otherwise in memory."""
    return _changed(call, lambda leaf: layout(leaf) if isinstance(leaf, np.ndarray) else leaf, "layout")


def _strided(array: Array) -> Array:
    if not array.ndim or not array.size:
        return array
    return np.repeat(array, 2, axis=-1)[..., ::2]


def _reversed(array: Array) -> Array:
    return array[::-1].copy()[::-1] if array.ndim else array


def _read_only(array: Array) -> Array:
    found = array.copy()
    found.flags.writeable = False
    return found


LAYOUTS: Final = (_strided, _reversed, np.asfortranarray, _read_only)


# -- Python arguments --------------------------------------------------------------------------------------


def other_arguments(call: Call, source: NumberSource) -> Iterator[Call]:
    """The call with one argument, or one item or attribute of it, replaced."""
    arrays = [leaf for leaf in leaves_of((call.args, dict(call.kwargs))) if isinstance(leaf, np.ndarray)]
    for index, value in enumerate(call.args):
        for other in _others_in(value, source, arrays):
            args = (*call.args[:index], other, *call.args[index + 1 :])
            yield Call(args, call.kwargs, f"argument {index + 1} replaced")
    for name, value in call.kwargs.items():
        for other in _others_in(value, source, arrays):
            yield Call(call.args, {**call.kwargs, name: other}, f"argument {name} replaced")


def _others_in(value: Any, source: NumberSource, arrays: Sequence[Array]) -> Iterator[Any]:
    """Yield values to try in place of a value, and the value with one of its parts replaced."""
    yield from others(value, source, arrays)
    inner = [leaf for leaf in leaves_of(value) if not isinstance(leaf, np.ndarray)]
    if is_leaf(value):
        return
    for index, leaf in enumerate(inner[:8]):
        for other in others(leaf, source, arrays)[:2]:
            yield _with_leaf(value, index, other)


def _with_leaf(value: Any, index: int, other: Any) -> Any:
    """A nest with one of its leaves that are no arrays replaced."""
    count = itertools.count()

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            return leaf
        return other if next(count) == index else leaf

    return rebuilt(value, change)


def with_more(call: Call, signature: inspect.Signature, source: NumberSource) -> Iterator[Call]:
    """The call with parameters given that it left out: those with defaults, items of ``*args``, names of ``**kwargs``."""
    try:
        bound = signature.bind(*call.args, **call.kwargs).arguments
    except TypeError:
        return
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL and bound.get(name):
            yield Call((*call.args, copy.copy(call.args[-1])), call.kwargs, "one argument more")
            yield Call(call.args[:-1], call.kwargs, "one argument less")
        elif parameter.kind is parameter.VAR_KEYWORD:
            yield from _with_names(call, signature, source)
        elif name not in bound and parameter.default is not parameter.empty:
            for other in others(parameter.default, source, ())[:3]:
                yield Call(call.args, {**call.kwargs, name: other}, f"argument {name} given")


def _with_names(call: Call, signature: inspect.Signature, source: NumberSource) -> Iterator[Call]:
    """The call with names given that only ``**kwargs`` takes, those of the function's own code first."""
    own = [name for name in source.mined.strings if name.isidentifier()]
    names = [name for name in (*own, "another") if name not in signature.parameters]
    for name, value in given_by_name([one for one in names if one not in call.kwargs]):
        yield Call(call.args, {**call.kwargs, name: value}, f"argument {name} given")


# -- aliasing ----------------------------------------------------------------------------------------------


def aliased(call: Call) -> Iterator[Call]:
    """The call with one array given twice, and with arrays that overlap."""
    places = [index for index, value in enumerate(call.args) if isinstance(value, np.ndarray)]
    for one, two in itertools.combinations(places, 2):
        left, right = call.args[one], call.args[two]
        if left.shape == right.shape and left.dtype == right.dtype:
            args = list(call.args)
            args[two] = args[one]
            yield Call(tuple(args), call.kwargs, "the same array twice")
            if left.ndim and len(left) > 1:
                base = np.concatenate([left, right[:1]])
                args[one], args[two] = base[:-1], base[1:]
                yield Call(tuple(args), call.kwargs, "overlapping arrays")


# -- all of them -------------------------------------------------------------------------------------------


def directed(
    examples: Sequence[Call], source: NumberSource, signature: inspect.Signature | None = None
) -> Iterator[Call]:
    """Varied calls: the examples themselves, then what finds most, without an end to speak of.

    Args:
        examples: calls that are known to make sense.
        source: where noise comes from.
        signature: of the function, for the parameters that the examples leave to their defaults.
    """
    yield from examples
    ways = [_interleaved(_ways(example, source, signature)) for example in examples]
    yield from _interleaved(ways)


def cheapest_first(calls: Iterable[Call], examples: Sequence[Call]) -> list[Call]:
    """Order calls for a compiler that compiles anew for each kind of arguments: those of an example's kinds first.

    Args:
        calls: the calls.
        examples: calls for which it has compiled.
    """
    known = {_kinds(example) for example in examples}
    return sorted(calls, key=lambda call: _kinds(call) not in known)


def _kinds(call: Call) -> str:
    """The kinds of a call's arguments, as compilers tell them apart."""
    return ", ".join(map(_kind, leaves_of((call.args, dict(call.kwargs)))))


def _kind(leaf: Any) -> str:
    if not isinstance(leaf, np.ndarray):
        return type(leaf).__name__
    return f"{leaf.dtype.str}{leaf.shape}{leaf.flags.c_contiguous}{leaf.flags.writeable}"


def _ways(example: Call, source: NumberSource, signature: inspect.Signature | None) -> list[Iterator[Call]]:
    """Streams of varied calls of one example, of which one is taken from each in turn."""
    dtypes = (np.dtype(name) for name in DTYPES)
    layouts = (with_layout(example, layout) for layout in LAYOUTS)
    return [
        _noisy(example, source, KINDS),
        _noisy(example, source, MINED if source.mined.numbers else KINDS),
        other_arguments(example, source),
        (resized(example, sizes, source) for sizes in other_sizes(example, source)),
        (with_dtype(example, dtype) for dtype in dtypes),
        with_more(example, signature, source) if signature is not None else iter(()),
        itertools.chain(aliased(example), (with_rank(example, step) for step in (1, -1)), layouts),
    ]


def _noisy(example: Call, source: NumberSource, kinds: Mapping[str, Kind]) -> Iterator[Call]:
    """Yield the call with one kind of noise after the other, again and again."""
    for index in itertools.count():
        for name, kind in kinds.items():
            yield with_noise(example, name, kind, replace(source, index=index))


def _interleaved(streams: Sequence[Iterator[Call]]) -> Iterator[Call]:
    """Yield one item of each stream in turn, until all have ended."""
    pending = list(streams)
    while pending:
        for stream in list(pending):
            found = next(stream, None)
            if found is None:
                pending.remove(stream)
            else:
                yield found
