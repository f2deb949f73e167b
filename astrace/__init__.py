"""astrace compiles plain Python array functions into graphs that hold their real control flow.

    import astrace

    @astrace.compile
    def f(x, n): ...

Names are loaded when they are first used, so that ``import astrace`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from astrace import ir as ir
    from astrace.check.validator import check
    from astrace.compiler import Compiled, RecompileLimit
    from astrace.errors import (
        AstraceError,
        BrokenBlock,
        InvalidArgument,
        MissingExtra,
        NotCaptured,
        Reason,
        SignatureMismatch,
        StateChanged,
    )
    from astrace.frozen import trace
    from astrace.graph import Graph
    from astrace.library.compiling import compile
    from astrace.library.copies import original
    from astrace.library.graphs import LazyGraph
    from astrace.library.import_hook import ImportHook, compile_this_package, import_hook
    from astrace.library.members import skip
    from astrace.library.policy import Policy
    from astrace.library.trace_graph import trace_graph
    from astrace.on_request import freeze
    from astrace.purity import impure, pure
    from astrace.stages import Stages, Stats

__version__ = "0.1.0"

__all__ = [
    "AstraceError",
    "BrokenBlock",
    "Compiled",
    "Graph",
    "ImportHook",
    "InvalidArgument",
    "LazyGraph",
    "MissingExtra",
    "NotCaptured",
    "Policy",
    "Reason",
    "RecompileLimit",
    "SignatureMismatch",
    "Stages",
    "StateChanged",
    "Stats",
    "check",
    "compile",
    "compile_this_package",
    "freeze",
    "import_hook",
    "impure",
    "ir",
    "original",
    "pure",
    "skip",
    "trace",
    "trace_graph",
]

_HOMES: Final = {
    "AstraceError": "astrace.errors",
    "BrokenBlock": "astrace.errors",
    "Compiled": "astrace.compiler",
    "Graph": "astrace.graph",
    "ImportHook": "astrace.library.import_hook",
    "InvalidArgument": "astrace.errors",
    "LazyGraph": "astrace.library.graphs",
    "MissingExtra": "astrace.errors",
    "NotCaptured": "astrace.errors",
    "Policy": "astrace.library.policy",
    "Reason": "astrace.errors",
    "RecompileLimit": "astrace.compiler",
    "SignatureMismatch": "astrace.errors",
    "Stages": "astrace.stages",
    "StateChanged": "astrace.errors",
    "Stats": "astrace.stages",
    "compile": "astrace.library.compiling",
    "compile_this_package": "astrace.library.import_hook",
    "freeze": "astrace.on_request",
    "import_hook": "astrace.library.import_hook",
    "impure": "astrace.purity",
    "original": "astrace.library.copies",
    "pure": "astrace.purity",
    "skip": "astrace.library.members",
    "trace": "astrace.frozen",
    "trace_graph": "astrace.library.trace_graph",
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it (PEP 562)."""
    if name == "ir":
        importlib.import_module("astrace.ir.walk")
    if name in ("check", "ir"):
        return importlib.import_module(f"astrace.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'astrace' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
