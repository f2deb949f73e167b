"""Reads of outside state: live reads, guards, and the objects they were reached through.

A number or an array that a path leads to becomes an input of the graph, read afresh at each call.
Everything else that a path leads to decides how the trace goes on, so it is guarded: its identity, its
type, its value.  Mutable objects from outside (instances, lists, dicts) are handed to the traced function
as they are, with their path remembered; the operators never change them and read them only through here.
"""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import (
    Argument,
    Attribute,
    Cell,
    Item,
    Path,
    Root,
    derived_keys,
    derived_length,
    derived_mapping,
    is_assigned,
    is_bound,
    steps,
    viewed_dict,
)
from astrace.guards.kinds import Equals, HasMembers, HasType, Is, IsAt, unedited
from astrace.ir.constants import SUBSCRIPTED_TYPES, is_bound_anew, is_function, is_static
from astrace.ir.jax_arrays import is_function as is_device_function
from astrace.ir.specs import INT, AnySpec, ScalarSpec, spec_of
from astrace.ops.callables.purity import DECLARED
from astrace.tracing.changes.aliases import CALLED_BY_NAME, METHODS_BELONG
from astrace.tracing.context import Trace
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.external.inputs import spec_of_data
from astrace.tracing.external.places import OutsidePlaces
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.callables import is_known_by_code
from astrace.tracing.values.jax_trees import is_reached, is_tree, site_of, stand_in
from astrace.tracing.values.lazy import DictView, GivenFunction
from astrace.tracing.values.long_sequences import is_long_tuple
from astrace.tracing.values.special_methods import untouchable
from astrace.util.trees import is_namedtuple, tuple_like


class OutsideReads(OutsidePlaces):
    """The outside state of one trace.

    Args:
        trace: the trace it belongs to.
        static_shapes: give the dimensions of arrays as numbers, not names.
        freezer: says which reads are fixed, and as what.
        arguments: those of the call, by parameter name.
        changing: what was found to change from call to call, so that nothing of it is to be fixed.
    """

    def __init__(
        self,
        trace: Trace,
        static_shapes: bool,
        freezer: Freezer,
        arguments: Mapping[str, Any],
        changing: frozenset[Path],
    ) -> None:
        super().__init__(trace, static_shapes, freezer, arguments)
        self.promoted: set[Path] = set()
        self.declared = DECLARED.known()
        self.changing = changing
        self._pinned: dict[Path, Any] = {}
        self._views: dict[int, DictView] = {}
        self._given: dict[int, GivenFunction] = {}
        self._as_objects: dict[int, Any] = {}
        self._trees: dict[int, tuple[Any, Path, Any]] = {}
        self._texts: dict[int, tuple[str, Path]] = {}

    def pin(self, value: Any, path: Path) -> None:
        """Fix the object at a path, on request: it enters as a constant, guarded by its value."""
        if not is_static(value):
            self.trace.stop(
                "AT201", f"`{path}` is declared static, but {type(value).__qualname__} objects can change"
            )
        self._pinned[path] = self.constant(value, path, Equals(path, value))

    # -- entering ----------------------------------------------------------------------------------

    def enter(self, value: Any, path: Path) -> Any:
        """Return the trace-level object for the object at a path."""
        hindrance = untouchable(value)
        if hindrance is not None:
            self.trace.stop("AT204", f"`{path}` can't be inspected: {hindrance} would run while tracing")
        if path in self._pinned:
            return self._pinned[path]
        value, known = self.first(value, path)
        if known:
            return value
        tree = self._tree(value, path)
        if tree is not None:
            return tree
        kind: type[Any] = type(value)
        entry = ENTRIES.get(kind)
        if entry is not None:
            return entry(self, value, path)
        spec = spec_of_data(value)
        if spec is not None:
            return self.live(value, path, spec)
        if is_function(value) or is_device_function(value) or isinstance(value, FIXED_TYPES):
            return self.guarded(value, path, Is(path, value))
        if isinstance(value, np.dtype):
            return self.guarded(value, path, Equals(path, value))
        if is_namedtuple(value):
            return self.taken_apart(value, path)
        return self.outside(value, path)

    def _tree(self, value: Any, path: Path) -> Any:
        """Return the stand-in for a tree of arrays of JAX; ``None`` where there is none, or the object is needed."""
        known = self._trees.get(id(value))
        if known is not None:
            if known[1] != path:
                self.guard(IsAt(path, known[1]))
            return known[2]
        if site_of(path) in self.trace.plan.objects or self.opaque or path in self.changing:
            return None
        if self.is_outside(value) or not is_reached(path) or not is_tree(value):
            return None
        self._trees[id(value)] = value, path, stand_in(self, value, path)
        return self._trees[id(value)][2]

    def forget_all(self) -> None:
        """Forget all outside state, which an opaque call may have changed; trees that it may know become the objects."""
        for _, path, _ in self._trees.values():
            self.trace.plan.objects[site_of(path)] = None
        if self._trees:
            raise Restart
        super().forget_all()

    def tree_itself(self, made: Any) -> Any:
        """The argument that an object stands for; ``None`` for any other object."""
        for value, path, found in self._trees.values():
            if found is made:
                return Tracer(self.trace, self.input_at(path, AnySpec(type(value)), value))
        return None

    def bounds(self, value: slice, path: Path) -> slice:
        """A slice: its bounds are read afresh."""
        self.guarded(value, path, HasType(path, slice))
        names = ("start", "stop", "step")
        found = slice(*(self.enter(getattr(value, name), Attribute(path, name)) for name in names))
        return self.wholes.remember(found, self.source(path))

    def text(self, value: str, path: Path) -> str:
        """A string, which is a flag unless the program loops over it, or picks from it by a traced position."""
        found = self.constant(value, path, Equals(path, value))
        self._texts[id(found)] = (found, path)
        return found

    def used_as_data(self, value: Any) -> None:
        """Start again with a string from outside as data, read at each call, since it is iterated over."""
        found = self._texts.get(id(value))
        if found is not None and found[0] is value and not self.trace.plan.fixed_texts:
            self.trace.plan.texts.add(found[1])
            raise Restart

    def members(self, value: frozenset[Any], path: Path) -> Any:
        """A frozen set: guarded member by member, where they can't change."""
        if not is_static(value):
            return self.outside(value, path)
        if path in self.changing:
            return self.whole(value, path)
        self.guarded(value, path, HasType(path, frozenset))
        self.guarded(value, path, HasMembers(path, tuple(value)))
        known = self.wholes.source(value)
        if isinstance(known, Path) and known != path:
            self.guard(IsAt(path, known))
            return value
        return self.wholes.remember(value, self.source(path))

    def outside(self, value: Any, path: Path) -> Any:
        """A mutable object from outside; the same object is known by the path it was first reached through.

        After an opaque call another one may stand in its place: it is whatever is found there then.
        """
        if self.opaque and not isinstance(path, Argument | Root):
            return self.read_now(path)
        self.meet(value, path)
        if path in self.changing:
            self.promoted.add(path)
            self.trace.journal.learn((id(value), "resized" if type(value) is dict else "dirty"), True)
        return value

    def meet(self, value: Any, path: Path) -> None:
        """Remember the path by which an object was reached first; one that is known is at both places."""
        known = self._outside.get(id(value))
        if known is not None and known[1] != path:
            self.guard(IsAt(path, known[1]))
        elif known is None:
            self._outside[id(value)] = (value, path)
            self.met[path] = value
            self.guarded(value, path, HasType(path, type(value)))

    def whole(self, value: Any, path: Path) -> Any:
        """A constant that was found to change: an input like a number, of which only the class is known."""
        self.promoted.add(path)
        return self.live(value, path, AnySpec(type(value)))

    def function(self, value: types.FunctionType, path: Path) -> Any:
        """A Python function: itself, unless functions of one code were found to change from call to call."""
        anew = not self.changing.isdisjoint(steps(path)) and not self.opaque and not is_bound(path)
        return self.by_code(value, path) if anew and is_known_by_code(value) else _exactly(self, value, path)

    def by_code(self, value: types.FunctionType, path: Path) -> Any:
        """A function of which only the code is fixed: defaults and variables are reached through its path."""
        self.promoted.add(path)
        known = self._given.setdefault(id(value), GivenFunction(value, path))
        if known.path != path:
            self.guard(IsAt(path, known.path))
            return known
        self.guard(HasType(path, types.FunctionType))
        self.guarded(value, path, unedited(value, path))
        self.guard(Is(Attribute(path, "__globals__"), value.__globals__))
        self._defaults(value, path)
        for index, cell in enumerate(value.__closure__ or ()):
            where = Cell(Attribute(path, "__closure__"), index, value.__code__.co_freevars[index])
            self.meet(cell, where)
            self._only_here(cell, where)
        self._only_here(value, path)
        return known

    def _defaults(self, function: types.FunctionType, path: Path) -> None:
        """Guard for which parameters a function has defaults."""
        held, where = function.__defaults__, Attribute(path, "__defaults__")
        self.guard(Is(where, None) if held is None else Equals(derived_length(where), len(held)))
        named, where = function.__kwdefaults__, Attribute(path, "__kwdefaults__")
        self.guard(Is(where, None) if named is None else Equals(derived_keys(where), tuple(named)))

    def _only_here(self, value: Any, path: Path) -> None:
        """Guard the identity of an object already used by identity that is reached through a path now."""
        if id(value) in self._as_objects:
            self.guard(Is(path, value))

    def met_as_object(self, value: Any) -> None:
        """Guard the identity of a function or a cell that is used as an object and was reached through a path."""
        self._as_objects[id(value)] = value
        if id(value) in self._given:
            self.guard(Is(self._given[id(value)].path, value))
        elif self.is_outside(value):
            self.guard(Is(self.path(value), value))

    def as_object(self, value: Any) -> Any:
        """A value itself; a function of which only the code was fixed is fixed as the object that it is."""
        if not isinstance(value, GivenFunction):
            return value
        self.guard(Is(value.path, value.function))
        return value.function

    def function_path(self, function: types.FunctionType) -> Path:
        """Return the path to the parts of a function; a function that is not known by its code is pinned."""
        given = self._given.get(id(function))
        return Root(function, function.__name__) if given is None else given.path

    def cell_path(self, function: Any, cell: types.CellType, name: str) -> Path:
        """Return the path to a variable of a function."""
        if id(function) in self._given:
            return self.path(cell)
        self.met_as_object(cell)
        return Root(cell, name, silent=True)

    def items(self, value: Any, path: Path) -> Any:
        """A tuple: each item is read through its position, unless there are many of one kind."""
        long = is_long_tuple(value) and not self.freezer.covers(path)
        return self.live(value, path, AnySpec(tuple)) if long else self.taken_apart(value, path)

    def taken_apart(self, value: Any, path: Path) -> Any:
        """Read each item of a tuple through its position."""
        constant = is_static(value)
        if constant and derived_length(path) in self.changing:
            return self.whole(value, path)
        data = (float, complex, np.generic, *((int, tuple) if path in self.changing else ()))
        if constant and not any(isinstance(item, data) for item in value):
            return self.constant(value, path, Equals(path, value))
        if path in self.changing:
            self.promoted.add(path)
        self.guard(HasType(path, type(value)))
        found = tuple_like(value, self.each(value, path))
        return self.wholes.remember(found, self.source(path)) if found else found

    def each(self, value: tuple[Any, ...], path: Path) -> list[Any]:
        """The items of a tuple whose length is fixed."""
        self.guard(Equals(derived_length(path), len(value)))
        return [self.enter(item, Item(path, index)) for index, item in enumerate(value)]

    def bound_method(self, value: Any, path: Path) -> Any:
        """Enter a bound method: its function is guarded, its object is reached through it."""
        function = self.enter(value.__func__, Attribute(path, "__func__"))
        owner = self.enter(value.__self__, Attribute(path, "__self__"))
        return self.wholes.remember(types.MethodType(function, owner), self.source(path))

    def builtin_method(self, value: Any, path: Path) -> Any:
        """A method of C code: that of a container is found on the container, which is reached through it."""
        if type(value.__self__) not in METHODS_BELONG and not is_bound_anew(value):
            return self.of_class(value, path)
        owner, name = self.enter(value.__self__, Attribute(path, "__self__")), value.__name__
        self.guard(HasType(path, type(value)))
        self.guard(Equals(Attribute(path, "__name__"), name))
        found = value if is_bound_anew(value) else self.trace.operators.attr(owner, name)
        return self.wholes.remember(value if type(owner) in CALLED_BY_NAME else found, self.source(path))

    def dict_view(self, value: Any, path: Path) -> Any:
        """The keys, values or items of a dict: read through the dict."""
        owner, met = viewed_dict(value), self.outside(value, path)
        if type(owner) is not dict or met is not value:
            return met
        if id(value) not in self._views:
            held = self.enter(owner, derived_mapping(path))
            self._views[id(value)] = DictView(held, VIEWS[type(value)], value)
        return self._views[id(value)]

    def partial(self, value: Any, path: Path) -> Any:
        """Enter a ``functools.partial``: a new one over its entered parts."""
        self.guard(HasType(path, type(value)))
        function = self.enter(value.func, Attribute(path, "func"))
        args = self.taken_apart(value.args, Attribute(path, "args"))
        names = Attribute(path, "keywords")
        self.guard(Equals(derived_keys(names), tuple(value.keywords)))
        keywords = {key: self.enter(item, Item(names, key)) for key, item in value.keywords.items()}
        return self.wholes.remember(functools.partial(function, *args, **keywords), self.source(path))


FIXED_TYPES: Final = (*SUBSCRIPTED_TYPES, type, types.ModuleType, enum.Enum)
Entry = Callable[[OutsideReads, Any, Path], Any]


def _number(state: OutsideReads, value: Any, path: Path) -> Any:
    spec = spec_of(value)
    return state.live(value, path, ScalarSpec("int", value) if spec == INT else spec)


def _data(state: OutsideReads, value: Any, path: Path) -> Any:
    return state.live(value, path, AnySpec(type(value)))


def _flag(state: OutsideReads, value: Any, path: Path) -> Any:
    """Return a flag, or ``None`` so far; one that an opaque call may have set is read at this place."""
    in_tuple = isinstance(path, Item) and not isinstance(path.owner, Root) and path.owner not in state.met
    anew = state.opaque and is_assigned(path) and not in_tuple
    return state.read_now(path) if anew else _exactly(state, value, path)


def _text(state: OutsideReads, value: Any, path: Path) -> Any:
    return _data(state, value, path) if path in state.trace.plan.texts else state.text(value, path)


def _range(state: OutsideReads, value: range, path: Path) -> Any:
    return state.whole(value, path) if path in state.changing else _equal(state, value, path)


def _exactly(state: OutsideReads, value: Any, path: Path) -> Any:
    return state.guarded(value, path, Is(path, value))


def _equal(state: OutsideReads, value: Any, path: Path) -> Any:
    return state.constant(value, path, Equals(path, value))


VIEWS: Final[Mapping[type, str]] = {
    type({}.keys()): "keys",
    type({}.values()): "values",
    type({}.items()): "items",
}
"""The classes of views of a dict, with the methods that give them."""

ENTRIES: Final[Mapping[type, Entry]] = {
    bool: _flag,
    int: _number,
    float: _number,
    complex: _number,
    str: _text,
    bytes: _data,
    range: _range,
    type(None): _flag,
    type(...): _exactly,
    type(NotImplemented): _exactly,
    tuple: OutsideReads.items,
    types.FunctionType: OutsideReads.function,
    slice: OutsideReads.bounds,
    frozenset: OutsideReads.members,
    np.ndarray: OutsideReads.array,
    types.MethodType: OutsideReads.bound_method,
    types.BuiltinFunctionType: OutsideReads.builtin_method,
    types.MethodWrapperType: OutsideReads.builtin_method,
    functools.partial: OutsideReads.partial,
    **dict.fromkeys(VIEWS, OutsideReads.dict_view),
}
