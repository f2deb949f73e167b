"""The way into a program and out of it: straight-line Python that checks arguments, calls, and puts results right.

Where a check of the program fails, where JAX can't trace it for these shapes, or where arguments share memory in
a way that matters, the exact backend runs the call: the program changes nothing, so it can start afresh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.layout.result_recipe import (
    Give,
    GiveArgument,
    GiveArray,
    GiveDevice,
    GiveEither,
    GiveItems,
    GiveList,
    GiveMade,
    GiveNumber,
    GiveRows,
    GiveStatic,
    GiveView,
)
from astrace.backends.jax.lower.lowering import SMALL, Program
from astrace.backends.jax.lower.value_forms import View
from astrace.backends.jax.program_ir import atom_dtype
from astrace.backends.jax.spelling import spelled
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
        self._arrays: dict[int, str] = {}
        self._inline = False

    def source(self) -> str:
        """Return the text; ``objects`` holds what it refers to beside what the caller adds."""
        given = ", ".join(self._names.values())
        self._checks()
        count = len(self._program.part.outputs)
        outs = [f"t{index}" for index in range(count)]
        inputs = ", ".join(self._argument(position) for position in self._program.used)
        unpacked = f"{', '.join(outs)}{',' if count == 1 else ''} = " if count else ""
        call = f"{unpacked}program({inputs})"
        if self._program.device:
            self._lines += ["failed = None", "try:", f"    {call}", "except Exception as error:"]
        else:
            x64 = ["    with enable_x64(True):", f"        {call}"]
            self._lines += ["failed = None", "try:", *x64, "except Exception as error:"]
        self._lines += [
            "    failed = error",
            "if failed is not None:  # exceptions of the exact backend have no context",
        ]
        self._lines += ["    try:", f"        return refused(failed{f', {given}' if given else ''})"]
        self._lines += ["    finally:", "        del failed"]
        if count:  # JAX traces, though no argument shows it
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
        count = len(self._program.part.outputs)
        unpacked = f"{''.join(f't{index}, ' for index in range(count)).strip()} = " if count else ""
        inputs = ", ".join(self._names[position] for position in self._program.used)
        call = f"{unpacked}function({inputs})"
        if self._program.device:
            lines = [
                "failed = None",
                "try:",
                f"    {call}",
                "except Exception as error:",
                "    failed = error",
            ]
            lines += ["if failed is not None:", "    try:"]
            lines += [f"        return refused.inlined(failed{f', {given}' if given else ''})"]
            lines += ["    finally:", "        del failed"]
        else:
            lines = ["with enable_x64(True):", f"    {call}"]
        if self._program.ok is not None and caught:
            lines += [f"if not support.is_known(t{self._program.ok}):", f"    return exact({given})"]
        elif self._program.ok is not None:
            lines.append(f"support.must_hold(t{self._program.ok})")
        lines.append(f"return {self._whole()}")
        return f"def inline({given}):\n" + "".join(f"    {line}\n" for line in lines)

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
            conditions.append(f"{name} is {self._constant(function)}")
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
        shown = [self._give(one) for one in self._program.outputs]

        def leaf(part: Any) -> Code:
            if isinstance(part, Hole):
                return Code(shown[part.index])
            return Code(self._constant(part))

        return lay_out(self._result, leaf).text

    def _constant(self, value: Any) -> str:
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        name = f"object{len(self.objects)}"
        self.objects[name] = value
        return name

    def _give(self, give: Give) -> str:
        match give:
            case GiveNumber():
                return self._number(give)
            case GiveDevice():
                return f"t{give.slot}"
            case GiveArray():
                return self._array(give)
            case GiveArgument():
                return self._argument_given(give.index)
            case GiveView():
                return self._view(give)
            case GiveStatic():
                return self._constant(give.value)
            case GiveItems() | GiveMade() | GiveRows() | GiveList() | GiveEither():
                return self._composed(give)

    def _composed(self, give: GiveItems | GiveMade | GiveRows | GiveList | GiveEither) -> str:
        match give:
            case GiveItems():
                return self._items(give)
            case GiveMade() | GiveRows():
                return self._made(give)
            case GiveList():
                return self._list(give)
            case GiveEither():
                return self._either(give)

    def _number(self, give: GiveNumber) -> str:
        if self._inline:
            return f"t{give.slot}"
        atom = self._program.part.outputs[give.slot]
        dtype = np.dtype(object) if isinstance(atom, Constant) else atom_dtype(atom)
        if isinstance(give.spec, ScalarSpec):
            return (
                f"{give.spec.kind}(t{give.slot})"
                if dtype is None or isinstance(atom, Constant)
                else f"asarray(t{give.slot}).item()"
            )
        return f"asarray(t{give.slot}, {self._constant(give.spec.dtype)})[()]"

    def _array(self, give: GiveArray) -> str:
        """Write a fresh array; one object that is returned twice is made once."""
        if self._inline:
            return f"t{give.slot}"
        if give.key not in self._arrays:
            name = f"a{give.key}"
            self._lines.append(f"{name} = array(t{give.slot})")
            self._arrays[give.key] = name
        return self._arrays[give.key]

    def _argument_given(self, position: int) -> str:
        """Write an argument that is returned; while JAX traces, its new contents if it is written."""
        written = dict(self._program.writes).get(position) if self._inline else None
        return self._names[position] if written is None else f"t{written}"

    def _view(self, give: GiveView) -> str:
        text = self._give(give.base)
        for view, slots in zip(give.path, give.slots, strict=True):
            codes = [self._slot(slot) for slot in slots]
            text = _applied(view, text, codes, "jnp" if self._inline else "np")
        return text

    def _slot(self, slot: int | Constant) -> Code:
        if isinstance(slot, Constant):
            return Code(self._constant(slot.value))
        return Code(f"t{slot}" if self._inline else f"int(asarray(t{slot}))")

    def _items(self, give: GiveItems) -> str:
        inner = ", ".join(self._give(one) for one in give.items)
        if give.cls is list:
            return f"[{inner}]"
        if give.cls is tuple:
            return f"({inner}{',' if len(give.items) == 1 else ''})"
        return f"{self._constant(give.cls)}._make(({inner}{',' if len(give.items) == 1 else ''}))"

    def _made(self, give: GiveMade | GiveRows) -> str:
        if isinstance(give, GiveRows):
            return f"[{''.join(f'{self._give(one)}, ' for one in give.before)}*t{give.slot}]"
        inner = [self._give(one) for one in give.items]
        if give.cls is dict:
            return f"{{{', '.join(f'{name!r}: {one}' for name, one in zip(give.names, inner, strict=True))}}}"
        parts = ", ".join([self._constant(give.cls), repr(give.names), *inner])
        return f"{self._constant(make_object)}({parts})"

    def _list(self, give: GiveList) -> str:
        """Write a list; while JAX traces, its length has to be known."""
        slots = iter(give.slots)
        if self._inline:
            item = self._item(give.element, slots)
            return f"[{item} for index in range(index_of(t{give.length}))]"
        if give.apart:
            return self._each(give.element, slots)
        return self._all(give.element, slots, f"int(asarray(t{give.length}))")

    def _item(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write item ``index`` of a list."""
        match spec:
            case TupleSpec():
                inner = "".join(f"{self._item(one, slots)}, " for one in spec.items)
                return f"({inner})" if spec.cls is tuple else f"{self._constant(spec.cls)}._make(({inner}))"
            case UnionSpec():
                tag = next(slots)
                inner = ", ".join(self._item(one, slots) for one in spec.options)
                return f"support.chosen(t{tag}[index], {inner})"
            case LiteralSpec():
                return self._constant(spec.value)
            case _:
                return f"t{next(slots)}[index]"

    def _all(self, spec: Spec, slots: Iterator[int], length: str) -> str:
        """Write all items of a list."""
        match spec:
            case ScalarSpec():
                return f"asarray(t{next(slots)})[:{length}].tolist()"
            case GenericSpec():
                return f"list(asarray(t{next(slots)}, {self._constant(spec.dtype)})[:{length}])"
            case TupleSpec() if spec.items:
                inner = ", ".join(self._all(one, slots, length) for one in spec.items)
                made = "one" if spec.cls is tuple else f"{self._constant(spec.cls)}._make(one)"
                return f"[{made} for one in zip({inner})]"
            case UnionSpec():
                tags = f"asarray(t{next(slots)})[:{length}].tolist()"
                inner = ", ".join(self._all(one, slots, length) for one in spec.options)
                return f"[one[tag] for tag, *one in zip({tags}, {inner})]"
            case ArraySpec():
                return f"[array(one) for one in asarray(t{next(slots)})[:{length}]]"
            case _:
                value = spec.value if isinstance(spec, LiteralSpec) else ()
                return f"[{self._constant(value)}] * {length}"

    def _each(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write all items of a list that are kept in a tuple, each by itself."""
        match spec:
            case TupleSpec():
                inner = ", ".join(self._each(one, slots) for one in spec.items)
                made = "one" if spec.cls is tuple else f"{self._constant(spec.cls)}._make(one)"
                return f"[{made} for one in zip({inner})]"
            case GenericSpec():
                return f"[asarray(one, {self._constant(spec.dtype)})[()] for one in t{next(slots)}]"
            case ScalarSpec():
                return f"[asarray(one).item() for one in t{next(slots)}]"
            case _:
                return f"[array(one) for one in t{next(slots)}]"

    def _either(self, give: GiveEither) -> str:
        options = [self._give(one) for one in give.options]
        if self._inline:
            name = "object_of" if give.alike else "chosen"
            return f"support.{name}(t{give.slot}, {', '.join(options)})"
        text = options[-1]
        tag = (
            f"t{give.slot}"
            if isinstance(self._program.part.outputs[give.slot], Constant)
            else f"asarray(t{give.slot}).item()"
        )
        for index, option in reversed(list(enumerate(options[:-1]))):
            if option != options[-1]:
                text = f"{option} if {tag} == {index} else {text}"
        return f"({text})"


def _applied(view: View, text: str, codes: Sequence[Code], module: str) -> str:
    """Write a view of an array, as a program does but for the module."""
    return spelled(view.op, [Code(text), *codes], view.attrs.get("pattern"), _written, module).text


def _written(value: Any) -> Code:
    """Return the text of a constant of a layout."""
    return Code(repr(value))
