"""Arrays that a loop exchanges in each iteration: ``old, new = new, old``.

A loop that carries a few arrays, each of which is one of them again after every iteration, carries a number for each
name: the array that it stands for.  Behind the loop these numbers tell the contents of each array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, ArrayRoot, Form, Which
from astrace.backends.jax.program_ir import Atom, Lit, atom_dtype, atom_rank, variable
from astrace.ir.block import Value

NONE: Lit = Lit(-1)
"""The number of an array that is none of those that the loop began with."""


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
    def first(self) -> list[Atom]:
        """The numbers before the first iteration."""
        return [Lit(index) for index in range(len(self.objects))]

    def fresh(self) -> list[Value]:
        """Return variables for the numbers."""
        return [variable(INT, 0, "which") for _ in self.objects]

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
            return [NONE for _ in self.objects]
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
        result = numbers[-1]
        for index, number in enumerate(numbers[:-1]):
            is_it = state.expr("eq", (which.number, Lit(index)), BOOL)
            result = state.expr("jnp.where", (is_it, number, result), INT)
        return result

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
            result = state.expr("jnp.where", args, np.dtype(atom_dtype(content)), atom_rank(content))
        return result


def exchange_of(state: Lowering, initial: Sequence[Form], settled: Sequence[bool]) -> Exchange:
    """Return the arrays that a loop may exchange.

    Args:
        state: the lowering.
        initial: the carried values before the first iteration.
        settled: which of them are never written.
    """
    pairs = [(index, form) for index, form in enumerate(initial) if not settled[index]]
    arrays = [(index, form) for index, form in pairs if isinstance(form, Array) and not form.path]
    roots = tuple(form.root for _, form in arrays)
    if len(arrays) < len(pairs) or len(roots) < 2 or len(set(roots)) < len(roots):
        return Exchange((), (), holds=False)
    return Exchange(tuple(index for index, _ in arrays), roots)
