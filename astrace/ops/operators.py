"""Python's operators: arithmetic, comparison, identity, their in-place forms.

On Python numbers they mean what Python means, on arrays and NumPy scalars what the ufunc of the same name
means; on anything else they are looked up when the program runs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from astrace.ir.specs import (
    BOOL,
    ArraySpec,
    GenericSpec,
    ScalarSpec,
    Spec,
    class_of,
    is_immutable,
)
from astrace.ops.registry import Op, Raises, Rule
from astrace.ops.rules import elementwise, elementwise_safe, fixed, probed, spec_of

ARITHMETIC: Final[Mapping[str, str]] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
}
COMPARISON: Final[Mapping[str, str]] = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
UNARY: Final[Mapping[str, str]] = {"neg": "-", "pos": "+", "invert": "~"}
MAY_RAISE: Final = frozenset({"truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift"})


def inplace_name(name: str) -> str:
    """The in-place form of an operator: ``add`` → ``iadd``."""
    return f"i{name.rstrip('_')}"


INPLACE: Final[Mapping[str, str]] = {inplace_name(name): name for name in ARITHMETIC}
REFLECTED: Final[Mapping[str, str]] = {
    **{name: f"__r{name.rstrip('_')}__" for name in ARITHMETIC},
    "lt": "__gt__",
    "le": "__ge__",
    "gt": "__lt__",
    "ge": "__le__",
    "eq": "__eq__",
    "ne": "__ne__",
}


def method_name(name: str) -> str:
    """The special method of an operator: ``and_`` → ``__and__``."""
    return f"__{name.rstrip('_')}__"


def _safe_arithmetic(name: str) -> Raises:
    """Division raises on Python's zero and integer powers on negative exponents; the rest is elementwise."""

    def safe(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        if name == "matmul" or not elementwise_safe(args, kwargs):
            return False
        if name not in MAY_RAISE:
            return True
        kinds = [spec_of(arg) for arg in args]
        if name == "truediv" or name in ("floordiv", "mod"):
            divisor = args[1]
            constant = not isinstance(divisor, Spec) and divisor != 0
            return constant or not all(isinstance(kind, ScalarSpec) for kind in kinds)
        return name == "pow" and all(
            isinstance(k, ArraySpec | GenericSpec) and k.dtype.kind in "fc" for k in kinds
        )

    return safe


def _inplace_rule(name: str) -> Rule:
    """``x += y`` gives ``x`` itself where it is an array, the sum where it is a number."""
    plain = elementwise(getattr(operator, name))

    def rule(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
        target = spec_of(args[0])
        if isinstance(target, ArraySpec) or class_of(target) is list:
            return target
        return plain(args, kwargs) if is_immutable(target) else None  # type: ignore[return-value]

    return rule


def contains(item: Any, container: Any) -> bool:
    """``item in container``, with the arguments in the order of the text."""
    return item in container


def not_contains(item: Any, container: Any) -> bool:
    """``item not in container``."""
    return item not in container


def _always_safe(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    return True


def _known_truth(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    spec = spec_of(args[0])
    return isinstance(spec, GenericSpec | ScalarSpec) or (isinstance(spec, ArraySpec) and not spec.shape)


def rows() -> Iterator[Op]:
    """One row for each operator."""
    for name, symbol in ARITHMETIC.items():
        function: Callable[..., Any] = getattr(operator, name)
        rule = probed(function) if name == "matmul" else elementwise(function)
        yield Op(name, function, rule, symbol, safe=_safe_arithmetic(name))
        inplace = inplace_name(name)
        yield Op(
            inplace, getattr(operator, inplace), _inplace_rule(name), f"{symbol}=", writes=(0,), view=True
        )
    for name, symbol in COMPARISON.items():
        function = getattr(operator, name)
        yield Op(name, function, elementwise(function), symbol, safe=elementwise_safe)
    for name, symbol in UNARY.items():
        function = getattr(operator, name)
        yield Op(name, function, elementwise(function), symbol, safe=elementwise_safe)
    yield Op("is_", operator.is_, fixed(BOOL), "is", safe=_always_safe, identity=True)
    yield Op("is_not", operator.is_not, fixed(BOOL), "is not", safe=_always_safe)
    yield Op("in_", contains, fixed(BOOL), "in")
    yield Op("not_in", not_contains, fixed(BOOL), "not in")
    yield Op("not_", operator.not_, fixed(BOOL), "not", safe=_known_truth)
