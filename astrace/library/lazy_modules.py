"""Modules that were imported and not used yet: their functions get stubs when somebody looks at them.

Importing a library runs thousands of definitions of which few are ever called.  So a module that has been loaded
waits: it is given a class that tells of reads of its attributes, and what is read is watched from then on.  The first
call of a watched function ends the wait of all modules, since what it calls in turn is looked up in dictionaries, which
tell nothing.  While anything is being imported nobody is told of anything, so imports run at their own speed.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from typing import Any, Final

SILENT: Final = frozenset(
    {"__cached__", "__doc__", "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__"}
)
"""Attributes that the import system reads from modules."""
ALL_OF_IT: Final = "__dict__"


class LazyModules:
    """The modules of one hook that wait.

    Args:
        used: told of modules, and of values that are read from one, when they are to be watched.
    """

    def __init__(self, used: Callable[..., None]) -> None:
        self.modules: list[types.ModuleType] = []
        self.loading: int = 0
        self._running: list[types.ModuleType] = []
        self._classes: dict[type, type] = {types.ModuleType: _telling(types.ModuleType, self)}
        self._lock = threading.RLock()
        self._used = used

    def __enter__(self) -> None:
        with self._lock:
            self.loading += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self.loading -= 1
            self.settle()

    def add(self, module: types.ModuleType) -> None:
        """Add a module that has been loaded."""
        with self._lock:
            self.modules.append(module)

    def add_running(self, module: types.ModuleType) -> None:
        """Add a module that is being loaded and will not say when it is done; the next look at it finds out."""
        with self._lock:
            self.loading += 1
            self._running.append(module)
            self.modules.append(module)
            self._begin(module)

    def read(self, module: types.ModuleType, name: str, value: Any) -> None:
        """Take note that a waiting module was asked for an attribute."""
        if self._running:
            self._look_at_running()
        if self.loading or name in SILENT:
            return
        self._used(module if name == ALL_OF_IT else value)

    def end(self) -> None:
        """Watch all waiting modules from now on."""
        with self._lock:
            if self.loading:
                return
            modules, self.modules = self.modules, []
            self._used(*modules)
            for module in modules:
                self._release(module)

    def forget(self) -> None:
        """Forget the waiting modules; none is watched because of it."""
        with self._lock:
            while self.modules:
                self._release(self.modules.pop())

    def settle(self) -> None:
        """Have modules report reads, as soon as nothing is being loaded."""
        if not self.loading:
            for module in list(self.modules):
                self._begin(module)

    def _begin(self, module: types.ModuleType) -> None:
        cls = type(module)
        if not issubclass(cls, ClassMarker):
            if cls not in self._classes:
                self._classes[cls] = _telling(cls, self)
            module.__class__ = self._classes[cls]

    def _release(self, module: types.ModuleType) -> None:
        told = [cls for cls, telling in self._classes.items() if telling is type(module)]
        if told:
            module.__class__ = told[0]

    def _look_at_running(self) -> None:
        with self._lock:
            over = [one for one in self._running if not _is_running(one)]
            self._running = [one for one in self._running if _is_running(one)]
            self.loading -= len(over)
            self.settle()


def _is_running(module: types.ModuleType) -> bool:
    return bool(getattr(namespace(module).get("__spec__"), "_initializing", False))


def namespace(module: types.ModuleType) -> dict[str, Any]:
    """Return the names of a module, without reporting a read."""
    return types.ModuleType.__getattribute__(module, ALL_OF_IT)


class ClassMarker:
    """Marks the classes of modules that wait."""

    __slots__ = ()


def _telling(cls: type, waiting: LazyModules) -> type:
    """Return a class that passes for another one and reports reads."""
    look_up: Any = cls.__getattribute__

    def read(self: types.ModuleType, name: str) -> Any:
        if name == "__class__":
            return cls
        found = look_up(self, name)
        waiting.read(self, name, found)
        return found

    names = {"__getattribute__": read, "__module__": cls.__module__, "__slots__": ()}
    return types.new_class(cls.__name__, (cls, ClassMarker), exec_body=lambda held: held.update(names))
