"""One call of JAX's own functions that is given functions: evaluated abstractly by JAX, and written down."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.ir.block import Node, Value
from astrace.ir.control import Interface
from astrace.ir.jax_arrays import is_array, jax_module
from astrace.ir.specs import AnySpec, DeviceSpec, ScalarSpec, Spec, TupleSpec, UnionSpec, device_spec
from astrace.ops.effects import is_ordered, written
from astrace.ops.jax import arrays as device_ops
from astrace.tracing.changes.journal import attributes, restore
from astrace.tracing.changes.merge import empty_like, writing
from astrace.tracing.context import Region, Trace
from astrace.tracing.operators.jax.callbacks import Transformed, adopted, is_callback, is_wrapped
from astrace.tracing.record import record
from astrace.tracing.recorder import Recorder
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.jax_trees import is_node
from astrace.tracing.values.objects import is_made
from astrace.tracing.values.operands import Lazy, operand
from astrace.util.trees import is_namedtuple

__all__: list[str] = []

SAMPLES: Final = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


@dataclass(slots=True)
class _Callback:
    """A function that JAX calls while it evaluates abstractly.

    Args:
        function: the function.
        calls: what each call recorded, how it was called, with what, and the leaves of what it gave.
    """

    function: Any
    calls: list[tuple[Region, Interface, tuple[Spec, ...], list[Any]]] = field(
        default_factory=list[tuple[Region, Interface, tuple[Spec, ...], list[Any]]]
    )


class Application:
    """One call that JAX evaluates abstractly.

    Args:
        trace: the trace that is going on.
        function: what is called.
        args: its arguments.
        kwargs: likewise.
    """

    def __init__(self, trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self._trace = trace
        self._call = function, args, dict(kwargs)
        self._callbacks: dict[int, _Callback] = {}

    def run(self) -> Any:
        """Record the call; return the result as a tree of tracers."""
        jax = jax_module()
        held: list[Any] = []

        def arrays(*values: Any) -> list[Any]:
            function, args, kwargs = self._filled(iter(values))
            result = function(*args, **kwargs)
            if any(map(_is_closure, jax.tree.leaves(result, is_leaf=_is_closure))):
                self._trace.stop(
                    "AT204", "a function that JAX has made holds values that only the running program knows"
                )
            leaves, structure = jax.tree.flatten(result)
            held[:] = [structure, *leaves]
            return leaves

        given = self._abstract()
        shapes = self._evaluated(arrays, given)
        structure = held[0]
        specs = [DeviceSpec(one.dtype, len(one.shape), one.weak_type, tuple(one.shape)) for one in shapes]
        return self._recorded(structure, specs)

    def _evaluated(self, arrays: Callable[..., Any], given: Sequence[Any]) -> list[Any]:
        trace = self._trace
        try:
            return jax_module().eval_shape(arrays, *given)
        except (TypeError, ValueError, ArithmeticError, LookupError, NotImplementedError) as error:
            if trace.is_marked(error):
                raise
            trace.stop("AT204", f"JAX does not evaluate this call: {type(error).__name__}")

    # -- what JAX is given ---------------------------------------------------------------------------

    def _abstract(self) -> list[Any]:
        """Return the stand-ins for the tracers among the arguments, in order."""
        found: list[Any] = []

        def note(tracer: Tracer) -> None:
            found.append(_shape_of(self._trace, tracer))

        def function(value: Any) -> None:
            if isinstance(value, Transformed):
                self._opened(value, note, function)

        self._mapped(self._call, note, function)
        return found

    def _opened(
        self, value: Transformed, leaf: Callable[[Tracer], Any], function: Callable[[Any], Any]
    ) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        """Return the parts a function was made of, with something else for tracers and functions."""
        wrapped = functools.partial(self._mapped, leaf=leaf, function=function, wraps=True)
        args = tuple(map(wrapped, value.args))
        return wrapped(value.function), args, {name: wrapped(one) for name, one in value.kwargs.items()}

    def _filled(self, values: Any) -> Any:
        """The call with JAX's own tracers for astrace's, and functions that JAX can call."""

        def given(_: Tracer) -> Any:
            return next(values)

        def function(value: Any) -> Any:
            if isinstance(value, Transformed):
                made, args, kwargs = self._opened(value, given, function)
                return made(*args, **kwargs)
            return functools.partial(self._called, self._callbacks.setdefault(id(value), _Callback(value)))

        return self._mapped(self._call, given, function)

    def _mapped(
        self,
        tree: Any,
        leaf: Callable[[Tracer], Any],
        function: Callable[[Any], Any],
        wraps: bool = False,
    ) -> Any:
        """A tree of arguments with something else for tracers and functions."""

        def inner(part: Any) -> Any:
            return self._mapped(part, leaf, function, wraps)

        if isinstance(tree, Tracer):
            return leaf(tree)
        if (
            isinstance(tree, Transformed)
            or is_callback(self._trace, tree)
            or (wraps and is_wrapped(self._trace, tree))
        ):
            return function(tree)
        if isinstance(tree, Lazy):
            return leaf(tree.materialize(self._trace))
        if type(tree) in (tuple, list):
            return type(tree)(map(inner, tree))
        if is_namedtuple(tree):
            return type(tree)._make(map(inner, tree))
        if type(tree) is dict:
            return {key: inner(item) for key, item in tree.items()}
        if is_made(self._trace, tree):
            copy = empty_like(tree)
            restore(copy, {name: inner(item) for name, item in attributes(tree).items()})
            return copy
        return tree

    # -- what JAX calls ------------------------------------------------------------------------------

    def _called(self, callback: _Callback, /, *args: Any, **kwargs: Any) -> Any:
        """JAX calls a function: its body is recorded."""
        trace, jax = self._trace, jax_module()
        if kwargs:
            trace.stop("AT204", "JAX calls a function with arguments by name")
        leaves, structure = jax.tree.flatten(args)
        specs = tuple(_spec_of(leaf) for leaf in leaves)
        with trace.region() as region:
            region.recorder.computes = True
            given = [Tracer(trace, region.recorder.input(spec)) for spec in specs]
            arguments = jax.tree.unflatten(structure, given)
            adopted(trace, arguments)
            try:
                region.result = trace.operators.call(callback.function, *arguments)
            except Leaves:
                trace.stop("AT204", "a function that is given to JAX raises")
        self._check(region)
        found, layout = jax.tree.flatten(region.result)
        flat = structure == jax.tree.structure((0,) * len(args))
        form = Interface(_name_of(callback.function), len(args), flat, _result(layout))
        callback.calls.append((region, form, specs, found))
        return jax.tree.unflatten(layout, [self._given_back(leaf) for leaf in found])

    def _check(self, region: Region) -> None:
        """Check that a function that JAX calls, an unknown number of times, only computes."""
        changes = region.changes.objects or region.changes.slots
        if changes or any(acts(node, region.recorder) for node in region.recorder.nodes):
            self._trace.stop(
                "AT204", "a function that is given to JAX changes something outside, or has an effect"
            )

    def _given_back(self, leaf: Any) -> Any:
        """Return the stand-in with which JAX goes on for a leaf of a function's result."""
        if not isinstance(leaf, Tracer):
            return leaf
        shape = _shape_of(self._trace, leaf)
        zeros = jax_module().numpy.zeros(shape.shape, shape.dtype)
        if not shape.weak_type:
            return zeros
        return jax_module().numpy.full(shape.shape, shape.dtype.type(0).item())

    # -- writing it down ----------------------------------------------------------------------------

    def _recorded(self, structure: Any, specs: Sequence[DeviceSpec]) -> Any:
        trace, jax = self._trace, jax_module()
        function, args, kwargs = self._mapped(self._call, lambda tracer: tracer, self._function)
        args, kwargs = _values(trace, args), _values(trace, kwargs)
        kind = _result(structure)
        spec: Spec = specs[0] if kind is None else TupleSpec(tuple(specs))
        flat = kind is None or isinstance(kind, int)
        found = record(trace, "device_apply", (function, flat, *args), {**kwargs, "gives": spec})
        if kind is None:
            return found
        leaves = [record(trace, "get_item", (found, index)) for index in range(len(specs))]
        return adopted(trace, jax.tree.unflatten(structure, leaves))

    def _function(self, value: Any) -> Any:
        """A function as a value of the program."""
        trace = self._trace
        if isinstance(value, Transformed):
            function, args, kwargs = self._opened(value, lambda tracer: tracer, self._function)
            named = {**_values(trace, kwargs), "gives": AnySpec(types.FunctionType)}
            return record(trace, "device_apply", (function, True, *_values(trace, args)), named)
        calls = self._callbacks[id(value)].calls if id(value) in self._callbacks else []
        if not calls:
            trace.stop("AT204", f"JAX does not call `{_name_of(value)}` while it evaluates abstractly")
        region, form, specs, found = calls[-1]
        if any(not _alike(specs, other) or form != one for _, one, other, _ in calls):
            trace.stop("AT204", f"`{form.name}` is called by JAX with arguments of several kinds")
        with writing(trace, region):
            outputs = [operand(trace, leaf) for leaf in found]
        block = region.recorder.block(outputs)
        captured = tuple(trace.recorder.operand(one) for one in region.recorder.captures)
        made = Value(AnySpec(types.FunctionType), form.name if form.name.isidentifier() else "")
        trace.append(Node("function", captured, (made,), {"form": form}, (block,), trace.location()))
        return Tracer(trace, made)


def _alike(left: Sequence[Spec], right: Sequence[Spec]) -> bool:
    """Return whether arguments differ in nothing but in whether they are weakly typed."""
    pairs = zip(left, right, strict=False)
    return len(left) == len(right) and all(
        isinstance(a, DeviceSpec) and isinstance(b, DeviceSpec) and (a.dtype, a.ndim) == (b.dtype, b.ndim)
        for a, b in pairs
    )


def _values(trace: Trace, tree: Any) -> Any:
    """Arguments of a node: instances that stand for trees are made for the call."""
    if type(tree) in (tuple, list):
        return type(tree)(_values(trace, item) for item in tree)
    if is_namedtuple(tree):
        return record(trace, "make_namedtuple", (type(tree), *(_values(trace, item) for item in tree)))
    if type(tree) is dict:
        return {key: _values(trace, item) for key, item in tree.items()}
    if not isinstance(tree, Tracer) and is_node(tree):
        held = attributes(tree)
        values = (_values(trace, item) for item in held.values())
        return record(trace, "make_object", (type(tree), tuple(held), *values))
    return tree


def _is_closure(value: Any) -> bool:
    """Return whether a value is a function that holds arrays, which JAX returns to be called later."""
    own = type(value).__module__.partition(".")[0] in ("jax", "jaxlib") and not is_array(value)
    return callable(value) and (own or isinstance(value, types.FunctionType | functools.partial))


def _result(structure: Any) -> Any:
    """Return the form of a function's result: a leaf, a tuple of so many, or a tree."""
    jax = jax_module()
    if structure == jax.tree.structure(0):
        return None
    count = structure.num_leaves
    return count if structure == jax.tree.structure((0,) * count) else structure


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else "function"


def acts(node: Node, recorder: Recorder) -> bool:
    """Return whether a node does more than compute; a list that is made in the region may grow there."""
    if node.regions:
        return any(acts(inner, recorder) for region in node.regions for inner in region.nodes)
    if node.op in ("append", "make_list"):
        return any(
            isinstance(one, Value) and not recorder.owns(recorder.origin(one)) for one in node.inputs[:1]
        )
    return node.op not in device_ops.OPS and (is_ordered(node) or bool(written(node)))


def _spec_of(leaf: Any) -> Spec:
    """Return the spec of an argument that JAX gives."""
    jax = jax_module()
    if is_array(leaf):
        return device_spec(leaf)
    shape = jax.eval_shape(lambda: jax.numpy.asarray(leaf))
    return DeviceSpec(shape.dtype, len(shape.shape), bool(shape.weak_type), tuple(shape.shape))


def _shape_of(trace: Trace, tracer: Tracer) -> Any:
    """Return the stand-in for a value while JAX evaluates abstractly."""
    jax = jax_module()
    match tracer.value.spec:
        case DeviceSpec() as spec:
            return jax.ShapeDtypeStruct(spec.shape, spec.dtype, weak_type=spec.weak)
        case ScalarSpec(kind):
            dtype = jax.numpy.result_type(type(SAMPLES[kind]))
            return jax.ShapeDtypeStruct((), dtype, weak_type=True)
        case UnionSpec() as union if device_ops.joined_with_numbers(union):
            return device_ops.together(union)
        case spec:
            return trace.stop("AT204", f"a function of JAX is given a value of type {spec}")
