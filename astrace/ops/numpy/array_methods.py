"""Methods of arrays and NumPy scalars that are not a function of the same meaning.

``x.max()`` is the op ``np.max``; ``x.sort()``, ``x.astype(t)`` or ``x.item()`` have rows of their own, named
``ndarray.sort`` and so on, and so have ``x.sum()`` and its like, which may warn (see ``method_aliases``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ListSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
)
from astrace.ops.numpy.method_aliases import METHODS, RETRYING, as_function
from astrace.ops.numpy.names import OUT_PLACES
from astrace.ops.numpy.rows import SPECIAL
from astrace.ops.numpy.rules import small_counts
from astrace.ops.registry import Op, Rule, Switch, Test, always
from astrace.ops.rules import dtype_argument, fixed, probed, spec_of

Kwargs = Mapping[str, Any]

PYTHON_KINDS: Final[Mapping[str, Spec]] = {
    "b": ScalarSpec("bool"),
    "i": INT,
    "u": INT,
    "f": FLOAT,
    "c": COMPLEX,
}


def caller(name: str) -> Callable[..., Any]:
    """A function that calls the method ``name`` of its first argument."""

    def method(owner: Any, /, *args: Any, **kwargs: Any) -> Any:
        return getattr(owner, name)(*args, **kwargs)

    method.__name__ = method.__qualname__ = name
    return method


def _item_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``x.item()`` gives a Python number; for long doubles Python has none."""
    spec = spec_of(args[0])
    if not isinstance(spec, ArraySpec | GenericSpec):
        return None
    is_long = spec.dtype.char in (np.dtype(np.longdouble).char, np.dtype(np.clongdouble).char)
    return GenericSpec(spec.dtype.newbyteorder("=")) if is_long else PYTHON_KINDS.get(spec.dtype.kind)


def _tolist_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    spec = spec_of(args[0])
    element = _item_rule(args, kwargs)
    if not isinstance(spec, ArraySpec) or not spec.shape or element is None:
        return element
    for dim in reversed(spec.shape):
        element = ListSpec(element, dim)
    return element


def _same_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    spec = spec_of(args[0])
    return spec if isinstance(spec, ArraySpec | GenericSpec) else None


def _view_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """Infer ``x.view(dtype)``: the last dimension changes with the size of an item."""
    spec, given = spec_of(args[0]), args[1] if len(args) > 1 else kwargs.get("dtype")
    if not isinstance(spec, ArraySpec) or "type" in kwargs or len(args) > 2:
        return None
    if given is None or given is np.ndarray:
        return spec
    dtype = None if isinstance(given, type) and issubclass(given, np.ndarray) else dtype_argument(given, None)
    if dtype is None or dtype.itemsize == spec.dtype.itemsize or not spec.shape:
        return None if dtype is None else ArraySpec(spec.shape, dtype)
    return ArraySpec((*spec.shape[:-1], None), dtype)


def _field_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``x.getfield(dtype)``."""
    spec, dtype = spec_of(args[0]), dtype_argument(args[1] if len(args) > 1 else kwargs.get("dtype"), None)
    return ArraySpec(spec.shape, dtype) if isinstance(spec, ArraySpec) and dtype is not None else None


def _flatten_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    spec = spec_of(args[0])
    return ArraySpec((None,), spec.dtype) if isinstance(spec, ArraySpec | GenericSpec) else None


def _compress_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec | None:
    """``x.compress(condition, axis)``: as many as the condition selects."""
    spec, axis = spec_of(args[0]), args[2] if len(args) > 2 else kwargs.get("axis")
    if not isinstance(spec, ArraySpec) or kwargs.get("out") is not None or len(args) > 3:
        return None
    return ArraySpec((None,) * (1 if axis is None else len(spec.shape) or 1), spec.dtype)


def _none_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return NONE


def _text_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return AnySpec(bytes)


def _format_rule(args: tuple[Any, ...], kwargs: Kwargs) -> Spec:
    return STR


WARNING: Final = ("sum", "prod", "mean", "std", "var", "cumsum", "cumprod", "round", "trace")
"""Methods that compute in NumPy, and may warn; ``out`` stands where it does in the functions."""
RULES: Final[Mapping[str, Rule]] = {
    **{name: small_counts(caller(name)) for name in WARNING if name != "round"},
    "round": probed(caller("round")),
    "item": _item_rule,
    "tolist": _tolist_rule,
    "astype": SPECIAL["astype"],
    "copy": _same_rule,
    "flatten": _flatten_rule,
    "tobytes": _text_rule,
    "sort": _none_rule,
    "partition": _none_rule,
    "fill": _none_rule,
    "put": _none_rule,
    "setflags": _none_rule,
    "resize": _none_rule,
    "setfield": _none_rule,
    "view": _view_rule,
    "getfield": _field_rule,
    "byteswap": _same_rule,
    "is_integer": fixed(BOOL),
    "bit_length": fixed(INT),
    "bit_count": fixed(INT),
    "as_integer_ratio": fixed(TupleSpec((INT, INT))),
    "conj": probed(caller("conj")),
    "conjugate": probed(caller("conjugate")),
    "compress": _compress_rule,
    "__format__": _format_rule,
}
OF_NUMBERS: Final = frozenset({"bit_length", "bit_count", "is_integer", "as_integer_ratio", "conjugate"})
"""Methods of Python's own numbers that are ops, too."""
WRITES: Final[Mapping[str, tuple[int | str, ...]]] = {
    **dict.fromkeys(("sort", "partition", "fill", "put", "setflags", "resize", "setfield", "byteswap"), (0,)),
    **{name: ("out", place) for place, names in OUT_PLACES.items() for name in names if name in WARNING},
}
CREATES: Final = frozenset({"copy", "flatten", "tolist", "astype", "compress", *WARNING})
FRESH: Final[Mapping[str, Test]] = {
    **dict.fromkeys(("copy", "flatten", "tolist", "compress", "fill", "put", "sort", "partition"), always),
    **{name: always for name in WARNING if name != "round"},
    "astype": Switch(5, "copy", True).is_off,
}


def is_op(cls: type | None, method: str) -> bool:
    """Return whether calls of a method of a class, arrays or a kind of NumPy scalars, are ops; scalars lack some."""
    return (method in METHODS or method in RULES) and hasattr(cls, method)


def op_call(method: str, args: tuple[Any, ...], kwargs: Kwargs) -> tuple[str, tuple[Any, ...]] | None:
    """The op that a method call stands for, with its arguments after the array; ``None`` where none does."""
    if method in RULES:
        return f"ndarray.{method}", args
    given = as_function(method, args, kwargs)
    return None if given is None else (f"np.{method}", given)


def rows() -> Iterator[Op]:
    """Yield a row for each method with a rule of its own, and for those that no function of the same name covers."""
    for name, rule in RULES.items():
        yield Op(
            f"ndarray.{name}",
            caller(name),
            rule,
            method=name,
            writes=WRITES.get(name, ()),
            fresh=FRESH.get(name),
            creates=name in CREATES,
        )


def retried_rows(functions: Iterable[Op]) -> Iterator[Op]:
    """Yield a row for each method that is called once, where its function would call it again; see `RETRYING`.

    Args:
        functions: the rows of NumPy's functions.
    """
    for op in functions:
        if op.method in RETRYING:
            yield replace(op, name=f"ndarray.{op.method}", function=caller(op.method))
