"""Arguments of operators that are views of one array, which they would not be any more when the operators are made again.

Takes the operators of a pipeline, as they were made; says which one was given such an array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.pipelines.constructors import construction_of
from astrace.pipelines.records import PipelineRecord
from astrace.util.array_memory import overlap

Array: TypeAlias = np.ndarray[Any, Any]


def overlapping_arguments(pipeline: PipelineRecord) -> tuple[str, str] | None:
    """The first operator that was given an array which has memory in common with another one that an operator was given.

    Args:
        pipeline: operators that were recorded.

    Returns:
        Its name, and what it was given; ``None`` where there is none.
    """
    met: dict[int, list[Array]] = {}
    for name, parameter, array in _given(pipeline):
        others = met.setdefault(id(_owner(array)), [])
        if any((array.flags.writeable or one.flags.writeable) and overlap(array, one) for one in others):
            return name, OVERLAPPING.format(parameter)
        others.append(array)
    return None


OVERLAPPING: Final = "its argument `{}` holds an array that has memory in common with another array that an operator is made from: made again, it has memory of its own"


def _given(pipeline: PipelineRecord) -> Iterator[tuple[str, str, Array]]:
    """The arrays that operators were made from, each once, with the operator and the parameter."""
    seen: dict[int, Any] = {}
    for name, operator in pipeline.names.values():
        found = construction_of(operator)
        for given in () if found is None else found.arguments:
            yield from ((name, given.parameter, array) for array in _arrays(given.value, seen))


def _arrays(value: Any, seen: dict[int, Any]) -> Iterator[Array]:
    """The arrays in an argument that were not seen before."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        yield value
    for part in _parts(value):
        yield from _arrays(part, seen)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, one.name, None) for one in fields(value)]
    return value if isinstance(value, list | tuple) else ()


def _owner(array: Array) -> Any:
    """What an array has its memory from."""
    owner: Any = array
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    return owner
