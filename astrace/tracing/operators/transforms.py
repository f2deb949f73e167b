"""Functions that are given to JAX's own: ``jax.grad(f)(x)``, ``lax.scan(step, …)``, ``jax.tree.map(f, tree)``.

JAX evaluates such a call abstractly while tracing, and calls the functions with arrays of which it knows dtypes and
shapes.  Each becomes a ``function`` node then, whose body is what was recorded; the call is a node that is given it.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.ir.block import Node, Value
from astrace.ir.control import Interface
from astrace.ir.device import is_array, is_function, jax_module
from astrace.ir.specs import AnySpec, DeviceSpec, ScalarSpec, Spec, TupleSpec, UnionSpec, device_spec
from astrace.ops import device as device_ops
from astrace.ops.effects import is_ordered, written
from astrace.ops.objects import pullback
from astrace.tracing.callables import is_traced_through
from astrace.tracing.context import Region, Trace
from astrace.tracing.device_trees import is_node
from astrace.tracing.journal import TREE, attributes, restore
from astrace.tracing.lifting import Lazy, is_local_function, operand
from astrace.tracing.merge import empty_like, writing
from astrace.tracing.objects import is_compiled, is_made
from astrace.tracing.record import record
from astrace.tracing.stops import Leaves
from astrace.tracing.tracer import Tracer
from astrace.trees import is_namedtuple

__all__: list[str] = []

TREES: Final = ("jax.tree", "jax._src.tree", "jax.tree_util", "jax._src.tree_util")
"""The modules of functions that only take trees apart."""
SAMPLES: Final = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


@dataclass(frozen=True, slots=True, eq=False)
class Transformed(Lazy):
    """What JAX makes of functions before it is called: ``jax.grad(f)``.

    Args:
        function: JAX's function, or another `Transformed`.
        args: what it was given.
        kwargs: likewise.
    """

    function: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def materialize(self, trace: Trace) -> Tracer:
        """As a value: it is none while tracing."""
        trace.stop("AT204", "a function that JAX has made is needed as a value")
        raise AssertionError


def takes_functions(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call of one of JAX's functions is given functions that have to be traced, or trees to take apart."""
    if isinstance(function, Transformed):
        return True
    given = _leaves((args, dict(kwargs)))
    return any(isinstance(one, Transformed) or is_callback(trace, one) for one in given) or (
        _is_for_trees(function) and not any(isinstance(one, Tracer) and _is_opaque(one) for one in given)
    )


def _is_for_trees(function: Any) -> bool:
    return isinstance(function, types.FunctionType) and function.__module__ in TREES


def _is_opaque(tracer: Tracer) -> bool:
    return not isinstance(tracer.value.spec, DeviceSpec | ScalarSpec | UnionSpec)


def is_callback(trace: Trace, value: Any) -> bool:
    """Whether a value is a function that is traced when JAX calls it."""
    if is_local_function(value) or is_compiled(value):
        return True
    match value:
        case types.FunctionType():
            return not is_function(value) and not _is_of_jax(value) and is_traced_through(value)
        case types.MethodType():
            return is_callback(trace, value.__func__)
        case functools.partial():
            return is_callback(trace, value.func)
        case _:
            return callable(value) and is_made(trace, value) and not is_node(value)


def _is_closure(value: Any) -> bool:
    """Whether something is a function that holds arrays: what JAX gives beside a value, to be called later."""
    return isinstance(value, types.FunctionType | jax_module().tree_util.Partial)


def _is_of_jax(function: types.FunctionType) -> bool:
    """Whether the code of a function is JAX's, whatever it says of itself: ``jax.grad(f)``."""
    return "/jax/_src/" in function.__code__.co_filename.replace("\\", "/")


def _leaves(tree: Any) -> list[Any]:
    """What is in containers."""
    if type(tree) in (tuple, list) or is_namedtuple(tree):
        return [leaf for item in tree for leaf in _leaves(item)]
    if type(tree) is dict:
        return [leaf for item in tree.values() for leaf in _leaves(item)]
    return [tree]


def call_with_functions(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of one of JAX's functions that is given functions."""
    for leaf in _leaves((args, dict(kwargs))):
        if trace.state.is_outside(leaf):
            trace.stop("AT204", f"a {type(leaf).__name__} from outside is given to a function of JAX")
    if _is_for_trees(function):
        return _on_trees(trace, function, args, kwargs)
    if function is jax_module().vjp and len(args) > 1 and not kwargs:
        return trace.operators.call(args[0], *args[1:]), Transformed(pullback, args, {})
    if not isinstance(function, Transformed) and _only_wraps(trace, function, args, kwargs):
        return Transformed(function, args, dict(kwargs))
    return _Application(trace, function, args, kwargs).run()


def _on_trees(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``jax.tree.map(f, tree)``: done while tracing, since trees are known."""
    counted = len(trace.recorder.nodes)

    def given(value: Any) -> Any:
        if isinstance(value, Transformed) or is_callback(trace, value):
            return functools.partial(trace.operators.call, value)
        return value

    try:
        found = function(*map(given, args), **{name: given(value) for name, value in kwargs.items()})
    except (TypeError, ValueError, KeyError) as error:
        if counted == len(trace.recorder.nodes):
            trace.mark(error, certain=False)
        raise
    return adopted(trace, found)


def adopted(trace: Trace, value: Any, place: tuple[int, ...] = ()) -> Any:
    """A tree that JAX's code has just made: what it holds can be changed like all that is made here."""
    held: Any = ()
    if type(value) is tuple or is_namedtuple(value):
        held = value
    elif (type(value) in (list, dict) or is_node(value)) and not is_made(trace, value):
        trace.journal.born(value, (*trace.site(TREE), *place))
        held = attributes(value) if is_node(value) else value
    for index, item in enumerate(held.values() if isinstance(held, dict) else held):
        adopted(trace, item, (*place, index))
    return value


def _only_wraps(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call gives a function without calling those it is given: ``jax.grad(f)``."""
    called: list[bool] = []

    def stub(*_: Any, **__: Any) -> Any:
        called.append(True)
        raise _Called

    given = _leaves((args, dict(kwargs)))
    if any(isinstance(one, Tracer | Lazy) and not isinstance(one, Transformed) for one in given):
        return False

    def plain(value: Any) -> Any:
        return stub if _is_wrapped(trace, value) else value

    with contextlib.suppress(Exception):
        found = function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
        return not called and callable(found)
    return False


def _is_wrapped(trace: Trace, value: Any) -> bool:
    """Whether a value that JAX is to transform is traced when it is called; an instance is a function there."""
    return isinstance(value, Transformed) or is_callback(trace, value) or (is_node(value) and callable(value))


class _Called(Exception):
    """A function was called where nobody expected it."""


# -- one call ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Callback:
    """A function that JAX calls while it evaluates abstractly.

    Args:
        function: the function.
        regions: what its calls recorded, with the structures and specs of what they were given and gave.
    """

    function: Any
    calls: list[tuple[Region, Interface, tuple[Spec, ...], list[Any]]] = field(
        default_factory=list[tuple[Region, Interface, tuple[Spec, ...], list[Any]]]
    )


class _Application:
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
        """Record the call; gives the result as a tree of tracers."""
        jax = jax_module()
        held: list[Any] = []

        def arrays(*values: Any) -> list[Any]:
            function, args, kwargs = self._filled(iter(values))
            result = function(*args, **kwargs)
            if any(map(_is_closure, jax.tree.leaves(result, is_leaf=_is_closure))):
                self._trace.stop(
                    "AT204", "a function that JAX has made holds what only the running program knows"
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
        """What stands for the tracers among the arguments, in order."""
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
        """What a function was made of, with something else for tracers and functions."""
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
            or (wraps and _is_wrapped(self._trace, tree))
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

    def _called(self, callback: _Callback, *args: Any, **kwargs: Any) -> Any:
        """JAX calls a function: its body is recorded."""
        trace, jax = self._trace, jax_module()
        if kwargs:
            trace.stop("AT204", "JAX calls a function with arguments by name")
        leaves, structure = jax.tree.flatten(args)
        specs = tuple(_spec_of(leaf) for leaf in leaves)
        with trace.region() as region:
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
        """A function that JAX calls, who knows how often, does nothing but compute."""
        if region.changes.objects or region.changes.slots or any(map(acts, region.recorder.nodes)):
            self._trace.stop("AT204", "a function that is given to JAX changes something outside, or acts")

    def _given_back(self, leaf: Any) -> Any:
        """What JAX goes on with in place of a leaf of what a function gave."""
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
    """Whether arguments differ in nothing but in whether they are weak."""
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


def _result(structure: Any) -> Any:
    """What a function gives: a leaf, a tuple of so many, or a tree."""
    jax = jax_module()
    if structure == jax.tree.structure(0):
        return None
    count = structure.num_leaves
    return count if structure == jax.tree.structure((0,) * count) else structure


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else "function"


def acts(node: Node) -> bool:
    """Whether a node does more than compute."""
    if node.regions:
        return any(acts(inner) for region in node.regions for inner in region.nodes)
    return node.op not in device_ops.OPS and (is_ordered(node) or bool(written(node)))


def _spec_of(leaf: Any) -> Spec:
    """What is known of an argument that JAX gives."""
    jax = jax_module()
    if is_array(leaf):
        return device_spec(leaf)
    shape = jax.eval_shape(lambda: jax.numpy.asarray(leaf))
    return DeviceSpec(shape.dtype, len(shape.shape), bool(shape.weak_type), tuple(shape.shape))


def _shape_of(trace: Trace, tracer: Tracer) -> Any:
    """What stands for a value while JAX evaluates abstractly."""
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
