"""The way into a program and out of it: straight-line Python that checks arguments, calls, and puts results right.

Where a check of the program fails, where JAX can't trace it for these shapes, or where arguments share memory in
a way that matters, the exact backend runs the call: the program changes nothing, so it can start afresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.lowering import SMALL, Program
from astrace.backends.jax.lower.results import ResultWriter
from astrace.backends.python_source.expressions import Code, lay_out
from astrace.ir.block import Block
from astrace.ir.specs import AnySpec, ArraySpec, DeviceSpec, GenericSpec, ScalarSpec
from astrace.util.trees import Hole, Tree

SMALL_IN_JAX: Final = 2**30
"""The limit of Python's integers in programs of JAX's own functions, whose integers have 32 bits by default."""
PYTHON_EXACT: Final = {np.dtype(np.float64): "float", np.dtype(np.int64): "int", np.dtype(bool): "bool"}
"""NumPy scalars that JAX accepts faster as Python's numbers, which hold the same."""


class Wrapper:
    """Writes the function around a program.

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
        self._results = ResultWriter(program.part.outputs, dict(program.writes), self._names, self._lines)
        self.objects = self._results.objects

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
        self._results.inline = True
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
            conditions.append(f"{name} is {self._results.static(function)}")
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

    def _whole(self) -> str:
        shown = [give(self._results) for give in self._program.outputs]

        def leaf(part: Any) -> Code:
            return Code(shown[part.index] if isinstance(part, Hole) else self._results.static(part))

        return lay_out(self._result, leaf).text
