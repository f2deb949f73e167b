"""Pictures: values written down so that they can be compared later, when the values themselves have changed.

A call gives arrays that the next call may overwrite, and changes its arguments; so what it gave is copied at
once, with classes, dtypes, shapes and flags, down to the last item.  A picture runs no code of the user's: no
``==``, no ``repr``.
"""

from __future__ import annotations

import collections
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.ir.constants import FUNCTION_TYPES
from astrace.util.trees import is_namedtuple

ATOMS: Final = (bool, int, float, complex, str, bytes, type(None), range, type(...), type(NotImplemented))
FLAGS: Final = ("C_CONTIGUOUS", "F_CONTIGUOUS", "WRITEABLE")
MOST_ITEMS: Final = 100_000
"""Beyond so many items a picture only counts them."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A value, written down.

    Args:
        cls: its class.
        content: what tells it from others of its class: a number, a name, a dtype with shape and flags, a size.
        data: the items of an array of numbers.
        parts: the parts of anything else, each with how it is reached.
    """

    cls: type
    content: Any = None
    data: np.ndarray[Any, Any] | None = None
    parts: tuple[tuple[str, Picture], ...] = ()


class Camera:
    """Takes pictures of values that may hold each other."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []

    def picture(self, value: Any) -> Picture:
        """The picture of one value."""
        cls: type[Any] = type(value)
        if cls in ATOMS:
            return Picture(cls, value)
        if isinstance(value, np.generic):
            return Picture(cls, value.dtype, np.asarray(value))
        if isinstance(value, (*FUNCTION_TYPES, type)):
            return Picture(cls, _name(value))
        if id(value) in self._seen:
            return Picture(cls, ("again", self._seen[id(value)]))
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)  # so that its identity stays its own
        if len(self._seen) > MOST_ITEMS:
            return Picture(cls, "too much")
        if isinstance(value, np.ndarray):
            return self._array(value)
        items = items_of(value)
        if items is not None:
            weak = getattr(value, "weak_type", False) is True
            return Picture(cls, (items.dtype, items.shape, (weak,)), items.copy())
        return Picture(cls, None, None, tuple(self._parts(value)))

    def _array(self, value: np.ndarray[Any, Any]) -> Picture:
        with warnings.catch_warnings():  # NumPy warns who looks at the flags of a broadcast array
            warnings.simplefilter("ignore")
            flags = tuple(bool(value.flags[name]) for name in FLAGS)
        base = np.ndarray.view(value, np.ndarray)
        content = (base.dtype, base.shape, flags)
        parts: list[tuple[str, Picture]] = []
        if isinstance(value, np.ma.MaskedArray):
            parts.append((".mask", self.picture(np.ma.getmaskarray(value))))
        if base.dtype.hasobject:
            return Picture(type(value), content, None, (*parts, ("", self.picture(base.tolist()))))
        return Picture(type(value), content, base.copy(), tuple(parts))

    def _parts(self, value: Any) -> Iterator[tuple[str, Picture]]:
        for label, part in parts_of(value):
            yield label, self.picture(part)


def items_of(value: Any) -> np.ndarray[Any, Any] | None:
    """Return the items of an array of another library, which has no parts to look at; nothing for any other object."""
    package = type(value).__module__.partition(".")[0]
    read = FOREIGN.get(package)
    if read is None or not (hasattr(value, "dtype") and hasattr(value, "shape")):
        return None
    try:
        return np.asarray(read(value))
    except Exception:  # it has none yet, or none any more, as one that stands for any array
        return None


def _of_torch(value: Any) -> Any:
    """The items of a tensor; NumPy has no brain floats, and `float32` holds each of them."""
    tensor = value.detach().cpu().resolve_conj().resolve_neg()
    return (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()


FOREIGN: Final[Mapping[str, Callable[[Any], Any]]] = {
    "jax": np.asarray,
    "jaxlib": np.asarray,
    "torch": _of_torch,
}
"""How the items of other libraries' arrays are read, by package."""


def parts_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a container or an instance, each with how it is reached from it."""
    if isinstance(value, dict):
        keys = list(dict.keys(value))
        yield "len()", len(keys)
        for index, key in enumerate(keys):
            yield f".keys()[{index}]", key
            yield f"[{_key(key)}]", dict.__getitem__(value, key)
    elif isinstance(value, tuple) and is_namedtuple(value):
        yield from ((f".{name}", item) for name, item in zip(type(value)._fields, value, strict=False))  # type: ignore[attr-defined]
    elif isinstance(value, list | tuple | collections.deque):
        yield "len()", len(value)
        yield from ((f"[{index}]", item) for index, item in enumerate(value))
    elif isinstance(value, set | frozenset):
        yield "len()", len(value)
        yield from ((f".members()[{index}]", item) for index, item in enumerate(_sorted(value)))
    elif isinstance(value, bytearray):
        yield "", bytes(value)
    elif isinstance(value, BaseException):
        yield ".args", tuple(BaseException.__dict__["args"].__get__(value))
    if type(value).__module__ != "builtins" or isinstance(value, BaseException):
        yield from ((f".{name}", item) for name, item in attributes_of(value))


def _sorted(members: set[Any] | frozenset[Any]) -> list[Any]:
    """Return the members of a set in an order of their own, where they have one."""
    plain = all(type(member) in ATOMS for member in members)
    return (
        sorted(members, key=lambda member: (type(member).__name__, repr(member))) if plain else list(members)
    )


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """An instance's own attributes, without asking the instance."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        own = None
    if isinstance(own, dict):
        names = sorted(map(str, own))
        yield from ((name, own[name]) for name in names if name in own)
    for cls in type(value).__mro__:
        for name in _slots(cls):
            member = cls.__dict__.get(name)
            if member is None or not hasattr(member, "__get__"):
                continue
            try:
                yield name, member.__get__(value, cls)
            except AttributeError:
                continue


def _slots(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def _key(key: Any) -> str:
    return repr(key) if type(key) in ATOMS else f"<{type(key).__name__}>"


def _name(value: Any) -> str:
    module = getattr(value, "__module__", "") or ""
    return f"{module}.{getattr(value, '__qualname__', None) or getattr(value, '__name__', '?')}"


# -- sharing -----------------------------------------------------------------------------------------------

MOST_OBJECTS: Final = 40
"""For more objects than these, shared memory is not looked for."""


def sharing(values: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of objects in some values that are one object or share memory; by how they are reached."""
    found = list(itertools.islice(_mutable(values), MOST_OBJECTS))
    pairs = itertools.combinations(found, 2)
    return tuple((where, other) for (where, one), (other, two) in pairs if is_shared(one, two))


def _mutable(values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the objects in nested containers whose identity can be observed."""
    seen: set[int] = set()
    pending = [(f"#{index}", value) for index, value in enumerate(values)]
    while pending:
        where, value = pending.pop(0)
        if type(value) in ATOMS or isinstance(value, (np.generic, *FUNCTION_TYPES, type)):
            continue
        if not isinstance(value, tuple | frozenset):
            yield where, value
        if id(value) not in seen and not isinstance(value, np.ndarray):
            seen.add(id(value))
            pending += [(f"{where}{label}", part) for label, part in parts_of(value)]


def is_shared(left: Any, right: Any) -> bool:
    """Return whether a change of one object may be seen in the other."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.shares_memory(left, right)
    return left is right
