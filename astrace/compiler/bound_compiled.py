"""A compiled method, bound to an instance: what ``instance.method`` gives.

Takes a compiled function and an instance; calls, and all that is asked of a compiled function, go to the function.  Knows nothing of captures.
"""

from __future__ import annotations

import copy
import inspect
import types
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from astrace.compiler.stages import Stages, Stats
from astrace.compiler.target import Target
from astrace.util.entrances import BoundForm


class BoundCompiled(BoundForm):
    """A compiled method, bound to an instance; made at each ``instance.method``, so it holds nothing else."""

    if TYPE_CHECKING:

        def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
            """Call the method."""
            ...
    else:
        __slots__ = ("__call__", "__func__", "__self__", "__weakref__")

    def __init__(self, compiled: Any, instance: Any) -> None:
        self.__func__ = compiled
        self.__self__ = instance
        self.__call__ = types.MethodType(compiled, instance)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.__func__.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.__call__)

    @property
    def __astrace_target__(self) -> Target:
        inner = self.__func__.__astrace_target__
        return replace(inner, first=(*inner.first, self.__self__))

    @property
    def stats(self) -> Stats:
        """The counts of the function, for all instances."""
        return self.__func__.stats

    def stages(self, /, *args: Any, **kwargs: Any) -> Stages:
        """Return the stages of the function for this instance."""
        return self.__func__.stages(self.__self__, *args, **kwargs)

    def explain(self, /, *args: Any, **kwargs: Any) -> str:
        """Return the annotated source of the function for this instance."""
        return self.__func__.explain(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Bind to a copy of the instance, as Python does it."""
        return BoundCompiled(self.__func__, copy.deepcopy(self.__self__, memo))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundCompiled):
            return NotImplemented
        return self.__self__ is other.__self__ and self.__func__ is other.__func__

    def __hash__(self) -> int:
        return hash((id(self.__self__), self.__func__))

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.__self__, self.__astrace_function__.__name__)

    def __repr__(self) -> str:
        return f"<bound method {self.__astrace_function__.__qualname__} of {self.__self__!r}>"
