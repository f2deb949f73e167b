"""The target of `compile`: a callable, seen as one Python function and the arguments it is called with.

Functions are their own; a method or a callable object puts itself in front, a partial its arguments.  It
knows signatures and nothing of graphs.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from astrace.errors import InvalidArgument
from astrace.util.signatures import signature_of

WARNED: Final = "__warningregistry__"
"""The global in which Python records the warnings of a module."""


@dataclass(frozen=True, slots=True)
class Target:
    """A callable to compile.

    Args:
        function: the Python function behind it; the callable itself where there is none.
        first: the arguments that the callable puts in front.
        named: the keyword arguments that it adds: those that a partial has at the moment of a call.
        signature: the signature of ``function``.
        name: the qualified name of ``function``.
        module: what Python's warnings read and write in the globals of code that warns: the module's name, and
            what it was warned of, which is not to be shown again.
    """

    function: Callable[..., Any]
    first: tuple[Any, ...]
    named: Mapping[str, Any]
    signature: inspect.Signature
    name: str
    module: Mapping[str, Any]

    @staticmethod
    def of(target: Callable[..., Any]) -> Target:
        """Look through methods, partials and callable objects.

        Raises:
            InvalidArgument: it is a class, or not callable at all.
        """
        if not callable(target):
            raise InvalidArgument(f"compile: {target!r} is not callable")
        if isinstance(target, type):
            raise InvalidArgument(f"compile: {target!r} is a class; compile its methods")
        function, first, named = _unwrapped(target)
        name = getattr(function, "__qualname__", type(function).__qualname__)
        namespace = getattr(function, "__globals__", {})
        module = {key: dict.get(namespace, key, other) for key, other in (("__name__", name), (WARNED, {}))}
        return Target(function, first, named, signature_of(function), name, module)

    @property
    def is_python(self) -> bool:
        """True if the function is written in Python."""
        return isinstance(self.function, types.FunctionType)

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by parameter name; parameters left to their defaults are missing.

        Raises:
            TypeError: the call does not fit the signature.
        """
        bound = self.signature.bind(*self.first, *args, **{**self.named, **kwargs}).arguments
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                bound.setdefault(name, ())
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                bound.setdefault(name, {})
        return dict(bound)

    def example(self, what: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of an example call, as `bind` gives them.

        Args:
            what: who needs an example.
            args: the positional arguments.
            kwargs: the keyword arguments.

        Raises:
            TypeError: the call does not fit the signature.
        """
        try:
            return self.bind(args, kwargs)
        except TypeError as error:
            names = [str(one) for one in self.signature.parameters.values()][len(self.first) :]
            called = f"{self.name}({', '.join(names)})"
            message = f"{what}: the arguments do not fit `{called}`: {error}; pass those of an example call"
            raise TypeError(message) from None

    def arguments(self, given: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments for ``function``, from arguments by parameter name."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        by_name = False
        for name, parameter in self.signature.parameters.items():
            if name not in given:
                by_name = True
            elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                args.extend(given[name])
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                kwargs.update(given[name])
            elif by_name or parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = given[name]
            else:
                args.append(given[name])
        return tuple(args), kwargs

    def omitted(self, given: Mapping[str, Any]) -> frozenset[str]:
        """The parameters that a call leaves to their defaults."""
        return frozenset(name for name in self.signature.parameters if name not in given)


NO_KEYWORDS: Final[Mapping[str, Any]] = types.MappingProxyType({})


def _unwrapped(target: Any) -> tuple[Any, tuple[Any, ...], Mapping[str, Any]]:
    """The function behind a callable, with the positional and keyword arguments it is given first."""
    known = getattr(target, "__astrace_target__", None)
    if isinstance(known, Target):
        return known.function, known.first, known.named
    match target:
        case types.FunctionType():
            return target, (), NO_KEYWORDS
        case types.MethodType():
            inner, first, named = _unwrapped(target.__func__)
            return inner, (*first, target.__self__), named
        case functools.partial():
            inner, first, named = _unwrapped(target.func)
            return inner, (*first, *target.args), {**named, **target.keywords} if named else target.keywords
        case _ if isinstance(type(target).__call__, types.FunctionType):
            return type(target).__call__, (target,), NO_KEYWORDS
        case _:
            return target, (), NO_KEYWORDS
