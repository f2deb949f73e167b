"""Writing blocks by hand, for tests: node after node, with inferred specs, and regions as functions.

    draft = Draft(x=FLOAT)
    y = draft("mul", draft["x"], 2.0)
    block = draft.block(y)

Operands are values, or Python objects that stand for constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import harness

from astrace.backends.numpy.backend import compile_block
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.interpret import interpret
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import ANY, BOOL, INT, Spec, join
from astrace.locations import Location
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.ops.python.builtins import element_of
from astrace.util.trees import Hole

Write: TypeAlias = "Callable[..., Sequence[Any] | Any]"
"""Writes a region: given a draft and the region's inputs, it gives the outputs."""


class Draft:
    """A block being written by hand.

    Args:
        named: the specs of its inputs, by name.
    """

    def __init__(self, **named: Spec) -> None:
        self.inputs = [Value(spec, name) for name, spec in named.items()]
        self.nodes: list[Node] = []

    def __getitem__(self, name: str) -> Value:
        """The input of that name."""
        return next(value for value in self.inputs if value.name == name)

    def __call__(self, op: str, *args: Any, name: str = "", line: int = 0, **attrs: Any) -> Value:
        """Write a leaf node with one output."""
        (output,) = self.leaf(op, args, [name], line, attrs)
        return output

    def do(self, op: str, *args: Any, line: int = 0, **attrs: Any) -> None:
        """Write a leaf node without output."""
        self.leaf(op, args, [], line, attrs)

    def leaf(
        self, op: str, args: Sequence[Any], names: Sequence[str], line: int = 0, attrs: Any = None
    ) -> tuple[Value, ...]:
        """Write a leaf node with an output for each name."""
        location = Location("drafts", line, "draft") if line else None
        plain = Node(op, tuple(map(operand, args)), (), attrs or {}, (), location)
        specs = infer(OPS[op], plain.inputs, plain.attrs, len(names))
        outputs = tuple(Value(spec, name) for spec, name in zip(specs, names, strict=True))
        self.nodes.append(Node(op, plain.inputs, outputs, plain.attrs, (), location))
        return outputs

    def cond(self, test: Any, captures: Sequence[Any], then: Write, orelse: Write, **attrs: Any) -> Any:
        """Write a branch; ``then`` and ``orelse`` are given the captures."""
        specs = [operand(one).spec for one in captures]
        regions = [region(write, specs) for write in (then, orelse)]
        return self._control("cond", [test, *captures], regions, _joined(regions), attrs)

    def for_loop(
        self, over: Over, given: Sequence[Any], carried: Sequence[Any], captures: Sequence[Any], body: Write
    ) -> Any:
        """Write a loop; the body is given the elements, what is carried and the captures."""
        given, carried = list(map(operand, given)), list(map(operand, carried))
        firsts = [*element_specs(over, given)]
        lasts = [operand(one).spec for one in captures]
        block = carrying(body, firsts, [one.spec for one in carried], lasts)
        attrs = {"over": over, "breaks": len(block.outputs) > len(carried)}
        return self._control(
            "for_loop", [*given, *carried, *captures], [block], _behind(block, carried), attrs
        )

    def for_range(self, stop: Any, carried: Sequence[Any], captures: Sequence[Any], body: Write) -> Any:
        """Write ``for i in range(stop)``."""
        return self.for_loop(Range(0, 1, 2), [0, stop, 1], carried, captures, body)

    def while_loop(self, carried: Sequence[Any], captures: Sequence[Any], test: Write, body: Write) -> Any:
        """Write a loop; test and body are given what is carried and the captures."""
        carried = list(map(operand, carried))
        lasts = [operand(one).spec for one in captures]
        block = carrying(body, [], [one.spec for one in carried], lasts)
        tested = region(test, [value.spec for value in block.inputs])
        attrs = {"breaks": len(block.outputs) > len(carried)}
        specs = _behind(block, carried)
        return self._control("while_loop", [*carried, *captures], [tested, block], specs, attrs)

    def try_(self, captures: Sequence[Any], body: Write, *handlers: tuple[tuple[type, ...], Write]) -> Any:
        """Write a ``try``; a handler is given the exception and the captures."""
        specs = [operand(one).spec for one in captures]
        regions = [region(body, specs), *(region(write, [ANY, *specs]) for _, write in handlers)]
        attrs = {"catches": tuple(classes for classes, _ in handlers)}
        return self._control("try_", captures, regions, _joined(regions), attrs)

    def with_(self, manager: Any, captures: Sequence[Any], body: Write) -> Any:
        """Write a ``with``; the body is given what was entered and the captures."""
        block = region(body, [ANY, *(operand(one).spec for one in captures)])
        return self._control("with_", [manager, *captures], [block], _joined([block]), {})

    def _control(
        self, op: str, inputs: Sequence[Any], regions: Sequence[Block], specs: Sequence[Spec], attrs: Any
    ) -> Any:
        outputs = tuple(map(Value, specs))
        self.nodes.append(Node(op, tuple(map(operand, inputs)), outputs, attrs, tuple(regions)))
        return outputs[0] if len(outputs) == 1 else outputs

    def block(self, *outputs: Any) -> Block:
        """The block as it is written so far."""
        return Block(tuple(self.inputs), tuple(self.nodes), tuple(map(operand, outputs)))


def operand(item: Any) -> Operand:
    """A value or a constant as it is; any other object as a constant."""
    return item if isinstance(item, Value | Constant) else Constant(item)


def region(write: Write, specs: Sequence[Spec]) -> Block:
    """A region written by a function."""
    draft = Draft()
    draft.inputs = list(map(Value, specs))
    outputs = write(draft, *draft.inputs)
    return draft.block(
        *(outputs if isinstance(outputs, tuple | list) else () if outputs is None else [outputs])
    )


def carrying(write: Write, firsts: Sequence[Spec], carried: Sequence[Spec], lasts: Sequence[Spec]) -> Block:
    """A loop's body, written until the specs of its carried values cover those of an iteration."""
    while True:
        block = region(write, [*firsts, *carried, *lasts])
        ends = [one.spec for one in block.outputs[len(block.outputs) - len(carried) :]]
        wider = [join(start, end) for start, end in zip(carried, ends, strict=True)]
        if wider == list(carried):
            return block
        carried = wider


def _joined(regions: Sequence[Block]) -> list[Spec]:
    """The specs of a control flow node's outputs: those of its regions' outputs, joined."""
    return [reduce(join, specs) for specs in zip(*map(_output_specs, regions), strict=True)]


def _behind(body: Block, carried: Sequence[Operand]) -> list[Spec]:
    """The specs of a loop's outputs: as after an iteration, or as before the first; the flag of a break may be false."""
    before = [one.spec for one in carried]
    flags = [BOOL] * (len(body.outputs) - len(carried))
    return [join(end, start) for end, start in zip(_output_specs(body), [*flags, *before], strict=True)]


def _output_specs(block: Block) -> list[Spec]:
    return [output.spec for output in block.outputs]


def element_specs(over: Over, given: Sequence[Operand]) -> Sequence[Spec]:
    """The specs of the inputs of one iteration of a loop."""
    match over:
        case Range():
            return [INT]
        case Each():
            return [element_of(given[over.iterable].spec) or ANY]
        case Enumerate():
            return [INT, *element_specs(over.inner, given)]
        case Zip():
            return [spec for part in over.parts for spec in element_specs(part, given)]
        case Reversed():
            return element_specs(over.inner, given)


def interpreted(block: Block, *given: Any) -> tuple[Any, ...]:
    """A block's outputs by the interpreter."""
    return interpret(block, given, OPS.implementation)


def emitted(block: Block, name: str = "f") -> Any:
    """A block as the NumPy backend writes it; its function gives a tuple of all outputs."""
    result = tuple(Hole(index) for index in range(len(block.outputs)))
    return compile_block(block, result, name, "drafts")


def called(block: Block, *given: Any) -> tuple[Any, ...]:
    """A block's outputs by the NumPy backend."""
    executable = emitted(block)
    return executable.function(*(given[index] for index in executable.used))


def outcome(run: Callable[..., Any], block: Block, given: Sequence[Any]) -> harness.Outcome:
    """All that can be seen of one run of a block; the arguments are copied first."""
    return harness.observe(lambda *args: run(block, *args), harness.fresh_arguments(tuple(given)))
