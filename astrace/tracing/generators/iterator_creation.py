"""Checks that Python makes when an iterator is created, though it is walked later.

It asks for the iterators of what it walks, so what has none raises there; `reversed` begins at the item that is the last
one then, and an iterator over a dict or a set knows how many keys there were.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.ir.block import Node
from astrace.ir.specs import AnySpec, ArraySpec, GenericSpec, ScalarSpec, UnionSpec, class_of
from astrace.ops.effects import is_ordered, written
from astrace.ops.python.operators import CLASS_CAN_CHANGE
from astrace.tracing.changes.journal import WALKED
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.recorder import Recorder
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import Lazy, operand

ITERATOR_OPS: Final = frozenset({"iter", "check_iterator"})
"""Ops whose result is an iterator."""
VIEWS: Final = (type({}.keys()), type({}.values()), type({}.items()))
KEYED: Final = (dict, set, *VIEWS)


@dataclass(frozen=True, slots=True, eq=False)
class IteratorCreation:
    """When an iterator was made.

    Args:
        recorder: the block in the making, with ``nodes`` nodes.
        made: containers made while tracing, each with its size.
        unseen: whether it looked at containers that only the running program has.
    """

    recorder: Recorder
    nodes: int
    made: tuple[tuple[Any, int], ...]
    unseen: bool

    def has_moved(self, trace: Trace) -> bool:
        """Return whether a container may have another size now than when the iterator was made."""
        if any(len(held) != size for held, size in self.made):
            return True
        if not self.unseen:
            return False
        later = trace.recorder.nodes[self.nodes :]
        return trace.recorder is not self.recorder or any(map(_may_change, later))


def _may_change(node: Node) -> bool:
    """Return whether a node may change a container."""
    if node.regions:
        return any(_may_change(inner) for region in node.regions for inner in region.nodes)
    return is_ordered(node) or bool(written(node))


def only_computes(trace: Trace, first: int) -> bool:
    """Return whether the attempt that is going on reads and changes nothing but values.

    Args:
        trace: the trace.
        first: the number of nodes that were recorded before it.
    """
    changed = trace.journal.frames[-1]
    slots = any(slot[1] != WALKED for slot in changed.slots)  # type: ignore[index]
    return not (slots or changed.contents or any(map(is_ordered, trace.recorder.nodes[first:])))


def beginning(trace: Trace, walked: tuple[Any, ...], backwards: bool = False) -> IteratorCreation:
    """The beginning of an iterator that is made now.

    Args:
        trace: the trace.
        walked: what it walks.
        backwards: whether from the end.
    """
    kinds = (list, *KEYED) if backwards else KEYED
    held = [value for value in walked if type(value) in kinds]
    made = tuple((value, len(value)) for value in held if not trace.state.is_outside(value))
    unseen = len(made) < len(held) or any(_may_be_sized(value, backwards) for value in walked)
    return IteratorCreation(trace.recorder, len(trace.recorder.nodes), made, unseen)


def _may_be_sized(value: Any, backwards: bool) -> bool:
    """Return whether a traced value may be a container of which the size counts."""
    if not isinstance(value, Tracer):
        return False
    spec = value.value.spec
    if isinstance(spec, AnySpec):
        return spec.cls is None or spec.cls in KEYED or (backwards and spec.cls is list)
    return backwards and not isinstance(spec, ArraySpec)


def walkable(trace: Trace, value: Any) -> Any:
    """Return an iterable for a real iterator: a container made while tracing has to exist, as it may change."""
    if isinstance(value, list | dict | set) and trace.journal.birth(value) is not None:
        operand(trace, value)  # starts again, with the container in the plan
    return value


def check_iterable(trace: Trace, *values: Any) -> None:
    """Raise where Python would that one of some values cannot be iterated over."""
    for value in values:
        if not lacks_for_now(value):
            continue
        if isinstance(value, Tracer) or trace.state.is_outside(value):
            record(trace, "iter", (value,))
        else:
            trace.native(iter, value)


def begun(trace: Trace, value: Any) -> Any:
    """Return the iterable of a new iterator; for a value of unknown class the iterator that Python asks for here."""
    check_iterable(trace, value)
    return record(trace, "iter", (value,)) if is_anything(trace, value) else value


def is_anything(trace: Trace, value: Any) -> bool:
    """Return whether only the running program knows if a value can be iterated over."""
    if not isinstance(value, Tracer):
        return False
    spec = value.value.spec
    maker = trace.producers.get(trace.recorder.origin(value.value))
    if maker is not None and maker.op in ITERATOR_OPS:
        return False
    return isinstance(spec, UnionSpec) or (isinstance(spec, AnySpec) and spec.cls in (None, np.ndarray))


def check_reversible(trace: Trace, value: Any) -> None:
    """Raise where Python would that a value cannot be iterated over from its end."""
    if not lacks(value, "__reversed__"):
        return
    if isinstance(value, Tracer):
        record(trace, "iter", (record(trace, "reversed", (value,)),))
    else:
        trace.native(reversed, value)


def lacks(value: Any, method: str) -> bool:
    """Return whether a value has neither such a method nor items by number, and never will."""
    kind = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    return not (kind is not None and kind.__flags__ & CLASS_CAN_CHANGE) and lacks_for_now(value, method)


def lacks_for_now(value: Any, method: str = "__iter__") -> bool:
    """Return the same for now, although the class may come to have one."""
    kind: type | None = type(value)
    if isinstance(value, Tracer):
        spec = value.value.spec
        if isinstance(spec, ScalarSpec | GenericSpec) or (isinstance(spec, ArraySpec) and spec.shape == ()):
            return True
        kind = spec.cls if isinstance(spec, AnySpec) else None
    if kind is None or isinstance(value, Lazy):
        return False
    return not hasattr(kind, method) and not hasattr(kind, "__getitem__")
