"""Stubs: the calls of a Python function go somewhere else, and the function stays the object it is.

A stub is put in place of a function's ``__code__``.  Whoever holds the function (a module, a class, another
module that imported it by name, a decorator) still holds the same object, with the same name, signature,
defaults and place in its file; only what happens at a call has changed.  `Stub.remove` puts the code back.

Most functions of a library are never called.  So the stubs of a `StubTable` are made at the first call, and the function has
code until then that takes its arguments whatever they are, which is one piece of bytecode for all; at the second call it gets
code written for its parameters, which hands them on faster.

Bottom of the package: it knows code objects, nothing of compiling.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from astrace.locations import NO_CALLER, no_caller
from astrace.util.parsing import code_of_text

if TYPE_CHECKING:
    from astrace.util.entrances import Entrance

MARK: Final = "<stub>"
"""Stands for the stub in the constants of a code template."""
PLACE: Final = "<place>"
"""Stands for the place in a table of stubs there."""
NO_COLUMNS: Final = 0x80 | 13 << 3
"""The first byte of an entry without columns in a table of lines."""
STARRED: Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
OWN_FLAGS: Final = STARRED | inspect.CO_NESTED
"""The flags that a stub's code has of the function's."""


class Stub:
    """A callable that stands in for a function's code and hands its calls on; a `StubTable` has it made, and puts it there.

    Args:
        function: a Python function.
        run: takes its calls; may be another one later.
        code: the function's own code.
        owner: whoever has it made.

    Its ``entrance`` leads graphs past it: to the compiled form of the function, if there is one.
    """

    __slots__ = (
        "_bare",
        "_replacement",
        "code",
        "early",
        "entrance",
        "function",
        "owner",
        "run",
    )

    def __init__(
        self,
        function: types.FunctionType,
        run: Callable[..., Any],
        code: types.CodeType,
        owner: Any = None,
    ) -> None:
        self.function = function
        self.owner = owner
        self.code = code
        self.run = run
        self.entrance: Entrance | None = None
        self.early: types.CodeType | None = None
        """The code that the function has until the stub is called again."""
        self._replacement: types.CodeType | None = None
        self._bare: types.CodeType | None = None

    @property
    def replacement(self) -> types.CodeType:
        """The code that hands arguments on, written for the function's parameters."""
        if self._replacement is None:
            code = _code(self)
            self._replacement = self._replacement or code  # that of the first of two threads
        return self._replacement

    def settle(self) -> None:
        """Have the function's calls go through that code from now on."""
        if self.early is not None:
            code = self.replacement  # takes a moment, in which another thread may remove the stub
            if self.function.__code__ is self.early:
                self.function.__code__ = code
            self.early = None

    def plain(self) -> types.FunctionType:
        """Return a separate function that does the same without the stub."""
        function = self.function
        twin = types.FunctionType(
            self.code,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__qualname__ = function.__qualname__
        twin.__module__ = function.__module__
        twin.__doc__ = function.__doc__
        return twin

    @no_caller
    def run_plain(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run a call without the stub; `plain`, which is made then, runs the next ones."""
        self.run = self.plain()
        return self.run(*args, **kwargs)

    @property
    def bare(self) -> types.CodeType:
        """The function's own code, by which the stub is still known."""
        if self._bare is None:
            self._bare = self.code.replace(co_consts=(*self.code.co_consts, self))
        return self._bare

    def pause(self) -> None:
        """Stop taking the function's calls until `resume`."""
        self.settle()
        if self.function.__code__ is self.replacement:
            self.function.__code__ = self.bare

    def resume(self) -> None:
        """Take the function's calls again, unless the stub has been removed."""
        if self.function.__code__ is self._bare:
            self.function.__code__ = self.replacement

    def remove(self) -> None:
        """Give the function its calls back."""
        if self.function.__code__ in (self.early, self._replacement, self._bare):
            self.function.__code__ = self.code


class StubTable:
    """The stubs of many functions, each made when its function is first called, or asked about.

    Until then the function's code names its place in the table, and adds one tuple to what Python's garbage collector looks at.

    Args:
        make: makes the stub of a function, which is given with its own code.

    Example:
        >>> def scale(x, by=2):
        ...     return x * by
        >>> table = StubTable(lambda function, code: Stub(function, print, code))
        >>> place = table.add(scale)
        >>> scale(1)
        1 2
        >>> table.stub(place).remove()
        >>> scale(1)
        2
    """

    locals = staticmethod(locals)  # the program may have something else of that name

    def __init__(self, make: Callable[[types.FunctionType, types.CodeType], Stub]) -> None:
        self._make = make
        self._functions: list[types.FunctionType] = []
        self._codes: list[types.CodeType] = []
        self._early: list[types.CodeType] = []
        self._stubs: dict[int, Stub] = {}

    def add(self, function: types.FunctionType) -> int:
        """Take the calls of a function that has no stub; return its place."""
        place = len(self._functions)
        code = function.__code__
        self._functions.append(function)
        self._codes.append(code)
        early = _early_code(code, place, self)
        self._early.append(early)
        function.__code__ = early
        return place

    def stub(self, place: int) -> Stub:
        """Return the stub at a place."""
        found = self._stubs.get(place)
        if found is None:
            made = self._make(self._functions[place], self._codes[place])
            made.early = self._early[place]
            found = self._stubs.setdefault(place, made)  # of two threads the first one's counts
        return found

    def made(self, place: int) -> Stub | None:
        """Return the stub at a place, if it has been made."""
        return self._stubs.get(place)

    def entry(self, place: int) -> tuple[types.FunctionType, types.CodeType]:
        """Return the function at a place, and its own code."""
        return self._functions[place], self._codes[place]

    def remove_waiting(self) -> None:
        """Give the functions whose stubs have not been made their own code again."""
        for place, function in enumerate(self._functions):
            if place not in self._stubs and function.__code__ is self._early[place]:
                function.__code__ = self._codes[place]

    @no_caller
    def first(self, place: int, held: dict[str, Any]) -> Any:
        """Hand on the arguments of a function's first calls.

        Args:
            place: the function's.
            held: the arguments, by the names of the parameters.
        """
        if place in self._stubs:  # many a function is called once, or left plain at its first call
            self._stubs[place].settle()
        stub = self.stub(place)
        args, kwargs = _given(stub.code, held)
        return stub.run(*args, **kwargs)


def stub_of(function: types.FunctionType) -> Stub | None:
    """The stub that takes a function's calls, if there is one."""
    return _stub_in(function.__code__)


def _stub_in(code: types.CodeType) -> Stub | None:
    last = code.co_consts[-1] if code.co_consts else None
    if type(last) is Stub:
        return last
    return last.stub(code.co_consts[-2]) if type(last) is StubTable else None


def stands_for(code: types.CodeType, written: types.CodeType) -> bool:
    """Return whether a code is that of a stub for a function that was written as another one."""
    stub = _stub_in(code)
    return stub is not None and stub.code is written


def code_of(function: types.FunctionType) -> types.CodeType:
    """The code that a function was written as, whether or not a stub takes its calls."""
    stub = stub_of(function)
    return function.__code__ if stub is None else stub.code


def codes_of(function: types.FunctionType) -> tuple[types.CodeType, ...]:
    """Return the codes by which a function is known: its own, and that of a stub for it."""
    stub = stub_of(function)
    if stub is None:
        return (function.__code__,)
    stub.settle()
    return stub.code, stub.replacement, stub.bare


def _given(code: types.CodeType, held: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call, as positional ones and by name.

    Args:
        code: of the function that is called.
        held: its parameters, stars included.
    """
    names, positional = code.co_varnames, code.co_argcount
    rest = positional + code.co_kwonlyargcount
    args = [held[name] for name in names[:positional]]
    kwargs = {name: held[name] for name in names[positional:rest]}
    if code.co_flags & inspect.CO_VARARGS:
        args += held[names[rest]]
        rest += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        kwargs |= held[names[rest]]
    return tuple(args), kwargs


def _code(stub: Stub) -> types.CodeType:
    """Code with a function's parameters that hands its arguments to a stub."""
    code = stub.code
    positional, named = code.co_argcount, code.co_kwonlyargcount
    starred = code.co_flags & STARRED
    template, mark = _template(positional, code.co_posonlyargcount, named, starred, len(code.co_freevars))
    constants: list[Any] = list(template.co_consts)
    constants[mark] = stub
    if named:
        keywords = code.co_varnames[positional : positional + named]
        real = {f"k{index}": name for index, name in enumerate(keywords)}  # one alone is not in a tuple
        constants = [keywords if isinstance(one, tuple) else real.get(one, one) for one in constants]
    return _dressed(template, code, (*constants, stub))


def _early_code(code: types.CodeType, place: int, table: StubTable) -> types.CodeType:
    """Code with a function's parameters that hands all it is given to `StubTable.first`, with its place in a table."""
    template = _early_template(len(code.co_freevars))
    given = {PLACE: place, MARK: table}
    constants = (given.get(one, one) for one in template.co_consts)
    return _dressed(template, code, (*constants, place, table))


def _dressed(template: types.CodeType, code: types.CodeType, constants: tuple[Any, ...]) -> types.CodeType:
    """A template with the parameters, the names and the place of a function's code."""
    flags = code.co_flags & OWN_FLAGS
    count = code.co_argcount + code.co_kwonlyargcount + (flags & STARRED).bit_count()
    return template.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_nlocals=count,
        co_varnames=code.co_varnames[:count],
        co_freevars=code.co_freevars,
        co_consts=constants,
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_filename=f"{code.co_filename} <stub {NO_CALLER}" if _asks_for_callers(code) else code.co_filename,
        co_firstlineno=code.co_firstlineno,
        co_flags=template.co_flags | flags,
    )


def _asks_for_callers(code: types.CodeType) -> bool:
    """Return whether a function names a line of its caller's by ``stacklevel``, so that its stub is to be skipped.

    Its source is found all the same, through its module; other stubs have the name of the function's file.
    """
    for one in code.co_consts:
        if type(one) is tuple and "stacklevel" in one:
            return True
    return "warn" in code.co_names and any(one in (2, 3) for one in code.co_consts)


@lru_cache(maxsize=64)
def _early_template(free: int) -> types.CodeType:
    """Code that calls ``MARK.first`` with ``PLACE`` and its locals, for so many free variables."""
    names = [f"free_{index}" for index in range(free)]
    return _within(
        names,
        f"def stub(): return {MARK!r}.first({PLACE!r}, {MARK!r}.locals()); {'; '.join(names) or 'None'}",
    )


@lru_cache(maxsize=1024)
def _template(positional: int, only: int, keywords: int, flags: int, free: int) -> tuple[types.CodeType, int]:
    """Code that calls ``MARK.run`` with all it is given, for so many parameters of each kind; where the mark is."""
    free_names = [f"free_{index}" for index in range(free)]
    parameters = ", ".join(_parameters(positional, only, keywords, flags))
    given = [f"p{index}" for index in range(positional)]
    given += ["*rest"] * bool(flags & inspect.CO_VARARGS)
    given += [f"k{index}=k{index}" for index in range(keywords)]
    given += ["**more"] * bool(flags & inspect.CO_VARKEYWORDS)
    stub = (
        f"def stub({parameters}): return {MARK!r}.run({', '.join(given)}); {'; '.join(free_names) or 'None'}"
    )
    code = _within(free_names, stub)
    return code, code.co_consts.index(MARK)


def _within(free_names: list[str], stub: str) -> types.CodeType:
    """The code of a text that defines a function, which has some free variables; all of it lies on its first line."""
    text = f"def outer({', '.join(free_names)}):\n {stub}" if free_names else stub
    code = _inner(code_of_text(text, MARK))
    code = _inner(code) if free_names else code
    return code.replace(co_linetable=_on_first_line(code))


def _on_first_line(code: types.CodeType) -> bytes:
    """A table of lines by which all of a code lies on its first line, in no column.

    The format is that of CPython since 3.11 (``Objects/locations.md``): an entry is for up to eight units.
    """
    whole, rest = divmod(len(code.co_code) // 2, 8)
    return bytes([NO_COLUMNS | 7, 0] * whole + [NO_COLUMNS | rest - 1, 0] * bool(rest))


def _parameters(positional: int, only: int, keywords: int, flags: int) -> Iterator[str]:
    yield from (f"p{index}" for index in range(only))
    yield from ["/"] * bool(only)
    yield from (f"p{index}" for index in range(only, positional))
    if flags & inspect.CO_VARARGS:
        yield "*rest"
    elif keywords:
        yield "*"
    yield from (f"k{index}" for index in range(keywords))
    yield from ["**more"] * bool(flags & inspect.CO_VARKEYWORDS)


def _inner(code: types.CodeType) -> types.CodeType:
    """The only code object among a code's constants."""
    (inner,) = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return inner
