"""What earlier processes have found out about the functions of a hook's packages, on disk.

Takes names, arguments and decisions of functions; gives the decision of an earlier process for a function that is called
with arguments of these kinds.  A past decision says what to begin with and decides nothing about results: a function that
was left plain is left plain at its first call, and one whose graph was faster is captured there.  It does not hold any
more when a file has changed that the function or a part of its graph was written in, and is looked at anew after a
week.  Which functions are watched, and how, is not known here.
"""

from __future__ import annotations

import json
import os
import sys
import time
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from astrace.library.capture_time import COMPILER, LOADING
from astrace.library.policy import ARRAYS, Policy
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.util.trees import own_attributes
from astrace.version import __version__

KIND: Final = "decisions"
VALID: Final = 7 * 24 * 3600.0
"""Seconds after which a function is watched anew, whatever was found: machines and inputs change."""
MOST: Final = 4096
"""The number of decisions that are kept for some packages; the oldest go."""
GRAPH, PLAIN, PENDING = "graph", "plain", "pending"
AGAIN: Final = 0.5
"""The part of its time that a capture takes in a later process, which has the rewritten text on disk."""
TRIES: Final = 3
"""The number of processes in a row that may end before a function is decided; then it is left plain."""
SHARE: Final = 0.1
"""The part of a function's time that another try may take."""
PARTS: Final = 12
"""The number of arguments, items and attributes of which the kind is told."""
SIZES: Final = 3
"""Bits by which sizes have to differ to be of another kind."""

Stamp = tuple[int, int]
"""When a file was changed, in nanoseconds, and how long it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastDecision:
    """What a process has found out about a function that is called with arguments of some kinds.

    Args:
        runs_as: ``graph`` or ``plain``; ``pending`` where the process ended before its machine code was ready and judged.
        why: the decision in words.
        calls: how often it was called.
        before: seconds for a call as plain Python, where that was measured.
        after: the same through its graph.
        capturing: seconds of the processor that its captures took.
        tries: how many processes in a row have ended before that.
        files: the files that it depends on, and when each was changed.
        since: when this was found, in seconds since the epoch.
    """

    runs_as: str
    why: str
    calls: int
    before: float = 0.0
    after: float = 0.0
    capturing: float = 0.0
    tries: int = 0
    files: Mapping[str, Stamp] = field(default_factory=dict[str, Stamp])
    since: float = field(default_factory=time.time)

    @property
    def gain(self) -> float:
        """Seconds that its graph saves in a process like that one, its capture taken off."""
        return self.calls * (self.before - self.after) - AGAIN * self.capturing


class PastDecisions:
    """The decisions for the functions of some packages.

    Args:
        packages: what the hook compiles.
        policy: when it does.
    """

    def __init__(self, packages: Sequence[str], policy: Policy) -> None:
        self._packages = sorted(packages)
        self._policy = policy
        self._found: dict[str, PastDecision] | None = None
        self._pays = False

    def of(self, name: str) -> PastDecision | None:
        """Return what is known of a function, if it still holds.

        Args:
            name: as `name_of` gives it.
        """
        found = self._known.get(name)
        if found is None or not 0 <= time.time() - found.since <= VALID:
            return None
        return found if all(stamp_of(file) == stamp for file, stamp in found.files.items()) else None

    def is_worth(self, found: PastDecision) -> bool:
        """Return whether a function is to be captured at once.

        Its graph saves more than its capture takes, the loading of the compiler divided among all that do; or the function
        takes long, and its machine code may be ready by now.

        Args:
            found: as `of` gives it.
        """
        if found.runs_as == PENDING:
            return AGAIN * found.capturing + LOADING / 1e9 <= SHARE * found.calls * found.before
        return found.runs_as == GRAPH and found.gain > 0 and (self._pays or COMPILER in sys.modules)

    def keep(self, found: Mapping[str, PastDecision]) -> None:
        """Put decisions on disk, beside those that other processes have written there meanwhile.

        Args:
            found: by the names of their functions.
        """
        cache = current()
        if cache is None or not found:
            return
        merged = {name: one for name, one in self._read().items() if name not in found} | dict(found)
        kept = sorted(merged.items(), key=lambda item: item[1].since)[-MOST:]
        payload = json.dumps({name: asdict(one) for name, one in kept})
        cache.put(KIND, self._key, payload.encode())

    @property
    def is_empty(self) -> bool:
        """True if no earlier process has found anything out."""
        return not self._known

    @property
    def _known(self) -> Mapping[str, PastDecision]:
        """What is on disk; read when the first function asks."""
        if self._found is None:
            self._found = self._read()
            gains = [one.gain for one in self._found.values() if one.runs_as == GRAPH]
            self._pays = sum(gain for gain in gains if gain > 0) > LOADING / 1e9
        return self._found

    def _read(self) -> dict[str, PastDecision]:
        cache = current()
        payload = None if cache is None else cache.get(KIND, self._key)
        if payload is None:
            return {}
        try:
            data: dict[str, dict[str, Any]] = json.loads(payload)
            return {name: _restored(one) for name, one in data.items()}
        except (AttributeError, KeyError, TypeError, ValueError):  # nothing that was written here
            return {}

    @property
    def _key(self) -> bytes:
        settings = {name: value for name, value in os.environ.items() if name.startswith("ASTRACE_")}
        where = {name: settings[name] for name in sorted(settings) if name not in SILENT}
        versions = (__version__, sys.version, np.__version__, sys.platform)
        return key_of(KIND, self._packages, asdict(self._policy), versions, where)


SILENT: Final = frozenset({"ASTRACE_CACHE_DIR", "ASTRACE_LOGS", "ASTRACE_DEBUG"})
"""Settings that no decision depends on."""


def _restored(data: dict[str, Any]) -> PastDecision:
    """Return a past decision as it was written.

    Raises:
        TypeError: it is none.
        ValueError: neither.
    """
    files = {str(name): (int(when), int(size)) for name, (when, size) in data["files"].items()}
    numbers = {name: float(data[name]) for name in ("before", "after", "capturing", "since")}
    return PastDecision(
        runs_as=str(data["runs_as"]),
        why=str(data["why"]),
        calls=int(data["calls"]),
        tries=int(data["tries"]),
        files=files,
        **numbers,
    )


def stamp_of(file: str) -> Stamp | None:
    """Return when a file was changed, and how long it is; ``None`` where it is not there."""
    try:
        told = os.stat(file)  # noqa: PTH116 - the name of a code's file, as it is
    except (OSError, ValueError):
        return None
    return told.st_mtime_ns, told.st_size


def name_of(function: types.FunctionType, code: types.CodeType, kinds: str) -> str:
    """Return the name of a function and of the kinds of its arguments.

    Args:
        function: a function of a module.
        code: the code that it was written as.
        kinds: of its arguments, as `kinds_of` gives them; empty for any.
    """
    return f"{function.__module__}.{function.__qualname__}:{code.co_firstlineno}({kinds})"


def kinds_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Return the kinds of arguments: types, the dtypes, axes and rough sizes of arrays, the same of attributes and items.

    Example:
        >>> kinds_of((np.zeros((3, 3)), 2, [np.zeros(1000)]), {"by": 1.0})
        'd2^1, int, list(d1^3), by=float'
    """
    parts = [_kind(value, 1) for value in args[:PARTS]]
    return ", ".join([*parts, *(f"{name}={_kind(value, 1)}" for name, value in kwargs.items())])


def _kind(value: Any, depth: int) -> str:
    kind = type(value)
    if issubclass(kind, np.ndarray):
        # asked of the array itself: a subclass may run code of the library's
        size = int(ARRAY_SIZE.__get__(value))
        return f"{ARRAY_DTYPE.__get__(value).char}{ARRAY_AXES.__get__(value)}^{size.bit_length() // SIZES}"
    if not depth or kind in PLAIN_KINDS or issubclass(kind, ARRAYS):
        return kind.__name__
    inner: Iterable[Any] = ()
    if kind is list or kind is tuple:
        inner = value[:PARTS]
    elif kind is dict:
        inner = list(value.values())[:PARTS]
    elif type(kind) is type and kind.__module__ != "builtins":
        inner = list(own_attributes(value).values())[: 2 * PARTS]
    shown = [_kind(one, depth - 1) for one in inner if issubclass(type(one), ARRAYS)]
    return f"{kind.__name__}({', '.join(shown)})" if shown else kind.__name__


PLAIN_KINDS: Final = frozenset({float, int, str, bool, bytes, complex, types.NoneType, types.FunctionType})
ARRAY_SIZE: Final[Any] = vars(np.ndarray)["size"]
ARRAY_AXES: Final[Any] = vars(np.ndarray)["ndim"]
ARRAY_DTYPE: Final[Any] = vars(np.ndarray)["dtype"]
