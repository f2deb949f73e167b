"""Recorded values: the arguments of an operator as plain data, from which they are made again (``made_again``).

What is no plain data is named: an asset or an array by hash, another operator by its name in the
graph, a dataclass, a named tuple or an estimator by the name of its class.  A model of PyTorch is its layers and the hash of
its weights.  Anything else has the kind ``other``, and can't be made again.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import sys
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path, PurePath
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.constants import is_function
from astrace.pipelines import estimators, torch_modules
from astrace.pipelines.found_paths import in_order
from astrace.pipelines.plain_data import CHANGING, DEEPEST, FORMS, Recorded, walked
from astrace.pipelines.tensors import Weights, hash_of
from astrace.util.array_memory import ordered_copy, without_padding
from astrace.util.trees import is_namedtuple

SEQUENCES: Final = {one.__name__: one for one in (list, tuple, set, frozenset)}
TYPES: Final = {
    one.__name__: one for one in (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
}


Name: TypeAlias = Callable[[Any], str | None]
"""Gives the name in the graph of an operator; ``None`` for what is none."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """What is large in recorded values, and stands beside them.

    Args:
        arrays: the arrays, by hash.
        weights: the weights of models, by hash.
        classes: the classes of dataclasses and estimators, by the names that they are recorded under.
    """

    arrays: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict[str, "np.ndarray[Any, Any]"])
    weights: dict[str, Weights] = field(default_factory=dict[str, Weights])
    classes: dict[str, Any] = field(default_factory=dict[str, Any])

    def named(self, value: Any) -> str:
        """Keep the class of a value; return its name."""
        name = _class_name(value)
        self.classes[name] = type(value)
        return name

    def state(self, module: Any) -> Recorded:
        """Record the state of a model of PyTorch, and keep its weights.

        Raises:
            UntoldModel: it can't be told as data.
        """
        weights, *flags = torch_modules.state_of(module)
        key = hash_of(weights)
        self.weights[key] = weights
        names = (Recorded("list", None, tuple(Recorded("str", one) for one in each)) for each in flags)
        return Recorded("state", key, tuple(names))


class ArgumentRecorder:
    """Records arguments.

    Args:
        name: gives the names of operators among them.
        assets: the places of assets by the place in the argument of the path that names them.
        bulk: keeps arrays and weights.
        numbers: gives the number of an object that can change, and may be met again.
    """

    def __init__(
        self, name: Name, assets: Mapping[str, str], bulk: Bulk, numbers: Callable[[Any], int]
    ) -> None:
        self._name = name
        self._assets = assets
        self._bulk = bulk
        self._numbers = numbers
        self._around: list[int] = []
        self._told: dict[int, tuple[Any, Recorded]] = {}

    def record(self, value: Any, place: str = "$") -> Recorded:
        """Record a value that stands at some place of an argument."""
        if id(value) in self._told:
            return self._told[id(value)][1]
        if id(value) in self._around:
            return _other(f"{_class_name(value)} that contains itself", place)
        if len(self._around) > DEEPEST:
            return _other(f"{_class_name(value)} in {DEEPEST} others, one in another", place)
        self._around.append(id(value))
        try:
            found = self._record(value, place)
        finally:
            self._around.pop()
        if found.kind not in CHANGING and not _is_nested(found):
            return found
        shared = Recorded("shared", self._numbers(value), (found,))
        self._told[id(value)] = value, shared
        return shared

    def _record(self, value: Any, place: str) -> Recorded:
        asset = self._assets.get(place)
        if asset is not None and form_of(value) in FORMS:
            return Recorded("asset", asset, (Recorded("str", form_of(value)),))
        plain = plain_record(value)
        if plain is not None:
            return plain
        kind: type[Any] = type(value)
        if kind in CONTAINERS:
            return self._container(kind, value, place)
        if isinstance(value, np.ndarray | np.generic):
            return self._array(value, place)
        name = self._name(value)
        if name is not None:
            return Recorded("operator", name)
        names = _record_fields(value)
        if names is not None:
            parts = {one: getattr(value, one) for one in names}
            return Recorded("record", self._bulk.named(value), self._parts(parts, place))
        if isinstance(value, type):
            return _other(f"the class {value.__module__}.{value.__qualname__}", place)
        if is_function(value):
            which = "function" if isinstance(value, types.FunctionType) else "built-in function"
            return _other(f"the {which} {getattr(value, '__qualname__', value)}", place)
        return self._of_library(value, place) or _other(_class_name(value), place)

    def _parts(self, parts: Mapping[str, Any], place: str) -> tuple[Recorded, ...]:
        """Record parts that have names: names and values in turn."""
        pairs = ((name, self.record(one, f"{place}.{name}")) for name, one in parts.items())
        return tuple(part for name, inner in pairs for part in (Recorded("str", name), inner))

    def _of_library(self, value: Any, place: str) -> Recorded | None:
        """Record an estimator or a model; ``None`` for anything else."""
        if estimators.is_tree(value):
            return self._tree(value, place)
        if estimators.is_estimator(value):
            reason = estimators.told_otherwise(value)
            if reason:
                return _other(f"{_class_name(value)}, whose attributes do not tell it: {reason}", place)
            told = self._parts(vars(value), place)
            return Recorded(
                "estimator", self._bulk.named(value), (Recorded("str", estimators.version()), *told)
            )
        if not torch_modules.is_module(value):
            return None
        try:
            return Recorded("model", None, (self._layer(value, place), self._bulk.state(value)))
        except torch_modules.UntoldModel as error:
            return _other(str(error), place)

    def _tree(self, tree: Any, place: str) -> Recorded:
        try:
            return Recorded("tree", None, self._parts(estimators.tree_parts(tree), place))
        except ValueError as error:
            return _other(f"{_class_name(tree)}: {error}", place)

    def _layer(self, module: Any, place: str) -> Recorded:
        """Record a layer, without its state, and the layers in it."""
        name, parts = torch_modules.layer_parts(module)
        found: list[Recorded] = []
        for key, one in parts.items():
            is_layer = torch_modules.is_module(one) and self._name(one) is None
            inner = f"{place}.{key}"
            found += [Recorded("str", key), self._layer(one, inner) if is_layer else self.record(one, inner)]
        return Recorded("layer", name, tuple(found))

    def _container(self, kind: type, value: Any, place: str) -> Recorded:
        if kind is dict:
            pairs = (
                (self.record(key, ""), self.record(one, f"{place}[{key!r}]")) for key, one in value.items()
            )
            return Recorded("dict", None, tuple(part for pair in pairs for part in pair))
        items = (self.record(one, f"{place}[{index}]") for index, one in enumerate(in_order(value)))
        return Recorded(kind.__name__, None, tuple(items))

    def _array(self, value: np.ndarray[Any, Any] | np.generic, place: str) -> Recorded:
        if type(value) is np.ndarray and value.dtype == object:
            objects = (self.record(one, f"{place}[{index}]") for index, one in enumerate(value.flat))
            return Recorded("objects", None, (self.record(value.shape, ""), *objects))
        is_plain = type(value) is np.ndarray or isinstance(value, np.generic)
        if not is_plain or value.dtype.hasobject:
            return _other(f"{_class_name(value)}{' of objects' if is_plain else ''}", place)
        if isinstance(value, np.generic) and _is_number(value.dtype):
            return Recorded(
                "number",
                value.dtype.str,
                (Recorded("bytes", without_padding(np.asarray(value)).tobytes().hex()),),
            )
        array = ordered_copy(np.asarray(value))
        shape = f"{array.dtype.descr} {array.shape} {array.strides}".encode()
        key = hashlib.sha256(shape + without_padding(array).tobytes()).hexdigest()
        self._bulk.arrays[key] = array
        return Recorded("array" if isinstance(value, np.ndarray) else "scalar", key)


def _other(what: str, place: str) -> Recorded:
    return Recorded("other", what, (Recorded("str", place),))


NUMBER: Final = re.compile(r"[<>|][biufcSUmM][1-9][0-9]*(\[[0-9a-zA-Z]+\])?")
"""The texts of dtypes whose scalars stand in the data."""


def _is_number(dtype: np.dtype[Any]) -> bool:
    return NUMBER.fullmatch(dtype.str) is not None and np.dtype(dtype.str).char == dtype.char


def _record_fields(value: Any) -> tuple[str, ...] | None:
    """The names by which a dataclass or a named tuple is made again; ``None`` for anything else."""
    if is_namedtuple(value):
        return tuple(value._fields)
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(one.name for one in fields(value) if one.init)
    return None


CONTAINERS: Final = (list, tuple, set, frozenset, dict)


def _is_nested(value: Recorded) -> bool:
    """Return whether a value is a tuple with containers in it, which may stand in many places."""
    return value.kind in ("tuple", "frozenset") and any(one.items for one in value.items)


def plain_record(value: Any) -> Recorded | None:
    """Record a value that has no parts."""
    match value:
        case None:
            return Recorded("none")
        case slice() | range():
            parts = (value.start, value.stop, value.step)
            found = tuple(map(plain_record, parts))
            return Recorded(type(value).__name__, None, tuple(filter(None, found))) if all(found) else None
        case PurePath() if type(value) is type(Path()):
            return Recorded("path", str(value))
        case np.dtype():
            return None if value.hasobject or value.names else Recorded("dtype", value.str)
        case type():
            if TYPES.get(value.__name__) is value:
                return Recorded("type", value.__name__)
            return Recorded("scalar_type", value.__name__) if is_scalar_type(value) else None
        case _:
            return _number(value)


def _number(value: Any) -> Recorded | None:
    kind: type[Any] = type(value)
    if kind is bool:
        return Recorded("bool", value)
    if kind is int:
        return Recorded("int", hex(value))
    if kind is float:
        return Recorded("float", _float_text(value))
    if kind is complex:
        return Recorded(
            "complex", None, tuple(Recorded("float", _float_text(part)) for part in (value.real, value.imag))
        )
    if kind is str:
        return Recorded("str", value)
    return Recorded("bytes", value.hex()) if kind is bytes else None


NAN: Final = "nan:"


def _float_text(value: float) -> str:
    """The text of a float; of a NaN with other bits than Python's own, these."""
    bits = struct.pack(">d", value).hex()
    is_other = value != value and bits != struct.pack(">d", float("nan")).hex()  # noqa: PLR0124
    return f"{NAN}{bits}" if is_other else value.hex()


def problem_of(parameter: str, value: Recorded) -> str:
    """Say what in an argument can't be made again; empty if all can.

    Example:
        >>> problem_of("given", Recorded("other", "lib.Model", (Recorded("str", "$[0]"),)))
        "`given` holds lib.Model at `given[0]`, which can't be recorded: make its class an operator"
    """
    other = next((one for one in walked([value]) if one.kind == "other"), None)
    if other is None:
        return ""
    place = str(other.items[0].value).removeprefix("$")
    place = place if len(place) <= LONGEST_PLACE else f"{place[:LONGEST_PLACE]}…"
    inside = f" at `{parameter}{place}`" if place else ""
    return f"`{parameter}` holds {other.value}{inside}, which can't be recorded{_advice(str(other.value))}"


LONGEST_PLACE: Final = 60
"""The characters that are shown of the place of a value in an argument."""


def _advice(what: str) -> str:
    """What to do about a value that can't be recorded: of what is the user's own, an operator can be made."""
    if what.startswith("the function "):
        return ": make it an operator"
    if what.startswith("the ") or " " in what:
        return ""
    return "" if what.partition(".")[0] in LIBRARIES else ": make its class an operator"


LIBRARIES: Final = sys.stdlib_module_names | {"numpy", "scipy", "sklearn", "torch"}
"""Where classes stand that nobody makes operators of."""


def only_shared(values: Sequence[Recorded]) -> list[Recorded]:
    """Values with those objects marked as shared that are met more than once, numbered anew."""
    met: Counter[Any] = Counter()
    pending = list(reversed(values))
    while pending:
        one = pending.pop()
        is_known = one.kind == "shared" and one.value in met
        met.update([one.value] if one.kind == "shared" else [])
        pending += () if is_known else reversed(one.items)
    numbers = {key: number for number, key in enumerate(key for key, count in met.items() if count > 1)}
    made: dict[Any, Recorded] = {}
    return [_unmarked(value, numbers, made) for value in values]


def _unmarked(value: Recorded, numbers: Mapping[Any, int], made: dict[Any, Recorded]) -> Recorded:
    if not value.items:
        return value
    if value.kind != "shared":
        return Recorded(value.kind, value.value, tuple(_unmarked(one, numbers, made) for one in value.items))
    if value.value not in made:
        (what,) = (_unmarked(one, numbers, made) for one in value.items)
        number = numbers.get(value.value)
        made[value.value] = what if number is None else Recorded("shared", number, (what,))
    return made[value.value]


def is_scalar_type(value: Any) -> bool:
    """Return whether a class is one of NumPy's public scalars."""
    return (
        isinstance(value, type)
        and issubclass(value, np.generic)
        and getattr(np, value.__name__, None) is value
    )


def _class_name(value: Any) -> str:
    cls: type[Any] = type(value)
    return f"{cls.__module__}.{cls.__qualname__}"


def form_of(value: str | bytes | PurePath) -> str:
    """The form of a path: one of `FORMS`, or the name of another class.

    Example:
        >>> form_of("data"), form_of(b"data/")
        ('str', 'bytes/')
    """
    if isinstance(value, PurePath):
        return "path" if type(value) is type(Path()) else type(value).__name__
    return f"{type(value).__name__}{'/' if os.fsdecode(value).endswith(os.path.sep) else ''}"
