"""State of the process around all functions: environment, working directory, settings of Python and its libraries.

`AROUND` has a row for each kind.  All of them are kept for the length of a check; for each run only those that the
code may change, by the names in it: looking at all of them would take longer than most functions.
"""

from __future__ import annotations

import builtins
import decimal
import gc
import locale
import logging
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np

from astrace.check.sandbox.savers import is_import
from astrace.check.sandbox.stateful_savers import decimal_state, other_decimals, put_decimal_state

Names: TypeAlias = dict[str, Any]


class Space(Names):
    """The contents of a namespace, by identity: no ``==`` of what lies in it is asked."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict) or len(self) != len(cast("Names", other)):
            return False
        held = cast("Names", other)
        return all(name in held and held[name] is value for name, value in self.items())

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


def _no_others(kept: Any) -> Sequence[Any]:  # noqa: ARG001
    return ()


def _now(now: Any, kept: Any) -> Any:  # noqa: ARG001
    return now


@dataclass(frozen=True, slots=True)
class ProcessStateRow:
    """One thing that lies around all functions.

    Args:
        name: how the user writes it.
        get: what it is now.
        put: makes it so again.
        words: names in code that say that it may look at it or change it; none means any code may.
        others: other contents, for a trial, given what it is.
        told: what is told of it, given what it is and what it was.
        reading: names in code that say that it reads it, where those are fewer.
    """

    name: str
    get: Callable[[], Any]
    put: Callable[[Any], object]
    words: frozenset[str] = frozenset()
    others: Callable[[Any], Sequence[Any]] = _no_others
    told: Callable[[Any, Any], Any] = _now
    reading: frozenset[str] = frozenset()

    def is_asked(self, names: Collection[str]) -> bool:
        """Return whether code with these names may look at it."""
        return not self.words or not self.words.isdisjoint(names)

    def is_read(self, names: Collection[str]) -> bool:
        """Return whether code with these names may read it, so that a change of it is worth a trial."""
        return not (self.reading or self.words).isdisjoint(names)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# -- files and processes -----------------------------------------------------------------------------------


def _directory() -> str:
    """The working directory; nothing where it does not exist any more."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _put_environment(kept: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(kept)


def _changed_keys(now: Names, kept: Names) -> Names:
    keys = sorted({*now, *kept})
    return {key: now.get(key) for key in keys if now.get(key) != kept.get(key)}


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _handlers() -> Names:
    """Return the signal handlers; those of the timers are the check's own."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGPIPE")
    return {name: signal.getsignal(getattr(signal, name)) for name in names if hasattr(signal, name)}


def _put_handlers(kept: Names) -> None:
    for name, handler in kept.items():
        if handler is not None:
            signal.signal(getattr(signal, name), handler)


# -- Python ------------------------------------------------------------------------------------------------


def _put_space(space: Names, kept: Names) -> None:
    """Put a namespace back; modules that were imported stay."""
    for name in [name for name in space if name not in kept]:
        if not is_import(name, space[name]):
            del space[name]
    for name, value in kept.items():
        if name not in space or space[name] is not value:
            space[name] = value


def _space(space: Callable[[], Mapping[str, Any]]) -> tuple[Callable[[], Names], Callable[[Names], None]]:
    """Return functions that keep a namespace of a library, items by identity, and put it back."""

    def get() -> Names:
        return Space(space())

    def put(kept: Names) -> None:
        _put_space(cast("Names", space()), kept)

    return get, put


def _changed_names(now: Names, kept: Names) -> Names:
    changed = {name: value for name, value in now.items() if name not in kept or kept[name] is not value}
    found = {name: value for name, value in changed.items() if not is_import(name, value)}
    return found | {name: None for name in kept if name not in now}


class Held(list[Any]):
    """The contents of a list of `sys`, and which list that is: a program may put another one there."""

    def __init__(self, owner: list[Any]) -> None:
        super().__init__(owner)
        self.owner = owner


def _list_of_sys(name: str) -> tuple[Callable[[], Held], Callable[[Held], None]]:
    """Return functions that keep a list of `sys`, and put it back."""

    def get() -> Held:
        return Held(getattr(sys, name))

    def put(kept: Held) -> None:
        kept.owner[:] = kept
        setattr(sys, name, kept.owner)

    return get, put


def _items(now: list[Any], kept: list[Any]) -> list[Any]:  # noqa: ARG001
    return list(now)


def _put_filters(kept: list[Any]) -> None:
    cast("list[Any]", warnings.filters)[:] = kept


def _decimals() -> tuple[Any, ...]:
    context = decimal.getcontext()
    return context, *decimal_state(context)


def _put_decimals(kept: tuple[Any, ...]) -> None:
    put_decimal_state(kept[0], kept[1:])
    decimal.setcontext(kept[0])


def _other_decimals(kept: tuple[Any, ...]) -> Sequence[Any]:
    return [(kept[0], *other) for other in other_decimals(kept[1:])]


def _loggers() -> Names:
    """Return the settings of all loggers by name, except those to which astrace reports captures."""
    manager = logging.root.manager
    loggers = {name: one for name, one in manager.loggerDict.items() if isinstance(one, logging.Logger)}
    named = {name: one for name, one in loggers.items() if not _is_own(name)}
    return {name: _logger(one) for name, one in {**named, "": logging.root}.items()} | {"*": manager.disable}


def _is_own(name: str) -> bool:
    return name.partition(".")[0] == "astrace"


def _logger(one: logging.Logger) -> tuple[Any, ...]:
    return one.level, one.propagate, one.disabled, tuple(one.handlers), tuple(one.filters)


def _put_loggers(kept: Names) -> None:
    manager = logging.root.manager
    for name in [name for name in manager.loggerDict if name not in kept]:
        if isinstance(manager.loggerDict[name], logging.Logger) and not _is_own(name):
            del manager.loggerDict[name]
    for name, state in kept.items():
        if name != "*":
            one = logging.getLogger(name) if name else logging.root
            one.propagate, one.disabled, one.handlers[:], one.filters[:] = state[1:]
            one.setLevel(state[0])
    manager.disable = kept["*"]


def _other_levels(kept: Names) -> Sequence[Any]:
    """Return levels with which everything is logged, and with which nothing is."""
    verbose = {name: (logging.DEBUG, *state[1:]) for name, state in kept.items() if name != "*"}
    return (verbose | {"*": 0}, {**kept, "*": logging.CRITICAL})


# -- NumPy -------------------------------------------------------------------------------------------------


def _other_errors(kept: Names) -> Sequence[Any]:
    return ({**kept, "over": "warn" if kept["over"] == "ignore" else "ignore"},)


def _other_options(kept: Names) -> Sequence[Any]:
    return ({**kept, "precision": kept["precision"] - 5, "suppress": not kept["suppress"]},)


SYS: Final = _space(lambda: vars(sys))
BUILTINS: Final = _space(lambda: vars(builtins))
MODULES: Final = _space(lambda: sys.modules)
CATEGORIES: Final = (
    locale.LC_CTYPE,
    locale.LC_COLLATE,
    locale.LC_TIME,
    locale.LC_MONETARY,
    locale.LC_NUMERIC,
)
ERRORS: Final = _words("geterr errstate seterr")
ENVIRONMENT: Final = _words("environ getenv putenv unsetenv chdir getcwd cwd")

AROUND: Final = (
    ProcessStateRow(
        "np.geterr()", np.geterr, lambda kept: np.seterr(**kept), others=_other_errors, reading=ERRORS
    ),
    ProcessStateRow("sys.getrecursionlimit()", sys.getrecursionlimit, sys.setrecursionlimit),
    ProcessStateRow(
        "os.environ", lambda: dict(os.environ), _put_environment, ENVIRONMENT, told=_changed_keys
    ),
    ProcessStateRow("os.getcwd()", _directory, os.chdir, ENVIRONMENT),
    ProcessStateRow("os.umask()", _mask, os.umask, _words("umask")),
    ProcessStateRow("signal.getsignal()", _handlers, _put_handlers, _words("signal")),
    ProcessStateRow("sys.path", *_list_of_sys("path"), _words("sys path"), told=_items),
    ProcessStateRow("sys.argv", *_list_of_sys("argv"), _words("argv"), told=_items),
    ProcessStateRow("sys.modules", *MODULES, _words("modules sys"), told=_changed_names),
    ProcessStateRow("vars(sys)", *SYS, _words("sys"), told=_changed_names),
    ProcessStateRow("vars(builtins)", *BUILTINS, _words("builtins __builtins__"), told=_changed_names),
    ProcessStateRow("warnings.filters", lambda: list(warnings.filters), _put_filters, _words("filters")),
    ProcessStateRow(
        "gc.isenabled()", gc.isenabled, lambda kept: gc.enable() if kept else gc.disable(), _words("gc")
    ),
    ProcessStateRow(
        "decimal.getcontext()",
        _decimals,
        _put_decimals,
        _words("decimal getcontext setcontext localcontext Decimal"),
        _other_decimals,
        lambda now, kept: now[1:],  # noqa: ARG005
    ),
    ProcessStateRow(
        "logging", _loggers, _put_loggers, _words("logging getLogger"), _other_levels, _changed_keys
    ),
    ProcessStateRow(
        "locale.setlocale()",
        lambda: {one: locale.setlocale(one) for one in CATEGORIES},
        lambda kept: [locale.setlocale(one, kept[one]) for one in CATEGORIES],
        _words("locale setlocale"),
    ),
    ProcessStateRow(
        "socket.getdefaulttimeout()",
        socket.getdefaulttimeout,
        socket.setdefaulttimeout,
        _words("setdefaulttimeout"),
    ),
    ProcessStateRow(
        "np.get_printoptions()",
        np.get_printoptions,
        lambda kept: np.set_printoptions(**kept),
        _words(
            "set_printoptions get_printoptions printoptions str repr print array2string array_str array_repr"
        ),
        _other_options,
    ),
    ProcessStateRow("np.geterrcall()", np.geterrcall, np.seterrcall, _words("seterrcall geterrcall")),
    ProcessStateRow("np.getbufsize()", np.getbufsize, np.setbufsize, _words("setbufsize")),
)
"""The process state around all functions, in the order in which it is put back."""


class Around:
    """The state of the process around all functions, at one moment.

    Args:
        rows: what of it is kept.
    """

    def __init__(self, rows: Sequence[ProcessStateRow] = AROUND) -> None:
        self._kept = [(row, row.get()) for row in rows]

    def restore(self) -> None:
        """Make it so again."""
        for row, kept in self._kept:
            if row.get() != kept:
                row.put(kept)

    def changes(self) -> Iterator[tuple[str, Any]]:
        """Yield the settings that differ now."""
        for row, kept in self._kept:
            now = row.get()
            if now != kept:
                yield row.name, row.told(now, kept)
