"""Context managers whose ``__exit__`` lets every exception through: a body that raises does not go on behind the ``with``."""

from __future__ import annotations

from typing import Any, Final

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import class_of
from astrace.ops.callables.purity import PurityRow, names_of, row_in
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.special_methods import class_attribute

LETTING_THROUGH: Final = (
    PurityRow(
        "io",
        names_of("open StringIO BytesIO FileIO BufferedReader BufferedWriter BufferedRandom TextIOWrapper"),
    ),
    PurityRow("os", names_of("fdopen scandir")),
    PurityRow("pathlib", ("Path.open",)),
    PurityRow("tempfile"),
    PurityRow("zipfile", names_of("ZipFile ZipFile.open")),
    PurityRow("tarfile", names_of("TarFile TarFile.open")),
    *(PurityRow(module, ("open",)) for module in ("gzip", "bz2", "lzma", "shelve", "wave")),
    PurityRow("gzip", ("GzipFile",)),
    PurityRow("bz2", ("BZ2File",)),
    PurityRow("lzma", ("LZMAFile",)),
    PurityRow("mmap", ("mmap",)),
    PurityRow("fileinput", names_of("input FileInput")),
    PurityRow("threading", names_of("Lock lock allocate_lock RLock Condition Semaphore BoundedSemaphore")),
    PurityRow("concurrent.futures", names_of("ThreadPoolExecutor ProcessPoolExecutor")),
    PurityRow("socket", names_of("socket create_connection create_server")),
    PurityRow("urllib.request", ("urlopen",)),
    PurityRow("sqlite3", names_of("connect Connection")),
    PurityRow("subprocess", ("Popen",)),
    PurityRow("warnings", ("catch_warnings",)),
    PurityRow("contextlib", names_of("nullcontext redirect_stdout redirect_stderr closing chdir")),
    PurityRow("decimal", ("localcontext",)),
    PurityRow("builtins", ("memoryview",)),
    PurityRow("numpy", names_of("errstate nditer printoptions load")),
)
"""Classes of such managers, and functions and methods that give one."""
MAKES: Final = ("call", "make_object")
"""Ops that make an instance of their first input."""


def never_suppresses(trace: Trace, manager: Any) -> bool:
    """Return whether a context manager certainly lets exceptions through."""
    if not isinstance(manager, Tracer):
        return row_in(LETTING_THROUGH, type(manager)) is not None
    cls = class_of(manager.value.spec)
    if cls is not None and row_in(LETTING_THROUGH, cls) is not None:
        return True
    node = trace.producers.get(trace.recorder.origin(manager.value))
    return node is not None and row_in(LETTING_THROUGH, _called(node)) is not None


def _called(node: Node) -> Any:
    """The function, class or method that a node calls, where it is known."""
    first = node.inputs[0] if node.inputs else None
    if node.op in MAKES and isinstance(first, Constant):
        return first.value
    if node.op != "call_method" or not isinstance(node.inputs[1], Constant):
        return None
    cls = class_of(first.spec) if isinstance(first, Value) else type(first.value)  # type: ignore[union-attr]
    found = None if cls is None else class_attribute(cls, node.inputs[1].value)
    return None if found is None else found[1]
