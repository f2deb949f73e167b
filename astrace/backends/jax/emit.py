"""A program as Python source over JAX: one nested function for each branch and loop, names as the user's."""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from astrace.backends.jax.op_text import spelled
from astrace.backends.python_source.expressions import ATOM, NUMBER, TERNARY, UNARY, Code
from astrace.backends.python_source.jax_callables import packed as packed_tree
from astrace.backends.python_source.jax_callables import taken_apart
from astrace.backends.python_source.lines import Line, line_text
from astrace.backends.python_source.names import RESERVED, VariableNames
from astrace.backends.python_source.spelling import Speller, constant
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.control import Interface
from astrace.ir.walk import blocks, nodes, uses
from astrace.locations import Location
from astrace.passes.functional.ops import AS_WRITTEN
from astrace.passes.functional.program import DEVICE, LOOPS, Atom, Missing, atom_dtype

TAKEN: Final = RESERVED | {"jnp", "lax", "support", "jax", "np", "math"}
PYTHON_NUMBERS: Final = (bool, int, float, complex)
WIDTH: Final = 60


class ProgramEmitter:
    """Writes one program.

    Args:
        part: the program.
        name: the name of the function.
    """

    def __init__(self, part: Block, name: str) -> None:
        self.lines: list[Line] = []
        self._speller = Speller(VariableNames())
        self.objects = self._objects_of(part)
        self.name = name
        self._part = part
        self._taken: set[str] = {*TAKEN, name, *self.objects}
        self._codes: dict[Value, Code] = {}
        self._uses: Counter[Value] = Counter()
        for one in blocks(part):
            self._uses.update(uses(one))
        self._indent = 1
        self._state = ""
        self._open = False

    def _objects_of(self, part: Block) -> dict[str, Any]:
        """Return the objects that the user's own nodes mention, by names that no variable gets."""
        for step in nodes(part):
            if step.op == AS_WRITTEN:
                self._as_written(step, [Code("")] * len(step.inputs))
        return dict(self._speller.names.objects)

    def _as_written(self, step: Node, codes: Sequence[Code]) -> Code:
        """Write a node as the user wrote it."""
        names = self._speller.names
        given = [
            constant(atom.value, names) if isinstance(atom, Constant) else code
            for atom, code in zip(step.inputs, codes, strict=True)
        ]
        return self._speller.spell(step.attrs["node"], given)

    def text(self) -> str:
        """Return the source; `lines` then hold what is under the header, `objects` what names refer to."""
        parameters = ", ".join(self._named(var).text for var in self._part.inputs)
        self._body(self._part)
        outputs = ", ".join(self.code(atom).at(TERNARY) for atom in self._part.outputs)
        self.line(f"return ({outputs}{',' if len(self._part.outputs) == 1 else ''})")
        header = f"def {self.name}({parameters}):"
        return "\n".join([header, *map(line_text, self.lines)]) + "\n"

    def line(self, text: str, location: Location | None = None) -> None:
        """Write a line."""
        self.lines.append(Line(self._indent, text, location))

    # -- names -------------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """Return a name that is not taken."""
        base = hint if hint.isidentifier() else "t"
        name, number = base, 0
        while name in self._taken:
            number += 1
            name = f"{base}_{number}" if base != "t" else f"t{number}"
        self._taken.add(name)
        return name

    def _named(self, var: Value) -> Code:
        self._codes[var] = Code(self.fresh(var.name or "t"))
        return self._codes[var]

    def code(self, atom: Atom) -> Code:
        """Return an atom as an expression."""
        return self._codes[atom] if isinstance(atom, Value) else self._constant(atom.value)

    def _constant(self, value: Any) -> Code:
        if isinstance(value, type) and value in PYTHON_NUMBERS:
            return Code(value.__name__)
        if isinstance(value, Missing):
            return Code("support.MISSING")
        if isinstance(value, np.dtype):
            return Code("bool" if value == np.dtype(bool) else f"jnp.{value.name}")
        if isinstance(value, float) and not math.isfinite(value):
            known = {"nan": "jnp.nan", "inf": "jnp.inf", "-inf": "-jnp.inf"}
            return Code(known[repr(value)], UNARY)
        if not _is_written(value):
            return Code(self._object(value))
        if isinstance(value, complex):
            return Code(repr(value) if _is_plain(value) else f"complex({value.real!r}, {value.imag!r})")
        if isinstance(value, bool | int | float | str | tuple | type(None)):
            return Code(repr(value), UNARY if repr(value).startswith("-") else NUMBER)
        return Code(self._object(value))

    def _object(self, value: Any) -> str:
        for name, known in self.objects.items():
            if known is value:
                return name
        name = self.fresh("constant")
        self.objects[name] = value
        return name

    # -- steps -------------------------------------------------------------------------------------

    def _body(self, part: Block) -> None:
        for index, step in enumerate(part.nodes):
            self._step(step, part.nodes[index + 1 :], part)

    def _step(self, step: Node, rest: Sequence[Node], part: Block) -> None:
        match step.op:
            case "cond":
                self._cond(step)
            case "while_loop" | "bounded_while" | "for_loop" | "scan":
                self._loop(step)
            case "unrolled_for" | "unrolled_while":
                self._unrolled(step)
            case "function":
                self._define(step)
            case _:
                self._leaf(step, rest, part)

    def _leaf(self, step: Node, rest: Sequence[Node], part: Block) -> None:
        code = self._spelled(step)
        if len(step.outputs) > 1:
            self.line(f"{self._targets(step.outputs)} = {code.text}", step.location)
            return
        out = next(iter(step.outputs))
        if self._is_inlined(out, code, step, rest, part):
            self._codes[out] = code
            return
        self.line(f"{self._named(out).text} = {code.text}", step.location)

    def _spelled(self, step: Node) -> Code:
        if step.op == AS_WRITTEN:
            names = [self._codes[atom] if isinstance(atom, Value) else Code("") for atom in step.inputs]
            return self._as_written(step, names)
        codes = [self.code(atom) for atom in step.inputs]
        return spelled(step.op, codes, step.attrs.get("pattern"), self._constant)

    def _is_inlined(self, out: Value, code: Code, step: Node, rest: Sequence[Node], part: Block) -> bool:
        """Return whether a short expression is used once, on the same line of the user's and in the same part."""
        if self._uses[out] != 1 or len(code.text) > WIDTH or (out.name and out in part.outputs):
            return False
        for user in rest:
            if out in user.inputs:
                return user.location == step.location and not out.name
        return out in part.outputs and not out.name

    # -- control flow --------------------------------------------------------------------------------

    @contextmanager
    def _function(self, hint: str, parameters: Callable[[], str]) -> Generator[str]:
        """Write a nested function; its names are free again behind it."""
        name = self.fresh(hint)
        taken = set(self._taken)
        self.line(f"def {name}({parameters()}):")
        self._indent += 1
        yield name
        self._indent -= 1
        self._taken = taken

    def _home(self, step: Node) -> str:
        """Return the prefix of the function for a step: JAX's own, or one that accepts values that do not match."""
        if "promotes" in step.attrs or (
            self._open and any(atom_dtype(out) == DEVICE for out in step.outputs)
        ):
            return "support."
        return "support.open_" if self._open or _lacks(step) else "lax."

    def _outputs(self, atoms: Sequence[Atom]) -> str:
        return packed([self.code(atom) for atom in atoms])

    def _targets(self, outs: Sequence[Value]) -> str:
        return ", ".join(self._named(out).text for out in outs)

    def _bound(self, step: Node, call: str) -> None:
        """Write a call; its results get names, if it has any."""
        targets = f"{self._targets(step.outputs)} = " if step.outputs else ""
        self.line(f"{targets}{call}", step.location)

    def _cond(self, step: Node) -> None:
        test = self.code(step.inputs[0])
        if isinstance(step.inputs[0], Value) and atom_dtype(step.inputs[0]) is None:
            self._choice(step, test)
            return
        names = [
            self._branch(part, hint) for part, hint in zip(step.regions, ("then", "orelse"), strict=True)
        ]
        call = f"{self._home(step)}cond({test.at(TERNARY)}, {names[0]}, {names[1]})"
        self._bound(step, call)

    def _branch(self, part: Block, hint: str) -> str:
        """Write a branch, a lambda if it is short, else a function; return the text that stands for it."""
        mark, taken = len(self.lines), set(self._taken)
        with self._function(hint, lambda: "") as name:
            self._body(part)
            outputs = self._outputs(part.outputs)
            short = len(self.lines) == mark + 1 and len(outputs) <= WIDTH // 2
            if not short:
                self.line(f"return {outputs}")
        if short:
            del self.lines[mark:]
            self._taken = taken
            return f"lambda: {outputs}"
        return name

    def _choice(self, step: Node, test: Code) -> None:
        """Write a branch that is decided when JAX traces, as an ``if``."""
        names = [self._named(out).text for out in step.outputs]
        for keyword, part in zip((f"if {test.at(TERNARY)}:", "else:"), step.regions, strict=True):
            self.line(keyword, step.location)
            self._indent += 1
            self._body(part)
            for name, out, atom in zip(names, step.outputs, part.outputs, strict=True):
                self.line(f"{name} = {self._as(out, atom)}")
            if not names:
                self.line("pass")
            self._indent -= 1

    def _with_state(self, part: Block, hint: str, first: int, carried: int | None = None) -> str:
        """Write a part as a function of ``first`` inputs and the carried values; it may return rows behind these."""
        inputs = part.inputs[first:]

        def parameters() -> str:
            own = [self._named(var).text for var in part.inputs[:first]]
            self._state = self._named(inputs[0]).text if len(inputs) == 1 else self.fresh("carried")
            return ", ".join([*own, self._state])

        with self._function(hint, parameters) as name:
            if len(inputs) > 1:
                self.line(f"{self._targets(inputs)} = {self._state}")
            self._body(part)
            parts = [part.outputs] if carried is None else [part.outputs[:carried], part.outputs[carried:]]
            self.line(f"return {', '.join(map(self._outputs, parts))}")
        return name

    def _opening(self, step: Node) -> bool:
        """Begin a loop, which may lack values before its first iteration; return whether those around it may."""
        outer = self._open
        self._open |= any(map(_is_missing, step.inputs))
        return outer

    def _loop(self, step: Node) -> None:
        """Write a loop of ``lax``, or of ``support``; the iterations of a ``scan`` also return rows, which are stacked."""
        outer = self._opening(step)
        heads, (*tests, body) = LOOPS[step.op], step.regions
        count = len(step.inputs) - heads if step.op == "scan" else None
        names = [self._with_state(one, "test", 0) for one in tests]
        names.append(self._with_state(body, "body", int(not tests), count))
        bounds = [self.code(atom).at(TERNARY) for atom in step.inputs[:heads]]
        first = self._outputs(step.inputs[heads:])
        match step.op:
            case "bounded_while" if not self._open:
                self._bound(step, f"support.bounded_while_loop({', '.join([*names, first, *bounds])})")
            case "while_loop" | "bounded_while":
                self._bound(step, f"{self._home(step)}while_loop({', '.join([*names, first])})")
            case "for_loop":
                self._bound(step, f"{self._home(step)}fori_loop({', '.join([*bounds, *names, first])})")
            case _:
                targets = [self._targets(outs) for outs in (step.outputs[:count], step.outputs[count:])]
                shown = ", ".join(f"({one})" if "," in one or not one else one for one in targets)
                self.line(f"{shown} = support.scan({', '.join([*bounds, *names, first])})", step.location)
        self._open = outer

    def _unrolled(self, step: Node) -> None:
        """Write a loop that Python runs: the carried variables are assigned in each iteration."""
        body, heads = step.regions[-1], 1 if step.op == "unrolled_for" else 0
        initial = step.inputs[2 * heads :]
        carried = body.inputs[heads:]
        for var, atom in zip(carried, initial, strict=True):
            code = self._as(var, atom)
            self.line(f"{self._named(var).text} = {code}")
        if heads:
            bounds = ", ".join(self.code(atom).at(TERNARY) for atom in step.inputs[:2])
            header = f"for {self._named(body.inputs[0]).text} in support.iterations({bounds}):"
        else:
            header = "for _ in support.iterations():"
        self.line(header, step.location)
        self._indent += 1
        if not heads:
            test = step.regions[0]
            self._codes.update((own, self._codes[var]) for own, var in zip(test.inputs, carried, strict=True))
            self._body(test)
            self.line(f"if not {self.code(test.outputs[0]).at(ATOM)}:")
            self.lines.append(Line(self._indent + 1, "break", step.location))
        self._body(body)
        after = ", ".join(self._as(var, atom) for var, atom in zip(carried, body.outputs, strict=True))
        names = ", ".join(self._codes[var].text for var in carried)
        self.line(f"{names} = {after}" if carried else "pass")
        self._indent -= 1
        self._codes.update((out, self._codes[var]) for out, var in zip(step.outputs, carried, strict=True))

    def _as(self, var: Value, atom: Atom) -> str:
        """Write an atom as a variable holds it: a number becomes an array where JAX computes with it."""
        text = self.code(atom).at(TERNARY)
        known = isinstance(atom, Constant) or atom_dtype(atom) is None
        if atom_dtype(var) is None or atom_dtype(var) == DEVICE or not known or _is_missing(atom):
            return text
        return f"jnp.asarray({text}, {self._constant(atom_dtype(var)).text})"

    def _define(self, step: Node) -> None:
        """Write a function that is given to JAX."""
        (head,), (part,), (out,) = step.inputs, step.regions, step.outputs
        form: Interface = head.value  # type: ignore[union-attr]
        leaves: list[str] = []

        def parameters() -> str:
            leaves.extend(self._named(var).text for var in part.inputs)
            names = leaves if form.flat else [f"argument_{index}" for index in range(form.arguments)]
            return ", ".join(names)

        with self._function(form.name, parameters) as name:
            if not form.flat:
                names = [f"argument_{index}" for index in range(form.arguments)]
                self.line(taken_apart(names, leaves))
            self._body(part)
            codes = [self.code(atom).at(TERNARY) for atom in part.outputs]
            self.line(f"return {packed_tree(form.result, codes, self._object)}", step.location)
        self._codes[out] = Code(name)


def _is_missing(atom: Atom) -> bool:
    return isinstance(atom, Constant) and isinstance(atom.value, Missing)


def _lacks(step: Node) -> bool:
    """Return whether a branch lacks a value that the other one has."""
    return step.op == "cond" and any(_is_missing(atom) for part in step.regions for atom in part.outputs)


def packed(codes: Sequence[Code]) -> str:
    """Return one value as it is, several as a tuple."""
    if len(codes) == 1:
        return codes[0].at(TERNARY)
    return f"({', '.join(code.at(TERNARY) for code in codes)})"


def _is_written(value: Any) -> bool:
    """Return whether the text of a constant is read back as that constant; infinity and NaN are written as names."""
    if isinstance(value, tuple):
        return all(map(_is_written, value))
    return not isinstance(value, float | complex) or cmath.isfinite(value)


def _is_plain(value: complex) -> bool:
    """Return whether a complex number is read back as it is written."""
    return not value.real and math.copysign(1.0, value.real) > 0 and math.isfinite(value.imag)
