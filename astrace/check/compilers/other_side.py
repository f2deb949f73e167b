"""A function that another compiler made, as a side of a check: what it refuses by its own rules is told from what it does.

A call gives what the compiled function gives.  An exception of the compiler's own (its class is the compiler's, its code
raised it, or it says that there is no code for a dtype) becomes `NotTaken`, and a note; one of the program stays what it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from types import CodeType, TracebackType
from typing import Any, Final

import numpy as np

from astrace.check.compare.diff import described, shortened
from astrace.check.compare.observe import Call
from astrace.check.compare.snapshots import Camera
from astrace.check.compilers.table import OtherCompiler
from astrace.check.compilers.tolerances import Tolerances
from astrace.check.inputs.call_variants import leaves_of, rebuilt
from astrace.check.report.findings import Finding, finding
from astrace.errors import AstraceError
from astrace.locations import Location

MOST_REFUSED: Final = 6
NUMBER: Final = re.compile(r"\d+")
ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
GRAPH: Final = re.compile(r"\bthe graph\b")
"""What is checked, as the messages of a check call it."""
LINES: Final = re.compile(r'File "([^"]+)", line (\d+)')


class NotTaken(AstraceError):
    """Another compiler does not take a function, or a call of it, by its own rules.

    Args:
        message: the first line of what it says.
        location: the line of the function, where it names one.
    """

    def __init__(self, message: str, location: Location | None) -> None:
        super().__init__(message)
        self.location = location


@dataclass(frozen=True, slots=True, eq=False)
class OtherSide:
    """A compiled function of another compiler.

    Args:
        compiler: the compiler.
        function: the compiled function.
        code: of the plain function.
        tolerances: how far apart floats may be.
        names: the globals of the plain function.
        made: it was compiled for the check.
        installed: what the compiler put into those.
        asked: notes on what it refused, by what it said.
        refused: those of which the function gives a result.
        told: what it allows itself, each told once.
    """

    compiler: OtherCompiler
    function: Callable[..., Any]
    code: CodeType | None
    tolerances: Tolerances
    names: dict[str, Any]
    made: bool = False
    installed: dict[str, Any] = field(default_factory=dict[str, Any])
    asked: dict[str, Finding] = field(default_factory=dict[str, Finding])
    refused: dict[str, Finding] = field(default_factory=dict[str, Finding])
    told: dict[str, None] = field(default_factory=dict[str, None])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the compiled function.

        Raises:
            NotTaken: the compiler does not take it.
        """
        try:
            with self._own_names():
                return self.function(*args, **kwargs)
        except Exception as error:
            if not self.is_refusal(error):
                raise
            said = first_line(error)
            where = self.line_of(error)
            self._note(said, where, (*args, *kwargs.values()))
            raise NotTaken(said, where) from None

    @contextlib.contextmanager
    def _own_names(self) -> Generator[None]:
        """A stretch of code in which the function's globals hold what the compiler put there: a check puts them back."""
        before = set(self.names)
        self.names.update(self.installed)
        try:
            yield
        finally:
            added = [name for name in self.names if name not in before and name.startswith("__")]
            self.installed.update({name: self.names.pop(name) for name in added})

    def leave(self) -> None:
        """Leave to the compiled function what the compiler put into the globals, at the end of a check."""
        self.names.update(self.installed)

    def is_refusal(self, error: BaseException) -> bool:
        """Return whether an exception is the compiler's own: of a class of it, or raised by its code, or for a dtype."""
        if isinstance(error, self.compiler.refuses):
            return True
        if any(map(self.compiler.is_own, (cls.__module__ for cls in type(error).__mro__))):
            return True
        innermost = _innermost(error.__traceback__)
        module = "" if innermost is None else innermost.tb_frame.f_globals.get("__name__", "")
        at_the_call = module == __name__ and (not self.compiler.raises or isinstance(error, TypeError))
        return at_the_call or self.compiler.is_own(module)

    def line_of(self, error: BaseException) -> Location | None:
        """The last line of the function's file that an exception passed through or names; none if it does neither."""
        code = self.code
        if code is None:
            return None
        lines = [step.tb_lineno for step in _steps(error.__traceback__) if _file(step) == code.co_filename]
        named = [
            int(line)
            for file, line in LINES.findall(plain_text(error))
            if code.co_filename.endswith(_tail(file))
        ]
        found = next(iter([*reversed(lines), *named]), None)
        return None if found is None else Location(code.co_filename, found, code.co_qualname)

    def _note(self, said: str, where: Location | None, values: Iterable[Any]) -> None:
        given = shortened(", ".join(map(said_of, values)), 200)
        message = f"{self.compiler.spelled} does not take ({given}): {said}"
        self.asked.setdefault(said, finding("AC304", message, location=where))

    def keep(self, said: str) -> None:
        """Keep the note on a refusal of a call that the function takes, each kind once."""
        key = NUMBER.sub("#", said)
        if said in self.asked and key not in self.refused and len(self.refused) < MOST_REFUSED:
            self.refused[key] = self.asked[said]

    def takes(self, call: Call) -> bool:
        """Return whether the compiler takes the arrays of a call, by its own rules."""
        leaves = leaves_of((call.args, dict(call.kwargs)))
        return all(self.compiler.takes(leaf.dtype) for leaf in leaves if isinstance(leaf, np.ndarray))

    def not_taken(self, call: Call, message: str) -> None:
        """Note what it does with a call that it should have refused."""
        said = f"it does not say so: {GRAPH.sub(self.compiler.spelled, message)}"
        self._note(said, None, (*call.args, *call.kwargs.values()))
        self.keep(said)

    def as_taken(self, call: Call) -> Call:
        """The call as the compiler takes it: with floats of 32 bits where it makes them so, for both sides alike."""
        if not self.compiler.narrows():
            return call
        args, kwargs = rebuilt((call.args, dict(call.kwargs)), self._narrowed)
        return replace(call, args=args, kwargs=kwargs)

    def _narrowed(self, leaf: Any) -> Any:
        if type(leaf) is not np.ndarray or leaf.dtype.kind not in "fc":
            return leaf
        narrow = NARROW.get(leaf.dtype.name)
        if narrow is None:
            return leaf
        self.told[f"x64 is off: arguments of {leaf.dtype.name} are given as {narrow}, to both sides"] = None
        with np.errstate(all="ignore"):
            return leaf.astype(np.dtype(narrow).newbyteorder(leaf.dtype.byteorder))

    def notes(self, start: Location | None) -> list[Finding]:
        """All that is to be told of it."""
        told = [finding("AC307", one, location=start) for one in self.told]
        return [*(replace(one, location=one.location or start) for one in self.refused.values()), *told]

    def __str__(self) -> str:
        return f"{self.compiler.spelled} {self.compiler.version}".strip()


NARROW: Final = {"float64": "float32", "complex128": "complex64"}
"""What becomes of floats of 64 bits where there are only 32; integers are left, they may fit."""


def said_of(value: Any) -> str:
    """An argument in a few words, by its type."""
    text = described(Camera().picture(value))
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        text += " not contiguous"
    elif isinstance(value, np.ndarray) and not value.flags.writeable:
        text += " read-only"
    return text


def first_line(error: BaseException) -> str:
    """Return the class of an exception and the line of its message that tells most."""
    lines = [line.strip() for line in plain_text(error).splitlines() if line.strip()]
    telling = [
        line for line in lines if not line.startswith(("Failed in nopython", "File ", "During:", "Use of"))
    ]
    return shortened(f"{type(error).__name__}: {(telling or lines or [''])[0]}", 200)


def plain_text(error: BaseException) -> str:
    """The message of an exception, without colours."""
    return ESCAPES.sub("", str(error))


def _steps(traceback: TracebackType | None) -> list[TracebackType]:
    found: list[TracebackType] = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _innermost(traceback: TracebackType | None) -> TracebackType | None:
    return next(reversed(_steps(traceback)), None)


def _file(step: TracebackType) -> str:
    return step.tb_frame.f_code.co_filename


def _tail(file: str) -> str:
    """The end of a path that a message may have made relative."""
    return file.replace("../", "").replace("..\\", "")
