"""The way into a program and out of it: straight-line Python that checks arguments, calls, and puts results right.

Where a check of the program fails, where JAX can't trace it for these shapes, or where arguments share memory in
a way that matters, the exact backend runs the call: the program changes nothing, so it can start afresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.lowering import SMALL, Program
from astrace.backends.jax.lower.results import Give
from astrace.backends.jax.lower.value_forms import View
from astrace.backends.jax.program_ir import atom_dtype
from astrace.backends.jax.program_ops import spelled
from astrace.backends.python_source.expressions import Code, lay_out
from astrace.ir.block import Block, Constant
from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.ops.python.objects import make_object
from astrace.util.trees import Hole, Tree

SMALL_IN_JAX: Final = 2**30
"""The limit of Python's integers in programs of JAX's own functions, whose integers have 32 bits by default."""
PYTHON_EXACT: Final = {np.dtype(np.float64): "float", np.dtype(np.int64): "int", np.dtype(bool): "bool"}
"""NumPy scalars that JAX accepts faster as Python's numbers, which hold the same."""


class Wrapper:
    """Writes the function around a program.

    Results are converted to NumPy (``asarray``) before they become numbers: JAX's own conversions are much slower.

    Args:
        block: the block.
        program: the program made from it.
        positions: the positions of the block's inputs that the function takes.
        result: the tree of the block's outputs that the function returns.
    """

    def __init__(self, block: Block, program: Program, positions: Sequence[int], result: Tree) -> None:
        self._block = block
        self._program = program
        self._names = {position: f"x{position}" for position in positions}
        self._result = result
        self._lines: list[str] = []
        self.objects: dict[str, Any] = {}
        self._arrays: set[int] = set()
        self._inline = False

    def source(self) -> str:
        """Return the text; ``objects`` holds what it refers to beside what the caller adds."""
        given = ", ".join(self._names.values())
        self._checks()
        call = self._call("program", map(self._argument, self._program.used))
        self._lines += self._attempt(call, "refused")
        if self._program.part.outputs:  # JAX traces, though no argument shows it
            instead = "inline" if self._program.device else "exact"
            self._lines += ["if isinstance(t0, Tracer):", f"    return {instead}({given})"]
        told = [*self._program.kept, *([] if self._program.ok is None else [self._program.ok])]
        if told:
            conditions = " and ".join(f"asarray(t{slot})" for slot in told)
            self._lines += [f"if not ({conditions}):", f"    return refused.unmet({given})"]
        self._lines += ["if refused.in_a_row:", "    refused.in_a_row = 0"]
        for argument, slot in self._program.writes:
            self._lines.append(f"copyto({self._names[argument]}, asarray(t{slot}))")
        self._lines.append(f"return {self._whole()}")
        if self._program.device:
            self._lines[:0] = self._redirection(given)
        first = [
            "if process.forked:",
            "    process.stop()",
            "if refused.given_up:",
            f"    return exact({given})",
        ]
        body = "\n".join(f"    {line}" for line in [*first, *self._lines])
        return f"def run({given}):\n{body}\n"

    def _redirection(self, given: str) -> list[str]:
        """Write the test that runs the program as a part of what JAX traces, if an argument is a tracer."""
        specs = [self._block.inputs[position].spec for position in self._names]
        tests = [
            f"isinstance({name}, Tracer)" if isinstance(spec, DeviceSpec) else f"has_tracer({name})"
            for name, spec in zip(self._names.values(), specs, strict=True)
            if isinstance(spec, DeviceSpec | AnySpec)
        ]
        return [f"if {' or '.join(tests)}:", f"    return inline({given})"] if tests else []

    def inline_source(self, caught: bool) -> str:
        """Return the text of a function that runs the program as a part of one that JAX is tracing.

        It returns arrays of JAX, also in place of numbers; arguments are not written.

        Args:
            caught: the function catches exceptions: where one may be raised, Python runs it.
        """
        self._inline = True
        given = ", ".join(self._names.values())
        lines = self._call("function", (self._names[position] for position in self._program.used))
        lines = self._attempt(lines, "refused.inlined") if self._program.device else lines
        if self._program.ok is not None and caught:
            lines += [f"if not support.is_known(t{self._program.ok}):", f"    return exact({given})"]
        elif self._program.ok is not None:
            lines.append(f"support.must_hold(t{self._program.ok})")
        lines.append(f"return {self._whole()}")
        return f"def inline({given}):\n" + "".join(f"    {line}\n" for line in lines)

    def _call(self, function: str, inputs: Iterable[str]) -> list[str]:
        """Write the call of the program, whose numbers are NumPy's unless it is one of JAX's own functions."""
        outs = "".join(f"t{index}, " for index in range(len(self._program.part.outputs)))
        call = f"{outs}{'= ' if outs else ''}{function}({', '.join(inputs)})"
        return [call] if self._program.device else ["with enable_x64(True):", f"    {call}"]

    def _attempt(self, lines: Sequence[str], instead: str) -> list[str]:
        """Write what may raise, and the call that is made then: its own exceptions have no context."""
        given = ", ".join(["failed", *self._names.values()])
        return [
            *("failed = None", "try:", *(f"    {line}" for line in lines)),
            *("except Exception as error:", "    failed = error", "if failed is not None:", "    try:"),
            *(f"        return {instead}({given})", "    finally:", "        del failed"),
        ]

    # -- before the call -----------------------------------------------------------------------------

    def _argument(self, position: int) -> str:
        spec = self._block.inputs[position].spec
        name = self._names[position]
        if position in self._program.static:
            return f"int({name})"
        convert = PYTHON_EXACT.get(spec.dtype) if isinstance(spec, GenericSpec) else None
        return f"{convert}({name})" if convert else name

    def _checks(self) -> None:
        """Write the conditions without which a call goes to the exact backend at once."""
        conditions: list[str] = []
        for position in self._program.used:
            spec, name = self._block.inputs[position].spec, self._names[position]
            if spec == ScalarSpec("int") or position in self._program.static:
                limit = SMALL_IN_JAX if self._program.device else SMALL
                conditions.append(f"-{limit} <= {name} <= {limit}")
        conditions += self._sharing()
        for name, function in self._program.called.items():
            conditions.append(f"{name} is {self.static(function)}")
        if self._program.watched:
            conditions.append("geterr()['under'] == 'ignore'")
        if conditions:
            given = ", ".join(self._names.values())
            self._lines += [f"if not ({' and '.join(conditions)}):", f"    return exact({given})"]

    def _sharing(self) -> list[str]:
        """Return the conditions that written arguments are writeable and share no memory with others."""
        written = [argument for argument, _ in self._program.writes]
        conditions = [f"{self._names[one]}.flags.writeable" for one in written]
        arrays = [one for one in self._program.used if isinstance(self._block.inputs[one].spec, ArraySpec)]
        for index, one in enumerate(arrays):
            for other in arrays[:index]:
                if one in written or other in written:
                    pair = f"{self._names[other]}, {self._names[one]}"
                    conditions.append(f"not may_share_memory({pair})")
        names = [self._names[one] for one in written]
        return [*conditions, *(f"({one}.flags.c_contiguous or not overlaps_itself({one}))" for one in names)]

    # -- after the call --------------------------------------------------------------------------------

    def _whole(self) -> str:
        shown = [give(self) for give in self._program.outputs]

        def leaf(part: Any) -> Code:
            if isinstance(part, Hole):
                return Code(shown[part.index])
            return Code(self.static(part))

        return lay_out(self._result, leaf).text

    def static(self, value: Any) -> str:
        """Write an object that is the same at every call."""
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        name = f"object{len(self.objects)}"
        self.objects[name] = value
        return name

    def number(self, slot: int, spec: ScalarSpec | GenericSpec) -> str:
        """Write a number."""
        if self._inline:
            return f"t{slot}"
        atom = self._program.part.outputs[slot]
        if isinstance(spec, GenericSpec):
            return f"asarray(t{slot}, {self.static(spec.dtype)})[()]"
        known = isinstance(atom, Constant) or atom_dtype(atom) is None
        return f"{spec.kind}(t{slot})" if known else f"asarray(t{slot}).item()"

    def device(self, slot: int) -> str:
        """Write a result of JAX."""
        return f"t{slot}"

    def array(self, slot: int, key: int) -> str:
        """Write a fresh array; one object that is returned twice is made once."""
        if self._inline:
            return f"t{slot}"
        if key not in self._arrays:
            self._lines.append(f"a{key} = array(t{slot})")
            self._arrays.add(key)
        return f"a{key}"

    def argument(self, index: int) -> str:
        """Write an argument that is returned; while JAX traces, its new contents if it is written."""
        written = dict(self._program.writes).get(index) if self._inline else None
        return self._names[index] if written is None else f"t{written}"

    def view(self, base: Give, path: Sequence[View], slots: Sequence[Sequence[int | Constant]]) -> str:
        """Write a part of an array, as a program does but for the module."""
        text, home = base(self), "jnp" if self._inline else "np"
        for view, found in zip(path, slots, strict=True):
            codes = [Code(text), *map(self._slot, found)]
            text = spelled(view.op, codes, view.attrs.get("pattern"), lambda one: Code(repr(one)), home).text
        return text

    def _slot(self, slot: int | Constant) -> Code:
        if isinstance(slot, Constant):
            return Code(self.static(slot.value))
        return Code(f"t{slot}" if self._inline else f"int(asarray(t{slot}))")

    def items(self, parts: Sequence[Give], cls: type) -> str:
        """Write a tuple or a list."""
        inner = ", ".join(give(self) for give in parts)
        if cls is list:
            return f"[{inner}]"
        return self._of_class(cls, f"({inner}{',' if len(parts) == 1 else ''})")

    def _of_class(self, cls: type, items: str) -> str:
        """Write a tuple of a class, from one of the same items."""
        return items if cls is tuple else f"{self.static(cls)}._make({items})"

    def rows(self, before: Sequence[Give], slot: int) -> str:
        """Write a list of some items, and the rows of an array."""
        return f"[{''.join(f'{give(self)}, ' for give in before)}*t{slot}]"

    def made(self, cls: type, names: Sequence[Any], parts: Sequence[Give]) -> str:
        """Write a dict, or an instance of a class."""
        inner = [give(self) for give in parts]
        if cls is dict:
            return f"{{{', '.join(f'{name!r}: {one}' for name, one in zip(names, inner, strict=True))}}}"
        given = ", ".join([self.static(cls), repr(names), *inner])
        return f"{self.static(make_object)}({given})"

    def list_of(self, length: int, slots: Sequence[int], element: Spec, *, apart: bool) -> str:
        """Write a list; while JAX traces, its length has to be known."""
        left = iter(slots)
        if self._inline:
            return f"[{self._item(element, left)} for index in range(index_of(t{length}))]"
        return self._each(element, left) if apart else self._all(element, left, f"int(asarray(t{length}))")

    def _item(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write item ``index`` of a list."""
        match spec:
            case TupleSpec():
                inner = "".join(f"{self._item(one, slots)}, " for one in spec.items)
                return self._of_class(spec.cls, f"({inner})")
            case UnionSpec():
                tag = next(slots)
                inner = ", ".join(self._item(one, slots) for one in spec.options)
                return f"support.chosen(t{tag}[index], {inner})"
            case LiteralSpec():
                return self.static(spec.value)
            case _:
                return f"t{next(slots)}[index]"

    def _all(self, spec: Spec, slots: Iterator[int], length: str) -> str:
        """Write all items of a list."""
        match spec:
            case ScalarSpec():
                return f"asarray(t{next(slots)})[:{length}].tolist()"
            case GenericSpec():
                return f"list(asarray(t{next(slots)}, {self.static(spec.dtype)})[:{length}])"
            case TupleSpec() if spec.items:
                inner = ", ".join(self._all(one, slots, length) for one in spec.items)
                return f"[{self._of_class(spec.cls, 'one')} for one in zip({inner})]"
            case UnionSpec():
                tags = f"asarray(t{next(slots)})[:{length}].tolist()"
                inner = ", ".join(self._all(one, slots, length) for one in spec.options)
                return f"[one[tag] for tag, *one in zip({tags}, {inner})]"
            case ArraySpec():
                return f"[array(one) for one in asarray(t{next(slots)})[:{length}]]"
            case _:
                value = spec.value if isinstance(spec, LiteralSpec) else ()
                return f"[{self.static(value)}] * {length}"

    def _each(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write all items of a list that are kept in a tuple, each by itself."""
        match spec:
            case TupleSpec():
                inner = ", ".join(self._each(one, slots) for one in spec.items)
                return f"[{self._of_class(spec.cls, 'one')} for one in zip({inner})]"
            case GenericSpec():
                return f"[asarray(one, {self.static(spec.dtype)})[()] for one in t{next(slots)}]"
            case ScalarSpec():
                return f"[asarray(one).item() for one in t{next(slots)}]"
            case _:
                return f"[array(one) for one in t{next(slots)}]"

    def either(self, slot: int, options: Sequence[Give], *, alike: bool = False) -> str:
        """Write one of several results."""
        shown = [give(self) for give in options]
        if self._inline:
            return f"support.{'object_of' if alike else 'chosen'}(t{slot}, {', '.join(shown)})"
        known = isinstance(self._program.part.outputs[slot], Constant)
        tag = f"t{slot}" if known else f"asarray(t{slot}).item()"
        text = shown[-1]
        for index, option in reversed(list(enumerate(shown[:-1]))):
            if option != shown[-1]:
                text = f"{option} if {tag} == {index} else {text}"
        return f"({text})"
