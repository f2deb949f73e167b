"""Ways to keep objects with inner state: generators of numbers, streams, files, iterators, contexts.

For each kind: what it holds now, what of it is another one, how it is put back, and other contents for a trial.  The
rows are put into the table of ``savers``.
"""

from __future__ import annotations

import array
import copy
import decimal
import io
import os
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

Parts: TypeAlias = tuple[
    Callable[[Any], Any],
    Callable[[Any, Any], Iterator[tuple[str, Any]]],
    Callable[[Any, Any], None],
    Callable[[Any], Sequence[Any]],
]
"""The parts of a keeper."""


def _none(saved: Any) -> Sequence[Any]:  # noqa: ARG001
    return ()


def _by_value(
    get: Callable[[Any], Any],
    put: Callable[[Any, Any], Any],
    told: Callable[[Any], Any],
    others: Callable[[Any], Sequence[Any]] = _none,
) -> Parts:
    """Return the functions to keep an object by a value that it gives anew each time, reported in a short form."""

    def changes(owner: Any, saved: Any) -> Iterator[tuple[str, Any]]:
        now = get(owner)
        if not _equal(now, saved):
            yield "", told(now)

    def restore(owner: Any, saved: Any) -> None:
        if not _equal(get(owner), saved):
            put(owner, saved)

    return get, changes, restore, others


def _digest(state: Any) -> str:
    """Return a short text that differs for different states of a random generator."""
    return f"another state ({zlib.crc32(b' '.join(_spelled(state))):08x})"


def _spelled(state: Any) -> Iterator[bytes]:
    """The state of a generator, part by part."""
    if isinstance(state, dict):
        for key, item in state.items():
            yield str(key).encode()
            yield from _spelled(item)
    else:
        yield state.tobytes() if isinstance(state, np.ndarray) else repr(state).encode()


def _equal(left: Any, right: Any) -> bool:
    """Return whether two states of a generator or a stream are the same."""
    if isinstance(left, np.ndarray):
        return left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return all(_equal(item, right[key]) for key, item in reversed(left.items()))
    return bool(left == right)


def _stream(owner: Any) -> tuple[Any, int]:
    return (owner.getvalue(), owner.tell()) if not owner.closed else (None, 0)


def _rewind(owner: Any, saved: tuple[Any, int]) -> None:
    owner.seek(0)
    owner.truncate()
    owner.write(saved[0])
    owner.seek(saved[1])


def _array_put(owner: array.array[Any], saved: bytes) -> None:
    found: array.array[Any] = array.array(owner.typecode)
    found.frombytes(saved)
    owner[:] = found


def _reversed_bytes(saved: bytes) -> Sequence[bytes]:
    """The items in the other order of their bytes: other numbers of the same kind."""
    return (saved[::-1],)


def _generator_state(owner: Any) -> Any:
    return owner.bit_generator.state


def _set_generator_state(owner: Any, state: Any) -> None:
    owner.bit_generator.state = state


CONTEXT: Final = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def decimal_state(context: decimal.Context) -> tuple[Any, ...]:
    """Return the state of a decimal context."""
    settings = tuple(getattr(context, name) for name in CONTEXT)
    return settings, dict(context.flags), dict(context.traps)


def put_decimal_state(context: decimal.Context, state: tuple[Any, ...]) -> None:
    """Put a decimal context back into a state."""
    settings, flags, traps = state
    for name, value in zip(CONTEXT, settings, strict=True):
        setattr(context, name, value)
    context.flags.update(flags)
    context.traps.update(traps)


def other_decimals(state: tuple[Any, ...]) -> Sequence[Any]:
    """Return the state of a decimal context with another precision."""
    (precision, *settings), flags, traps = state
    return (((precision + 3, *settings), flags, traps),)


def _open_file(owner: Any) -> tuple[int, int] | None:
    """Return the position in an open file and its size; nothing where nobody can tell."""
    try:
        return owner.tell(), os.fstat(owner.fileno()).st_size
    except (OSError, ValueError):  # closed, a pipe, or being iterated over
        return None


def _rewind_file(owner: Any, saved: tuple[int, int] | None) -> None:
    if saved is None or owner.closed:
        return
    position, size = saved
    if owner.writable():
        owner.flush()
        if os.fstat(owner.fileno()).st_size > size:
            os.truncate(owner.fileno(), size)
    owner.seek(position)


def _iterator_state(owner: Any) -> Any:
    """Return how far an iterator has come: the state of which it would be made again."""
    return owner.__reduce__()[2:]


def _restore_iterator(owner: Any, saved: Any) -> None:
    if saved:
        owner.__setstate__(saved[0])


ITERATORS: Final = (type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")), type(iter(b"")))
"""Iterators that can be set back; one that has come to its end can't."""


def _other_random(saved: Any) -> Sequence[Any]:  # noqa: ARG001
    return (random.Random(12345).getstate(),)  # noqa: S311


def _other_legacy(saved: dict[str, Any]) -> Sequence[Any]:
    known = saved.get("bit_generator") == "MT19937"
    return (np.random.RandomState(12345).get_state(legacy=False),) if known else ()


def _other_generator(saved: dict[str, Any]) -> Sequence[Any]:
    """The state of another generator of the same kind."""
    kind = getattr(np.random, str(saved.get("bit_generator")), None)
    return () if kind is None else (copy.deepcopy(kind(12345).state),)


CONTENTS: Final[tuple[tuple[type | tuple[type, ...], Parts], ...]] = (
    (np.random.Generator, _by_value(_generator_state, _set_generator_state, _digest, _other_generator)),
    (
        np.random.RandomState,
        _by_value(
            lambda owner: owner.get_state(legacy=False),
            lambda owner, state: owner.set_state(state),
            _digest,
            _other_legacy,
        ),
    ),
    (
        random.Random,
        _by_value(
            lambda owner: owner.getstate(), lambda owner, state: owner.setstate(state), _digest, _other_random
        ),
    ),
    (array.array, _by_value(lambda owner: owner.tobytes(), _array_put, lambda saved: saved, _reversed_bytes)),
    (decimal.Context, _by_value(decimal_state, put_decimal_state, lambda state: state, other_decimals)),
    (ITERATORS, _by_value(_iterator_state, _restore_iterator, lambda state: f"another position {state}")),
    ((io.StringIO, io.BytesIO), _by_value(_stream, _rewind, lambda state: state[0])),
    (io.IOBase, _by_value(_open_file, _rewind_file, lambda state: f"another position {state}")),
)
"""Their keepers, by class."""
