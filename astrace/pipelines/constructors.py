"""What instances of operators were constructed with, and which files their constructors opened.

The constructor of an operator's class is replaced by one that takes notes before it does the same.  The notes are kept beside
the instances, not in them, so that these stay what they were: compared, pickled and shown as before.
"""

from __future__ import annotations

import functools
import inspect
import os
import threading
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from astrace.locations import no_caller
from astrace.ops.callables.operators import declared_as
from astrace.pipelines.choices import Choices
from astrace.pipelines.fingerprints import Fingerprint, fingerprint
from astrace.pipelines.found_paths import FoundPath, found_paths
from astrace.pipelines.installed import installed, is_inside
from astrace.pipelines.plain_data import DEEPEST
from astrace.util.audit_hooks import WATCHING, changed_paths, watched


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """One argument of a constructor.

    Args:
        parameter: the parameter that takes it; the name of ``*args`` for each of these.
        keyword: the keyword that it is passed by; empty if it is passed by its position.
        value: what was given, copied as far as it is made of containers.
        sources: the containers that were copied, by the ``id`` of the copy: others may have been given the same ones.
    """

    parameter: str
    keyword: str
    value: Any
    sources: Mapping[int, Any] = field(default_factory=dict[int, Any])


@dataclass(frozen=True, slots=True)
class Construction:
    """How an instance was made.

    Args:
        cls: its class.
        arguments: what the constructor was called with, defaults included.
        paths: the files and folders that the arguments name, as they were then.
        opened: the files that were read meanwhile, but for code.
        made: what the instance held then; ``None`` for one that has no constructor.
    """

    cls: type
    arguments: tuple[GivenArgument, ...]
    paths: tuple[FoundPath, ...]
    opened: tuple[str, ...] = ()
    made: Fingerprint | None = None

    @property
    def spelled(self) -> dict[str, str]:
        """How the files that the arguments name were written, and what stands for them: their own names."""
        texts = {text.rstrip(os.path.sep) for one in self.paths for text in (one.path, one.text)}
        return {text: f"<{os.path.basename(text)}>" for text in sorted(texts, key=len, reverse=True)}


class Constructions:
    """How the instances of operators' classes were made, for as long as they are in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[int, tuple[Callable[[], Any], Construction]] = {}
        self._choices: weakref.WeakKeyDictionary[type, Choices] = weakref.WeakKeyDictionary()

    def add(self, instance: Any, construction: Construction) -> None:
        """Keep how an instance was made."""
        key = id(instance)
        try:
            held: Callable[[], Any] = weakref.ref(instance, lambda _: self._known.pop(key, None))
        except TypeError:  # it is kept, so that its ``id`` stays its own
            held = functools.partial(_itself, instance)
        with self._lock:
            self._known[key] = held, construction

    def of(self, instance: Any) -> Construction | None:
        """Return how an instance was made; ``None`` for one whose construction nobody saw, such as a copy."""
        held, construction = self._known.get(id(instance), (None, None))
        return construction if held is not None and held() is instance else None

    def choose(self, cls: type, choices: Choices) -> None:
        """Keep which parameters of a class's constructor name files."""
        with self._lock:
            self._choices[cls] = choices

    def choices(self, instance: Any) -> Choices:
        """Return which parameters of an instance's constructor name files."""
        return self._choices.get(declared_as(instance), Choices())


def _itself(value: Any) -> Any:
    return value


CONSTRUCTIONS: Final = Constructions()
CONSTRUCTING: Final[ContextVar[frozenset[int]]] = ContextVar("CONSTRUCTING", default=frozenset())
"""The instances whose constructors run, by ``id``."""


@dataclass
class _Defaults:
    made: list[Any] = field(default_factory=list[Any])


FACTORY: Final[Any] = inspect.signature(_Defaults).parameters["made"].default
"""The default that a dataclass's constructor shows where it makes a new value each time."""
RECORDING: Final = "__astrace_records__"
"""The attribute of constructors that take notes."""


def record_constructor(cls: type) -> inspect.Signature:
    """Have a class take note of what its constructor is called with; return the constructor's signature.

    Raises:
        TypeError: the class can't be changed.
    """
    signature = _signature(cls)
    name = "__new__" if cls.__init__ is object.__init__ and cls.__new__ is not object.__new__ else "__init__"
    plain: Any = getattr(cls, name)
    if plain is object.__init__:
        setattr(cls, RECORDING, True)
        return signature
    if not hasattr(plain, RECORDING):
        made = _with_new(plain) if name == "__new__" else _with_init(plain)
        setattr(made, RECORDING, True)
        setattr(cls, name, made)
    return signature


def _signature(cls: type) -> inspect.Signature:
    try:
        return inspect.signature(cls)
    except ValueError:  # of a class over a built-in one, which tells none
        return inspect.signature(lambda *args, **kwargs: None)  # noqa: ARG005


def construction_of(instance: Any) -> Construction | None:
    """Return how an operator was made; ``None`` where that is not known."""
    cls = type(instance)
    if cls.__init__ is object.__init__ and cls.__new__ is object.__new__:
        return Construction(cls, (), ())
    return CONSTRUCTIONS.of(instance)


def _with_init(plain: Callable[..., Any]) -> Callable[..., Any]:
    @no_caller
    @functools.wraps(plain)
    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        initialise(__init__, plain, self, args, kwargs)

    return __init__


def _with_new(plain: Callable[..., Any]) -> Callable[..., Any]:
    @no_caller
    @functools.wraps(plain)
    def __new__(cls: Any, /, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        return make(__new__, plain, cls, args, kwargs)

    return __new__


# What the two do stands in functions of this module: a class of ``__main__`` that is sent to a cluster is sent with its
# methods, of which these are known there by name.


@no_caller
def initialise(
    noting: Any, plain: Callable[..., Any], instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Run ``__init__``, and take note of it unless it is that of a base, or called by one that is noted.

    Args:
        noting: what stands in the class for it.
        plain: the class's own.
        instance: the instance.
        args: the arguments.
        kwargs: those by keyword.
    """
    if type(instance).__init__ is not noting or id(instance) in CONSTRUCTING.get():
        plain(instance, *args, **kwargs)
        return
    with _noted(type(instance), plain, args, kwargs) as note:
        token = CONSTRUCTING.set(CONSTRUCTING.get() | {id(instance)})
        try:
            plain(instance, *args, **kwargs)
        finally:
            CONSTRUCTING.reset(token)
    note(instance)


@no_caller
def make(
    noting: Any, plain: Callable[..., Any], cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run ``__new__``, and note its arguments as `initialise` does for ``__init__``."""
    if cls.__new__ is not noting:
        return plain(cls, *args, **kwargs)
    with _noted(cls, plain, args, kwargs) as note:
        made = plain(cls, *args, **kwargs)
    if type(made) is cls:
        note(made)
    return made


@contextmanager
def _noted(
    cls: type, plain: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Generator[Callable[[Any], None]]:
    """Take note of a constructor's arguments, and of the files that it opens; gives what keeps that of an instance."""
    given = _given(plain, args, kwargs)
    numbered = enumerate(given or ())
    paths = tuple(found for index, one in numbered for found in found_paths(one.parameter, one.value, index))
    opened: dict[str, None] = {}
    outer = WATCHING.get()

    def told(event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and not changed_paths(event, details):
            opened.update(dict.fromkeys(_read(details[0])))
        if outer is not None:
            outer(event, details)

    def keep(instance: Any) -> None:
        if given is not None:
            known = Construction(cls, given, paths, tuple(opened))
            CONSTRUCTIONS.add(instance, replace(known, made=fingerprint(instance, known.spelled)))

    with watched(told):
        yield keep


def _given(
    plain: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[GivenArgument, ...] | None:
    """The arguments of a constructor, defaults included; ``None`` where they do not fit, which Python will say itself."""
    signature = inspect.signature(plain)
    try:
        bound = signature.bind(None, *args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    found: list[GivenArgument] = []
    is_by_name = False
    for index, (name, parameter) in enumerate(signature.parameters.items()):
        value = bound.arguments[name]
        match parameter.kind:
            case _ if value is FACTORY:  # left to the constructor: those behind it have no position
                is_by_name = True
            case inspect.Parameter.VAR_POSITIONAL:
                given = value[1:] if index == 0 else value  # without the instance
                found += [_given_argument(name, "", one) for one in given]
            case _ if index == 0:
                continue
            case inspect.Parameter.VAR_KEYWORD:
                found += [_given_argument(key, key, one) for key, one in value.items()]
            case inspect.Parameter.KEYWORD_ONLY:
                found.append(_given_argument(name, name, value))
            case _:
                found.append(_given_argument(name, name if is_by_name else "", value))
    return tuple(found)


def _given_argument(parameter: str, keyword: str, value: Any) -> GivenArgument:
    sources: dict[int, Any] = {}
    return GivenArgument(parameter, keyword, copied(value, sources), sources)


def copied(value: Any, sources: dict[int, Any]) -> Any:
    """Copy containers, so that it is not seen what a constructor, or anyone later, does to them.

    Args:
        value: what is copied.
        sources: is told, by the ``id`` of each copy, of what it is one.

    Example:
        >>> given = [[1], 2]
        >>> held = copied(given, {})
        >>> given[0].append(5)
        >>> held
        [[1], 2]
    """
    return _copied(value, sources, {}, frozenset())


def _copied(value: Any, sources: dict[int, Any], copies: dict[int, Any], around: frozenset[int]) -> Any:
    kind: type[Any] = type(value)
    is_container = kind in (list, tuple, set, frozenset, dict)
    if not is_container or id(value) in around or len(around) > DEEPEST:  # what is deeper is not recorded
        return value
    if id(value) in copies:
        return copies[id(value)]
    around |= {id(value)}
    if kind is dict:
        made: Any = {key: _copied(one, sources, copies, around) for key, one in value.items()}
    else:
        made = kind(_copied(one, sources, copies, around) for one in value)
    sources[id(made)] = value
    copies[id(value)] = made
    return made


# -- files that are opened ----------------------------------------------------------------------------------


def _read(path: Any) -> list[str]:
    """The path of a file that is about to be read, if it is data: no code, nothing of an installed package."""
    if not isinstance(path, str | bytes):
        return []
    full = os.path.abspath(os.fsdecode(path))
    is_code = full.endswith(CODE) or any(is_inside(full, one) for one in installed())
    return [] if is_code or not os.path.isfile(full) else [full]


CODE: Final = (".py", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".dylib")
