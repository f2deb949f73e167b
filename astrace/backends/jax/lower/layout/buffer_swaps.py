"""Arrays that change places from turn to turn: ``old, new = new, old``.

A loop that carries a few arrays, each of which is one of them again after every iteration, carries a number for each
name: which of the arrays it stands for.  Behind the loop these tell what each array holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, ArrayRoot, Form, Which
from astrace.backends.jax.program_ir import Atom, Lit, Var

NONE: Lit = Lit(-1)
"""Stands for an array that is none of those that the loop began with."""


@dataclass(slots=True)
class Exchange:
    """The arrays that a loop carries under names that may be exchanged.

    Args:
        positions: which of the carried values they are.
        objects: the arrays before the first iteration.
        roots: what stands for them in the part that is being written.
        holds: each iteration goes on with the same arrays.
    """

    positions: tuple[int, ...]
    objects: tuple[ArrayRoot, ...]
    roots: list[ArrayRoot] = field(default_factory=list[ArrayRoot])
    holds: bool = True

    @property
    def first(self) -> list[Atom]:
        """The numbers before the first iteration."""
        return [Lit(index) for index in range(len(self.objects))]

    def fresh(self) -> list[Var]:
        """Variables for the numbers."""
        return [Var(INT, 0, "which") for _ in self.objects]

    def enter(self, state: Lowering, forms: Sequence[Form], tags: Iterator[Var]) -> None:
        """Let the numbers say which arrays the forms of a part are."""
        self.roots = []
        for position in self.positions:
            form = forms[position]
            assert isinstance(form, Array)
            self.roots.append(form.root)
            state.tags[form.root] = Which(next(tags), self.objects, frozenset(self.objects), is_one=True)

    def leave(self, state: Lowering, forms: Sequence[Form]) -> list[Atom]:
        """The numbers for the next iteration."""
        found = [forms[position] for position in self.positions]
        kept = [one.root for one in found if isinstance(one, Array) and not one.path]
        groups = {self._group(state, root) for root in kept}
        self.holds &= len(set(kept)) == len(self.roots) and len(groups) == 1 and None not in groups
        if not self.holds:
            return [NONE for _ in self.objects]
        return [self._number(state, root) for root in kept]

    def _group(self, state: Lowering, root: ArrayRoot) -> tuple[ArrayRoot, ...] | None:
        """The arrays of which one is what an iteration goes on with: those of the loop, maybe after an inner loop."""
        if root in self.roots:
            return tuple(self.roots)
        which = state.tags.get(root)
        if which is None or not which.is_one or set(which.objects) != set(self.roots):
            return None
        return which.objects

    def _number(self, state: Lowering, root: ArrayRoot) -> Atom:
        """Which of the arrays before the first iteration an array is."""
        which = state.tags[root]
        if root in self.roots:
            return which.number
        numbers = [state.tags[one].number for one in which.objects]
        result = numbers[-1]
        for index, number in enumerate(numbers[:-1]):
            is_it = state.expr("eq", (which.number, Lit(index)), BOOL)
            result = state.expr("jnp.where", (is_it, number, result), INT)
        return result

    def end(self, state: Lowering) -> set[ArrayRoot]:
        """Bring the arrays up to date behind the loop; gives those whose contents are known."""
        if not self.holds:
            for root in self.roots:
                del state.tags[root]
            return set()
        contents = [state.versions[root] for root in self.roots]
        for index, known in enumerate(self.objects):
            state.versions[known] = self._content(state, index, contents)
        return set(self.objects)

    def _content(self, state: Lowering, index: int, contents: Sequence[Atom]) -> Atom:
        """What an array holds: the contents under the name that stands for it."""
        result = contents[-1]
        for root, content in zip(self.roots[:-1], contents[:-1], strict=True):
            is_it = state.expr("eq", (state.tags[root].number, Lit(index)), BOOL)
            assert isinstance(content, Var)
            args = (is_it, content, result)
            result = state.expr("jnp.where", args, np.dtype(content.dtype), content.rank)
        return result


def exchange_of(state: Lowering, initial: Sequence[Form], settled: Sequence[bool]) -> Exchange:
    """The arrays that a loop may exchange.

    Args:
        state: the lowering.
        initial: what the loop carries into its first iteration.
        settled: of which of these nothing is written.
    """
    pairs = [(index, form) for index, form in enumerate(initial) if not settled[index]]
    arrays = [(index, form) for index, form in pairs if isinstance(form, Array) and not form.path]
    roots = tuple(form.root for _, form in arrays)
    if len(arrays) < len(pairs) or len(roots) < 2 or len(set(roots)) < len(roots):
        return Exchange((), (), holds=False)
    return Exchange(tuple(index for index, _ in arrays), roots)
