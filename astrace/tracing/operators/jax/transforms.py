"""Functions that are given to JAX's own: ``jax.grad(f)(x)``, ``lax.scan(step, …)``, ``jax.tree.map(f, tree)``.

JAX evaluates such a call abstractly while tracing, and calls the functions with arrays of which it knows dtypes and
shapes.  Each becomes a ``function`` node then, whose body is what was recorded; the call is a node that is given it.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Iterator, Mapping
from typing import Any

from astrace.ir.jax_arrays import jax_module
from astrace.ir.specs import DeviceSpec, ScalarSpec, UnionSpec
from astrace.ops.python.objects import pullback, tangents
from astrace.tracing.context import Trace
from astrace.tracing.operators.jax.application import Application
from astrace.tracing.operators.jax.callbacks import Transformed, adopted, is_callback, is_wrapped
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.jax_trees import is_node
from astrace.tracing.values.operands import Lazy
from astrace.util.trees import is_namedtuple

__all__: list[str] = []


def takes_functions(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call of one of JAX's functions is given functions to trace, or trees to take apart."""
    jax = jax_module()
    if isinstance(function, Transformed) or function is jax.vjp or function is jax.linearize:
        return True
    given = _leaves((args, dict(kwargs)))
    return any(isinstance(one, Transformed) or is_callback(trace, one) for one in given) or (
        _is_for_trees(function) and not any(isinstance(one, Tracer) and _is_opaque(one) for one in given)
    )


def _is_for_trees(function: Any) -> bool:
    """Return whether a function of JAX only takes trees apart."""
    jax = jax_module()
    known = (vars(jax.tree), vars(jax.tree_util))
    return isinstance(function, types.FunctionType) and any(
        function is one for module in known for one in module.values()
    )


def _is_opaque(tracer: Tracer) -> bool:
    return not isinstance(tracer.value.spec, DeviceSpec | ScalarSpec | UnionSpec)


def _leaves(tree: Any) -> list[Any]:
    """Return the items in containers, at any depth."""
    if type(tree) in (tuple, list) or is_namedtuple(tree):
        return [leaf for item in tree for leaf in _leaves(item)]
    if type(tree) is dict:
        return [leaf for item in tree.values() for leaf in _leaves(item)]
    return [tree]


def _containers_and_leaves(tree: Any) -> Iterator[Any]:
    yield tree
    if type(tree) in (tuple, list, dict) or is_namedtuple(tree):
        for item in tree.values() if type(tree) is dict else tree:
            yield from _containers_and_leaves(item)


def call_with_functions(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of one of JAX's functions that is given functions."""
    for one in _containers_and_leaves((args, dict(kwargs))):
        if trace.state.is_outside(one):
            trace.stop("AT204", f"a {type(one).__name__} from outside is given to a function of JAX")
    if _is_for_trees(function):
        return _on_trees(trace, function, args, kwargs)
    if function is jax_module().vjp and len(args) > 1 and not kwargs:
        return trace.operators.call(args[0], *args[1:]), Transformed(pullback, args, {})
    if function is jax_module().linearize and len(args) > 1 and not kwargs:
        return trace.operators.call(args[0], *args[1:]), Transformed(tangents, args, {})
    if not isinstance(function, Transformed) and _only_wraps(trace, function, args, kwargs):
        return Transformed(function, args, dict(kwargs))
    return Application(trace, function, args, kwargs).run()


def _on_trees(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``jax.tree.map(f, tree)``: done while tracing, since trees are known."""
    counted = len(trace.recorder.nodes)

    def given(value: Any) -> Any:
        called = isinstance(value, Transformed) or (callable(value) and not is_node(value))
        return functools.partial(trace.operators.call, value) if called else value

    try:
        found = function(*map(given, args), **{name: given(value) for name, value in kwargs.items()})
    except (TypeError, ValueError, KeyError) as error:
        if counted == len(trace.recorder.nodes):
            trace.mark(error, certain=False)
        raise
    return adopted(trace, found)


def _only_wraps(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call gives a function without calling those it is given: ``jax.grad(f)``."""
    called: list[bool] = []

    def stub(*_: Any, **__: Any) -> Any:
        called.append(True)
        raise _Called

    given = _leaves((args, dict(kwargs)))
    if any(isinstance(one, Tracer | Lazy) and not isinstance(one, Transformed) for one in given):
        return False

    def plain(value: Any) -> Any:
        return stub if is_wrapped(trace, value) else value

    with contextlib.suppress(Exception):
        found = function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
        return not called and callable(found)
    return False


class _Called(Exception):
    """A function was called where nobody expected it."""
