"""Stores in loops, arranged so that XLA changes arrays in place.

XLA:CPU copies an array in every iteration of a loop if it cannot tell that all reads of the old contents come before
the store: if an item that was read is carried, if two arrays are exchanged, if there are two stores.  So the
stores of an iteration are gathered at its end, in one ``lax.cond`` whose test always holds, which XLA does not
know: all items that were read flow through it and therefore come first.  A read behind a store is answered with the
stored value, if the places are the same; a branch that stores becomes a choice of what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from astrace.backends.jax.xla.row_stores import (
    is_device_branch,
    is_integers,
    is_simple,
    is_store,
    passed_on,
    stand_in,
)
from astrace.ir.block import Block, Node, Value
from astrace.ir.trees import node_of
from astrace.locations import Location
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.program import (
    Atom,
    atom_dtype,
    atom_rank,
    identity,
    key_of,
    value_like,
    variable,
)
from astrace.passes.functional.simplify import choice
from astrace.passes.open_blocks import substituted, used_by


def with_stores_gathered(part: Block) -> Block:
    """Return a program whose loops store to elements of arrays in place.

    Args:
        part: the whole program, or a part of it.
    """
    steps = [replace(step, regions=tuple(map(with_stores_gathered, step.regions))) for step in part.nodes]
    return replace(part, nodes=tuple(_improved(step) for step in steps))


def _improved(step: Node) -> Node:
    """Return a loop with a body that stores in place; any other step as it is."""
    if step.op not in ("for_loop", "while_loop"):
        return step
    *others, body = step.regions
    attempt = LoopBody(step, body, converts=False)
    improved = attempt.improved()
    if attempt.is_slow:
        attempt = LoopBody(step, body, converts=True)
        improved = attempt.improved()
    return replace(step, regions=(*others, improved)) if attempt.changed else step


@dataclass(frozen=True, slots=True)
class Store:
    """A store to one element.

    Args:
        key: the integers of the key.
        value: what is stored.
        location: the user's line.
    """

    key: tuple[Atom, ...]
    value: Atom
    location: Location | None

    def is_at(self, key: Sequence[Atom]) -> bool:
        """Return whether the store is certainly at a place."""
        return tuple(map(identity, self.key)) == tuple(map(identity, key))


@dataclass(frozen=True, slots=True)
class Version:
    """An array with stores to come.

    Args:
        base: the array before them.
        stores: in order.
    """

    base: Value
    stores: tuple[Store, ...] = ()

    def then(self, store: Store) -> Version:
        """Return the array with one more store, which hides an earlier one to the same place."""
        kept = tuple(one for one in self.stores if not one.is_at(store.key))
        return Version(self.base, (*kept, store))


class LoopBody:
    """The body of a loop on its way to one that stores in place.

    Args:
        loop: the loop.
        body: its body.
        converts: branches that store become choices of what is stored.
    """

    def __init__(self, loop: Node, body: Block, *, converts: bool) -> None:
        self._loop = loop
        self._body = body
        self._converts = converts
        self._steps: list[Node] = []
        self._known: dict[Value, Atom] = {}
        self._versions: dict[Value, Version] = {}
        self._reads: dict[Value, set[Value]] = {}
        self.is_slow = False
        self.changed = False

    def improved(self) -> Block:
        """Return the body with its stores gathered."""
        for index, step in enumerate(self._body.nodes):
            self._step(step, self._body.nodes[index + 1 :])
        self._flush(())
        outputs = tuple(map(self._atom, self._body.outputs))
        return Block(self._body.inputs, tuple(self._steps), outputs)

    def _atom(self, atom: Atom) -> Atom:
        while isinstance(atom, Value) and atom in self._known:
            atom = self._known[atom]
        return atom

    # -- steps -------------------------------------------------------------------------------------

    def _step(self, step: Node, rest: Sequence[Node]) -> None:
        step = substituted(step, self._atom)
        if step.op == "item" and step.inputs[0] in self._versions:
            self._item(step, rest)
        elif is_store(step):
            self._store(step)
        elif is_device_branch(step) and is_simple(step) and self._is_converted(step, rest):
            self._branch(step, rest)
        else:
            if any(one in self._versions for one in used_by(step)):
                self._flush(rest)
                step = substituted(step, self._atom)
            self._append(step)

    def _is_converted(self, step: Node, rest: Sequence[Node]) -> bool:
        """Return whether a branch becomes a choice: if XLA would copy what it stores to, and on demand.

        It does if both sides store, and if an item that was read from the array before is used behind.
        """
        if self._converts:
            return True
        bases: set[Value] = set()
        for index, out in enumerate(step.outputs):
            kept = [one for part in step.regions if (one := part.outputs[index]) in passed_on(part)]
            if atom_rank(out) and not kept:
                return True
            bases.update(one for one in kept if atom_rank(out) and isinstance(one, Value))
        return any(self._reads[var] & bases for var in self._needed_later(rest))

    def _append(self, step: Node) -> None:
        """Write a step; remember from which arrays it read."""
        self._steps.append(step)
        found: set[Value] = set()
        for one in used_by(step):
            found |= self._reads.get(one, set())
        if step.op == "item" and isinstance(step.inputs[0], Value):
            found.add(step.inputs[0])
        for out in step.outputs:
            self._reads[out] = found

    def _store(self, step: Node) -> None:
        base, value = step.inputs[:2]
        assert isinstance(base, Value)
        self.changed = True
        version = self._versions.get(base, Version(base))
        self._versions[step.outputs[0]] = version.then(Store(key_of(step), value, step.location))

    def _item(self, step: Node, rest: Sequence[Node]) -> None:
        """Answer a read behind stores."""
        version = self._versions[step.inputs[0]]  # type: ignore[index]
        key = key_of(step)
        comparable = atom_rank(step.outputs[0]) == 0 and is_integers(key)
        if not comparable or any(len(one.key) != len(key) for one in version.stores):
            self._flush(rest)
            self._append(substituted(step, self._atom))
            return
        self._known[step.outputs[0]] = self._read(version, key, step)

    def _read(self, version: Version, key: Sequence[Atom], like: Node) -> Atom:
        """Return the item of an array at a place after its stores."""
        dtype = atom_dtype(version.base)
        for position in range(len(version.stores) - 1, -1, -1):
            if version.stores[position].is_at(key):
                later = version.stores[position + 1 :]
                return self._answered(version.stores[position].value, later, key, like)
        out = variable(dtype, 0)
        self._append(node_of("item", (version.base, key), out, like.location))
        return self._answered(out, version.stores, key, like)

    def _answered(self, value: Atom, stores: Sequence[Store], key: Sequence[Atom], like: Node) -> Atom:
        """Return the item that is read, where stores may be at the same place."""
        for store in stores:
            base = like.inputs[0]
            dtype = atom_dtype(like.outputs[0]) if like.op == "item" else atom_dtype(base)  # type: ignore[union-attr]
            same = self._same_place(store, key, like)
            out = variable(dtype, 0)
            self._append(node_of("xp.where", (same, store.value, value), out, like.location))
            value = out
        return value

    def _same_place(self, store: Store, key: Sequence[Atom], like: Node) -> Value:
        """Write the condition that a store is at a place; both may count from the end."""
        array = like.inputs[0]
        base = self._versions[array].base if array in self._versions else array  # type: ignore[index]
        out = variable(BOOL, 0)
        self._append(node_of("same_place", (base, store.key, key), out, like.location))
        return out

    # -- branches ----------------------------------------------------------------------------------

    def _branch(self, step: Node, rest: Sequence[Node]) -> None:
        """Rewrite a branch that stores as a choice of what is stored."""
        test = step.inputs[0]
        sides: list[list[Atom]] = []
        outer, self._converts = self._converts, True  # what is inside becomes a choice, too
        for part in step.regions:
            for inner in part.nodes:
                self._step(inner, rest)
            sides.append([self._atom(one) for one in part.outputs])
        self._converts = outer
        for out, then, orelse in zip(step.outputs, *sides, strict=True):
            if atom_rank(out):
                self._versions[out] = self._merged(test, then, orelse, step)
            else:
                self._append(choice(step, out, then, orelse))
        self.changed = True

    def _merged(self, test: Atom, then: Atom, orelse: Atom, like: Node) -> Version:
        """Return an array that each of two branches has stored to."""
        left, right = (self._versions.get(one, Version(one)) for one in (then, orelse))  # type: ignore[arg-type]
        assert left.base is right.base
        common = [one for one in left.stores if any(one is other for other in right.stores)]
        version = Version(left.base, tuple(common))
        mine = [one for one in left.stores if not any(one is other for other in common)]
        others = [one for one in right.stores if not any(one is other for other in common)]
        if len(mine) == len(others) == 1 and mine[0].is_at(others[0].key):
            return version.then(self._either(test, mine[0], mine[0].value, others[0].value, version))
        for stores, swapped in ((mine, False), (others, True)):
            for store in stores:
                anchor = node_of(
                    "item", (version.base, store.key), variable(atom_dtype(version.base)), like.location
                )
                old = self._read(version, store.key, anchor)
                pair = (old, store.value) if swapped else (store.value, old)
                version = version.then(self._either(test, store, *pair, version))
        return version

    def _either(self, test: Atom, store: Store, then: Atom, orelse: Atom, version: Version) -> Store:
        out = variable(atom_dtype(version.base), 0)
        self._append(node_of("xp.where", (test, then, orelse), out, store.location))
        return replace(store, value=out)

    # -- stores ------------------------------------------------------------------------------------

    def _flush(self, rest: Sequence[Node]) -> None:
        """Write all pending stores."""
        latest: dict[Value, Value] = {}
        for var, version in self._versions.items():
            latest[version.base] = var
        if not latest:
            return
        later = self._needed_later(rest)
        stored = {base: self._versions[var] for base, var in latest.items()}
        carried = [var for var in later if self._reads.get(var, set()) & set(stored)]
        plain = not carried and all(self._is_in_place(base, stored) for base in stored)
        for base, var in latest.items():
            if plain:
                self._known[var] = self._written(base, stored[base].stores, self._steps)
        if not plain:
            self._gathered(latest, stored, carried)
        self._versions.clear()

    def _needed_later(self, rest: Sequence[Node]) -> list[Value]:
        """Return the numbers that later steps, or the body's outputs, use."""
        found: dict[Value, None] = {}
        outputs = [self._atom(one) for one in self._body.outputs]
        used = [self._atom(one) for step in rest for one in used_by(step)]
        for atom in (*used, *outputs):
            if isinstance(atom, Value) and atom in self._reads and atom not in self._versions:
                found[atom] = None
        return list(found)

    def _is_in_place(self, base: Value, stored: Mapping[Value, Version]) -> bool:
        """Return whether XLA needs no help: there is one store, and what is read from the array goes nowhere else."""
        if len(stored[base].stores) > 1:
            return False
        for other, version in stored.items():
            used = {
                one for store in version.stores for one in (store.value, *store.key) if isinstance(one, Value)
            }
            if other is not base and any(base in self._reads.get(one, set()) for one in used):
                return False
        return True

    def _written(self, base: Value, stores: Sequence[Store], steps: list[Node]) -> Value:
        current = base
        for store in stores:
            out = value_like(base)
            steps.append(node_of("update", (current, store.value, store.key), out, store.location))
            current = out
        return current

    def _gathered(
        self, latest: Mapping[Value, Value], stored: Mapping[Value, Version], carried: Sequence[Value]
    ) -> None:
        """Write all stores in a branch that is always taken, and pass what was read through it."""
        self.is_slow = not self._converts
        self.changed = True
        inside: list[Node] = []
        written = [self._written(base, stored[base].stores, inside) for base in latest]
        arrays = [value_like(base) for base in latest]
        passed = [value_like(var) for var in carried]
        taken = Block((), tuple(inside), (*written, *carried))
        others = [stand_in(self._body.inputs, var, self._steps) for var in carried]
        skipped = Block((), (), (*latest, *others))
        location = next((store.location for one in stored.values() for store in one.stores), None)
        test = self._always()
        self._append(Node("cond", (test,), (*arrays, *passed), regions=(taken, skipped), location=location))
        self._known.update(zip(latest.values(), arrays, strict=True))
        self._known.update(zip(carried, passed, strict=True))

    def _always(self) -> Value:
        """Write a test that holds in every iteration."""
        if self._loop.op == "for_loop":
            out = variable(BOOL, 0)
            args = (self._body.inputs[0], self._loop.inputs[0])
            self._append(Node("ge", args, (out,)))
            return out
        test = self._loop.regions[0]
        known: dict[Value, Atom] = dict(zip(test.inputs, self._body.inputs, strict=True))
        for step in test.nodes:
            fresh = tuple(value_like(one) for one in step.outputs)
            known.update(zip(step.outputs, fresh, strict=True))
            self._append(replace(substituted(step, lambda one: known.get(one, one)), outputs=fresh))  # type: ignore[arg-type]
        found = test.outputs[0]
        answer = known.get(found, found) if isinstance(found, Value) else found
        if isinstance(answer, Value):
            return answer
        out = variable(BOOL, 0)  # the loop has no iteration
        self._append(Node("xp.bool_", (answer,), (out,)))
        return out
