"""Stubs: the calls of a Python function go somewhere else, and the function stays the object it is.

A stub is put in place of a function's ``__code__``.  Whoever holds the function (a module, a class, another
module that imported it by name, a decorator) still holds the same object, with the same name, signature,
defaults and place in its file; only what happens at a call has changed.  `Stub.remove` puts the code back.

Bottom of the package: it knows code objects, nothing of compiling.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from astrace.locations import NO_CALLER
from astrace.util.parsing import code_of_text

if TYPE_CHECKING:
    from astrace.util.entrances import Entrance

MARK: Final = "<stub>"
"""Stands for the stub in the constants of a code template."""
NO_COLUMNS: Final = 0x80 | 13 << 3
"""The first byte of an entry without columns in a table of lines."""
STARRED: Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Stub:
    """A callable that stands in for a function's code and hands its calls on.

    Args:
        function: a Python function; it is left as it is until `install`.
        run: takes its calls; may be another one later.
        owner: whoever put it there.

    Its ``entrance`` leads graphs past it: to the compiled form of the function, if there is one.

    Example:
        >>> def scale(x, by=2):
        ...     return x * by
        >>> stub = Stub(scale, lambda *args, **kwargs: (args, kwargs))
        >>> stub.install()
        >>> scale(1)
        ((1, 2), {})
        >>> stub.remove()
        >>> scale(1)
        2
    """

    __slots__ = ("_bare", "code", "entrance", "function", "owner", "replacement", "run")

    def __init__(self, function: types.FunctionType, run: Callable[..., Any], owner: Any = None) -> None:
        self.function = function
        self.owner = owner
        self.code = function.__code__
        self.run = run
        self.entrance: Entrance | None = None
        self.replacement = _code(self)
        self._bare: types.CodeType | None = None

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

    def install(self) -> None:
        """Take the function's calls; a function whose code has been replaced by others is left alone."""
        if self.function.__code__ is self.code:
            self.function.__code__ = self.replacement

    @property
    def bare(self) -> types.CodeType:
        """The function's own code, by which the stub is still known."""
        if self._bare is None:
            self._bare = self.code.replace(co_consts=(*self.code.co_consts, self))
        return self._bare

    def pause(self) -> None:
        """Stop taking the function's calls until `resume`."""
        if self.function.__code__ is self.replacement:
            self.function.__code__ = self.bare

    def resume(self) -> None:
        """Take the function's calls again, unless the stub has been removed."""
        if self.function.__code__ is self._bare:
            self.function.__code__ = self.replacement

    def remove(self) -> None:
        """Give the function its calls back."""
        if self.function.__code__ in (self.replacement, self._bare):
            self.function.__code__ = self.code


def stub_of(function: types.FunctionType) -> Stub | None:
    """The stub that takes a function's calls, if there is one."""
    return _stub_in(function.__code__)


def _stub_in(code: types.CodeType) -> Stub | None:
    last = code.co_consts[-1] if code.co_consts else None
    return last if type(last) is Stub else None


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
    return (function.__code__,) if stub is None else (stub.code, stub.replacement, stub.bare)


def _code(stub: Stub) -> types.CodeType:
    """Code with a function's parameters that hands its arguments to a stub."""
    code = stub.code
    flags, positional, named, free = code.co_flags, code.co_argcount, code.co_kwonlyargcount, code.co_freevars
    starred = flags & STARRED
    template, mark = _template(positional, code.co_posonlyargcount, named, starred, len(free))
    names = code.co_varnames[: positional + named + starred.bit_count()]
    constants: list[Any] = list(template.co_consts)
    constants[mark] = stub
    if named:
        keywords = names[positional : positional + named]
        real = {f"k{index}": name for index, name in enumerate(keywords)}  # one alone is not in a tuple
        constants = [keywords if isinstance(one, tuple) else real.get(one, one) for one in constants]
    return template.replace(
        co_varnames=names,
        co_freevars=free,
        co_consts=(*constants, stub),
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_filename=f"{code.co_filename} <stub {NO_CALLER}" if _asks_for_callers(code) else code.co_filename,
        co_firstlineno=code.co_firstlineno,
        co_flags=template.co_flags | flags & inspect.CO_NESTED,
    )


def _asks_for_callers(code: types.CodeType) -> bool:
    """Return whether a function names a line of its caller's by ``stacklevel``, so that its stub is to be skipped.

    Its source is found all the same, through its module; other stubs have the name of the function's file.
    """
    by_name = any(isinstance(one, tuple) and "stacklevel" in one for one in code.co_consts)
    return by_name or ("warn" in code.co_names and any(one in (2, 3) for one in code.co_consts))


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
    if free:
        stub = f"def outer({', '.join(free_names)}):\n {stub}"
    code = _inner(code_of_text(stub, MARK))
    code = _inner(code) if free else code
    return code.replace(co_linetable=_on_first_line(code)), code.co_consts.index(MARK)


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
