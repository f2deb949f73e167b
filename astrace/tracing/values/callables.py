"""Kinds of callables that are not traced through, by the tables of `astrace.ops.callables.purity` and by class.

A *pure* one that is called without traced arguments runs at once; any other call is recorded as an effect, in
order.  How much such a call may have changed is told by whose code it is.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import inspect
import operator
import types
from typing import Any, Final

import numpy as np

from astrace.ir.constants import is_cython_class, is_exception_class, is_function
from astrace.ir.jax_arrays import is_code_of_jax
from astrace.ops.callables.concurrency import runs_other_code
from astrace.ops.callables.purity import PURE
from astrace.ops.python.random_streams import TRACED
from astrace.tracing.values.special_methods import (
    HEAP_TYPE,
    class_attribute,
    is_library_code,
    is_library_module,
    runs_python,
)
from astrace.util.entrances import BoundForm, function_of
from astrace.util.trees import is_namedtuple_class, own_attributes

SLOTS: Final = (types.MethodDescriptorType, types.WrapperDescriptorType)
"""Methods of classes written in C: ``dict.get``, ``object.__setattr__``."""

PURE_MODULES: Final = tuple(importlib.import_module(row.module) for row in PURE if not row.names)
PURE_BUILTINS: Final = frozenset(name for row in PURE if row.module == "builtins" for name in row.names)
KNOWN_PURE: Final = frozenset(
    id(getattr(importlib.import_module(row.module), name))
    for row in PURE
    if row.module != "builtins"
    for name in row.names
    if hasattr(importlib.import_module(row.module), name)  # an older NumPy lacks some
)
STRING_TYPES: Final = (str, bytes)


def is_pure(function: Any) -> bool:
    """Return whether a callable may run at once when its arguments are constants.

    Example:
        >>> import math, time
        >>> is_pure(len), is_pure(math.sqrt), is_pure(time.time), is_pure("x".join)
        (True, True, False, True)
    """
    named = isinstance(function, types.BuiltinFunctionType | type)
    if named and getattr(builtins, function.__name__, None) is function:
        return function.__name__ in PURE_BUILTINS or is_exception_class(function)
    if id(function) in KNOWN_PURE:
        return True
    if isinstance(function, types.BuiltinFunctionType):
        owner = function.__self__
        return (
            any(owner is module for module in PURE_MODULES)
            or type(owner) in STRING_TYPES
            or type(owner) in (bool, int, float, complex, tuple, range)
        )
    if isinstance(function, operator.itemgetter | operator.attrgetter | operator.methodcaller):
        return True
    return isinstance(function, type) and is_namedtuple_class(function)


def as_called(function: Any) -> Any:
    """A bound method written in C as ``owner.method(…)`` calls it: errors tell the class that has the method.

    Example:
        >>> as_called((True).bit_length)()
        1
    """
    if not isinstance(function, types.BuiltinFunctionType) or isinstance(function.__self__, type | None):
        return function
    found = class_attribute(type(function.__self__), function.__name__)
    if found is None or not isinstance(found[1], types.MethodDescriptorType):
        return function
    return functools.partial(found[1], function.__self__)


def looks_inside(function: Any) -> bool:
    """Return whether a callable may do more with its arguments than keep them or look at their classes."""
    return id(function) not in KNOWN_PURE


def touches_only_arguments(function: Any) -> bool:
    """Return whether an opaque callable changes nothing of the user's but its arguments.

    C code and libraries know nothing of the globals and attributes of the code that calls them; a user's own
    Python function may change any of them, and so may what calls one, or lets other code run.

    Example:
        >>> touches_only_arguments(np.errstate), touches_only_arguments(lambda: None)
        (True, False)
    """
    if runs_other_code(function):
        return False
    function = inner_function(function)
    if isinstance(function, types.FunctionType):
        return is_library_code(function)
    if isinstance(function, np.ufunc):  # one made of a Python function has object types only
        return any(set(types_) - set("O->") for types_ in function.types)
    if isinstance(function, type):
        return not function.__flags__ & HEAP_TYPE or is_library_module(function.__module__)
    return isinstance(function, C_FUNCTIONS) or is_function(function)


C_FUNCTIONS: Final = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    operator.itemgetter,
    operator.attrgetter,
    operator.methodcaller,
)


def may_run_user_code(value: Any) -> bool:
    """Return whether code that is handed an object may run a user's Python code through it."""
    value = inner_function(value)
    if isinstance(value, types.FunctionType):
        return not is_library_code(value)
    cls = value if isinstance(value, type) else type(value)
    return issubclass(cls, PYTHON_CALLABLES) or (
        not is_cython_class(cls) and bool(cls.__flags__ & HEAP_TYPE) and not is_library_module(cls.__module__)
    )


def runs_when_walked(cls: type) -> bool:
    """Return whether taking items from an instance of a class may run a user's Python code.

    Example:
        >>> runs_when_walked(list), runs_when_walked(types.GeneratorType), runs_when_walked(map)
        (False, True, True)
    """
    if issubclass(cls, RUNNING_ITERATORS) or cls.__module__ == "itertools":
        return True
    if not may_run_user_code(cls):
        return False
    found = (class_attribute(cls, name) for name in ("__iter__", "__next__", "__getitem__", "__reversed__"))
    return any(method is not None and runs_python(method[1]) for method in found)


RUNNING_ITERATORS: Final = (types.GeneratorType, map, filter, zip, enumerate, reversed)
"""Iterators that run, or may run, a Python function for each item."""

PYTHON_CALLABLES: Final = (types.FunctionType, types.MethodType, functools.partial)
"""Classes whose instances may run a Python function."""


def consumes_at_once(function: Any) -> bool:
    """Return whether an opaque callable walks the iterators it is given before it returns, and keeps none of them.

    Example:
        >>> consumes_at_once(sum), consumes_at_once([].extend), consumes_at_once([].append), consumes_at_once(map)
        (True, True, False, False)
    """
    inner = inner_function(function)
    named = isinstance(inner, types.FunctionType | types.BuiltinFunctionType | type | np.ufunc | type(np.sum))
    module = str(getattr(inner if named else type(inner), "__module__", None) or "").split(".")[0]
    if module in EAGER_MODULES:
        return True
    if isinstance(inner, type):
        return is_library_module(inner.__module__) and inner.__name__ in CONSUMING
    return isinstance(inner, (*SLOTS, types.BuiltinFunctionType)) and inner.__name__ in CONSUMING


EAGER_MODULES: Final = frozenset({"numpy", "statistics"})
CONSUMING: Final = frozenset(
    [
        "all",
        "any",
        "array",
        "bytearray",
        "bytes",
        "contains",
        "countOf",
        "Counter",
        "defaultdict",
        "deque",
        "dict",
        "difference",
        "difference_update",
        "extend",
        "extendleft",
        "frozenset",
        "fromkeys",
        "fsum",
        "indexOf",
        "intersection",
        "intersection_update",
        "isdisjoint",
        "issubset",
        "issuperset",
        "join",
        "list",
        "max",
        "min",
        "OrderedDict",
        "prod",
        "reduce",
        "set",
        "sorted",
        "sum",
        "symmetric_difference",
        "symmetric_difference_update",
        "tuple",
        "union",
        "update",
        "writelines",
    ]
)
"""The names of functions, methods and classes of the standard library that iterate over their argument to its end."""


def inner_function(function: Any) -> Any:
    """The Python function behind a bound method, a partial or a wrapper."""
    while True:
        match function:
            case types.MethodType() | BoundForm() | classmethod() | staticmethod():
                inner = function.__func__
            case functools.partial():
                inner = function.func
            case _:
                inner = function_of(function) or own_attributes(function).get("__wrapped__")
        if inner is None:
            return function
        function = inner


def is_known_by_code(function: types.FunctionType) -> bool:
    """Return whether a function's code, with all that its path leads to, determines a call of it."""
    code = function.__code__
    return (
        is_traced_through(function)
        and not code.co_flags & WAITING
        and "__class__" not in code.co_freevars
        and code is not CONTEXT_MANAGER
    )


WAITING: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
CONTEXT_MANAGER: Final = contextlib.contextmanager(lambda: None).__code__  # type: ignore[arg-type, attr-defined]
"""The code of every function that ``contextlib.contextmanager`` makes."""


def is_traced_through(function: types.FunctionType) -> bool:
    """Return whether a Python function is rewritten and traced, rather than called when the program runs.

    Functions of the standard library, of NumPy and of JAX are not: what they do is in the tables, or they are opaque.
    Those that draw from a random stream by other methods of it are.
    """
    if function in TRACED:
        return True
    return not is_library_module(function.__module__ or "") and not is_code_of_jax(function)
