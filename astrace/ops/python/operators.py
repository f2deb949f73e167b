"""Python's operators: arithmetic, comparison, identity, their in-place forms.

On Python numbers they mean what Python means, on arrays and NumPy scalars what the ufunc of the same name
means; on anything else they are looked up when the program runs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    BOOL,
    INT,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ListSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    is_immutable,
    join_elements,
)
from astrace.ops.registry import Op, Rule, Test, always
from astrace.ops.rules import by_ranks, elementwise, elementwise_safe, fixed, probed, remembered, spec_of

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
UFUNCS: Final[Mapping[str, np.ufunc]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "neg": np.negative,
    "pos": np.positive,
    "invert": np.invert,
    "abs": np.absolute,
}
"""The ufunc that each operator is on NumPy's values."""
DIVISIONS: Final = frozenset({"truediv", "floordiv", "mod"})
BITWISE: Final = frozenset({"and_", "or_", "xor"})
KINDS: Final = ("bool", "int", "float", "complex")
"""The kinds of Python's numbers, each wider than those before."""


def computed_kind(name: str, kinds: Collection[str]) -> str:
    """Return the kind of number in which Python computes an operator.

    Args:
        name: the operator.
        kinds: the kinds of its operands.

    Example:
        >>> computed_kind("truediv", ["int", "bool"]), computed_kind("and_", ["bool"]), computed_kind("add", ["bool"])
        ('float', 'bool', 'int')
    """
    widest = max(kinds, key=KINDS.index)
    if name == "truediv" and widest != "complex":
        return "float"
    return "int" if widest == "bool" and name not in BITWISE | COMPARISON.keys() else widest


def inplace_name(name: str) -> str:
    """The in-place form of an operator: ``add`` → ``iadd``."""
    return f"i{name.rstrip('_')}"


INPLACE: Final[Mapping[str, str]] = {inplace_name(name): name for name in ARITHMETIC}
REFLECTED: Final[Mapping[str, str]] = {
    **{name: f"__r{name.rstrip('_')}__" for name in (*ARITHMETIC, "divmod")},
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


def _safe_arithmetic(name: str) -> Test:
    """Division raises on Python's zero and integer powers on negative exponents; the rest is elementwise."""
    rule, fits = elementwise(getattr(operator, name)), elementwise_safe(getattr(operator, name))

    def safe(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        specs = tuple(map(spec_of, args))
        if name in DIVISIONS:
            whole = name == "truediv" and specs[0] == INT  # the quotient may not fit a float
            divides = not isinstance(args[1], Spec) and args[1] != 0 and not whole
            return (divides or not _is_python(rule(specs, {}))) and fits(args, kwargs)
        if name == "pow":
            return all(map(_is_inexact, specs)) and fits(args, kwargs)
        return name not in ("matmul", "lshift", "rshift") and fits(args, kwargs)

    return safe


def _is_python(found: Spec | tuple[Spec, ...] | None) -> bool:
    """Return whether it is Python that computes, so that it is Python that raises."""
    return not isinstance(found, ArraySpec | GenericSpec)


def _is_inexact(spec: Spec) -> bool:
    return isinstance(spec, ArraySpec | GenericSpec) and spec.dtype.kind in "fc"


CLASS_CAN_CHANGE: Final = 1 << 9
"""The flag of classes made by Python code, whose methods may be replaced before the next call."""
UPDATING: Final[Mapping[type, frozenset[str]]] = {
    list: frozenset({"iadd", "imul"}),
    bytearray: frozenset({"iadd", "imul"}),
    set: frozenset({"iand", "ior", "isub", "ixor"}),
    dict: frozenset({"ior"}),
}
"""The operators by which builtin containers are changed themselves."""
UNREFLECTED: Final = frozenset(
    {list, tuple, str, bytes, bytearray, dict, set, frozenset, range, bool, int, float, complex, type(None)}
)
"""Classes whose instances as right operands leave it to a container to be changed, or to raise."""


def keeps_target(name: str, target: Spec, value: Spec) -> bool:
    """Return whether ``target += value`` leaves the name bound to the object that it was bound to, or raises.

    Python asks the right operand before it appends to a list, and after a set has declined: ``[1] += array`` gives
    an array, ``keys`` of a dict with ``-=`` a new set.

    Args:
        name: the operator's in-place form: ``iadd``.
        target: of the left operand.
        value: of the right one.
    """
    if isinstance(target, UnionSpec):
        return all(keeps_target(name, option, value) for option in target.options)
    if isinstance(value, UnionSpec):
        return all(keeps_target(name, target, option) for option in value.options)
    container, given = class_of(target), class_of(value)
    if isinstance(target, ArraySpec):
        return given in UNREFLECTED or (given is not None and keeps_array(given))
    updating = UPDATING.get(container, frozenset()) if container is not None else frozenset[str]()
    if name not in updating:
        return container in (list, set, dict) and given in UNREFLECTED
    if container is dict or given in UNREFLECTED or (name == "imul" and isinstance(value, GenericSpec)):
        return True
    if given is None or given.__flags__ & CLASS_CAN_CHANGE:
        return False
    return not hasattr(given, REFLECTED[INPLACE[name]])


def keeps_array(given: type) -> bool:
    """Return whether ``array += value`` gives the array, or raises, for values of a class.

    ``__array_ufunc__`` of the class decides what comes out; without one, the array may decline, and the value is asked.
    """
    if issubclass(given, np.ndarray):
        return given.__array_ufunc__ is np.ndarray.__array_ufunc__
    return not given.__flags__ & CLASS_CAN_CHANGE


def _inplace_rule(name: str) -> Rule:
    """``x += y`` gives ``x`` itself where it is an array or a container that is changed, the sum where it is a number."""
    plain = elementwise(getattr(operator, name))

    def rule(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
        target = spec_of(args[0])
        if isinstance(target, ArraySpec) or class_of(target) is list:
            return target if keeps_target(name, target, spec_of(args[1])) else None
        return plain(args, kwargs) if is_immutable(target) else None  # type: ignore[return-value]

    return rule


def _with_sequences(rule: Rule, sequences: Callable[[Spec, Spec], Spec | None]) -> Rule:
    """A rule that knows what an operator makes of lists and texts as well."""

    def either(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | tuple[Spec, ...] | None:
        found = sequences(spec_of(args[0]), spec_of(args[1]))
        return rule(args, kwargs) if found is None else found

    return remembered(either)


def _joined_sequences(left: Spec, right: Spec) -> Spec | None:
    """``left + right``."""
    if isinstance(left, ListSpec) and isinstance(right, ListSpec):
        return ListSpec(join_elements(left.element, right.element))
    return AnySpec(class_of(left)) if class_of(left) is class_of(right) in TEXTS else None


def _repeated(left: Spec, right: Spec) -> Spec | None:
    """``left * right``, where one of them is a whole number."""
    items = left if right == INT else right if left == INT else None
    if isinstance(items, ListSpec):
        return ListSpec(items.element)
    kind = class_of(items) if items is not None else None
    return AnySpec(REPEATED[kind]) if kind in REPEATED else None


def _compared_texts(left: Spec, right: Spec) -> Spec | None:
    return BOOL if class_of(left) is class_of(right) in TEXTS else None


def _equal_sequences(left: Spec, right: Spec) -> Spec | None:
    """``left == right``: of two tuples that tells a truth value of Python's, whatever their items tell."""
    tuples = isinstance(left, TupleSpec) and isinstance(right, TupleSpec) and left.cls is right.cls is tuple
    return BOOL if tuples else _compared_texts(left, right)


TEXTS: Final = (str, bytes)
REPEATED: Final[Mapping[type | None, type]] = {str: str, bytes: bytes, np.str_: str, np.bytes_: bytes}
"""The class of a repeated text; repeating NumPy's gives Python's."""
SEQUENCES: Final = {"add": _joined_sequences, "mul": _repeated}


def contains(item: Any, container: Any) -> bool:
    """``item in container``, with the arguments in the order of the text."""
    return item in container


def not_contains(item: Any, container: Any) -> bool:
    """``item not in container``."""
    return item not in container


def _known_truth(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    spec = spec_of(args[0])
    return isinstance(spec, GenericSpec | ScalarSpec) or (isinstance(spec, ArraySpec) and not spec.shape)


def rows() -> Iterator[Op]:
    """Yield a row for each operator."""
    for name, symbol in ARITHMETIC.items():
        function: Callable[..., Any] = getattr(operator, name)
        rule = by_ranks(probed(function)) if name == "matmul" else elementwise(function)
        rule = _with_sequences(rule, SEQUENCES[name]) if name in SEQUENCES else rule
        yield Op(name, function, rule, symbol, safe=_safe_arithmetic(name), fresh=always)
        inplace = inplace_name(name)
        rule = _inplace_rule(name)
        yield Op(inplace, getattr(operator, inplace), rule, f"{symbol}=", writes=(0,), fresh=always)
    for name, symbol in COMPARISON.items():
        function = getattr(operator, name)
        yield Op(
            name,
            function,
            _with_sequences(
                elementwise(function), _equal_sequences if name in ("eq", "ne") else _compared_texts
            ),
            symbol,
            safe=elementwise_safe(function),
            fresh=always,
        )
    for name, symbol in UNARY.items():
        function = getattr(operator, name)
        yield Op(name, function, elementwise(function), symbol, safe=elementwise_safe(function), fresh=always)
    yield Op("is_", operator.is_, fixed(BOOL), "is", safe=always, identity=True)
    yield Op("is_not", operator.is_not, fixed(BOOL), "is not", safe=always)
    yield Op("in_", contains, fixed(BOOL), "in")
    yield Op("not_in", not_contains, fixed(BOOL), "not in")
    yield Op("not_", operator.not_, fixed(BOOL), "not", safe=_known_truth)
