"""Checks in the middle of a graph: what it takes as fixed is still so, after opaque code ran."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astrace.errors import StateChanged
from astrace.guards.access_paths import LOOKUP_ERRORS
from astrace.ir.constants import same


def check_unchanged(value: Any, expected: Any, path: str) -> None:
    """Check that something read after an opaque call is unchanged since tracing.

    Raises:
        StateChanged: it is not.
    """
    if value is not expected and not same(value, expected):
        raise StateChanged(_changed(path))


def check_still(looked_up_again: Callable[..., str | None], *objects: Any) -> None:
    """Check that the lookups made before an opaque call would still find the same.

    Args:
        looked_up_again: tells what is not, for the objects.
        objects: those that are looked at.

    Raises:
        StateChanged: it is not.
    """
    try:
        changed = looked_up_again(*objects)
    except LOOKUP_ERRORS as error:
        changed = str(error)
    if changed is not None:
        raise StateChanged(_changed(changed))


def _changed(what: str) -> str:
    return f"`{what}` was changed by a call in the middle of the function, after it had been captured"


def check_array(array: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Make sure that an array which opaque code was given still has its shape and type.

    Raises:
        StateChanged: it has not.
    """
    if array.shape != shape or array.dtype != dtype:
        raise StateChanged(
            "a call in the middle of the function changed the shape or type of an array in place"
        )
