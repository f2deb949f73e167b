"""Arrays of JAX while tracing: their attributes, their methods, calls of JAX's functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from astrace.ir.constants import is_static
from astrace.ir.jax_arrays import is_function
from astrace.ir.specs import DeviceSpec, TupleSpec
from astrace.tracing.context import Trace
from astrace.tracing.operators.jax.callbacks import adopted
from astrace.tracing.operators.jax.transforms import Transformed, call_with_functions, takes_functions
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import Lazy

__all__: list[str] = []

FACTS: Final[Mapping[str, Callable[[DeviceSpec], Any]]] = {
    "ndim": lambda spec: spec.ndim,
    "dtype": lambda spec: spec.dtype,
    "weak_type": lambda spec: spec.weak,
}
VALUES: Final = frozenset({"T", "mT", "real", "imag", "size", "nbytes"})


@dataclass(frozen=True, slots=True, eq=False)
class DeviceMethod:
    """A method of an array of JAX."""

    owner: Tracer
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Indexer(Lazy):
    """``array.at``, and with a key ``array.at[key]``."""

    owner: Tracer
    key: Any = None
    has_key: bool = False

    def item(self, key: Any) -> Indexer:
        """``array.at[key]``."""
        return Indexer(self.owner, key, has_key=True)

    def materialize(self, trace: Trace) -> Tracer:
        """Stop the capture: `at` cannot be a value."""
        trace.stop("AT204", "`at` of an array of JAX is needed as a value")
        raise AssertionError


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """``array.at[key].set`` and its like."""

    place: Indexer
    name: str


def attribute(trace: Trace, owner: Tracer, name: str) -> Any:
    """An attribute of an array of JAX."""
    spec = owner.value.spec
    assert isinstance(spec, DeviceSpec)
    if name in FACTS:
        return FACTS[name](spec)
    if name == "shape":
        return tuple(record(trace, "dim", (owner, axis)) for axis in range(spec.ndim))
    if name == "at":
        return Indexer(owner)
    return record(trace, "get_attr", (owner, name)) if name in VALUES else DeviceMethod(owner, name)


def is_called_there(function: Any) -> bool:
    """Return whether a callable is JAX's own, or a method or an update of an array of JAX."""
    return isinstance(function, DeviceMethod | Update | Transformed) or is_function(function)


def call_device(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call one of JAX's functions; a result without arrays is known at once."""
    if isinstance(function, DeviceMethod):
        return record(trace, "device_method", (function.owner, function.name, *args), kwargs)
    if isinstance(function, Update):
        place = function.place
        return record(trace, "device_update", (place.owner, place.key, function.name, *args), kwargs)
    if takes_functions(trace, function, args, kwargs):
        return call_with_functions(trace, function, args, kwargs)
    if getattr(function, "__name__", "") in FIXED and all(map(is_static, (*args, *kwargs.values()))):
        return trace.native(function, *args, **kwargs)
    return _apart(trace, record(trace, "device_call", (function, *args), kwargs))


def _apart(trace: Trace, found: Any) -> Any:
    """Return a function's result; a list of unlike items, as ``lax.top_k`` gives, is made here of its items."""
    if not isinstance(found, Tracer):
        return found
    spec = found.value.spec
    if not isinstance(spec, TupleSpec) or spec.cls is not list:
        return found
    return adopted(trace, [record(trace, "get_item", (found, index)) for index in range(len(spec.items))])


FIXED: Final = frozenset(
    [
        "dtype",
        "finfo",
        "iinfo",
        "issubdtype",
        "isdtype",
        "result_type",
        "promote_types",
        "can_cast",
        "canonicalize_dtype",
        "devices",
        "device_count",
        "local_device_count",
        "default_backend",
        "process_index",
        "process_count",
    ]
)
"""Functions whose result is known without running anything."""
