"""`script`: declares a class or a function to be an operator, a part of pipelines.

A class stays the class that it is, and so do its instances: only its constructor takes note of what it is called with
(``constructors``).  A function stays the function that it is.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar, overload

from astrace.errors import InvalidArgument
from astrace.ops.callables.operators import OPERATORS
from astrace.ops.callables.purity import subject
from astrace.ops.promised import DECLARED_RESULTS, result_spec
from astrace.pipelines.choices import Choices, chosen
from astrace.pipelines.constructors import CONSTRUCTIONS, record_constructor
from astrace.util.validation import shown

T = TypeVar("T", bound="Callable[..., Any]")

AssetChoice: TypeAlias = "Mapping[str, bool] | Iterable[str] | None"
"""The parameters whose files are captured: by name whether they are, or the names of those that are."""


@overload
def script(target: T, /, *, assets: AssetChoice = None, returns: Any = None) -> T: ...
@overload
def script(
    target: None = None, /, *, assets: AssetChoice = None, returns: Any = None
) -> Callable[[T], T]: ...
def script(target: Any = None, /, *, assets: AssetChoice = None, returns: Any = None) -> Any:
    """Make a class or a function an operator, whose calls `astrace.trace` captures.

    In a traced pipeline a call of an operator becomes a part of the graph where it computes with numbers and arrays, and one
    node where it does anything else: works on strings, holds state, reads files.  Anywhere else it is what it was.

    Args:
        target: a class with ``__call__``, or a function; without it a decorator is given.
        assets: the constructor's parameters whose values are taken for paths: ``{"vocabulary": True, "label": False}``, or
            the names of the only ones.  By default every value is that names an existing file or folder.
        returns: an example of what calls give: a number, an array, or tuples and lists of them.  Results are of the same types, dtypes
            and numbers of dimensions, of any sizes; in a graph another one raises `WrongResult`, and what follows from one is typed.

    Returns:
        What it was given.

    Raises:
        InvalidArgument: it is neither a class nor a function written in Python, or has no such parameters; or the example
            is of no such type.

    Example:
        >>> import numpy as np
        >>> import astrace
        >>> @astrace.script
        ... class Tokenise:
        ...     def __init__(self, words):
        ...         self.ids = {word: number for number, word in enumerate(words)}
        ...     def __call__(self, text):
        ...         return [self.ids[word] for word in text.split()]
        >>> tokenise = Tokenise(["a", "b"])
        >>> def count(text):
        ...     total = 0
        ...     for number in tokenise(text):
        ...         total = total + number
        ...     return total
        >>> graph = astrace.trace(count, "a b")
        >>> graph("b b b a")
        3
    """
    if target is None:
        return functools.partial(script, assets=assets, returns=returns)
    spec = None if returns is None else result_spec(returns)
    if returns is not None and spec is None:
        words = "accepted are numbers, arrays, and tuples and lists of them that are not empty"
        raise InvalidArgument(f"script: returns={shown(returns)}; {words}")
    choices = chosen("script", assets)
    if isinstance(target, type):
        _declare_class(target, choices)
    elif not isinstance(target, types.FunctionType):
        message = (
            f"script: {target!r} is neither a class nor a function written in Python; wrap it in a function"
        )
        raise InvalidArgument(message)
    elif assets is not None:
        raise InvalidArgument("script: assets given with a function; only constructors have files")
    OPERATORS.add(target, pure=False)
    DECLARED_RESULTS.declare(subject(target), spec)
    return target


def _declare_class(cls: type, choices: Choices) -> None:
    try:
        signature = record_constructor(cls)
    except TypeError as error:
        message = f"script: {cls.__qualname__} can't be changed ({error}); derive a class from it in Python"
        raise InvalidArgument(message) from None
    choices.check("script", cls.__qualname__, signature.parameters)
    CONSTRUCTIONS.choose(cls, choices)
