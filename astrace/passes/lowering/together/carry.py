"""Numbers that come together: out of the branches of a ``cond``, or carried from one iteration of a loop to the next."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Operand, Value, region_inputs
from astrace.ir.constants import UNDEFINED
from astrace.ir.control import ForLoop, WhileLoop, carried_places
from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    GenericSpec,
    LiteralSpec,
    Spec,
    TupleSpec,
    covers,
    options_of,
)
from astrace.passes.analysis.int_ranges import carried_bounds
from astrace.passes.analysis.turns import Pair, different_at_each_turn
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    ArrayForm,
    Env,
    Form,
    ListForm,
    NumberForm,
    OptionalForm,
    RangeForm,
    StaticForm,
    dtype_of,
)
from astrace.passes.lowering.numbers import truth
from astrace.passes.lowering.together.array_carry import MergedArray, is_replaced, resized_axes
from astrace.passes.lowering.together.merged_values import (
    Merged,
    holds_arrays,
    is_array_or_literal,
    is_unset,
)
from astrace.passes.lowering.together.merging import merge

UNBOUND: Final = LiteralSpec(UNDEFINED)
"""What a name is that has no value."""


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
        self._places = list(carried_places(loop))
        outputs = loop.node.outputs[loop.breaks :]
        self._merged: list[Merged | None] = []
        initial: list[Operand] = []
        replaced: list[list[Value]] = []
        for position, (form, output) in enumerate(zip(forms, outputs, strict=True)):
            merged = self._merge(position, form, output)
            self._merged.append(merged)
            parts = merged.parts(form) if merged is not None else []
            initial += parts
            replaced.append(
                [one for one in parts if isinstance(one, Value) and isinstance(one.spec, ArraySpec)]
            )
        self.initial = tuple(initial)
        self._different = different_at_each_turn(loop, self._apart_at_first(replaced))
        self._join(replaced)
        members = [writer.memory.members(arrays[0]) if arrays else set[Value]() for arrays in replaced]
        self._others = [frozenset(writer.arrays) - known for known in members]

    def _apart_at_first(self, replaced: Sequence[Sequence[Value]]) -> list[Pair]:
        """Return the pairs of arrays that are replaced which have their own memory in front of the loop."""
        pairs = itertools.combinations(range(len(replaced)), 2)
        memory = self._writer.memory
        return [
            (one, other)
            for one, other in pairs
            if len(replaced[one]) == len(replaced[other]) == 1
            and not memory.may_share(replaced[one][0], replaced[other][0])
        ]

    def _join(self, replaced: Sequence[Sequence[Value]]) -> None:
        """Remember which of the arrays that are replaced may come to be one: those that may share memory in the user's block."""
        sharing = self._writer.sharing
        groups: dict[Value | None, list[Value]] = {}
        for arrays, (*_, carried) in zip(replaced, self._places, strict=True):
            groups.setdefault(sharing.group(carried) if sharing is not None else None, []).extend(arrays)
        for arrays in groups.values():
            self._writer.memory.join(arrays)

    def _merge(self, position: int, form: Form, output: Value) -> Merged | None:
        """Return how a value is carried; ``None`` for one that stays what it is."""
        body = self._loop.body
        if not isinstance(form, NumberForm) and not is_unset(form):
            *_, carried = self._places[position]
            if not is_replaced(body, carried, body.outputs[position + self._loop.breaks]):
                return None
        if isinstance(form, ArrayForm):
            end = body.outputs[position + self._loop.breaks]
            if isinstance(end.spec, ArraySpec) and len(end.spec.shape) != len(form.shape):
                raise self._writer.refusal("an array in the place of one with other axes")
            return MergedArray(self._writer, form, output.name, resized_axes(body, end), takes_views=True)
        merged = merge(self._writer, [form], output, spec=self._spec(position, output))
        if isinstance(form, ListForm | RangeForm) or (
            holds_arrays(merged) and not is_array_or_literal(merged) and not self._is_handed_on(position)
        ):
            raise self._writer.refusal("an object that a loop puts in the place of another")
        return merged

    def _is_handed_on(self, position: int) -> bool:
        """Return whether iterations do nothing with what is carried but to hand it on."""
        regions = self._loop.node.regions
        return all(map(is_handed_on, regions, self._places[position]))

    def _spec(self, position: int, output: Value) -> Spec:
        """The type of what is carried; of a tuple that is one from before the loop, or one of its own, the latter's.

        A name that has no value in front of a loop may have one for certain behind it: a turn may ask all the same.
        """
        form = self._forms[position]
        if isinstance(form, StaticForm) and form.value is UNDEFINED:
            return self._places[position][-1].spec
        end = self._loop.body.outputs[position + self._loop.breaks]
        own = isinstance(output.spec, AnySpec) and isinstance(end, Value)
        return end.spec if own and isinstance(end.spec, TupleSpec) else output.spec

    def enter(self, values: Sequence[Value], env: Env) -> tuple[Value, ...]:
        """Begin a region: its inputs, which the values of the user's block are now."""
        inputs: list[Value] = []
        arrays: dict[int, list[Value]] = {}
        for position, (value, merged) in enumerate(zip(values, self._merged, strict=True)):
            if merged is None:
                env[value] = self._forms[position]
                continue
            own = merged.fresh()
            inputs += own.values
            arrays[position] = [one for one in own.values if isinstance(one.spec, ArraySpec)]
            env[value] = own.form(bounds=self._bounds(position, env))
        self._writer.different.update(frozenset((*arrays[one], *arrays[two])) for one, two in self._different)
        return tuple(inputs)

    def _bounds(self, position: int, env: Env) -> tuple[int, int]:
        form = self._forms[position]
        initial = form.bounds if isinstance(form, NumberForm) else (0, 0)
        captures = self._loop.body.inputs[len(self._loop.body.inputs) - len(self._loop.captures) :]

        def known(operand: Operand) -> tuple[int, int] | None:
            given = env.get(operand) if isinstance(operand, Value) and operand in captures else None
            is_integer = isinstance(given, NumberForm) and given.dtype.kind == "i" and not given.tags
            return given.bounds if is_integer and isinstance(given, NumberForm) else None

        return carried_bounds(self._loop, position, initial, known)

    def leave(self, forms: Sequence[Form]) -> tuple[Operand, ...]:
        """Return the operands that an iteration hands to the next one."""
        ends: list[Operand] = []
        if self._loop.breaks:
            flag = forms[0]
            if not isinstance(flag, NumberForm):
                raise self._writer.refusal("a loop that is left by something else than a flag")
            ends.append(truth(self._writer, flag))
        carried = zip(forms[self._loop.breaks :], self._merged, self._forms, self._others, strict=True)
        for form, merged, initial, others in carried:
            if merged is not None:
                self._check_known(form, others)
                ends += merged.parts(form)
            elif form is not initial:
                raise self._writer.refusal("an array that a loop replaces")
        return tuple(ends)

    def _check_known(self, form: Form, others: AbstractSet[Value]) -> None:
        """Make sure that an array is one that the loop began with, or one that it has made.

        Raises:
            Unlowered: it is another one, which the loop has taken to be apart from these.
        """
        form = form.other if isinstance(form, OptionalForm) else form
        base = form.view.base if isinstance(form, ArrayForm) and form.view is not None else None
        if base is not None and self._writer.memory.members(base) & others:
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
            env[value] = defined_alone(merged.form(bounds=self._bounds(position, env)), value.spec)
        return tuple(outputs)


def defined_alone(form: Form, spec: Spec) -> Form:
    """Return what a name stands for that has a value for certain, though there was a place where it had none.

    Args:
        form: of the name where it may have none.
        spec: its type where it has one.
    """
    if isinstance(form, OptionalForm) and form.literal is UNDEFINED and not covers(spec, UNBOUND):
        return form.other
    if isinstance(form, NumberForm) and UNBOUND in options_of(form.spec) and not covers(spec, UNBOUND):
        left = tuple(one for one in options_of(form.spec) if one != UNBOUND)
        return replace(form, spec=left[0], tags=()) if len(left) == 1 else form
    return form


def is_handed_on(block: Block, value: Value) -> bool:
    """Return whether nothing but regions and outputs of a block have a value of it, and tests of what it is."""
    for node in block.nodes:
        if not node.regions and value in node.inputs and node.op not in ("is_", "is_not"):
            return False
        for region, inner, outer in region_inputs(node):
            pairs = zip(inner, outer, strict=True)
            if not all(is_handed_on(region, own) for own, around in pairs if around is value):
                return False
    return True
