"""Every error of astrace's own, and the reasons why code runs as plain Python.

The tree::

    AstraceError
    ├── NotCaptured       a function runs as plain Python where ``fullgraph=True`` forbids it
    ├── InvalidArgument   an option or argument of astrace's own functions is wrong
    ├── MissingExtra      something that is not installed is needed
    ├── BrokenBlock       a pass or a builder made a block that breaks a rule of the IR
    ├── SignatureMismatch a frozen graph is called with arguments that it was not made for
    ├── AssetError        a file that an operator was made from is missing, was changed, or is too large
    ├── StateChanged      state that the capture took as fixed changed in the middle of a call
    ├── NotInTrace        a trace of `astrace.observe` has no stage, call, value or item of that name
    ├── ForkedAfterJax    a process was forked after JAX had run, and calls what runs through JAX
    └── BundleError       a graph can't be saved, or a bundle is not one that is loaded; with a code

A user's own exceptions are never wrapped: they pass through untouched.  Each class is raised in one
place.  A `Reason` is the located, coded answer to "why is this plain Python?"; the codes are stable
and explained one by one in ``docs/reference/reasons.md``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import ReferenceType

from astrace.locations import Location, caller
from astrace.util.terminal import excerpt

AS_PLAIN: Final = "is called as plain Python: "
"""Stands after the name of a function and before the reason, where one call is left."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a function, a call or a statement was left to plain Python.

    Args:
        code: a stable code, ``AT`` and three digits.
        message: what stood in the way, in one sentence.
        location: the user's line, where there is one.
        hint: what to do about it.
        callee: the Python function whose call was left, if it is one; it may be gone by now.

    Example:
        >>> print(Reason("AT103", "`f` is an async function", None, "compile what it awaits"))
        AT103: `f` is an async function
          hint: compile what it awaits
    """

    code: str
    message: str
    location: Location | None = None
    hint: str = ""
    callee: ReferenceType[Callable[..., Any]] | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Reason, (self.code, self.message, self.location, self.hint)  # the callee is not pickled

    def __str__(self) -> str:
        return _located(f"{self.code}: {self.message}", self.location, self.hint)


def _located(message: str, location: Location | None, hint: str = "") -> str:
    """A message with the place that it is about, the line there, and what to do."""
    lines = [message]
    if location is not None:
        lines += [f"  at {location}", *(f"    {line}" for line in excerpt(location, message))]
    if hint:
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)


class AstraceError(Exception):
    """The base of every error that astrace itself raises; it can be pickled, and so comes out of another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, dict(vars(self)))


def _again(cls: type[AstraceError], args: tuple[Any, ...], held: dict[str, Any]) -> AstraceError:
    """An error with what another one holds, which its class need not be given in that form."""
    error = cls.__new__(cls, *args)
    vars(error).update(held)
    return error


class NotCaptured(AstraceError):
    """A function can't be captured whole, and ``fullgraph=True`` asked for that.

    Args:
        reason: what stood in the way, and where.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.reason)


class InvalidArgument(AstraceError, ValueError):
    """An argument of one of astrace's own functions is wrong; the message says which and what is accepted.

    Args:
        message: it says so.
        location: the line at fault; by default the user's line that called astrace.
    """

    def __init__(self, message: str, location: Location | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location: Location | None = location or caller()

    def __str__(self) -> str:
        return _located(self.message, self.location)


class SignatureMismatch(AstraceError, TypeError):
    """A frozen graph is called with arguments that it was not made for.

    Args:
        message: what was expected of which parameter, and what was given.
        hint: what to do about it.
        parameters: the names of the parameters that do not fit; none where the call passes other ones.
    """

    def __init__(self, message: str, hint: str, parameters: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.parameters = parameters
        self.location: Location | None = caller()

    def __str__(self) -> str:
        return _located(self.message, self.location, self.hint)


class MissingExtra(AstraceError, ImportError):
    """An optional package is needed; the message says how to install it."""

    @staticmethod
    def of(what: str, extra: str) -> MissingExtra:
        """Return the error for an extra of astrace's.

        Args:
            what: what needs what.
            extra: the extra that installs it.
        """
        command = f"pip install 'astrace[{extra}]'"
        is_kernel = "ipykernel" in sys.modules  # of a notebook, whose Python need not be that of a terminal
        return MissingExtra(
            f"{what}: run %{command} in a cell, which installs it for this kernel"
            if is_kernel
            else f"{what}: {command}"
        )


class BrokenBlock(AstraceError):
    """A block breaks a rule of the IR; the message names the rule, the node and the pass at fault."""


class AssetError(AstraceError, OSError):
    """A file that an operator was made from can't be captured, or is no longer what was captured.

    Args:
        message: what is wrong with it, which parameter named it, and what to do.
        path: the file or folder.
        code: ``missing``, ``changed``, ``too large``, ``too many`` or ``unreadable``.
    """

    def __init__(self, message: str, path: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.code = code

    def __str__(self) -> str:
        return self.message


class UncapturedFile(UserWarning):
    """An operator was made from a file that no argument of its constructor names, or that is never captured."""


class StateChanged(AstraceError, RuntimeError):
    """Something that the capture had taken as fixed was changed by a call in the middle of the function."""


class WrongResult(StateChanged):
    """An operator gave a result of another type than it was declared to give, with ``astrace.script(returns=...)``."""


class ForkedAfterJax(AstraceError, RuntimeError):
    """A process that was forked after JAX had run calls something that runs through JAX, which would hang."""


class NotInTrace(AstraceError, KeyError, AttributeError):
    """A trace holds nothing of that name; the message lists the names that are there."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class BundleError(AstraceError):
    """A graph can't be saved, or what was to be loaded is no bundle that is.

    Args:
        code: a stable code, ``AB`` and three digits, explained in ``docs/reference/bundle-format.md``.
        message: what stands in the way, in one sentence.
        hint: what to do about it.
        location: the user's line, where there is one.
    """

    def __init__(self, code: str, message: str, hint: str = "", location: Location | None = None) -> None:
        super().__init__(code, message, hint, location)
        self.code = code
        self.message = message
        self.hint = hint
        self.location = location

    def __str__(self) -> str:
        return _located(f"{self.code}: {self.message}", self.location, self.hint)
