"""The way into a graph: a function that takes a call as the captured one does, and checks that the graph is for it.

What a graph was made for stands in its guards.  Those about the arguments of a call are checked at each call, in a
dispatcher of one specialisation; a call that fails one raises `SignatureMismatch`, which says what was expected and
what was given.  Guards about the world outside are no business of a frozen graph: it has the world of one moment.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from astrace.compiler.dispatcher import Specialisation, build_dispatcher
from astrace.errors import SignatureMismatch
from astrace.guards.access_paths import Argument, Path, Root, steps
from astrace.guards.failures import Failure, failures
from astrace.guards.kinds import AreApart, Guard, IsAt, paths_of
from astrace.locations import Location

HINT: Final = "trace the function for such arguments, too, or compile it: a compiled function is captured anew for each kind of call"
"""The hint for a call that a graph was not made for."""
BINDING_HINT: Final = (
    "call it with the arguments that its signature names; those with a default may be left out"
)
"""The hint for a call that does not fit the signature."""


def guards_on_arguments(
    guards: Iterable[Guard], given: Mapping[str, Any], bound: Sequence[str]
) -> tuple[Guard, ...]:
    """Return the guards that a call can fail, with the present objects of outside state in them.

    Args:
        guards: those of a capture.
        given: the arguments that it was made for, by parameter name.
        bound: the parameters that no call can give anything else to.
    """
    found: list[Guard] = []
    for guard in guards:
        free = [_is_free(path, bound) for path in paths_of(guard)]
        if any(free):
            found.append(guard if all(free) else _with_outside_pinned(guard, given, bound))
    return tuple(found)


def _is_free(path: Path, bound: Sequence[str]) -> bool:
    """Return whether a path begins at an argument that a call gives."""
    root = steps(path)[-1]
    return isinstance(root, Argument) and root.name not in bound


def _with_outside_pinned(guard: Guard, given: Mapping[str, Any], bound: Sequence[str]) -> Guard:
    """A guard on arguments and the world, with the objects of the world themselves."""

    def pinned(path: Path) -> Path:
        return path if _is_free(path, bound) else Root(path.follow(given), str(path))

    match guard:
        case IsAt():
            return replace(guard, path=pinned(guard.path), other=pinned(guard.other))
        case AreApart():
            return replace(guard, paths=tuple(map(pinned, guard.paths)))
        case _:
            return guard


class SignatureCheck:
    """Binds the arguments of calls, checks them and runs the graph.

    Args:
        name: the function's name.
        signature: the function's signature.
        guards: what must hold for a call to be one that the graph was made for.
        inputs: where the inputs of the graph are found at a call.
        locations: the user's lines at which the guards arose.
        run: takes the inputs.
    """

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        guards: Sequence[Guard],
        inputs: tuple[Path, ...],
        locations: Mapping[Guard, Location],
        run: Callable[..., Any],
    ) -> None:
        self._name, self._signature = name, signature
        self._guards, self._locations = guards, locations
        only = Specialisation(tuple(guards), frozenset(), inputs, run)
        self._dispatch: Any = build_dispatcher(signature, name, [only], self._refuse, None)
        parameters = signature.parameters.values()
        positional = (one for one in parameters if one.kind is not one.KEYWORD_ONLY)
        named = ((one.name, one.default) for one in parameters if one.kind is one.KEYWORD_ONLY)
        self._dispatch.__defaults__ = tuple(one.default for one in positional if one.default is not one.empty)
        self._dispatch.__kwdefaults__ = {
            name: value for name, value in named if value is not inspect.Parameter.empty
        }

    def __call__(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Run a call.

        Raises:
            SignatureMismatch: the graph was not made for it.
        """
        try:
            return self._dispatch(*args, **kwargs)
        except TypeError:
            self._check_binding(args, kwargs)
            raise

    def _check_binding(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Say so if it was binding the arguments that raised a TypeError.

        Raises:
            SignatureMismatch: they do not fit the signature.
        """
        try:
            self._signature.bind(*args, **kwargs)
        except TypeError as error:
            message = f"the graph of `{self._name}{self._signature}`: {error}"
            raise SignatureMismatch(message, BINDING_HINT) from None

    def _refuse(self, given: dict[str, Any]) -> NoReturn:
        """Say what does not fit."""
        found = failures(self._guards, self._locations, given)
        lines = [f"the graph of `{self._name}{self._signature}` was not made for this call"]
        lines += map(_told, found)
        names = [str(root.name) for one in found for root in _arguments(one)]
        raise SignatureMismatch("\n  ".join(lines), HINT, tuple(dict.fromkeys(names))) from None


def _told(failure: Failure) -> str:
    """Say what was expected of a parameter, and what was given."""
    where = "" if failure.location is None else f" ({failure.location})"
    return f"{failure.subject}: expected {failure.before}, given {failure.now}{where}"


def _arguments(failure: Failure) -> list[Argument]:
    """The parameters that a failure is about."""
    assert failure.guard is not None
    roots = [steps(path)[-1] for path in paths_of(failure.guard)]
    return [root for root in roots if isinstance(root, Argument)]
