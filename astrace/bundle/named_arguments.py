"""The arguments of a call by the names of parameters, as those of a call.

Takes parameters and a dict; gives positional and keyword arguments.  Whether a graph was made for them is asked elsewhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.errors import InvalidArgument

SPREAD: Final[Mapping[Any, Any]] = {
    inspect.Parameter.VAR_POSITIONAL: (tuple, list),
    inspect.Parameter.VAR_KEYWORD: Mapping,
}
"""What stands by name for the arguments that parameters of a kind take."""


def spread(parameters: Sequence[inspect.Parameter], arguments: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments by name as those of a call; positional ones by position as far as there is no gap.

    Args:
        parameters: those that a call gives something to.
        arguments: a dict; what ``*args`` takes is a tuple in it, what ``**kwargs`` takes a dict.

    Raises:
        InvalidArgument: they are no such dict.

    Example:
        >>> parameters = list(inspect.signature(lambda x, *rest, **named: 0).parameters.values())
        >>> spread(parameters, {"x": 1, "rest": (2, 3), "named": {"y": 4}})
        ([1, 2, 3], {'y': 4})
    """
    if not _is_spread(parameters, arguments):
        names = ", ".join(one.name for one in parameters)
        message = f"run: arguments are given as a dict by the names {names}, not as {arguments!r:.80}"
        raise InvalidArgument(message)
    args: list[Any] = []
    kwargs = dict(arguments)
    for parameter in parameters:
        if parameter.name not in kwargs or parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                break
        elif parameter.kind is parameter.VAR_POSITIONAL:
            args += kwargs.pop(parameter.name)
        elif parameter.kind is parameter.VAR_KEYWORD:
            kwargs |= kwargs.pop(parameter.name)
        else:
            args.append(kwargs.pop(parameter.name))
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD and parameter.name in kwargs:
            kwargs |= kwargs.pop(parameter.name)
    return args, kwargs


def _is_spread(parameters: Sequence[inspect.Parameter], arguments: Any) -> bool:
    """Return whether arguments are named by texts, and those of ``*args`` and ``**kwargs`` can be spread."""
    if not isinstance(arguments, Mapping):
        return False
    held: Mapping[Any, Any] = arguments
    rest = [
        (held[one.name], SPREAD[one.kind]) for one in parameters if one.kind in SPREAD and one.name in held
    ]
    names = [*held, *(name for given, _ in rest if isinstance(given, Mapping) for name in given)]
    return all(isinstance(name, str) for name in names) and all(isinstance(one, forms) for one, forms in rest)
