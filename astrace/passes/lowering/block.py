"""Writing a lowered block: nodes on machine numbers, regions, and the point where a program is given up."""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.locations import Location
from astrace.ops import OPS
from astrace.ops.lowered_products import UNKNOWN
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.facts import Facts
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.analysis.origins import Passed
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, UNSIGNED, NumberForm, integer, is_wider, typed
from astrace.passes.lowering.list_uses import ListUse
from astrace.passes.lowering.memory import SharedMemory
from astrace.passes.lowering.wording import op_in_words

Made = TypeVar("Made")
TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


class Unlowered(Exception):
    """A block has no lowered form.

    ``place`` is the place of the node that stands in the way among the nodes of the block, once that is known.

    Args:
        message: what stands in the way.
        location: the user's line.
    """

    def __init__(self, message: str, location: Location | None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.place: int | None = None


Orders: TypeAlias = Callable[[int], int]
"""Gives the order in which few products are added up."""
OVERFLOW: Final[Mapping[str, Any]] = {"unless_ignored": "over"}
"""The attributes of a test whether NumPy's integers wrap around: where that is ignored, the program goes on."""


def no_orders(place: int) -> int:
    """Know no order.

    Args:
        place: of the order.
    """
    return UNKNOWN


class LoweredWriter:
    """The nodes of a lowered block, as they are written.

    Args:
        origins: the inputs whose objects values of the user's block may be, and items of its lists.
        exact: results are to be NumPy's to the bit.
        lists: the lists of the user's block that are more than a way to write down several values.
        sharing: the values of the user's block that may be one object, or parts of one.
        constants: the objects of the program that come out of it in lists.
        passes_items: items of lists may be objects from outside.
        location: the user's line of what is being written.
        uses_floats: NumPy's floats are computed with.
        flags_decide: status flags tell of more than NumPy's warnings.
        in_while: what is being written stands in a loop that may not end, if it is not given up.
        needs_forward: the strides of arrays may not be negative.
        needs_c_order: the axes of arrays have to run as in C.
        memory: which arrays may be one.
        different: pairs of arrays that are not one at any time, though each may be where the other was before.
        arrays: all arrays so far, by the values that hold them.
        own: those among them that the program has made.
        unordered: arrays made by the program whose axes NumPy might lay out in another order.
        taken_in_order: arrays of which something is computed that depends on the order of their axes.
        in_c_order: arrays made by the program whose axes run as in C, whatever they are computed from.
        parts: views that may stand in the place of an array.
        copies: arrays made by the program where there is one already in the user's.
        facts: what is known of integers here.
        stored: the arrays that elements are put into.
        meeting: sizes that are taken to be the same: most often, an axis of one item would be repeated.
        orders: tells in which order few products are added up, by the place that the order has (`ops.lowered_products.place_of`).
        is_written_out: products were, in that order.
        unclipped: integers that are not negative, by what they are where a size is no less; else that is the size.
    """

    def __init__(
        self,
        origins: Passed,
        exact: bool = True,
        lists: Mapping[Value, ListUse] | None = None,
        sharing: Sharing | None = None,
        orders: Orders = no_orders,
    ) -> None:
        self.sharing = sharing
        self.orders = orders
        self.is_written_out = False
        self.origins: Mapping[Value, frozenset[int]] = origins.values
        self.passes_items = bool(origins.listed)
        self.lists: Mapping[Value, ListUse] = lists or {}
        self.constants: list[Any] = []
        self.exact = exact
        self.location: Location | None = None
        self.nodes: list[Node] = []
        self.entry: list[Node] = []
        self.uses_floats = False
        self.flags_decide = False
        self.in_while = False
        self.needs_forward = False
        self.needs_c_order = False
        self.unordered: set[Value] = set()
        self.taken_in_order: set[Value] = set()
        self.in_c_order: set[Value] = set()
        self.copies: set[Value] = set()
        self.parts: set[Value] = set()
        self.memory = SharedMemory()
        self.different: set[frozenset[Value]] = set()
        self.facts = Facts()
        self.arrays: list[Value] = []
        self.apart: set[tuple[Value, Value]] = set()
        self.stored: set[Value] = set()
        self._known: list[dict[Hashable, Operand]] = [{}]
        self._made: list[dict[tuple[Value, int], Any]] = [{}]
        self.own: set[Value] = set()
        self.meeting: set[tuple[Operand, Operand]] = set()
        self._sizes: dict[tuple[Value, int], NumberForm] = {}
        self._distances: dict[Operand, tuple[Operand, int]] = {}
        self.unclipped: dict[Operand, Operand] = {}

    def refusal(self, message: str) -> Unlowered:
        """The exception that gives a block up."""
        return Unlowered(message, self.location)

    def unknown(self, node: Node) -> Unlowered:
        """The exception for a node that has no lowered form, whatever it is given."""
        return self.refusal(op_in_words(node.op))

    @contextmanager
    def region(self) -> Generator[list[Node]]:
        """Write the nodes of a region."""
        outer = self.nodes
        self.nodes = []
        self._known.append({})
        self._made.append({})
        with self.facts.region():
            yield self.nodes
        self._known.pop()
        self._made.pop()
        self.nodes = outer

    @property
    def is_outermost(self) -> bool:
        """True where what is being written stands in no region."""
        return len(self._known) == 1

    def place_of_constant(self, value: Any) -> int:
        """Return the place of an object among those that come out, from zero."""
        for place, known in enumerate(self.constants):
            if known is value:
                return place
        self.constants.append(value)
        return len(self.constants) - 1

    # -- numbers -----------------------------------------------------------------------------------

    def emit(self, op: str, inputs: tuple[Operand, ...], dtype: np.dtype[Any], name: str = "") -> Operand:
        """A node that makes one machine number; what constants alone decide is computed now.

        Raises:
            Unlowered: floats would be computed now: NumPy may warn of them.
        """
        if all(isinstance(one, Constant) for one in inputs) and op != "load":
            return self._folded(op, inputs, dtype)
        key = None if op == "load" else (op, dtype, *map(identity, inputs))
        if key is not None and (known := self._computed(key)) is not None:
            return known
        output = Value(GenericSpec(dtype), name)
        self.nodes.append(Node(op, inputs, (output,), location=self.location))
        if key is not None:
            self._known[-1][key] = output
            self.facts.note(output, op, inputs)
            self._note_distance(output, op, inputs)
        return output

    def _note_distance(self, output: Value, op: str, inputs: tuple[Operand, ...]) -> None:
        """Note an integer that is another one and a constant."""
        if op in ("add", "sub") and isinstance(inputs[1], Constant) and isinstance(inputs[1].value, int):
            base, so_far = self._distances.get(inputs[0], (inputs[0], 0))
            self._distances[output] = base, so_far + (inputs[1].value if op == "add" else -inputs[1].value)

    def distance(self, low: Operand, high: Operand) -> int | None:
        """Return how much larger one integer is than another, where that is known.

        Args:
            low: an integer.
            high: the other one.
        """
        if isinstance(low, Constant) and isinstance(high, Constant):
            return int(high.value) - int(low.value)
        base, own = self._distances.get(low, (low, 0))
        other, further = self._distances.get(high, (high, 0))
        return further - own if base is other else None

    def _computed(self, key: Hashable) -> Operand | None:
        """Return the result of an equal computation before, here or around; ``None`` if there is none."""
        return next((known[key] for known in self._known if key in known), None)

    def _folded(self, op: str, inputs: tuple[Operand, ...], dtype: np.dtype[Any]) -> Operand:
        if dtype not in (BOOL, INT):
            raise self.refusal("arithmetic on constants alone")
        values = [one.value for one in inputs if isinstance(one, Constant)]
        found = OPS[op].function(*values)
        return Constant(bool(found) if dtype == BOOL else int(found))

    def cast(self, operand: Operand, given: np.dtype[Any], dtype: np.dtype[Any]) -> Operand:
        """A machine number converted to another dtype."""
        if given == dtype:
            return operand
        if is_wider(given, FLOAT) > is_wider(dtype, FLOAT):
            raise self.refusal(f"{given} converted to {dtype}")
        if isinstance(operand, Constant):
            return self._cast_constant(operand.value, dtype)
        self.uses_floats |= given.kind in "fc" and precision(dtype) < precision(given)  # it may overflow
        output = Value(GenericSpec(dtype))
        self.nodes.append(Node("cast", (operand,), (output,), {"dtype": dtype}, location=self.location))
        if given == UNSIGNED and dtype == INT:  # what does not fit is no index
            self.deopt(self.emit("lt", (output, Constant(0)), BOOL))
        return output

    def _cast_constant(self, value: Any, dtype: np.dtype[Any]) -> Constant:
        made = typed(value, dtype)
        is_lost = dtype == INT and isinstance(value, np.generic) and int(value) != made
        if is_lost or (isinstance(value, FLOATS) and np.isfinite(value) and not np.isfinite(made)):
            raise self.refusal(f"a constant that {dtype} can't hold")
        return Constant(made)

    def load(self, base: Value, indices: tuple[Operand, ...], dtype: np.dtype[Any]) -> Operand:
        """An element of an array's memory."""
        return self.emit("load", (base, *indices), dtype)

    def store(self, base: Value, indices: tuple[Operand, ...], value: Operand) -> None:
        """Put an element into an array's memory."""
        for made in self._made:
            for key in [key for key in made if self.memory.may_share(key[0], base)]:
                del made[key]
        self.stored.add(base)
        self.nodes.append(Node("store", (base, value, *indices), (), location=self.location))

    def may_share(self, one: Value, other: Value) -> bool:
        """Return whether two arrays may share memory here."""
        return frozenset((one, other)) not in self.different and self.memory.may_share(one, other)

    def made_of(self, base: Value, place: int, make: Callable[[], Made]) -> Made:
        """Return what is made of an array's memory, the same again in a region until something is stored there.

        Of an array that the program is given it is made anew: another one may share its memory.

        Args:
            base: the array.
            place: tells things apart that are made of it.
            make: makes it.
        """
        if base not in self.own:
            return make()
        made = self._made[-1]
        if (base, place) not in made:
            made[base, place] = make()
        return made[base, place]

    def is_next(self, left: Operand, right: Operand) -> bool:
        """Return whether an integer is known to be the one after another."""
        return self._computed(("add", INT, identity(left), identity(Constant(1)))) is right

    # -- truth -------------------------------------------------------------------------------------

    def both(self, left: Operand, right: Operand) -> Operand:
        """``left and right``."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Constant):
                return other if one.value else FALSE
        return self.emit("and_", (left, right), BOOL)

    def either(self, left: Operand, right: Operand) -> Operand:
        """``left or right``."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Constant):
                return TRUE if one.value else other
        return self.emit("or_", (left, right), BOOL)

    def choose(self, test: Operand, then: Operand, orelse: Operand, dtype: np.dtype[Any]) -> Operand:
        """One of two numbers of a dtype."""
        if isinstance(test, Constant):
            return then if test.value else orelse
        output = Value(GenericSpec(dtype))
        self.nodes.append(Node("select", (test, then, orelse), (output,), location=self.location))
        return output

    def inverted(self, test: Operand) -> Operand:
        """``not test``."""
        return Constant(not test.value) if isinstance(test, Constant) else self.emit("not_", (test,), BOOL)

    def deopt(self, test: Operand, attrs: Mapping[str, Any] = NO_ATTRS) -> None:
        """Give the program up where a test holds.

        Args:
            test: a truth value.
            attrs: none, or `OVERFLOW`.

        Raises:
            Unlowered: it always holds.
        """
        if isinstance(test, Constant):
            if test.value:
                raise self.refusal("an operation that always raises")
            return
        if not attrs and self._computed(("deopt", test)) is not None:
            return
        if not attrs:
            self._known[-1]["deopt", test] = test
            self.facts.assume(test, False)
        self.nodes.append(Node("deopt", (test,), (), attrs, location=self.location))

    # -- sizes -------------------------------------------------------------------------------------

    def limited(self, form: NumberForm) -> NumberForm:
        """Return an integer with all that is known of it here."""
        if form.tags or form.dtype.kind not in "iu":
            return form
        bounds = self.facts.within(form.operand, form.bounds)
        return form if bounds == form.bounds else replace(form, bounds=bounds)

    def size(self, base: Value, axis: int) -> NumberForm:
        """The size of an axis of an array that the program is given; read once, at entry."""
        key = (base, axis)
        if key not in self._sizes:
            spec = base.spec
            assert isinstance(spec, ArraySpec)
            dim = spec.shape[axis]
            if isinstance(dim, int):
                return self._sizes.setdefault(key, integer(dim))
            output = Value(GenericSpec(INT), _name_of(spec, axis))
            self.entry.append(Node("dim", (base, Constant(axis)), (output,)))
            self._sizes[key] = NumberForm(output, PYTHON_INT, (0, LARGEST_SIZE), (output, 0))
        return self._sizes[key]

    def meet(self, left: Operand, right: Operand) -> None:
        """Note two sizes that are taken to be the same."""
        if left is not right and isinstance(left, Value) and isinstance(right, Value):
            self.meeting.add((left, right))

    def axes_of_sizes(self, given: Container[Value]) -> dict[Operand, tuple[Value, int]]:
        """Return the axes of the arrays that the program is given, by their sizes.

        Args:
            given: the arrays.
        """
        return {size.operand: key for key, size in self._sizes.items() if key[0] in given}

    def know_size(self, base: Value, axis: int, size: NumberForm) -> None:
        """Remember the size of an axis of an array that the program makes."""
        self._sizes[base, axis] = size


def identity(operand: Operand) -> Hashable:
    """Return what is equal for operands that hold the same."""
    return (type(operand.value), repr(operand.value)) if isinstance(operand, Constant) else operand


def same_operand(left: Operand, right: Operand) -> bool:
    """Return whether two operands hold the same."""
    return identity(left) == identity(right)


def _name_of(spec: ArraySpec, axis: int) -> str:
    dim = spec.shape[axis]
    return dim if isinstance(dim, str) else "size"


FLOATS: Final = (float, complex, np.inexact)


def precision(dtype: np.dtype[Any]) -> int:
    """The bytes of a number, or of a part of a complex one."""
    return dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize


def block_of(inputs: tuple[Value, ...], nodes: list[Node], outputs: tuple[Operand, ...]) -> Block:
    """A block of nodes that were written."""
    return Block(inputs, tuple(nodes), outputs)
