"""Dependencies of a cached function besides its arguments: a source that it asks, a place that can change.

Its results are kept, by ``functools.lru_cache``, so a frozen graph has one as a constant.  That is legitimate as long
as the function gives the same for the same arguments; its code says whether it does, without running it.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

from astrace.check.mutate.immutable_places import can_hold_another
from astrace.check.sandbox.impure_sources import source_of
from astrace.check.sandbox.reachable import Reach, names_in, unwrapped

CACHED: Final = type(functools.lru_cache(len))
"""The type of functions with a cache."""


def asks(function: Any) -> str:
    """Name the state of the world that a function, or a helper of it, reads; empty where nothing is known.

    Example:
        >>> import time
        >>> def stamp():
        ...     return time.time()
        >>> asks(functools.lru_cache(stamp))
        'the clock, the time zone'
    """
    helpers = [one for _, one in Reach(function).owners if isinstance(one, types.FunctionType)]
    called = (one for helper in helpers for one in _called(helper))
    return next(filter(None, map(source_of, called)), "")


def reads(function: Any, changer: Callable[[str], str]) -> tuple[str, str]:
    """The first place that a function reads and that can change, and who changes it; empty where nothing is known.

    Args:
        function: the function.
        changer: gives the name of the function that changes what a path leads to, or nothing.
    """
    places = Reach(function).places
    changed = next(((one.path, who) for one in places if (who := changer(one.path))), None)
    held = (one.path for one in places if lies_in_object(one.path) and can_hold_another(one.owner, one.key))
    return changed or (next(held, ""), "")


def lies_in_object(path: str) -> bool:
    """Return whether a path leads into an object that can change: an item, an attribute."""
    return "." in path or "[" in path


def _called(function: types.FunctionType) -> Iterator[Any]:
    """The callables that a function's code may mean: globals, attributes of modules."""
    names, space = names_in(function.__code__), function.__globals__
    for name in names:
        found = unwrapped(space.get(name))
        if isinstance(found, types.ModuleType):
            yield from (vars(found)[part] for part in names if part in vars(found))
        elif found is not None:
            yield found
