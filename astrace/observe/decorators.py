"""The decorators for functions and methods: `trace_func`, and its two forms for datasets and models.

What is decorated runs as before; while a trace is going on in its thread or task, its calls are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astrace.observe.recording.definition import RESULT, Captured, TraceDef
from astrace.observe.recording.wrappers import recording


def trace_func(
    func: Any = None,
    /,
    *,
    stage_name: str,
    params_to_capture: Captured = None,
    result_name: str | tuple[str, ...] = RESULT,
    item: str | None = None,
    source: bool | None = None,
) -> Any:
    """Record the calls of a function, while a trace is going on.

    Functions, coroutine functions, generators and asynchronous generators stay what they are; methods, static and class
    methods and properties may be decorated above or below their own decorator.

    Args:
        func: the function.
        stage_name: the stage of its calls; any name.
        params_to_capture: names of parameters, or names to show with a parameter's name or position; all by default.
        result_name: the name of the result, or one for each item of a tuple.
        item: the parameter that tells which item a call is for.
        source: it gives the items of a pipeline, so that the limit of a trace holds for it.  ``__len__``, ``__getitem__`` and
            ``__iter__`` are taken for sources unless this says otherwise.

    Raises:
        InvalidArgument: it is a class or nothing that is called, or has no parameter of a name.

    Example:
        >>> from astrace.observe import tracing
        >>> @trace_func(stage_name="scale", result_name="scaled")
        ... def scale(x, factor=2):
        ...     return x * factor
        >>> with tracing() as result:
        ...     _ = scale(3, factor=5)
        >>> result.scale[0].parameters, result.scale[0].scaled
        ({'x': 3, 'factor': 5}, 15)
    """
    definition = TraceDef("", "", params_to_capture, result_name, stage_name, item, source)
    return _decorator(definition) if func is None else recording(func, definition)


def trace_dataset_func(
    func: Any = None,
    /,
    *,
    params_to_capture: Captured = None,
    result_name: str | tuple[str, ...] = RESULT,
    stage_name: str = "dataset_getter",
    item: str | None = None,
    source: bool | None = None,
) -> Any:
    """Record the calls of a dataset's function; its first parameter, if a number or text, tells the item.

    Args:
        func: the function.
        params_to_capture: as for `trace_func`.
        result_name: as for `trace_func`.
        stage_name: the stage of its calls.
        item: as for `trace_func`.
        source: as for `trace_func`.
    """
    return trace_func(
        func,
        stage_name=stage_name,
        params_to_capture=params_to_capture,
        result_name=result_name,
        item=item,
        source=source,
    )


def trace_model_func(
    func: Any = None,
    /,
    *,
    params_to_capture: Captured = None,
    result_name: str | tuple[str, ...] = RESULT,
    stage_name: str = "evaluation",
) -> Any:
    """Record the calls of a model's function.

    Args:
        func: the function.
        params_to_capture: as for `trace_func`.
        result_name: as for `trace_func`.
        stage_name: the stage of its calls.
    """
    definition = TraceDef("", "", params_to_capture, result_name, stage_name)
    return _decorator(definition) if func is None else recording(func, definition)


def _decorator(definition: TraceDef) -> Callable[[Any], Any]:
    def decorate(func: Any) -> Any:
        return recording(func, definition)

    return decorate
