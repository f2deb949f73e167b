"""The import hook: every function of some packages is compiled in place, lazily, and can be put back.

A finder in ``sys.meta_path`` asks the other finders and wraps the loader they give for one ``exec_module``; a module
that has been loaded waits until it is used (`LazyModules`), and then its functions get stubs.
"""

from __future__ import annotations

import atexit
import functools
import importlib.machinery
import inspect
import os
import sys
import threading
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from astrace.errors import InvalidArgument
from astrace.library.capture_time import CaptureTime
from astrace.library.compilable import (
    NEVER,
    OPT_OUT,
    SKIP,
    functions_in,
    is_compilable,
    is_test_module,
    is_within,
    translated,
)
from astrace.library.hook_state import HookState
from astrace.library.lazy_modules import LazyModules, namespace
from astrace.library.outcomes import outcomes
from astrace.library.past_decisions import PastDecisions
from astrace.library.policy import Policy
from astrace.library.report import LibraryReport
from astrace.library.watched_functions import WatchedFunctions
from astrace.library.written_code import WRITTEN_CODE
from astrace.util import events, validation
from astrace.util.module_finders import TellingLoader, found_behind
from astrace.util.trees import members, resolution_order
from astrace.util.uncollected import uncollected

if TYPE_CHECKING:
    from astrace.compiler.stages import Options

SIMPLE: Final = frozenset(
    map(
        id,
        (
            *(str, bytes, int, float, complex, bool, types.NoneType, tuple, list, dict, set, frozenset),
            *(types.ModuleType, types.BuiltinFunctionType, np.ufunc, np.ndarray),
            *(types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType),
        ),
    )
)
"""The ``id`` of kinds of values that have no code of a library's."""


ADAPTING: Final = threading.RLock()
"""Held while functions get stubs and lose them: hooks share the functions that several of them cover."""


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
    return _hooked("import_hook", packages, policy)


def _hooked(function: str, packages: Sequence[str], policy: Policy | str) -> ImportHook:
    """Return the hook that a public function asked for."""
    if not packages:
        raise InvalidArgument(
            f"{function}: no packages are given; accepted are names such as 'pkg', 'pkg.sub'"
        )
    for name in packages:
        if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):  # pyright: ignore[reportUnnecessaryIsInstance]
            shown = validation.shown(name)
            raise InvalidArgument(
                f"{function}: {shown} is no name of a package; accepted are names such as 'pkg', 'pkg.sub'"
            )
        if name.partition(".")[0] in NEVER:
            raise InvalidArgument(f"{function}: {name!r} is part of what astrace itself runs on")
    events.configure()
    hook = ImportHook(packages, Policy.of(policy, function))
    hook.install()
    return hook


def compile_this_package(policy: Policy | str = "default") -> ImportHook:
    """Compile the package whose ``__init__`` calls this, as `import_hook` does.

    Args:
        policy: as of `import_hook`.

    Returns:
        A handle.

    Raises:
        InvalidArgument: the policy is none, or the caller is no module that is imported.
    """
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    name = dict.get(frame.f_back.f_globals, "__name__")
    if name is None or name == "__main__":
        raise InvalidArgument(
            "compile_this_package: it is called by a package's `__init__`, not by a script; accepted there are "
            "astrace.compile for a function, and `astrace run --packages` for what the script imports"
        )
    hook = _hooked("compile_this_package", (name,), policy)
    module = sys.modules.get(hook.packages[0])
    if module is not None:
        hook.waiting.add_running(module)
    return hook


class ImportHook:
    """The handle of an import hook; made by `import_hook`.

    A finder that derives from nothing, as does its loader: `importlib.abc` takes as long to load as this module and all that it needs.

    Args:
        packages: the names of what is compiled.
        policy: when it is.
    """

    def __init__(self, packages: Sequence[str], policy: Policy) -> None:
        self.packages: tuple[str, ...] = tuple(packages)
        self.policy = policy
        self._spared: dict[int, types.FunctionType] = {}
        self._covered: dict[str, bool] = {}
        self.waiting: LazyModules = LazyModules(self.adapt)
        decisions = PastDecisions(self.packages, policy) if policy.recalls else None
        self._state = HookState(
            policy, self.waiting, CaptureTime(), lambda: self.options, self._captured, decisions
        )
        self.functions: WatchedFunctions = WatchedFunctions(self._state)
        self._installed = False
        self.listener: Callable[[str], None] | None = None
        """Told the name of each function when it is captured."""

    @functools.cached_property
    def options(self) -> Options:
        """The options of its functions, which learn from one another; they come with the compiler."""
        from astrace.compiler.stages import Options

        return Options(quiet=True)

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
        WRITTEN_CODE.begin()
        if self._state.decisions is not None:
            atexit.register(self._remember)
        loaded: dict[str, Any] = dict(sys.modules)
        for name, module in loaded.items():
            if self._covers(name) and isinstance(module, types.ModuleType):
                self.waiting.add(module)
        self.waiting.end()

    def uninstall(self) -> None:
        """Put everything back; the report stays."""
        if not self._installed:
            return
        self._installed = False
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        WRITTEN_CODE.end()
        atexit.unregister(self._remember)
        self._remember()
        self.waiting.forget()
        with ADAPTING:
            self.functions.end()
        for hook in installed():
            hook.waiting.settle()

    def _remember(self) -> None:
        """Tell later processes what was found out."""
        if self._state.decisions is not None:
            called = [one for one in self.functions.seen() if one.counted.calls]
            self._state.decisions.keep(outcomes(called, self.policy))

    def report(self) -> LibraryReport:
        """Return the outcome of each function so far."""
        self.waiting.end()
        with ADAPTING:
            return LibraryReport.of(self.functions.seen(), self.packages, self.functions.unseen())

    def adapt(self, *values: Any) -> None:
        """Watch what modules hold, functions, the methods of classes and of the classes of objects."""
        if not self._installed:
            return
        with ADAPTING, uncollected():
            for hook in installed():  # the newest last: its policy counts
                hook._adapt(values)

    def _adapt(self, values: Sequence[Any]) -> None:
        held: dict[int, Any] = {}  # a name in one module mostly stands for what another one holds, too
        for value in values:
            is_module = issubclass(type(value), types.ModuleType)
            found = list(namespace(value).values()) if is_module else [value]
            held.update(zip(map(id, found), found, strict=True))
        for one in held.values():
            self._spare(one)
        seen: set[int] = set()
        for one in held.values():
            self._adapt_value(one, seen)

    def _spare(self, value: Any) -> None:
        """Leave the function alone that a value is a translation of: its code is still to be read."""
        kind = type(value)
        if kind is types.FunctionType or kind is type or id(kind) in SIMPLE:
            return
        function = translated(value)
        if function is not None:
            self._spared[id(function)] = function
            self.functions.discard(function)

    def _adapt_value(self, value: Any, seen: set[int]) -> None:
        kind = type(value)
        if kind is types.FunctionType:
            self._watch(value)
        elif issubclass(kind, type):
            self._adapt_class(value, seen)
        elif id(kind) not in SIMPLE:
            for function in functions_in(value):
                self._watch(function)
            self._adapt_class(kind, seen)

    def _adapt_class(self, cls: type, seen: set[int]) -> None:
        """Watch the methods of a class of the packages, inherited or not, and the classes inside it."""
        for base in resolution_order(cls):
            if id(base) in seen:
                continue
            seen.add(id(base))
            held = members(base)
            if self._covers(held.get("__module__")) and not held.get(SKIP, False):
                for value in list(held.values()):
                    self._adapt_value(value, seen)

    def _watch(self, function: types.FunctionType) -> None:
        """Watch a function, and one that it wraps, if it is one of the packages'."""
        if function in self.functions:
            return
        space = function.__globals__
        covered = self._covers(space.get("__name__")) and space.get(OPT_OUT, True) is not False
        if covered and id(function) not in self._spared and is_compilable(function):
            self.functions.add(function)
        inner = function.__dict__.get("__wrapped__")
        if inner is not None:
            for one in functions_in(inner):
                self._watch(one)

    def _captured(self, name: str) -> None:
        """Tell whoever listens of a capture."""
        if self.listener is not None:
            self.listener(name)

    def _covers(self, name: Any) -> bool:
        """Return whether a module is to be compiled."""
        found = self._covered.get(name) if isinstance(name, str) else False
        if found is None:
            found = any(is_within(name, (one,)) and not is_test_module(name, one) for one in self.packages)
            self._covered[name] = found
        return found

    # -- being a finder --------------------------------------------------------------------------------

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec that the next finder has, with a loader that tells this hook."""
        if not self._covers(fullname):
            return None
        return found_behind(
            self,
            fullname,
            path,
            target,
            lambda inner: TellingLoader(inner, self.waiting.add, self.waiting),
        )


def installed() -> list[ImportHook]:
    """The hooks that are installed, the newest last."""
    return [finder for finder in reversed(sys.meta_path) if isinstance(finder, ImportHook)]
