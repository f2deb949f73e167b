"""Recorded values made again: the arguments of operators from plain data (``recorded``).

Takes records, and from the loading program files, arrays, classes and operators; gives values.  No name in the data is
imported: classes are those that the program passes, layers those of a table.
"""

from __future__ import annotations

import os
import pathlib
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Final

import numpy as np

from astrace.pipelines import estimators, torch_modules
from astrace.pipelines.plain_data import Recorded
from astrace.pipelines.recorded import NAN, NUMBER, SEQUENCES, TYPES, is_scalar_type, plain_record
from astrace.pipelines.tensors import Weights
from astrace.util.array_memory import scalar_of


def in_form(path: str, form: str) -> Any:
    """A path in a form.

    Example:
        >>> in_form("a", "bytes"), in_form("a", "str/")
        (b'a', 'a/')
    """
    if form.endswith("/"):
        path += os.path.sep
    match form.rstrip("/"):
        case "bytes":
            return os.fsencode(path)
        case "path":
            return pathlib.Path(path)
        case "str_":
            return np.str_(path)
        case "bytes_":
            return np.bytes_(os.fsencode(path))
        case _:
            return path


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes recorded values again.

    Args:
        assets: gives the path of an asset, by its place.
        arrays: gives an array, by its hash.
        weights: gives the weights of a model, by their hash.
        operators: gives another operator, by its name.
        classes: gives the class of a dataclass or of an estimator, by its name.
        shared: keeps what has been made of shared objects, by number.
    """

    assets: Callable[[str], str]
    arrays: Callable[[str], np.ndarray[Any, Any]]
    weights: Callable[[str], Weights]
    operators: Callable[[str], Any]
    classes: Callable[[str], Any]
    shared: dict[int, Any] = field(default_factory=dict[int, Any])

    def make(self, one: Recorded) -> Any:
        """Make a value.

        Raises:
            ValueError: it was recorded as something that can't be made again, or is no recorded value.
        """
        if one.kind in MAKERS:
            return _plain(one)
        items = one.items
        match one.kind:
            case "none":
                return None
            case "bool":
                return one.value
            case "complex":
                real, imaginary = (self.make(part) for part in items)
                return complex(real, imaginary)
            case "list" | "tuple" | "set" | "frozenset" | "dict" | "slice" | "range":
                return self._container(one.kind, [self.make(part) for part in items])
            case "shared":
                return self._shared(one)
            case _:
                return self._named(one)

    def _container(self, kind: str, parts: list[Any]) -> Any:
        match kind:
            case "list" | "tuple":
                return SEQUENCES[kind](parts)
            case "set" | "frozenset":
                return _all_different(SEQUENCES[kind](parts), len(parts))
            case "dict":
                return _all_different(dict(zip(parts[::2], parts[1::2], strict=True)), len(parts) // 2)
            case _:
                return (slice if kind == "slice" else range)(*parts)

    def _objects(self, items: tuple[Recorded, ...]) -> np.ndarray[Any, Any]:
        shape, *objects = map(self.make, items)
        if min(shape, default=0) < 0:
            raise ValueError("an array of objects has a shape that is none")
        made = np.empty(len(objects), object)
        for index, one in enumerate(objects):
            made[index] = one
        return made.reshape(shape)

    def _parts(self, items: tuple[Recorded, ...]) -> dict[str, Any]:
        """Parts that have names."""
        names = [str(part.value) for part in items[::2]]
        return dict(zip(names, map(self.make, items[1::2]), strict=True))

    def _of_library(self, one: Recorded) -> Any:
        match one:
            case Recorded("layer"):
                return torch_modules.made_layer(str(one.value), self._parts(one.items))
            case Recorded("model", items=[layers, state]):
                model = self.make(layers)
                self.load_state(model, state)
                return model
            case Recorded("tree"):
                return estimators.made_tree(self._parts(one.items))
            case Recorded("estimator", str() as name, [version, *attributes]):
                cls = self.classes(name)
                return estimators.made_estimator(cls, str(version.value), self._parts(tuple(attributes)))
            case _:
                raise ValueError(f"a value of kind {one.kind!r} has other parts than these have")

    def load_state(self, model: Any, state: Recorded) -> None:
        """Give a model of PyTorch its state.

        Raises:
            ValueError: it is that of another model, or no state.
        """
        match state:
            case Recorded("state", str() as key, [training, frozen]):
                weights = self.weights(key)
                torch_modules.load_state(model, weights, self.make(training), self.make(frozen))
            case _:
                raise ValueError("a model has a state that is none")

    def _shared(self, one: Recorded) -> Any:
        match one:
            case Recorded(value=int() as number, items=[what]):
                if number not in self.shared:
                    self.shared[number] = self.make(what)
                return self.shared[number]
            case _:
                raise ValueError("a shared object has a number and one part")

    def _named(self, one: Recorded) -> Any:
        name = str(one.value)
        match one.kind:
            case "array":
                return np.array(self.arrays(name))  # in the same order of memory
            case "scalar":
                return _scalar(self.arrays(name))
            case "asset":
                return in_form(self.assets(name), str(one.items[0].value))
            case "operator":
                return self.operators(name)
            case "record":
                return _record_class(self.classes(name))(**self._parts(one.items))
            case "number":
                return _number(name, self.make(one.items[0]))
            case "objects":
                return self._objects(one.items)
            case "layer" | "model" | "estimator" | "tree":
                return self._of_library(one)
            case _:
                raise ValueError(f"an object of {name} can't be made again: make its class an operator")


def _plain(one: Recorded) -> Any:
    """Make a value that has no parts.

    Raises:
        ValueError: its text is none by which such a value is recorded.
    """
    made: Any = None
    try:
        made = MAKERS[one.kind](str(one.value))
        is_told = one.kind == "path" or plain_record(made) == one  # a path is written as the system does
    except Exception:  # what NumPy and Python raise of texts, of any kind
        is_told = False
    if not is_told:
        raise ValueError(f"{one.value!r:.50} is no text of the kind {one.kind!r}")
    return made


def _all_different(made: Any, count: int) -> Any:
    """A set, or a dictionary, that has as many items as were recorded."""
    if len(made) != count:
        raise ValueError("a set or a dictionary has something twice")
    return made


def _scalar(array: np.ndarray[Any, Any]) -> Any:
    if array.shape:
        raise ValueError("a scalar is recorded as an array")
    return array[()]


def _record_class(cls: Any) -> Any:
    """A class of dataclasses or named tuples: nothing else is called with the parts of a value."""
    is_record = isinstance(cls, type) and (
        is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    )
    if not is_record:
        raise ValueError(f"{getattr(cls, '__qualname__', cls)!r:.50} is no dataclass and no named tuple")
    return cls


def _scalar_type(name: str) -> Any:
    found = getattr(np, name, None)
    if not is_scalar_type(found):
        raise ValueError(f"{name!r:.50} is no scalar class of NumPy")
    return found


def _float(text: str) -> float:
    if not text.startswith(NAN):
        return float.fromhex(text)
    bits = bytes.fromhex(text.removeprefix(NAN))
    if len(bits) != 8:
        raise ValueError("a NaN has other bits than floats have")
    value: float = struct.unpack(">d", bits)[0]
    return value


def _number(dtype: str, content: Any) -> Any:
    try:
        is_told = NUMBER.fullmatch(dtype) and np.dtype(dtype).itemsize == len(content)
        made = scalar_of(content, np.dtype(dtype)) if is_told else None
    except Exception:  # what NumPy raises of a dtype and of texts, of any kind
        made = None
    if made is None:
        raise ValueError(f"a scalar of the dtype {dtype!r:.50} that is none")
    return made


MAKERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "int": lambda text: int(text, 16),
    "float": _float,
    "str": str,
    "bytes": bytes.fromhex,
    "path": pathlib.Path,
    "type": TYPES.__getitem__,
    "dtype": np.dtype,
    "scalar_type": _scalar_type,
}
"""How values without parts are made from their texts."""
