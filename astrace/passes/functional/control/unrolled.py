"""Loops that Python runs at compile time: sizes follow from the number of the iteration, or from carried values.

A backend begins with loops of the compiler.  One that is refused because a size depends on what it carries is written
again like this; its number of iterations, and the integers that decide sizes, have to be known at compile time.
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.block import Node, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import INT
from astrace.passes.functional.control.branches import Lower, captured
from astrace.passes.functional.control.loop_sources import iterations
from astrace.passes.functional.control.loops import LoopCarry, iteration
from astrace.passes.functional.conversions import truth
from astrace.passes.functional.forms import Form, Number
from astrace.passes.functional.layout.flatten import layout
from astrace.passes.functional.program import MISSING, Atom, Lit, is_host, variable
from astrace.passes.functional.refusal import Computed, NeedsNumber, Unknown
from astrace.passes.functional.state import Lowering


class KnownCarry(LoopCarry):
    """The carried values of a loop that Python runs: integers that are known before it may be known in each iteration."""

    def __init__(self, state: Lowering, loop: WhileLoop | ForLoop) -> None:
        super().__init__(state, loop)
        self._places = self._known_places(state)

    def _known_places(self, state: Lowering) -> dict[int, int]:
        """Return the positions of carried integers that are known, by the places of their variables."""
        found: dict[int, int] = {}
        place = 0
        for position, (value, form) in enumerate(zip(self.values, self._initial, strict=True)):
            known = value.spec == INT and isinstance(form, Number) and is_host(form.atom)
            if known and (self._loop.node, position) not in state.computed:
                found[place] = position
            place += len(list(layout(value.spec)))
        return found

    def fresh(self) -> list[Value]:
        """Return variables for all that is carried."""
        found = super().fresh()
        for place in self._places:
            found[place] = variable(None, 0, found[place].name)
        return found

    def put_out(self, forms: Sequence[Form]) -> list[Atom]:
        """Return the atoms that an iteration hands to the next one.

        Raises:
            Computed: an integer that was known before the first iteration is not known here.
        """
        found = super().put_out(forms)
        for place, position in self._places.items():
            if not is_host(found[place]):
                raise Computed(self._loop.node, position)
        return found


def unrolled(state: Lowering, node: Node, lower: Lower) -> None:
    """Write a loop that Python runs."""
    captured(state, node)
    if node.op == "for_loop":
        _for(state, ForLoop(node), lower)
    else:
        _while(state, WhileLoop(node), lower)


def _refusal(state: Lowering) -> Unknown:
    return Unknown("AT303", "the number of iterations of a loop depends on data", state.location)


def _bounds_known(state: Lowering, loop: ForLoop) -> None:
    """Require the integers that decide the number of iterations to be known.

    Raises:
        NeedsNumber: some inputs decide it.
    """
    count = len(loop.node.inputs) - len(loop.carried) - len(loop.captures)
    forms = [state.form(operand) for operand in loop.node.inputs[:count]]
    numbers = [one for one in forms if isinstance(one, Number) and not is_host(one.atom)]
    needed = frozenset[int]().union(*(one.inputs or () for one in numbers))
    if needed:
        raise NeedsNumber(needed)


def _for(state: Lowering, loop: ForLoop, lower: Lower) -> None:
    _bounds_known(state, loop)
    over = iterations(state, loop)
    if loop.breaks or not is_host(over.start) or not is_host(over.stop):
        raise _refusal(state)
    carry = KnownCarry(state, loop)
    if Lit(MISSING) in carry.args:
        raise _refusal(state)
    index = variable(None, 0, over.name)
    with carry.region(carry.values, index) as body:
        over.bind(state, loop, index)
        outputs = carry.put_out(iteration(state, loop, lower))
    carry.write("unrolled_for", (body.scope.block(tuple(outputs)),), body, (over.start, over.stop))


def _while(state: Lowering, loop: WhileLoop, lower: Lower) -> None:
    if loop.breaks:
        raise _refusal(state)
    carry = KnownCarry(state, loop)
    with carry.region(loop.test.inputs[: loop.count]) as test:
        goes_on = truth(state, lower(state, loop.test)[0])
    if not is_host(goes_on):
        raise _refusal(state)
    with carry.region(loop.body.inputs[: loop.count]) as body:
        outputs = carry.put_out(iteration(state, loop, lower))
    parts = (test.scope.block((goes_on,)), body.scope.block(tuple(outputs)))
    carry.write("unrolled_while", parts, body)
