"""Fingerprints of what operators hold: hashes by attribute, by which two that were made alike are compared later.

One is taken when an operator's constructor has run, and costs no memory for what is in arrays and long containers.  Numbers,
texts, arrays, tensors, containers, dataclasses, estimators, models and objects of the user's own classes are looked into.  Of
anything else it is the class alone: a lock, a file, a function, an object of a library.  No code of these objects is run.
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import os
import struct
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path, PurePath
from typing import Any, Final

import numpy as np

from astrace.ops.callables.operators import declared_as
from astrace.pipelines.estimators import is_estimator, is_tree, tree_parts
from astrace.pipelines.installed import is_own_class
from astrace.pipelines.torch_layers import INTERNAL
from astrace.pipelines.torch_modules import UntoldModel, is_module, is_tensor, plain_tensor, shape_of
from astrace.util.array_memory import without_padding

DEEPEST: Final = 60
"""The depth to which is looked."""
MOST_OBJECTS: Final = 50_000
"""Objects that are looked at; long containers of plain values count as one."""
MOST_BYTES: Final = 2**30
"""Bytes of arrays that are looked at."""
MOST_NAMED: Final = 100
"""The items of a container of which each is kept; of a longer one there is one hash."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The hash of a value.

    Args:
        digest: the hash.
        kind: the class, and the keys of a dictionary.
        parts: the hashes of parts, by the steps that lead to them: ``.name``, ``[0]``.
    """

    digest: bytes
    kind: str = ""
    parts: Mapping[str, Fingerprint] = field(default_factory=dict[str, "Fingerprint"], repr=False)


def fingerprint(
    value: Any, spelled: Mapping[str, str] = types.MappingProxyType({}), of_state: bool = True
) -> Fingerprint:
    """Return the fingerprint of an operator, or of another value.

    Args:
        value: the value.
        spelled: the files that it was made from: how they were written, and what stands for them.
        of_state: it is an operator, whose attributes are asked for; else an operator is taken for itself.

    Example:
        >>> fingerprint([1, 2.5]) == fingerprint([1, 2.5]), fingerprint([1]) == fingerprint([True])
        (True, False)
    """
    hashing = _Hashing(spelled)
    is_operator = of_state and declared_as(value) is not None
    return hashing.attributes(value, 0) if is_operator else hashing.of(value, 0)


def difference(made: Fingerprint, known: Sequence[Fingerprint], again: Fingerprint | None) -> str | None:
    """Where a value is like none of others; ``None`` where each part is like that of one.

    Args:
        made: the value.
        known: those that it may be like.
        again: one that was made in the same way: what differs between the two is different each time.

    Example:
        >>> difference(fingerprint({"a": [1, 2]}), [fingerprint({"a": [1, 3]})], None)
        "['a'][1]"
    """
    return _difference(made, known, again, set())


def _difference(
    made: Fingerprint, known: Sequence[Fingerprint], again: Fingerprint | None, met: set[tuple[int, ...]]
) -> str | None:
    key = (id(made), *map(id, known))
    if key in met or any(made.digest == one.digest for one in known):
        return None
    met.add(key)
    alike = [one for one in known if one.kind == made.kind and tuple(one.parts) == tuple(made.parts)]
    if not alike or not made.parts:
        differs_each_time = again is not None and again.digest != made.digest
        return None if differs_each_time else _missing(made, known)
    for step, part in made.parts.items():
        others = [one.parts[step] for one in known if step in one.parts]
        repeated = None if again is None else again.parts.get(step, NOTHING)
        found = _difference(part, others, repeated, met)
        if found is not None:
            return f"{step}{found}"
    return None


def _missing(made: Fingerprint, known: Sequence[Fingerprint]) -> str:
    """The step to the first part that only one of two has; empty if it is the whole that differs."""
    alike = next((one for one in known if one.kind == made.kind), made)
    return next(
        iter([*(alike.parts.keys() - made.parts.keys()), *(made.parts.keys() - alike.parts.keys())]), ""
    )


class _Hashing:
    """Fingerprints in the making."""

    def __init__(self, spelled: Mapping[str, str]) -> None:
        self._spelled = spelled
        self._here = f"{Path.cwd()}{os.path.sep}"
        self._met: dict[int, tuple[Any, Fingerprint]] = {}
        self._around: set[int] = set()
        self._objects, self._bytes = MOST_OBJECTS, MOST_BYTES

    def of(self, value: Any, depth: int) -> Fingerprint:
        """The fingerprint of a value at some depth."""
        plain = self._plain(value)
        if plain is not None:
            return _leaf(type(value), plain)
        if id(value) in self._met:
            return self._met[id(value)][1]
        self._objects -= 1
        if id(value) in self._around or depth > DEEPEST or self._objects < 0:
            return _opaque(value)
        self._around.add(id(value))
        found = self._of(value, depth + 1)
        self._around.discard(id(value))
        self._met[id(value)] = value, found
        return found

    def _of(self, value: Any, depth: int) -> Fingerprint:
        if isinstance(value, np.ndarray):
            return self._array(value, depth)
        if is_tensor(value):
            return self._tensor(value)
        if isinstance(value, dict):
            return self._dict(value, depth)
        if isinstance(value, SEQUENCES):
            return self._sequence(value, depth)
        if is_tree(value):
            return self._named(type(value), tree_parts(value), depth)
        if is_module(value):
            return self.attributes(value, depth)
        is_told = is_dataclass(value) or is_estimator(value) or is_own_class(type(value))
        if isinstance(value, type) or declared_as(value) is not None or not is_told:
            return _opaque(value)
        return self.attributes(value, depth)

    def attributes(self, value: Any, depth: int) -> Fingerprint:
        """The fingerprint of an object's attributes; of a model without its weights."""
        held = dict(_module_parts(value) if is_module(value) else _held(value))
        return self._named(type(value), held, depth)

    def _named(self, cls: type, held: Mapping[str, Any], depth: int) -> Fingerprint:
        parts = {f".{name}": self.of(held[name], depth + 1) for name in sorted(held)}
        return _whole(_name(cls), parts)

    def _dict(self, value: dict[Any, Any], depth: int) -> Fingerprint:
        keys, values = list(dict.keys(value)), list(dict.values(value))
        told = [self._all(keys, depth), *([] if len(keys) <= MOST_NAMED else [self._all(values, depth)])]
        kind = f"{_name(type(value))} {b''.join(told).hex()}"
        if len(keys) > MOST_NAMED:
            return _whole(kind, {})
        steps = (f"[{key!r}]" if type(key) in PLAIN else f"[<{index}>]" for index, key in enumerate(keys))
        return _whole(kind, {step: self.of(one, depth) for step, one in zip(steps, values, strict=True)})

    def _sequence(self, value: Any, depth: int) -> Fingerprint:
        items = list(value)
        name = _name(type(value))
        if isinstance(value, set | frozenset):
            return _leaf(type(value), b"".join(sorted(self.of(one, depth).digest for one in items)))
        if len(items) > MOST_NAMED:
            return _leaf(type(value), self._all(items, depth))
        return _whole(name, {f"[{index}]": self.of(one, depth) for index, one in enumerate(items)})

    def _all(self, items: list[Any], depth: int) -> bytes:
        """The hash of many values; of plain ones as Python writes them, which is fast."""
        if set(map(type, items)) <= PLAIN and len(items) > MOST_NAMED:
            try:
                return hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).digest()
            except ValueError:  # an integer with more digits than Python writes
                pass
        return hashlib.sha256(b"".join(self.of(one, depth).digest for one in items)).digest()

    def _array(self, value: np.ndarray[Any, Any], depth: int) -> Fingerprint:
        kind = f"{value.dtype!r} {value.shape}"
        if value.dtype == object:
            return _leaf(type(value), kind.encode() + self._all(list(value.flat), depth))
        self._bytes -= value.nbytes
        is_read = self._bytes >= 0 and not value.dtype.hasobject and not isinstance(value, np.memmap)
        data = without_padding(np.ascontiguousarray(value)).tobytes() if is_read else b""
        return _leaf(type(value), kind.encode() + data)

    def _tensor(self, value: Any) -> Fingerprint:
        try:
            plain = plain_tensor("", value)
        except UntoldModel:
            return _opaque(value)
        return _leaf(type(value), f"{plain.dtype} {plain.shape} ".encode() + plain.data)

    def _plain(self, value: Any) -> bytes | None:
        """Return bytes that tell a value without parts from others of its type; ``None`` for one that has parts."""
        match value:
            case None | bool():
                return repr(value).encode()
            case str() | bytes() | PurePath():
                return self._text(os.fsdecode(value) if isinstance(value, PurePath) else value)
            case np.generic():
                return None if value.dtype.hasobject else _bits(value)
            case int():
                return hex(int(value)).encode()
            case float():
                return struct.pack(">d", value)
            case complex():
                return struct.pack(">dd", value.real, value.imag)
            case slice() | range() | np.dtype():
                return repr(value).encode()
            case type():
                return _name(value).encode()
            case types.FunctionType() | types.MethodType():
                return f"{value.__module__}.{value.__qualname__}".encode()
            case _:
                return None

    def _text(self, value: str | bytes) -> bytes:
        """A text; that of a file that the operator was made from wherever it lies."""
        if isinstance(value, bytes) and not self._spelled:
            return value
        text = value if isinstance(value, str) else os.fsdecode(value)
        for one, stands in self._spelled.items():
            if text == one or text.startswith(one + os.path.sep):
                text = f"{stands}{text[len(one) :]}"
                break
        return text.replace(self._here, "").encode("utf-8", "surrogatepass")


NOTHING: Final = Fingerprint(b"")
PLAIN: Final = frozenset({type(None), bool, int, float, str, bytes})
SEQUENCES: Final = (list, tuple, set, frozenset, collections.deque)


def _bits(value: np.generic) -> bytes:
    return value.dtype.str.encode() + without_padding(np.asarray(value)).tobytes()


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _leaf(cls: type, data: bytes) -> Fingerprint:
    return Fingerprint(hashlib.sha256(f"{_name(cls)}\n".encode() + data).digest())


def _opaque(value: Any) -> Fingerprint:
    return _leaf(type(value), b"")


def _whole(kind: str, parts: Mapping[str, Fingerprint]) -> Fingerprint:
    digest = hashlib.sha256(f"{kind}\n".encode())
    for step, one in parts.items():
        digest.update(f"{step}\n".encode("utf-8", "surrogatepass") + one.digest)
    return Fingerprint(digest.digest(), kind, parts)


def _held(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, those in slots too, as they are held: no property is asked."""
    with contextlib.suppress(AttributeError):
        yield from list(object.__getattribute__(value, "__dict__").items())
    slots = [pair for cls in type(value).__mro__ for pair in vars(cls).items()]
    for name, slot in slots:
        if isinstance(slot, types.MemberDescriptorType):
            with contextlib.suppress(AttributeError):  # it holds nothing
                yield name, slot.__get__(value)


def _module_parts(module: Any) -> Iterator[tuple[str, Any]]:
    """What is told of a model beside its weights: of these the shapes, and buffers that are not saved as they are."""
    held = dict(_held(module))
    yield from ((name, one) for name, one in held.items() if name not in INTERNAL)
    yield from held.get("_modules", {}).items()
    unsaved = held.get("_non_persistent_buffers_set", ())
    for kind in ("_parameters", "_buffers"):
        for name, one in held.get(kind, {}).items():
            if one is None or (kind == "_buffers" and name in unsaved):
                yield name, one
            else:
                yield name, f"{kind} {shape_of(one)}"
