"""The import hook: every function of some packages is compiled in place, lazily, and can be put back.

A finder in ``sys.meta_path`` asks the other finders and wraps the loader they give for one ``exec_module``;
after it has run, the functions of the module get stubs.  Modules that are loaded already get them at once.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import inspect
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from astrace import events
from astrace.errors import InvalidArgument
from astrace.library.members import (
    NEVER,
    OPT_OUT,
    SKIP,
    functions_in,
    home,
    is_compilable,
    is_test_module,
    is_within,
)
from astrace.library.policy import Policy
from astrace.library.report import Report
from astrace.library.watched import Loading, Watched
from astrace.stubs import stub_of


def import_hook(*packages: str, policy: Policy | str = "default") -> ImportHook:
    """Compile the functions of packages, in place and lazily.

    The functions stay the objects they are, and do what they did; see `Policy` for when they are captured.  To be
    used as a context manager, or undone by ``uninstall()`` of what it gives.

    Args:
        *packages: names of packages or modules; what lies below them is compiled too.  Modules of tests are not.
        policy: when a function is captured and whether it stays so; ``default``, ``always`` or ``never``.

    Returns:
        A handle.

    Raises:
        InvalidArgument: a name is no name of a module, or of one that astrace itself runs on.

    Example:
        >>> with import_hook("fractional_steps") as hook:
        ...     pass  # import fractional_steps, and use it
        >>> hook.report().rows
        ()
    """
    events.configure()
    if not packages:
        raise InvalidArgument("import_hook: no packages are given")
    for name in packages:
        if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(f"import_hook: {name!r} is no name of a package")
        if name.partition(".")[0] in NEVER:
            raise InvalidArgument(f"import_hook: {name!r} is part of what astrace itself runs on")
    hook = ImportHook(packages, Policy.named(policy) if isinstance(policy, str) else policy)
    hook.install()
    return hook


def compile_this_package(policy: Policy | str = "default") -> ImportHook:
    """Compile the package whose ``__init__`` calls this, as `import_hook` does.

    Returns:
        A handle.
    """
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    namespace = frame.f_back.f_globals
    hook = import_hook(namespace["__name__"], policy=policy)
    module = sys.modules.get(namespace["__name__"])
    if module is not None:
        _when_loaded(module, hook.adapt)
    return hook


class ImportHook(importlib.abc.MetaPathFinder):
    """The handle of an import hook; made by `import_hook`.

    Args:
        packages: the names of what is compiled.
        policy: when it is.
    """

    def __init__(self, packages: Sequence[str], policy: Policy) -> None:
        self.packages = tuple(packages)
        self.policy = policy
        self._watched: dict[int, Watched] = {}
        self._covered: dict[Any, bool] = {}
        self._lock = threading.RLock()
        self._loading = Loading()
        self._adapted: set[Any] = set()
        self._installed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.uninstall()

    def install(self) -> None:
        """Begin; modules of the packages that are loaded already are compiled as well."""
        if self._installed or os.environ.get("ASTRACE_DISABLE", "") not in ("", "0"):
            return
        self._installed = True
        sys.meta_path.insert(0, self)
        loaded: dict[str, Any] = dict(sys.modules)
        for name, module in loaded.items():
            if self._covers(name) and isinstance(module, types.ModuleType):
                self.adapt(module)

    def uninstall(self) -> None:
        """Put everything back; the report stays."""
        self._installed = False
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        with self._lock:
            for watched in self._watched.values():
                watched.release()

    def report(self) -> Report:
        """What became of each function so far."""
        with self._lock:
            return Report.of(list(self._watched.values()), self.packages)

    def adapt(self, module: types.ModuleType) -> None:
        """Watch the functions that a module of the packages holds."""
        if not self._installed or vars(module).get(OPT_OUT, True) is False:
            return
        with self._lock:
            self._adapted.add(module.__name__)
            for function in _functions(vars(module), self._is_new, module.__name__):
                if id(function) in self._watched or not self._covers(home(function)):
                    continue
                if is_compilable(function) and stub_of(function) is None:
                    self._watched[id(function)] = Watched(function, self.policy, self._loading)

    def _is_new(self, name: Any, here: str) -> bool:
        """Whether to look into a class: not again where it is imported from a module that was adapted."""
        return self._covers(name) and (name == here or name not in self._adapted)

    def _covers(self, name: Any) -> bool:
        """Whether a module is to be compiled."""
        found = self._covered.get(name) if isinstance(name, str) else False
        if found is None:
            found = any(is_within(name, (one,)) and not is_test_module(name, one) for one in self.packages)
            self._covered[name] = found
        return found

    # -- being a finder --------------------------------------------------------------------------------

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """What the finders behind this one find, with a loader that tells this hook."""
        if not self._covers(fullname):
            return None
        finders: list[Any] = list(sys.meta_path)
        for finder in finders[finders.index(self) + 1 :]:
            find = getattr(finder, "find_spec", None)
            spec = None if find is None else find(fullname, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader, self.adapt, self._loading)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    """A loader that tells of a module it has run, and is gone from it then.

    Args:
        inner: the loader that does the work.
        loaded: told of the module.
        loading: entered while the module runs.
    """

    def __init__(self, inner: Any, loaded: Callable[[types.ModuleType], None], loading: Loading) -> None:
        self._inner = inner
        self._loading = loading
        self._loaded = loaded

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """As the inner loader does."""
        return self._inner.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module under its own loader."""
        module.__loader__ = self._inner
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        with self._loading:
            self._inner.exec_module(module)
        self._loaded(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _functions(
    namespace: dict[str, Any], is_new: Callable[[Any, str], bool], here: str, depth: int = 0
) -> Iterator[types.FunctionType]:
    """The functions that a module or a class holds, those of classes in it included."""
    for value in list(namespace.values()):
        if issubclass(type(value), type) and depth < 8:
            held = type.__dict__["__dict__"].__get__(value)
            if is_new(held.get("__module__"), here) and not held.get(SKIP, False):
                yield from _functions(dict(held), is_new, here, depth + 1)
        else:
            yield from functions_in(value)


def _when_loaded(module: types.ModuleType, loaded: Callable[[types.ModuleType], None]) -> None:
    """Tell of a module that is running now at the first look at it after it has run."""
    cls = type(module)

    class Loading(cls):  # type: ignore[misc, valid-type]
        """The module's class while it runs."""

        def __getattribute__(self, name: str) -> Any:
            held = cls.__getattribute__(self, "__dict__")
            if not getattr(held.get("__spec__"), "_initializing", False):
                module.__class__ = cls
                loaded(module)
            return cls.__getattribute__(self, name)

    Loading.__name__, Loading.__qualname__, Loading.__module__ = (
        cls.__name__,
        cls.__qualname__,
        cls.__module__,
    )
    module.__class__ = Loading
