"""Graphs for arrays of JAX: what a function of NumPy or of JAX is written for, they take and give JAX's arrays.

A function that works on JAX's arrays by itself follows JAX's rules.  Any other follows NumPy's: its arguments are
converted, and what comes out is converted back.  Where JAX traces, its program becomes a part of what is traced.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from astrace.compiler.compiled import Compiled
from astrace.errors import NotCaptured
from astrace.ir.jax_arrays import is_array, is_tracer
from astrace.library.array_conversion import Crossing, as_numpy
from astrace.util.trees import leaves, map_tree

if TYPE_CHECKING:
    from astrace.compiler.stages import Options, Stages

KINDS: Final = "biufc"
"""The kinds of dtypes that JAX has."""
NARROW: Final = {"b": 1, "i": 4, "u": 4, "f": 4, "c": 8}
"""The size of the largest items of each kind that JAX makes, unless more bits are enabled."""


class ThroughJax:
    """The calls of one graph.

    Args:
        function: the function.
        options: how it is captured.
        stages: gives the capture for some arguments.
    """

    def __init__(self, function: Callable[..., Any], options: Options, stages: Callable[..., Stages]) -> None:
        self._function, self._options, self._stages = function, options, stages
        self._own: bool | None = None

    def call(self, dispatch: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Run one call."""
        given = [one for one in leaves((args, dict(kwargs))) if is_array(one)]
        if not given:
            return _results(dispatch(*args, **kwargs))
        with _bits(given):
            if self._is_own(args, kwargs):
                return _results(dispatch(*args, **kwargs))
        if any(map(is_tracer, given)):
            return self._within_jax(args, kwargs)
        crossing = Crossing(as_numpy, as_jax)
        args, kwargs = crossing.into(args, kwargs)
        return crossing.back(dispatch(*args, **kwargs))

    def example(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """Arguments to capture a call with."""
        given = [one for one in leaves((args, dict(kwargs))) if is_array(one)]
        with _bits(given):
            if not given or self._is_own(args, kwargs):
                return args, kwargs
        return map_tree(stand_in, args), map_tree(stand_in, dict(kwargs))

    def lower(self, graph: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Lower a call by ``jax.jit``."""
        jitted = jax.jit(graph, static_argnames=self._options.static_argnames)
        with jax.enable_x64(True):
            if not self._is_own(map_tree(as_jax, args), map_tree(as_jax, dict(kwargs))):
                return jitted.lower(*args, **kwargs)
        return jitted.lower(*args, **kwargs)

    def _is_own(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Return whether the function works on JAX's arrays as it is; found out once."""
        if self._own is None:
            options = replace(self._options, native=False, fullgraph=False)
            executable = Compiled(self._function, options).stages(*args, **kwargs).executable
            self._own = executable is not None and executable.backend == "jax"
        return self._own

    def _within_jax(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The program of a function of NumPy, where JAX traces."""
        stages = self._stages(*args, **kwargs)
        executable, graph = stages.executable, stages.graph
        reason = stages.fallback or stages.refused
        if reason is not None:
            raise NotCaptured(reason)
        assert executable is not None and executable.inline is not None and graph is not None
        arguments = graph.bind(args, kwargs)
        return executable.inline(*(graph.inputs[index].follow(arguments) for index in executable.used))


def _results(found: Any) -> Any:
    return Crossing(lambda value: value, as_jax).back(found)


def _bits(given: Iterable[Any]) -> contextlib.AbstractContextManager[Any]:
    """Return the context that keeps JAX from cutting 64 bits, where arrays have as many."""
    wide = any(one.dtype.kind in KINDS and one.dtype.itemsize > NARROW[one.dtype.kind] for one in given)
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


def as_jax(value: Any) -> Any:
    """Convert an array or a number of NumPy to one of JAX's, of the same dtype; other objects stay as they are."""
    if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in KINDS:
        return value
    with jax.enable_x64(True):
        return jnp.array(value)


def stand_in(value: Any) -> Any:
    """Return a value of NumPy's or Python's that is captured as an array of JAX would be, were it NumPy's."""
    if not is_tracer(value):
        return as_numpy(value)
    aval = jax.typeof(value)
    if getattr(aval, "weak_type", False) and not aval.shape:
        return np.zeros((), aval.dtype).item()
    return np.zeros(aval.shape, aval.dtype)
