"""Python's builtin functions, ``math`` and ``operator``, where one of the arguments is a traced value."""

from __future__ import annotations

import builtins
import cmath
import math
import operator
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, Final

from astrace.ir.specs import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    is_typed,
    join,
)
from astrace.ops.jax.arrays import item_spec
from astrace.ops.numpy.array_items import array_item
from astrace.ops.numpy.list_arrays import EMPTY
from astrace.ops.python.objects import spread
from astrace.ops.registry import Impossible, Op, Rule, Test, always
from astrace.ops.rules import elementwise_safe, fixed, probed, sampled, spec_of, unknown

Kwargs = Mapping[str, Any]


def _fit(fits: Callable[[Spec], bool], spec: Spec) -> Rule:
    """Return ``spec`` if every argument fits, else ``None``."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        return spec if all(fits(spec_of(arg)) for arg in args) else None

    return rule


def _is_number(spec: Spec) -> bool:
    return isinstance(spec, ScalarSpec | GenericSpec) or (
        isinstance(spec, ArraySpec) and spec.dtype.kind in "biufc"
    )


def _is_sized(spec: Spec) -> bool:
    return isinstance(spec, ArraySpec | ListSpec | TupleSpec) or (
        isinstance(spec, AnySpec) and spec.cls is not None
    )


def element_of(spec: Spec) -> Spec | None:
    """The spec of what iterating over a value gives; an array without items gives none."""
    match spec:
        case UnionSpec() if all(isinstance(option, ArraySpec) for option in spec.options):
            rows = [element_of(one) for one in spec.options if one != EMPTY]
            return None if None in rows else reduce(join, filter(None, rows))
        case ArraySpec() if spec.shape:
            return array_item(spec, 0)
        case DeviceSpec() if spec.ndim:
            return item_spec(spec)
        case ListSpec():
            return spec.element
        case TupleSpec() if spec.items:
            found = spec.items[0]
            for item in spec.items[1:]:
                found = join(found, item)
            return found
        case AnySpec():
            return ELEMENTS.get(spec.cls)
        case _:
            return None


ELEMENTS: Final[Mapping[type | None, Spec]] = {bytes: INT, bytearray: INT, range: INT, str: STR}
"""The spec of an item, by the class that is iterated over."""


def _listed_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    """A list of what an iterable gives; only of a list it is known that it may be empty, so far."""
    spec = spec_of(args[0])
    known = spec.element if isinstance(spec, ListSpec) else None
    return ListSpec(known if isinstance(spec, ListSpec) or spec == EMPTY else element_of(spec) or ANY)


def _number_rule(function: Callable[..., Any]) -> Rule:
    """``abs``, ``round``, ``divmod``, ``pow``: by samples on Python numbers, by probing elsewhere."""
    probe_rule = probed(function)

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        if all(isinstance(spec_of(arg), ScalarSpec) for arg in args):
            return sampled(function, args)
        return probe_rule(args, kwargs) if all(map(_is_known, args)) else None

    return rule


def _is_number_or_text(spec: Spec) -> bool:
    """Return whether ``float`` gives a number for an argument, or raises."""
    return _is_number(spec) or (isinstance(spec, LiteralSpec) and type(spec.value) is str)


def _is_known(arg: Any) -> bool:
    return not isinstance(arg, Spec) or is_typed(arg)


def _extreme_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``max`` and ``min`` return one of their arguments, or one of the items of the only one."""
    if kwargs:
        return None
    if len(args) == 1:
        return element_of(spec_of(args[0]))
    found = spec_of(args[0])
    for arg in args[1:]:
        found = join(found, spec_of(arg))
    return found


def _sum_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``sum`` starts with an ``int`` and adds; an empty sum is the start."""
    items: Any = args[0]
    start = spec_of(args[1]) if len(args) > 1 else spec_of(kwargs.get("start", 0))
    if isinstance(items, list | tuple):
        return _sum_of_items(start, items)  # type: ignore[reportUnknownArgumentType]
    element = element_of(spec_of(items))
    if element is None or not is_typed(element):
        return None
    first = _add(start, element)
    second = None if first is None else _add(first, element)
    return None if first is None or second is None else join(start, join(first, second))


def _sum_of_items(start: Spec, items: Iterable[Any]) -> Spec | None:
    """Return the type of a sum of items that are written down."""
    found: Spec | None = start
    for item in map(spec_of, items):
        if found is None or not is_typed(item):
            return None
        found = _add(found, item)
    return found


def _add(left: Spec, right: Spec) -> Spec | None:
    from_operator = probed(operator.add)
    if isinstance(left, ScalarSpec) and isinstance(right, ScalarSpec):
        return sampled(operator.add, (left, right))
    return from_operator((left, right), {})  # type: ignore[return-value]


def _round_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
    if len(args) == 1 and spec_of(args[0]) == FLOAT:
        return INT
    return _number_rule(round)(args, kwargs)


def _safe_abs(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """Return whether ``abs`` can't raise: that of a complex number may be too large for a float."""
    return len(args) == 1 and spec_of(args[0]) != COMPLEX and elementwise_safe(abs)(args, kwargs)


def _safe_number(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """A number that is no larger than a float can be."""
    spec = spec_of(args[0]) if len(args) == 1 else None
    return spec in (BOOL, FLOAT) or (isinstance(spec, GenericSpec) and spec.dtype.kind in "biufc")


def _safe_len(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    spec = spec_of(args[0])
    # The length of a range may not fit 64 bits.
    return _holds_items(spec) and class_of(spec) is not range


def _safe_iter(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    return len(args) == 1 and _holds_items(spec_of(args[0]))


def _holds_items(spec: Spec) -> bool:
    """Return whether a value has a length and can be iterated over by Python's own code alone."""
    match spec:
        case ArraySpec():
            return bool(spec.shape)
        case AnySpec():
            return spec.cls in CONTAINERS
        case LiteralSpec():
            return type(spec.value) in CONTAINERS
        case _:
            return isinstance(spec, ListSpec | TupleSpec)


CONTAINERS: Final = frozenset(
    {list, tuple, dict, set, frozenset, str, bytes, bytearray, range}
    | {type({}.keys()), type({}.values()), type({}.items())}
)
"""Classes of containers, of Python's own."""


def _safe_bool(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    spec = spec_of(args[0])
    return isinstance(spec, ScalarSpec | GenericSpec) or (isinstance(spec, ArraySpec) and not spec.shape)


RULES: Final[Mapping[str, tuple[Rule, Test | None]]] = {
    "len": (_fit(_is_sized, INT), _safe_len),
    "int": (_fit(_is_number, INT), None),
    "float": (_fit(_is_number_or_text, FLOAT), None),
    "complex": (_fit(_is_number, COMPLEX), _safe_number),
    "bool": (fixed(BOOL), _safe_bool),
    "abs": (_number_rule(abs), _safe_abs),
    "round": (_round_rule, None),
    "divmod": (_number_rule(divmod), None),
    "pow": (_number_rule(pow), None),
    "max": (_extreme_rule, None),
    "min": (_extreme_rule, None),
    "sum": (_sum_rule, None),
    "any": (fixed(BOOL), None),
    "all": (fixed(BOOL), None),
    "str": (fixed(STR), None),
    "repr": (fixed(STR), None),
    "ascii": (fixed(STR), None),
    "format": (fixed(STR), None),
    "bin": (fixed(STR), None),
    "hex": (fixed(STR), None),
    "oct": (fixed(STR), None),
    "chr": (fixed(STR), None),
    "ord": (fixed(INT), None),
    "hash": (fixed(INT), None),
    "callable": (fixed(BOOL), None),
    "hasattr": (fixed(BOOL), None),
    "isinstance": (fixed(BOOL), None),
    "issubclass": (fixed(BOOL), None),
    "type": (unknown, None),
    "id": (fixed(INT), None),
    "iter": (unknown, _safe_iter),
    "next": (unknown, None),
    "sorted": (_listed_rule, None),
    "list": (_listed_rule, None),
    "tuple": (fixed(AnySpec(tuple)), None),
    "set": (fixed(AnySpec(set)), None),
    "frozenset": (fixed(AnySpec(frozenset)), None),
    "dict": (fixed(AnySpec(dict)), None),
    "range": (fixed(AnySpec(range)), None),
    "slice": (fixed(AnySpec(slice)), None),
    "enumerate": (unknown, None),
    "zip": (unknown, None),
    "reversed": (unknown, None),
    "map": (unknown, None),
    "filter": (unknown, None),
    "bytes": (fixed(AnySpec(bytes)), None),
    "memoryview": (fixed(AnySpec(memoryview)), None),
}
ORDERED: Final = frozenset({"next", "map", "filter", "id", "hash", "iter"})
FRESH: Final = frozenset({"abs", "divmod", "pow"})
NEW: Final = frozenset(
    {"sorted", "list", "set", "dict", "enumerate", "zip", "reversed", "map", "filter", "iter"}
)


def _module_rows(module: types.ModuleType) -> Iterator[Op]:
    """A row for each function of a module of pure number functions."""
    for name, function in sorted(vars(module).items()):
        if isinstance(function, types.BuiltinFunctionType):
            rule = _sampled_rule(function)
            yield Op(f"{module.__name__}.{name}", function, _of_reals(rule) if module is math else rule)


SAME_NAMES: Final = (
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log1p", "log2", "log10"),
    *("sqrt", "cbrt", "hypot", "copysign"),
)
NUMPY_NAMES: Final[Mapping[str, str]] = (
    {name: name for name in SAME_NAMES}
    | {f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")}
    | {"fabs": "abs", "pow": "power", "radians": "deg2rad", "degrees": "rad2deg"}
)
"""Functions of ``math`` that NumPy has as well, by the names that it has for them."""


def _sampled_rule(function: Callable[..., Any]) -> Rule:
    """``math`` functions take numbers of any kind and give Python numbers."""

    def rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
        if kwargs or not all(isinstance(spec_of(arg), ScalarSpec | GenericSpec) for arg in args):
            return None
        return sampled(function, tuple(map(_as_python, args)))

    return rule


def _of_reals(rule: Rule) -> Rule:
    """The rule of a function that raises for Python's complex numbers, and takes the real part of NumPy's, with a warning."""

    def for_reals(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | tuple[Spec, ...] | None:
        specs = [spec_of(arg) for arg in args]
        if COMPLEX in specs:
            raise Impossible
        wide = [isinstance(spec, GenericSpec) and spec.dtype.kind == "c" for spec in specs]
        return rule(tuple(FLOAT if is_wide else arg for arg, is_wide in zip(args, wide, strict=True)), kwargs)

    return for_reals


def _as_python(arg: Any) -> Any:
    kinds = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
    return kinds.get(arg.dtype.kind, arg) if isinstance(arg, GenericSpec) else arg


def rows() -> Iterator[Op]:
    """Yield a row for each function."""
    for name, (rule, safe) in RULES.items():
        function = getattr(builtins, name)
        shown = f"builtins.{name}" if name == "pow" else name
        yield Op(
            shown,
            function,
            rule,
            safe=safe,
            fresh=always if name in FRESH else None,
            ordered=name in ORDERED,
            creates=name in NEW,
        )
    yield Op("spread", spread, _listed_rule, creates=True)
    yield from _module_rows(math)
    yield from _module_rows(cmath)
