"""The instructions for the calls of one specialisation, as words.

Takes guards, the paths to a program's inputs and a `DirectProgram`; gives words, and the objects whose addresses are among them.  Knows
nothing of machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.backends.native.direct.guard_instructions import GuardWriter, NoInstruction
from astrace.backends.native.direct.opcodes import WIDTH, Opcode
from astrace.backends.native.direct.program import (
    DirectProgram,
    InputLeaf,
    KernelLeaf,
    Leaf,
    ObjectLeaf,
    Result,
)
from astrace.guards.access_paths import Argument, Path
from astrace.guards.kinds import Guard, in_turn
from astrace.ir.specs import (
    PYTHON_TYPES,
    ArraySpec,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.passes.lowering.results import LoweredResult

MOST_SLOTS: Final = 120
"""More are not put on the stack."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions of a direct call.

    Args:
        words: of the instructions.
        slots: their number.
        objects: those whose addresses are among the words.
    """

    words: tuple[int, ...]
    slots: int
    objects: tuple[Any, ...]


def instructions_for(
    parameters: Sequence[str],
    guards: Iterable[Guard],
    inputs: Sequence[Path],
    program: DirectProgram | Callable[..., Any],
) -> Instructions:
    """Write the instructions for the calls of one specialisation.

    Args:
        parameters: the names of those that a call gives, in order.
        guards: of the specialisation.
        inputs: the paths to what the program takes: the inputs of its block, or the arguments of a function.
        program: what it does, or a function that does it.

    Raises:
        NoInstruction: a guard, a path or a result has none.
    """
    writer = InstructionWriter(
        {Argument(name): index for index, name in enumerate(parameters)}, len(parameters)
    )
    for guard in in_turn(guards):
        writer.guard(guard)
    if isinstance(program, DirectProgram):
        writer.run(program, inputs)
    else:
        writer.call(program, inputs)
    if writer.slots > MOST_SLOTS:
        raise NoInstruction
    return Instructions(tuple(writer.words), writer.slots, tuple(writer.objects))


class InstructionWriter(GuardWriter):
    """Writes the instructions behind the guards as well: what runs, and what becomes of its results."""

    # -- the kernel and its results --------------------------------------------------------------------

    def call(self, function: Callable[..., Any], inputs: Sequence[Path]) -> None:
        """Write the call of a function, and the return of what it gives.

        Args:
            function: what is called.
            inputs: the paths to its arguments.

        Raises:
            NoInstruction: a path has none.
        """
        given = list(map(self.slot, inputs))
        first = self.object_(function)
        self._copied(given)
        result = self.new()
        self.put(Opcode.CALL, first, len(given), result)
        self.put(Opcode.RETURN, result)

    def run(self, program: DirectProgram, inputs: Sequence[Path]) -> None:
        """Write the call of the kernel, and the return of what the function gives.

        Args:
            program: what is done.
            inputs: the paths to the block's inputs.

        Raises:
            NoInstruction: a part of the result has none.
        """
        given = [self._input(leaf, inputs) for leaf in program.arguments]
        for leaf in _leaves(program.result):
            if isinstance(leaf, InputLeaf):
                self.slot(inputs[leaf.index])  # before the kernel runs
        first = self._in_a_row(program.kernel.constants, given)
        ran = _Ran(inputs, first, self.new())
        self.put(Opcode.RUN, first, len(given), ran.found)
        result = self.new()
        self._give(program.result, ran, result)
        self.put(Opcode.RETURN, result)

    def _input(self, leaf: InputLeaf | ObjectLeaf, inputs: Sequence[Path]) -> int:
        return self.slot(inputs[leaf.index]) if isinstance(leaf, InputLeaf) else self.object_(leaf.value)

    def _in_a_row(self, constants: Sequence[Any], given: Sequence[int]) -> int:
        """Copy the kernel's arguments into slots that follow each other; return the first.

        The objects of the program that results may be lie in front of these, the first one last, and a slot for none.
        """
        if not constants and list(given) == list(range(given[0], given[0] + len(given)) if given else ()):
            return given[0] if given else 0
        for constant in reversed(constants):
            self.object_(constant)
        self.new()
        return self._copied(given)

    def _copied(self, given: Sequence[int]) -> int:
        """Copy slots into new ones that follow each other; return the first."""
        first = self.slots
        self.slots += len(given)
        for place, slot in enumerate(given):
            self.put(Opcode.COPY, slot, 0, first + place)
        return first

    def _give(self, result: Result, ran: _Ran, into: int) -> None:
        """Write what puts a result into a slot."""
        match result:
            case tuple():
                self._tuple(lambda item, slot: self._give(item, ran, slot), result, into)
            case InputLeaf():
                self.put(Opcode.COPY, self.slot(ran.inputs[result.index]), 0, into)
            case ObjectLeaf():
                self.put(Opcode.OBJECT, 0, self.pinned(result.value), into)
            case KernelLeaf():
                self._output(result.result, ran, into)

    def _tuple(self, give: Callable[[Any, int], None], items: Sequence[Any], into: int) -> None:
        first = self.slots
        self.slots += len(items)
        for place, item in enumerate(items):
            give(item, first + place)
        self.put(Opcode.TUPLE, first, len(items), into)

    def _output(self, result: LoweredResult, ran: _Ran, into: int) -> None:
        """Write what puts one of the kernel's results into a slot, as `entry.frame` makes it of what machine code gives."""
        if result.absent is None:
            self._present(result, ran, into)
            return
        literal = self.pinned(result.literal)
        self._either(
            self._part(ran, result.absent),
            lambda: self.put(Opcode.OBJECT, 0, literal, into),
            lambda: self._present(result, ran, into),
        )

    def _present(self, result: LoweredResult, ran: _Ran, into: int) -> None:
        if result.argument is not None:
            self.put(Opcode.COPY, ran.first + result.argument, 0, into)
        elif isinstance(result.spec, TupleSpec):
            self._tuple(lambda item, slot: self._output(item, ran, slot), result.items, into)
        elif isinstance(result.spec, LiteralSpec):
            self.put(Opcode.OBJECT, 0, self.pinned(result.spec.value), into)
        elif result.origin is None:
            self._made(result, ran, into)
        else:
            origin = self._part(ran, result.origin)
            self._either(
                origin,
                lambda: self.put(Opcode.PICK, origin, ran.first, into),
                lambda: self._made(result, ran, into),
            )

    def _made(self, result: LoweredResult, ran: _Ran, into: int) -> None:
        """Write what makes an object of a machine number."""
        if result.number is None or result.columns:
            raise NoInstruction
        number, spec = 1 + result.number, result.spec
        if not isinstance(spec, UnionSpec):
            self._of_type(spec, ran, number, into)
            return
        if result.tag is None:
            raise NoInstruction
        first, second = spec.options
        self._either(
            self._part(ran, result.tag),
            lambda: self._of_type(first, ran, number, into),
            lambda: self._of_type(second, ran, number, into),
        )

    def _of_type(self, spec: Spec, ran: _Ran, number: int, into: int) -> None:
        match spec:
            case LiteralSpec():
                self.put(Opcode.OBJECT, 0, self.pinned(spec.value), into)
            case ArraySpec():
                self.put(Opcode.FOUND, ran.found, number, into)
            case ScalarSpec() | GenericSpec():
                kind = PYTHON_TYPES[spec.kind] if isinstance(spec, ScalarSpec) else spec.dtype.type
                item = self.new()
                self.put(Opcode.FOUND, ran.found, number, item)
                self.put(Opcode.MAKE, item, self.pinned(kind), into)
            case _:
                raise NoInstruction

    def _part(self, ran: _Ran, place: int) -> int:
        """Return a new slot for a part of what machine code gives; the first part says only that it has come to its end."""
        found = self.new()
        self.put(Opcode.FOUND, ran.found, 1 + place, found)
        return found

    def _either(self, slot: int, first: Callable[[], None], second: Callable[[], None]) -> None:
        """Write what is done where a slot holds something true, and what is done else."""
        unless = self._jump(slot)
        first()
        end = self._jump()
        self._land(unless)
        second()
        self._land(end)

    def _jump(self, slot: int | None = None) -> int:
        """Write a jump, where a slot holds nothing true if one is given; return its place."""
        self.put(Opcode.SKIP if slot is None else Opcode.SKIP_UNLESS, slot or 0)
        return len(self.words)

    def _land(self, jump: int) -> None:
        """Let a jump end here."""
        self.words[jump - WIDTH + 2] = (len(self.words) - jump) // WIDTH


@dataclass(frozen=True, slots=True)
class _Ran:
    """What is there once the kernel has run.

    Args:
        inputs: the paths to the block's inputs.
        first: the first slot of the kernel's arguments.
        found: the slot for what machine code has given.
    """

    inputs: Sequence[Path]
    first: int
    found: int


def _leaves(result: Result) -> Iterator[Leaf]:
    """Yield the parts of a result."""
    if isinstance(result, tuple):
        for item in result:
            yield from _leaves(item)
    else:
        yield result
