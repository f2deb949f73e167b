"""Random blocks for property tests: straight-line code, writes, branches, loops and handlers.

A *plan* is plain data: a tuple of steps, each a name with numbers that choose operands and with the plans of
its regions.  `block_of` builds the same block from the same plan every time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from drafts import Draft
from hypothesis import strategies as st

from astrace.ir.block import Block, Constant, Operand, Value
from astrace.ir.iteration import Each
from astrace.ir.specs import BOOL, FLOAT, INT, ArraySpec, ListSpec

Plan: TypeAlias = "tuple[tuple[Any, ...], ...]"

VECTOR: Final = ArraySpec((3,), np.dtype("float64"))
CONSTANTS: Final = (0, 1, True, 1.0, 0.0, -0.0, 2.5, float("nan"), -3, np.float64(1.5))
CAUGHT: Final = (ArithmeticError, ValueError, TypeError, IndexError)

ON_NUMBERS: Final = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "lt",
    "eq",
    "ne",
    "max",
    "pow",
    "is_",
    "iadd",
    "isub",
)
ON_NUMBER: Final = ("neg", "pos", "not_", "bool", "float", "int", "abs", "math.sqrt", "str", "np.sin")
FROM_ARRAY: Final = ("np.sum", "len", "np.max")
NEW_ARRAY: Final = ("np.sort", "ndarray.copy", "np.cumsum", "neg", "np.zeros_like")
NAMES: Final = ("x", "t1", "t2", "left", "item")
UPDATES: Final = ("np.add", "np.multiply", "np.fmax.at", "np.copyto")

small = st.integers(0, 11)
leaf_steps = st.one_of(
    st.tuples(st.just("numbers"), st.sampled_from(ON_NUMBERS), small, small, st.booleans()),
    st.tuples(st.just("number"), st.sampled_from(ON_NUMBER), small),
    st.tuples(st.just("from_array"), st.sampled_from(FROM_ARRAY), small),
    st.tuples(st.just("item"), small, st.integers(-3, 3)),
    st.tuples(st.just("view"), small, st.integers(0, 2)),
    st.tuples(st.just("new_array"), st.sampled_from(NEW_ARRAY), small),
    st.tuples(st.just("arrays"), st.sampled_from(("add", "mul", "np.fmin", "iadd", "isub")), small, small),
    st.tuples(st.just("update"), st.sampled_from(UPDATES), small, small),
    st.tuples(st.just("write"), small, st.integers(0, 2), small),
    st.tuples(st.just("append"), small),
    st.tuples(st.just("tuple"), small, small),
    st.tuples(st.just("name"), st.sampled_from(NAMES), small, st.booleans()),
    st.tuples(st.just("hold"), st.sampled_from(("make_tuple", "make_list")), small, small),
)
plans = st.recursive(
    st.lists(leaf_steps, min_size=1, max_size=5).map(tuple),
    lambda inner: st.lists(
        leaf_steps
        | st.tuples(st.just("cond"), small, inner, inner)
        | st.tuples(st.just("for_range"), small, inner, st.integers(0, 4))
        | st.tuples(st.just("for_each"), small, inner)
        | st.tuples(st.just("while"), st.integers(0, 3), inner, st.integers(0, 4))
        | st.tuples(st.just("try"), inner, inner),
        min_size=1,
        max_size=6,
    ).map(tuple),
    max_leaves=12,
)
items = st.sampled_from([0.0, -0.0, 1.0, -2.5, 3.0, float("nan"), float("inf")])
arguments = st.tuples(
    items, st.integers(-1, 3), st.booleans(), st.lists(items, min_size=3, max_size=3), st.integers(0, 2)
)


def given(drawn: tuple[float, int, bool, list[float], int]) -> tuple[Any, ...]:
    """The arguments of a random block; its two arrays may be one, or views of one another."""
    x, n, b, numbers, sharing = drawn
    v = np.array(numbers)
    w = (v[::-1], v, np.arange(3.0))[sharing]
    return x, n, b, v, w, []


def block_of(plan: Plan) -> Block:
    """The block of a plan; it gives back all numbers and arrays that are left at its end."""
    draft = Draft(x=FLOAT, n=INT, b=BOOL, v=VECTOR, w=VECTOR, log=ListSpec(None))
    x, n, b, v, w, log = draft.inputs
    pool = Pool(draft, [x, n, b], [v, w], log)
    pool.run(plan)
    return draft.block(*pool.numbers, *pool.arrays)


class Pool:
    """The values that the next step of a plan may use."""

    def __init__(self, draft: Draft, numbers: Sequence[Value], arrays: Sequence[Value], log: Value) -> None:
        self.draft = draft
        self.numbers, self.arrays, self.log = list(numbers), list(arrays), log

    def run(self, plan: Plan) -> None:
        """Write all steps."""
        for kind, *parts in plan:
            STEPS[kind](self, *parts)

    def number(self, choice: int) -> Value:
        """One of the numbers, the newest first."""
        return self.numbers[-1 - choice % len(self.numbers)]

    def array(self, choice: int) -> Value:
        """One of the arrays, the newest first."""
        return self.arrays[-1 - choice % len(self.arrays)]

    # -- leaf nodes ----------------------------------------------------------------------------------------

    def on_numbers(self, op: str, left: int, right: int, constant: bool) -> None:
        """An operator, on two values or on a value and a constant."""
        other: Any = CONSTANTS[right % len(CONSTANTS)] if constant else self.number(right)
        self.numbers.append(self.draft(op, self.number(left), other))

    def on_number(self, op: str, choice: int) -> None:
        """A function of a number."""
        found = self.draft(op, self.number(choice))
        if op != "str":
            self.numbers.append(found)

    def from_array(self, op: str, choice: int) -> None:
        """A number from an array."""
        self.numbers.append(self.draft(op, self.array(choice)))

    def item(self, choice: int, place: int) -> None:
        """An item of an array; there may be none."""
        self.numbers.append(self.draft("get_item", self.array(choice), place))

    def view(self, choice: int, place: int) -> None:
        """A view of an array."""
        key = (slice(None, None, -1), slice(None), ...)[place]
        self.arrays.append(self.draft("get_item", self.array(choice), key))

    def new_array(self, op: str, choice: int) -> None:
        """A new array."""
        self.arrays.append(self.draft(op, self.array(choice)))

    def on_arrays(self, op: str, left: int, right: int) -> None:
        """A new array from two."""
        self.arrays.append(self.draft(op, self.array(left), self.array(right)))

    def update(self, op: str, choice: int, other: int) -> None:
        """An array is changed."""
        array = self.array(choice)
        places = (1,) if op.endswith(".at") else ()
        out = (array,) if op in ("np.add", "np.multiply") else ()
        self.draft(op, array, *places, self.number(other), *out)

    def write(self, choice: int, place: int, other: int) -> None:
        """An item of an array is changed."""
        self.draft.do("set_item", self.array(choice), place, self.number(other))

    def append(self, choice: int) -> None:
        """A number is written to the log."""
        self.draft.do("append", self.log, self.number(choice))

    def tuple_(self, left: int, right: int) -> None:
        """A tuple is put together and taken apart."""
        made = self.draft("make_tuple", self.number(left), self.number(right))
        self.numbers.append(self.draft("get_item", made, 1))

    def hold(self, op: str, left: int, right: int) -> None:
        """A container of arrays is put together and taken apart."""
        made = self.draft(op, self.array(left), self.array(right))
        self.arrays.append(self.draft("get_item", made, 0))

    def name(self, name: str, choice: int, of_array: bool) -> None:
        """A value gets a name, as the user's values have; others have it, too."""
        (self.array(choice) if of_array else self.number(choice)).rename(name)

    # -- control flow --------------------------------------------------------------------------------------

    def captured(self) -> list[Value]:
        """Return the captures of a region: the newest values, and the log."""
        return [*self.numbers[-3:], *self.arrays[-2:], self.log]

    def region(self, plan: Plan, numbers: int) -> Callable[..., Sequence[Operand]]:
        """Writes a plan as a region, for what `captured` gives; it puts a number and an array out."""

        def write(draft: Draft, *values: Value) -> Sequence[Operand]:
            pool = Pool(draft, values[-3 - numbers : -3], values[-3:-1], values[-1])
            pool.run(plan)
            return pool.numbers[-1], pool.arrays[-1]

        return write

    def keep(self, outputs: Sequence[Value]) -> None:
        """A region's outputs can be used."""
        number, array = outputs
        self.numbers.append(number)
        self.arrays.append(array)

    def cond(self, test: int, then: Plan, orelse: Plan) -> None:
        """A branch."""
        captured = self.captured()
        branches = (self.region(plan, len(captured) - 3) for plan in (then, orelse))
        self.keep(self.draft.cond(self.number(test), captured, *branches))

    def for_range(self, stop: int, plan: Plan, breaks: int) -> None:
        """A loop that carries a number; with a break when that is not 0."""
        captured = self.captured()
        body = self.region(plan, len(captured) - 3)

        def iteration(draft: Draft, index: Value, carried: Value, *values: Value) -> Sequence[Operand]:
            number, array = body(draft, *values)
            draft("np.add", array, index, array)
            return with_break(draft, breaks, index, [number], [carried])

        bound = self.draft("min", self.draft("int", self.number(stop)), 3)
        found = self.draft.for_range(bound, [self.number(0)], captured, iteration)
        self.numbers.extend(found if breaks else [found])

    def for_each(self, choice: int, plan: Plan) -> None:
        """A loop over the items of an array, that carries an array."""
        captured = self.captured()
        body = self.region(plan, len(captured) - 3)

        def iteration(draft: Draft, one: Value, carried: Value, *values: Value) -> Sequence[Operand]:
            number, array = body(draft, *values)
            draft.do("set_item", carried, 0, draft("add", one, 1.0))
            return (draft("add", array, 1.0),)

        self.arrays.append(
            self.draft.for_loop(Each(0), [self.array(choice)], [self.array(0)], captured, iteration)
        )

    def while_(self, turns: int, plan: Plan, breaks: int) -> None:
        """A loop that counts, and carries a number and an array; with a break when that is not 0."""
        captured = self.captured()
        body = self.region(plan, len(captured) - 3)

        def iteration(draft: Draft, count: Value, *values: Value) -> Sequence[Operand]:
            number, array = body(draft, *values[2:])
            after = [draft("add", count, 1), number, array]
            return with_break(draft, breaks, count, after, [count, *values[:2]])

        def test(draft: Draft, count: Value, *values: Value) -> Operand:
            return draft("lt", count, turns)

        start = Constant(0)
        found = self.draft.while_loop([start, self.number(0), self.array(0)], captured, test, iteration)
        if breaks:
            self.numbers.append(found[0])
        self.keep(found[-2:])

    def try_(self, plan: Plan, handler: Plan) -> None:
        """An attempt, and what to do if it fails."""
        captured = self.captured()
        attempt = self.region(plan, len(captured) - 3)
        inner = self.region(handler, len(captured) - 3)
        self.keep(self.draft.try_(captured, attempt, (CAUGHT, lambda d, error, *values: inner(d, *values))))


def with_break(
    draft: Draft, breaks: int, index: Value, after: Sequence[Operand], before: Sequence[Operand]
) -> Sequence[Operand]:
    """Return the outputs of an iteration that may end the loop; one that was left keeps some values from before it.

    The ways: no break; a branch; a branch in a branch; a comparison; a number that says so by its truth.
    """
    both = [index, *after, *before]
    size = len(after)

    def leave(d: Draft, i: Value, *values: Value) -> Sequence[Operand]:
        return Constant(True), *values[:size]

    def go_on(d: Draft, i: Value, *values: Value) -> Sequence[Operand]:
        return Constant(False), values[0], *values[size + 1 :]

    def choose(d: Draft, i: Value, *values: Value) -> Sequence[Operand]:
        return d.cond(d("eq", i, 1), [i, *values], leave, go_on)

    match breaks:
        case 0:
            return after
        case 1:
            return draft.cond(draft("gt", index, 1), both, leave, go_on)
        case 2:
            return draft.cond(draft("gt", index, 0), both, choose, go_on)
        case 3:
            return [draft("gt", index, 0), after[0], *before[1:]]
        case _:
            return [index, *after]


STEPS: Final[dict[str, Callable[..., None]]] = {
    "numbers": Pool.on_numbers,
    "number": Pool.on_number,
    "from_array": Pool.from_array,
    "item": Pool.item,
    "view": Pool.view,
    "new_array": Pool.new_array,
    "arrays": Pool.on_arrays,
    "update": Pool.update,
    "write": Pool.write,
    "append": Pool.append,
    "tuple": Pool.tuple_,
    "hold": Pool.hold,
    "name": Pool.name,
    "cond": Pool.cond,
    "for_range": Pool.for_range,
    "for_each": Pool.for_each,
    "while": Pool.while_,
    "try": Pool.try_,
}
