"""Changes of the world that break what a graph takes for granted: one for each guard that a change can break.

`perturb` changes the places that the code of a function names.  Here the graph says what it looked at: keys that
were missing, attributes that were not there, objects that were chosen.  `BREAKS` has a row for every kind of guard.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.check.compare.observe import Call
from astrace.check.diagnose.frozen_assumptions import Given, can_be_broken, decision, found_at
from astrace.check.inputs.code_constants import Mined
from astrace.check.inputs.numeric import NumberSource
from astrace.check.mutate.alternatives import alternatives
from astrace.check.mutate.data_files import changes_of
from astrace.check.mutate.immutable_places import can_hold_another
from astrace.check.mutate.perturb import EACH, Shift, content_places, contents, put, said, shift_of, shifts
from astrace.check.report.findings import Suspect
from astrace.check.sandbox.reachable import Place
from astrace.check.sandbox.savers import names_of
from astrace.check.sandbox.world import World
from astrace.check.subject import Subject
from astrace.guards.access_paths import Attribute, Cell, Item, Path
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAmong,
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
)

DEFAULTS: Final = ("__defaults__", "__kwdefaults__")
SOME: Final = (2.5, True)
"""Values to put in an empty place of which nothing is known."""


def changes(
    subject: Subject, call: Call, world: World, mined: Mined, source: NumberSource, read: Iterable[str]
) -> Iterator[Shift]:
    """Yield changes for a function: of what its graph takes for granted, of files that it reads, of names in its code.

    Args:
        subject: the function.
        call: an example of a call.
        world: what the function can reach.
        mined: the constants of its code.
        source: of other values.
        read: the files that runs of it have opened.
    """
    graph, given = subject.graph_of(call.copy()), subject.bound_arguments
    guards = () if graph is None else graph.guards
    outside = (one for one in guards if not subject.is_on_arguments(one))
    granted = [one for one in outside if can_be_broken(one, given)]
    yield from breaks(granted, given, mined, source)
    yield from changes_of(read)
    places = [*content_places(world.places), *world.places]
    yield from shifts(places, mined, sorted(world.names), source)
    yield from contents(world.owners)


def breaks(guards: Sequence[Guard], given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    """Changes of the world that guards are broken by, a few for each.

    Args:
        guards: guards on what lies outside the arguments.
        given: the arguments that belong to the function.
        mined: constants of its code.
        source: where noise comes from.
    """
    seen: set[tuple[int, str]] = set()
    for guard in guards:
        for shift in BREAKS[type(guard)](guard, given, mined, source):
            key = (id(shift.owner), str(shift.suspect))
            if key not in seen:
                seen.add(key)
                yield shift


def _nothing(guard: Any, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    """Yield nothing: the guard pins the program, or how objects lie together."""
    yield from ()


def _replaced(guard: Any, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    """Yield changes that put something else at the end of the path."""
    yield from _put(guard, alternatives(found_at(guard.path, given), mined, source)[:EACH], given)


def _retyped(guard: Fits, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    """Yield changes to another number or other items, another type, another length."""
    value = found_at(guard.path, given)
    retyped: list[Any] = []
    match value:
        case bool():
            retyped = [int(value)]
        case int():
            retyped = [value + 0.5]
        case float():
            retyped = [3]
        case np.ndarray() if value.dtype.kind in "biufc":
            longer = np.concatenate([value, value[:1]]) if value.ndim else value[None]
            retyped = [longer, value.astype("f4" if value.dtype != np.dtype("f4") else "f8")]
        case _:
            pass
    yield from _put(guard, [*alternatives(value, mined, source)[:1], *retyped], given)


def _put(guard: Any, others: Sequence[Any], given: Given) -> Iterator[Shift]:
    for other in others:
        found = _placed(guard.path, other, given)
        if found is not None and can_hold_another(found[0].owner, found[0].key):
            yield shift_of(*found)


def _placed(path: Path, other: Any, given: Given) -> tuple[Place, Any] | None:
    """Return the place for another value, and the value: for an item of a tuple another tuple where that lies."""
    place = place_of(path, given)
    if place is not None:
        return place, other
    whole = found_at(path.owner, given) if isinstance(path, Item) else None
    if not isinstance(path, Item) or type(whole) is not tuple:
        return None
    items = list(whole)
    items[path.key] = other
    return _placed(path.owner, tuple(items), given)


def place_of(path: Path, given: Given) -> Place | None:
    """The place at the end of a path; nothing for what can't be set, or belongs to the program.

    Args:
        path: a path that leads to something.
        given: the arguments that belong to the function.
    """
    if not isinstance(path, Attribute | Item) or isinstance(path, Cell):
        return None
    owner, value = found_at(path.owner, given), found_at(path, given)
    match owner:
        case types.ModuleType() if isinstance(path, Attribute):
            return Place(str(path), vars(owner), path.name, value)
        case types.CellType():
            return Place(str(path), owner, None, value)
        case dict() | list() if isinstance(path, Item):
            return Place(str(path), owner, path.key, value)
        case _ if isinstance(path, Attribute) and (path.name in DEFAULTS or not path.name.startswith("__")):
            holder = _holder(owner, path.name)
            return None if holder is None else Place(str(path), holder, path.name, value)
        case _:
            return None


def _holder(owner: Any, name: str) -> Any:
    """Return the object or the class that has an attribute; nothing for a computed one."""
    if name in names_of(owner):
        return owner
    classes = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    cls = next((cls for cls in classes if name in vars(cls)), None)
    return None if cls is None or hasattr(type(vars(cls)[name]), "__get__") else cls


# -- what is there, and what is not ------------------------------------------------------------------------


def _added_key(guard: Lacks, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    owner, key = found_at(guard.path, given), guard.expected
    if isinstance(owner, dict) and "__build_class__" not in owner:  # the builtins
        held = next(reversed(owner.values()), None)
        for item in [*alternatives(held, mined, source)[: EACH - 1], *SOME][:EACH]:
            yield _change(guard, owner, functools.partial(dict.__setitem__, owner, key, item), item)


def _removed_key(guard: Contains, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    owner = found_at(guard.path, given)
    if isinstance(owner, dict):
        yield _change(guard, owner, functools.partial(dict.__delitem__, owner, guard.expected))


def _added_attribute(
    guard: LacksAttribute, given: Given, mined: Mined, source: NumberSource
) -> Iterator[Shift]:
    owner, name = found_at(guard.path, given), guard.expected
    if name.startswith("__") or isinstance(owner, type) or _holder(owner, name) is not None:
        return
    holder = vars(owner) if isinstance(owner, types.ModuleType) else owner
    for item in SOME:
        yield _change(guard, owner, functools.partial(put, Place("", holder, name, None), item), item)


def _other_members(guard: HasMembers, given: Given, mined: Mined, source: NumberSource) -> Iterator[Shift]:
    """Members that the code asks for, one member less."""
    owner = found_at(guard.path, given)
    if not isinstance(owner, set):
        yield from _replaced(guard, given, mined, source)
        return
    for other in alternatives(owner, mined, source)[: EACH + 1]:
        apart = owner ^ other
        change = functools.partial(owner.symmetric_difference_update, apart)
        yield Shift(Suspect(str(guard.path), "state", said(owner), said(other)), change, owner=owner)


def _change(guard: Guard, owner: Any, make: Callable[[], object], item: Any = None) -> Shift:
    """The change that gives or takes something."""
    suspect = decision(guard, "")
    now = said(item) if suspect.then == "missing" else "missing"
    return Shift(Suspect(suspect.what, "state", suspect.then, now), make, owner=owner)


BREAKS: Final[Mapping[type, Callable[[Any, Given, Mined, NumberSource], Iterator[Shift]]]] = {
    Is: _replaced,
    IsAmong: _nothing,
    IsBuiltin: _nothing,
    Equals: _replaced,
    HasLength: _replaced,
    HasKeys: _replaced,
    HasMembers: _other_members,
    Contains: _removed_key,
    Lacks: _added_key,
    LacksAttribute: _added_attribute,
    IsAt: _nothing,
    AreApart: _nothing,
    HasType: _nothing,
    Fits: _retyped,
}
"""For each kind of guard the changes that break one."""
