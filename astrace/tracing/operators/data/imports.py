"""``import`` inside a function.

A module that is loaded is read from ``sys.modules``.  One that is not runs its code when it is imported, which is
nothing to be done while tracing.  Where the import is certain to happen, the plain function does it at this call, and the
capture is made at the next; where nobody knows whether it does, or nothing is found under the name, the import is a node.
So is every import where a tool had put something in place of ``builtins.__import__`` before astrace was imported.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any, Final

from astrace.errors import Reason
from astrace.guards.access_paths import Attribute, Item, Root
from astrace.guards.kinds import Is, Lacks, LacksAttribute
from astrace.locations import GENERATED, Location
from astrace.tracing.context import Trace, current
from astrace.tracing.operators.calls.opaque_calls import opaque
from astrace.tracing.scopes import FunctionScope, rewritten_frames
from astrace.tracing.signals import Uncapturable

__all__ = ["import_", "import_from"]

MODULES: Final = Root(sys.modules, "sys.modules")
IMPORT: Final = Attribute(Root(builtins, "builtins"), "__import__")
"""What every import statement calls."""


def import_(name: str, whole: bool) -> Any:
    """``import a.b`` gives ``a``; with a name of its own (``whole``) it gives ``a.b``."""
    trace = current()
    statement = f"import {name} as found" if whole else f"import {name}"
    result = "found" if whole else name.partition(".")[0]
    if not _is_loaded(name):
        return _imported(trace, name, statement, result)
    if not _is_done_by_python(trace):
        return _in_the_program(trace, statement, result)
    found = _loaded(trace, name)
    return found if whole else _loaded(trace, name.split(".", maxsplit=1)[0])


def _loaded(trace: Trace, name: str) -> Any:
    """A module that is loaded already: importing it again does nothing."""
    return trace.state.enter(sys.modules[name], Item(MODULES, name))


def import_from(scope: FunctionScope, module: str, level: int, name: str) -> Any:
    """``from module import name``."""
    trace = current()
    package = scope.namespace.get("__package__")
    full = trace.native(importlib.util.resolve_name, "." * level + module, package) if level else module
    statement = f"from {'.' * level}{module} import {name} as found"
    if not _is_loaded(full):
        return _imported(trace, full, statement, "found")
    if not _is_done_by_python(trace):
        return _in_the_program(trace, statement, "found")
    found: Any = sys.modules[full]
    if not isinstance(found, types.ModuleType) or name in vars(found):
        return trace.operators.attr(_loaded(trace, full), name)
    _loaded(trace, full)
    lacks = LacksAttribute(Item(MODULES, full), name)
    if _is_loaded(f"{full}.{name}"):
        trace.state.guard(lacks)
        return _loaded(trace, f"{full}.{name}")
    trace.state.expect(lacks)
    return _imported(trace, f"{full}.{name}", statement, "found")


def _imported(trace: Trace, name: str, statement: str, result: str) -> Any:
    """Import a module, which may load it; once it is loaded, the function is captured again.

    An import in the program finds the module, too, where one that ran before it has loaded it by then.

    Args:
        trace: the trace that is going on.
        name: what is not loaded.
        statement: the import.
        result: the name that holds what is wanted, after it.
    """
    missing = Lacks(MODULES, name) if name not in sys.modules else Is(Item(MODULES, name), None)
    trace.state.expect(missing)
    certain = trace.recorder.parent is None
    if certain and _is_found(name):
        where = trace.location() or Location.of(trace.function.__code__)
        message = f"the module `{name}` is imported here for the first time"
        raise Uncapturable(Reason("AT205", message, where, HINT), (missing,))
    return _in_the_program(trace, statement, result)


def _in_the_program(trace: Trace, statement: str, result: str) -> Any:
    """Import when the program runs."""
    trace.note(
        "AT007", f"`{statement.removesuffix(' as found')}` is an import that happens when the program runs"
    )
    return opaque(_importer(statement, result), (), {})


def _is_done_by_python(trace: Trace) -> bool:
    """Return whether imports call Python's own ``__import__``, which is checked at each call."""
    found = vars(builtins).get(IMPORT.name)
    if not isinstance(found, types.BuiltinFunctionType) or found.__self__ is not builtins:
        return False
    trace.state.guard(Is(IMPORT, found))
    return True


HINT: Final = (
    "the next call is captured, with the module loaded; import it at the top to capture the first call"
)


def _is_loaded(name: str) -> bool:
    """Return whether an import finds a module; a name that is set to ``None`` is not to be imported."""
    return sys.modules.get(name) is not None


def _is_found(name: str) -> bool:
    """Return whether there is a module to load, as far as folders show; no code of any module is run."""
    path: Any = None
    first, *rest = name.split(".")
    full = first
    for part in (None, *rest):
        full = full if part is None else f"{full}.{part}"
        if full in sys.modules:
            path = vars(sys.modules[full]).get("__path__", ()) if _is_loaded(full) else ()
            continue
        known = (
            full in sys.builtin_module_names or importlib.machinery.FrozenImporter.find_spec(full) is not None
        )
        return known or importlib.machinery.PathFinder.find_spec(full, path) is not None
    return False


def _importer(statement: str, result: str) -> types.FunctionType:
    """Return a function that executes the import statement in the program's own context."""
    _, scope = next(rewritten_frames())
    text = f"def importer():\n    {statement}\n    return {result}\n"
    module = compile(text, f"{GENERATED} import>", "exec")
    (code,) = (one for one in module.co_consts if isinstance(one, types.CodeType))
    return types.FunctionType(code, scope.namespace)
