"""Direct calls: machine code in front of a dispatcher, that tests guards and runs a kernel, or calls generated source.

Takes the specialisations in the dispatcher's order, up to the first that runs as plain Python or has no machine code yet, and gives what is
called in the dispatcher's place.  Those whose guards machine code can't test are left out: a call that fits others as well gets the same
from each.  Knows nothing of how machine code tests guards.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from astrace.backends.native.backend import is_available
from astrace.backends.native.direct.call import call_of_function
from astrace.backends.select import preferred
from astrace.compiler.stages import Counter, Entry, Options

EARLY: Final = 5_000
"""The calls after which machine code tests the guards of a function that is no machine code itself, if what loads it is there."""
LATE: Final = 100_000
"""The same if that has to be imported, which takes as long as so many calls save."""
LOADER: Final = "llvmlite.binding"
BY_PLACE: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class CallCounter:
    """Counts the calls of a function, and tells when there are enough of them for direct calls.

    Dispatchers take ``steps`` until they are used up, machine code counts in ``words``, and all others call ``step``.

    Args:
        options: of the function.
    """

    def __init__(self, options: Options) -> None:
        self.words: NDArray[np.int64] = np.zeros(1, np.int64)
        self.is_hot = False
        self._others = Counter()
        self._counters = [Counter(EARLY if _may_be_hot(options) else sys.maxsize)]

    @property
    def steps(self) -> Iterator[None]:
        """One item for each call."""
        return self._counters[-1].steps

    @property
    def step(self) -> Callable[[], None]:
        """Counts a call."""
        return self._others.step

    @property
    def value(self) -> int:
        """The number of calls so far."""
        return sum(counter.value for counter in (self._others, *self._counters)) + int(self.words[0])

    def used_up(self) -> None:
        """Give more ``steps``, unless somebody has; the function is hot if there were enough of them."""
        if operator.length_hint(self.steps):
            return
        self.is_hot = self.is_hot or LOADER in sys.modules or self.value >= LATE
        self._counters.append(Counter(sys.maxsize if self.is_hot else LATE))


def _may_be_hot(options: Options) -> bool:
    """Return whether machine code may test the guards of a function."""
    backend = preferred() if options.backend == "auto" else options.backend
    return backend in ("auto", "native") and options.to is None and is_available()


def with_direct_calls(
    dispatch: Callable[..., Any], signature: inspect.Signature, entries: Sequence[Entry], calls: CallCounter
) -> Callable[..., Any]:
    """Return what takes the calls of a function in front of its dispatcher; the dispatcher where nothing does.

    Args:
        dispatch: the dispatcher.
        signature: of the function.
        entries: the specialisations, in order.
        calls: counts.
    """
    for entry in reversed(list(takewhile(lambda entry: _is_ready(entry, calls), entries))):
        dispatch = _direct(dispatch, signature, entry, calls)
    return dispatch


def _is_ready(entry: Entry, calls: CallCounter) -> bool:
    """Return whether there is, or may be, machine code for the calls of a specialisation."""
    return entry.specialisation.on_plain is None and (calls.is_hot or _has_kernel(entry))


def _has_kernel(entry: Entry) -> bool:
    executable = entry.stages.executable
    return executable is not None and executable.direct is not None and executable.direct.is_ready


def _direct(
    otherwise: Callable[..., Any], signature: inspect.Signature, entry: Entry, calls: CallCounter
) -> Callable[..., Any]:
    """Return what takes the calls of one specialisation, and leaves all others."""
    found, executable, graph = entry.specialisation, entry.stages.executable, entry.stages.graph
    assert executable is not None and graph is not None
    given = [one for one in signature.parameters.values() if one.name not in found.omitted]
    if any(one.kind not in BY_PLACE for one in given) or given != list(_leading(signature, len(given))):
        return otherwise
    names, made = [one.name for one in given], None
    if executable.direct is not None and executable.direct.is_ready:
        made = executable.direct.call(names, found.guards, graph.inputs, otherwise, calls.words)
    if made is None and calls.is_hot:
        made = call_of_function(names, found.guards, found.inputs, found.run, otherwise, calls.words)
    return made or otherwise


def _leading(signature: inspect.Signature, count: int) -> Iterator[inspect.Parameter]:
    """Yield the first parameters."""
    return (one for one, _ in zip(signature.parameters.values(), range(count), strict=False))
