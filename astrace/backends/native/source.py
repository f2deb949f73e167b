"""The text of a kernel: Python over numbers and elements of arrays, which Numba compiles and Python runs as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from astrace.backends.native.host import HOST, LoopCall
from astrace.backends.native.watched import unneeded
from astrace.backends.numpy.backend import MODULES, NumpyEmitter
from astrace.backends.python_source.expressions import TERNARY, Code
from astrace.backends.python_source.lines import Line, source_text
from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.spelling import Speller
from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ops import OPS
from astrace.passes.lowering.lower import LoweredBlock


@dataclass(frozen=True, slots=True)
class KernelSource:
    """The text of a kernel.

    Args:
        name: of its function.
        text: the source.
        lines: the same, with the user's lines.
        namespace: the objects that it refers to.
    """

    name: str
    text: str
    lines: Sequence[Line]
    namespace: Mapping[str, Any]


def write(lowered: LoweredBlock, name: str, for_numba: bool = False) -> KernelSource:
    """Write a kernel: a function of the block's inputs.

    It returns a truth value, whether it has come to its end, and behind it the outputs of the block.

    Args:
        lowered: the block.
        name: for the function.
        for_numba: with what tells Numba that indices are not negative, keeps operations that may warn, and looks for
            signals in long loops.
    """
    block = lowered.block
    kept = unneeded(block) if for_numba else frozenset[Value]()
    emitter = KernelEmitter(for_numba, kept, [placeholder(output.spec) for output in block.outputs])
    emitter.poll = "poll" if lowered.written else "poll_and_yield"
    for own in (name, *HOST):
        emitter.names.reserve(own)
    emitter.begin(block, ())
    parameters: list[str] = []
    for value in block.inputs:  # what is not used holds no name by itself
        parameter = emitter.names.fresh(value.name or "t", parameters)
        parameters.append(emitter.names.assign(value, parameter, parameters))
    if lowered.uses_floats:
        emitter.line("clear_flags()")
    for index, node in enumerate(block.nodes):
        emitter.names.frame.index = index
        emitter.node(node)
    emitter.names.frame.index = len(block.nodes)
    codes = emitter.take(block.outputs)
    emitter.flush(codes)
    emitter.finish(codes, block.outputs, lowered.uses_floats)
    text, rows = source_text(f"def {name}({', '.join(parameters)}):", emitter.lines)
    return KernelSource(name, text, rows, {**MODULES, **emitter.names.objects})


class KernelSpeller(Speller):
    """Writes the ops of lowered blocks.

    Args:
        names: gives names to objects.
        for_numba: indices are written as unsigned integers, constants so that LLVM does not know them.
        kept: the results that are kept by name.
    """

    def __init__(self, names: VariableNames, for_numba: bool, kept: frozenset[Value]) -> None:
        super().__init__(names)
        self.for_numba = for_numba
        self._kept = kept

    def spell(self, node: Node, inputs: Sequence[Code]) -> Code:
        """The expression for a node, given those for its inputs."""
        code = self._plain(node, inputs)
        kept = len(node.outputs) == 1 and node.output in self._kept
        return Code(f"settled({code.at(TERNARY)})") if kept else code

    def _plain(self, node: Node, inputs: Sequence[Code]) -> Code:
        match node.op:
            case "load":
                return Code(element(inputs[0], inputs[1:], self.for_numba))
            case "cast":
                name = "bool_" if node.attrs["dtype"] == np.dtype(bool) else node.attrs["dtype"].name
                return Code(f"np.{name}({inputs[0].at(TERNARY)})")
            case "call_math":
                call = LoopCall(node.op, node.attrs["function"], "d" * len(inputs) + "->d")
                shown = ", ".join(code.at(TERNARY) for code in inputs)
                return Code(f"{self.names.object(call, f'math_{call.ufunc}')}({shown})")
            case "call_ufunc" | "apply_ufunc" | "reduce_ufunc" | "multiply_matrices" | "dot":
                call = self.loop_call(node)
                hint = (
                    call.ufunc
                    if node.op in ("call_ufunc", "dot")
                    else f"{node.op.split('_')[0]}_{call.ufunc}"
                )
                shown = ", ".join(code.at(TERNARY) for code in inputs)
                return Code(f"{self.names.object(call, hint)}({shown})")
            case "slice_of":
                return Code(part(inputs[0], inputs[1:], node.attrs["axes"]))
            case "transpose_of":
                return Code(f"{inputs[0].text}.T")
            case "allocate":
                sizes = ", ".join(code.at(TERNARY) for code in inputs)
                make = "array_of_numpy" if node.attrs.get("comes_out") else "np.empty"
                return Code(f"{make}(({sizes},), np.{node.attrs['dtype'].name})")
            case _:
                return self._arithmetic(node, inputs)

    def loop_call(self, node: Node) -> LoopCall:
        """The loop of NumPy's that a node runs."""
        dtypes = [getattr(operand.spec, "dtype", None) or np.asarray(0.0).dtype for operand in node.inputs]
        chars = [dtype.char for dtype in dtypes]
        match node.op:
            case "call_ufunc":
                types = f"{''.join(chars)}->{node.output.spec.dtype.char}"  # type: ignore[union-attr]
            case "apply_ufunc":
                types = f"{''.join(chars[1:])}->{chars[0]}"
            case "reduce_ufunc":
                types = f"{chars[0]}{chars[0]}->{chars[0]}"
            case _:
                types = f"{chars[-1]}{chars[-1]}->{chars[-1]}"
        return LoopCall(node.op, node.attrs.get("ufunc", "matmul"), types)

    def _arithmetic(self, node: Node, inputs: Sequence[Code]) -> Code:
        """An operator; of narrow integers, which Numba computes in 64 bits, the result is made narrow again."""
        if self.for_numba and node.op in ("add", "sub", "mul", "truediv"):
            inputs = [
                Code(f"opaque({code.text})") if is_neutral(operand) else code
                for operand, code in zip(node.inputs, inputs, strict=True)
            ]
        code = super().spell(node, inputs)
        spec: Any = node.output.spec
        narrow = spec.dtype.kind in "iu" and spec.dtype != np.dtype(np.int64)
        wraps = bool(OPS[node.op].symbol)
        return Code(f"np.{spec.dtype.name}({code.text})") if narrow and wraps else code


def placeholder(spec: Any) -> str:
    """Return the text of a value of a type, in the place of an output of a kernel that gives up."""
    if isinstance(spec, ArraySpec):
        return f"np.empty({(0,) * len(spec.shape)}, np.{spec.dtype.name})"
    zero = np.zeros((), spec.dtype)[()]
    return repr(zero.item()) if zero.dtype.char in "?ld" else f"np.{zero.dtype.name}(0)"


def is_neutral(operand: Operand) -> bool:
    """Return whether LLVM would leave out an operation with a constant, or only turn the sign of the other operand."""
    return (
        isinstance(operand, Constant)
        and isinstance(operand.value, float | np.floating)
        and abs(operand.value) in (0, 1)
    )


def element(array: Code, indices: Sequence[Code], unsigned: bool) -> str:
    """An element of an array; Numba looks whether an index is negative, unless it can't be."""
    shown = ", ".join(f"unsigned({index.text})" if unsigned else index.at(TERNARY) for index in indices)
    return f"{array.text}[{shown or '()'}]"


def part(array: Code, places: Sequence[Code], axes: str) -> str:
    """A view of an array: an index, or a start, a size and a step for each axis."""
    given = iter(places)
    shown: list[str] = []
    for axis in axes:
        start = next(given)
        if axis == "i":
            shown.append(start.at(TERNARY))
            continue
        size, step = next(given), next(given)
        if axis == "-":
            first = f"{start.at(10)} + ({size.at(11)} - 1) * {step.at(12)}"
            shown.append(f"{first}:{start.at(10)} + 1:-({step.at(2)})")
            continue
        stop = size if start.text == "0" else Code(f"{start.at(10)} + {size.at(11)}", 10)
        if step.text == "1":
            shown.append(f"{'' if start.text == '0' else start.at(2)}:{stop.at(2)}")
        else:
            shown.append(f"{start.at(2)}:{start.at(10)} + {size.at(11)} * {step.at(12)}:{step.at(2)}")
    turned = ["::-1" if axis == "-" else ":" for axis in axes if axis != "i"]
    return f"{array.text}[{', '.join(shown)}]" + (f"[{', '.join(turned)}]" if "::-1" in turned else "")


class KernelEmitter(NumpyEmitter):
    """Writes lowered blocks.

    Args:
        for_numba: as for `write`.
        kept: the results that are kept by name.
        placeholders: what stands in the place of each output of a kernel that gives up.
    """

    poll = "poll"
    """The function that long loops call."""

    def __init__(self, for_numba: bool, kept: frozenset[Value], placeholders: Sequence[str]) -> None:
        super().__init__()
        self.speller = KernelSpeller(self.names, for_numba, kept)
        self._for_numba = for_numba
        self._given_up = ", ".join(["False", *placeholders])

    def statement(self, node: Node, inputs: Sequence[Code]) -> None:
        """Write what leaves a kernel, or stores an element."""
        if node.op == "deopt":
            self.line(f"if {inputs[0].at(TERNARY)}:", node.location)
            self.lines.append(Line(self.indent + 1, f"return {self._given_up}"))
            return
        self.line(
            f"{element(inputs[0], inputs[2:], self._for_numba)} = {inputs[1].at(TERNARY)}", node.location
        )

    def control(self, node: Node) -> None:
        """Write a control flow node; loops that may take long look for signals."""
        mark, indent = len(self.lines), self.indent
        super().control(node)
        long = node.op == "while_loop" or (
            node.op == "for_loop" and any(one.regions for one in node.regions[0].nodes)
        )
        if long and self._for_numba:
            header = next(
                index
                for index in range(mark, len(self.lines))
                if self.lines[index].indent == indent
                and self.lines[index].text.startswith(("for ", "while "))
            )
            self.lines.insert(header + 1, Line(indent + 1, f"{self.poll}()"))

    def finish(self, codes: Sequence[Code], outputs: Sequence[Operand], uses_floats: bool) -> None:
        """Return what was computed, unless the processor's flags tell of what NumPy may warn of."""
        if uses_floats:
            names: list[Code] = []
            for index, (code, output) in enumerate(zip(codes, outputs, strict=True)):
                if isinstance(output.spec, ArraySpec):
                    names.append(code)
                    continue
                names.append(Code(self.names.fresh(f"result_{index}" if len(codes) > 1 else "result")))
                self.line(f"{names[-1].text} = settled({code.at(TERNARY)})")
            codes = names
            self.line("if flags_raised():")
            self.lines.append(Line(self.indent + 1, f"return {self._given_up}"))
        self.line(f"return {', '.join(['True', *(code.at(TERNARY) for code in codes)])}")
