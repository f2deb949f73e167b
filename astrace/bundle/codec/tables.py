"""The allow-list: the operations, functions, classes, methods and attributes that a bundle may name.

Data name things by these tables alone: nothing is imported by name.  A table maps a name to the object that the
loading program has under it.  What reads or writes files, runs texts, reaches memory past an array's end or leads from
a value to Python's own machinery is in no table.
"""

from __future__ import annotations

import builtins
import contextlib
import operator
import types
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from astrace.errors import StateChanged
from astrace.guards.access_paths import viewed_dict
from astrace.ops import OPS


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


REFUSED_OPS: Final = words(
    """
    read_global read_cell tell_lookup set_field make_object delete_attr check_still memoryview id
    device_call device_method device_update device_apply np.savez np.bmat np.fromfunction np.piecewise
    np.mask_indices np.ndarray np.lib.stride_tricks.as_strided ndarray.resize ndarray.setflags
    ndarray.getfield ndarray.setfield
    """
)
"""Ops of the table that no bundle may have: they reach the world outside, raw memory, or Python's machinery."""
OPERATIONS: Final = frozenset(OPS.by_name) - REFUSED_OPS
"""The ops that a leaf node may have."""
CALLS: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(("call", "call_pure", "call_spread", "call_mapping", "map", "filter"), 0),
        **dict.fromkeys(("np.apply_along_axis", "np.apply_over_axes"), 0),
    }
)
"""Ops that call one of their arguments, and its place: it must be a constant that `callables` has."""
NAMED: Final[Mapping[str, int]] = MappingProxyType(
    {"get_attr": 1, "set_attr": 1, "hasattr": 1, "call_method": 1}
)
"""Ops that look up a name, and its place: it must be a constant of `ATTRIBUTES` or `METHODS`."""
CLASSES_MADE: Final[Mapping[str, int]] = MappingProxyType({"make_namedtuple": 0})
"""Ops that make an instance of a class, and its place: it must be a constant."""

ATTRIBUTES: Final = words(
    """
    __name__ shape T mT real imag size ndim dtype nbytes itemsize strides flat flags start stop step numerator
    denominator args name kind char str byteorder type fields names descr alignment itemsize subdtype
    base c_contiguous f_contiguous contiguous fortran owndata writeable aligned eps epsneg max min tiny
    bits resolution precision smallest_normal smallest_subnormal nmant nexp maxexp minexp eigenvalues
    eigenvectors Q R U S Vh sign logabsdet values indices inverse_indices counts
    """
)
"""Attributes that may be read."""
SETTABLE: Final = words("shape real imag flat")
"""Attributes that may be set."""
METHODS: Final = words(
    """
    append extend insert remove pop clear index count sort reverse copy get keys values items update
    setdefault popitem fromkeys add discard union intersection difference symmetric_difference issubset
    issuperset isdisjoint intersection_update difference_update symmetric_difference_update capitalize
    casefold center endswith expandtabs find isalnum isalpha isascii isdecimal isdigit isidentifier
    islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition removeprefix
    removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
    swapcase title translate maketrans upper zfill encode decode hex fromhex bit_length bit_count
    conjugate is_integer as_integer_ratio to_bytes from_bytes all any argmax argmin argpartition argsort
    astype byteswap choose clip compress cumprod cumsum diagonal dot fill flatten item max mean min
    nonzero prod ptp put ravel repeat reshape round searchsorted squeeze std sum swapaxes take tobytes
    tolist trace transpose var view add_note newbyteorder indices reduce accumulate reduceat
    outer at
    """
)
"""Methods that may be called."""
FUNCTIONS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "print": print,
        "divmod": divmod,
        "np.errstate": np.errstate,
        "np.printoptions": np.printoptions,
        "np.dtype": np.dtype,
        "np.finfo": np.finfo,
        "np.iinfo": np.iinfo,
        "contextlib.suppress": contextlib.suppress,
        "contextlib.nullcontext": contextlib.nullcontext,
        "operator.index": operator.index,
        "bytearray": bytearray,
    }
)
"""What may be called besides ops."""


def is_empty(cell: types.CellType) -> bool:
    """Return whether a variable of a function further out has no value."""
    return cell == types.CellType()


def _kind_of_items(items: Any) -> str:
    from astrace.tracing.values.long_sequences import kind_of_items  # only graphs over long lists need it

    return kind_of_items(items)


DERIVED: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {"len": len, "tuple": tuple, "type": type, "dict_of": viewed_dict, "kind_of_items": _kind_of_items}
)
"""Functions that access paths may apply, by the names that they have in paths."""

ENDS: Final = (SystemExit, KeyboardInterrupt, GeneratorExit)
"""Exceptions that end a program: no graph makes one."""


def _python_classes() -> Iterator[tuple[str, type]]:
    for name in ["bool", "int", "float", "complex", "str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "range", "slice", "type", "object"]:  # fmt: skip
        yield name, getattr(builtins, name)
    yield from ((name, getattr(builtins, name)) for name in ("enumerate", "zip", "reversed", "map", "filter"))
    for name, found in vars(builtins).items():
        if isinstance(found, type) and issubclass(found, BaseException) and found.__name__ == name:
            yield name, found
    kinds = {"NoneType": None, "ellipsis": ..., "NotImplementedType": NotImplemented}
    yield from ((name, type(value)) for name, value in kinds.items())
    views: dict[str, Any] = {"dict_keys": {}.keys(), "dict_values": {}.values(), "dict_items": {}.items()}
    iterators: dict[str, Any] = {
        "list_iterator": iter([]),
        "tuple_iterator": iter(()),
        "range_iterator": iter(range(0)),
        "str_iterator": iter(""),
        "set_iterator": iter(set[Any]()),
        "dict_keyiterator": iter({}),
    }
    yield from ((name, type(value)) for name, value in (views | iterators).items())
    yield from {
        "memoryview": memoryview,
        "function": types.FunctionType,
        "generator": types.GeneratorType,
    }.items()
    yield "builtin_function_or_method", types.BuiltinFunctionType
    yield "StateChanged", StateChanged


def _numpy_classes() -> Iterator[tuple[str, type]]:
    for found in sorted({np.generic, *_subclasses(np.generic)}, key=lambda one: one.__name__):
        if getattr(np, found.__name__, None) is found or found in np.sctypeDict.values():
            yield f"np.{found.__name__}", found
    yield from {"np.ndarray": np.ndarray, "np.dtype": np.dtype, "np.ufunc": np.ufunc}.items()
    yield "np.flatiter", np.flatiter
    yield "np.flagsobj", type(np.zeros(()).flags)
    yield "np.linalg.LinAlgError", np.linalg.LinAlgError
    yield from {"np.errstate": np.errstate, "np.finfo": np.finfo, "np.iinfo": np.iinfo}.items()
    for name in ("AxisError", "ComplexWarning", "DTypePromotionError", "RankWarning", "TooHardError", "VisibleDeprecationWarning"):  # fmt: skip
        if (found := getattr(np.exceptions, name, None)) is not None:
            yield f"np.exceptions.{name}", found
    yield from _result_classes()


def _result_classes() -> Iterator[tuple[str, type]]:
    """The named tuples that functions of NumPy return, and the classes of its dtypes."""
    one = np.eye(1)
    results: list[Any] = [np.linalg.eig(one), np.linalg.eigh(one), np.linalg.qr(one), np.linalg.svd(one)]
    results.append(np.linalg.slogdet(one))
    found = (getattr(np, name, None) for name in ("unique_all", "unique_counts", "unique_inverse"))
    results += [function(np.zeros(1)) for function in found if function is not None]
    for cls in map(type, results):
        if cls is not tuple:
            yield f"np.result.{cls.__name__}", cls
    for char in np.typecodes["All"]:
        cls: Any = type(np.dtype(char))
        yield f"np.dtypes.{cls.__name__}", cls


def _subclasses(cls: type) -> Iterator[type]:
    for one in cls.__subclasses__():
        if one.__module__ == "numpy":
            yield one
            yield from _subclasses(one)


CLASSES: Final[Mapping[str, type]] = MappingProxyType({**dict(_python_classes()), **dict(_numpy_classes())})
"""Classes that specs, guards, handlers and constants may name."""
CLASS_NAMES: Final[Mapping[type, str]] = MappingProxyType({cls: name for name, cls in CLASSES.items()})


def function_name(value: Any) -> str | None:
    """The name of a function in the tables, if it is in one."""
    op = OPS.find(value)
    if op is not None and op.name in OPERATIONS:
        return op.name
    return next((name for name, found in FUNCTIONS.items() if found is value), None)


def function_named(name: str) -> Any:
    """The function of a name; None where no table has it."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    return OPS.by_name[name].function if name in OPERATIONS else None


def may_be_called(value: Any) -> bool:
    """Return whether a graph may call a constant: a function of the tables, or the class of an exception."""
    if isinstance(value, type) and issubclass(value, BaseException):
        return value in CLASS_NAMES and not issubclass(value, ENDS)
    if value is type or value is object:
        return False
    return function_name(value) is not None
