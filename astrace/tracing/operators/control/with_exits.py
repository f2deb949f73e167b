"""Context managers whose ``__exit__`` lets every exception through: a body that raises does not go on behind the ``with``."""

from __future__ import annotations

from typing import Any, Final

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import class_of
from astrace.ops.callables.purity import Row, names_of, row_in
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.special_methods import class_attribute

LETTING_THROUGH: Final = (
    Row(
        "io",
        names_of("open StringIO BytesIO FileIO BufferedReader BufferedWriter BufferedRandom TextIOWrapper"),
    ),
    Row("os", names_of("fdopen scandir")),
    Row("pathlib", ("Path.open",)),
    Row("tempfile"),
    Row("zipfile", names_of("ZipFile ZipFile.open")),
    Row("tarfile", names_of("TarFile TarFile.open")),
    *(Row(module, ("open",)) for module in ("gzip", "bz2", "lzma", "shelve", "wave")),
    Row("gzip", ("GzipFile",)),
    Row("bz2", ("BZ2File",)),
    Row("lzma", ("LZMAFile",)),
    Row("mmap", ("mmap",)),
    Row("fileinput", names_of("input FileInput")),
    Row("threading", names_of("Lock lock allocate_lock RLock Condition Semaphore BoundedSemaphore")),
    Row("concurrent.futures", names_of("ThreadPoolExecutor ProcessPoolExecutor")),
    Row("socket", names_of("socket create_connection create_server")),
    Row("urllib.request", ("urlopen",)),
    Row("sqlite3", names_of("connect Connection")),
    Row("subprocess", ("Popen",)),
    Row("warnings", ("catch_warnings",)),
    Row("contextlib", names_of("nullcontext redirect_stdout redirect_stderr closing chdir")),
    Row("decimal", ("localcontext",)),
    Row("builtins", ("memoryview",)),
    Row("numpy", names_of("errstate nditer printoptions load")),
)
"""Classes of such managers, and functions and methods that give one."""
MAKES: Final = ("call", "make_object")
"""Ops that make an instance of their first input."""


def never_suppresses(trace: Trace, manager: Any) -> bool:
    """Whether leaving a context manager lets exceptions through."""
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
