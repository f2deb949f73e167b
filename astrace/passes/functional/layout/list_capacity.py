"""Room in the lists that change in a branch or a loop: the items that they get are counted before it is written.

So the variables of a list keep their size inside.  If each iteration appends the same number of items, the length
behind the loop is known at compile time.
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.control import ForLoop, always_raises
from astrace.passes.functional.control.branches import captured
from astrace.passes.functional.control.loop_sources import range_of
from astrace.passes.functional.dtypes import INT
from astrace.passes.functional.forms import Stack
from astrace.passes.functional.layout.lists import enlarge
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import integer


def prepare(state: Lowering, node: Node) -> dict[Stack, Atom | None]:
    """Make room, before a branch or a loop is written, in the lists that change in it.

    Returns:
        For each list its length behind the node, if that is known at compile time.

    Raises:
        Refused: the length of a list depends on data.
    """
    captured(state, node)
    found: dict[Stack, Atom | None] = {}
    for made in state.changed.inside.get(node, ()):
        stack = state.env.get(made)
        if (
            not isinstance(stack, Stack)
            or stack in found
            or state.growth[stack.length].home is not state.scope
        ):
            continue
        state.growing.update((stack.length, *stack.columns))
        if state.growth[stack.length].filled:
            found[stack] = None
            continue
        most, exact = _Count(state, stack).of_node(node)
        length = state.versions[stack.length]
        found[stack] = integer(state, "add", length, most) if exact and is_host(length) else None
        if most != Lit(0):
            full = length == state.growth[stack.length].capacity
            enlarge(state, stack, most)
            if full and exact:
                found[stack] = state.growth[stack.length].capacity
        if is_host(length):
            state.versions[stack.length] = state.expr("xp.asarray", (length, Lit(INT)), INT)
    return found


def settle(state: Lowering, behind: dict[Stack, Atom | None]) -> None:
    """Restore, behind a branch or a loop, the lengths that are known."""
    for stack, length in behind.items():
        state.growing.difference_update((stack.length, *stack.columns))
        if length is not None:
            state.versions[stack.length] = length


class _Count:
    """The number of items appended to a list: a bound, and whether it is always reached."""

    def __init__(self, state: Lowering, stack: Stack) -> None:
        self._state = state
        self._stack = stack

    def of_node(self, node: Node) -> tuple[Atom, bool]:
        state = self._state
        if node.op == "append" and node in state.changed.by_node:
            return Lit(int(state.env.get(state.changed.by_node[node]) is self._stack)), True
        captured(state, node)
        counts = [self._of_block(region) for region in node.regions]
        if not counts or all(most == Lit(0) for most, _ in counts):
            return Lit(0), True
        match node.op:
            case "cond":
                return self._of_branches(node, counts)
            case "for_loop":
                iterations = self._iterations(ForLoop(node))
                most, exact = counts[0]
                return integer(state, "mul", iterations, most), exact and not ForLoop(node).breaks
            case _:
                raise state.refusal("AT303", "the length of a list depends on data")

    def _of_block(self, block: Block) -> tuple[Atom, bool]:
        most, exact = Lit(0), True
        total: Atom = most
        for node in block.nodes:
            count, always = self.of_node(node)
            total = integer(self._state, "add", total, count)
            exact &= always
        return total, exact

    def _of_branches(self, node: Node, counts: Sequence[tuple[Atom, bool]]) -> tuple[Atom, bool]:
        left = [one for region, one in zip(node.regions, counts, strict=True) if not always_raises(region)]
        if len(left) == 1:
            return left[0]
        (first, always), (second, too) = left
        if isinstance(first, Constant) and isinstance(second, Constant):
            return Lit(max(first.value, second.value)), always and too and first == second
        return integer(self._state, "add", first, second), False

    def _iterations(self, loop: ForLoop) -> Atom:
        """Return the number of iterations of a loop."""
        state = self._state
        if any(isinstance(one, Value) and one not in state.env for one in loop.iterated):
            raise state.refusal("AT303", "the length of a list depends on data")
        numbers = range_of(state, loop)
        for one in numbers:
            state.host(one, "the length of a list")
        if all(isinstance(one.atom, Constant) for one in numbers):
            return Lit(
                len(range(*(int(one.atom.value) for one in numbers if isinstance(one.atom, Constant))))
            )
        start, stop, step = numbers
        if start.atom == Lit(0) and step.atom == Lit(1) and stop.bounds[0] >= 0:
            return stop.atom
        return state.expr("range_length", [one.atom for one in numbers], None)
