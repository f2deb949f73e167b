"""How values come together, by what is known of them: see ``merged_values``."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import reduce
from typing import Final

from astrace.ir.block import Operand, Value
from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    ListSpec,
    LiteralSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    join,
    options_of,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    ArrayForm,
    Form,
    NumberForm,
    NumberListForm,
    OptionalForm,
    dtype_of,
    is_machine_dtype,
    narrowed,
)
from astrace.passes.lowering.together.array_carry import MergedArray, unknown_array, varying
from astrace.passes.lowering.together.merged_values import (
    Merged,
    MergedList,
    MergedLiteral,
    MergedNumber,
    MergedOptional,
    MergedTuple,
    is_literal,
    is_unset,
    items_of,
)

NOTHING: Final[frozenset[Operand]] = frozenset()


def merge(
    writer: LoweredWriter,
    forms: Sequence[Form],
    output: Value,
    local: AbstractSet[Operand] = NOTHING,
    spec: Spec | None = None,
) -> Merged:
    """Return how one of several values comes out of branches, or is carried by a loop.

    Args:
        writer: writes nodes.
        forms: those that are known.
        output: the value of the user's block.
        local: what is known in the branches alone.
        spec: the type of those that are not known, where the value's does not tell.
    """
    arrays = [form for form in forms if isinstance(form, ArrayForm)]
    if len(arrays) == len(forms):
        return MergedArray(writer, arrays[0], output.name, varying(arrays, local), takes_views=True)
    merging = _Merging(writer, output.name, output in writer.origins, local)
    return merging.of(output.spec if spec is None else spec, forms)


@dataclass(frozen=True, slots=True)
class _Merging:
    """Several values that come together under one name.

    Args:
        writer: writes nodes.
        name: the user's.
        passed: they may be objects from outside, or hold such.
        local: what is known in the branches alone that they come from.
    """

    writer: LoweredWriter
    name: str
    passed: bool
    local: AbstractSet[Operand] = NOTHING

    def of(self, spec: Spec, forms: Sequence[Form]) -> Merged:
        """Return how they come together.

        Args:
            spec: what is known of all of them.
            forms: those that are known.
        """
        known = [form for form in forms if not is_unset(form)]
        optional = self._optional(spec, known)
        if optional is not None:
            return optional
        first = known[0] if known else None
        match first:
            case ArrayForm():
                arrays = [form for form in known if isinstance(form, ArrayForm)]
                return MergedArray(self.writer, first, self.name, varying(arrays, self.local))
            case NumberListForm():
                return MergedList(self.writer, first, self.name)
            case _:
                return self._by_spec(spec, known)

    def _optional(self, spec: Spec, known: Sequence[Form]) -> MergedLiteral | MergedOptional | None:
        """Return how a literal comes together with something that is no number."""
        if isinstance(spec, LiteralSpec):
            return MergedLiteral(self.writer, spec.value)
        options = options_of(spec)
        literals = [one for one in options if isinstance(one, LiteralSpec)]
        others = [one for one in options if not isinstance(one, LiteralSpec)]
        if len(literals) != 1 or not others or dtype_of(narrowed(spec)) is not None:
            return None
        other = others[0] if len(others) == 1 else UnionSpec(tuple(others))
        value = literals[0].value
        there = [form.other if isinstance(form, OptionalForm) else form for form in known]
        there = [form for form in there if not is_literal(form, value)]
        return MergedOptional(self.writer, value, self.of(other, there))

    def _by_spec(self, spec: Spec, known: Sequence[Form]) -> Merged:
        """Return how values come together of which the type is known."""
        if isinstance(spec, ArraySpec) and is_machine_dtype(spec.dtype):
            return MergedArray(self.writer, unknown_array(spec), self.name, range(len(spec.shape)))
        found = [items_of(self.writer, form) for form in known]
        known_specs = [spec] if isinstance(spec, TupleSpec) else []
        if isinstance(spec, AnySpec | TupleSpec) and spec.cls is tuple and found:
            spec = _tuple_spec(found, known_specs)
        if not isinstance(spec, TupleSpec) or spec.cls is not tuple:
            return MergedNumber(
                self.writer, spec, self.name, self.passed, keeps_constants=self.writer.passes_items
            )
        items: list[Merged] = []
        for place, item in enumerate(spec.items):
            own = [one[place] for one in found if one is not None and len(one) == len(spec.items)]
            items.append(self.of(item, own))
        return MergedTuple(self.writer, items)


def _tuple_spec(found: Sequence[Sequence[Form] | None], known: Sequence[Spec]) -> Spec:
    """Return the type of tuples, of some of which only their items are known."""
    specs = list(known)
    specs += [
        TupleSpec(tuple(form.spec for form in items if isinstance(form, NumberForm)))
        for items in found
        if items is not None and all(isinstance(form, NumberForm) for form in items)
    ]
    return reduce(join, specs) if specs else AnySpec(tuple)


def element_of(
    writer: LoweredWriter, spec: Spec | None, passed: bool
) -> MergedNumber | MergedTuple | MergedList:
    """Return how an item of a list is held.

    Raises:
        Unlowered: it is neither a number nor a tuple of such, nor a list of these.
    """
    if isinstance(spec, ListSpec) and spec.element is not None and not isinstance(spec.element, ListSpec):
        held = element_of(writer, spec.element, passed)
        columns = tuple(Value(ListSpec(value.spec)) for value in held.values)
        return MergedList(writer, NumberListForm(spec.element, columns, passed), "row")
    if isinstance(spec, TupleSpec) and spec.cls is tuple:
        if any(isinstance(item, ListSpec) for item in spec.items):
            raise writer.refusal("a list of tuples that hold lists")
        return MergedTuple(writer, [element_of(writer, item, passed) for item in spec.items])
    if spec is None or isinstance(spec, ListSpec):
        raise writer.refusal("a list of lists, or one of which no item is known")
    return MergedNumber(writer, spec, "item", passed, keeps_constants=passed)
