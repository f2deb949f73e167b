"""Python constants: when two of them are the same, and how they are shown.

``True``, ``1`` and ``1.0`` are equal to Python and different to a compiler; so are ``0.0`` and
``-0.0``, while a NaN is the same as itself.  Sentinels for "no value" live here as well.
"""

from __future__ import annotations

import builtins
import enum
import math
import types
from typing import Any, Final, final

import numpy as np

from astrace.ir.jax_arrays import is_function as is_device_function
from astrace.util.trees import is_namedtuple


@final
class Undefined:
    """The value of a local name that has none: reading it raises ``UnboundLocalError``."""

    def __repr__(self) -> str:
        return "<undefined>"


@final
class Unset:
    """A place whose value nobody will read, such as the result of a branch that raised."""

    def __repr__(self) -> str:
        return "<unset>"


NUMBER_CLASSES: Final = frozenset(
    {bool, int, float, complex, *(np.dtype(code).type for code in "?bhilqBHILQefdgFDG")}
)
"""The classes of numbers of Python's and NumPy's; those that a program derives from them are none."""
KINDS_OF_NUMBERS: Final = (int, float, complex)

MOST_BITS_SHOWN: Final = 2_000
"""The largest integer that is written out: Python refuses to write very large ones."""

UNDEFINED: Final = Undefined()
UNSET: Final = Unset()

FUNCTION_TYPES: Final = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    np.ufunc,
    type(np.sum),
)

SUBSCRIPTED_TYPES: Final = tuple(map(type, (np.r_, np.c_, np.mgrid, np.ogrid, np.s_, np.ma.mr_)))
"""Classes of NumPy's objects that are not called but subscripted, and never change."""


def is_function(value: Any) -> bool:
    """Return whether a value is a function or a method of a class, written in Python, C or Cython."""
    return isinstance(value, FUNCTION_TYPES) or is_cython_class(type(value))


def is_bound_anew(value: Any) -> bool:
    """Return whether a special method of a function or class: another object whenever it is read, but the same method.

    Example:
        >>> is_bound_anew(show.__get__), show.__get__ is show.__get__
        (True, False)
    """
    bound = isinstance(value, types.MethodWrapperType)
    return bound and (is_function(value.__self__) or isinstance(value.__self__, type))


def is_cython_class(cls: type) -> bool:
    """Return whether a class is one of those that Cython makes for its functions, one for each version of Cython."""
    return cls.__name__ in CYTHON_CLASSES and str(cls.__module__).startswith("_cython_")


CYTHON_CLASSES: Final = ("cython_function_or_method", "fused_cython_function")


def same(left: Any, right: Any) -> bool:
    """Return whether two Python constants can stand for each other.

    Example:
        >>> same(1, True), same(0.0, -0.0), same(range(0, 3, 2), range(0, 4, 2))
        (False, False, False)
        >>> same(float("nan"), float("nan")), same((1, "a"), (1, "a"))
        (True, True)
    """
    if left is right:
        return True
    kind: type[Any] = type(left)
    if kind is not type(right):
        return False
    if kind is float:
        return _same_float(left, right)
    if kind is complex:
        return _same_float(left.real, right.real) and _same_float(left.imag, right.imag)
    if kind is tuple or is_namedtuple(left):
        return len(left) == len(right) and all(map(same, left, right))
    if kind in (str, bytes, int, bool):
        return bool(left == right)
    if isinstance(left, np.dtype):
        return same_dtype(left, right)
    if isinstance(left, np.generic):
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if kind in (slice, range):  # two ranges are equal to Python where they give the same numbers
        return same((left.start, left.stop, left.step), (right.start, right.stop, right.step))
    return False


def same_dtype(left: np.dtype[Any], right: np.dtype[Any]) -> bool:
    """Return whether two dtypes are the same in all that a program can observe; ``==`` overlooks some differences.

    Example:
        >>> np.dtype("l") == np.dtype("q"), same_dtype(np.dtype("l"), np.dtype("q"))
        (True, False)
    """
    if left is right:
        return True
    known = left.metadata is None and right.metadata is None
    return (
        known and left == right and (left.char, left.isalignedstruct) == (right.char, right.isalignedstruct)
    )


def _same_float(left: float, right: float) -> bool:
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return left == right and math.copysign(1.0, left) == math.copysign(1.0, right)


def is_nan(value: Any) -> bool:
    """Return whether ``value`` is a NaN, which equals nothing, and which containers find by identity alone."""
    number = type(value) in (float, complex) or isinstance(value, np.inexact)
    return number and not bool(value == value)  # noqa: PLR0124 - what makes it one


def is_static(value: Any) -> bool:
    """Return whether ``value`` is a constant that cannot change: a number, a string, a function, a type and so on."""
    kind: type[Any] = type(value)
    if kind in (bool, int, float, complex, str, bytes, range, type(None), type(...), type(NotImplemented)):
        return True
    if kind in (types.BuiltinFunctionType, types.MethodWrapperType):
        return type(value.__self__) not in (list, dict, set)
    if isinstance(value, type | types.ModuleType | enum.Enum | np.dtype | np.generic) or is_function(value):
        return True
    if kind in SUBSCRIPTED_TYPES:
        return True
    if kind is tuple or kind is frozenset or is_namedtuple(value):
        return all(map(is_static, value))
    if kind is slice:
        return all(map(is_static, (value.start, value.stop, value.step)))
    return isinstance(value, Undefined | Unset) or is_device_function(value)


def show(value: Any) -> str:
    """A short, stable text for a constant: literals as Python writes them, objects by name.

    Example:
        >>> show(2.5), show(np.float64), show(open)
        ('2.5', 'np.float64', 'open')
    """
    if isinstance(value, np.dtype):
        return f"dtype({str(value)!r})"
    if isinstance(value, np.generic):
        return repr(value)
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, type | types.CodeType) or is_function(value) or is_device_function(value):
        return _qualified_name(value)
    if isinstance(value, SUBSCRIPTED_TYPES):
        return f"np.{next((name for name, held in vars(np).items() if held is value), type(value).__name__)}"
    if isinstance(value, enum.Enum):  # its `repr` may be the user's
        return f"{type(value).__qualname__}.{value._name_}"
    if type(value) is tuple:
        items = ", ".join(map(show, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    if type(value) is int and value.bit_length() > MOST_BITS_SHOWN:
        return f"<int of {value.bit_length()} bits>"
    if is_static(value):
        return repr(value)
    is_array = type(value) is np.ndarray
    return f"<{value.dtype}{list(value.shape)}>" if is_array else f"<{type(value).__qualname__}>"


def _qualified_name(value: Any) -> str:
    module = getattr(value, "__module__", None) or ""
    names = (getattr(value, name, None) for name in ("__qualname__", "co_qualname", "__name__"))
    name = next(filter(None, names), "?")
    if isinstance(value, np.ufunc) or module.split(".")[0] == "numpy":
        inner = module.removeprefix("numpy").removeprefix(".")
        public = inner.split(".")[0] in ("linalg", "fft", "random", "ma", "char", "testing")
        return f"np.{inner}.{name}" if public else f"np.{name}"
    if isinstance(value, types.CodeType):
        return f"<code of {name}>"
    builtin = getattr(builtins, name, None) is value  # `open` says that it is of `io`
    return name if builtin or module in ("builtins", "", "__main__") else f"{module}.{name}"


def is_exception_class(value: Any) -> bool:
    """Return whether a value is an exception class whose instances are made by C code alone.

    Example:
        >>> is_exception_class(KeyError), is_exception_class(int)
        (True, False)
    """
    return (
        isinstance(value, type)
        and issubclass(value, BaseException)
        and type(value) is type
        and isinstance(value.__init__, types.WrapperDescriptorType)
        and isinstance(value.__new__, types.BuiltinFunctionType)
    )


def is_hashable(value: Any) -> bool:
    """Return whether an object can be hashed: a slice cannot, nor can a tuple of slices."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
