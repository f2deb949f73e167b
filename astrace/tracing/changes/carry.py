"""Loop-carried values and changes: their types and shapes from one iteration to the next.

Numbers and tracers are carried as values; constants that the body leaves alone stay constants; tuples and
objects made while tracing are carried by their parts.  A body is traced with placeholders for what is
carried; if it then turns out to change more, or to another type, the plan is widened and the body is traced
again, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.constants import KINDS_OF_NUMBERS, UNSET, is_static
from astrace.ir.specs import INT, AnySpec, Spec
from astrace.tracing.changes.aliases import may_run_users_code
from astrace.tracing.changes.carried_entries import Entry, Fixed, Leaf, Parts, is_unset, leaves_of
from astrace.tracing.changes.journal import (
    MISSING,
    UNKNOWN,
    WALKED,
    Changes,
    Site,
    content,
    is_tree,
    keys,
    restore,
)
from astrace.tracing.changes.merge import element_of_all, empty_like
from astrace.tracing.context import Trace
from astrace.tracing.external.value_identity import NEW, ChosenTuple, ValuePart
from astrace.tracing.restart import guess
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import (
    is_one,
    joined,
    keep_distinguishable,
    kept_operand,
    operand_spec,
    spec_at,
)
from astrace.util.trees import is_namedtuple, tuple_like


@dataclass(slots=True)
class Carry:
    """The carried values of one loop.

    Args:
        trace: the trace that is going on.
        names: what the loop's body calls them.
        entries: one for each carried name.
        objects: for parts of objects from before the loop that the body changes.
        slots: for places of outside state that the body changes.
    """

    trace: Trace
    names: tuple[str, ...]
    entries: list[Entry]
    objects: dict[tuple[int, Hashable], tuple[Any, Entry]] = field(
        default_factory=dict[tuple[int, Hashable], tuple[Any, Entry]]
    )
    slots: dict[Hashable, Entry] = field(default_factory=dict[Hashable, Entry])

    @staticmethod
    def of(trace: Trace, names: Sequence[str], given: Sequence[Any]) -> Carry:
        """Carry the given values: numbers as values from the start, the rest only once it changes."""
        return Carry(trace, tuple(names), [_first(trace, value) for value in given])

    def leaves(self) -> Iterator[Leaf]:
        """Yield all carried values, in the order of the node's inputs."""
        for entry in self._all():
            yield from leaves_of(entry)

    def _all(self) -> Iterator[Entry]:
        yield from self.entries
        yield from (entry for _, entry in self.objects.values())
        yield from self.slots.values()

    def initial(self) -> list[Operand]:
        """The values before the first iteration."""
        found = [kept_operand(self.trace, leaf.initial) for leaf in self.leaves()]
        for given, leaf in zip(found, self.leaves(), strict=True):
            keep_distinguishable(self.trace, given, leaf.spec)
        return found

    def enter(self, make: Callable[[Spec, str], Value]) -> tuple[Any, ...]:
        """Put values in place of the carried ones; return those of the carried names.

        Args:
            make: gives a value for a spec, with a name for reading.
        """

        def new(entry: Entry, name: str) -> Any:
            return self._rebuild(entry, lambda leaf: self._started(leaf, make(leaf.spec, name)))

        given = tuple(new(entry, name) for entry, name in zip(self.entries, self.names, strict=True))
        self._write(new)
        return given

    def _started(self, leaf: Leaf, value: Value) -> Tracer:
        """Return the tracer for a carried value, and remember what it may come from."""
        found = (leaf.initial,) if leaf.left is None else (leaf.initial, leaf.left)
        self.trace.starts[value] = tuple(
            one.value if isinstance(one, Tracer) else Constant(one) for one in found
        )
        return Tracer(self.trace, value)

    def _write(self, new: Callable[[Entry, str], Any]) -> None:
        """Put new values into changed objects and places of outside state."""
        for (_, key), (made, entry) in self.objects.items():
            held = content(made)
            held[key] = new(entry, key if isinstance(key, str) and key.isidentifier() else "")
            self.trace.journal.write(made, held)
        for slot, entry in self.slots.items():
            self.trace.journal.set_slot(slot, new(entry, ""))

    def _rebuild(self, entry: Entry, leaf: Callable[[Leaf], Any]) -> Any:
        """An object for an entry, with ``leaf`` giving its values."""
        match entry:
            case Fixed():
                return entry.value
            case Leaf():
                return leaf(entry)
            case Parts():
                parts = [self._rebuild(part, leaf) for part in entry.parts]
                made = self._assemble(entry, parts)
                if entry.whole is not None:
                    self._remember(made, entry.whole, leaf(entry.whole))
                return made

    def _remember(self, made: Any, whole: Leaf, held: Any) -> None:
        """Remember which tuple a rebuilt one stands for."""
        if whole.spec == INT:
            self.trace.state.wholes.remember(made, ChosenTuple(held))
        elif isinstance(held, Tracer):
            self.trace.state.wholes.remember(made, ValuePart(held))

    def _assemble(self, entry: Parts, parts: list[Any]) -> Any:
        if not entry.sites:
            return self._tuple(entry, parts)
        made = empty_like(entry.like)
        restore(made, parts if isinstance(made, list) else dict(zip(entry.names, parts, strict=True)))
        return self.trace.journal.born(made, ("carried", *entry.sites), entry.sites)

    def _tuple(self, entry: Parts, parts: list[Any]) -> Any:
        """Rebuild a carried tuple: at the first iteration it is the one from before the loop."""
        made, wholes = tuple_like(entry.like, parts), self.trace.state.wholes
        if made and wholes.is_born(entry.like):
            wholes.born(made, self.trace.recorder)
            if entry.whole is None:
                wholes.mix(made)
        return made

    # -- after the body was traced -----------------------------------------------------------------------

    def widen(self, results: Sequence[Any], changes: Changes) -> bool:
        """Widen the entries by the results of the body; return whether it has to be traced again."""
        before = [*self._all()]
        pairs = zip(self.entries, results, strict=True)
        self.entries = [self._after(entry, result) for entry, result in pairs]
        self._widen_objects(changes)
        self._widen_slots(changes)
        after = [*self._all()]
        return len(before) != len(after) or any(a is not b for a, b in zip(before, after, strict=True))

    def _after(self, entry: Entry, result: Any) -> Entry:
        """An entry that covers one more result; the same object where it did already."""
        match entry:
            case Fixed():
                stays = is_one(self.trace, entry.value, result)
                return entry if stays else self._promote(entry.value, result)
            case Leaf():
                spec = joined(self.trace, entry.spec, operand_spec(self.trace, result))
                left = entry.left if entry.left is not None else self._left(result)
                alike = spec == entry.spec and left is entry.left
                return entry if alike else replace(entry, spec=spec, left=left)
            case Parts():
                return self._parts_after(entry, result)

    def _left(self, result: Any) -> Any:
        """Return what an iteration leaves if that may run the user's code; else ``None``."""
        if isinstance(result, Tracer):
            return result if may_run_users_code(self.trace, result, called=False) else None
        return None if is_static(result) else result

    def _parts_after(self, entry: Parts, result: Any) -> Entry:
        held = _held(self.trace, result)
        if type(result) is not type(entry.like) or held is None or not self._agree(result, held, entry.names):
            return self._whole(entry)
        items = [held[name] for name in entry.names]
        parts = tuple(self._after(part, item) for part, item in zip(entry.parts, items, strict=True))
        sites = self._sites(entry.sites, result)
        whole = self._whole_after(entry, result)
        alike = all(a is b for a, b in zip(parts, entry.parts, strict=True))
        if sites == entry.sites and whole is entry.whole and alike:
            return entry
        return replace(entry, parts=parts, sites=sites, whole=whole)

    def _whole_after(self, entry: Parts, result: Any) -> Leaf | None:
        """Return how a tuple is carried as a whole, beside its items, if it may be one from outside."""
        whole, wholes = entry.whole, self.trace.state.wholes
        tracked = self.trace.plan.tuples and wholes.is_born(result)
        if whole is None and wholes.source(result) is None and not tracked:
            return None
        if (tracked or wholes.which(result) is None) and (whole is None or whole.spec == INT):
            return Leaf(AnySpec(type(entry.like)), self._before(entry))
        return whole or Leaf(INT, NEW)

    def _before(self, entry: Parts) -> Any:
        """Return the tuple from before the loop, if there is one."""
        return UNSET if is_unset(entry) else self._rebuild(entry, lambda leaf: leaf.initial)

    def _promote(self, value: Any, result: Any) -> Entry:
        """Carry a constant that the body replaces: by parts where both are alike, else as one value."""
        ours, theirs = _held(self.trace, value), _held(self.trace, result)
        if value is UNSET and type(result) is tuple:
            parts = tuple(self._promote(UNSET, item) for item in result)  # type: ignore[reportUnknownVariableType]
            found = Parts(result, tuple(range(len(result))), parts)  # type: ignore[reportUnknownArgumentType]
            return replace(found, whole=self._whole_after(found, result))
        alike = type(value) is type(result) and not isinstance(value, set)
        if alike and ours is not None and theirs is not None and self._agree(result, theirs, keys(ours)):
            names = tuple(keys(theirs))
            parts = tuple(self._after(_first(self.trace, ours[name]), theirs[name]) for name in names)
            found = Parts(value, names, parts, self._sites(self._sites((), value), result))
            found = replace(found, whole=_whole(self.trace, value))
            return replace(found, whole=self._whole_after(found, result))
        specs = (operand_spec(self.trace, one) for one in (value, result))
        return Leaf(joined(self.trace, *specs), value, self._left(result))

    def _agree(self, result: Any, held: Any, names: Sequence[Any]) -> bool:
        """Return whether an iteration's result has the carried parts; JAX sorts the keys of dicts that it makes."""
        found = keys(held)
        return found == list(names) or (
            is_tree(self.trace.journal.birth(result))
            and set(found) == set(names)
            and len(found) == len(names)
        )

    def _whole(self, entry: Parts) -> Entry:
        """Give up carrying by parts: the objects must exist when the program runs."""
        if entry.sites:
            self.trace.need_sites(entry.sites)
        initial = self._rebuild(entry, lambda leaf: leaf.initial)
        return Leaf(operand_spec(self.trace, initial), initial)

    def _sites(self, sites: tuple[Site, ...], value: Any) -> tuple[Site, ...]:
        """Remember where an object was made; from now on it may be one of several, so it must not change."""
        birth = self.trace.journal.birth(value)
        if birth is None:
            return sites
        found = tuple(dict.fromkeys((*sites, *birth.origins)))
        birth.sources = found
        return found

    def _widen_objects(self, changes: Changes) -> None:
        for key, change in changes.objects.items():
            birth = self.trace.journal.births[key]
            if isinstance(change.before, set) or keys(change.before) != keys(change.after):
                if change.before != change.after:
                    guess(
                        self.trace, birth.origins, element_of_all(self.trace, [change.before, change.after])
                    )
                continue
            for name in keys(change.before):
                self._widen_part(change.made, name, content(change.made)[name], change.after[name])

    def _widen_part(self, made: Any, name: Hashable, before: Any, after: Any) -> None:
        known = self.objects.get((id(made), name))
        if known is None and is_one(self.trace, before, after):
            return
        start = _first(self.trace, before) if known is None else known[1]
        self.objects[id(made), name] = (made, self._after(start, after))

    def _widen_slots(self, changes: Changes) -> None:
        for slot, (before, after) in changes.slots.items():
            if slot[1] == "dirty":  # type: ignore[index]
                self._dirty(slot)
            elif slot[1] == WALKED or any(value is MISSING or value is UNKNOWN for value in (before, after)):  # type: ignore[index]
                known = self.slots.get(slot)
                if not isinstance(known, Fixed) or known.value is not UNKNOWN:
                    self.slots[slot] = Fixed(UNKNOWN)  # it may have been carried as a value before
            else:
                start = self.slots.get(slot) or _first(self.trace, before)
                self.slots[slot] = self._after(start, after)

    def _dirty(self, slot: Hashable) -> None:
        """Read the places of an object when the program runs, since opaque code in the body may change it."""
        if slot in self.slots:
            return
        owner = slot[0]  # type: ignore[index]
        journal = self.trace.journal
        for other in [other for other in journal.slots if other[0] == owner]:  # type: ignore[index]
            self.slots.pop(other, None)
            journal.set_slot(other, MISSING)
        journal.set_slot(slot, True)
        self.slots[slot] = Fixed(True)

    def outputs(self, results: Sequence[Any], changes: Changes) -> list[Operand]:
        """The values after one iteration, as operands of the body; to be called while writing into it."""
        found: list[Operand] = []
        for entry, result in zip(self.entries, results, strict=True):
            self._flatten(entry, result, found)
        for (key, name), (_, entry) in self.objects.items():
            self._flatten(entry, changes.objects[key].after[name], found)
        for slot, entry in self.slots.items():
            if not isinstance(entry, Fixed):
                self._flatten(entry, changes.slots[slot][1], found)
        return found

    def _flatten(self, entry: Entry, result: Any, found: list[Operand]) -> None:
        match entry:
            case Fixed():
                return
            case Leaf():
                found.append(kept_operand(self.trace, result))
                keep_distinguishable(self.trace, found[-1], entry.spec)
            case Parts():
                held = _held(self.trace, result)
                assert held is not None
                for name, part in zip(entry.names, entry.parts, strict=True):
                    self._flatten(part, held[name], found)
                if entry.whole is not None:
                    which = self.trace.state.wholes.which(result)
                    found.append(kept_operand(self.trace, which if entry.whole.spec == INT else result))


def _first(trace: Trace, value: Any) -> Entry:
    """Return the entry for a value before the body is known."""
    if isinstance(value, Tracer):
        return Leaf(value.value.spec, value)
    if type(value) in KINDS_OF_NUMBERS:
        return Leaf(spec_at(trace, value), value)
    if type(value) is tuple or is_namedtuple(value):
        parts = tuple(_first(trace, item) for item in value)
        return Parts(value, tuple(range(len(value))), parts, whole=_whole(trace, value))
    return Fixed(value)


def _whole(trace: Trace, value: Any) -> Leaf | None:
    """Return the leaf that carries which object a tuple from outside is, if that is to be carried."""
    wholes = trace.state.wholes
    if wholes.source(value) is None:
        return Leaf(AnySpec(type(value)), value) if trace.plan.tuples and wholes.is_born(value) else None
    which = wholes.which(value)
    return Leaf(AnySpec(type(value)), value) if which is None else Leaf(INT, which)


def _held(trace: Trace, value: Any) -> list[Any] | dict[Any, Any] | None:
    """The parts of a tuple, or of an object made while tracing."""
    if type(value) is tuple or is_namedtuple(value):
        return list(value)
    return content(value) if _is_made(trace, value) else None


def _is_made(trace: Trace, value: Any) -> bool:
    return trace.journal.birth(value) is not None
