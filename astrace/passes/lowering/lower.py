"""From a block to a lowered block: the same nodes and values, on machine numbers and elements of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.interpret import call_arguments
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.ir.walk import last_uses, nodes, uses
from astrace.ops.effects import written
from astrace.ops.lowered_draws import DRAWN
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.analysis.liveness import is_only_read, is_used_by
from astrace.passes.analysis.origins import HANDS_ON, READS, origins
from astrace.passes.common_nodes import merge_common_nodes
from astrace.passes.dead_nodes import drop_dead_nodes
from astrace.passes.fusion.all_passes import run_together
from astrace.passes.fusion.small_arrays.number_arrays import with_numbers_for_arrays
from astrace.passes.fusion.wrapping import with_wrapped_in_parts
from astrace.passes.legalise.filled_lists import with_filled_lists
from astrace.passes.legalise.places import places
from astrace.passes.legalise.reductions import with_reductions
from astrace.passes.legalise.rows import with_tuples
from astrace.passes.legalise.truths import with_truths
from astrace.passes.lowering import array_lists, rules
from astrace.passes.lowering.arrays import argument, materialised
from astrace.passes.lowering.block import LoweredWriter, Orders, Unlowered, no_orders
from astrace.passes.lowering.broadcasts import ITSELF, NO_SIZES, Axis, Sizes, know_sizes, known_integer
from astrace.passes.lowering.closing import closed, collect_written
from astrace.passes.lowering.control import ControlFlow
from astrace.passes.lowering.drawing.draws import with_draws
from astrace.passes.lowering.drawing.python_streams import is_draw
from astrace.passes.lowering.forms import (
    INT,
    MADE_HERE,
    ArrayForm,
    Env,
    Form,
    GeneratorForm,
    NumberForm,
    StaticForm,
    TupleForm,
    dtype_of,
    is_array,
)
from astrace.passes.lowering.functions import (
    array_making,
    clipping,
    complex_calls,
    counting,
    indices,
    joining,
    linear_algebra,
    math_calls,
    numpy_calls,
    padding,
    powers,
    products,
    python_calls,
    rearranging,
    reductions,
    reshaping,
    searching,
    sorting,
)
from astrace.passes.lowering.functions.list_calls import with_lists
from astrace.passes.lowering.functions.tuples import with_comparisons
from astrace.passes.lowering.items import scalar_or_array
from astrace.passes.lowering.list_uses import lists_of
from astrace.passes.lowering.numbers import UFUNCS
from astrace.passes.lowering.results import LoweredOutputs, LoweredResult, kept
from astrace.passes.lowering.sizes.inner_sizes import inner_sizes
from astrace.passes.lowering.written.signatures import binds
from astrace.passes.lowering.written.table import FUNCTIONS, with_written

MODULES: Final[Sequence[Any]] = (
    *(rules, python_calls, math_calls, numpy_calls, products, powers, array_making),
    *(rearranging, joining, reductions, reshaping, sorting, counting),
    *(searching, padding, complex_calls, clipping, linear_algebra, indices),
)
"""The modules with rules; where two have one for an op, the later one counts."""
RULES: Final[Mapping[str, rules.Rule]] = with_written(
    with_comparisons(
        with_draws(with_lists({op: rule for module in MODULES for op, rule in module.RULES.items()}))
    )
)
ELEMENTWISE: Final = {f"np.{ufunc.__name__}" for ufunc in UFUNCS.values()} | {
    f"np.{name}" for name in (*numpy_calls.UFUNCS, "minimum", "maximum", "sqrt")
}
ITEM_BY_ITEM: Final = UFUNCS.keys() | ELEMENTWISE | {"np.where", "np.roll"}
"""The ops that take their operands' items one after the other, each of them once."""
TAKES_KEYWORDS: Final = (
    array_making.TAKES_DTYPE
    | indices.TAKES_KEYWORDS
    | searching.TAKES_KEYWORDS
    | padding.RULES.keys()
    | counting.TAKES_KEYWORDS
    | ELEMENTWISE
    | {"np.conjugate"}
    | {"make_list", "unpack", "call_method", "np.roll", "np.concatenate", "np.stack"}
    | {"np.diff", "np.round", "ndarray.round"}
    | (reductions.RULES.keys() | sorting.RULES.keys())
    | FUNCTIONS.keys()
)
"""The functions whose rules know what to do with ``out`` or ``dtype``, and what a list is said to have."""
SMALL_INPUT: Final = 2**31
"""Python's integers that come in are less than this, or the exact backend runs the call."""


@dataclass(frozen=True, slots=True, eq=False)
class LoweredBlock:
    """A lowered block, and what its caller has to know.

    Args:
        block: the nodes; its inputs are those of the block that was lowered, as machine numbers and arrays.
        results: the outputs of the block that was lowered.
        written: the inputs whose memory is written, and the generators that are drawn from.
        apart: pairs of inputs that may not share memory.
        uses_floats: NumPy's floats are computed with: status flags tell of its warnings.
        flags_decide: they tell of more than NumPy's settings decide on: an exception, the way that a function takes.
        ops: the ops of the block that was lowered.
        is_exact: results are to be NumPy's to the bit, and warnings to be told of.
        constants: the objects of the program that may be items of lists that come out.
        meeting: axes of inputs that are taken to have the same size, or the program is given up (`broadcasts`).
        inner: axes of inputs whose sizes inner loops have, or arrays that loops make.
        as_numbers: how many arrays that loops use have become numbers.
        is_written_out: products are, in the order in which NumPy adds up.
        needs_forward: the arrays' strides may not be negative: NumPy's loops might take another way.
        needs_c_order: the arrays' axes have to run as in C: NumPy gives the order of axes to arrays that it makes of them.
    """

    block: Block
    results: tuple[LoweredResult, ...]
    written: tuple[int, ...]
    apart: tuple[tuple[int, int], ...]
    uses_floats: bool
    needs_forward: bool
    needs_c_order: bool
    ops: frozenset[str]
    flags_decide: bool
    is_exact: bool = True
    constants: tuple[Any, ...] = ()
    meeting: tuple[tuple[Axis, Axis], ...] = ()
    inner: tuple[Axis, ...] = ()
    as_numbers: int = 0
    is_written_out: bool = False


def lower(
    block: Block,
    exact: bool = True,
    fuse: bool = True,
    sizes: Sizes = NO_SIZES,
    orders: Orders = no_orders,
) -> LoweredBlock:
    """Lower a block.

    Args:
        block: of numbers and arrays.
        fuse: elementwise statements that follow each other run together.
        exact: results are to be NumPy's to the bit; else sums may be computed in another order, functions by other
            means, and nothing tells of warnings of floats.
        sizes: of axes of inputs; the program is given up where they have others.
        orders: tells in which order few products are added up.

    Raises:
        Unlowered: something in it has no lowered form.
    """
    filled, stood = with_filled_lists(block)
    block = with_tuples(filled)
    once = merge_common_nodes(block, counts_warnings=False)  # a kernel that is to warn gives up
    legal = with_reductions(once)
    try:
        return _BlockLowering(with_truths(legal), exact, fuse, sizes, orders).whole()
    except Unlowered as refusal:
        if refusal.place is not None:
            refusal.place = stood[places(block, legal)[refusal.place]]
        raise


class _BlockLowering:
    """The lowering of one block.

    Args:
        block: the block.
        exact: as for `lower`.
        fuse: the same.
        sizes: the same.
        orders: the same.
    """

    def __init__(self, block: Block, exact: bool, fuse: bool, sizes: Sizes, orders: Orders) -> None:
        self._block = block
        self._sizes = sizes
        self._fuse = fuse
        self._writer = LoweredWriter(origins(block), exact, lists_of(block), Sharing(block), orders)
        self._env: Env = {}
        self._flow = ControlFlow(self._writer, self._env, self.nodes)
        self._bases: dict[Value, int] = {}
        self._integers: dict[Operand, Axis] = {}
        self._at: int | None = None
        self._makers = {value: index for index, node in enumerate(block.nodes) for value in node.outputs}

    def whole(self) -> LoweredBlock:
        """Lower the whole block."""
        counts = uses(self._block)
        inputs = tuple(
            self._input(index, value, value in counts) for index, value in enumerate(self._block.inputs)
        )
        try:
            outputs, results = self._outputs(self.nodes(self._block))
        except Unlowered as refusal:
            refusal.place = self._at
            raise
        writer = self._writer
        values = outputs.values(results)
        written = (*writer.entry, *(kept(node, outputs.come_out) for node in writer.nodes))
        whole = Block(inputs, written, values)
        inner, as_numbers = self._inner(whole), 0
        if self._fuse:
            whole, as_numbers = with_numbers_for_arrays(whole, writer.memory, writer.own)
            whole = run_together(whole, writer.memory, writer.own, writer.apart, writer.exact)
        else:
            whole = with_wrapped_in_parts(whole)
        lowered = drop_dead_nodes(closed(whole))
        changed = self._written(lowered)
        return LoweredBlock(
            lowered,
            results,
            changed,
            self._apart(),
            writer.uses_floats and writer.exact,
            writer.needs_forward,
            writer.needs_c_order,
            frozenset(node.op for node in nodes(self._block)),
            writer.flags_decide,
            writer.exact,
            tuple(writer.constants),
            self._meeting(),
            inner,
            as_numbers,
            writer.is_written_out,
        )

    def _input(self, index: int, value: Value, used: bool) -> Value:
        """The machine number, array or generator that an input is; one that is used without being such is refused then."""
        if used and is_array(value.spec):
            self._bases[value] = index
            know_sizes(self._writer, self._sizes, index, value)
            self._env[value] = argument(self._writer, value)
            return value
        if used and value.spec in DRAWN:
            self._env[value] = GeneratorForm(value)
            return value
        dtype = dtype_of(value.spec)
        if not used or dtype is None or len(getattr(value.spec, "options", (0,))) > 1:
            return value
        own = Value(GenericSpec(dtype), value.name)
        bounds = (-SMALL_INPUT, SMALL_INPUT) if dtype == INT else FULL
        form = NumberForm(own, value.spec, bounds, origin=Constant(index + 1))
        self._env[value] = form
        if value.spec == PYTHON_INT:
            self._integers[own] = index, ITSELF
            self._env[value] = known_integer(self._writer, self._sizes, index, form)
        return own

    def _outputs(self, forms: Sequence[Form]) -> tuple[LoweredOutputs, tuple[LoweredResult, ...]]:
        """Add the outputs one after the other."""
        given = {index: self._env[base] for base, index in self._bases.items()}
        outputs = LoweredOutputs(self._writer, given)
        results: list[LoweredResult] = []
        for form, output in zip(forms, self._block.outputs, strict=True):
            self._at = self._place_of(output)
            results.append(outputs.add(form, output.spec))
        return outputs, tuple(results)

    def _written(self, block: Block) -> tuple[int, ...]:
        """The inputs whose memory is written: regions know them by other names."""
        outer: dict[Value, Value] = {value: value for value in block.inputs}
        found: set[Value] = set()
        collect_written(block, outer, found)
        shared = set[Value]().union(*map(self._writer.memory.members, found))
        return tuple(index for index, value in enumerate(block.inputs) if value in shared)

    def _apart(self) -> tuple[tuple[int, int], ...]:
        """The pairs of inputs of which one is stored into while elements of the other are read."""
        places = self._bases
        memory = self._writer.memory
        found = {
            (places[left], places[right])
            for one, other in self._writer.apart
            for left in memory.members(one) & places.keys()
            for right in memory.members(other) & places.keys()
            if left is not right
        }
        return tuple(sorted(found))

    def _meeting(self) -> tuple[tuple[Axis, Axis], ...]:
        """The pairs of axes of inputs that are taken to have the same size."""
        axes = self._axes()
        pairs = {
            (axes[one], axes[other]) for one, other in self._writer.meeting if {one, other} <= axes.keys()
        }
        return tuple(sorted(pairs))

    def _inner(self, whole: Block) -> tuple[Axis, ...]:
        """The axes of inputs whose sizes count in loops, and integers that are such sizes."""
        axes = self._axes() | self._integers
        return tuple(sorted(axes[size] for size in inner_sizes(whole, self._writer.meeting) if size in axes))

    def _axes(self) -> dict[Operand, Axis]:
        """The axes of inputs, by their sizes."""
        found = self._writer.axes_of_sizes(self._bases)
        return {size: (self._bases[base], axis) for size, (base, axis) in found.items()}

    # -- nodes -------------------------------------------------------------------------------------

    def nodes(self, block: Block) -> list[Form]:
        """Write the nodes of a block; gives the forms of its outputs."""
        counts, last = uses(block), last_uses(block)
        for index, node in enumerate(block.nodes):
            self._at = index if block is self._block else self._at
            outer = self._writer.location
            self._writer.location = node.location or outer
            self._node(node)
            for output in node.outputs:
                form = self._env.get(output)
                if isinstance(form, ArrayForm) and form.view is None:
                    keeps = counts[output] == 1 or (form.moves and is_used_by(block, output, ITEM_BY_ITEM))
                    keeps = keeps and self._is_still(block, index, last.get(output, index))
                    keeps = keeps or (bool(form.numbers) and is_only_read(block, output))
                    self._env[output] = form if keeps else materialised(self._writer, form)
            self._writer.location = outer
        return [self._output(block, output) for output in block.outputs]

    def _output(self, block: Block, output: Operand) -> Form:
        if block is self._block:
            self._at = self._place_of(output)
        return self._flow.form(output)

    def _place_of(self, output: Operand) -> int | None:
        """Return the place of the node that makes an output, if one does."""
        return self._makers.get(output) if isinstance(output, Value) else None

    def _is_still(self, block: Block, made: int, used: int) -> bool:
        """Tell whether an expression can be computed where it is used: nothing is written in between, no region around."""
        if used >= len(block.nodes) or block.nodes[used].regions:
            return False
        between = block.nodes[made + 1 : used]
        return not any(node.regions or written(node) for node in between)

    def _node(self, node: Node) -> None:
        match node.op:
            case "cond":
                self._flow.cond(node)
            case "while_loop":
                self._flow.while_loop(node)
            case "for_loop":
                self._flow.for_loop(node)
            case _:
                self._leaf(node)

    def _leaf(self, node: Node) -> None:
        rule = RULES.get(node.op)
        if rule is None or node.raises or (node.op == "call" and not is_draw(node)):
            raise self._writer.unknown(node)
        forms = [self._flow.form(operand) for operand in node.inputs]
        args, kwargs = call_arguments(
            node, [form.value if isinstance(form, StaticForm) else form for form in forms]
        )
        if (kwargs and node.op not in TAKES_KEYWORDS) or not binds(node.op, len(args), frozenset(kwargs)):
            raise self._writer.refusal(f"`{node.op}` with such arguments")
        takes = node.op in complex_calls.TAKES_COMPLEX or node.op in FUNCTIONS
        exact = takes and self._writer.exact
        if not exact and any(map(complex_calls.is_complex, forms)):
            raise self._writer.refusal(f"`{node.op}` of complex numbers")
        if node.op.startswith("np."):
            args = [array_lists.array_of_list(self._writer, one) for one in args]
        made = rule(self._writer, node, args, kwargs)
        if (
            isinstance(made, NumberForm)
            and made.origin is not MADE_HERE
            and node.op not in HANDS_ON
            and node.op not in READS
        ):
            made = replace(made, origin=MADE_HERE)
        several = made.items if node.op == "unpack" and isinstance(made, TupleForm) else None
        found = (made,) * len(node.outputs) if several is None else several
        for output, form in zip(node.outputs, found, strict=True):
            if isinstance(form, NumberForm) and isinstance(form.operand, Value) and output.name:
                form.operand.rename(output.name)
            if form is not None:
                self._env[output] = scalar_or_array(self._writer, form, output.spec)
