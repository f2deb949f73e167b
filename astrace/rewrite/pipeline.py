"""The steps of the rewriting, in order.

    find    the function's source, and proof that it is its source
    fence   refuse what is not supported, by name and line
    parse   text → tree
    desugar ``match``, walrus conditions, ``yield``: short for other statements
    handlers ``except … as name``: the name is unbound when the handler ends
    jumps   ``break``, ``continue``, ``return``: nested or flagged, so that analysis is one backward walk
    convert control flow → calls of operators on small local functions
    load    text → code, leaves lowered, lines the user's

The steps from ``parse`` to ``convert`` are those of `conversion`; what they give is kept on disk (`text_cache`).

Takes a function, gives a `Rewritten`.  Knows Python, nothing of tracers or blocks: the operators are only
names here.
"""

from __future__ import annotations

import types
import weakref
from dataclasses import dataclass
from typing import Any, Final

from astrace.errors import Reason
from astrace.locations import Location
from astrace.rewrite.converted import Unconverted
from astrace.rewrite.load import instantiate, load
from astrace.rewrite.source import SourceMissing, find_source, unsupported_kind
from astrace.rewrite.text_cache import converted
from astrace.rewrite.unsupported import refusals
from astrace.util.code_stubs import code_of
from astrace.util.events import emit


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A rewritten function, or the reasons why it is left as it is.

    Args:
        source: the rewritten text; empty where the function is skipped.
        skipped: why the function stays plain Python; empty where it is rewritten.
        original: the source it was made from.
        code: the compiled text.
        generator: whether the function is a generator function.
    """

    source: str
    skipped: tuple[Reason, ...] = ()
    original: str = ""
    code: types.CodeType | None = None
    generator: bool = False

    def function(self, original: types.FunctionType, operators: Any, scope: Any) -> types.FunctionType:
        """The rewritten function over given operators.

        Args:
            original: the function that was rewritten.
            operators: an object with the operators as attributes.
            scope: passed to the operators that read globals and cells.
        """
        assert self.code is not None, self.skipped
        return instantiate(self.code, original, operators, scope)

    def __str__(self) -> str:
        return self.source or "\n".join(map(str, self.skipped))


def rewrite(function: types.FunctionType) -> Rewritten:
    """Rewrite a function so that its control flow and calls go through operators.

    Args:
        function: a Python function; it is not changed.

    Returns:
        The rewritten function; with reasons instead where it must stay as it is.

    Example:
        A function without source in a file is skipped, with the reason:

        >>> namespace = {}
        >>> exec("def f(x): return x", namespace)
        >>> rewrite(namespace["f"]).skipped[0].code
        'AT101'
    """
    kind = unsupported_kind(function)
    if kind is not None:
        return Rewritten("", (kind,))
    code = code_of(function)
    found = DONE.get(code)
    if found is None:
        try:
            found = _rewrite(function, code, code.co_filename)
        except SourceMissing as missing:  # not cached: the source may become available
            return Rewritten("", (missing.reason,))
        DONE.add(code, found)
    return found


def is_rewritten(function: types.FunctionType) -> bool:
    """Return whether the rewritten form of a function is known already."""
    return DONE.get(code_of(function)) is not None


class _Done:
    """The cache of rewritten functions, for as long as their code is in use.

    Codes are told apart by identity: equal codes of two files have their own locations.
    """

    def __init__(self) -> None:
        self._found: dict[int, tuple[weakref.ref[types.CodeType], Rewritten]] = {}

    def get(self, code: types.CodeType) -> Rewritten | None:
        """Return the rewritten form of a code, if there is one."""
        reference, found = self._found.get(id(code), (None, None))
        return found if reference is not None and reference() is code else None

    def add(self, code: types.CodeType, rewritten: Rewritten) -> None:
        """Remember the rewritten form of a code."""
        key = id(code)
        self._found[key] = weakref.ref(code, lambda _: self._found.pop(key, None)), rewritten

    def clear(self) -> None:
        """Forget everything."""
        self._found.clear()

    def __len__(self) -> int:
        return len(self._found)


DONE: Final = _Done()


def _rewrite(function: types.FunctionType, code: types.CodeType, file: str) -> Rewritten:
    """Rewrite a function.

    Raises:
        SourceMissing: there is no source.
    """
    source = find_source(function)
    reasons = refusals(source)
    if reasons:
        return Rewritten("", reasons, source.text)
    try:
        text = converted(source)
    except Unconverted as error:
        where = Location(file, error.line, function.__qualname__)
        return Rewritten("", (Reason("AT106", error.message, where, error.hint),), source.text)
    emit("rewrite", f"rewritten {function.__qualname__}", text.text)
    compiled = load(text, source, function)
    return Rewritten(text.text, (), source.text, compiled, bool(code.co_flags & GENERATOR))


GENERATOR = 0x20
"""``inspect.CO_GENERATOR``: set in the code of generator functions."""
