"""Compiled classes: in place while they are defined, as copies afterwards; and compiled copies of instances.

A decorator compiles the methods of the class that it is given, and gives that class: nobody else has it yet.

The copy of a class is a subclass whose methods are compiled, and which passes for the class: its instances
say they are of the class, pickle as such, and ``isinstance`` knows no difference between the two.  What is set
on the copy is set on the class.  Subclasses of the copy are subclasses of the class itself; the copy stands last in
their order of lookup, where nothing is found in it, so that C code knows them for subclasses of it.

The copy of an instance is an instance of such a copy; the two share their attributes.
"""

from __future__ import annotations

import abc
import copyreg
import enum
import inspect
import types
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from astrace.library.compilable import HEAP_TYPE, NEVER, SKIP, is_compilable
from astrace.tracing.values.special_methods import is_compiled

Compile = Callable[[types.FunctionType], Any]
"""Gives the compiled form of a function."""
ORIGINAL: Final = "__astrace_original__"
OPTIONS: Final = "__astrace_options__"
COPIES: Final = "__astrace_copies__"
"""The attribute in which a class that derives from copies keeps the copies."""
COMPILED: Final = "__astrace_compiled__"
"""The attribute in which a class compiled in place keeps, by name, the compiled and the plain member."""
NOT_COPIED: Final = (
    BaseException,
    enum.Enum,
    tuple,
    type,
    np.ndarray,
    np.generic,
    dict,
    list,
    set,
    str,
    int,
    float,
)
"""Classes whose subclasses are not copied."""
LOOKS: Final = ("stages", "explain", "stats")
"""The attributes that a compiled callable object has in common with a compiled function."""


OWN: Final = ("__", "_abc_")
"""The prefix of names that a copy and its original each have for themselves."""


class BelowCopies(type):
    """The metaclass of ordinary classes that derive from copies.

    Python asks the right operand first where its class derives from the left one's: that is the copy, not its original.
    """

    def mro(cls) -> list[type]:
        """The order of lookup of the originals, then the copies."""
        order = super().mro()
        return [*order[:-1], *(copy for copy in vars(cls).get(COPIES, ()) if copy not in order), order[-1]]


class ABCBelowCopies(BelowCopies, abc.ABCMeta):
    """The metaclass of abstract base classes that derive from copies."""


class _Passes(BelowCopies):
    """The base of metaclasses of copies, which let a copy pass for its original."""

    below: type[BelowCopies]
    """The metaclass of classes that derive from a copy."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        """Make a copy; for a class derived from one, a subclass of its original."""
        if ORIGINAL in namespace:
            return super().__new__(cls, name, bases, namespace, **options)
        plain = tuple(original_class(base) for base in bases)
        namespace[COPIES] = tuple(base for base in bases if isinstance(base, _Passes))
        frame = inspect.currentframe()
        if frame is not None and frame.f_back is not None:  # as ``type`` does it
            namespace.setdefault("__module__", dict.get(frame.f_back.f_globals, "__name__"))
        return types.new_class(
            name, plain, {"metaclass": cls.below} | options, lambda body: body.update(namespace)
        )

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, original_class(cls))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, original_class(cls))

    def __setattr__(cls, name: str, value: Any) -> None:
        if name.startswith(OWN):
            super().__setattr__(name, value)
            return
        plain = getattr(value, "__astrace_function__", value) if is_compiled(value) else value
        setattr(original_class(cls), name, plain)
        if name in vars(cls):
            type.__delattr__(cls, name)
        if plain is not value:
            super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        delattr(original_class(cls), name)
        if name in vars(cls):
            super().__delattr__(name)


class CompiledType(_Passes):
    """The metaclass of copies of ordinary classes."""

    below = BelowCopies


class CompiledABCMeta(_Passes, ABCBelowCopies):
    """The metaclass of copies of abstract base classes."""

    below = ABCBelowCopies


METACLASSES: Final = {
    type: CompiledType,
    abc.ABCMeta: CompiledABCMeta,
    BelowCopies: CompiledType,
    ABCBelowCopies: CompiledABCMeta,
}


def original_class(cls: Any) -> Any:
    """The class that a copy was made of; any other class itself."""
    return vars(cls)[ORIGINAL] if isinstance(cls, _Passes) else cls


def _reduce_class(cls: type) -> tuple[Any, ...]:
    return original_class, (original_class(cls),)


copyreg.pickle(CompiledType, _reduce_class)  # type: ignore[arg-type]
copyreg.pickle(CompiledABCMeta, _reduce_class)  # type: ignore[arg-type]


def can_copy(cls: type) -> bool:
    """Return whether a class is written in Python and made in the usual way, so that a subclass can pass for it."""
    return (
        type(cls) in METACLASSES
        and not issubclass(cls, NOT_COPIED)
        and cls.__module__.partition(".")[0] not in NEVER
        and not vars(cls).get(SKIP, False)
    )


def is_made_plainly(cls: type) -> bool:
    """Return whether ``object.__new__`` makes instances of a class: no base is laid out by C code, as Numba's are."""
    makers = (vars(base).get("__new__") for base in cls.__mro__ if base is not object)
    return not any(isinstance(made, types.BuiltinFunctionType) for made in makers)


class _Silent:
    """A base that keeps the original from hearing that a copy is made."""

    __slots__ = ()

    @classmethod
    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the notice from the original."""


def copy_class(cls: type, compile_function: Compile, made_with: Any = None) -> type:
    """A subclass that passes for the class, with its methods compiled, those it inherits included.

    Args:
        cls: a class for which `can_copy` is true.
        compile_function: gives the compiled form of a method.
        made_with: what the copy remembers of how it was made.
    """
    methods: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] not in NEVER:
            methods.update(_plain_members(base))
    namespace = {name: _compiled(name, stored, compile_function) for name, stored in methods.items()}
    kept = {name: member for name, member in namespace.items() if member is not None}
    if "__eq__" in kept:  # else Python takes the class for one that has no hash
        kept.setdefault("__hash__", cls.__hash__)
    kept |= _looks(cls, kept)
    kept |= {
        "__slots__": (),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        "__class__": property(_class),
        "__reduce_ex__": _reduce,
        ORIGINAL: cls,
        OPTIONS: made_with,
    }
    return METACLASSES[type(cls)](cls.__name__, (_Silent, cls), kept)


def _compiled(name: str, stored: Any, compile_function: Compile) -> Any:
    """Return the compiled form of a class's member; nothing where it stays as it is."""
    match stored:
        case types.FunctionType() if name != "__init__" and is_compilable(stored):
            return compile_function(stored)
        case staticmethod() | classmethod():
            inner = _compiled(name, stored.__func__, compile_function)
            return None if inner is None else type(stored)(inner)
        case property() if stored.fget is not None:
            getter = _compiled(name, stored.fget, compile_function)
            return None if getter is None else property(getter, stored.fset, stored.fdel, stored.__doc__)
        case _:
            return None


def _plain_members(cls: type) -> dict[str, Any]:
    """Return the members of a class; where it was compiled in place, those from before."""
    held, compiled = dict(vars(cls)), vars(cls).get(COMPILED, {})
    return held | {name: plain for name, (made, plain) in compiled.items() if held.get(name) is made}


def is_being_defined(cls: type) -> bool:
    """Return whether the statement that defines a class still runs: its name is not yet bound where it stands.

    So it is for what decorates the class, and for ``__init_subclass__`` and metaclasses that make it.
    """
    scope, _, name = cls.__qualname__.rpartition(".")
    code_name = scope.removesuffix(".<locals>") or "<module>"
    frame, found = inspect.currentframe(), False
    while frame is not None:
        if frame.f_code.co_qualname == code_name and frame.f_globals.get("__name__") == cls.__module__:
            if frame.f_locals.get(name) is cls:
                return False
            found = True
        frame = frame.f_back
    return found


def can_compile_in_place(cls: type) -> bool:
    """Return whether a class is written in Python, and not one that is left alone."""
    return (
        bool(cls.__flags__ & HEAP_TYPE)
        and cls.__module__.partition(".")[0] not in NEVER
        and not vars(cls).get(SKIP, False)
    )


def compile_in_place(cls: type, compile_function: Compile, made_with: Any = None) -> None:
    """Put the compiled forms of a class's own methods in their places.

    Args:
        cls: a class for which `can_compile_in_place` is true.
        compile_function: gives the compiled form of a method.
        made_with: what the class remembers of how it was compiled.
    """
    plain = _plain_members(cls)
    compiled = {name: _compiled(name, stored, compile_function) for name, stored in plain.items()}
    made = {name: (member, plain[name]) for name, member in compiled.items() if member is not None}
    members = {name: member for name, (member, _) in made.items()}
    members |= _looks(cls, members) | {OPTIONS: made_with, COMPILED: made}
    for name, member in members.items():
        type.__setattr__(cls, name, member)  # bypasses the metaclass, which made this class


def _looks(cls: type, members: dict[str, Any]) -> dict[str, property]:
    """Return properties of the compiled ``__call__`` for a class's instances, where the class lacks such names."""
    if "__call__" not in members:
        return {}
    return {name: _look(name) for name in LOOKS if not hasattr(cls, name)}


def _look(name: str) -> property:
    """Return a property that reads an attribute of the compiled ``__call__``."""
    return property(lambda self: getattr(inspect.getattr_static(type(self), "__call__").__get__(self), name))


def _class(self: Any) -> type:
    return original_class(type(self))


def _reduce(self: Any, protocol: Any) -> Any:
    """Pickle the original's instances, and those of classes that derive from a copy."""
    cls = type(self)
    reducers = (vars(base).get("__reduce_ex__") for base in cls.__mro__ if not isinstance(base, _Passes))
    found = next(one for one in reducers if one is not None)(self, protocol)
    if isinstance(found, str):
        return found
    made, args, *rest = (original_class(cls) if part is cls else part for part in found)
    return made, tuple(original_class(cls) if arg is cls else arg for arg in args), *rest


def copy_instance(instance: Any, cls: type) -> Any:
    """An instance of the copy of a class that has the attributes of an instance of the class.

    Args:
        instance: the instance; its ``__dict__`` is shared, what it keeps in slots is copied.
        cls: the copy of its class.
    """
    made = object.__new__(cls)
    if hasattr(instance, "__dict__"):
        object.__setattr__(made, "__dict__", object.__getattribute__(instance, "__dict__"))
    for base in type(instance).__mro__:
        for member in vars(base).values():
            if isinstance(member, types.MemberDescriptorType) and hasattr(instance, member.__name__):
                member.__set__(made, member.__get__(instance))
    return made


def original_instance(instance: Any) -> Any:
    """An instance of the original class that shares the attributes of an instance of its copy."""
    return copy_instance(instance, original_class(type(instance)))
