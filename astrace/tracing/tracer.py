"""The stand-in that flows through a rewritten function in place of a value.

Rewritten code reaches the operators by itself; the special methods here serve code that was not rewritten
(``functools.reduce``, NumPy's own dispatch) and the names that Python looks up on a type.  Whatever needs
the value itself, which does not exist yet, ends the capture with a located reason.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn, Protocol

from astrace.ir.constants import UNDEFINED
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec
from astrace.ir.values import Value
from astrace.ops.python.operators import ARITHMETIC, COMPARISON, UNARY, method_name


class TracedOperators(Protocol):
    """The operators that a tracer passes Python's own on to."""

    def call(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """``function(*args, **kwargs)``."""

    def attr(self, owner: Any, name: str) -> Any:
        """``owner.name``."""

    def store_attr(self, value: Any, owner: Any, name: str) -> None:
        """``owner.name = value``."""

    def item(self, owner: Any, key: Any) -> Any:
        """``owner[key]``."""

    def store_item(self, value: Any, owner: Any, key: Any) -> None:
        """``owner[key] = value``."""

    def unary(self, name: str, value: Any) -> Any:
        """``-value`` and the like."""

    def binary(self, name: str, left: Any, right: Any) -> Any:
        """``left + right`` and the like."""

    def compare(self, name: str, left: Any, right: Any) -> Any:
        """``left < right`` and the like."""

    def spread(self, value: Any) -> Sequence[Any]:
        """The items of a value."""
        ...

    def concrete(self, tracer: Any) -> Any:
        """The value of a tracer, made static for this specialisation."""


class TracerOwner(Protocol):
    """The trace, as far as a tracer knows it."""

    @property
    def operators(self) -> TracedOperators:
        """The operators of the trace."""
        ...

    def stop(self, code: str, message: str) -> NoReturn:
        """End the capture."""
        ...


class Tracer:
    """Stands for a value of the graph.

    Args:
        trace: the trace it belongs to.
        value: what it stands for.
    """

    __slots__ = ("trace", "value")
    __array_priority__ = 1000.0

    trace: TracerOwner
    value: Value

    def __init__(self, trace: TracerOwner, value: Value) -> None:
        object.__setattr__(self, "trace", trace)
        object.__setattr__(self, "value", value)

    def __repr__(self) -> str:
        return f"<traced {self.value.spec}>"

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return self.trace.operators.call(function, *args, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.trace.operators.call(function, *args, **kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        self.trace.stop("AT201", "the value of an array is needed while tracing")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.trace.operators.attr(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.trace.operators.store_attr(value, self, name)

    def __getitem__(self, key: Any) -> Any:
        return self.trace.operators.item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.trace.operators.store_item(value, self, key)

    def __contains__(self, item: Any) -> bool:
        return bool(self.trace.operators.compare("in_", item, self))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.trace.operators.spread(self))

    def __len__(self) -> int:
        return _position(self.trace.operators.call(len, self))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call what the tracer stands for."""
        return self.trace.operators.call(self, *args, **kwargs)

    def __bool__(self) -> bool:
        return bool(self.trace.operators.concrete(self))

    def __index__(self) -> int:
        return _position(self)

    def __int__(self) -> int:
        return int(self.trace.operators.concrete(self))

    def __float__(self) -> float:
        return float(self.trace.operators.concrete(self))

    def __complex__(self) -> complex:
        return complex(self.trace.operators.concrete(self))

    def __hash__(self) -> int:
        return hash(self.trace.operators.concrete(self))

    def __abs__(self) -> Any:
        return self.trace.operators.call(abs, self)

    def __round__(self, digits: int | None = None) -> Any:
        return self.trace.operators.call(round, self, *(() if digits is None else (digits,)))

    def __divmod__(self, other: Any) -> Any:
        return self.trace.operators.call(divmod, self, other)

    def __format__(self, spec: str) -> str:
        return format(self.trace.operators.concrete(self), spec)

    def __str__(self) -> str:
        return str(self.trace.operators.concrete(self))


def _position(value: Any) -> int:
    """A number as Python takes it for a position, which a float is not."""
    return operator.index(value.trace.operators.concrete(value)) if isinstance(value, Tracer) else value


def _binary(name: str) -> Callable[[Tracer, Any], Any]:
    def method(self: Tracer, other: Any) -> Any:
        return self.trace.operators.binary(name, self, other)

    return method


def _reflected(name: str) -> Callable[[Tracer, Any], Any]:
    def method(self: Tracer, other: Any) -> Any:
        return self.trace.operators.binary(name, other, self)

    return method


def _unary(name: str) -> Callable[[Tracer], Any]:
    def method(self: Tracer) -> Any:
        return self.trace.operators.unary(name, self)

    return method


def _compare(name: str) -> Callable[[Tracer, Any], Any]:
    def method(self: Tracer, other: Any) -> Any:
        return self.trace.operators.compare(name, self, other)

    return method


for _name in ARITHMETIC:
    setattr(Tracer, method_name(_name), _binary(_name))
    setattr(Tracer, f"__r{_name.rstrip('_')}__", _reflected(_name))
for _name in UNARY:
    setattr(Tracer, method_name(_name), _unary(_name))
for _name in COMPARISON:
    setattr(Tracer, method_name(_name), _compare(_name))


NUMBERS: Final = frozenset({bool, int, float, complex})


def is_numeric(value: Any) -> bool:
    """Return whether a trace-level object is a number or an array: it holds no object, and no code of the user's is in it.

    Of most operands that is so, and then there is nothing to find out about them.
    """
    if type(value) is not Tracer:
        return type(value) in NUMBERS
    spec = value.value.spec
    return (
        type(spec) is ArraySpec
        or type(spec) is ScalarSpec
        or (type(spec) is GenericSpec and spec.dtype.isbuiltin == 1)
    )


def holds_tracer(value: Any) -> bool:
    """Return whether a trace-level object is, or directly holds, something that only exists while tracing."""
    if type(value) in (list, tuple, set):
        return any(map(holds_tracer, value))
    if type(value) is dict:
        return any(map(holds_tracer, value.values()))
    return value is not UNDEFINED and type(value).__module__.startswith("astrace.")
