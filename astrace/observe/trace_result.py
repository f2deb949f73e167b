"""`TraceResult`: a whole trace, as users hold it: stages, calls, items; as text, HTML, JSON, a table; compared with another."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from astrace.errors import InvalidArgument
from astrace.observe.output.difference import TraceDifference, first_difference
from astrace.observe.output.html import trace_page
from astrace.observe.output.json_ import trace_json
from astrace.observe.output.tables import chrome_trace, trace_dataframe
from astrace.observe.recording.definition import RESULT, Captured, TraceDef
from astrace.observe.records.item_trace import ItemTrace, item_trace
from astrace.observe.records.trace_call import RaisedException
from astrace.observe.records.trace_data import TraceData

Instrumenting = Callable[[Any, str, TraceDef], None]


class TraceResult(TraceData):
    """The calls of a trace.

    ``result.collate`` and ``result["collate"]`` are a stage, ``result.collate[0]`` its first call, ``result.collate[0].batch`` a
    parameter or a result of it.  A result prints itself, and shows itself in notebooks.

    Args:
        title: what it is a trace of.
        limit: the number of items that flow; ``None`` for all.

    Attributes:
        returned: the value of the verb or the graph that was traced, if one was.
        exception: what ended the trace, or ``None``.
        limit: the number of items that flow.
        began_ns: when it began, by ``time.perf_counter_ns``.
    """

    def __init__(self, title: str = "trace", limit: int | None = None) -> None:
        super().__init__(title)
        self.limit = limit
        self.began_ns = 0
        self.returned: Any = None
        self.exception: RaisedException | None = None
        self._instrumenting: Instrumenting | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_instrumenting": None}

    def instrument(
        self,
        obj: Any,
        name: str,
        *,
        stage: str = "evaluation",
        params_to_capture: Captured = None,
        result_name: str | tuple[str, ...] = RESULT,
        disp_name: str = "",
        item: str | None = None,
        source: bool | None = None,
    ) -> None:
        """Record the calls of a method that is not decorated, until the trace ends.

        What stands in the class or module is replaced for that time, and put back however the trace ends.  Other traces, and
        calls of nobody's trace, are not affected.

        Args:
            obj: an object, for calls on it alone; a class, for all its instances; a module.
            name: the name of the method, property or function.
            stage: the stage of its calls.
            params_to_capture: which parameters are recorded; all by default.
            result_name: the name of its result.
            disp_name: the name to show.
            item: the parameter that tells which item a call is for.
            source: it gives the items of a pipeline.

        Raises:
            InvalidArgument: the trace has ended; there is no such attribute; it is not called; its class can't be changed.
        """
        if self._instrumenting is None:
            raise InvalidArgument("instrument: the trace has ended")
        definition = TraceDef(disp_name, name, params_to_capture, result_name, stage, item, source)
        self._instrumenting(obj, name, definition)

    def item(self, key: Hashable) -> ItemTrace:
        """One item's way through the stages: the calls that worked on it, as far as it could be followed.

        Args:
            key: the number of the item in its source, or the name it is asked for by.

        Raises:
            NotInTrace: no call is known to work on it.
        """
        return item_trace(self.calls, key)

    # -- output ------------------------------------------------------------------------------------------

    def to_html(self) -> str:
        """The trace as a page of its own, without scripts, that loads nothing."""
        return trace_page(self)

    def to_json(self, indent: int | None = None) -> str:
        """The trace as JSON text."""
        return trace_json(self, indent)

    def to_dataframe(self) -> Any:
        """A pandas table with one row for each call.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return trace_dataframe(self)

    def to_chrome_trace(self) -> str:
        """The trace as JSON text for chrome://tracing and ui.perfetto.dev."""
        return chrome_trace(self)

    def diff(self, other: TraceData) -> TraceDifference | None:
        """The first call whose parameters, results or exception differ; ``None`` where there is none."""
        return first_difference(self, other)
