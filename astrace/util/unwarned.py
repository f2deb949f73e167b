"""Warnings of what astrace does for itself: the program gives its own, when it runs.

`warnings.catch_warnings` is not for that: it has Python forget which warnings were shown already, so that they come twice, and
where another thread uses it at the same time it puts back the wrong list of filters.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Generator
from typing import Any


@contextlib.contextmanager
def unwarned(file: str | None = None) -> Generator[None]:
    """Silence warnings inside, in all threads.

    Args:
        file: the file of which Python's compiler is to say nothing; then all other warnings are given as ever.

    Example:
        >>> with warnings.catch_warnings(record=True) as seen, unwarned():
        ...     warnings.warn("late")
        >>> seen
        []
    """
    name = None if file is None else re.compile(re.escape(file.removesuffix(".py")) + r"\Z")
    filters: list[Any] = warnings.filters  # type: ignore[reportAssignmentType]
    ignoring = "ignore", None, Warning, name, 0
    filters.insert(0, ignoring)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # another thread may have emptied the list
            filters.remove(ignoring)
