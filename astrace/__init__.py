"""astrace compiles plain Python array functions into graphs that hold their real control flow.

    import astrace

    @astrace.compile
    def f(x, n): ...

Names are loaded when they are first used, so that ``import astrace`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from astrace.version import __version__ as __version__

if TYPE_CHECKING:
    from astrace import ir as ir
    from astrace import observe as observe
    from astrace.api.compile import compile
    from astrace.api.freeze import freeze
    from astrace.api.map import map
    from astrace.api.trace import trace
    from astrace.api.trace_graph import trace_graph
    from astrace.bundle.load import load
    from astrace.bundle.portable_graph import PortableGraph
    from astrace.check.check import check
    from astrace.compiler.compiled import Compiled, RecompileLimit
    from astrace.compiler.graph import Graph
    from astrace.compiler.stages import Stages, Stats
    from astrace.errors import (
        AssetError,
        AstraceError,
        BrokenBlock,
        BundleError,
        InvalidArgument,
        MissingExtra,
        NotCaptured,
        NotInTrace,
        Reason,
        SignatureMismatch,
        StateChanged,
        UncapturedFile,
        WrongResult,
    )
    from astrace.library.compilable import skip
    from astrace.library.copies import original
    from astrace.library.import_hook import ImportHook, compile_this_package, import_hook
    from astrace.library.lazy_graph import LazyGraph
    from astrace.library.policy import Policy
    from astrace.ops.callables.purity import impure, pure
    from astrace.pipelines.pmap import pmap
    from astrace.pipelines.script import script
    from astrace.report.recording import recording

__all__ = [
    "AssetError",
    "AstraceError",
    "BrokenBlock",
    "BundleError",
    "Compiled",
    "Graph",
    "ImportHook",
    "InvalidArgument",
    "LazyGraph",
    "MissingExtra",
    "NotCaptured",
    "NotInTrace",
    "Policy",
    "PortableGraph",
    "Reason",
    "RecompileLimit",
    "SignatureMismatch",
    "Stages",
    "StateChanged",
    "Stats",
    "UncapturedFile",
    "WrongResult",
    "check",
    "compile",
    "compile_this_package",
    "freeze",
    "import_hook",
    "impure",
    "ir",
    "load",
    "map",
    "observe",
    "original",
    "pmap",
    "pure",
    "recording",
    "script",
    "skip",
    "trace",
    "trace_graph",
]

_HOMES: Final = {
    "AssetError": "astrace.errors",
    "AstraceError": "astrace.errors",
    "BrokenBlock": "astrace.errors",
    "BundleError": "astrace.errors",
    "Compiled": "astrace.compiler.compiled",
    "Graph": "astrace.compiler.graph",
    "ImportHook": "astrace.library.import_hook",
    "InvalidArgument": "astrace.errors",
    "LazyGraph": "astrace.library.lazy_graph",
    "MissingExtra": "astrace.errors",
    "NotCaptured": "astrace.errors",
    "NotInTrace": "astrace.errors",
    "Policy": "astrace.library.policy",
    "PortableGraph": "astrace.bundle.portable_graph",
    "Reason": "astrace.errors",
    "RecompileLimit": "astrace.compiler.compiled",
    "SignatureMismatch": "astrace.errors",
    "Stages": "astrace.compiler.stages",
    "StateChanged": "astrace.errors",
    "Stats": "astrace.compiler.stages",
    "UncapturedFile": "astrace.errors",
    "WrongResult": "astrace.errors",
    "compile": "astrace.api.compile",
    "compile_this_package": "astrace.library.import_hook",
    "freeze": "astrace.api.freeze",
    "import_hook": "astrace.library.import_hook",
    "impure": "astrace.ops.callables.purity",
    "load": "astrace.bundle.load",
    "load_ipython_extension": "astrace.integrations.notebook",
    "map": "astrace.api.map",
    "original": "astrace.library.copies",
    "pmap": "astrace.pipelines.pmap",
    "pure": "astrace.ops.callables.purity",
    "recording": "astrace.report.recording",
    "script": "astrace.pipelines.script",
    "skip": "astrace.library.compilable",
    "trace": "astrace.api.trace",
    "trace_graph": "astrace.api.trace_graph",
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it (PEP 562)."""
    if name == "ir":
        importlib.import_module("astrace.ir.walk")
    if name in ("check", "ir", "observe"):
        return importlib.import_module(f"astrace.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'astrace' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
