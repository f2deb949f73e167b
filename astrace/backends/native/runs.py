"""Runs of nodes that one kernel may compute: array code that is consecutive, with the loops in it.

A run begins and ends with array code or a loop.  It pays where a loop, or an elementwise operation, finds another
one to be fused with; a loop alone is a run, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import always_raises
from astrace.ir.specs import ANY, AnySpec, ArraySpec, GenericSpec, ListSpec, ScalarSpec, TupleSpec
from astrace.ir.walk import nodes as all_nodes
from astrace.ops.infer import arguments
from astrace.ops.lowered_draws import DRAWN
from astrace.ops.numpy.list_arrays import type_if_filled
from astrace.ops.python.operators import COMPARISON
from astrace.passes.deferral import is_deferrable
from astrace.passes.loop_checks import CHECKS, READS
from astrace.passes.lowering.drawing.python_streams import is_draw
from astrace.passes.lowering.lower import RULES

LOOPS: Final = frozenset({"for_loop", "while_loop"})
LOWERED: Final = (LOOPS | {"cond"} | RULES.keys()) - {"call"}
NARROWED: Final = LOWERED | CHECKS | READS | {"iter"}
"""What may stand in a loop that is written anew for the types that it is entered with; methods of arrays are looked up, and called."""
LONGEST: Final = 150
"""Nodes of a run, those in regions included: the time to compile it grows faster than they do."""
FUSED: Final = 2
"""Elementwise operations that a run has at least, if it has no loop."""
FEW: Final = 16
"""Nodes of a run in which to store single items takes NumPy no longer than to ask a kernel."""

HARMLESS: Final = frozenset(
    {"dim", "add", "sub", "neg", "eq", "ne", "lt", "le", "gt", "ge", "not_", "make_tuple"}
)
"""What makes no kernel give up time and again, of Python's numbers: sums and differences hardly ever take more than 64 bits."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive nodes of a block.

    Args:
        nodes: the nodes.
        may_be_kernel: it is a loop, or each of them may have a lowered form and a kernel pays.
    """

    nodes: tuple[Node, ...]
    may_be_kernel: bool


def runs(block: Block, exact: bool = True) -> Iterator[Run]:
    """Yield the nodes of a block as runs, in order.

    Args:
        block: any block.
        exact: results are to be NumPy's to the bit.
    """
    return runs_of(block.nodes, exact)


def runs_of_program(block: Block, exact: bool = True) -> Iterator[Run]:
    """Yield the nodes of a whole program as runs; as one, with the numbers in front of and behind array code, where all may be lowered.

    A program that is one kernel needs no Python around it (`direct`).

    Args:
        block: of a program.
        exact: results are to be NumPy's to the bit.
    """
    nodes = block.nodes
    sizes = list(map(size_of, nodes))
    if None in sizes or sum(size or 0 for size in sizes) > LONGEST or not pays(nodes, exact):
        return runs(block, exact)
    return iter([Run(nodes, True)])


def runs_of(nodes: Sequence[Node], exact: bool = True) -> Iterator[Run]:
    """Yield nodes as runs, in order.

    Args:
        nodes: of a block.
        exact: results are to be NumPy's to the bit.
    """
    pending: list[Node] = []
    length = 0
    for node in nodes:
        found = size_of(node)
        if found is None or length + found > LONGEST:
            yield from _parts(pending, exact)
            pending, length = [], 0
        if found is None:
            yield Run((node,), is_loop(node))
        else:
            pending.append(node)
            length += found
    yield from _parts(pending, exact)


def leaves_outside_alone(block: Block) -> bool:
    """Return whether all that a block does is known, so that none of it changes or looks at what is not the block's own.

    Args:
        block: any block.
    """
    return all(
        is_lowered(node) and not any(one.spec == ANY for one in (*node.inputs, *node.outputs))
        for node in all_nodes(block)
    )


def has_candidate(loop: Node) -> bool:
    """Return whether a loop, or one inside it, holds only nodes that have a lowered form."""
    inner = list(_reached(loop))
    loops = [loop, *(one for one in inner if one.op in LOOPS)]
    return any(all(map(is_lowered, _reached(one))) for one in loops)


def may_be_narrowed(loop: Node) -> bool:
    """Return whether a loop may hold only nodes that have a lowered form once the types are known with which it is entered.

    Args:
        loop: a node.
    """
    found = list(_reached(loop))
    looked_up = {one.output for one in found if one.op == "get_attr"}
    return all(
        one.op in NARROWED or is_lowered(one) or (one.op == "call" and one.inputs[0] in looked_up)
        for one in found
    )


def _reached(node: Node) -> Iterator[Node]:
    """Yield the nodes in a node's regions, at any depth; a branch that raises gives a kernel up, and stores that may be moved are left out."""
    for region in node.regions:
        if node.op == "cond" and always_raises(region):
            continue
        for one in region.nodes:
            if is_deferrable(one):
                continue
            yield one
            yield from _reached(one)


def is_one_loop(run: Run) -> bool:
    """Return whether a run is a loop with nothing beside it for which a kernel may give up time and again.

    Args:
        run: what may become a kernel.
    """
    beside = [node for node in run.nodes if not is_array_code(node)]
    return len(run.nodes) == 1 + len(beside) and all(map(_is_harmless, beside))


def _is_harmless(node: Node) -> bool:
    """Return whether a node neither raises, nor warns, nor gives an integer that no machine code has, but once in a while."""
    if is_deferrable(node):
        return True
    return node.op in HARMLESS and not any(isinstance(one.spec, GenericSpec) for one in node.inputs)


def _parts(nodes: Sequence[Node], exact: bool) -> Iterator[Run]:
    """Yield a run of nodes that may all be lowered, and what is left out on both sides."""
    places = [index for index, node in enumerate(nodes) if is_array_code(node)]
    loops = [index for index, node in enumerate(nodes) if node.op in LOOPS]
    if len(places) == len(loops) <= 1:  # nothing but scalars around a loop
        for node in nodes:
            yield Run((node,), is_loop(node))
        return
    first, last = _with_makers(nodes, min(places)), max(places) + 1
    yield from (Run((node,), False) for node in nodes[:first])
    yield Run(tuple(nodes[first:last]), pays(nodes[first:last], exact))
    yield from (Run((node,), False) for node in nodes[last:])


def _with_makers(nodes: Sequence[Node], first: int) -> int:
    """Return where a run begins that makes the tuples and ranges itself that it uses: no kernel is given such."""
    used = {one for node in nodes[first:] for one in node.inputs}
    for place in range(first - 1, -1, -1):
        node = nodes[place]
        if any(output in used and isinstance(output.spec, TupleSpec | AnySpec) for output in node.outputs):
            first = place
            used.update(node.inputs)
    return first


def pays(nodes: Sequence[Node], exact: bool = True) -> bool:
    """Return whether nodes hold what can be fused: a loop, or several elementwise operations.

    Args:
        nodes: a run.
        exact: results are to be NumPy's to the bit; else reductions can be fused with what they reduce.
    """
    if any(map(is_loop, nodes)):
        return True
    heavy = [node for node in nodes if len(nodes) > FEW or not stores_an_item(node)]
    return sum(is_computed(node) or (not exact and is_reduction(node)) for node in heavy) >= FUSED


def stores_an_item(node: Node) -> bool:
    """Return whether a node puts one number into an array.

    Args:
        node: any node.
    """
    if node.op != "set_item":
        return False
    owner, key, *_ = arguments(node)[0]
    parts = list(_parts_of(key))
    return (
        isinstance(owner, ArraySpec)
        and len(parts) == len(owner.shape)
        and not any(isinstance(part, slice) for part in (key if isinstance(key, tuple) else (key,)))
        and all(part is not None and part is not ... and _is_basic(part) for part in parts)
    )


def is_reduction(node: Node) -> bool:
    """Return whether a node gives a number for an array."""
    reads = any(is_array(one) for one in node.inputs)
    return (
        reads
        and node.op not in ("get_item", "dim", "get_attr")
        and bool(node.outputs)
        and isinstance(node.outputs[0].spec, GenericSpec)
    )


def size_of(node: Node) -> int | None:
    """Return the number of nodes that a node is, with those in its regions; ``None`` if one has no lowered form."""
    if is_deferrable(node):
        return 1
    if not is_lowered(node) or node.raises or any(map(_has_no_axes, node.outputs)):
        return None
    if node.op == "call_method" and not (is_list_code(node) or node.inputs[0].spec in DRAWN):
        return None
    total = 1
    for region in node.regions:
        if node.op == "cond" and always_raises(region):
            continue  # a branch that raises gives a kernel up
        for inner in region.nodes:
            size = size_of(inner)
            if size is None:
                return None
            total += size
    return total


def is_loop(node: Node) -> bool:
    """Return whether a node is a loop that may be worth a kernel: drawing again until a number fits takes a turn or two.

    Args:
        node: any node.
    """
    if node.op != "while_loop":
        return node.op in LOOPS
    inner = list(all_nodes(Block((), (node,))))[1:]
    return not all(one.op in COMPARISON or (one.op == "call" and is_lowered(one)) for one in inner)


def is_lowered(node: Node) -> bool:
    """Return whether the op of a node has a lowered form; of calls, those of functions that draw have one.

    Args:
        node: any node.
    """
    return node.op in LOWERED or is_draw(node)


def _has_no_axes(value: Value) -> bool:
    return isinstance(value.spec, ArraySpec) and not value.spec.shape


def is_array(operand: Operand) -> bool:
    """Return whether an operand is an array of one type, if lists have items of which arrays are made."""
    return isinstance(type_if_filled(operand.spec), ArraySpec)


def is_list_code(node: Node) -> bool:
    """Return whether a node gives a list, or is something that is done with one."""
    return any(isinstance(one.spec, ListSpec) for one in (*node.inputs[:1], *node.outputs))


def is_array_code(node: Node) -> bool:
    """Return whether a node is a loop, gives or changes an array or a list, or reads a whole array."""
    if (
        node.op in LOOPS
        or _stores_items(node)
        or (node.op != "get_item" and is_list_code(node))
        or any(is_array(one) for one in node.outputs)
    ):
        return True
    reads = any(is_array(one) for one in node.inputs)
    return reads and node.op != "get_item" and not is_view(node)


def _stores_items(node: Node) -> bool:
    """Return whether a node stores into an array or a list."""
    return node.op == "set_item" and not is_deferrable(node)


def is_computed(node: Node) -> bool:
    """Return whether a node computes the elements of an array."""
    if _stores_items(node) or is_view(node) or not node.outputs:
        return _stores_items(node)
    return is_array(node.outputs[0])


# -- views -----------------------------------------------------------------------------------------------------


def is_view(node: Node) -> bool:
    """Return whether a node gives a view of an array, or reads nothing of one but its shape."""
    if node.op in ("dim", "get_attr"):
        return is_array(node.inputs[0])
    if node.op == "np.asarray":
        return is_as_it_was(node)
    if node.op in ("np.reshape", "ndarray.reshape", "np.ravel"):
        return _gives_array(node)
    if node.op != "get_item" or not is_array(node.output):
        return False
    owner, key = arguments(node)[0]
    return isinstance(owner, ArraySpec) and all(map(_is_basic, _parts_of(key)))


def _gives_array(node: Node) -> bool:
    """Return whether a node is given an array and gives one; where that has a lowered form, it is a view."""
    return is_array(node.inputs[0]) and is_array(node.output)


def is_as_it_was(node: Node) -> bool:
    """Return whether a node gives the array that it is given, since that has the dtype already."""
    given, made = node.inputs[0].spec if node.inputs else None, node.output.spec
    return isinstance(given, ArraySpec) and isinstance(made, ArraySpec) and given.dtype == made.dtype


def _parts_of(key: Any) -> Iterator[Any]:
    """Yield the parts of an index."""
    if isinstance(key, tuple):
        for part in key:  # type: ignore[reportUnknownVariableType]
            yield from _parts_of(part)
    elif isinstance(key, slice):
        yield from (key.start, key.stop, key.step)
    else:
        yield key


def _is_basic(part: Any) -> bool:
    """Return whether a part of an index selects a view, not elements to be copied."""
    match part:
        case ScalarSpec():
            return part.kind == "int"
        case GenericSpec():
            return part.dtype.kind in "iu"
        case _:
            return part is None or part is ... or type(part) is int
