"""The text of a kernel: Python over numbers and elements of arrays, which Numba compiles and Python runs as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from astrace.backends.native import host
from astrace.backends.native.host import HOST, LoopCall
from astrace.backends.native.modes.independence import Independent, independent
from astrace.backends.native.watched import FOLDED, is_float, is_neutral, unneeded, with_kept_bits
from astrace.backends.numpy.backend import MODULES, NumpyEmitter
from astrace.backends.numpy.emitter import words
from astrace.backends.python_source.expressions import AND, TERNARY, Code
from astrace.backends.python_source.lines import Line, source_text
from astrace.backends.python_source.loading import load
from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.spelling import Speller
from astrace.backends.python_source.views import element, shape, view
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ArraySpec, ListSpec
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.numpy.draws import FUNCTIONS, OF_INTEGERS
from astrace.passes.fusion.lines import SHORT
from astrace.passes.fusion.split_loops import dtype_of_number
from astrace.passes.lowering.lower import LoweredBlock


@dataclass(frozen=True, slots=True)
class KernelSource:
    """The text of a kernel.

    Args:
        name: of its function.
        text: the source.
        lines: the same, with the user's lines.
        namespace: the objects that it refers to.
        parts: the functions of loops that several threads run; it refers to them by their names.
    """

    name: str
    text: str
    lines: Sequence[Line]
    namespace: Mapping[str, Any]
    parts: tuple[KernelSource, ...] = ()

    @property
    def shown(self) -> str:
        """All of the text."""
        return "\n".join([*(part.text for part in self.parts), self.text])

    def loaded(
        self, file: str, bound: Callable[[Mapping[str, Any]], dict[str, Any]], part: Callable[[Any], Any]
    ) -> Any:
        """Return the function.

        Args:
            file: the user's file.
            bound: makes a namespace of functions that run.
            part: makes a function for threads of one that is a part.
        """
        namespace = bound(self.namespace)
        namespace |= {one.name: part(one.loaded(file, bound, part)) for one in self.parts}
        return load(self.text, self.lines, self.name, file, namespace)


def write(lowered: LoweredBlock, name: str, for_numba: bool = False, parallel: bool = False) -> KernelSource:
    """Write a kernel: a function of the block's inputs.

    It returns a truth value, whether it has come to its end, and behind it the outputs of the block.

    Args:
        lowered: the block.
        name: for the function.
        for_numba: with what tells Numba that indices are not negative, keeps operations that may warn, and looks for
            signals in long loops.
        parallel: loops whose iterations are independent are functions of their own, which several threads run.
    """
    for_flags = for_numba and lowered.is_exact
    block = with_kept_bits(lowered.block) if for_flags and not parallel else lowered.block
    kept = unneeded(block) if for_flags else frozenset[Value]()
    poll = ("poll" if lowered.written else "poll_and_yield") if for_numba else ""
    style = KernelStyle(for_numba, for_flags, kept, poll)
    test = ("flags_raised" if lowered.flags_decide else "warnings_due") if lowered.uses_floats else ""
    return _written(block, name, style, test, parallel)


def _written(block: Block, name: str, style: KernelStyle, test: str, parallel: bool) -> KernelSource:
    """Write a function of a block's inputs; a test of the processor's flags ends it, if there is one."""
    emitter = KernelEmitter(style, "".join(type_text(output.spec) for output in block.outputs))
    emitter.parts = DividedLoops(name, style) if parallel else None
    for own in (name, *HOST):
        emitter.names.reserve(own)
    emitter.begin(block, ())
    parameters: list[str] = []
    for value in block.inputs:  # what is not used holds no name by itself
        parameter = emitter.names.fresh(value.name or "t", parameters)
        parameters.append(emitter.names.assign(value, parameter, parameters))
    if test:
        emitter.line("clear_flags()")
    for index, node in enumerate(block.nodes):
        emitter.names.frame.index = index
        emitter.node(node)
    emitter.names.frame.index = len(block.nodes)
    codes = emitter.take(block.outputs)
    emitter.flush(codes)
    emitter.finish(codes, block.outputs, test)
    unknown = emitter.speller.unknown.items()
    lines = [*(Line(1, f"{one} = opaque({text})") for text, one in unknown), *emitter.lines]
    text, rows = source_text(f"def {name}({', '.join(parameters)}):", lines)
    parts = tuple(emitter.parts.written) if emitter.parts is not None else ()
    return KernelSource(name, text, rows, {**MODULES, **emitter.names.objects}, parts)


@dataclass(frozen=True, slots=True)
class KernelStyle:
    """How a kernel is written.

    Args:
        for_numba: indices are written as unsigned integers.
        for_flags: the processor's status flags are to tell of warnings: constants are written so that LLVM does not
            know them.
        kept: the results that are kept by name.
        poll: the function that long loops call, if they do.
        keep: the function that keeps results.
    """

    for_numba: bool
    for_flags: bool
    kept: frozenset[Value]
    poll: str
    keep: str = "needed"


@dataclass(slots=True)
class DividedLoops:
    """Loops of a kernel as functions of their own.

    Args:
        name: of the kernel.
        style: of the kernel.
        written: those so far.
    """

    name: str
    style: KernelStyle
    written: list[KernelSource] = field(default_factory=list[KernelSource])

    def add(self, loop: Node) -> str:
        """Write a loop as a function of its first iteration, the one behind its last, and its captures; return its name."""
        name = f"{self.name}_part_{len(self.written) + 1}"
        ends = Value(loop.regions[0].inputs[0].spec, "start"), Value(loop.regions[0].inputs[0].spec, "stop")
        captured = tuple(Value(value.spec, value.name) for value in loop.regions[0].inputs[1:])
        inner = replace(loop, inputs=(*ends, loop.inputs[2], *captured))
        style = replace(self.style, poll="", keep="settled")  # signals and flags are looked at around it
        self.written.append(_written(Block((*ends, *captured), (inner,), ()), name, style, "", False))
        return name


class KernelSpeller(Speller):
    """Writes the ops of lowered blocks.

    ``unknown`` has the variables of the constants that LLVM must not know, by their text.

    Args:
        names: gives names to objects.
        style: how they are written.
    """

    def __init__(self, names: VariableNames, style: KernelStyle) -> None:
        super().__init__(names)
        self.for_numba = style.for_numba
        self.unknown: dict[str, str] = {}
        self._loops: dict[LoopCall, LoopCall] = {}
        self._for_flags = style.for_flags
        self._kept, self._keep = style.kept, style.keep

    def spell(self, node: Node, inputs: Sequence[Code]) -> Code:
        """The expression for a node, given those for its inputs."""
        code = self._plain(node, inputs)
        kept = len(node.outputs) == 1 and node.output in self._kept
        return Code(f"{self._keep}({code.at(TERNARY)})") if kept else code

    def _plain(self, node: Node, inputs: Sequence[Code]) -> Code:
        match node.op:
            case "load":
                return Code(element(inputs[0], inputs[1:], self.for_numba))
            case "cast":
                return Code(f"np.{scalar_name(node.attrs['dtype'])}({inputs[0].at(TERNARY)})")
            case "call_math":
                call = LoopCall(node.op, node.attrs["function"], "d" * len(inputs) + "->d")
                shown = ", ".join(code.at(TERNARY) for code in inputs)
                return Code(f"{self._named(call, f'math_{call.ufunc}')}({shown})")
            case op if op in NUMPY_LOOPS:
                call = self.loop_call(node)
                plain = op in ("call_ufunc", "dot")
                hint = call.ufunc if plain else f"{op.split('_')[0]}_{call.ufunc}"
                shown = ", ".join(code.at(TERNARY) for code in inputs)
                return Code(f"{self._named(call, hint)}({shown})")
            case "keep_part" | "keep_log" | "keep_items":
                numbers = [str(node.attrs[one]) for one in ("place", "axis") if one in node.attrs]
                call = LoopCall(node.op, node.attrs["axes"], " ".join(numbers))
                shown = ", ".join(code.at(TERNARY) for code in inputs)
                return Code(f"{self._named(call, node.op)}({shown})")
            case "settled":
                return Code(f"settled({inputs[0].at(TERNARY)})")
            case "slice_of" | "transpose_of" | "reshape_of":
                return view(node, inputs)
            case "allocate":
                make = "array_of_numpy" if node.attrs.get("comes_out") else "np.empty"
                return Code(f"{make}({shape(inputs)}, np.{node.attrs['dtype'].name})")
            case "new_list":
                return Code(_new_list(node, inputs[0].at(TERNARY)))
            case _:
                return self._arithmetic(node, inputs)

    def _turned(self, node: Node, number: Code) -> Code:
        """A number with the other sign: LLVM would take it together with a sum or a product, which gives NaN of another sign."""
        spec: Any = node.output.spec
        zero = Code("-0.0" if spec.dtype.char in "dD" else "np.float32(-0.0)")
        return Code(f"turned({number.at(TERNARY)}, {self._unknown(zero).text})")

    def _named(self, call: LoopCall, hint: str) -> str:
        """Return the name of a loop; there is one for all calls of it, since Numba infers the types of each name anew."""
        return self.names.object(self._loops.setdefault(call, call), hint)

    def _unknown(self, constant: Code) -> Code:
        """A constant that LLVM does not know: a variable that is assigned before everything else."""
        if constant.text not in self.unknown:
            name = self.names.fresh("constant")
            self.names.reserve(name)
            self.unknown[constant.text] = name
        return Code(self.unknown[constant.text])

    def loop_call(self, node: Node) -> LoopCall:
        """The loop of NumPy's that a node runs, or its draw."""
        chars = [
            (one.spec.dtype if isinstance(one.spec, ArraySpec) else dtype_of_number(one)).char
            for one in node.inputs
        ]
        match node.op:
            case "draw" | "fill_draws":
                method = node.attrs["method"]
                given = len(FUNCTIONS[method].parameters) * ("l" if method in OF_INTEGERS else "d")
                return LoopCall(node.op, method, f"{given}->{FUNCTIONS[method].dtype.char}")
            case "call_ufunc":
                types = f"{''.join(chars)}->{node.output.spec.dtype.char}"  # type: ignore[union-attr]
            case "apply_ufunc" | "apply_gufunc":
                types = f"{''.join(chars[1:])}->{chars[0]}"
            case "apply_transform":
                types = f"{chars[1]}d->{chars[0]}"
            case "reduce_gufunc":
                types = f"{chars[0]}->{chars[0]}"
            case "reduce_ufunc":
                types = f"{chars[0]}{chars[0]}->{chars[0]}"
            case _:
                types = f"{chars[-1]}{chars[-1]}->{chars[-1]}"
        return LoopCall(node.op, node.attrs.get("ufunc", "matmul"), types)

    def _arithmetic(self, node: Node, inputs: Sequence[Code]) -> Code:
        """An operator; of narrow integers, which Numba computes in 64 bits, the result is made narrow again."""
        if self._for_flags and node.op in FOLDED:
            inputs = [
                self._unknown(code) if is_neutral(operand) else code
                for operand, code in zip(node.inputs, inputs, strict=True)
            ]
        if self._for_flags and node.op == "neg" and is_float(node):
            return self._turned(node, inputs[0])
        code = super().spell(node, inputs)
        if not node.outputs or isinstance(node.output.spec, ListSpec):
            return code
        spec: Any = node.output.spec
        narrow = spec.dtype.kind in "iu" and spec.dtype != np.dtype(np.int64)
        wraps = bool(OPS[node.op].symbol)
        return Code(f"np.{spec.dtype.name}({code.text})") if narrow and wraps else code


NUMPY_LOOPS: Final = frozenset(
    {"call_ufunc", "apply_ufunc", "reduce_ufunc", "multiply_matrices", "dot", "apply_gufunc", "reduce_gufunc"}
    | {"slide_products", "apply_transform", "draw", "fill_draws"}
)
"""The ops that run loops of NumPy's, or its functions that draw."""


def scalar_name(dtype: np.dtype[Any]) -> str:
    """Return the name of the class of NumPy's scalars of a dtype."""
    return "bool_" if dtype == np.dtype(bool) else dtype.name


def type_text(spec: Any) -> str:
    """Return the type of an output as text: the character of its dtype, and for an array a digit, its number of axes."""
    return f"{spec.dtype.char}{len(spec.shape) if isinstance(spec, ArraySpec) else ''}"


class KernelEmitter(NumpyEmitter):
    """Writes lowered blocks.

    ``parts`` takes the loops that several threads run, if any do.

    Args:
        style: how they are written.
        outputs: their types, as text.
    """

    def __init__(self, style: KernelStyle, outputs: str) -> None:
        super().__init__()
        if style.for_numba:  # which takes very long where many variables are assigned again
            self.names = VariableNames(reuse=False)
        self.speller: KernelSpeller = KernelSpeller(self.names, style)
        self.parts: DividedLoops | None = None
        self._for_numba = style.for_numba
        self._poll = style.poll
        self._given_up = "False"
        if outputs:
            self._given_up = f"{self.names.object(LoopCall('nothing', '', outputs), 'nothing')}()"

    def statement(self, node: Node, inputs: Sequence[Code]) -> None:
        """Write what leaves a kernel, or stores an element."""
        if node.op == "deopt":
            is_asked = node.attrs and self._poll  # by Python's own threads
            told = " and overflow_is_told()" if is_asked else ""
            self.line(f"if {inputs[0].at(AND if told else TERNARY)}{told}:", node.location)
            self.lines.append(Line(self.indent + 1, f"return {self._given_up}"))
            return
        self.line(
            f"{element(inputs[0], inputs[2:], self._for_numba)} = {inputs[1].at(TERNARY)}", node.location
        )

    def control(self, node: Node) -> None:
        """Write a control flow node; loops that may take long look for signals."""
        found = independent(node) if self.parts is not None else None
        if self.parts is not None and found is not None:
            self._in_parts(node, found, self.parts)
            return
        mark, indent = len(self.lines), self.indent
        super().control(node)
        long = node.op == "while_loop" or (
            node.op == "for_loop" and any(one.regions for one in node.regions[0].nodes)
        )
        if long and self._poll and not node.attrs.get(SHORT):
            header = next(
                index
                for index in range(mark, len(self.lines))
                if self.lines[index].indent == indent
                and self.lines[index].text.startswith(("for ", "while "))
            )
            self.lines.insert(header + 1, Line(indent + 1, f"{self._poll}()"))

    def _in_parts(self, loop: Node, found: Independent, parts: DividedLoops) -> None:
        """Write the call of a loop that is a function of its own, where enough is done in it by several threads."""
        start, stop, _, *captured = loop.inputs
        taken = self.take([start, stop, *captured])
        self.flush(taken)
        codes = [code.at(TERNARY) for code in taken]
        by_value = dict(zip(loop.regions[0].inputs[1:], codes[2:], strict=True))
        sizes = [by_value[one] if isinstance(one, Value) else str(one.value) for one in found.work]
        work = " * ".join([*sizes, str(sum(1 for _ in nodes(loop.regions[0])))])
        count = f"parts_of({codes[0]}, {codes[1]}, {work}, {host.LEAST_WORK}, {host.thread_count()})"
        tests = [f"are_apart({by_value[one]}, {by_value[other]})" for one, other in found.apart]
        if tests:
            count = f"{count} if {' and '.join(tests)} else 1"
        given = f"({', '.join(codes[2:])},)"
        call = f"run_in_parts({parts.add(loop)}, {count}, {codes[0]}, {codes[1]}, {given})"
        self.line(f"if not {call}:", loop.location)
        self.lines.append(Line(self.indent + 1, f"return {self._given_up}"))

    def finish(self, codes: Sequence[Code], outputs: Sequence[Operand], test: str) -> None:
        """Return what was computed, unless a test of the processor's flags tells of what NumPy may warn of."""
        if test:
            names: list[Code] = []
            read = {word for code in codes for word in words(code.text)}
            for index, (code, output) in enumerate(zip(codes, outputs, strict=True)):
                if isinstance(output.spec, ArraySpec):
                    names.append(code)
                    continue
                hint = f"result_{index}" if len(codes) > 1 else "result"
                names.append(Code(self.names.fresh(hint, read)))
                self.line(f"{names[-1].text} = settled({code.at(TERNARY)})")
            codes = names
            self.line(f"if {test}():")
            self.lines.append(Line(self.indent + 1, f"return {self._given_up}"))
        self.line(f"return {', '.join(['True', *(code.at(TERNARY) for code in codes)])}")


def _new_list(node: Node, size: str) -> str:
    """A list of numbers, or one of lists of them: an example tells what it holds."""
    held = f"np.{scalar_name(node.attrs['dtype'])}"
    for _ in range(node.attrs.get("depth", 0)):
        held = f"new_list(0, {held})"
    return f"new_list({size}, {held})"
