"""``raise`` and ``assert``, and exceptions that Python raises while tracing."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, Final

from astrace.ir.constants import UNSET, is_exception_class, same
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.stop_iteration import check_end
from astrace.tracing.operators.control.branches import cond
from astrace.tracing.operators.data.attribute_errors import check_lookup
from astrace.tracing.record import record
from astrace.tracing.scopes import error_location
from astrace.tracing.signals import Leaves
from astrace.tracing.values.operands import is_traced

__all__ = ["assert_", "raise_", "raise_while_tracing"]


def raise_(error: Any = UNSET, cause: Any = UNSET) -> BaseException:
    """``raise error from cause``: gives the exception to raise, where Python itself can carry it on.

    Where a branch or a loop around is being recorded, raising is a node and the path ends here.
    """
    trace = current()
    if error is UNSET:
        return _reraise(trace)
    check_end(trace, error)
    if isinstance(error, type) and issubclass(error, BaseException):
        error = _new(trace, error)
    check_lookup(trace, error)
    if (
        isinstance(error, Exception)
        and not trace.state.is_outside(error)
        and not trace.recording_raises()
        and cause is UNSET
    ):
        trace.mark(error, certain=True)
        return error
    record(trace, "raise_", (error,) if cause is UNSET else (error, cause))
    raise Leaves


def _new(trace: Trace, cls: type[BaseException]) -> Any:
    """The exception that ``raise cls`` raises."""
    if not isinstance(cls.__new__, types.BuiltinFunctionType):
        trace.stop("AT202", f"`{cls.__name__}.__new__` may return something other than an exception")
    return trace.operators.call(cls)


def raise_while_tracing(error: Exception, what: str) -> None:
    """An exception raised while a region is traced: the region ends with raising it, at each call anew."""
    trace = current()
    check_end(trace, error)
    trace.catch(error, what)
    fields = made_with(error)
    if fields is None or any(map(is_traced, error.args)):
        trace.stop("AT202", f"{what} raises {type(error).__name__}: {error}")
    where = error_location(error)
    trace.raised_at = where if where and where.file == trace.function.__code__.co_filename else None
    record(trace, "raise_", (record(trace, "call", (type(error), *error.args), fields),))
    trace.raised_at = None


KEYWORDS: Final = ("name", "obj", "path", "name_from")
"""The keywords of Python's own exceptions, which are attributes, too."""


def made_with(error: BaseException) -> dict[str, Any] | None:
    """The keywords with which an exception's class makes one like it from its ``args``; ``None`` if it can't."""
    cls: type[BaseException] = type(error)
    if not is_exception_class(cls) or error.__cause__ is not None or error.__dict__:
        return None
    fields = [name for name in _fields(cls) if getattr(error, name, None) is not None]
    given = {name: getattr(error, name) for name in fields if name in KEYWORDS}
    again = cls(*error.args, **given)
    return given if all(same(getattr(again, name), getattr(error, name)) for name in fields) else None


def _fields(cls: type) -> Iterator[str]:
    """The names of the attributes that an exception class, written in C, has beside those of all exceptions."""
    for base in cls.__mro__[: -len(BaseException.__mro__)]:
        for name, member in vars(base).items():
            if isinstance(member, types.MemberDescriptorType) and not name.startswith("__"):
                yield name


def _reraise(trace: Trace) -> BaseException:
    error = trace.handled[-1] if trace.handled else None
    if isinstance(error, BaseException):
        return error
    record(trace, "reraise", () if error is None else (error,))
    raise Leaves


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message``."""

    def fail() -> Any:
        trace = current()
        error = AssertionError if message is None else trace.operators.call(AssertionError, message())
        raise raise_(error)

    cond(test, lambda: None, fail)
