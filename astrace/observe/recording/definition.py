"""`TraceDef`: what is to be recorded of a function; and the parameters of its calls by name.

It takes what users say, checks it against the function's signature, and names the arguments of a call.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.errors import InvalidArgument
from astrace.locations import Location

RESULT: Final = "return_value"
Captured = Mapping[str, int | str] | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class TraceDef:
    """What a trace records of a function.

    Args:
        disp_name: the name that is shown; by default the class and name of the function.
        func_name: the function's own name; by default as the function says.
        params_to_capture: names of parameters, or names to show with the parameter or its position; all by default.
        result_name: the name of the result, or names for the items of a tuple.
        stage_name: the stage of its calls.
        item: the parameter that tells which item a call is for.
        source: the function gives the items of a pipeline, so that the limit of a trace holds for it: it is a
            ``__len__``, ``__getitem__`` or ``__iter__``, or an iterator is made by it.  By default its name says so.
    """

    disp_name: str = ""
    func_name: str = ""
    params_to_capture: Captured = None
    result_name: str | tuple[str, ...] = RESULT
    stage_name: str = "evaluation"
    item: str | None = None
    source: bool | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.stage_name, str) or not self.stage_name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(f"trace: stage_name={self.stage_name!r}; accepted is a name")
        chosen = self.params_to_capture
        if chosen is None:
            return
        values: list[object] = [*chosen.values()] if isinstance(chosen, Mapping) else [*chosen]
        if isinstance(chosen, str) or not all(
            isinstance(one, int | str) and not isinstance(one, bool) for one in values
        ):
            raise InvalidArgument(
                f"trace: params_to_capture={chosen!r}; accepted are names of parameters, or a dict from names to "
                "parameters or their positions"
            )


POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class CallNames:
    """The names for the arguments of a function's calls.

    Args:
        function: the function.
        definition: what is recorded of it.
        method: its first argument is an instance or a class, which names the call and is not recorded; by default a
            first parameter ``self`` or ``cls`` of a function in a class says so.
    """

    def __init__(
        self, function: Callable[..., Any], definition: TraceDef, method: bool | None = None
    ) -> None:
        self.signature = _signature(function)
        self.definition = definition
        name = getattr(function, "__name__", None) or type(function).__name__
        self.function = definition.func_name or name
        parameters = [] if self.signature is None else list(self.signature.parameters.values())
        owner = getattr(function, "__qualname__", name).rpartition(".")[0]
        in_class = bool(owner) and not owner.endswith("<locals>")
        first = parameters[0].name if parameters and parameters[0].kind in POSITIONAL else ""
        self.method = (in_class and first in ("self", "cls")) if method is None else method
        self.first = first
        self.owner = owner.rpartition(".")[2] if in_class else ""
        code = getattr(inspect.unwrap(function), "__code__", None)
        self.location = Location.of(code) if isinstance(code, types.CodeType) else None
        self.chosen = self._chosen(parameters)

    def _chosen(self, parameters: list[inspect.Parameter]) -> dict[str, str] | None:
        """The parameters to record, by the name to show.

        Raises:
            InvalidArgument: the function has no such parameter.
        """
        wanted = self.definition.params_to_capture
        if not wanted:
            return None
        pairs = wanted.items() if isinstance(wanted, Mapping) else [(one, one) for one in wanted]
        names = [one.name for one in parameters]
        open_ended = self.signature is None or any(one.kind is one.VAR_KEYWORD for one in parameters)
        found: dict[str, str] = {}
        for shown, parameter in pairs:
            if isinstance(parameter, int):
                found[shown] = (
                    names[parameter] if -len(names) <= parameter < len(names) else f"arg{parameter}"
                )
            else:
                found[shown] = parameter
            known = (
                found[shown] in names
                or open_ended
                or any(one.kind is one.VAR_POSITIONAL for one in parameters)
            )
            if not known:
                raise InvalidArgument(
                    f"trace: params_to_capture names {parameter!r}; {self.function} has the parameters {', '.join(names) or 'none'}"
                )
        return found

    def shown(self, args: Sequence[Any]) -> str:
        """The name of a call: that of the class, where it is a method's, and of the function."""
        if self.definition.disp_name:
            return self.definition.disp_name
        owner = self.owner
        if self.method and args:
            cls = args[0] if issubclass(type(args[0]), type) else type(args[0])
            owner = type.__dict__["__name__"].__get__(cls)
        return f"{owner}.{self.function}" if owner else self.function

    def named(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by name, defaults included."""
        found = self._bound(args, kwargs)
        if self.chosen is None:
            if self.method:
                found.pop(self.first or "arg0", None)
            return found
        return {shown: found[name] for shown, name in self.chosen.items() if name in found}

    def _bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if self.signature is not None:
            try:
                bound = self.signature.bind(*args, **kwargs)
            except TypeError:  # the call itself is about to say so
                return _unbound(args, kwargs)
            bound.apply_defaults()
            return self._flat(bound.arguments)
        return _unbound(args, kwargs)

    def _flat(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with those of ``**kwargs`` among them."""
        assert self.signature is not None
        found: dict[str, Any] = {}
        for name, value in arguments.items():
            kind = self.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD:
                found |= {
                    one if one not in arguments else f"{name}.{one}": item for one, item in value.items()
                }
            elif kind is not inspect.Parameter.VAR_POSITIONAL or value:
                found[name] = value
        return found


def _unbound(args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {**{f"arg{index}": value for index, value in enumerate(args)}, **kwargs}


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # of some functions written in C nothing is known
        return None
