"""The originals of local functions, and whether their variables still change.

A local function that opaque code is given has to exist when the program runs: its own code over cells that hold
what its variables hold.  That is right for a variable that is assigned for the last time before the function is made,
which the code of the function around tells.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from astrace.ir.constants import UNDEFINED
from astrace.tracing.changes.journal import Site
from astrace.tracing.values.annotations import SETS_ATTRIBUTE, Annotations, annotations_of

ASSIGNS: Final = frozenset({"STORE_DEREF", "DELETE_DEREF"})
CALLS: Final = ("PRECALL", "CALL")
"""The instructions that call a decorator with what is on the stack; the former up to Python 3.11."""

NO_ANNOTATIONS: Final = Annotations()
LOCAL: Final = "local function"
"""The kind of the sites of functions that rewritten code defines."""
GENERATOR: Final = "generator"
"""The kind of the sites of generators."""


@dataclass(frozen=True, slots=True)
class MadeFunction:
    """A function that rewritten code has defined.

    Args:
        function: it; kept, so that its ``id`` stays its own.
        site: where it was defined.
        value: what it is when the program runs, if it exists then: a tracer.
    """

    function: types.FunctionType
    site: Site
    value: Any


@dataclass(frozen=True, slots=True)
class Original:
    """A local function as it was written.

    Args:
        codes: the codes of the functions around it, outermost first, and its own.
        namespace: its globals.
        cells: the cells of the outermost function by name.
        decorated: it is written with decorators: its variable holds what these give.
    """

    codes: Sequence[types.CodeType]
    namespace: dict[str, Any]
    cells: Mapping[str, types.CellType]
    decorated: bool = False

    @property
    def code(self) -> types.CodeType:
        """The function's own code."""
        return self.codes[-1]

    def variables(self) -> Sequence[str]:
        """The variables of functions around it whose values it needs, in order."""
        return [
            name for name in self.code.co_freevars if self._owner(name) is not None and name != self.own()
        ]

    def own(self) -> str | None:
        """The variable that holds the function itself, or what its decorators give, by which it calls itself."""
        return own_variable(self.codes[-2], self.code, self.decorated)

    def changing(self) -> str | None:
        """A variable that may be assigned after the function is made, if there is one."""
        for name in self.variables():
            owner = self._owner(name)
            assert owner is not None
            if not is_settled(self.codes[owner], self.codes[owner + 1], name):
                return name
        return None

    def annotations(self) -> Annotations | None:
        """The steps that compute its annotations where it is defined; ``None`` where they need more than globals."""
        return annotations_of(self.codes[-2], self.code)

    def _owner(self, name: str) -> int | None:
        """Return the number of the function around it that owns a variable; ``None`` for one outside of all of them."""
        found = [index for index, code in enumerate(self.codes[:-1]) if name in code.co_cellvars]
        return found[-1] if found else None

    def maker(
        self, keywords: Sequence[str], defaults: int, annotations: Annotations = NO_ANNOTATIONS
    ) -> Callable[..., types.FunctionType]:
        """Return a function that makes this one of its defaults, those of ``keywords``, and its variables' values.

        The variable of one that is decorated is left without a value, as it is while the decorators run.
        """
        variables, own, decorated = self.variables(), self.own(), self.decorated

        def make(*values: Any) -> types.FunctionType:
            named = defaults + len(keywords)
            held = dict(zip(variables, map(_cell, values[named:]), strict=True))
            itself = types.CellType()
            if own is not None:
                held[own] = itself
            cells = tuple(held[name] if name in held else self.cells[name] for name in self.code.co_freevars)
            made = types.FunctionType(
                self.code, self.namespace, self.code.co_name, values[:defaults] or None, cells
            )
            if not decorated:
                itself.cell_contents = made
            made.__kwdefaults__ = dict(zip(keywords, values[defaults:named], strict=True)) or None
            made.__annotations__ = annotations.computed(self.namespace)
            return made

        make.__name__ = make.__qualname__ = f"make_{self.code.co_name.strip('<>')}"
        return make

    def namer(self, variable: str) -> Callable[[types.FunctionType, Any], None]:
        """Return a function that assigns a variable of this one, once it is made: what its decorators gave."""
        place = self.code.co_freevars.index(variable)

        def name(function: types.FunctionType, value: Any) -> None:
            assert function.__closure__ is not None
            function.__closure__[place].cell_contents = value

        name.__name__ = name.__qualname__ = f"name_{self.code.co_name}"
        return name


def _cell(value: Any) -> types.CellType:
    """A variable that holds a value, or none if it was never assigned."""
    return types.CellType() if value is UNDEFINED else types.CellType(value)


def original_of(
    function: types.FunctionType, outer: types.FunctionType, code: types.CodeType, decorated: bool
) -> Original | None:
    """The original of a local function of rewritten code, if it is certain which one it is.

    Args:
        function: the local function.
        outer: the original of the function that was rewritten.
        code: the code that this was written as.
        decorated: it is written with decorators.
    """
    found = [codes for codes in _below((code,)) if _takes(codes[-1]) == _takes(function.__code__)]
    only = _only(found, function, outer, code)
    return only and replace(only, decorated=decorated)


def original_expression(
    iteration: types.FunctionType, outer: types.FunctionType, code: types.CodeType
) -> Original | None:
    """The original of a generator expression, a function of the first iterator, if it is certain which one it is.

    Args:
        iteration: what the rewritten code does with an item.
        outer: the original of the function that was rewritten.
        code: the code that this was written as.
    """
    found = [codes for codes in _below((code,)) if codes[-1].co_name == "<genexpr>"]
    return _only(found, iteration, outer, code)


def _only(
    found: list[tuple[types.CodeType, ...]],
    function: types.FunctionType,
    outer: types.FunctionType,
    code: types.CodeType,
) -> Original | None:
    """The one of some codes that a function is the rewritten form of; its line decides."""
    line = function.__code__.co_firstlineno
    if len(found) > 1:
        found = [codes for codes in found if codes[-1].co_firstlineno == line]
    if len(found) != 1:
        return None
    cells = dict(zip(code.co_freevars, outer.__closure__ or (), strict=True))
    return Original(found[0], outer.__globals__, cells)


def _takes(code: types.CodeType) -> tuple[Any, ...]:
    """The name and the parameters of a code."""
    flags = code.co_flags & (0x04 | 0x08)
    count = code.co_argcount + code.co_kwonlyargcount + flags.bit_count()
    return code.co_name, code.co_argcount, code.co_posonlyargcount, flags, code.co_varnames[:count]


def _below(codes: tuple[types.CodeType, ...]) -> Iterator[tuple[types.CodeType, ...]]:
    for constant in codes[-1].co_consts:
        if isinstance(constant, types.CodeType):
            yield (*codes, constant)
            yield from _below((*codes, constant))


@lru_cache(maxsize=1024)
def protects(code: types.CodeType) -> bool:
    """Return whether a function has a ``try`` or ``with``, so that closing a generator of it has an effect.

    Example:
        >>> protects((lambda: (yield)).__code__)
        False
    """
    return any(step.opname == "PUSH_EXC_INFO" for step in dis.get_instructions(code))


@lru_cache(maxsize=1024)
def own_variable(owner: types.CodeType, inner: types.CodeType, decorated: bool = False) -> str | None:
    """Return the variable of ``owner`` that only ever holds a function of code ``inner``, from its making on.

    Args:
        owner: the code of the function around it.
        inner: its code.
        decorated: the variable holds what its decorators give.

    Example:
        >>> def outer():
        ...     def inner(n):
        ...         return n and inner(n - 1)
        ...     return inner
        >>> own_variable(outer.__code__, outer.__code__.co_consts[1])
        'inner'
    """
    steps = list(dis.get_instructions(owner))
    made = [place for place, step in enumerate(steps) if step.opname == "MAKE_FUNCTION"]
    loaded = [place for place, step in enumerate(steps) if step.argval is inner]
    stored = next((place + 1 for place in made if loaded and place > loaded[0]), None)
    passed = (SETS_ATTRIBUTE, *(CALLS if decorated else ()))  # the former since Python 3.13
    while stored is not None and steps[stored].opname in passed:
        stored += 1
    if len(loaded) != 1 or stored is None or steps[stored].opname != "STORE_DEREF":
        return None
    name, offset = steps[stored].argval, steps[stored].offset
    assigned = [step.offset for step in steps if step.opname in ASSIGNS and step.argval == name]
    repeated = any("JUMP_BACKWARD" in step.opname and step.argval <= offset <= step.offset for step in steps)
    taken = assigned != [offset] or repeated or _assigned_below(owner, name)
    return None if taken or name not in inner.co_freevars else name


@lru_cache(maxsize=1024)
def is_settled(owner: types.CodeType, inner: types.CodeType, name: str) -> bool:
    """Return whether a variable of ``owner`` is not assigned any more once a function of code ``inner`` is made.

    Example:
        >>> def outer(x):
        ...     x = x + 1
        ...     return lambda: x
        >>> is_settled(outer.__code__, outer.__code__.co_consts[2], "x")
        True
    """
    steps = list(dis.get_instructions(owner))
    made = [step.offset for step in steps if step.argval is inner]
    assigned = [step.offset for step in steps if step.opname in ASSIGNS and step.argval == name]
    if len(made) != 1 or any(offset > made[0] for offset in assigned):
        return False
    for step in steps:
        around = "JUMP_BACKWARD" in step.opname and step.argval <= made[0] <= step.offset
        if around and any(offset >= step.argval for offset in assigned):
            return False
    return not _assigned_below(owner, name)


@lru_cache(maxsize=1024)
def _assigned_below(owner: types.CodeType, name: str) -> bool:
    """Return whether a nested function assigns a variable of the function around it."""
    nested = [one for one in owner.co_consts if isinstance(one, types.CodeType) and name in one.co_freevars]
    return any(
        any(step.opname in ASSIGNS and step.argval == name for step in dis.get_instructions(code))
        or _assigned_below(code, name)
        for code in nested
    )
