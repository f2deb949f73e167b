"""Keys: their parts, the axes that these apply to, and keys of views as keys of the whole array."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import FULL, Array, Number, Static, View
from astrace.backends.jax.program_ir import Atom, Lit
from astrace.ir.specs import INT as PYTHON_INT


@dataclass(frozen=True, slots=True)
class Slice:
    """``start:stop:step`` with bounds that are known when JAX traces."""

    start: Atom | None
    stop: Atom | None
    step: Atom | None

    @property
    def is_whole(self) -> bool:
        """Whether it is just ``:``."""
        return self.start is None and self.stop is None and self.step is None


@dataclass(frozen=True, slots=True)
class Loose:
    """``start:stop:step`` of which a bound depends on data: see ``slices``."""

    start: Number | None
    stop: Number | None
    step: Number | None


Part: TypeAlias = Number | Array | Slice | Loose | Static
"""One part of a key; ``Static`` for an ellipsis or a new axis."""


# -- where parts apply -------------------------------------------------------------------------------------


def axes(parts: Sequence[Part], rank: int) -> list[int]:
    """For each part the axis it applies to, or the first of several; ``-1`` for a new axis."""
    counts = [consumed(part) for part in parts]
    left = rank - sum(counts)
    found: list[int] = []
    axis = 0
    for part, count in zip(parts, counts, strict=True):
        found.append(-1 if isinstance(part, Static) and not is_dots(part) else axis)
        axis += left if is_dots(part) else count
    return found


def consumed(part: Part) -> int:
    """To how many axes a part applies, an ellipsis aside."""
    match part:
        case Static():
            return 0
        case Array() if part.spec.dtype == BOOL:
            return len(part.spec.shape)
        case _:
            return 1


def is_dots(part: Part) -> bool:
    """Whether a part is an ellipsis."""
    return isinstance(part, Static) and part.value is ...


def is_all(part: Part) -> bool:
    """Whether a part of a key leaves all as it is."""
    return part.is_whole if isinstance(part, Slice) else isinstance(part, Static) and part.value is ...


def key_text(state: Lowering, parts: Sequence[Part]) -> tuple[str, list[Atom]]:
    """A key as text with holes, and what the holes stand for."""
    args: list[Atom] = []

    def hole(atom: Atom) -> str:
        args.append(atom)
        return f"{{{len(args) - 1}}}"

    def text(part: Part) -> str:
        match part:
            case Number():
                return hole(part.atom)
            case Array():
                return hole(state.read(part))
            case Static():
                return "..." if part.value is ... else "None"
            case Slice():
                step = "" if part.step is None else f":{hole(part.step)}"
                bounds = ["" if one is None else hole(one) for one in (part.start, part.stop)]
                return f"{bounds[0]}:{bounds[1]}{step}"
            case Loose():
                raise state.refusal("AT303", "the size of a slice depends on data")

    return ", ".join(map(text, parts)) or "()", args


def shifted(text: str, count: int) -> str:
    """A key text whose holes are numbered from ``count`` on."""
    return HOLE.sub(lambda match: f"{{{int(match[1]) + count}", text)


HOLE: Final = re.compile(r"\{(\d+)")


# -- keys of views -----------------------------------------------------------------------------------------


def item_view(text: str, args: Sequence[Atom], rank: int, parts: Sequence[Part], array: Array) -> View:
    """The view of a part of an array under a key."""
    return View("item", text, tuple(args), rank, tuple(parts), array)


def whole_key(state: Lowering, array: Array, parts: Sequence[Part]) -> tuple[Array, list[Part]]:
    """A key of a part as one of the array that the part is of: ``x[i][j]`` is ``x[i, j]``, ``x[2:][j]`` is ``x[2 + j]``.

    Args:
        state: the lowering.
        array: the array that the key is for.
        parts: its parts, whose indices are inside.

    Returns:
        The array and the parts themselves where the key can't be one.
    """
    last = array.path[-1] if array.path else None
    if last is None or last.owner is None:
        return array, list(parts)
    inner = _by_axis(parts, last.rank)
    outer = _by_axis(last.key, len(last.owner.spec.shape))
    if inner is None or outer is None:
        return array, list(parts)
    found: list[Part] = []
    rest = iter(inner)
    for axis, part in enumerate(outer):
        joined = part if isinstance(part, Number) else _joined(state, last.owner, axis, part, next(rest))
        if joined is None:
            return array, list(parts)
        found.append(joined)
    while is_all(found[-1]) and len(found) > 1:
        found.pop()
    return replace(last.owner, extents=()), found


def _by_axis(parts: Sequence[Part], rank: int) -> list[Part] | None:
    """One part for each axis; ``None`` where there are new axes, or arrays of indices."""
    if any(not isinstance(one, Number | Slice) and not is_dots(one) for one in parts):
        return None
    whole: Part = Slice(None, None, None)
    found: list[Part] = []
    left = rank - sum(map(consumed, parts))
    for part in parts:
        found += [whole] * left if is_dots(part) else [part]
    return found + [whole] * (rank - len(found))


def _joined(state: Lowering, owner: Array, axis: int, outer: Part, inner: Part) -> Part | None:
    """A part of a key of a part as one of the whole; ``None`` where that is none."""
    if is_all(outer):
        return inner
    if is_all(inner):
        return outer
    if not isinstance(outer, Slice) or not isinstance(inner, Number):
        return None
    if _is_plain(outer) and inner.bounds[0] >= 0 and inner.spec == PYTHON_INT:
        start = outer.start or Lit(0)
        return replace(
            inner, atom=state.once("{0:10} + {1:11}", (start, inner.atom), INT, level=10), bounds=FULL
        )
    text, args = key_text(state, [outer])
    limit = size(state, owner, axis).atom
    places = f"support.place(range({{0}})[{shifted(text, 2)}], {{1}})"
    return Number(state.once(places, (limit, inner.atom, *args), INT), PYTHON_INT)


def _is_plain(part: Slice) -> bool:
    """Whether a slice, if it holds anything, leaves out as many items as its start says, and none in between."""
    counted = part.start is None or (isinstance(part.start, Lit) and part.start.value >= 0)
    return counted and part.step in (None, Lit(1))
