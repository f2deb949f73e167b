"""Reports as bytes, from the process of a check to the one that asked for it.

What can't be written down stands for itself where both have it, as classes and functions of a function's body do, and
is its text where only the other process had it.
"""

from __future__ import annotations

import gc
import io
import pickle
import types
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from astrace.check.report.findings import Example, Finding
from astrace.check.report.report import Report

SHARED: Final = (type, types.FunctionType, types.ModuleType)
"""Kinds of objects that are the same ones in both processes, and are not copied."""


class _Pickler(pickle.Pickler):
    """Writes an object that both processes have as its address."""

    def persistent_id(self, obj: Any) -> tuple[int, str] | None:
        """Return the address of an object that can't be imported; nothing for others."""
        if not isinstance(obj, SHARED) or (not isinstance(obj, types.ModuleType) and _is_importable(obj)):
            return None
        return id(obj), _name(obj)


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` has written: finds the objects where they lie."""

    def persistent_load(self, pid: tuple[int, str]) -> Any:
        """The object that lies there.

        Raises:
            UnpicklingError: there is none, or another one.
        """
        place, name = pid
        for one in gc.get_objects():
            if id(one) == place and isinstance(one, SHARED) and _name(one) == name:
                return one
        raise pickle.UnpicklingError(f"{name} was made by the other process")


def _is_importable(obj: Any) -> bool:
    try:
        pickle.dumps(obj)
    except Exception:
        return False
    return True


def _name(obj: Any) -> str:
    return f"{type(obj).__name__} {obj.__name__}"


def packed(kind: str, content: Any) -> bytes:
    """Return a report, an exception, or other plain data, as bytes.

    Args:
        kind: what it is.
        content: the report.
    """
    match content:
        case Report():
            content = _report(content)
        case BaseException():
            content = _error(content)
        case (str() as name, Report() as report):
            content = name, _report(report)
        case _:
            pass
    return pickle.dumps((kind, content))


def unpacked(data: bytes) -> tuple[str, Any]:
    """Return the content of bytes that `packed` made, in a process that this one has started."""
    kind, content = pickle.loads(data)  # noqa: S301
    match content:
        case Report():
            return kind, _taken(content)
        case (str() as name, Report() as report):
            return kind, (name, _taken(report))
        case _:
            return kind, content


def _taken(report: Report) -> Report:
    return replace(report, findings=tuple(map(_received, report.findings)))


def _error(error: BaseException) -> BaseException:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:  # its class can't make it again from its arguments
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _report(report: Report) -> Report:
    return replace(report, findings=tuple(map(_sent, report.findings)))


def _sent(one: Finding) -> Finding:
    """A finding whose example is bytes, each argument for itself."""
    example = one.example
    if example is None:
        return one
    kwargs = dict(zip(example.kwargs, map(_value, example.kwargs.values()), strict=True))
    return replace(one, example=Example(tuple(map(_value, example.args)), kwargs, example.source))


def _received(one: Finding) -> Finding:
    """The finding that it was."""
    example = one.example
    if example is None:
        return one
    kwargs = {name: _loaded(value) for name, value in example.kwargs.items()}
    return replace(one, example=Example(_all(example.args), kwargs, example.source))


def _all(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(map(_loaded, values))


def _value(value: Any) -> tuple[bytes, str]:
    """A value as bytes, none where it can't be written down, and as text."""
    file = io.BytesIO()
    try:
        _Pickler(file).dump(value)
    except Exception:  # whatever its class does when it is written down
        file = io.BytesIO()
    return file.getvalue(), _text(value)


def _text(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _loaded(value: tuple[bytes, str]) -> Any:
    """The value, or its text."""
    data, text = value
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except Exception:
        return text
