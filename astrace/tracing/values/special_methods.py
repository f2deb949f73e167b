"""Code of the user's that would run if an object were asked: classes are looked through, never asked.

Looking an attribute up, comparing, hashing or testing the class of something may run code of the user's, and a
trace must not do that.  The functions here read what classes hold as it is stored, past metaclasses and
descriptors, and tell which hooks there are.
"""

from __future__ import annotations

import enum
import functools
import operator
import os
import sys
import sysconfig
import types
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from astrace.locations import PACKAGE
from astrace.tracing.changes.journal import MISSING
from astrace.tracing.context import CURRENT
from astrace.util.entrances import function_of
from astrace.util.trees import members, resolution_order

HEAP_TYPE: Final = 1 << 9
"""``Py_TPFLAGS_HEAPTYPE``: the class was made by a ``class`` statement, by a call of ``type``, or by a module in C."""
IMMUTABLE_TYPE: Final = 1 << 8
"""``Py_TPFLAGS_IMMUTABLETYPE``: its attributes can't be set; of heap types, those of modules in C."""

TEXT: Final = frozenset({"__str__", "__repr__", "__format__"})
NOT_OPERATORS: Final = frozenset(
    {
        "__init__",
        "__new__",
        "__post_init__",
        "__call__",
        "__setattr__",
        "__enter__",
        "__exit__",
        "__class__",
        "__class_getitem__",
        "__init_subclass__",
        "__set_name__",
    }
)
"""Special methods that no comparison, conversion or formatting of an instance calls."""

WRITTEN_IN_C: Final = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)


LIBRARY_FOLDERS: Final = frozenset({"site-packages", "dist-packages"})
ASTRACE: Final = Path(PACKAGE)
LIBRARY_PATHS: Final = (
    *(Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    ASTRACE,
)
"""The folders of Python, of installed packages, and of astrace."""
UNTRACED: Final = frozenset(
    [
        "numpy",
        "scipy",
        "pandas",
        "jax",
        "jaxlib",
        "torch",
        "tensorflow",
        "sklearn",
        "matplotlib",
        "numba",
        "sympy",
        "networkx",
        "hypothesis",
        "pytest",
        "_pytest",
        "astrace",
    ]
)
LIBRARIES: Final = UNTRACED | sys.stdlib_module_names
"""Packages whose functions are not traced through, unless one of them is what is being compiled."""


@lru_cache(maxsize=4096)
def is_library_file(file: str) -> bool:
    """Return whether code comes from the standard library or an installed package, by the name of its file.

    Example:
        >>> is_library_file(sysconfig.__file__), is_library_file("/home/me/python3.11-project/model.py")
        (True, False)
    """
    if file.startswith("<frozen "):
        return True
    path = Path(file)
    return not LIBRARY_FOLDERS.isdisjoint(path.parts) or any(map(path.is_relative_to, LIBRARY_PATHS))


def is_library_code(function: types.FunctionType) -> bool:
    """Return whether a function belongs to a library; the package of the function that is being captured is none."""
    file = function.__code__.co_filename
    trace = CURRENT.get()
    own = trace is not None and _is_in(file, _home(_package(trace.function)))
    return is_library_file(file) and not own


def is_own_code(function: types.FunctionType) -> bool:
    """Return whether a function is one of astrace's, which is called as it is: `compile` inside a function."""
    return _is_in(function.__code__.co_filename, f"{ASTRACE}{os.sep}")


def is_library_module(name: str) -> bool:
    """Return whether a module belongs to a library that is not traced through, unless it is the one being compiled."""
    if name.partition(".")[0] not in LIBRARIES:
        return False
    trace = CURRENT.get()
    home = "" if trace is None else _package(trace.function)
    return not home or home.partition(".")[0] in NEVER_OWN or not f"{name}.".startswith(f"{home}.")


NEVER_OWN: Final = sys.stdlib_module_names | {"numpy", "astrace"}
"""Libraries that the compiler itself uses: never traced through, even where one of their functions is compiled."""


def _package(function: Any) -> str:
    """The package or module that a function was written in, from the top; of a large library its part."""
    parts = str(getattr(function, "__globals__", {}).get("__name__")).split(".")
    return ".".join(parts[: 2 if parts[0] in UNTRACED else 1])


@lru_cache(maxsize=256)
def _home(package: str) -> str:
    """The folder of a package with the separator behind it, or the file of a module; empty where there is none."""
    file = str(getattr(sys.modules.get(package), "__file__", None) or "")
    if package.partition(".")[0] in NEVER_OWN or not file:
        return ""
    path = Path(file)
    return f"{path.parent}{os.sep}" if path.name.startswith("__init__.") else file


def _is_in(file: str, home: str) -> bool:
    """Return whether a file is, or lies in, the home of a package."""
    return bool(home) and (file.startswith(home) if home.endswith(os.sep) else file == home)


def stored_attribute(cls: type, name: str) -> tuple[type, Any] | None:
    """The class in the method resolution order that has an attribute, and the attribute as it is stored."""
    for base in resolution_order(cls):
        found = members(base).get(name, MISSING)
        if found is not MISSING:
            return base, found
    return None


def class_attribute(cls: type, name: str) -> tuple[type, Any] | None:
    """Return a `stored_attribute` as it was written: for a compiled function the one it was made of."""
    found = stored_attribute(cls, name)
    return None if found is None else (found[0], as_written(found[1]))


def is_closed(cls: type) -> bool:
    """Return whether instances of a class have the attributes that the class gives them, and never others.

    They have no ``__dict__``, and nothing but Python's own lookup finds what they have.
    """
    found = class_attribute(cls, "__getattribute__")
    plain = found is not None and found[0] in PLAINLY_LOOKED_UP
    return plain and not cls.__dictoffset__ and class_attribute(cls, "__getattr__") is None


PLAINLY_LOOKED_UP: Final = frozenset(
    {object, int, float, complex, str, bytes, bytearray, tuple, list, dict, set, frozenset, range, slice}
)
"""Classes whose ``__getattribute__`` is Python's own lookup: several have one each, which do the same."""


def as_written(stored: Any) -> Any:
    """Return the attribute of a class without what compiling has put around it.

    A compiled function that does all that its function does stands for it; so does one inside a property, or a
    static or class method.
    """
    match stored:
        case types.FunctionType() | str() | None:
            return stored
        case staticmethod() | classmethod() if type(stored) in (staticmethod, classmethod):
            inner = as_written(stored.__func__)
            return stored if inner is stored.__func__ else type(stored)(inner)
        case property() if type(stored) is property:
            parts = (stored.fget, stored.fset, stored.fdel)
            inner = tuple(map(as_written, parts))
            return stored if all(map(operator.is_, inner, parts)) else property(*inner)
        case _ if is_compiled(stored):
            plain = function_of(stored)
            inlines = isinstance(plain, types.FunctionType) and stored.__astrace_options__.inlines
            return plain if inlines else stored
        case _:
            return stored


def as_function(owner: Any, name: str) -> Any:
    """Return the holder of an attribute that every Python function has: for a compiled function the function inside."""
    kept = name in OF_FUNCTIONS and is_compiled(owner)
    plain = function_of(owner) if kept else None
    return plain if isinstance(plain, types.FunctionType) else owner


OF_FUNCTIONS: Final = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__"})


def is_compiled(value: Any) -> bool:
    """Return whether a callable is one that astrace has compiled, or a method of one that is bound to an object."""
    return any("__astrace_target__" in members(base) for base in resolution_order(type(value)))


def is_subclass(cls: type, base: type) -> bool:
    """Return whether a class derives from another one, whatever their metaclasses say."""
    return any(found is base for found in resolution_order(cls))


def is_hook(stored: Any) -> bool:
    """Return whether reading an attribute of a class or a module runs the user's code."""
    match as_written(stored):
        case types.FunctionType() as function:
            return not is_library_code(function)
        case staticmethod() | classmethod() | types.MethodType() as method:
            return is_hook(method.__func__)
        case property() as held:
            return held.fget is not None and is_hook(held.fget)
        case functools.partial() as partial:
            return is_hook(partial.func)
        case functools.partialmethod() as partial:
            return is_hook(partial.func)
        case other:
            return (not isinstance(other, type) and is_compiled(other)) or hook(
                type(other), "__call__"
            ) is not None


def hook(cls: type, name: str) -> Any:
    """Return a special method of the user's in a class, its bases included; ``None`` where there is none.

    It is a Python function, or something else that runs one when it is called.
    """
    found = class_attribute(cls, name) if cls.__flags__ & HEAP_TYPE else None
    return found[1] if found is not None and is_hook(found[1]) else None


def getter(stored: Any) -> types.FunctionType | None:
    """The ``__get__`` of the user's that reading an attribute runs, where its class is a descriptor of theirs."""
    method = hook(type(stored), "__get__")
    return method if isinstance(method, types.FunctionType) else None


def is_data_descriptor(stored: Any) -> bool:
    """Return whether an attribute of a class comes before the attributes of its instances."""
    cls: type[Any] = type(stored)
    changes = class_attribute(cls, "__set__") or class_attribute(cls, "__delete__")
    return class_attribute(cls, "__get__") is not None and changes is not None


def answers_for_all(cls: type[Any]) -> str | None:
    """Return the hook of a class that runs for any attribute of an instance; ``None`` if it has none."""
    for name in ("__getattribute__", "__class__"):
        found = class_attribute(cls, name)
        if found is not None and is_hook(found[1]):
            return name
    return None


def untouchable(value: Any) -> str | None:
    """Return the hook that runs the user's code for any question to an object, even for its class; ``None`` if none.

    Instances with a ``__getattribute__`` or a ``__class__`` of their own are such, and classes whose metaclass
    says how they are compared.
    """
    cls: type[Any] = type(value)
    if not cls.__flags__ & HEAP_TYPE:
        return None
    name = answers_for_all(cls)
    if name is not None:
        return f"`{name}` of `{cls.__name__}`"
    if isinstance(value, type) and not resolution_order(value):
        return f"`mro` of `{value.__name__}`, which has not finished,"
    kinds: list[type[Any]] = [type(cls), cls] if isinstance(value, type) else [type(cls)]
    for meta in kinds:
        for name in ("__getattribute__", "__eq__", "__hash__"):
            if meta.__flags__ & HEAP_TYPE and hook(meta, name) is not None:
                return f"`{name}` of the metaclass `{meta.__name__}`"
    return None


def speaks(cls: type, text: bool = True) -> bool:
    """Return whether a class has special methods of the user's that C code may call.

    Args:
        cls: the class.
        text: those for text (``__str__`` and its like) count.
    """
    return any(
        name.startswith("__")
        and name not in NOT_OPERATORS
        and (text or name not in TEXT)
        and runs_python(member)
        for base in resolution_order(cls)
        if base.__flags__ & HEAP_TYPE and base not in ENUM_CLASSES
        for name, member in members(base).items()
    )


def runs_python(stored: Any) -> bool:
    """Return whether a special method in a class may be more than C code: a function, a partial, any callable."""
    if isinstance(stored, types.FunctionType):
        return True
    if isinstance(stored, (*WRITTEN_IN_C, type)):
        return False
    return callable(stored) or stored_attribute(type(stored), "__get__") is not None


ENUM_CLASSES: Final = (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag, enum.ReprEnum)


def has_enum_methods(values: Iterable[Any], text: bool = False) -> bool:
    """Return whether there are members of enumerations with methods of the user's among constants, at any depth."""
    for value in values:
        if isinstance(value, tuple | frozenset):
            if has_enum_methods(value, text):
                return True
        elif isinstance(value, enum.Enum) and speaks(type(value), text):
            return True
    return False
