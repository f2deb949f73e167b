"""A compiled loop: it is called by the NumPy program around it, and undoes what it has written when it gives up."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from astrace.backends.base import EXACT, Mode
from astrace.backends.native.background.turn import Awaited, Turn
from astrace.backends.native.entry.admission import NOT_ADMITTED, admission, settings_admission
from astrace.backends.native.entry.checks import (
    KNOWN,
    TEST,
    TEST_KNOWN,
    are_possible,
    checks_of,
    objects_for,
    usual_settings,
)
from astrace.backends.native.entry.fitting import Fitting, Lower
from astrace.backends.native.entry.frame import EntryFrame, declined, left_alone, not_implemented
from astrace.backends.native.entry.keeping import keeping
from astrace.backends.native.entry.ledger import EVER, Ledger
from astrace.backends.native.judge import ASKING, AT_LENGTH, Contestant, Judge, ResultsDiffer
from astrace.backends.native.machine_code import KernelCode, KernelText, Uncompiled
from astrace.backends.native.source import KernelSource, write
from astrace.backends.native.undoing import by_python, may_give_up_late
from astrace.errors import Reason
from astrace.ir.walk import uses
from astrace.locations import Location
from astrace.ops.lowered_draws import DRAWN
from astrace.passes.lowering.lower import LoweredBlock
from astrace.util.own_work import OwnWork

MOST_FAILURES: Final = 3
"""A kernel that has given up so often in a row is not called any more, or seldom where nobody judges."""
MOST_SPARED: Final = 8
"""A kernel in which products were not certain so often in a row has calls in their place from then on."""
BEFORE_REST: Final = 8
"""The number of calls in a row that are not admitted after which a kernel is not asked about each one."""
LONGEST_REST: Final = 2**12
"""The most calls that nobody is asked about, before one that is."""
LONGEST_PAUSE: Final = 6
"""The same for kernels that give up, as a power of two: arguments may be others by then."""
BETWEEN_LOOKS: Final = 5e-3
"""Seconds between two looks whether another process has compiled a kernel."""


class Kernel:
    """A compiled loop; a program calls its ``entry``.

    ``runs`` counts the calls that came to their end, ``failures`` those in a row that did not.  One ``is_retired`` that
    has failed, or that costs more than it saves: ``on_retired`` is called then, and ``on_machine_code`` once calls are machine
    code's own.  One that ``is_awaited`` is being compiled by
    another process, or stands back for one that is.  ``nothing`` is what ``entry`` returns where it has not come to its end.

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
        lower: gives the lowered form for arguments of some sizes, with products of few numbers written out, or as calls.
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
        lower: Lower | None = None,
    ) -> None:
        self.__name__ = source.name
        self.refused: Reason | None = None
        self.is_retired = False
        self.is_awaited = self.has_machine_code = False
        self.on_retired: Callable[[], None] | None = None
        self.on_machine_code: Callable[[], None] | None = None
        self.machine_code: KernelCode | None = None
        self.fitting = Fitting(lower)
        self._spare: Kernel | None = None
        self._left = 0
        self._file = file
        self._compiled = compiled
        self._judge = judge
        self._location = location
        self._what = what
        self._turn = turn
        self._next_look = 0.0
        self.mode = mode
        self._before = before
        self.results = lowered.results
        numbers = [result for result in lowered.results if result.argument is None]
        self._has_numbers = bool(numbers)
        self.nothing: Any = (False, *(None for _ in numbers)) if numbers else False
        self._take(lowered, source)
        self._ledger = Ledger()
        self._failures = self._runs_before = 0
        self._frame = EntryFrame(
            source.name, len(lowered.block.inputs), lowered.results, self._asked, lowered.constants
        )
        self.entry: Callable[..., Any] = self._frame.function
        self.words = self._frame.words
        self.constants: tuple[Any, ...] = tuple(lowered.constants)

    def _take(self, lowered: LoweredBlock, source: KernelSource) -> None:
        """Be the kernel of a lowered form from now on."""
        self._lowered, self.source = lowered, source
        self._admit = admission(lowered)
        self._checks = checks_of(lowered)
        self._admits_settings = settings_admission(lowered)

    def _fit(self, args: Sequence[Any], has_given_up: bool = False) -> bool:
        """Take the lowered form for the sizes of arguments; return whether it is another one than before."""
        with OwnWork():
            lowered = self.fitting.form(self._lowered, args, has_given_up)
            if lowered is None:
                return False
            self._take(lowered, write(lowered, self.source.name, parallel=self.mode.parallel))
        self.machine_code = None
        self._frame.use(not_implemented)
        vars(self).pop("_run", None)
        return True

    @property
    def runs(self) -> int:
        """The calls that came to their end."""
        return self._ledger.runs + (self._spare.runs if self._spare is not None else 0)

    @property
    def failures(self) -> int:
        """The calls in a row that did not."""
        return self._failures if self._ledger.runs == self._runs_before else 0

    def _asked(self, found: Any, *args: Any) -> Any:
        """Run it, or not, where machine code has done neither by itself, or has given up.

        Returns:
            Whether it has come to its end, and what the loop puts out; the truth value alone of one that puts out
            nothing.
        """
        if found is NotImplemented:
            found = self._in_another_order(args)
        if found is NotImplemented and self._settings_are_known():
            found = self._frame.machine(*args, *(None,) * KNOWN)
        if found is not NotImplemented and found is not ...:
            return self._told(found, args)
        if self.is_retired or self._is_behind_awaited or (self.is_awaited and self._waits()):
            return self.nothing
        self._settle()
        if "_run" not in vars(self):
            self._fit(args)
        magnitude = self._admit(*args)
        if magnitude == NOT_ADMITTED:
            self._rest()
            return self.nothing
        self._left = 0
        given = self._chosen(args, magnitude)
        self._grant()
        return given

    def _in_another_order(self, args: Sequence[Any]) -> Any:
        """Return what machine code for axes in another order gives."""
        code = self.machine_code
        if code is None or self._frame.machine is not code.latest:
            return NotImplemented
        found = code.in_another_order(args)
        if self._frame.machine is not code.latest:
            self._frame.use(code.latest)
        return found

    def _told(self, found: Any, args: Sequence[Any]) -> Any:
        """Return as a call does, for what machine code has given."""
        if found is None and (spare := self._spare_for(args)) is not None:
            found = spare._kept(args)
            return self.nothing if found is None else self._frame.result(found, args)
        if found is None and self._failed(args) and self._judge is None:
            return self._asked(NotImplemented, *args)
        return self._frame.result(found, args) if found else self.nothing

    def _settings_are_known(self) -> bool:
        """Return whether NumPy's settings are not the usual ones, yet as the kernel needs them; each is looked at once."""
        usual = usual_settings()
        if not self._checks.settings or usual is None:
            return False
        settings = usual[0].get()
        if self._ledger.has_accepted(settings):
            return True
        if settings is usual[1] or not self._admits_settings():
            return False
        self._ledger.accept(settings)
        return True

    def _rest(self) -> None:
        """Count a call that was not admitted; after some in a row leave ever more calls to NumPy without being asked."""
        self._left += 1
        if self._left >= BEFORE_REST:
            self._pause(self._left - BEFORE_REST)

    def _pause(self, times: int) -> None:
        """Leave calls to NumPy without being asked, the more the longer nothing came of them."""
        self._frame.use(left_alone(min(2**times, LONGEST_REST)))

    def _chosen(self, args: Sequence[Any], magnitude: int) -> Any:
        """Run what is chosen; return as a call does."""
        if self._judge is not None:
            chosen = self._judge.choose(magnitude)
            if chosen is None:
                return self._compared(self._judge, args, magnitude)
            if not chosen:
                return self._decline(self._judge)
        made = self._made(args)
        return self.nothing if made is None else made

    # -- what need not be asked ----------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Tell the judge of the calls for which nobody was asked."""
        if self._judge is None:
            return
        for magnitude in self._judge.times:
            calls = self._ledger.settle(magnitude)
            if calls:
                self._judge.count(magnitude, calls)

    def _grant(self) -> None:
        """Let the next calls be machine code's own, if there is some and it can test its arguments."""
        code = self.machine_code
        if self._is_off or code is None or not are_possible(self._checks):
            return
        is_same = self._frame.machine is code.latest
        if not is_same:
            self._frame.use(code.latest)
        if self._judge is not None:
            for known in self._judge.times:
                self._ledger.grant(known, self._judge.grant(known))
        elif not is_same:
            self._ledger.grant_all(EVER)
        if not self.has_machine_code:
            self.has_machine_code = True
            if self.on_machine_code is not None:
                self.on_machine_code()

    def _waits(self) -> bool:
        """Return whether machine code has still to come; looked at now and then."""
        now = time.monotonic()
        if now < self._next_look or self._turn is None:
            return True
        self._next_look = now + BETWEEN_LOOKS
        with OwnWork():
            self.is_awaited = self._turn.is_taken
        return self.is_awaited

    @property
    def _is_behind_awaited(self) -> bool:
        """True while the kernel that is asked before this one is being compiled: this one may never be needed."""
        before = self._before
        return before is not None and before.is_awaited and not before.is_retired

    def _decline(self, judge: Judge) -> Any:
        """Leave a loop to NumPy; retire where that happens too often."""
        if judge.loses:
            self._retire()
        return self.nothing

    def _retire(self) -> None:
        """Decline all calls from now on."""
        if self.is_retired:
            return
        self.is_retired = True
        self._frame.use(declined)
        if self.on_retired is not None:
            self.on_retired()

    def restore(self) -> None:
        """Take calls again, after arguments have become larger; one that has failed does not."""
        if self._judge is not None and self.failures < MOST_FAILURES:
            self._judge.forgive()
            self.is_retired = False
            self._frame.use(not_implemented)

    def _compared(self, judge: Judge, args: Sequence[Any], magnitude: int) -> Any:
        """Run the kernel on copies and NumPy's program on the arguments; return as a call does."""
        try:
            with OwnWork():
                outputs = judge.compare(self._contestant, args, magnitude)
        except ResultsDiffer as found:
            self._refuse("its results were not NumPy's")
            outputs = found.expected
        if outputs is None:
            return self.nothing
        numbers = [
            output for output, result in zip(outputs, self.results, strict=True) if result.argument is None
        ]
        return (True, *numbers) if numbers else True

    @property
    def _contestant(self) -> Contestant:
        """The kernel in a trial; the copies are tested as the arguments were."""
        return Contestant(self._made, self._admits, self._outputs, self._asking)

    def _admits(self, args: Sequence[Any]) -> bool:
        return self._passes(args) or self._admit(*args) != NOT_ADMITTED

    def _outputs(self, made: Any, args: Sequence[Any]) -> list[Any]:
        """Return all outputs of the loop, of what a call of the kernel has given."""
        numbers = iter(made[1:] if self._has_numbers else ())
        return [
            next(numbers) if result.argument is None else args[result.argument] for result in self.results
        ]

    def _passes(self, args: Sequence[Any]) -> bool:
        """Return whether machine code passes arguments by itself."""
        code = self.machine_code
        if code is None or not are_possible(self._checks):
            return False
        extra = TEST_KNOWN if self._settings_are_known() else TEST
        return code.latest(*args, *(None,) * extra) is ...

    def _asking(self, args: Sequence[Any]) -> float:
        """Return the seconds that it takes to ask about arguments."""
        return ASKING if self._passes(args) else AT_LENGTH

    @property
    def is_used(self) -> bool:
        """True while calls run the kernel, and none that is asked before it."""
        if self._is_off or self._stands_back:
            return False
        return self._judge is None or self._judge.prefers_kernel

    @property
    def _is_off(self) -> bool:
        """True for a kernel that is not called any more, or seldom, since it has given up."""
        return self.is_retired or self.failures >= MOST_FAILURES

    @property
    def _stands_back(self) -> bool:
        """True while calls run a kernel that is asked before this one."""
        return self._before is not None and (self._before.is_used or self._before._stands_back)

    @property
    def is_judged(self) -> bool:
        """True once it is known whether calls run the kernel."""
        return self.is_retired or self._stands_back or self._judge is None or self._judge.knows

    def __str__(self) -> str:
        """The loop, and what runs it."""
        place = self._what if self._location is None else f"{self._what} in line {self._location.line}"
        if self.refused is not None:
            return f"{place}: NumPy; {self.refused.message}"
        if self.failures >= MOST_FAILURES:
            return f"{place}: NumPy; machine code gives up"
        if not self.runs and self._before is not None and self._before.is_used:
            return f"{place}: part of the machine code above, and by itself where that gives up"
        if self.is_awaited:
            return (
                f"{place}: NumPy, until another process has made machine code (backend='native' waits for it)"
            )
        if self._judge is None:
            return f"{place}: machine code{self._manner()}"
        return f"{place}: {self._judge}{self._manner()}"

    def _manner(self) -> str:
        """Return how the kernel computes, if that is not as usual."""
        return f", {self.mode}" if self.mode != EXACT else ""

    def _made(self, args: Sequence[Any]) -> Any:
        """Run the kernel; return what a call of it gives, or ``None`` if it has given up.

        Making Python's objects of what machine code returns may take as long as the loop: a trial times both.
        """
        found = self._kept(args)
        return None if found is None else self._frame.result(found, args)

    def _kept(self, args: Sequence[Any]) -> Any:
        """Run the kernel; return its outputs, or ``None`` if it has given up and put back what it has written."""
        try:
            found = self._run(*args)
        except Awaited:
            self.is_awaited = True
            return None
        if found is not None and (found[0] if self._has_numbers else found):
            return found
        if (spare := self._spare_for(args)) is not None:
            return spare._kept(args)
        if self._failed(args) and self._judge is None and self._admit(*args) != NOT_ADMITTED:
            return self._kept(args)
        return None

    def _spare_for(self, args: Sequence[Any]) -> Kernel | None:
        """Return the kernel with calls in place of products, for a call in which one was not certain; after several in a row there is none.

        Data with a NaN among them may come once: what comes afterwards need not take longer for that.
        """
        if self._judge is not None or self.failures + 1 >= MOST_SPARED:
            return None
        if self._spare is None:
            with OwnWork():
                lowered = self.fitting.with_calls(self._lowered, args)
            if lowered is None:
                return None
            source = write(lowered, self.source.name, parallel=self.mode.parallel)
            self._spare = Kernel(lowered, source, self._file, self._compiled, mode=self.mode)
        self._failures, self._runs_before = self.failures + 1, self._ledger.runs
        return self._spare if self._spare._admit(*args) != NOT_ADMITTED else None

    def _failed(self, args: Sequence[Any]) -> bool:
        """Count a call that did not come to its end, and rest or retire after several in a row; or return that there is another form for it."""
        if self._fit(args, has_given_up=True):
            return True
        failures = self.failures + 1
        self._failures, self._runs_before = failures, self._ledger.runs
        if failures >= MOST_FAILURES and self._judge is not None:
            self._retire()
        elif failures >= MOST_FAILURES:
            self._pause(min(failures - MOST_FAILURES, LONGEST_PAUSE))
        return False

    @functools.cached_property
    def _run(self) -> Callable[..., Any]:
        """The kernel as a function, which puts back what it has written where it gives up."""
        if self._compiled:
            return self._through_machine()
        return by_python(self.source, self._lowered, self._file, self._has_numbers, self._ledger.ran)

    def _refuse(self, message: str) -> Callable[..., Any]:
        """Refuse the kernel for good; return what runs it: it always gives up."""
        self._failures, self._runs_before = MOST_FAILURES, self._ledger.runs
        self.refused = Reason("AT307", message, None)
        self._retire()
        return lambda *_: None

    def _through_machine(self) -> Callable[..., Any]:
        """The machine code; it gives up where there is none for the arguments."""
        block = self._lowered.block
        is_late = may_give_up_late(self._lowered)
        lowered, kept = keeping(self._lowered, not self.mode.parallel) if is_late else (self._lowered, ())
        source = write(lowered, self.source.name, for_numba=True, parallel=self.mode.parallel)
        drawn = [index for index in lowered.written if block.inputs[index].spec in DRAWN]
        used = uses(block)
        specs = tuple(value.spec if value in used else None for value in block.inputs)
        text = KernelText(
            source, self._file, specs, tuple(drawn) if is_late else (), self._checks, self.mode, kept
        )
        self.machine_code = KernelCode(text, objects_for(self._lowered, self._ledger), self._turn)

        def run(*args: Any) -> Any:
            try:
                return code(*args)
            except Uncompiled as error:
                return self._refuse(str(error))()

        code = self.machine_code
        return run
