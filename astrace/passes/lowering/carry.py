"""Numbers that come together: out of the branches of a ``cond``, or carried from one iteration of a loop to the next."""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec, GenericSpec, LiteralSpec, Spec, UnionSpec
from astrace.passes.analysis.int_ranges import FULL, carried_bounds
from astrace.passes.lowering.array_carry import MergedArray, is_replaced
from astrace.passes.lowering.block import FALSE, LoweredWriter, typed
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    MADE_HERE,
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
    """A number that comes out of branches or is carried by a loop: a machine number, of a union a tag, and its origin.

    Args:
        writer: writes nodes.
        spec: what is known of it.
        name: the user's name for it.
        passed: it may be an object from outside.
    """

    def __init__(self, writer: LoweredWriter, spec: Spec, name: str, passed: bool) -> None:
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
        self._has_tag = isinstance(spec, UnionSpec)
        self._passed = passed
        if passed:
            self.values.append(Value(GenericSpec(INT), f"{name or 'value'}_origin"))

    def parts(self, form: Form) -> list[Operand]:
        """The operands for a form that comes together with others."""
        writer = self._writer
        if isinstance(form, StaticForm) and form.value is UNSET:
            return [Constant(typed(0, self._dtype)), *[FALSE] * self._has_tag, *self._origin(MADE_HERE)]
        if isinstance(form, StaticForm) and isinstance(self.spec, UnionSpec):
            literal = LiteralSpec(form.value)
            if literal in self.spec.options:
                first = Constant(literal == self.spec.options[0])
                return [Constant(typed(0, self._dtype)), first, *self._origin(MADE_HERE)]
        if not isinstance(form, NumberForm):
            raise writer.refusal("a value that is no number")
        if form.dtype == INT and self._dtype != INT and max(map(abs, form.bounds)) > EXACT:
            raise writer.refusal("an integer that a float may not hold")
        tag = [tag_of(writer, form, self.spec)] if self._has_tag else []
        if not tag and form.spec != self.spec:
            raise writer.refusal(f"a number of type {form.spec} in place of {self.spec}")
        return [writer.cast(form.operand, form.dtype, self._dtype), *tag, *self._origin(form.origin)]

    def _origin(self, origin: Operand) -> list[Operand]:
        """The operand that tells the object from outside, where that may be one of several."""
        return [origin] if self._passed else []

    def fresh(self) -> MergedNumber:
        """The same in another region."""
        return MergedNumber(self._writer, self.spec, self.values[0].name, self._passed)

    def number(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> NumberForm:
        """The number that the values hold."""
        numbers = [form for form in forms if isinstance(form, NumberForm)]
        if bounds is None and numbers:
            bounds = min(one.bounds[0] for one in numbers), max(one.bounds[1] for one in numbers)
        tag = self.values[1] if self._has_tag else None
        origin = self.values[-1] if self._passed else MADE_HERE
        return NumberForm(self.values[0], self.spec, bounds or FULL, tag=tag, origin=origin)


def merge(writer: LoweredWriter, first: Form, output: Value) -> MergedNumber | MergedArray:
    """Return how one of several values comes out of branches.

    Args:
        writer: writes nodes.
        first: one of them.
        output: the value of the user's block.
    """
    if isinstance(first, ArrayForm):
        return MergedArray(writer, first, output.name)
    return MergedNumber(writer, output.spec, output.name, output in writer.origins)


class CarriedValues:
    """The values that a loop carries: numbers, and arrays that it replaces by others.

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
        self._merged: list[MergedNumber | MergedArray | None] = []
        initial: list[Operand] = []
        for position, (form, output) in enumerate(zip(forms, outputs, strict=True)):
            merged = self._merge(position, form, output)
            self._merged.append(merged)
            initial += merged.parts(form) if merged is not None else []
        self.initial = tuple(initial)
        replaced = [one for one in initial if isinstance(one, Value) and isinstance(one.spec, ArraySpec)]
        writer.memory.join(replaced)
        known = writer.memory.members(replaced[0]) if replaced else set[Value]()
        self._others = frozenset(writer.arrays) - known

    def _merge(self, position: int, form: Form, output: Value) -> MergedNumber | MergedArray | None:
        """Return how a value is carried; ``None`` for one that stays what it is."""
        loop, body = self._loop, self._loop.body
        if isinstance(form, ArrayForm):
            carried = body.inputs[len(body.inputs) - len(loop.captures) - loop.count + position]
            replaced = is_replaced(body, carried, body.outputs[position + loop.breaks])
            return MergedArray(self._writer, form, output.name) if replaced else None
        unknown = dtype_of(narrowed(output.spec)) is None
        if isinstance(form, TupleForm) or (
            isinstance(form, StaticForm) and form.value is not UNSET and unknown
        ):
            return None
        return MergedNumber(self._writer, output.spec, output.name, output in self._writer.origins)

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
                self._check_known(form)
                ends += merged.parts(form)
            elif form is not initial:
                raise self._writer.refusal("an array that a loop replaces")
        return tuple(ends)

    def _check_known(self, form: Form) -> None:
        """Make sure that an array is one that the loop began with, or one that it has made.

        Raises:
            Unlowered: it is another one, which the loop has taken to be apart from these.
        """
        base = form.view.base if isinstance(form, ArrayForm) and form.view is not None else None
        if base is not None and self._writer.memory.members(base) & self._others:
            raise self._writer.refusal("an array from outside that a loop puts in the place of another")

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
