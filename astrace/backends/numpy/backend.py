"""The NumPy backend: Python source over NumPy that a reviewer can read, exact to the bit.

It takes every block.  Statements stand in the block's order, references stay references, so mutation,
aliasing, exceptions and printed output are the original's.
"""

from __future__ import annotations

import builtins
import keyword
import math
import operator
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.base import Executable
from astrace.backends.numpy.emitter import origin
from astrace.backends.numpy.loops import Loops
from astrace.backends.python_source.expressions import TERNARY, constant
from astrace.backends.python_source.jax_callables import packed, taken_apart
from astrace.backends.python_source.lines import Line, source_text
from astrace.backends.python_source.loading import load
from astrace.errors import StateChanged
from astrace.ir.block import Block, Node, Value
from astrace.ir.control import ForLoop, Interface, WhileLoop
from astrace.ir.jax_arrays import jax_module
from astrace.ir.walk import constants, nodes, uses
from astrace.util.entrances import NO_ENTRANCES, Entrances
from astrace.util.trees import Tree, leaves

NO_MODULE: Final[Mapping[str, Any]] = types.MappingProxyType({})
MODULES: Final = {"np": np, "math": math, "operator": operator}
CHECKS: Final = frozenset({"check_array", "check_still", "check_unchanged", "promised"})
"""Ops that raise `StateChanged`, which no handler of the program's is to see."""
TAKEN: Final = frozenset({*MODULES, *keyword.kwlist, *dir(builtins)})
"""Names that generated code calls: a function of that name would call itself."""


def compile_block(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    module: Mapping[str, Any] = NO_MODULE,
    entrances: Entrances = NO_ENTRANCES,
) -> Executable:
    """Compile a block to a function over NumPy.

    Args:
        block: any block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        module: what Python's warnings look for in the globals of the code that warns.
        entrances: the compiled functions that the block calls.
    """
    emitter = NumpyEmitter()
    emitter.speller.enters(block, entrances)
    counts = uses(block)
    used = tuple(index for index, value in enumerate(block.inputs) if value in counts)
    shown = name if name.isidentifier() else "compiled"
    shown = f"{shown}_" if shown in TAKEN else shown
    emitter.names.reserve(shown)
    emitter.begin(block, ())
    parameters = [_parameter(emitter, block.inputs[index]) for index in used]
    for index, node in enumerate(block.nodes):
        emitter.names.frame.index = index
        emitter.node(node)
    emitter.names.frame.index = len(block.nodes)
    if not _ends_with_raise(block):
        emitter.result(result, block.outputs)
    source, rows = source_text(f"def {shown}({', '.join(parameters)}):", emitter.lines)
    namespace = {**MODULES, **emitter.names.objects}
    told = (*(one.value for one in constants(block)), *leaves(result), result)
    function = load(source, rows, shown, file, {**namespace, **module}, told)
    return Executable(source, function, used, "numpy", namespace)


def _parameter(emitter: NumpyEmitter, value: Value) -> str:
    return emitter.names.assign(value, emitter.names.fresh(value.name or "t"))


def _ends_with_raise(block: Block) -> bool:
    return bool(block.nodes) and block.nodes[-1].op == "raise_"


class NumpyEmitter(Loops):
    """Writes control flow nodes as Python statements."""

    def control(self, node: Node) -> None:
        """Write a control flow node."""
        match node.op:
            case "cond":
                self.cond(node)
            case "while_loop":
                self.while_loop(WhileLoop(node))
            case "for_loop":
                self.for_loop(ForLoop(node))
            case "try_":
                self.try_(node)
            case "function":
                self.function(node)
            case _:
                self.with_(node)

    # -- functions ---------------------------------------------------------------------------------

    def function(self, node: Node) -> None:
        """Write a ``def`` whose captures are defaults of parameters, so that it keeps their present values."""
        self.flush()
        form: Interface = node.attrs["form"]
        (output,), block = node.outputs, node.regions[0]
        own = block.inputs[: len(block.inputs) - len(node.inputs)]
        name = self.names.assign(output, form.name if form.name.isidentifier() else "function")
        mark = len(self.lines)
        self.indent += 1
        outer = self.begin(block, ())
        self.captured(node)
        leaves = [self.names.assign(value, value.name) for value in own]
        kept = {
            self.names[operand]
            for operand in node.inputs
            if isinstance(operand, Value) and operand in self.names
        }
        parameters = leaves if form.flat else [f"argument_{index}" for index in range(form.arguments)]
        if not form.flat:
            self.names.own("jax", jax_module())
            self.line(taken_apart(parameters, leaves))
        for number, inner in enumerate(block.nodes):
            self.names.frame.index = number
            self.node(inner)
        self.names.frame.index = len(block.nodes)
        codes = self.take(block.outputs)
        self.flush(codes)
        self.line(f"return {self._packed(form.result, [code.at(TERNARY) for code in codes])}", origin(codes))
        self.end(outer)
        self.indent -= 1
        given = ", ".join([*parameters, *(f"{one}={one}" for one in sorted(kept))])
        self.lines.insert(mark, Line(self.indent, f"def {name}({given}):", node.location))

    def _packed(self, result: Any, codes: Sequence[str]) -> str:
        """Write the value that a function returns."""
        return packed(result, codes, lambda tree: self.names.object(tree, "structure"))

    # -- try and with --------------------------------------------------------------------------------

    def try_(self, node: Node) -> None:
        """Write ``try``: a handler sees the values from before the body, so the outputs are assigned at the body's end."""
        self.flush()
        targets = self.targets(node)
        pinned = self.pinned(node.inputs)
        places = self._apart(targets, pinned)
        self.line("try:", node.location)
        self.region(node, 0, places, pinned=pinned)
        if any(inner.op in CHECKS for inner in nodes(node.regions[0])):
            self.line(f"except {self._classes((StateChanged,))}:")  # no handler of the program's catches it
            self.line("    raise")
        for index, classes in enumerate(node.attrs["catches"]):
            handler = node.regions[index + 1]
            error = self.names.fresh("error", {*pinned, *(name for name in places if name)})
            self.line(f"except {self._classes(classes)} as {error}:")
            self.region(node, index + 1, places, [(handler.inputs[0], error)], pinned)
        for output, name in zip(node.outputs, places, strict=True):
            if name is not None:
                self.names.take(output, name)

    def _apart(self, targets: Sequence[str | None], pinned: set[str]) -> list[str | None]:
        """The targets, with other names for those that are pinned."""
        avoid = {*pinned, *(name for name in targets if name)}
        places: list[str | None] = []
        for name in targets:
            place = self.names.fresh(name, avoid) if name in pinned else name
            avoid.update((place,) if place else ())
            places.append(place)
        return places

    def _classes(self, classes: tuple[type, ...]) -> str:
        codes = [constant(cls, self.names).text for cls in classes]
        return codes[0] if len(codes) == 1 else f"({', '.join(codes)})"

    def with_(self, node: Node) -> None:
        """``with``."""
        (manager,) = self.take(node.inputs[:1])
        self.flush([manager])
        targets = self.targets(node)
        block = node.regions[0]
        entered = block.inputs[0]
        needed = entered in uses(block)
        read = {self.names[one] for one in node.inputs if isinstance(one, Value) and one in self.names}
        name = self.names.fresh(entered.name or "entered", {*read, *(one for one in targets if one)})
        self.line(f"with {manager.text}{f' as {name}' if needed else ''}:", node.location)
        self.region(node, 0, targets, [(entered, name)])
        for output, one in zip(node.outputs, targets, strict=True):
            if one is not None:
                self.names.take(output, one)
