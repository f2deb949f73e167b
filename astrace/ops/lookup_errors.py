"""What Python writes into an ``AttributeError`` that leaves the lookup of an attribute."""

from __future__ import annotations

from typing import Any


class _Asked:
    """Raises an exception when it is asked for an attribute."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __getattr__(self, name: str) -> Any:
        raise self.error


def tell_lookup(error: BaseException, name: str, owner: Any) -> None:
    """Have Python complete an exception, if it would: whether it was made with a name can't be seen.

    Args:
        error: an ``AttributeError`` that is about to be raised.
        name: the attribute that is looked up.
        owner: the object that was asked for it.

    Example:
        >>> error = AttributeError("no size")
        >>> tell_lookup(error, "size", 3.5)
        >>> error.name, error.obj
        ('size', 3.5)
    """
    asker, before, path = _Asked(error), error.__context__, error.__traceback__
    try:
        getattr(asker, name)
    except AttributeError:
        error.__traceback__, error.__context__ = path, before
    if getattr(error, "obj", None) is asker:
        error.obj = owner  # type: ignore[attr-defined]
