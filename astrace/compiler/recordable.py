"""The part of a compiled function that a recording of a run asks for: a recorder in front of its calls, and its report.

It knows the recorder as `astrace.util.events` describes it, and the report only by the name of the module that writes it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astrace.compiler.dispatcher import plain_dispatcher
from astrace.util.events import RunRecorder

if TYPE_CHECKING:
    import threading

    from astrace.compiler.direct_calls import CallCounter
    from astrace.compiler.stages import Counter
    from astrace.errors import Reason


class Recordable:
    """A compiled function whose calls may be recorded."""

    __slots__ = ()

    if TYPE_CHECKING:
        __astrace_function__: Any
        _lock: threading.RLock
        _recorder: RunRecorder | None
        _retired: Reason | None
        _calls: CallCounter
        _fallbacks: Counter

        def _build(self) -> Callable[..., Any]: ...

        def _renew(self, dispatch: Callable[..., Any]) -> None: ...

    def report(self, path: str | Path) -> None:
        """Write one HTML page of what became of the function: its captures, recompiles, fallbacks and graphs.

        Args:
            path: the file.

        Raises:
            InvalidArgument: it can't be written.

        Example:
            >>> import astrace, tempfile, pathlib
            >>> f = astrace.compile(lambda x: x + 1)
            >>> f(1)
            2
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     f.report(f"{folder}/out.html")
            ...     pathlib.Path(f"{folder}/out.html").read_text()[:15]
            '<!doctype html>'
        """
        # by name: the report stands above the compiler, and is loaded when somebody wants one
        importlib.import_module("astrace.report.one_function").save(self, path)

    @property
    def __astrace_retired__(self) -> Reason | None:
        """The reason why all calls run as plain Python by now."""
        return self._retired

    def __astrace_record__(self, recorder: RunRecorder | None) -> RunRecorder | None:
        """Have calls measured by a recorder from now on, or by nobody; return the one before."""
        with self._lock:
            before, self._recorder = self._recorder, recorder
            self._renew(self._build() if self._retired is None else self.__astrace_plain__())
            return before

    def __astrace_plain__(self) -> Callable[..., Any]:
        """Return the plain function, which counts its calls as the dispatcher does."""
        steps = [self._calls.step] if self._retired is None else [self._calls.step, self._fallbacks.step]
        return plain_dispatcher(self.__astrace_function__, steps)
