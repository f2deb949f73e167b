"""Finders that let the others find a module and are told when it has been loaded."""

from __future__ import annotations

import contextlib
import importlib.machinery
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any


def found_behind(
    finder: Any,
    name: str,
    path: Sequence[str] | None,
    target: types.ModuleType | None,
    loader: Callable[[Any], Any],
) -> importlib.machinery.ModuleSpec | None:
    """Return the spec that the finders after this one have for a module, with another loader if theirs runs modules.

    Args:
        finder: one of ``sys.meta_path``.
        name: the module's name.
        path: where it is looked for, as finders are given it.
        target: the module, where it is loaded again.
        loader: makes the loader out of theirs.
    """
    finders: list[Any] = list(sys.meta_path)
    for other in finders[finders.index(finder) + 1 :]:
        find = getattr(other, "find_spec", None)
        spec = None if find is None else find(name, path, target)
        if spec is not None:
            if hasattr(spec.loader, "exec_module"):
                spec.loader = loader(spec.loader)
            return spec
    return None


class TellingLoader:
    """A loader that tells of a module it has run, and is gone from it then.

    Args:
        inner: the loader that does the work.
        told: called with the module once it has run.
        around: entered while the module runs, and is told of.
    """

    def __init__(
        self,
        inner: Any,
        told: Callable[[types.ModuleType], None],
        around: contextlib.AbstractContextManager[Any],
    ) -> None:
        self._inner = inner
        self._told = told
        self._around = around

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """Create the module as the inner loader does."""
        return self._inner.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module under its own loader."""
        module.__loader__ = self._inner
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        with self._around:
            self._inner.exec_module(module)
            self._told(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class AfterImport:
    """Do something once a module has been imported: at once if it has been, else when it is.

    Args:
        name: of the module.
        then: what to do.

    Example:
        >>> after = AfterImport("math", lambda: print("there"))
        there
        >>> after in sys.meta_path
        False
    """

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name = name
        self._then = then
        if name in sys.modules:
            then()
        else:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec that the next finder has, with a loader that tells this one."""
        if fullname != self._name:
            return None
        return found_behind(
            self,
            fullname,
            path,
            target,
            lambda inner: TellingLoader(inner, lambda _: self._loaded(), contextlib.nullcontext()),
        )

    def _loaded(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._then()
