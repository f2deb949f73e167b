"""Calls during which other code of the program runs, though they are given none: a table beside those of `astrace.ops.callables.purity`.

A call that waits lets other threads go on; some run what was registered with them before (handlers of signals, of
logging, finalizers).  What is outside may have changed when they return.
"""

from __future__ import annotations

from typing import Any, Final

from astrace.ops.callables.purity import PurityRow, names_of, row_in

RUNNING_OTHERS: Final = (
    PurityRow("threading", what="threads"),
    PurityRow("queue", what="threads"),
    PurityRow("concurrent", what="threads"),
    PurityRow("asyncio", what="tasks"),
    PurityRow("sched", what="threads"),
    PurityRow("time", ("sleep",), "threads"),
    PurityRow("multiprocessing", what="threads"),
    PurityRow("subprocess", what="threads"),
    PurityRow("select", what="threads"),
    PurityRow("selectors", what="threads"),
    PurityRow("socket", what="threads"),
    PurityRow("socketserver", what="threads"),
    PurityRow("ssl", what="threads"),
    PurityRow("http", what="threads"),
    PurityRow("urllib", what="threads"),
    PurityRow(
        "os",
        names_of("kill killpg popen posix_spawn read system wait wait3 wait4 waitid waitpid write"),
        "threads",
    ),
    PurityRow("builtins", ("input", "breakpoint", "exec", "eval", "__import__"), "any code"),
    PurityRow("signal", what="handlers"),
    PurityRow("logging", what="handlers"),
    PurityRow("atexit", what="handlers"),
    PurityRow("gc", what="finalizers"),
    PurityRow("weakref", ("finalize", "finalize.__call__", "finalize.detach"), "finalizers"),
    PurityRow("pickle", what="classes that are found by name"),
    PurityRow("copyreg", what="classes that are found by name"),
    PurityRow("importlib", what="modules that are loaded"),
    PurityRow("runpy", what="modules that are loaded"),
    PurityRow("unittest", what="any code"),
    PurityRow("doctest", what="any code"),
    PurityRow("ctypes", what="callbacks"),
)
"""Callables, and classes by their methods; `what` names the code that runs meanwhile."""


def runs_other_code(value: Any) -> bool:
    """Return whether other code of the program may run during a call, or while an instance of a class is used.

    Example:
        >>> import threading, time
        >>> runs_other_code(time.sleep), runs_other_code(type(threading.Lock())), runs_other_code(time.time)
        (True, True, False)
    """
    return row_in(RUNNING_OTHERS, value) is not None
