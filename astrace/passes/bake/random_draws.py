"""On request: arrays made from constants and random draws are made once, while capturing, and baked in.

Random draws are made on copies of their generators, so capturing leaves the generators where they were.
A baked array enters the program through a copy, so that no call sees what another one did to it.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument
from astrace.ir.block import Block, Constant, Node, Operand, Origin, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.interpret import call_arguments
from astrace.ir.specs import class_of
from astrace.ir.walk import captured
from astrace.ops import OPS
from astrace.passes.bake.calls import call_text, operand

CREATION: Final = frozenset(
    f"np.{name}"
    for name in [
        "array",
        "zeros",
        "ones",
        "full",
        "arange",
        "linspace",
        "logspace",
        "geomspace",
        "eye",
        "identity",
        "tri",
        "vander",
    ]
)
GENERATORS: Final = (np.random.Generator, np.random.RandomState, random.Random)
"""Classes whose methods draw random numbers."""
MAKERS: Final = (np.random.default_rng, np.random.RandomState, np.random.Generator, random.Random)
"""Callables that make such objects."""
HELPERS: Final = ("make_list", "make_tuple", "get_attr")
"""Ops that may build the arguments of a draw."""


def bake_generators(block: Block, outside: Mapping[Value, Any]) -> tuple[Block, list[Constant]]:
    """Compute what makes arrays from constants or draws random numbers.

    Args:
        block: a block, as it was recorded.
        outside: what those of its inputs are that lie outside the arguments.

    Returns:
        The block without those nodes, and the constants in their place.

    Raises:
        InvalidArgument: a random draw depends on the arguments of the call.
    """
    oven = _Oven(block, outside)
    return rebuild(block, oven.visit), oven.baked


class _Unknown:
    """A value that depends on the arguments of the call, or can't be made."""


UNKNOWN: Final = _Unknown()


class _Oven:
    """Computes generator nodes, in the order of the program.

    Args:
        block: the block.
        outside: what those of its inputs are that lie outside the arguments.
    """

    def __init__(self, block: Block, outside: Mapping[Value, Any]) -> None:
        self.baked: list[Constant] = []
        self._captured = captured(block)
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._known: dict[Operand, Any] = {
            value: self._own(found)
            for value, found in outside.items()
            if _of_generator(found) or _is_maker(found)
        }

    def visit(self, node: Node, builder: Builder) -> None:
        """Bake a node, or keep it."""
        given = [self._given(operand) for operand in node.inputs]
        known = not any(item is UNKNOWN for item in given)
        draws = self._draws(node)
        if draws and (not known or _shuffles(node, given)):
            raise _refusal(node)
        makes = draws or node.op in CREATION or _is_maker(self._function(node))
        found = _called(node, given) if known and (makes or node.op in HELPERS) else UNKNOWN
        if found is not UNKNOWN:
            self._known[node.output] = found
        if _of_generator(found):
            builder.replace(node.outputs, [Constant(None)])  # only draws use it, and they are baked
        elif makes and found is not UNKNOWN:
            self._bake(node, builder, given, found)
        else:
            builder.keep(node)

    def _bake(self, node: Node, builder: Builder, given: Sequence[Any], found: Any) -> None:
        roots = [self._captured.get(one, one) for one in node.inputs]
        names = [root.name if isinstance(root, Value) else "" for root in roots]
        pairs = zip(given, names, strict=True)
        text = call_text(node, [Constant(one, Origin("frozen", name)) for one, name in pairs])
        constant = Constant(found, Origin("frozen", text, node.location))
        self.baked.append(constant)
        builder.replace(node.outputs, [operand(constant, builder.nodes)])

    def _given(self, operand: Operand) -> Any:
        root = self._captured.get(operand, operand)
        if isinstance(root, Constant):
            return self._own(root.value)
        return self._known.get(root, UNKNOWN)

    def _own(self, value: Any) -> Any:
        """Return a constant with the copy of its generator: a method that draws is that of the copy."""
        if isinstance(value, GENERATORS):
            return self._copied(value)
        return getattr(self._copied(value.__self__), value.__name__) if _of_generator(value) else value

    def _copied(self, generator: Any) -> Any:
        if id(generator) not in self._copies:
            self._copies[id(generator)] = generator, copy.deepcopy(generator)
        return self._copies[id(generator)][1]

    def _draws(self, node: Node) -> bool:
        """Return whether a node calls a method of a generator."""
        if node.op == "call_method":
            root = self._captured.get(node.inputs[0], node.inputs[0])
            cls = type(self._known[root]) if root in self._known else class_of(root.spec)
            return cls is not None and issubclass(cls, GENERATORS)
        function = self._function(node)
        return not isinstance(function, GENERATORS) and _of_generator(function)

    def _function(self, node: Node) -> Any:
        """Return the callable that a node calls, where that is known."""
        first = self._captured.get(node.inputs[0], node.inputs[0]) if node.op == "call" else None
        return (
            first.value if isinstance(first, Constant) else None if first is None else self._known.get(first)
        )


def _of_generator(value: Any) -> bool:
    """Return whether a value is a generator, or a method of one."""
    return isinstance(value, GENERATORS) or isinstance(getattr(value, "__self__", None), GENERATORS)


def _refusal(node: Node) -> InvalidArgument:
    return InvalidArgument(
        "trace_graph: include_generators=False, but a random draw depends on what the call is given, or shuffles "
        "an array; accepted is include_generators=True",
        node.location,
    )


def _shuffles(node: Node, given: Sequence[Any]) -> bool:
    """Return whether a draw changes what it is given."""
    name = given[1] if node.op == "call_method" else getattr(given[0], "__name__", "")
    return name == "shuffle"


def _is_maker(function: Any) -> bool:
    return any(function is maker for maker in MAKERS)


def _called(node: Node, given: Sequence[Any]) -> Any:
    args, kwargs = call_arguments(node, given)
    try:
        return OPS.implementation(node.op)(*args, **kwargs)
    except Exception:  # the program's own exception, raised when the graph runs
        return UNKNOWN
