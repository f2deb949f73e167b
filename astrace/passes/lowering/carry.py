"""Numbers that come together: out of the branches of a ``cond``, or carried from one iteration of a loop to the next."""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import GenericSpec, LiteralSpec, Spec, UnionSpec
from astrace.passes.analysis.int_ranges import FULL, carried_bounds
from astrace.passes.lowering.block import FALSE, LoweredWriter, typed
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    Env,
    Form,
    NumberForm,
    StaticForm,
    TupleForm,
    dtype_of,
    narrowed,
)
from astrace.passes.lowering.numbers import EXACT, truth
from astrace.passes.lowering.unions import tag_of


class MergedNumber:
    """A number that comes out of branches or is carried by a loop: a machine number, and of a union a tag.

    Args:
        writer: writes nodes.
        spec: what is known of it.
        name: the user's name for it.
    """

    def __init__(self, writer: LoweredWriter, spec: Spec, name: str) -> None:
        spec = narrowed(spec)
        dtype = dtype_of(spec)
        if dtype is None:
            raise writer.refusal(f"a value of type {spec}")
        self._writer = writer
        self._dtype = dtype
        self.spec = spec
        self.values = [Value(GenericSpec(dtype), name)]
        if isinstance(spec, UnionSpec):
            self.values.append(Value(GenericSpec(BOOL), f"{name or 'value'}_first"))

    def parts(self, form: Form) -> list[Operand]:
        """The operands for a form that comes together with others."""
        writer = self._writer
        if isinstance(form, StaticForm) and form.value is UNSET:
            unset: list[Operand] = [Constant(typed(0, self._dtype)), FALSE]
            return unset[: len(self.values)]
        if isinstance(form, StaticForm) and isinstance(self.spec, UnionSpec):
            literal = LiteralSpec(form.value)
            if literal in self.spec.options:
                return [Constant(typed(0, self._dtype)), Constant(literal == self.spec.options[0])]
        if not isinstance(form, NumberForm):
            raise writer.refusal("a value that is no number")
        if form.dtype == INT and self._dtype != INT and max(map(abs, form.bounds)) > EXACT:
            raise writer.refusal("an integer that a float may not hold")
        tag = [tag_of(writer, form, self.spec)] if len(self.values) > 1 else []
        if not tag and form.spec != self.spec:
            raise writer.refusal(f"a number of type {form.spec} in place of {self.spec}")
        return [writer.cast(form.operand, form.dtype, self._dtype), *tag]

    def fresh(self) -> MergedNumber:
        """The same in another region."""
        return MergedNumber(self._writer, self.spec, self.values[0].name)

    def number(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> NumberForm:
        """The number that the values hold."""
        numbers = [form for form in forms if isinstance(form, NumberForm)]
        if bounds is None and numbers:
            bounds = min(one.bounds[0] for one in numbers), max(one.bounds[1] for one in numbers)
        tag = self.values[1] if len(self.values) > 1 else None
        return NumberForm(self.values[0], self.spec, bounds or FULL, tag=tag)


class CarriedNumbers:
    """The values that a loop carries: numbers; an array has to stay the one that it is.

    Args:
        writer: writes nodes.
        loop: the loop.
        forms: what is carried, before the first iteration.
    """

    def __init__(self, writer: LoweredWriter, loop: WhileLoop | ForLoop, forms: Sequence[Form]) -> None:
        self._writer = writer
        self._loop = loop
        self._forms = forms
        outputs = loop.node.outputs[loop.breaks :]
        self._merged: list[MergedNumber | None] = []
        initial: list[Operand] = []
        for form, output in zip(forms, outputs, strict=True):
            kept = isinstance(form, ArrayForm | TupleForm) or (
                isinstance(form, StaticForm)
                and form.value is not UNSET
                and dtype_of(narrowed(output.spec)) is None
            )
            merged = None if kept else MergedNumber(self._writer, output.spec, output.name)
            self._merged.append(merged)
            initial += merged.parts(form) if merged is not None else []
        self.initial = tuple(initial)

    def enter(self, values: Sequence[Value], env: Env) -> tuple[Value, ...]:
        """Begin a region: its inputs, which the values of the user's block are now."""
        inputs: list[Value] = []
        for position, (value, merged) in enumerate(zip(values, self._merged, strict=True)):
            if merged is None:
                env[value] = self._forms[position]
                continue
            own = merged.fresh()
            inputs += own.values
            env[value] = own.number(bounds=self._bounds(position))
        return tuple(inputs)

    def _bounds(self, position: int) -> tuple[int, int]:
        form = self._forms[position]
        initial = form.bounds if isinstance(form, NumberForm) else (0, 0)
        return carried_bounds(self._loop.node, position, initial)

    def leave(self, forms: Sequence[Form]) -> tuple[Operand, ...]:
        """Return the operands that an iteration hands to the next one."""
        ends: list[Operand] = []
        if self._loop.breaks:
            flag = forms[0]
            if not isinstance(flag, NumberForm):
                raise self._writer.refusal("a loop that is left by something else than a flag")
            ends.append(truth(self._writer, flag))
        for form, merged, initial in zip(forms[self._loop.breaks :], self._merged, self._forms, strict=True):
            if merged is not None:
                ends += merged.parts(form)
            elif form is not initial:
                raise self._writer.refusal("an array that a loop replaces")
        return tuple(ends)

    def end(self, env: Env) -> tuple[Value, ...]:
        """The outputs of the loop."""
        node, outputs = self._loop.node, list[Value]()
        if self._loop.breaks:
            flag = Value(GenericSpec(BOOL), "left")
            env[node.outputs[0]] = NumberForm(flag, node.outputs[0].spec)
            if dtype_of(node.outputs[0].spec) != BOOL:
                raise self._writer.refusal("a loop that is left by something else than a flag")
            outputs.append(flag)
        for position, (value, merged) in enumerate(
            zip(node.outputs[self._loop.breaks :], self._merged, strict=True)
        ):
            if merged is None:
                env[value] = self._forms[position]
                continue
            outputs += merged.values
            env[value] = merged.number(bounds=self._bounds(position))
        return tuple(outputs)
