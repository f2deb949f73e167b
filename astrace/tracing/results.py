"""Results of a captured function: values, in the containers that Python would return them in.

Containers and instances made while tracing are made for real at the end, each once, so that what was one
object is one object in the result.
"""

from __future__ import annotations

import operator
import types
from typing import Any

from astrace.ir.constants import is_static
from astrace.tracing.changes.journal import Creation, attributes, content
from astrace.tracing.context import Trace
from astrace.tracing.record import record, refuse_rewritten
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import Lazy, existing, itself, takes_now
from astrace.util.trees import Hole, Tree, is_namedtuple, tuple_like


def result_tree(trace: Trace, result: Any, outputs: list[Any]) -> Tree:
    """The layout of a function's result; its values are appended to ``outputs``.

    Args:
        trace: the trace that has reached the function's end.
        result: what the rewritten function returned.
        outputs: takes the tracers and objects that fill the layout's holes.
    """
    return _Results(trace, outputs, _repeated(trace, result)).tree(result)


def _repeated(trace: Trace, result: Any) -> set[int]:
    """The ``id`` of each tuple that a result holds in two places."""
    seen: set[int] = set()
    found: set[int] = set()
    waiting = [result]
    while waiting:
        value = waiting.pop()
        made = trace.journal.birth(value) is not None
        if not made and not ((type(value) is tuple or is_namedtuple(value)) and value):
            continue
        if id(value) in seen:
            found |= set() if made else {id(value)}
            continue
        seen.add(id(value))
        held: Any = content(value) if made else value
        waiting += [*held, *held.values()] if isinstance(held, dict) else held
    return found


class _Results:
    """Builds the result once, with a memory of the objects made for it."""

    def __init__(self, trace: Trace, outputs: list[Any], repeated: set[int]) -> None:
        self.trace = trace
        self.outputs = outputs
        self.repeated = repeated
        self._made: dict[int, Tracer | None] = {}
        self._sources: dict[Any, int] = {}

    def tree(self, value: Any) -> Tree:
        """The layout of one object."""
        value = itself(self.trace, value)
        if id(value) in self.repeated:
            value = self.value(value)
        if type(value) is tuple or is_namedtuple(value):
            found = tuple_like(value, list(map(self.tree, value)))
            return value if all(map(operator.is_, found, value)) else found
        refuse_rewritten(self.trace, value)
        value = existing(self.trace, value)
        if is_static(value) and not self.trace.state.is_outside(value):
            return value
        self.outputs.append(self.value(value))
        return Hole(len(self.outputs) - 1)

    def value(self, value: Any) -> Any:
        """Return a trace-level object as one that can be an operand."""
        trace, value = self.trace, itself(self.trace, value)
        if takes_now(value):
            value.must_exist(trace, "a generator that is used later is returned")
        refuse_rewritten(trace, value)
        value = existing(trace, value)
        if isinstance(value, types.MethodType):
            trace.stop("AT204", "a bound method is returned")
        if isinstance(value, Tracer | Lazy) or trace.state.is_outside(value) or is_static(value):
            return value
        if type(value) is tuple or is_namedtuple(value):
            return self._tuple(value)
        if type(value) is slice:
            return record(trace, "slice", tuple(map(self.value, (value.start, value.stop, value.step))))
        birth = trace.journal.birth(value)
        argument = None if birth is None else trace.state.tree_itself(value)
        if argument is not None:
            return argument
        if birth is None:
            trace.stop("AT204", f"a {type(value).__qualname__} made while tracing is returned")
        return self._object(value, birth)

    def _tuple(self, value: Any) -> Tracer:
        """A tuple; one that is found in several places is made once."""
        known = self._made.get(id(value))
        if known is None:
            known = self.trace.operators.record_tuple(tuple_like(value, map(self.value, value)))
        if id(value) in self.repeated:
            self._made[id(value)] = known
        return known

    def _object(self, value: Any, birth: Creation) -> Tracer:
        """An object made while tracing, made for real."""
        if id(value) in self._made:
            made = self._made[id(value)]
            if made is None:
                self.trace.stop("AT204", "an object that contains itself is returned")
            return made
        self._made[id(value)] = None
        self._one_of_several(value, birth)
        made = self._make(value)
        self._made[id(value)] = made
        return made

    def _one_of_several(self, value: Any, birth: Creation) -> None:
        """Make two results for real that may be one object or two: only the running program can tell."""
        for source in birth.origins:
            if self._sources.setdefault(source, id(value)) != id(value) and birth.sources:
                self.trace.need_object(birth)

    def _make(self, value: Any) -> Tracer:
        match value:
            case BaseException():
                return self.trace.need_object(self.trace.journal.births[id(value)])
            case list():
                return record(self.trace, "make_list", tuple(map(self.value, value)))
            case dict():
                parts = [self.value(part) for pair in value.items() for part in pair]
                return record(self.trace, "make_dict", tuple(parts))
            case set():
                return record(self.trace, "make_set", tuple(map(self.value, value)))
            case _:
                held = attributes(value)
                values = map(self.value, held.values())
                return record(self.trace, "make_object", (type(value), tuple(held), *values))
