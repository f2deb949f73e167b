"""Calls during which other code of the program runs, though they are given none: a table beside those of `astrace.ops.callables.purity`.

A call that waits lets other threads go on; some run what was registered with them before (handlers of signals, of
logging, finalizers).  What is outside may have changed when they return.
"""

from __future__ import annotations

from typing import Any, Final

from astrace.ops.callables.purity import Row, names_of, row_in

RUNNING_OTHERS: Final = (
    Row("threading", what="threads"),
    Row("queue", what="threads"),
    Row("concurrent", what="threads"),
    Row("asyncio", what="tasks"),
    Row("sched", what="threads"),
    Row("time", ("sleep",), "threads"),
    Row("multiprocessing", what="threads"),
    Row("subprocess", what="threads"),
    Row("select", what="threads"),
    Row("selectors", what="threads"),
    Row("socket", what="threads"),
    Row("socketserver", what="threads"),
    Row("ssl", what="threads"),
    Row("http", what="threads"),
    Row("urllib", what="threads"),
    Row(
        "os",
        names_of("kill killpg popen posix_spawn read system wait wait3 wait4 waitid waitpid write"),
        "threads",
    ),
    Row("builtins", ("input", "breakpoint", "exec", "eval", "__import__"), "any code"),
    Row("signal", what="handlers"),
    Row("logging", what="handlers"),
    Row("atexit", what="handlers"),
    Row("gc", what="finalizers"),
    Row("weakref", ("finalize", "finalize.__call__", "finalize.detach"), "finalizers"),
    Row("pickle", what="classes that are found by name"),
    Row("copyreg", what="classes that are found by name"),
    Row("importlib", what="modules that are loaded"),
    Row("runpy", what="modules that are loaded"),
    Row("unittest", what="any code"),
    Row("doctest", what="any code"),
    Row("ctypes", what="callbacks"),
)
"""Callables, and classes whose methods they are; `what` runs meanwhile."""


def runs_other_code(value: Any) -> bool:
    """Whether other code of the program may run while a callable does, or while an instance of a class is used.

    Example:
        >>> import threading, time
        >>> runs_other_code(time.sleep), runs_other_code(type(threading.Lock())), runs_other_code(time.time)
        (True, True, False)
    """
    return row_in(RUNNING_OTHERS, value) is not None
