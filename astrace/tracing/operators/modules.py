"""``import`` inside a function."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Any

from astrace.paths import Item, Root
from astrace.tracing.context import Trace, current
from astrace.tracing.scopes import Scope

__all__ = ["import_", "import_from"]


def import_(name: str, whole: bool) -> Any:
    """``import a.b`` gives ``a``; with a name of its own (``whole``) it gives ``a.b``."""
    trace = current()
    found = _loaded(trace, name)
    return found if whole else _loaded(trace, name.split(".", maxsplit=1)[0])


def _loaded(trace: Trace, name: str) -> Any:
    """A module that is loaded already: importing it again does nothing."""
    if name not in sys.modules:
        trace.stop(
            "AT205", f"the module `{name}` is imported here for the first time", "import it at the top"
        )
    path = Item(Root(sys.modules, "sys.modules"), name)
    return trace.state.enter(sys.modules[name], path)


def import_from(scope: Scope, module: str, level: int, name: str) -> Any:
    """``from module import name``."""
    trace = current()
    package = scope.namespace.get("__package__")
    full = trace.native(importlib.util.resolve_name, "." * level + module, package) if level else module
    if f"{full}.{name}" in sys.modules:
        return _loaded(trace, f"{full}.{name}")
    found = _loaded(trace, full)
    if isinstance(found, types.ModuleType) and not hasattr(found, name):
        trace.stop(
            "AT205", f"`{name}` is imported from `{full}`, which has no such name yet", "import it at the top"
        )
    return trace.operators.attr(found, name)
