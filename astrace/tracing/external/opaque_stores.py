"""Stores that an opaque function may make: names of attributes and globals, as its code object tells.

An opaque call may put something else in the place of a method, a class or a builtin.  Which names it stores is
read off its instructions and those of the functions that it calls by name.  That is no proof that it stores nothing
else: it tells where something looked up before has to be taken as replaced, and not only to be checked.
"""

from __future__ import annotations

import abc
import dis
import itertools
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from astrace.ir.block import Constant, Node, Value
from astrace.tracing.scopes import scope_in
from astrace.tracing.values.callables import inner_function
from astrace.tracing.values.special_methods import is_library_code
from astrace.util.code_stubs import code_of
from astrace.util.entrances import function_of
from astrace.util.trees import held_by, members, resolution_order

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

STORING: Final = frozenset({"STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"})
COMPUTING: Final = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "exec"})
"""Names that code uses which stores attributes by names that it computes."""

NAMESPACES: Final = frozenset({"__dict__", "vars", "globals", "locals"})
FILLING: Final = frozenset({"update", "setdefault", "pop", "clear", "popitem", "__setitem__", "__delitem__"})
"""Names in code that changes namespaces, together with one of `NAMESPACES`."""

REGISTERING: Final = frozenset({"register", "_abc_register"})
"""Names that code uses which makes classes count for ones that derive from an abstract class."""

REGISTRATIONS: Final = "registrations"
"""Registration with abstract classes, as a variable of the module `abc`."""

MOST_FUNCTIONS: Final = 64
MOST_ITEMS: Final = 64


@dataclass(frozen=True, slots=True)
class Stores:
    """The names that code stores.

    Args:
        attributes: the attributes, of whatever.
        variables: the globals.
        computed: it may store others, too, of the objects that it is given.
        named: the globals of which it stores others, and what those hold that are containers.
    """

    attributes: frozenset[str]
    variables: frozenset[str]
    computed: bool
    named: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class OfCode:
    """The names that one code object stores.

    Args:
        attributes: the attributes, of whatever.
        variables: the globals.
        computed: it may store others, too.
        targets: the names of the globals that it does this to.
        of_globals: the attributes that it stores of globals, with their names.
    """

    attributes: frozenset[str]
    variables: frozenset[str]
    computed: bool
    targets: frozenset[str]
    of_globals: frozenset[tuple[str, str]]


def stored_by(*functions: Any) -> Stores:
    """Return the names that callables store, with those of the user's functions that they call by name.

    Example:
        >>> def f(o):
        ...     o.size = 1
        >>> stored_by(f)
        Stores(attributes=frozenset({'size'}), variables=frozenset(), computed=False, named=())
    """
    pending = [found for function in functions for found in _functions_of(function)]
    seen: dict[types.CodeType, types.FunctionType] = {}
    while pending and len(seen) < MOST_FUNCTIONS:
        function = pending.pop()
        if function.__code__ not in seen and _is_read(function):
            seen[function.__code__] = function
            pending += _called_by(function)
    found = [_of_code(function.__code__) for function in seen.values()]
    computed = any(one.computed for one in found)
    named = tuple(value for one in seen.values() for value in _named_in(one)) if computed else ()
    attributes = frozenset[str]().union(*(one.attributes for one in found))
    variables = frozenset[str]().union(*(one.variables for one in found), *map(_of_modules, seen.values()))
    return Stores(attributes, variables, computed, named)


def _is_read(function: types.FunctionType) -> bool:
    """Return whether the code of a function is analysed: that of libraries changes nothing of the user's."""
    return not is_library_code(function) or function is abc.ABCMeta.register


def _of_modules(function: types.FunctionType) -> Iterator[str]:
    """The globals of other modules that a function stores as their attributes."""
    for owner, name in _of_code(function.__code__).of_globals:
        if isinstance(function.__globals__.get(owner), types.ModuleType):
            yield name


def _named_in(function: types.FunctionType) -> Iterator[Any]:
    """The globals that a function computes attributes of, and the items of containers among them."""
    for name in _of_code(function.__code__).targets:
        value: Any = function.__globals__.get(name)
        yield value
        held = [*itertools.islice(held_by(value), MOST_ITEMS + 1)]
        if len(held) <= MOST_ITEMS:
            yield from held


def last_name(text: str) -> str:
    """The name of an attribute that a text spells, also at the end of a path through modules."""
    parts = text.split(".")
    return parts[-1] if all(map(str.isidentifier, parts)) else ""


def special_methods(cls: type) -> list[types.FunctionType]:
    """The functions of a class that Python calls by itself: its special methods and properties."""
    found: list[Any] = []
    for base in resolution_order(cls):
        for name, member in members(base).items():
            if isinstance(member, property):
                found += [member.fget, member.fset, member.fdel]
            elif name.startswith("__") and name != "__init__":
                found.append(inner_function(member))
    return [one for one in found if isinstance(one, types.FunctionType)]


def _functions_of(value: Any) -> list[types.FunctionType]:
    """Return the Python functions that a call of an object runs first, as far as the object shows them."""
    value = inner_function(value)
    if isinstance(value, types.FunctionType):
        scope = scope_in(value.__globals__)
        return [value] if scope is None else _originals(scope.function, value.__name__)
    held = (
        [members(value).get("__init__")]
        if isinstance(value, type)
        else [members(type(value)).get("__call__")]
    )
    return [one for one in map(inner_function, held) if isinstance(one, types.FunctionType)]


def _originals(outer: Any, name: str) -> list[types.FunctionType]:
    """The local functions of a name that a function defines, of which only the rewritten form is at hand."""
    if not isinstance(outer, types.FunctionType):
        return []
    codes = [code for code in _codes(code_of(outer)) if code.co_name == name]
    cells = [tuple(types.CellType() for _ in code.co_freevars) for code in codes]
    return [
        types.FunctionType(code, outer.__globals__, name, None, closure)
        for code, closure in zip(codes, cells, strict=True)
    ]


def _called_by(function: types.FunctionType) -> Iterator[types.FunctionType]:
    """The functions that a function names: globals, and variables of the functions around."""
    for code in _codes(function.__code__):
        for name in code.co_names:
            yield from _functions_of(function.__globals__.get(name))
    for cell in function.__closure__ or ():
        if cell != types.CellType():
            yield from _functions_of(cell.cell_contents)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


@lru_cache(maxsize=1024)
def _of_code(code: types.CodeType) -> OfCode:
    codes = list(_codes(code))
    steps = [list(dis.get_instructions(one)) for one in codes]
    attributes = {name for one in steps for name in _stored_in(one, "_ATTR")}
    variables = {name for one in steps for name in _stored_in(one, "_GLOBAL")}
    used = {name for one in codes for name in one.co_names}
    variables |= set[str]() if REGISTERING.isdisjoint(used) else {REGISTRATIONS}
    subscripts = any(step.opname in ("STORE_SUBSCR", "DELETE_SUBSCR") for one in steps for step in one)
    filled = not NAMESPACES.isdisjoint(used) and (subscripts or not FILLING.isdisjoint(used))
    computed = filled or not COMPUTING.isdisjoint(used)
    texts = {text for one in codes for text in _texts(one.co_consts)} if computed else set[str]()
    targets = {name for one in steps for name in _targets(one)}
    of_globals = {found for one in steps for found in _of_globals(one)}
    return OfCode(
        frozenset(attributes | texts),
        frozenset(variables | texts),
        computed,
        frozenset(targets),
        frozenset(of_globals),
    )


def _of_globals(steps: Sequence[dis.Instruction]) -> Iterator[tuple[str, str]]:
    """The attributes of globals that are stored."""
    for step, after in itertools.pairwise(steps):
        if after.opname in ("STORE_ATTR", "DELETE_ATTR") and step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval, after.argval


def _targets(steps: Sequence[dis.Instruction]) -> Iterator[str]:
    """The globals whose attributes are set by computed names: the first argument of `setattr` and its like."""
    for step, after in itertools.pairwise(step for step in steps if step.opname != "PUSH_NULL"):
        if after.opname not in ("LOAD_GLOBAL", "LOAD_NAME"):
            continue
        if step.argval in COMPUTING or step.argval in NAMESPACES:
            yield after.argval


def _stored_in(steps: Sequence[dis.Instruction], kind: str) -> Iterator[str]:
    """The names that are stored; attributes of ``self`` are those of an object, which is known to be changed."""
    last: Any = None
    for step in steps:
        if step.opname in STORING and step.opname.endswith(kind):
            own = kind == "_ATTR" and last is not None and _is_self(last)
            if not own:
                yield step.argval
        last = step


def _is_self(step: dis.Instruction) -> bool:
    """Return whether an instruction puts ``self`` on the stack."""
    if not step.opname.startswith("LOAD_FAST"):
        return False
    return (step.argval[-1] if isinstance(step.argval, tuple) else step.argval) == "self"


def _texts(constants: tuple[Any, ...]) -> Iterator[str]:
    """Texts among constants that may be names."""
    for constant in constants:
        if isinstance(constant, str) and constant.isidentifier():
            yield constant
        elif isinstance(constant, tuple):
            yield from _texts(constant)


def global_now(trace: Trace, maker: Node | None) -> Any:
    """Return what a global holds now that the program reads later on, to call it: most probably it holds that then.

    Args:
        trace: the trace that is going on.
        maker: the node that gives what is called.
    """
    if maker is None or maker.op != "read_global":
        return None
    namespace, name = maker.inputs
    given = trace.state.input_of(namespace) if isinstance(namespace, Value) else None
    held = namespace.value if isinstance(namespace, Constant) else given and given.example
    if type(held) is not dict or not isinstance(name, Constant):
        return None
    found: Any = held.get(name.value)  # type: ignore[reportUnknownMemberType]
    return function_of(found) or found
