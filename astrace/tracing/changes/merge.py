"""Joining what different branches lead to: results, changed objects, changed outside state.

What all branches agree on stays as it is.  Numbers, and anything that differs, become outputs of the
control node.  Tuples, and containers made inside the branches, are merged item by item.
"""

from __future__ import annotations

import types
from collections.abc import Generator, Hashable, Sequence
from contextlib import contextmanager
from typing import Any

from astrace.ir.block import Block, Constant, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import Spec
from astrace.tracing.changes.journal import (
    MISSING,
    UNKNOWN,
    WALKED,
    Creation,
    Site,
    content,
    is_tree,
    keys,
    restore,
)
from astrace.tracing.context import Region, Trace
from astrace.tracing.external.value_identity import ChosenTuple, ValuePart
from astrace.tracing.restart import guess
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import BoundMethod, TracedPartial
from astrace.tracing.values.operands import is_one, joined, keep_distinguishable, kept_operand, spec_of_items
from astrace.util.trees import is_namedtuple, tuple_like


@contextmanager
def writing(trace: Trace, region: Region) -> Generator[None]:
    """Write into a region that has been traced already."""
    outer, trace.recorder = trace.recorder, region.recorder
    try:
        yield
    finally:
        trace.recorder = outer


def stays(trace: Trace, value: Any) -> bool:
    """Return whether a value means the same outside the regions that have ended."""
    if isinstance(value, Tracer):
        return trace.recorder.reachable(value.value)
    source = trace.state.wholes.source(value)
    if isinstance(source, ValuePart) and not trace.recorder.reachable(source.whole.value):
        return False
    if isinstance(source, ChosenTuple) and not stays(trace, source.which):
        return False
    birth = trace.journal.birth(value)
    if birth is not None and birth.depth > trace.journal.depth:
        return False
    return all(stays(trace, part) for part in _parts(value))


def _parts(value: Any) -> Sequence[Any]:
    """Return what a tuple, or a callable that stands for itself, is made of."""
    match value:
        case TracedPartial():
            return (value.func, *value.args, *value.keywords.values())
        case BoundMethod():
            return (value.owner,)
        case types.MethodType():
            return (value.__self__,)
        case _:
            return value if type(value) is tuple or is_namedtuple(value) else ()


class Merger:
    """Collects the outputs of a control node while merging what its regions lead to.

    Args:
        trace: the trace that is going on.
        regions: all regions, in the node's order; those that leave contribute nothing.
    """

    def __init__(self, trace: Trace, regions: Sequence[Region]) -> None:
        self.trace = trace
        self.regions = regions
        self.live = [region for region in regions if not region.leaves]
        self.outputs: list[Value] = []
        self._operands: list[list[Operand]] = [[] for _ in regions]
        self._merged: dict[tuple[int, ...], Any] = {}

    def results(self) -> Any:
        """The merged result of all regions; changed objects and state are merged as well."""
        result = self.merge([region.result for region in self.live])
        self._objects()
        self._slots()
        return result

    def merge(self, values: Sequence[Any]) -> Any:
        """Merge the values of all live regions into one trace-level object."""
        first = values[0]
        if all(is_one(self.trace, value, first) for value in values) and stays(self.trace, first):
            return first
        if isinstance(first, Tracer):
            origins = {self._origin(value) for value in values}
            if len(origins) == 1 and self.trace.recorder.reachable(first.value):
                return first
        if self._alike_tuples(values):
            return self._merge_tuples(values)
        if self._made_inside(values):
            return self._merge_made(values)
        return self.output(values)

    def _merge_tuples(self, values: Sequence[Any]) -> Any:
        """Merge tuples item by item; where one is from outside, remember also which object the branch selects."""
        merged = tuple_like(values[0], [self.merge(column) for column in zip(*values, strict=True)])
        wholes = self.trace.state.wholes
        outer = self.trace.recorder
        lives = any(wholes.is_mixed(value) or wholes.lives_in(value, outer) for value in values)
        if any(map(wholes.is_born, values)):
            wholes.born(merged, outer)
        if lives and not self.trace.plan.tuples:
            wholes.mix(merged)
        elif lives:
            wholes.remember(merged, ValuePart(self.output(values)))
        elif any(wholes.source(value) is not None for value in values):
            found = [wholes.which(value) for value in values]
            told = all(one is not None for one in found)
            wholes.remember(
                merged, ChosenTuple(self.merge(found)) if told else ValuePart(self.output(values))
            )
        return merged

    def output(self, values: Sequence[Any]) -> Tracer:
        """An output of the node."""
        given = iter(values)
        specs: list[Spec] = []
        for region, operands in zip(self.regions, self._operands, strict=True):
            if region.leaves:
                operands.append(Constant(UNSET))
                continue
            with writing(self.trace, region):
                operands.append(kept_operand(self.trace, next(given)))
            specs.append(operands[-1].spec)
        value = Value(joined(self.trace, *specs))
        for operands in self._operands:
            keep_distinguishable(self.trace, operands[-1], value.spec)
        self.outputs.append(value)
        return Tracer(self.trace, value)

    def blocks(self, extra: Sequence[Sequence[Operand]] = ()) -> tuple[tuple[Block, ...], list[Value]]:
        """The finished regions, and the outside values they capture, in the order of their inputs."""
        captured = list(dict.fromkeys(value for region in self.regions for value in region.recorder.captures))
        front = list(extra) or [()] * len(self.regions)
        pairs = zip(self.regions, front, self._operands, strict=True)
        blocks = tuple(
            region.recorder.block([*first, *operands], captured) for region, first, operands in pairs
        )
        return blocks, captured

    def _origin(self, value: Any) -> Any:
        return self.trace.recorder.origin(value.value) if isinstance(value, Tracer) else id(value)

    def _alike_tuples(self, values: Sequence[Any]) -> bool:
        first = values[0]
        if type(first) is not tuple and not is_namedtuple(first):
            return False
        return all(type(value) is type(first) and len(value) == len(first) for value in values)

    # -- objects made while tracing --------------------------------------------------------------------

    def _made_inside(self, values: Sequence[Any]) -> bool:
        """Return whether all values are alike containers that nothing else refers to, or that must not change anyway."""
        births = [self.trace.journal.birth(value) for value in values]
        if None in births:
            return False
        first, held = values[0], self._contents(values)
        of_jax = any(map(is_tree, births))  # a program that makes such trees seldom changes them
        return all(
            birth is not None
            and (birth.depth > self.trace.journal.depth or bool(birth.sources) or of_jax)
            and type(value) is type(first)
            and not isinstance(first, set | BaseException)
            and (_same_keys([held[0], own]) or (type(first) is dict and _is_reordered(births, held[0], own)))
            for value, birth, own in zip(values, births, held, strict=True)
        )

    def _contents(self, values: Sequence[Any]) -> list[Any]:
        """Return what objects hold where their regions end: one from before them holds again what it held then."""
        changes = [
            region.changes.objects.get(id(value)) for region, value in zip(self.live, values, strict=True)
        ]
        return [
            content(value) if change is None else change.after
            for value, change in zip(values, changes, strict=True)
        ]

    def _merge_made(self, values: Sequence[Any]) -> Any:
        """Return a new object for alike ones; the same ones give the same object again."""
        key = tuple(map(id, values))
        if key not in self._merged:
            first = values[0]
            births = [self.trace.journal.births[id(value)] for value in values]
            sites: tuple[Site, ...] = tuple(birth.site for birth in births)
            for birth in births:
                if birth.depth <= self.trace.journal.depth:  # from now on it may be one of several
                    birth.sources = birth.origins
            made = empty_like(first)
            several = any(birth.sources for birth in births)
            origins = tuple(dict.fromkeys(site for birth in births for site in birth.origins))
            sources = origins if several else ()
            self._merged[key] = self.trace.journal.born(made, ("merged", *sites), sources, origins)
            restore(made, self._merge_contents(self._contents(values)))
        return self._merged[key]

    def _merge_contents(self, held: Sequence[Any]) -> Any:
        first = held[0]
        if isinstance(first, list):
            return [self.merge(column) for column in zip(*held, strict=True)]
        return {key: self.merge([one[key] for one in held]) for key in first}

    def _objects(self) -> None:
        """Objects from before the regions that some of them changed."""
        changed = {key: change.made for region in self.live for key, change in region.changes.objects.items()}
        for key, made in changed.items():
            before = content(made)
            changes = [region.changes.objects.get(key) for region in self.live]
            held = [before if change is None else change.after for change in changes]
            if isinstance(before, set) and all(one == held[0] for one in held):
                self.trace.journal.write(made, held[0])
                continue
            if isinstance(before, set) or not _same_keys(held):
                origins = self.trace.journal.births[key].origins
                guess(self.trace, origins, element_of_all(self.trace, [before, *held]))
                continue
            self.trace.journal.write(made, self._merge_contents(held))

    # -- outside state -----------------------------------------------------------------------------------

    def _slots(self) -> None:
        """Merge places of outside state that some region wrote; they are known only where every region knows them."""
        slots = self.trace.journal.slots
        for key in dict.fromkeys(key for region in self.live for key in region.changes.slots):
            held = [
                region.changes.slots[key][1] if key in region.changes.slots else slots.get(key, MISSING)
                for region in self.live
            ]
            self.trace.journal.set_slot(key, self._slot(key, held))

    def _slot(self, key: Hashable, held: Sequence[Any]) -> Any:
        if key[1] == "dirty" or any(value is MISSING or value is UNKNOWN for value in held):  # type: ignore[index]
            return in_doubt(self.trace, key)
        if key[1] == WALKED:  # type: ignore[index]
            return held[0] if len(set(held)) == 1 else UNKNOWN
        return self.merge(held)


def in_doubt(trace: Trace, slot: Hashable) -> Any:
    """Return what is known of a slot of outside state that a region may have changed.

    A place that was only read, and forgotten at an opaque call, is looked up again as it is after such a call.
    """
    if slot[1] == "dirty":  # type: ignore[index]
        return True
    return UNKNOWN if slot in trace.state.stored() or slot[1] == WALKED else MISSING  # type: ignore[index]


def _is_reordered(births: Sequence[Creation | None], left: Any, right: Any) -> bool:
    """Return whether two dicts differ in the order of their keys, which JAX has changed in one of them."""
    return any(map(is_tree, births)) and left.keys() == right.keys()


def _same_keys(held: Sequence[Any]) -> bool:
    first = held[0]
    return all(type(one) is type(first) and keys(one) == keys(first) for one in held)


def empty_like(made: Any) -> Any:
    """A new object of the same class, with nothing in it."""
    kind: type[Any] = type(made)
    return kind() if kind in (list, dict) else object.__new__(kind)


def element_of_all(trace: Trace, held: Sequence[Any]) -> Spec | None:
    """Return the spec that covers a list's items at all times; ``None`` for another object.

    Args:
        trace: the trace that is going on.
        held: what it holds at each time.
    """
    if not isinstance(held[0], list):
        return None
    return spec_of_items(trace, (item for items in held for item in items))
