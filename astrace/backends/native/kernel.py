"""A compiled loop: it is called by the NumPy program around it, and undoes what it has written when it gives up."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.base import EXACT, Mode
from astrace.backends.native import host
from astrace.backends.native.admission import NOT_ADMITTED, admission
from astrace.backends.native.background.turn import Awaited, Turn
from astrace.backends.native.judge import Judge, ResultsDiffer
from astrace.backends.native.machine_code import KernelCode, KernelText, Uncompiled
from astrace.backends.native.source import KernelSource, write
from astrace.backends.native.undoing import may_give_up_late
from astrace.errors import Reason
from astrace.ir.specs import PYTHON_TYPES, ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, UnionSpec
from astrace.ir.walk import uses
from astrace.locations import Location
from astrace.ops.lowered import FUNCTIONS
from astrace.passes.lowering.lower import LoweredBlock, LoweredResult

MOST_FAILURES: Final = 3
"""A kernel that has given up so often in a row is not called any more."""
BETWEEN_LOOKS: Final = 5e-3
"""Seconds between two looks whether another process has compiled a kernel."""


class Kernel:
    """A compiled loop.

    ``runs`` counts the calls that came to their end, ``failures`` those in a row that did not.  One ``is_retired`` that
    has failed, or that costs more than it saves: ``on_retired`` is called then.  One that ``is_awaited`` is being compiled by
    another process, or stands back for one that is.

    Args:
        lowered: the block.
        source: its text.
        file: the user's file.
        compiled: through Numba; else Python runs the text.
        judge: chooses between the kernel and NumPy's program; without one, the kernel always runs.
        location: the user's line.
        what: is compiled, for texts.
        turn: asks another process for machine code; without one, the call that needs it compiles.
        mode: what it may do to be faster.
        before: the kernel that is asked before it.
    """

    def __init__(
        self,
        lowered: LoweredBlock,
        source: KernelSource,
        file: str,
        compiled: bool = True,
        judge: Judge | None = None,
        location: Location | None = None,
        what: str = "the loop",
        turn: Turn | None = None,
        mode: Mode = EXACT,
        before: Kernel | None = None,
    ) -> None:
        self.__name__ = source.name
        self.source = source
        self.runs = 0
        self.failures = 0
        self.refused: Reason | None = None
        self.is_retired = False
        self.is_awaited = False
        self.on_retired: Callable[[], None] | None = None
        self.machine_code: KernelCode | None = None
        self._lowered = lowered
        self._file = file
        self._compiled = compiled
        self._judge = judge
        self._location = location
        self._what = what
        self._turn = turn
        self._next_look = 0.0
        self.mode = mode
        self._before = before
        self._results = lowered.results
        numbers = [result for result in lowered.results if result.number is not None]
        self._convert = tuple(map(_converter, numbers))
        self._nothing: Any = (False, *(None for _ in numbers)) if numbers else False
        self._admit = admission(lowered)

    def __call__(self, *args: Any) -> Any:
        """Run it.

        Returns:
            Whether it has come to its end, and what the loop puts out; the truth value alone of one that puts out
            nothing.
        """
        if self.is_retired or (self.is_awaited and self._waits()):
            return self._nothing
        magnitude = self._admit(*args)
        if magnitude == NOT_ADMITTED:
            return self._nothing
        if self._judge is not None:
            chosen = self._judge.choose(magnitude)
            if chosen is None:
                return self._compared(self._judge, args, magnitude)
            if not chosen:
                return self._decline(self._judge)
        found = self._kept(args)
        if found is None:
            return self._nothing
        return (True, *[convert(found, args) for convert in self._convert]) if self._convert else True

    def _waits(self) -> bool:
        """Return whether machine code has still to come; looked at now and then."""
        now = time.monotonic()
        if now < self._next_look or self._turn is None:
            return True
        self._next_look = now + BETWEEN_LOOKS
        self.is_awaited = self._turn.is_taken
        return self.is_awaited

    def _decline(self, judge: Judge) -> Any:
        """Leave a loop to NumPy; retire where that happens too often."""
        if judge.loses:
            self._retire()
        return self._nothing

    def _retire(self) -> None:
        """Decline all calls from now on."""
        if self.is_retired:
            return
        self.is_retired = True
        if self.on_retired is not None:
            self.on_retired()

    def restore(self) -> None:
        """Take calls again, after arguments have become larger; one that has failed does not."""
        if self._judge is not None and self.failures < MOST_FAILURES:
            self._judge.forgive()
            self.is_retired = False

    def _compared(self, judge: Judge, args: Sequence[Any], magnitude: int) -> Any:
        """Run the kernel on copies and NumPy's program on the arguments; return as a call does."""
        try:
            outputs = judge.compare(self._admitted_outputs, args, magnitude)
        except ResultsDiffer as found:
            self._refuse("its results were not NumPy's")
            outputs = found.expected
        if outputs is None:
            return self._nothing
        numbers = [
            output for output, result in zip(outputs, self._results, strict=True) if result.number is not None
        ]
        return (True, *numbers) if numbers else True

    def _admitted_outputs(self, args: Sequence[Any]) -> list[Any] | None:
        """Run on copies of arguments; return all outputs of the loop, or ``None`` where the kernel gives up.

        The copies are tested as the arguments were: a trial takes as long as a call.
        """
        found = self._kept(args) if self._admit(*args) != NOT_ADMITTED else None
        if found is None:
            return None
        numbers = iter(self._convert)
        return [
            next(numbers)(found, args) if result.number is not None else args[result.argument or 0]
            for result in self._results
        ]

    @property
    def is_used(self) -> bool:
        """True while calls may run the kernel."""
        return not self.is_retired and (self._judge is None or self._judge.prefers_kernel)

    @property
    def is_judged(self) -> bool:
        """True once it is known whether calls run the kernel."""
        if self._before is not None and self._before.is_used:
            return True
        return self.is_retired or self._judge is None or self._judge.knows

    def __str__(self) -> str:
        """The loop, and what runs it."""
        place = self._what if self._location is None else f"{self._what} in line {self._location.line}"
        if self.refused is not None:
            return f"{place}: NumPy; {self.refused.message}"
        if self.failures >= MOST_FAILURES:
            return f"{place}: NumPy; machine code gives up"
        if self.is_awaited:
            return f"{place}: NumPy; another process makes machine code"
        if self._judge is None:
            return f"{place}: machine code{self._manner()}"
        return f"{place}: {self._judge}{self._manner()}"

    def _manner(self) -> str:
        """Return how the kernel computes, if that is not as usual."""
        return f", {self.mode}" if self.mode != EXACT else ""

    def _kept(self, args: Sequence[Any]) -> Any:
        """Run the kernel; return its outputs, or ``None`` if it has given up and put back what it has written."""
        try:
            found = self._run(*args)
        except Awaited:
            self.is_awaited = True
            return None
        if found is not None and (found[0] if self._convert else found):
            self.failures = 0
            self.runs += 1
            return found
        self.failures += 1
        if self.failures >= MOST_FAILURES:
            self._retire()
        return None

    @functools.cached_property
    def _run(self) -> Callable[..., Any]:
        """The kernel as a function, which puts back what it has written where it gives up."""
        if not self._compiled:
            return self._through_python()
        return self._through_machine()

    def _refuse(self, message: str) -> Callable[..., Any]:
        """Refuse the kernel for good; return what runs it: it always gives up."""
        self.failures = MOST_FAILURES
        self.refused = Reason("AT307", message, None)
        self._retire()
        return lambda *_: None

    def _through_machine(self) -> Callable[..., Any]:
        """The machine code; it gives up where there is none for the arguments."""
        source = write(self._lowered, self.source.name, for_numba=True, parallel=self.mode.parallel)
        block = self._lowered.block
        written = self._lowered.written if may_give_up_late(self._lowered) else ()
        used = uses(block)
        specs = tuple(value.spec if value in used else None for value in block.inputs)
        text = KernelText(source, self._file, specs, written, self.mode)
        self.machine_code = KernelCode(text, self._turn)

        def run(*args: Any) -> Any:
            try:
                return code(*args)
            except Uncompiled as error:
                return self._refuse(str(error))()

        code = self.machine_code
        return run

    def _through_python(self) -> Callable[..., Any]:
        """The text as Python runs it; it gives up where NumPy would warn, as compiled code does."""
        source, written, exact = self.source, self._lowered.written, self._lowered.is_exact
        functions = {**FUNCTIONS, **host.HOST}
        function = source.loaded(
            self._file, lambda namespace: host.bound(namespace, functions, host.LOOPS), lambda part: part
        )

        def run(*args: Any) -> Any:
            before = [args[index].copy() for index in written]
            try:
                with np.errstate(all="raise" if exact else "ignore", under="ignore"):
                    found = function(*args)
            except FloatingPointError:
                found = None
            if found is None or not (found[0] if self._convert else found):
                for index, old in zip(written, before, strict=True):
                    args[index][...] = old
            return found

        return run


def _converter(result: LoweredResult) -> Callable[[Any, Sequence[Any]], Any]:
    """Return what makes Python's object of what a kernel returns, given that and the arguments.

    A number that the loop only hands on is the object that came in.
    """
    made = _maker(result)
    if result.origin is None:
        return lambda found, _args: made(found)
    place = 1 + result.origin
    return lambda found, args: args[found[place] - 1] if found[place] else made(found)


def _maker(result: LoweredResult) -> Callable[[Any], Any]:
    """Return what makes an object of a type out of what a kernel returns."""
    assert result.number is not None
    number = 1 + result.number
    if isinstance(result.spec, UnionSpec):
        first, second = map(_type_of, result.spec.options)
        assert result.tag is not None
        tag = 1 + result.tag
        return lambda found: (first if found[tag] else second)(found[number])
    if isinstance(result.spec, ArraySpec):
        return lambda found: found[number]
    kind = _type_of(result.spec)
    return lambda found: kind(found[number])


def _type_of(spec: Spec) -> Callable[[Any], Any]:
    if isinstance(spec, LiteralSpec):
        literal = spec.value
        return lambda _: literal
    if isinstance(spec, ScalarSpec):
        return PYTHON_TYPES[spec.kind]
    assert isinstance(spec, GenericSpec)
    return spec.dtype.type
