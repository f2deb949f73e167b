"""One run of a function or a graph, and all that could be seen of it.

What a call gave, raised, printed, warned of, did to its arguments and to the state around it, as pictures: they
stay what they are when the next run starts from the same state.
"""

from __future__ import annotations

import contextlib
import io
import types
import warnings
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from astrace.check.compare.diff import difference, placed
from astrace.check.compare.snapshots import Camera, Picture, sharing
from astrace.check.compilers.tolerances import NONE, Tolerances
from astrace.check.isolation.time_limits import TimeUp, has_own_process, time_limit
from astrace.check.sandbox.copies import copied_call
from astrace.check.sandbox.world import Snapshot
from astrace.errors import InvalidArgument
from astrace.locations import Location


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The arguments of a call.

    Args:
        args: the positional ones.
        kwargs: the keyword ones.
        kind: how they came about, for reports.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    kind: str = "given"

    def copy(self) -> Call:
        """Return a copy of the arguments that keeps shared objects and shared memory shared.

        Raises:
            Exception: whatever an argument raises that can't be copied.
        """
        args, kwargs = copied_call(self.args, dict(self.kwargs))
        return Call(args, kwargs, self.kind)


def example_call(given: Any) -> Call:
    """An example call as the user may write it.

    Raises:
        InvalidArgument: it is neither a tuple of arguments, nor a dict of keyword arguments, nor a pair of both.
    """
    match given:
        case Call():
            return given
        case dict():
            return Call((), given)
        case tuple() as args if len(args) == 2 and isinstance(args[0], tuple) and isinstance(args[1], dict):
            return Call(args[0], args[1])
        case tuple():
            return Call(given)
        case _:
            raise InvalidArgument(
                f"check: an example is a tuple of arguments, a dict of keyword arguments or a pair of both, not {given!r}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """All that could be seen of one call.

    Args:
        result: what it gave.
        error: what it raised: the class and the message.
        printed: what it wrote to standard output and standard error.
        warned: the warnings it gave, but for idle ones.
        arguments: what became of its arguments.
        shared: which of arguments and result are one object, or share memory.
        state: what it changed outside.
        late: it did not end in time, or in memory.
        count: how many arguments there were.
        raised_at: the last line of the function's own file that an exception passed through.
    """

    result: Picture
    error: tuple[str, str] | None
    printed: str
    warned: tuple[tuple[str, str], ...]
    arguments: Picture
    shared: tuple[tuple[str, str], ...]
    state: tuple[tuple[str, Picture], ...]
    late: bool = False
    count: int = 0
    raised_at: Location | None = None


def observe(function: Callable[..., Any], call: Call, before: Snapshot, seconds: float) -> Outcome:
    """Call something and look; the state stays as the call leaves it.

    Args:
        function: what to call.
        call: the arguments; they are changed as the call changes them.
        before: the state from which changes are told.
        seconds: the most it may take.
    """
    printed = io.StringIO()
    result: Any = None
    error: tuple[str, str] | None = None
    raised_at: Location | None = None
    late = False
    with quiet(printed) as warned:
        try:
            with before.files.watched(), time_limit(seconds):
                result = function(*call.args, **call.kwargs)
        except TimeUp:
            late = True
        except Exception as raised:
            late = isinstance(raised, MemoryError)
            error = (type(raised).__qualname__, _message(raised))
            raised_at = _raised_at(raised)
        except SystemExit as raised:
            error = ("SystemExit", str(raised.code))
        except BaseException as raised:
            if not has_own_process():  # it may be meant to end the whole process
                raise
            error = (type(raised).__qualname__, _message(raised))
    camera = Camera()
    arguments = camera.picture((call.args, dict(call.kwargs)))
    told = tuple((one.category.__name__, str(one.message)) for one in warned if not _is_idle(one))
    shared = sharing([*call.args, *call.kwargs.values(), result])
    taken = Camera().picture(result)
    if isinstance(result, types.CoroutineType):
        result.close()  # it will never be awaited
    count = len(call.args) + len(call.kwargs)
    text = printed.getvalue()
    changed = before.changes()
    return Outcome(taken, error, text, told, arguments, shared, changed, late, count, raised_at)


def _raised_at(error: BaseException) -> Location | None:
    """Return the last line that an exception passed through in the file of the function that was called."""
    steps: list[types.TracebackType] = []
    step = error.__traceback__ and error.__traceback__.tb_next  # behind the call itself
    while step is not None:
        steps.append(step)
        step = step.tb_next
    own = [one for one in steps if one.tb_frame.f_code.co_filename == steps[0].tb_frame.f_code.co_filename]
    if not own:
        return None
    code = own[-1].tb_frame.f_code
    return Location(code.co_filename, own[-1].tb_lineno, code.co_qualname)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an exception whose text can't be made is one all the same
        return "?"


IDLE: Final = (RuntimeWarning, ResourceWarning, DeprecationWarning, PendingDeprecationWarning, FutureWarning)
"""Warnings without information on a program's results: floating point, files left open, deprecated names."""


def _is_idle(warning: warnings.WarningMessage) -> bool:
    return issubclass(warning.category, IDLE)


@contextlib.contextmanager
def quiet(printed: io.StringIO) -> Generator[list[warnings.WarningMessage]]:
    """A stretch of code that prints and warns into a box."""
    original = warnings.filters
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        warnings.catch_warnings(record=True) as warned,
    ):
        copied, filters = warnings.filters, cast("list[Any]", original)
        kept = list(filters)
        warnings.filters = original  # the very list, for code that looks at it
        warnings.simplefilter("always")
        try:
            yield warned
        finally:
            filters[:] = kept
            warnings.filters = copied


# -- two runs ----------------------------------------------------------------------------------------------

WHERE: Final = "the result"


@dataclass(frozen=True, slots=True)
class Divergence:
    """A difference that was seen between the function and its graph.

    Args:
        code: the code of the finding that it makes.
        message: what differs, in one sentence.
        call: the number of the call, of several in a row, from 0.
        refused: the graph refuses the call; what differs is seen without the check of its arguments.
        where: the line at which the function raises, where the graph does not raise the same.
    """

    code: str
    message: str
    call: int = 0
    refused: bool = False
    where: Location | None = None


def divergence(
    expected: Outcome, found: Outcome, ulps: int = 0, tolerances: Tolerances = NONE
) -> Divergence | None:
    """Return the first observable difference between two outcomes; nothing where there is none.

    Args:
        expected: the function's.
        found: the graph's.
        ulps: how far apart two floats may be, in units of the last place.
        tolerances: how far apart they may be otherwise.
    """
    if expected.late:
        return None
    if found.late:
        return Divergence("AC103", "the graph does not end, the function does")
    if expected.error != found.error:
        message = f"the graph {_ended(found)}, the function {_ended(expected)}"
        return Divergence("AC103", message, where=expected.raised_at)
    result = difference(expected.result, found.result, ulps, tolerances)
    if result is not None:
        return Divergence(result.code, f"{placed(WHERE, result.where)} is {result}")
    arguments = difference(expected.arguments, found.arguments, ulps, tolerances)
    if arguments is not None:
        return Divergence("AC104", f"{_argument(arguments.where)} is left as {arguments}")
    return _effects(expected, found, ulps) or _sharing(expected, found)


def _ended(outcome: Outcome) -> str:
    return "returns" if outcome.error is None else f"raises {outcome.error[0]}: {outcome.error[1]}"[:200]


def _argument(where: str) -> str:
    """Name a place in the pair of positional and keyword arguments."""
    if where.startswith("[0]["):
        number, _, rest = where[4:].partition("]")
        return placed(f"argument {int(number) + 1}", rest)
    if where.startswith("[1]['"):
        name, _, rest = where[5:].partition("']")
        return placed(f"argument {name}", rest)
    return "an argument"


def _effects(expected: Outcome, found: Outcome, ulps: int) -> Divergence | None:
    if expected.printed != found.printed:
        return Divergence(
            "AC106", f"the graph prints {_quoted(found.printed)} instead of {_quoted(expected.printed)}"
        )
    if expected.warned != found.warned:
        return Divergence(
            "AC106", f"the graph warns of {_warned(found)} instead of {_warned(expected)}"[:200]
        )
    left, right = dict(expected.state), dict(found.state)
    for path, picture in left.items():
        if path not in right:
            return Divergence("AC106", f"the graph does not change `{path}`, the function does")
        apart = difference(picture, right[path], ulps)
        if apart is not None:
            return Divergence(
                "AC106", f"the graph leaves {placed(path, apart.where, quoted=True)} as {apart}"
            )
    for path in right:
        if path not in left:
            return Divergence("AC106", f"the graph changes `{path}`, the function does not")
    return None


def _warned(outcome: Outcome) -> str:
    return ", ".join(f"{kind}: {text}" for kind, text in outcome.warned) or "nothing"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _sharing(expected: Outcome, found: Outcome) -> Divergence | None:
    if expected.shared == found.shared:
        return None
    lost = [pair for pair in expected.shared if pair not in found.shared]
    pair = (lost or [pair for pair in found.shared if pair not in expected.shared])[0]
    left, right = (_shared_name(name, expected.count) for name in pair)
    told = "no longer shares memory with" if lost else "shares memory with"
    return Divergence("AC105", f"{left} {told} {right}")


def _shared_name(name: str, count: int) -> str:
    """Name an object that ``sharing`` numbers."""
    digits = (
        name[1:] if name[1:].isdigit() else name[1 : min(map(name.find, filter(name.__contains__, ".[")))]
    )
    rest = name[1 + len(digits) :]
    return placed(f"argument {int(digits) + 1}" if int(digits) < count else WHERE, rest)
