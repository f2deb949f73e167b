"""Guards on lookups that are used again after opaque code ran, which may have changed what is found there.

A method, a class, a function's code, a builtin or an attribute of a module decides how the trace goes on.  A guard
checks it before the program runs.  Opaque code that runs in the middle may put another one in its place, and so
may the program itself.  Every guard that is asked for after such a call comes through here:

* what is known to be stored (`astrace.tracing.external.opaque_stores`) is not what was looked up: the capture ends, with a reason;
* anything else is checked once more, at that place of the program, which costs a comparison (``check_still``).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn

from astrace.guards.access_paths import Argument, Attribute, Path, Root, steps
from astrace.guards.kinds import Guard, HasType, IsBuiltin, LacksAttribute
from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import class_of
from astrace.tracing.external.opaque_stores import FILLING, global_now, last_name, special_methods, stored_by
from astrace.tracing.external.rechecks import CHECKED, Check, Checked, Place, RuntimeObject, not_yet, place_of
from astrace.tracing.external.slots import namespace_of, slot_of
from astrace.tracing.plan import Doubts
from astrace.tracing.record import record
from astrace.tracing.recorder import Recorder
from astrace.tracing.restart import begin_again
from astrace.tracing.scopes import scope_in
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_user_class, looks_up_plainly
from astrace.tracing.values.special_methods import class_attribute
from astrace.util.trees import resolution_order

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

CODE: Final = "AT213"


class StaleLookups:
    """The lookups of one trace that opaque code may have made stale, and their rechecks.

    Args:
        trace: the trace that is going on.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._doubts = Doubts()
        self._calls = 0
        self._epoch = 0
        self._given: dict[int, Any] = {}
        self._assumed: set[Any] = set()
        self._asked: dict[int, Doubts] = {}
        self._checks: dict[Guard, Check] = {}
        self._last: dict[tuple[Recorder, Path | None], Check] = {}
        self._made: list[Check] = []
        self._added: list[tuple[Check, Checked]] = []
        self._operands: dict[Path, Any] = {}
        self._values: dict[Value, RuntimeObject] = {}

    # -- what may have been replaced --------------------------------------------------------------------

    def barrier(self) -> None:
        """Take note that opaque code runs here; in a loop it may come before the lookups of an earlier iteration."""
        self._calls += 1
        self._epoch += 1
        sites = {loop.site for loop in self._trace.loops}
        self._trace.plan.calling |= sites
        if not sites.isdisjoint(self._assumed):
            begin_again(self._trace)

    def unseen(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take note of an opaque call: what it stores of what it is given, or of anything else."""
        bound = [function.__self__] if isinstance(function, types.MethodType) else []
        given = [*args, *kwargs.values(), *bound]
        called = global_now(self._trace, self._maker(function)) or function
        stores = stored_by(*(one for one in (called, *given) if isinstance(one, CALLED)))
        holders = [value for value in given if self._is_holder(value)]
        texts = (
            {last_name(value) for value in given if isinstance(value, str)} - {""} if holders else set[str]()
        )
        found = Doubts(set(stores.attributes | texts), set(stores.variables | texts))
        if stores.computed:
            holders += filter(self._is_holder, stores.named)
            found.holders = {id(value): value for value in holders}
            found.holders |= {id(space): space for space in map(namespace_of, holders)}
            kinds = [class_of(value.value.spec) for value in holders if isinstance(value, Tracer)]
            found.classes = {id(kind): kind for kind in kinds if kind is not None}
        self._doubt(found)

    def set_by_any_name(self, owner: Any) -> None:
        """Take note that an attribute of unknown name is set on an instance of a known class."""
        kind = class_of(owner.value.spec) if isinstance(owner, Tracer) else None
        itself = () if isinstance(owner, Tracer) else (owner, namespace_of(owner))
        classes = {} if kind is None else {id(kind): kind}
        self._doubt(Doubts(holders={id(one): one for one in itself}, classes=classes))

    def asked(self, classes: Iterable[type]) -> None:
        """Take note that opaque code calls special methods of some classes."""
        for cls in classes:
            if id(cls) not in self._asked:
                stores = stored_by(*special_methods(cls))
                self._asked[id(cls)] = Doubts(set(stores.attributes), set(stores.variables))
            self._doubt(self._asked[id(cls)])

    def replaced(self, message: str) -> NoReturn:
        """End the capture, since a decision of the trace depends on an object that has been replaced."""
        self._trace.stop(CODE, message, "replace it before the function is called")

    def set_on(self, cls: type | None, name: str) -> None:
        """Take note that an attribute, no field, is set on an object that only the running program knows."""
        if cls is None or name == "__class__" or class_attribute(cls, name) is not None:
            self._doubt(Doubts(members={(0 if cls is None else id(cls), name)}))

    def recorded(self, op: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take note of an op; one that fills the ``__dict__`` of an object sets attributes of it."""
        if op not in ARGUMENTS or (op == "call_method" and args[1] not in FILLING):
            return
        node = self._maker(args[0])
        if op == "call" and node is not None and _reads(node, FILLING):
            node = self._maker(node.inputs[0])
        elif op == "call":
            return
        if node is None or not (_reads(node, ("__dict__",)) or _is_vars(node)):
            return
        kind = class_of(node.inputs[node.op == "call"].spec)
        names = [*kwargs] if op.startswith("call") else [args[1]]
        if all(isinstance(name, str) for name in names) and len(args) <= ARGUMENTS[op]:
            for name in names:
                self.set_on(kind, name)
        elif kind is not None:
            self.changed(kind)

    def _maker(self, value: Any) -> Node | None:
        """The node that a value comes from."""
        value = value.value if isinstance(value, Tracer) else value
        known = isinstance(value, Value)
        return self._trace.producers.get(self._trace.recorder.origin(value)) if known else None

    def changed(self, owner: Any) -> None:
        """Take note that opaque code was given an object, and may have changed its attributes."""
        space = namespace_of(owner)
        if not self._has_lookups(owner, space):
            return
        self._epoch += 1
        self._given[id(owner)] = self._given[id(space)] = owner
        calling, sites = self._trace.plan.calling, {loop.site for loop in self._trace.loops}
        if not sites <= calling:  # in these loops everything is looked up again, whoever is given away
            calling |= sites
            begin_again(self._trace)

    def _has_lookups(self, owner: Any, space: Any) -> bool:
        """Return whether an object has methods, functions or classes, or is the namespace of one that was met."""
        if isinstance(owner, types.FunctionType):
            return scope_in(owner.__globals__) is None
        if type(owner) is not dict:
            return isinstance(owner, HOLDERS) or looks_up_plainly(type(owner))
        state = self._trace.state
        return any(namespace_of(one) is space for one in (*state.outsiders(), *state.constants()))

    def _doubt(self, found: Doubts) -> None:
        self._doubts.include(found)
        if self._trace.loops and self._trace.plan.doubts.include(found):
            self._trace.plan.calling |= {loop.site for loop in self._trace.loops}
            begin_again(self._trace)

    def _is_holder(self, value: Any) -> bool:
        """Return whether an argument has methods, functions or classes that may be replaced."""
        if isinstance(value, Tracer):
            return class_of(value.value.spec) not in DATA
        return isinstance(value, HOLDERS) or (self._trace.state.is_outside(value) and type(value) not in DATA)

    # -- what is looked up again ------------------------------------------------------------------------

    def again(self, guard: Guard) -> None:
        """Check a guard that was asked for at this place of the program.

        Raises:
            Uncapturable: what it looks at may have been replaced.
        """
        place = self.refuse(guard)
        if place is not None and self._may_differ(self._object(place[0])):
            self._check(guard)  # type: ignore[arg-type]

    def refuse(self, guard: Guard) -> Place | None:
        """Stop where the object of a guard may have been replaced; return the object, if it is known."""
        place = place_of(guard) if self.is_busy() and isinstance(guard, CHECKED) else None
        if place is not None:
            owner = self._object(place[0])
            inherits = isinstance(owner, type) and isinstance(guard.path, Attribute)  # type: ignore[union-attr]
            self._refuse(owner, None if isinstance(owner, HOLDERS) else type(owner), place[1], inherits)
        return place

    def instance(self, value: Any, name: str = "") -> None:
        """Guard the class of an object that decides here; with a name, also that the object itself lacks the attribute."""
        if not self.is_busy():
            return
        if isinstance(value, Tracer):
            origin = self._trace.recorder.origin(value.value)
            owner, cls = None, class_of(value.value.spec)
            path: Path = self._values.setdefault(origin, RuntimeObject(f"object {len(self._values)}"))
            self._operands[path] = value
        elif self._trace.state.is_outside(value):
            owner, cls, path = value, type(value), self._trace.state.path(value)
        else:
            return
        if cls is None or not is_user_class(cls):
            return
        for asked in filter(None, ("__class__", name)):
            self._refuse(owner, cls, asked)
        if self._may_differ(owner if owner is not None else cls):
            self._check(HasType(path, cls))
            if name:
                self._check(LacksAttribute(path, name))

    def is_busy(self) -> bool:
        """Return whether anything may be stale at all: most programs have no opaque calls."""
        ran = self._calls or self._given or self._doubts.size() or self._trace.plan.calling
        return bool(ran or self._trace.state.stored())

    def _doubtful(self) -> Iterator[Doubts]:
        yield self._doubts
        if any(loop.site in self._trace.plan.calling for loop in self._trace.loops):
            yield self._trace.plan.doubts

    def is_doubtful(self, owner: Any, name: Any) -> bool:
        """Return whether an attribute, or a global, may differ from the one that was found before the call."""
        cls = None if isinstance(owner, HOLDERS) else type(owner)
        return self.is_busy() and any(covers(doubts, owner, cls, name) for doubts in self._doubtful())

    def may_be_patched(self, module: types.ModuleType, name: str) -> bool:
        """Return whether opaque code may have replaced an attribute of a module that it names or is given."""
        if not self.is_busy():
            return False
        given = {id(module), id(namespace_of(module))}
        return any(name in one.variables or given & one.holders.keys() for one in self._doubtful())

    def _refuse(self, owner: Any, cls: type | None, name: str, inherits: bool = False) -> None:
        written = owner is not None and self._is_written(owner, name, inherits)
        if written or any(covers(doubts, owner, cls, name) for doubts in self._doubtful()):
            what = "is replaced" if written else "may be replaced"
            self.replaced(f"`{name}` {what} in the middle of the call, and looked up again here")

    def _is_written(self, owner: Any, name: str, inherits: bool) -> bool:
        """Return whether this trace has set an attribute that guards of it do not take into account."""
        state = self._trace.state
        places = resolution_order(owner) if inherits else (owner,)
        return state.stores(name) and any(slot_of(one, ("attr", name)) in state.stored() for one in places)

    def _may_differ(self, owner: Any) -> bool:
        """Return whether opaque code that may have changed an object ran here or in an earlier iteration."""
        loops = [loop.site for loop in self._trace.loops]
        if self._calls or any(site in self._trace.plan.calling for site in loops):
            return True
        self._assumed.update(loops)
        if not self._given:
            return False
        order = resolution_order(owner) if isinstance(owner, type) else (owner, type(owner))
        return any(id(one) in self._given or id(namespace_of(one)) in self._given for one in order)

    def _object(self, path: Path) -> Any:
        """Return the object that is known to be at a path."""
        return path.pinned if isinstance(path, Root) else self._trace.state.met.get(path)

    # -- checks -----------------------------------------------------------------------------------------

    def _check(self, guard: Checked) -> None:
        """Check a guard before this place, unless that is done since the last opaque call."""
        reached = self._reached()
        known = self._checks.get(guard)
        if known is not None and known.epoch == self._epoch and known.stands() and known.recorder in reached:
            return
        made = next((step for step in steps(guard.path) if isinstance(step, RuntimeObject)), None)
        recorder = reached[-1] if made is None else self._trace.recorder
        last = self._last.get((recorder, made))
        if last is None or last.epoch != self._epoch or not last.stands():
            last = self._last[recorder, made] = Check(recorder, self._epoch, not_yet())
            self._made.append(last)
        self._checks[guard] = last
        last.guards.append(guard)
        self._added.append((last, guard))
        self._write(last, guard)

    def _write(self, check: Check, guard: Checked) -> None:
        """Write a check at the end of its block, or in its place, unless an object that it needs is missing."""
        met = self._trace.state.met
        known = [
            step
            for step in steps(guard.path)
            if self._holds(check.recorder, step) or step in met or isinstance(step, Argument)
        ]
        new = [step for step in known[:1] if step not in check.names]
        if check.node is not None and not new:
            return
        check.names |= {step: f"a{len(check.names)}" for step in new}
        trace, recorder = self._trace, check.recorder
        inner, tries = trace.recorder, trace.tries
        trace.recorder = recorder
        trace.tries = tries if recorder is inner else []  # nodes written around a `try` are outside its body
        try:
            record(trace, "check_still", (check.still, *map(self._operand, check.names)))
        finally:
            trace.recorder, trace.tries = inner, tries
        if check.node is not None:
            recorder.nodes[check.place] = recorder.nodes.pop()
        else:
            check.place = len(recorder.nodes) - 1
        check.node = recorder.nodes[check.place]

    @property
    def added(self) -> int:
        """Return the number of guards that are checked once more so far."""
        return len(self._added)

    def take_back(self, first: int) -> None:
        """Drop the guards to check again since there were ``first``: what asked for them was undone."""
        for check, guard in reversed(self._added[first:]):
            check.guards.remove(guard)
            self._checks.pop(guard, None)
        del self._added[first:]

    def looks_at_builtins(self, node: Node) -> bool:
        """Return whether a node only checks that builtins are what they were."""
        guards = [guard for check in self._made if check.node is node for guard in check.guards]
        return bool(guards) and all(isinstance(guard, IsBuiltin) for guard in guards)

    def finish(self) -> None:
        """Settle all checks at the end of the trace."""
        for check in self._made:
            check.settle()

    def _reached(self) -> list[Recorder]:
        """Return the blocks around this place that start anew whenever opaque code may have run.

        The last of them is the one for checks: that of a loop without opaque calls is around it.
        """
        loops = {loop.recorder: loop.site for loop in self._trace.loops}
        found: list[Recorder] = [self._trace.recorder]
        target = found[0]
        while found[-1].parent is not None and loops.get(found[-1]) not in self._trace.plan.calling:
            around = found[-1].parent
            if found[-1] in loops or found[-1].computes:
                self._assumed.add(loops.get(found[-1]))
                target = around
            found.append(around)
        return [*(one for one in found if one is not target), target]

    def _holds(self, recorder: Recorder, path: Path) -> bool:
        """Return whether the object at a path was kept and is there for a block: another branch's is not."""
        kept = self._operands.get(path)
        return kept is not None and (not isinstance(kept, Tracer) or recorder.reachable(kept.value))

    def _operand(self, path: Path) -> Any:
        """Return the object that was found at a path, even if the path may lead to another one by now."""
        if self._holds(self._trace.recorder, path):
            return self._operands[path]
        met = self._trace.state.met.get(path)
        if met is None:
            return self._trace.state.read_now(path)
        return Tracer(self._trace, self._trace.state.reference(met))


def covers(doubts: Doubts, owner: Any, cls: type | None, name: str) -> bool:
    """Return whether an attribute is in doubt of an object, or (``cls`` is ``None``) of a class, a module, a function."""
    named = name in (doubts.variables if type(owner) is dict else doubts.attributes)
    named = named or (isinstance(owner, types.ModuleType) and name in doubts.variables)
    if named or not (doubts.holders or doubts.classes or doubts.members):
        return named
    if id(owner) in doubts.holders or id(namespace_of(owner)) in doubts.holders:
        return True
    asked = owner if cls is None else cls
    order = resolution_order(asked) if isinstance(asked, type) else ()
    if any(id(base) in doubts.holders for base in order):
        return True
    if cls is None:
        return False
    own = any(id(base) in doubts.classes or (id(base), name) in doubts.members for base in order)
    return own or (0, name) in doubts.members


def _reads(node: Node, names: Collection[str]) -> bool:
    """Return whether a node reads an attribute of one of some names."""
    key = node.inputs[1] if node.op == "get_attr" else None
    return isinstance(key, Constant) and key.value in names


def _is_vars(node: Node) -> bool:
    """Return whether a node calls `vars` with an object."""
    function = node.inputs[0] if node.op == "call" and len(node.inputs) > 1 else None
    return isinstance(function, Constant) and function.value is vars


ARGUMENTS: Final = {"set_item": 3, "delete_item": 2, "call_method": 2, "call": 1}
"""Ops that may fill a dict, with how many arguments they have where only keywords or a key tell the names."""
HOLDERS: Final = (type, types.ModuleType, types.FunctionType)
CALLED: Final = (type, types.FunctionType, types.MethodType, functools.partial)
DATA: Final = (None, int, float, complex, bool, str, bytes, list, tuple, set, frozenset)
