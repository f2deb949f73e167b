"""Identity of arrays that a branch or a loop puts out: one that was there before, or a new one.

The contents of an array do not tell.  So a number comes out beside it, its place among the objects that were there;
for a new one, the number is ``NEW``.  ``simplify`` drops numbers that are not used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, ArrayRoot, Form, Items, Static, Which
from astrace.backends.jax.program_ir import Atom, Lit, variable
from astrace.ir.block import Constant, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import ArraySpec, Spec, TupleSpec

NEW: Lit = Lit(-1)
"""The number of an array that is none of those that were there."""
UNKNOWN: ArrayRoot = ArrayRoot()
"""Stands for unknown objects among those that an array may be."""


def arrays_in(form: Form, spec: Spec) -> Iterator[Form]:
    """Yield the parts of a form that are arrays where ``spec`` is expected."""
    match spec, form:
        case ArraySpec(), _:
            yield form
        case TupleSpec(), Items() if len(spec.items) == len(form.items):
            for item, inner in zip(form.items, spec.items, strict=True):
                yield from arrays_in(item, inner)
        case TupleSpec(), _:
            for inner in spec.items:
                yield from arrays_in(form, inner)
        case _:
            return


def which_of(state: Lowering, array: Form) -> Which | None:
    """Return which object an array is; ``None`` if that is not known."""
    if array == Static(UNSET):
        return Which(NEW, (), frozenset())
    if not isinstance(array, Array) or array.path:
        return None
    root = array.root
    if root in state.tags:
        return state.tags[root]
    return None if root.may_be else Which(Lit(0), (root,), frozenset((root,)))


def number_among(state: Lowering, which: Which, objects: Sequence[ArrayRoot]) -> Atom:
    """Write the place of an array among other objects than those that its own number counts."""
    if which.objects == tuple(objects):
        return which.number
    result: Atom = NEW
    for index, known in enumerate(which.objects):
        if known not in objects:
            continue
        place = Lit(objects.index(known))
        if isinstance(which.number, Constant):
            result = place if which.number == Lit(index) else result
            continue
        is_it = state.expr("eq", (which.number, Lit(index)), BOOL)
        result = state.expr("jnp.where", (is_it, place, result), INT)
    return result


def objects_of(found: Iterable[Which | None], around: Collection[ArrayRoot]) -> tuple[ArrayRoot, ...]:
    """Return the objects that arrays may be, of those that are known around a part."""
    return tuple(dict.fromkeys(one for which in found if which for one in which.objects if one in around))


@dataclass(slots=True)
class Identities:
    """The identities of the arrays that a loop carries.

    Args:
        specs: the specs of the carried values.
        first: the identities of the arrays before the first iteration.
        numbers: their places among ``objects``.
        objects: the objects that they may be.
        around: all objects that are known before the loop.
        roots: the roots that stand for them in the part that is being written.
        inside: the roots that stood for them in the body.
        flows: the objects that they may be after an iteration.
    """

    specs: tuple[Spec, ...]
    first: list[Which | None]
    numbers: list[Atom]
    objects: tuple[ArrayRoot, ...]
    around: frozenset[ArrayRoot]
    roots: list[ArrayRoot] = field(default_factory=list[ArrayRoot])
    inside: list[ArrayRoot] = field(default_factory=list[ArrayRoot])
    flows: list[frozenset[ArrayRoot]] = field(default_factory=list[frozenset[ArrayRoot]])

    def fresh(self) -> list[Value]:
        """Return variables for the numbers."""
        return [variable(INT, 0, "which") for _ in self.numbers]

    def enter(self, state: Lowering, forms: Sequence[Form], numbers: Iterator[Value]) -> None:
        """Make the numbers tell which objects the arrays of a part are."""
        self.roots = []
        for array, which in zip(self._arrays(forms), self.first, strict=True):
            if which is not None and isinstance(array, Array):
                state.tags[array.root] = Which(next(numbers), self.objects, frozenset((array.root,)))
                self.roots.append(array.root)

    def leave(self, state: Lowering, forms: Sequence[Form]) -> list[Atom]:
        """Return the numbers for the next iteration."""
        self.inside, self.flows = self.roots, []
        pairs = zip(self._arrays(forms), self.first, strict=True)
        return [self._number(state, array) for array, which in pairs if which is not None]

    def _number(self, state: Lowering, array: Form) -> Atom:
        which = which_of(state, array)
        known = {*self.objects, *self.inside}
        others = self.around.difference(known) if which is None else which.possible & self.around - known
        if which is None or others:
            self.flows.append(frozenset((UNKNOWN,)))
            return NEW
        self.flows.append(which.possible & known)
        return number_among(state, which, self.objects)

    def end(self, state: Lowering) -> None:
        """Settle behind the loop which objects its arrays may be, or that this is not known."""
        reached = [which.possible for which in self.first if which is not None]
        for _ in reached:
            spread = dict(zip(self.inside, reached, strict=True))
            reached = [
                own.union(*(spread.get(one, frozenset((one,))) for one in flow))
                for own, flow in zip(reached, self.flows, strict=True)
            ]
        for root, possible in zip(self.roots, reached, strict=True):
            if UNKNOWN in possible:
                del state.tags[root]
            else:
                state.tags[root] = Which(state.tags[root].number, self.objects, possible)

    def _arrays(self, forms: Sequence[Form]) -> list[Form]:
        return [one for form, spec in zip(forms, self.specs, strict=True) for one in arrays_in(form, spec)]


def identities_of(
    state: Lowering,
    initial: Sequence[Form],
    specs: Sequence[Spec],
    captures: Sequence[Operand],
    exchanged: Collection[int],
) -> Identities:
    """Return the identities that a loop carries.

    Args:
        state: the lowering.
        initial: the carried values before the first iteration.
        specs: their specs in each iteration.
        captures: the captures of the loop.
        exchanged: the positions of arrays whose identities an `Exchange` tells.
    """
    around = frozenset(state.versions)
    first = [
        which_of(state, array) if position not in exchanged else None
        for position, (form, spec) in enumerate(zip(initial, specs, strict=True))
        for array in arrays_in(form, spec)
    ]
    others = [
        which_of(state, state.env[one]) for one in captures if isinstance(one, Value) and one in state.env
    ]
    objects = objects_of([*first, *others], around)
    numbers = [number_among(state, which, objects) for which in first if which is not None]
    return Identities(tuple(specs), first, numbers, objects, around)
