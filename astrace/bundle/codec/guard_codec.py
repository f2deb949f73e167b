"""Access paths and guards as JSON data: where a graph's inputs are found in a call, and what a call must be like.

Only what begins at an argument is in a bundle; the world outside has no place in it.
"""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.bundle.codec.data_decoder import DataDecoder
from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codec.spec_codec import decode_spec, encode_spec
from astrace.bundle.codec.tables import ATTRIBUTES, CLASS_NAMES, DERIVED
from astrace.bundle.codes import broken, refused
from astrace.errors import BundleError
from astrace.guards.access_paths import Argument, Attribute, Derived, Item, Path, Root
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAmong,
    IsAt,
    Lacks,
    LacksAttribute,
)
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec

DEEPEST: Final = 40
HINT: Final = "pass arrays, numbers, texts, and lists, tuples and dicts of them"
OF_VALUES: Final[Mapping[str, type[Any]]] = {
    "is": Is,
    "is_among": IsAmong,
    "equals": Equals,
    "has_keys": HasKeys,
    "has_members": HasMembers,
    "lacks": Lacks,
    "contains": Contains,
}
"""Guards of one path that expect a value."""
NAMES: Final = {cls: name for name, cls in OF_VALUES.items()}


def is_name(text: Any) -> bool:
    """Return whether a text is a name as Python reads it: generated code may contain it."""
    return (
        type(text) is str
        and text.isidentifier()
        and not keyword.iskeyword(text)
        and unicodedata.normalize("NFKC", text) == text
    )


# -- paths -------------------------------------------------------------------------------------------------


def encode_path(path: Path, values: DataEncoder) -> Any:
    """The data of a path.

    Raises:
        BundleError: it begins outside the arguments, or leads into objects that can't be saved.
    """
    match path:
        case Argument():
            return ["argument", path.name]
        case Root() if is_saved(path.pinned, values):
            return ["pinned", values.encode(path.pinned), path.hint]
        case Attribute() if path.name in ATTRIBUTES:
            return ["attribute", encode_path(path.owner, values), path.name]
        case Item() if type(path) is Item:
            return ["item", encode_path(path.owner, values), values.encode(path.key)]
        case Derived() if path.name in DERIVED:
            return ["derived", encode_path(path.owner, values), path.name]
        case _:
            raise refused("AB204", f"what is read from `{path}` is no part of data", HINT, values.location)


def is_saved(pinned: Any, values: DataEncoder) -> bool:
    """Return whether an object from outside can be saved: an array, or an operator."""
    return values.is_operator(pinned) or (type(pinned) is np.ndarray and not pinned.dtype.hasobject)


def decode_path(data: Any, values: DataDecoder, parameters: frozenset[str], depth: int = 0) -> Path:
    """The path of data.

    Raises:
        BundleError: they are none of a path.
    """
    if depth > DEEPEST:
        raise broken("AB106", "an access path is too long")
    match data:
        case ["argument", str() as name] if name in parameters:
            return Argument(name)
        case ["pinned", ["array" | "operator", _] as value, str() as hint]:
            return Root(values.decode(value), hint)
        case ["attribute", owner, str() as name]:
            if name not in ATTRIBUTES:
                raise broken("AB112", f"a bundle may not use an attribute {name!r:.80}")
            return Attribute(decode_path(owner, values, parameters, depth + 1), name)
        case ["item", owner, key]:
            return Item(decode_path(owner, values, parameters, depth + 1), values.decode(key))
        case ["derived", owner, str() as name] if name in DERIVED:
            return Derived(decode_path(owner, values, parameters, depth + 1), DERIVED[name], name)
        case _:
            raise broken("AB111", "an access path is not described as paths are")


# -- guards ------------------------------------------------------------------------------------------------


def portable_guards(guards: Iterable[Guard], values: DataEncoder) -> Iterator[Guard]:
    """Guards without what they say of objects that are not saved: a loaded graph has none of those.

    Where a function changes a dict that it is given, say, a guard tells that this is not the dict of its module's globals.

    Args:
        guards: those on the arguments of a call.
        values: the data of the graph.
    """
    for guard in guards:
        match guard:
            case IsAt(together=False):
                if not any(_is_left_out(path, values) for path in (guard.path, guard.other)):
                    yield guard
            case AreApart():
                paths = tuple(path for path in guard.paths if not _is_left_out(path, values))
                if len(paths) > 1:
                    yield guard if paths == guard.paths else AreApart(paths)
            case _:
                yield guard


def _is_left_out(path: Path, values: DataEncoder) -> bool:
    return isinstance(path, Root) and not is_saved(path.pinned, values)


def encode_guard(guard: Guard, values: DataEncoder) -> Any:
    """The data of a guard.

    Raises:
        BundleError: it asks for something that can't be saved.
    """
    values.owner = f"the check `{guard}`"
    try:
        return _encoded(guard, values)
    except BundleError as error:
        raise BundleError("AB204", error.message, HINT, error.location) from None
    finally:
        values.owner = ""


def _encoded(guard: Guard, values: DataEncoder) -> Any:
    match guard:
        case HasMembers() if not all(type(one) in (int, bool) for one in guard.expected):
            what = (
                f"the check that {guard} depends on the order of a set, which other processes have otherwise"
            )
            raise refused("AB204", what, "sort the members", values.location)
        case Is() | IsAmong() | Equals() | HasKeys() | HasMembers() | Lacks() | Contains():
            return [NAMES[type(guard)], encode_path(guard.path, values), values.encode(guard.expected)]
        case HasType():
            return ["has_type", encode_path(guard.path, values), values.class_name(guard.expected)]
        case HasLength():
            return ["has_length", encode_path(guard.path, values), guard.expected]
        case LacksAttribute():
            return ["lacks_attribute", encode_path(guard.path, values), guard.expected]
        case Fits():
            return ["fits", encode_path(guard.path, values), encode_spec(guard.expected, values)]
        case IsAt():
            both = [encode_path(path, values) for path in (guard.path, guard.other)]
            return ["is_at", *both, guard.together]
        case AreApart():
            return ["are_apart", [encode_path(path, values) for path in guard.paths]]
        case _:
            raise refused("AB204", f"the check `{guard}` can't be saved", HINT, values.location)


def decode_guard(data: Any, values: DataDecoder, parameters: frozenset[str]) -> Guard:
    """The guard of data.

    Raises:
        BundleError: they are none of a guard.
    """

    def path(part: Any) -> Path:
        return decode_path(part, values, parameters)

    match data:
        case ["has_type", where, name]:
            return HasType(path(where), values.class_named(name))
        case ["has_length", where, int() as length] if type(length) is int and length >= 0:
            return HasLength(path(where), length)
        case ["lacks_attribute", where, str() as name] if is_name(name):
            return LacksAttribute(path(where), name)
        case ["fits", where, spec]:
            return Fits(path(where), _of_numbers(decode_spec(spec, values)))
        case ["is_at", where, other, bool() as together]:
            return IsAt(path(where), path(other), together)
        case ["are_apart", list() as paths] if len(paths) >= 2:
            return AreApart(tuple(map(path, paths)))
        case [str() as kind, where, expected] if kind in OF_VALUES:
            return OF_VALUES[kind](path(where), _expected(kind, values.decode(expected)))
        case _:
            raise broken("AB111", "a check of the arguments is not described as checks are")


def _of_numbers(spec: Any) -> Any:
    known = isinstance(spec, ArraySpec | GenericSpec | ScalarSpec)
    if not known and getattr(spec, "cls", None) not in CLASS_NAMES:
        raise broken("AB111", "a check of the arguments asks for a spec that checks do not have")
    return spec


def _expected(kind: str, value: Any) -> Any:
    if kind in ("is_among", "has_keys", "has_members") and type(value) is not tuple:
        raise broken("AB111", f"a check of kind {kind} expects a tuple")
    return value
