"""Purity of callables that are not traced through: tables of the pure and the impure, and what users add.

*Pure*: the result follows from the arguments, nothing else happens, and the result is new or immutable.  Called with
constants it runs at once, while tracing.  *Impure*: the result depends on something else, such as a clock, or something
else happens; it is called each time, in its place.  Of anything in neither table the same is assumed, and that it may
do anything.

`pure` and `impure` add to what is known.  What they are told is kept in one registry for the whole process, as
``copyreg`` and ``codecs`` keep theirs: `docs/design/0010-declared-callables.md` says why.
"""

from __future__ import annotations

import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, overload

import numpy as np

from astrace.errors import InvalidArgument

C = TypeVar("C", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class PurityRow:
    """Some callables of a module.

    Args:
        module: the module's name.
        names: the qualified names in it; none means all of the module.
        what: for impure ones, what they depend on or what they do.
        asks: for impure ones, whether what they give is another thing from call to call, or on another machine.
    """

    module: str
    names: tuple[str, ...] = ()
    what: str = ""
    asks: bool = True


def names_of(text: str) -> tuple[str, ...]:
    """The names in a text."""
    return tuple(text.split())


PURE: Final = (
    PurityRow(
        "builtins",
        names_of(
            """
            abs all any ascii bin bool bytes callable chr classmethod complex dict divmod enumerate filter float format
            frozenset hash hex int isinstance issubclass len list max min object oct ord pow property range repr reversed
            round set slice sorted staticmethod str sum tuple type zip
            """
        ),
    ),
    PurityRow("math"),
    PurityRow("cmath"),
    PurityRow("operator", names_of("attrgetter itemgetter methodcaller")),
    PurityRow("dataclasses", ("fields", "is_dataclass")),
    PurityRow("functools", ("partial",)),
    PurityRow(
        "numpy",
        names_of(
            """
            broadcast_shapes can_cast dtype finfo iinfo isdtype isscalar issubdtype promote_types result_type
            """
        ),
    ),
)

IMPURE: Final = (
    PurityRow("builtins", ("id",), "the address of an object"),
    PurityRow("builtins", ("input", "open"), "files"),
    PurityRow("builtins", ("print",), "files", asks=False),
    PurityRow("builtins", ("eval", "exec"), "any code", asks=False),
    PurityRow("builtins", ("next", "iter"), "the position of an iterator", asks=False),
    PurityRow("time", (), "the clock, the time zone"),
    PurityRow(
        "datetime",
        names_of(
            "date.today date.fromtimestamp datetime.now datetime.utcnow datetime.today datetime.fromtimestamp"
        ),
        "the clock, the time zone",
    ),
    PurityRow("random", (), "a random stream"),
    PurityRow("secrets", (), "a random stream"),
    PurityRow("uuid", names_of("getnode uuid1 uuid4"), "a random stream, the clock, the machine"),
    PurityRow("numpy.random", (), "a random stream"),
    PurityRow("os", (), "the environment, the working directory, files, the process"),
    PurityRow(
        "os.path",
        names_of("abspath exists expanduser expandvars getsize isdir isfile realpath"),
        "files, the environment",
    ),
    PurityRow("io", (), "files"),
    PurityRow("pathlib", (), "files, the working directory"),
    PurityRow("glob", (), "files"),
    PurityRow("shutil", (), "files, the environment"),
    PurityRow("tempfile", (), "files, a random stream"),
    PurityRow("linecache", (), "files"),
    PurityRow("sqlite3", (), "a database"),
    PurityRow("numpy", names_of("fromfile genfromtxt load loadtxt memmap"), "files"),
    PurityRow("numpy", names_of("save savetxt savez"), "files", asks=False),
    PurityRow("numpy", names_of("geterr geterrcall get_printoptions getbufsize"), "a setting of NumPy"),
    PurityRow("http", (), "the network"),
    PurityRow("urllib.request", (), "the network"),
    PurityRow("socket", (), "the network, the machine"),
    PurityRow("select", (), "files, the network"),
    PurityRow("subprocess", (), "other processes"),
    PurityRow("multiprocessing", (), "other processes"),
    PurityRow("signal", (), "signals", asks=False),
    PurityRow("platform", (), "the machine"),
    PurityRow("getpass", (), "the environment, the terminal"),
    PurityRow("locale", (), "the locale"),
    PurityRow("decimal", (), "the decimal context", asks=False),
    PurityRow("sys", (), "the interpreter"),
    PurityRow("inspect", names_of("currentframe stack trace"), "the call stack", asks=False),
    PurityRow("traceback", (), "the call stack", asks=False),
    PurityRow("gc", (), "the garbage collector"),
    PurityRow("weakref", (), "the objects that are alive"),
    PurityRow("threading", (), "threads", asks=False),
    PurityRow("queue", (), "threads"),
    PurityRow("contextvars", (), "the context"),
    PurityRow("logging", (), "the configuration of logging", asks=False),
    PurityRow("warnings", (), "the filters of warnings", asks=False),
    PurityRow("importlib", (), "the installed and loaded modules", asks=False),
    PurityRow("atexit", (), "the functions that run at exit", asks=False),
)
OTHER_NAMES: Final = {
    "posix": "os",
    "nt": "os",
    "posixpath": "os.path",
    "ntpath": "os.path",
    "genericpath": "os.path",
    "_thread": "threading",
}
"""Modules by the names of their parts in C; other parts have a ``_`` in front."""


def impure_state(function: Any) -> str | None:
    """Return the state that a callable in the table of impure ones depends on; ``None`` for any other.

    Example:
        >>> import random, time
        >>> impure_state(time.time), impure_state(random.random), impure_state(len)
        ('the clock, the time zone', 'a random stream', None)
    """
    row = row_of(function)
    return None if row is None else row.what


def row_of(function: Any) -> PurityRow | None:
    """The row of the table of impure callables that a callable is in."""
    return row_in(IMPURE, function)


def row_in(table: Iterable[PurityRow], function: Any) -> PurityRow | None:
    """The row of a table that a callable is in."""
    one = subject(function)
    if not isinstance(one, NAMED):
        return None
    home, name = _home(one), _text(one, "__qualname__")
    module = OTHER_NAMES.get(home, home.removeprefix("_"))
    for row in table:
        inside = module == row.module or module.startswith(f"{row.module}.")
        if inside and (not row.names or name in row.names):
            return row
    return None


def _home(one: Any) -> str:
    """The module that a callable says it is of; a method written in C is of its class's."""
    owner = one if isinstance(one, type) else getattr(one, "__objclass__", one)
    return _text(owner, "__module__")


def _text(one: Any, name: str) -> str:
    """An attribute that is a text; of a class without asking its metaclass, which may run the user's code."""
    ask = type.__getattribute__ if isinstance(one, type) else getattr
    found = ask(one, name)
    return found if isinstance(found, str) else ""


NAMED: Final = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.WrapperDescriptorType,
    type(np.sum),
    type(np.random.seed),
)
"""The kinds of callables that know their module and their name."""


# -- what users add --------------------------------------------------------------------------------------------


class Declarations:
    """The users' declarations of callables as pure or impure: by identity, and by name for those whose module is not loaded yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: Mapping[int, tuple[Callable[[], Any], bool]] = {}
        self._named: Mapping[str, bool] = {}

    def add(self, function: Any, pure: bool) -> None:
        """Declare a callable, for as long as it is in use; an earlier declaration is forgotten."""
        one = subject(function)
        with self._lock:
            in_use = {key: known for key, known in self._known.items() if known[0]() is not None}
            self._known = {**in_use, id(one): (_held(one), pure)}

    def add_name(self, name: str, pure: bool) -> None:
        """Declare the callable of a qualified name."""
        with self._lock:
            self._named = {**self._named, name: pure}

    def known(self) -> Mapping[int, tuple[Any, bool]]:
        """Return the callables, by `id`, and whether they are pure; names whose modules are loaded are looked up."""
        found = ((resolve(name), pure) for name, pure in self._named.items())
        named = {
            id(one): (one, pure)
            for one, pure in ((subject(found), pure) for found, pure in found)
            if one is not None
        }
        held = ((held(), pure) for held, pure in self._known.values())
        return {**named, **{id(one): (one, pure) for one, pure in held if one is not None}}


def _held(value: Any) -> Callable[[], Any]:
    """Return a function that gives an object as long as it is kept elsewhere; always, if it has no weak references."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


DECLARED: Final = Declarations()


def subject(function: Any) -> Any:
    """Return the object that identifies a callable in all its forms: for a bound method the one in its class.

    Example:
        >>> subject("a".join) is subject(str.join), subject(len) is len
        (True, True)
    """
    match function:
        case types.MethodType() | staticmethod() | classmethod():
            return subject(function.__func__)
        case types.BuiltinFunctionType() | types.MethodWrapperType():
            owner = function.__self__
            if owner is None or isinstance(owner, types.ModuleType):
                return function
            return _stored(owner if isinstance(owner, type) else type(owner), function.__name__, function)
        case types.ClassMethodDescriptorType():
            return _stored(function.__objclass__, function.__name__, function)
        case _:
            return function


def _stored(cls: type, name: str, default: Any) -> Any:
    """Return the attribute that a class or one of its bases holds under a name."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), default)


def resolve(name: str) -> Any:
    """The callable of a qualified name; ``None`` where its module is not loaded, or has no such name."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        found: Any = sys.modules.get(".".join(parts[:end]))
        if found is not None:
            for part in parts[end:]:
                found = vars(found).get(part) if isinstance(found, types.ModuleType | type) else None
            return found
    return None


@overload
def pure(function: C) -> C: ...
@overload
def pure(function: str) -> str: ...
def pure(function: Any) -> Any:
    """Say that a callable is pure: its result follows from its arguments, and nothing else happens.

    A call with constants runs once, while tracing.  With other arguments it is one node of the graph; calls with the
    same arguments may become one, and a call whose result nobody uses is left out, with the exception that it might
    have raised.  What it reads from outside is not looked at, and its result must be new at each call, or immutable.

    Args:
        function: a callable, such as a function, a class, a function written in C or a method (then of all
            instances); or its qualified name, ``"scipy.special.erf"``, which imports nothing.

    Returns:
        What it was given, so that it can be used as a decorator.

    Raises:
        InvalidArgument: it is not callable, or no qualified name.

    Example:
        >>> @pure
        ... def table(n):
        ...     return [i * i for i in range(n)]
        >>> table(3)
        [0, 1, 4]
    """
    return _declare(function, "pure")


@overload
def impure(function: C) -> C: ...
@overload
def impure(function: str) -> str: ...
def impure(function: Any) -> Any:
    """Say that a callable is impure: its result depends on more than its arguments, or something else happens.

    It is not traced through.  It is called each time, in its place among other effects, and never while tracing; what it
    may have changed is read anew after it.

    Args:
        function: a callable, such as a function, a class, a function written in C or a method (then of all
            instances); or its qualified name, ``"mylib.sensors.read"``, which imports nothing.

    Returns:
        What it was given, so that it can be used as a decorator.

    Raises:
        InvalidArgument: it is not callable, or no qualified name.

    Example:
        >>> @impure
        ... def level():
        ...     return open("/proc/loadavg").read()
    """
    return _declare(function, "impure")


def _declare(function: Any, what: str) -> Any:
    if isinstance(function, str):
        _check_name(function, what)
        DECLARED.add_name(function, what == "pure")
    elif callable(function) or isinstance(function, staticmethod | classmethod):
        DECLARED.add(function, what == "pure")
    else:
        raise InvalidArgument(
            f"{what}: {function!r} is neither callable nor the qualified name of a callable"
        )
    return function


def _check_name(name: str, what: str) -> None:
    parts = name.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise InvalidArgument(f"{what}: {name!r} is no qualified name, such as 'scipy.special.erf'")
    if parts[0] in sys.modules and ".".join(parts[:-1]) in sys.modules and resolve(name) is None:
        raise InvalidArgument(f"{what}: the module {'.'.join(parts[:-1])!r} has no {parts[-1]!r}")
