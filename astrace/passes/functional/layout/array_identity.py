"""Identity of arrays that a branch or a loop puts out: one that was there before, or a new one.

The contents of an array do not tell.  So a number comes out beside it, its place among the objects that were there;
for a new one, the number is ``NEW``.  ``simplify`` drops numbers that are not used.

A loop that exchanges a few arrays in each iteration, ``old, new = new, old``, carries such a number for each name: the
array that it stands for.  Behind the loop these numbers tell the contents of each array.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import ArraySpec, Spec, TupleSpec
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, ArrayRoot, Form, Items, Static, Which
from astrace.passes.functional.layout.flatten import select
from astrace.passes.functional.program import Atom, Lit, atom_dtype, atom_rank
from astrace.passes.functional.state import Lowering

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
        result = state.expr("xp.where", (is_it, place, result), INT)
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


@dataclass(slots=True)
class Exchange:
    """The arrays that a loop carries under names that may be exchanged.

    Args:
        positions: their positions among the carried values.
        objects: the arrays before the first iteration.
        roots: the roots that stand for them in the part that is being written.
        holds: each iteration hands on the same arrays.
    """

    positions: tuple[int, ...]
    objects: tuple[ArrayRoot, ...]
    roots: list[ArrayRoot] = field(default_factory=list[ArrayRoot])
    holds: bool = True

    @property
    def numbers(self) -> list[Atom]:
        """The numbers before the first iteration."""
        return [Lit(index) for index in range(len(self.objects))]

    def enter(self, state: Lowering, forms: Sequence[Form], tags: Iterator[Value]) -> None:
        """Make the numbers tell which arrays the forms of a part are."""
        self.roots = []
        for position in self.positions:
            form = forms[position]
            assert isinstance(form, Array)
            self.roots.append(form.root)
            state.tags[form.root] = Which(next(tags), self.objects, frozenset(self.objects), is_one=True)

    def leave(self, state: Lowering, forms: Sequence[Form]) -> list[Atom]:
        """Return the numbers for the next iteration."""
        found = [forms[position] for position in self.positions]
        kept = [one.root for one in found if isinstance(one, Array) and not one.path]
        groups = {self._group(state, root) for root in kept}
        self.holds &= len(set(kept)) == len(self.roots) and len(groups) == 1 and None not in groups
        if not self.holds:
            return [NEW for _ in self.objects]
        return [self._number(state, root) for root in kept]

    def _group(self, state: Lowering, root: ArrayRoot) -> tuple[ArrayRoot, ...] | None:
        """Return the arrays of which ``root`` is one: the loop's, maybe after an inner loop; else ``None``."""
        if root in self.roots:
            return tuple(self.roots)
        which = state.tags.get(root)
        if which is None or not which.is_one or set(which.objects) != set(self.roots):
            return None
        return which.objects

    def _number(self, state: Lowering, root: ArrayRoot) -> Atom:
        """Write the number of an array among those before the first iteration."""
        which = state.tags[root]
        if root in self.roots:
            return which.number
        numbers = [state.tags[one].number for one in which.objects]
        return select(state, which.number, numbers, INT)

    def end(self, state: Lowering) -> set[ArrayRoot]:
        """Bring the arrays up to date behind the loop; return those whose contents are known."""
        if not self.holds:
            for root in self.roots:
                del state.tags[root]
            return set()
        contents = [state.versions[root] for root in self.roots]
        for index, known in enumerate(self.objects):
            state.versions[known] = self._content(state, index, contents)
        return set(self.objects)

    def _content(self, state: Lowering, index: int, contents: Sequence[Atom]) -> Atom:
        """Write the contents of an array: those under the name that stands for it."""
        result = contents[-1]
        for root, content in zip(self.roots[:-1], contents[:-1], strict=True):
            is_it = state.expr("eq", (state.tags[root].number, Lit(index)), BOOL)
            assert isinstance(content, Value)
            args = (is_it, content, result)
            result = state.expr("xp.where", args, np.dtype(atom_dtype(content)), atom_rank(content))
        return result


def exchange_of(initial: Sequence[Form], settled: Sequence[bool]) -> Exchange:
    """Return the arrays that a loop may exchange.

    Args:
        initial: the carried values before the first iteration.
        settled: which of them are never written.
    """
    pairs = [(index, form) for index, form in enumerate(initial) if not settled[index]]
    arrays = [(index, form) for index, form in pairs if isinstance(form, Array) and not form.path]
    roots = tuple(form.root for _, form in arrays)
    if len(arrays) < len(pairs) or len(roots) < 2 or len(set(roots)) < len(roots):
        return Exchange((), (), holds=False)
    return Exchange(tuple(index for index, _ in arrays), roots)
