"""Recorded values as data: a kind, a text or a number, and parts that are recorded values themselves.

The table of kinds says what the value and the parts of each are.  What a file has is checked by it before anyone looks at
it: who makes values again (``made_again``) finds texts where texts belong, and names where names do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | None"

DEEPEST: Final = 90
"""The depth to which values are recorded: their data are JSON, which bundles have to a depth of 100."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A value as plain data.

    Args:
        kind: what it is: see `KINDS`.
        value: its text, number or flag; the name or hash of what it stands for.
        items: its parts; of a dictionary keys and values in turn, of a dataclass names and values.
    """

    kind: str
    value: bool | int | str | None = None
    items: tuple[Recorded, ...] = ()

    def to_json(self, told: set[int]) -> Json:
        """Return it as what JSON can hold.

        Args:
            told: the numbers of shared objects that have been told; of another one only the number is given.
        """
        if self.kind == "shared" and isinstance(self.value, int):
            if self.value in told:
                return [self.kind, self.value]
            told.add(self.value)
        return [self.kind, self.value, *(one.to_json(told) for one in self.items)]

    @staticmethod
    def from_json(data: Json, told: dict[int, Recorded]) -> Recorded:
        """Make one from what `to_json` gave.

        Args:
            data: the data.
            told: the shared objects by number; those that are met first are added.

        Raises:
            ValueError: it is nothing of that form.
        """
        return _from_json(data, told, 2 * DEEPEST)  # an object that is shared is a level of its own


def _from_json(data: Json, told: dict[int, Recorded], depth: int) -> Recorded:
    if not isinstance(data, list) or len(data) < 2 or depth == 0:
        raise ValueError("a recorded value is a list of a kind, a value and parts")
    kind, value, *items = data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"a recorded value of kind {kind!r:.50}")
    if kind == "shared" and not items and type(value) is int and value in told:
        return told[value]
    if type(value) is not KINDS[kind].value:
        raise ValueError(f"a recorded value of kind {kind!r} has the value {value!r:.50}")
    assert not isinstance(value, list | float)
    made = Recorded(kind, value, tuple(_from_json(one, told, depth - 1) for one in items))
    is_placed = all(kind in KINDS[one.kind].inside for one in made.items if KINDS[one.kind].inside)
    if not is_placed or not KINDS[kind].parts(made.items):
        raise ValueError(f"a recorded value of kind {kind!r} has not the parts that such values have")
    if kind == "shared" and isinstance(value, int):
        told.setdefault(value, made)
    return made


Parts: TypeAlias = "tuple[Recorded, ...]"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of recorded values.

    Args:
        means: what such a value is.
        value: the class of its text or number.
        parts: returns whether parts are those that it has.
        inside: the kinds whose parts such values are, if they are never values by themselves.
    """

    means: str
    value: type
    parts: Callable[[Parts], bool]
    inside: tuple[str, ...] = ()


def _count(number: int) -> Callable[[Parts], bool]:
    return lambda parts: len(parts) == number


def _of(*kinds: str) -> Callable[[Parts], bool]:
    return lambda parts: tuple(one.kind for one in parts) == kinds


def _named(first: int = 0) -> Callable[[Parts], bool]:
    """Names and values in turn, after some texts; no name twice."""

    def check(parts: Parts) -> bool:
        texts = (*parts[:first], *parts[first::2])
        names = [one.value for one in parts[first::2]]
        is_whole = len(parts) >= first and (len(parts) - first) % 2 == 0
        return is_whole and all(one.kind == "str" for one in texts) and len(set(names)) == len(names)

    return check


def _any(_: Parts) -> bool:
    return True


def _pairs(parts: Parts) -> bool:
    return len(parts) % 2 == 0


def _shape_and_objects(parts: Parts) -> bool:
    return len(parts) > 0 and parts[0].kind == "tuple" and all(one.kind == "int" for one in parts[0].items)


def _form(parts: Parts) -> bool:
    return _of("str")(parts) and parts[0].value in FORMS


def _names(parts: Parts) -> bool:
    return _of("list", "list")(parts) and all(one.kind == "str" for part in parts for one in part.items)


def _changing(parts: Parts) -> bool:
    return len(parts) == 1 and parts[0].kind in (*CHANGING, "tuple", "frozenset")


FORMS: Final = ("path", "str", "bytes", "str_", "bytes_", "str/", "bytes/", "str_/", "bytes_/")
"""The forms of paths: `Path`, Python's texts and NumPy's; those that end with a separator, to which names are added."""
CHANGING: Final = ("list", "set", "dict", "array", "objects", "record", "model", "estimator", "tree")
"""The kinds of objects that can change, so that it matters who holds the same one."""


NO_VALUE: Final = type(None)
KINDS: Final[Mapping[str, Kind]] = {
    "none": Kind("`None`", NO_VALUE, _count(0)),
    "bool": Kind("a flag", bool, _count(0)),
    "int": Kind("an integer; a text of its digits", str, _count(0)),
    "float": Kind(
        "a float; a text as `float.hex` gives it, or the bits of a NaN that are not those of Python's own",
        str,
        _count(0),
    ),
    "complex": Kind("a complex number; two floats", NO_VALUE, _of("float", "float")),
    "str": Kind("a text", str, _count(0)),
    "bytes": Kind("bytes; a text of hexadecimal digits", str, _count(0)),
    "path": Kind("a path that is a label; a text", str, _count(0)),
    "list": Kind("a list", NO_VALUE, _any),
    "tuple": Kind("a tuple", NO_VALUE, _any),
    "set": Kind("a set", NO_VALUE, _any),
    "frozenset": Kind("a frozen set", NO_VALUE, _any),
    "dict": Kind("a dictionary", NO_VALUE, _pairs),
    "slice": Kind("a slice; start, stop and step", NO_VALUE, _count(3)),
    "range": Kind("a range; start, stop and step", NO_VALUE, _of("int", "int", "int")),
    "type": Kind("one of Python's own classes; its name", str, _count(0)),
    "dtype": Kind("a dtype of NumPy; its text", str, _count(0)),
    "scalar_type": Kind("a class of NumPy's scalars; its name", str, _count(0)),
    "number": Kind("a scalar of NumPy; the text of its dtype. The part is its bytes", str, _of("bytes")),
    "scalar": Kind("any other scalar of NumPy; the hash of an array", str, _count(0)),
    "array": Kind("an array; its hash", str, _count(0)),
    "objects": Kind(
        "an array of objects; its shape, and the objects row by row", NO_VALUE, _shape_and_objects
    ),
    "asset": Kind("the path of an asset; its place. The part tells the form of the path", str, _form),
    "operator": Kind("another operator; its name", str, _count(0)),
    "record": Kind("a dataclass or a named tuple; the name of its class", str, _named()),
    "layer": Kind(
        "a layer of PyTorch; the name of its class. The parts are the names of arguments, or of layers in it, and what these are",
        str,
        _named(),
        ("layer", "model"),
    ),
    "state": Kind(
        "the weights of a model; their hash. The parts are the modules that train, and the parameters that do not",
        str,
        _names,
        ("model",),
    ),
    "model": Kind(
        "a model of PyTorch; the parts are its layers and its state", NO_VALUE, _of("layer", "state")
    ),
    "estimator": Kind(
        "an estimator of scikit-learn; the name of its class. The parts are a version, and names and values of attributes",
        str,
        _named(1),
    ),
    "tree": Kind("a decision tree of scikit-learn; the parts are names and values", NO_VALUE, _named()),
    "shared": Kind(
        "an object that others are made from as well; its number. The part is what it was at first, where it is met first",
        int,
        _changing,
    ),
    "other": Kind("anything else; what it is. The part is its place", str, _of("str")),
}


def walked(values: Any) -> Iterator[Recorded]:
    """Yield values and all their parts in their order; a shared object once.

    Example:
        >>> one = Recorded("shared", 0, (Recorded("list"),))
        >>> [found.kind for found in walked([one, one])]
        ['shared', 'list']
    """
    met: set[int] = set()
    pending = list(reversed(values))
    while pending:
        one = pending.pop()
        if one.kind == "shared":
            if id(one) in met:
                continue
            met.add(id(one))
        yield one
        pending += reversed(one.items)
