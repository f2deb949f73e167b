"""What a program and the process that compiles for it tell each other: lines of JSON, and object files behind them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

from astrace.backends.native.entry.checks import EntryChecks
from astrace.backends.native.host import LoopCall
from astrace.backends.native.signature import (
    ArrayArgument,
    GeneratorArgument,
    KernelArgument,
    NumberArgument,
    UnusedArgument,
)
from astrace.ops import lowered

NAMES: Final[Mapping[int, str]] = {id(function): name for name, function in lowered.FUNCTIONS.items()}
NUMBERS: Final = {one.__name__: one for one in (bool, int, float, complex)}
ARGUMENTS: Final = {
    one.__name__: one for one in (ArrayArgument, NumberArgument, GeneratorArgument, UnusedArgument)
}


def described(value: Any) -> list[str]:
    """Return what the text of a kernel refers to, as data.

    Args:
        value: an item of the text's namespace.
    """
    if isinstance(value, LoopCall):
        return ["loop", value.op, value.ufunc, value.types]
    if isinstance(value, ModuleType):
        return ["module", value.__name__]
    if id(value) in NAMES:
        return ["op", NAMES[id(value)]]
    if isinstance(value, np.generic):
        return ["generic", value.dtype.str, value.tobytes().hex()]
    kind = type(value)
    if kind is int:
        return ["int", str(value)]
    if kind in NUMBERS.values():
        return [kind.__name__, np.asarray(value).tobytes().hex()]
    assert isinstance(value, np.dtype), value
    return ["dtype", value.str]


def restored(parts: Sequence[str]) -> Any:
    """Return what was described.

    Args:
        parts: as `described` gives them.

    Example:
        >>> restored(described(0.1)), restored(described(np.int8(-3)))
        (0.1, np.int8(-3))
    """
    match parts:
        case ["loop", op, ufunc, types]:
            return LoopCall(op, ufunc, types)
        case ["module", name]:
            return importlib.import_module(name)
        case ["op", name]:
            return lowered.FUNCTIONS[name]
        case ["generic", dtype, digits]:
            return np.frombuffer(bytes.fromhex(digits), np.dtype(dtype))[0]
        case ["int", digits]:
            return int(digits)
        case ["dtype", name]:
            return np.dtype(name)
        case _:
            kind, digits = parts
            return np.frombuffer(bytes.fromhex(digits), np.dtype(NUMBERS[kind]))[0].item()


def argument_data(arguments: Sequence[KernelArgument]) -> list[Any]:
    """Return the types of a kernel's arguments as data.

    Args:
        arguments: the types.
    """
    return [[type(one).__name__, asdict(one)] for one in arguments]


def arguments_from(data: Sequence[Any]) -> tuple[KernelArgument, ...]:
    """Return the types of a kernel's arguments.

    Args:
        data: as `argument_data` gives it.
    """
    return tuple(ARGUMENTS[name](**fields) for name, fields in data)


def checks_from(data: Mapping[str, Any]) -> EntryChecks:
    """Return the tests of a kernel's arguments.

    Args:
        data: as `dataclasses.asdict` gives it, and JSON keeps it.
    """
    lists = {name: tuple(data[name]) for name in ("arrays", "written", "integers", "generators", "streams")}
    fields: dict[str, Any] = {**data, **lists, "apart": tuple(map(tuple, data["apart"]))}
    return EntryChecks(**fields)


@dataclass(frozen=True, slots=True)
class Compilation:
    """What came of a request.

    Args:
        name: of the function in the object file.
        code: the object file, or the reason why there is none, as it stands in the cache; empty where nothing came.
        failure: why nothing came.
        is_absent: there is no process that compiles, and there will be none.
    """

    name: str = ""
    code: bytes = b""
    failure: str = ""
    is_absent: bool = False


def answer_bytes(name: str, code: bytes, failure: str = "") -> bytes:
    """Return an answer as it is sent.

    Args:
        name: of the function in the object file.
        code: the object file.
        failure: why there is none.
    """
    head = {"name": name, "size": len(code), "failure": failure}
    return json.dumps(head).encode() + b"\n" + code


def answer_from(received: bytes) -> tuple[Compilation, bytes] | None:
    """Return the first answer in what was received, and what is behind it; ``None`` where it is not complete.

    Args:
        received: bytes so far.

    Raises:
        ValueError: it is no answer.
    """
    line, newline, rest = received.partition(b"\n")
    if not newline:
        return None
    head = json.loads(line)
    size = int(head["size"])
    if len(rest) < size:
        return None
    return Compilation(head["name"], rest[:size], head["failure"]), rest[size:]
