"""A call's arguments as the inputs and attributes of a node: nested ones are laid out in a pattern.

Takes trace-level objects; `operands` says what stands for each.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final

from astrace.ir.block import Operand
from astrace.ir.constants import is_static
from astrace.ir.specs import Spec
from astrace.tracing.context import Trace
from astrace.tracing.values.operands import held, itself, operand
from astrace.tracing.values.special_methods import has_enum_methods
from astrace.util.trees import Hole, Pattern, Tree


def pack(
    trace: Trace,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    levels: tuple[int, int],
    in_order: bool = False,
    objects: Container[int] = (),
) -> tuple[tuple[Operand, ...], dict[str, Any]]:
    """A call's arguments as the inputs and attributes of a node.

    Plain positional values become inputs and static keywords attributes; anything nested is laid out in a
    pattern.  Attributes stand before the pattern.

    Args:
        trace: the trace that is going on.
        args: trace-level objects.
        kwargs: likewise.
        levels: how many levels of containers the op only reads, and from which level on it may keep what is there.
        in_order: whether the callee may see the order of its keywords.
        objects: the positions of tuples that are wanted as the objects that they are; if there are any, of keywords, too.
    """
    if levels[1] <= 0:
        args = tuple((held if place in objects else itself)(trace, value) for place, value in enumerate(args))
        kwargs = {name: (held if objects else itself)(trace, value) for name, value in kwargs.items()}
    flat = not kwargs or (all(map(_is_attribute, kwargs.values())) and PATTERN not in kwargs)
    if flat and not any(map(_is_nested, args)):
        return tuple([operand(trace, value, leaf=True) for value in args]), dict(kwargs)
    inputs: list[Operand] = []

    def place(value: Any) -> Tree:
        return _place(trace, value, inputs, *levels)

    named: dict[str, Any] = {}
    for name, value in kwargs.items():
        if not _is_attribute(value) or name == PATTERN or (in_order and named):
            named[name] = value
    pattern = Pattern(tuple(map(place, args)), {name: place(value) for name, value in named.items()})
    attrs = {name: value for name, value in kwargs.items() if name not in named}
    return tuple(inputs), {**attrs, PATTERN: pattern}


PATTERN: Final = "pattern"
"""The attribute of a node that lays out its arguments; what the user calls so goes into it."""


def _is_attribute(value: Any) -> bool:
    """Return whether a keyword argument is one of the node's attributes: static, not a value."""
    return (is_static(value) and not has_enum_methods((value,), text=True)) or isinstance(value, Spec)


def _is_nested(value: Any) -> bool:
    kind = type(value)
    return kind in (tuple, list, dict, slice) and (
        not is_static(value) or has_enum_methods((value,), text=True)
    )


def _place(trace: Trace, value: Any, inputs: list[Operand], reads: int, held: int) -> Tree:
    """The tree of one argument; its values are appended to ``inputs`` in evaluation order."""

    def place(part: Any) -> Tree:
        return _place(trace, part, inputs, reads - 1, held - 1)

    if held <= 0:
        value = itself(trace, value)
    kind = type(value)
    if (kind is tuple or (kind in (list, dict) and reads > 0)) and not trace.state.is_outside(value):
        if kind is dict:
            return {place(key): place(item) for key, item in value.items()}
        return kind(map(place, value))
    if kind is slice:
        return slice(*map(place, (value.start, value.stop, value.step)))
    if _is_plain(value):
        return value
    inputs.append(operand(trace, value, leaf=True))
    return Hole(len(inputs) - 1)


def _is_plain(value: Any) -> bool:
    """Return whether a constant stays in the pattern itself: it shapes the call and computes nothing."""
    return value is None or value is ... or type(value) in (bool, str)
