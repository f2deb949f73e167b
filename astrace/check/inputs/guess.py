"""Arguments for a function that nobody gave any for: from its annotations and defaults, else by trying.

A guess is good if the function returns with it.  Arrays of a few floats come first, then matrices, numbers, whole
numbers, strings, lists; all parameters alike before they are mixed.
"""

from __future__ import annotations

import inspect
import itertools
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.check.compare.observe import Call, observe
from astrace.check.inputs.code_constants import Mined
from astrace.check.isolation.time_limits import is_out_of_time
from astrace.check.sandbox.world import World
from astrace.ir.constants import is_hashable

MOST_TRIES: Final = 120
VECTOR: Final = np.array([1.0, 2.5, -0.5])
CANDIDATES: Final[tuple[Any, ...]] = (
    VECTOR,
    1.5,
    2,
    np.array([[2.0, 0.5, 0.0], [0.5, 3.0, 1.0], [0.0, 1.0, 4.0]]),
    np.array([1, 2, 3]),
    [1.0, 2.0, 3.0],
    "a",
    True,
    np.array([True, False, True]),
    (1.0, 2.0),
)
"""Values to try for a parameter of which nothing is known."""

ANNOTATED: Final[Mapping[Any, tuple[Any, ...]]] = {
    np.ndarray: (VECTOR, CANDIDATES[3], CANDIDATES[4]),
    float: (1.5, 0.25),
    int: (2, 1),
    complex: (1.5 + 0.5j,),
    bool: (True,),
    str: ("a",),
    bytes: (b"a",),
    list: ([1.0, 2.0, 3.0],),
    tuple: ((1.0, 2.0),),
    dict: ({"a": 1.0},),
    Sequence: ([1.0, 2.0, 3.0],),
}
"""Values to try for a parameter, by the type of its annotation."""


def guesses(function: Callable[..., Any], mined: Mined, world: World, most: int = 1) -> list[Call]:
    """Calls that the function returns from.

    Args:
        function: the function.
        mined: constants of its code; its strings may be modes.
        world: the state around it, which is put back after each try.
        most: how many calls are wanted.
    """
    found: list[Call] = []
    for call in itertools.islice(_tries(function, mined), MOST_TRIES):
        with world.sandbox() as before:
            outcome = observe(function, call.copy(), before, 1.0)
        if outcome.error is None and not outcome.late:
            found.append(call)
        if len(found) >= most or is_out_of_time():
            break
    return found


def _tries(function: Callable[..., Any], mined: Mined) -> Iterator[Call]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    wanted = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    hints = _hints(function)
    columns = [_candidates(hints.get(one.name, one.annotation), mined) for one in wanted]
    alike = zip(*(itertools.cycle(column) for column in columns), strict=False)
    longest = max(map(len, columns), default=1)
    rows = itertools.chain(itertools.islice(alike, longest), _mixed(columns)) if columns else iter([()])
    for row in rows:
        yield _call(wanted, row)


def _mixed(columns: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield all combinations, those with early candidates first."""
    indexes = itertools.product(*(range(min(len(column), 7)) for column in columns))
    ranked = sorted(itertools.islice(indexes, 3000), key=sum)
    yield from (tuple(column[index] for column, index in zip(columns, row, strict=True)) for row in ranked)


def _call(parameters: list[inspect.Parameter], row: tuple[Any, ...]) -> Call:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter, value in zip(parameters, row, strict=True):
        if parameter.kind is parameter.KEYWORD_ONLY:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return Call(tuple(args), kwargs, "guessed")


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # annotations may name what does not exist
        return {}


def _candidates(annotation: Any, mined: Mined) -> list[Any]:
    """Return candidates to pass for an annotation; for none, all candidates."""
    origin = typing.get_origin(annotation) or annotation
    options = typing.get_args(annotation)
    if origin is typing.Literal:
        return list(options)
    known = ANNOTATED.get(origin) if is_hashable(origin) else None
    if known is not None:
        return [*known, *mined.strings[:3]] if origin is str else list(known)
    if options and origin is not annotation and not isinstance(origin, type):
        return [one for option in options for one in _candidates(option, mined)] or list(CANDIDATES)
    return [*CANDIDATES, *mined.strings[:3]]
