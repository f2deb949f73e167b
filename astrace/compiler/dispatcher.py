"""The dispatcher: straight-line Python that finds the specialisation for a call, written anew for each.

For every specialisation it holds one condition, made of the guards, those of the shortest paths first and of
those the cheapest; a path that several guards look at is read once.  When none holds, the slow path is asked.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.guards.access_paths import LOOKUP_ERRORS, Argument, Path, Root, steps
from astrace.guards.kinds import AreApart, Equals, Fits, Guard, HasType, Is, IsAt, in_turn, paths_of
from astrace.locations import GENERATED, NO_CALLER

MISSING: Final = inspect.Parameter.empty
UNSEEN: Final = f"{GENERATED}: dispatcher of {{}} {NO_CALLER}"
"""A file name for frames between a caller and its function."""


@dataclass(frozen=True, slots=True, eq=False)
class Specialisation:
    """One way to run a function.

    Args:
        guards: what must hold for a call to run this way.
        omitted: the parameters whose defaults it was made for.
        inputs: where the run finds its inputs.
        run: takes the inputs.
        on_plain: given where ``run`` is the plain function, which takes the arguments as they are; it is told
            of each call.
    """

    guards: tuple[Guard, ...]
    omitted: frozenset[str]
    inputs: tuple[Path, ...]
    run: Callable[..., Any]
    on_plain: Callable[[], object] | None = None


def build_dispatcher(
    signature: inspect.Signature,
    name: str,
    specialisations: Sequence[Specialisation],
    miss: Callable[[dict[str, Any]], Callable[[], Any]],
    ticks: Iterator[None] | None,
    watch: Callable[[dict[str, Any]], None] | None = None,
    enters: bool = False,
    on_last: Callable[[], None] | None = None,
) -> Callable[..., Any]:
    """Write and compile a dispatcher.

    Args:
        signature: the function's signature; the dispatcher binds arguments as the function does.
        name: the function's name, for Python's messages about wrong arguments.
        specialisations: tried in order.
        miss: called with the arguments by name when none holds; gives what runs the call.
        ticks: counts calls, one item for each; a loop that is left at once takes it with no call.  ``None`` where nobody counts.
        watch: called with the arguments by name of each call for which a specialisation holds.
        enters: it gives what runs the call, in place of running it (`astrace.util.entrances`).
        on_last: called for each call behind the last item of ``ticks``.
    """
    names = _Names(signature.parameters)
    source = dispatcher_source(names, signature, specialisations, miss, ticks, watch, enters, on_last)
    exec(compile(source, UNSEEN.format(name), "exec"), names.objects)
    dispatch = names.objects[names.local("dispatch")]
    dispatch.__name__ = name.rsplit(".", 1)[-1]
    dispatch.__qualname__ = name
    return dispatch


def plain_dispatcher(function: Callable[..., Any], steps: Sequence[Callable[[], None]]) -> Callable[..., Any]:
    """Return a dispatcher that always calls the plain function, after taking each step."""

    def plain(*args: Any, **kwargs: Any) -> Any:
        for step in steps:
            step()
        return function(*args, **kwargs)

    return _unseen(plain, function)


def plain_entrance(function: Callable[..., Any], steps: Sequence[Callable[[], None]]) -> Callable[..., Any]:
    """Return the entrance for a plain function: it takes each step and gives the callable that runs the call."""

    def plain(*args: Any, **kwargs: Any) -> Any:
        for step in steps:
            step()
        return functools.partial(function, *args, **kwargs)

    return _unseen(plain, function)


def _unseen(dispatch: types.FunctionType, function: Callable[..., Any]) -> types.FunctionType:
    """Make a dispatcher's frame invisible to code that looks for its caller."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    dispatch.__code__ = dispatch.__code__.replace(co_filename=UNSEEN.format(name))
    return dispatch


def dispatcher_source(
    names: _Names,
    signature: inspect.Signature,
    specialisations: Sequence[Specialisation],
    miss: Callable[[dict[str, Any]], Callable[[], Any]],
    ticks: Iterator[None] | None,
    watch: Callable[[dict[str, Any]], None] | None = None,
    enters: bool = False,
    on_last: Callable[[], None] | None = None,
) -> str:
    """The text of a dispatcher; ``names`` holds the objects it refers to."""
    lines = [
        f"def {names.local('dispatch')}({_parameters(signature, names.pin(MISSING, 'missing'))}):",
    ]
    if ticks is not None:
        lines += [f"    for {names.local('tick')} in {names.pin(ticks, 'ticks')}:", "        break"]
    if ticks is not None and on_last is not None:
        lines += ["    else:", f"        {names.pin(on_last, 'on_last')}()"]
    arguments = f"{{{', '.join(f'{name!r}: {name}' for name in signature.parameters)}}}"
    watched = [] if watch is None else [f"{names.pin(watch, 'watch')}({arguments})"]
    for specialisation in specialisations:
        lines += _indented(_lines(names, signature, specialisation, watched, enters))
    lines.append(f"    return {names.pin(miss, 'miss')}({arguments}){'' if enters else '()'}")
    return "\n".join(lines)


def _parameters(signature: inspect.Signature, missing: str) -> str:
    """The parameters, with the mark ``missing`` in place of every default."""
    parameters = [
        parameter.replace(
            annotation=MISSING, default=_Mark(missing) if parameter.default is not MISSING else MISSING
        )
        for parameter in signature.parameters.values()
    ]
    return str(inspect.Signature(parameters))[1:-1]


class _Mark:
    """Prints as the name that marks a missing argument."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class _Names:
    """The names in a dispatcher's text beside the parameters: all begin as no parameter does.

    Args:
        parameters: the names that are taken.
    """

    def __init__(self, parameters: Iterable[str]) -> None:
        self.objects: dict[str, Any] = {}
        self._base = "_"
        while any(name.startswith(self._base) for name in parameters):
            self._base += "_"
        self._known: dict[int, str] = {}

    def local(self, hint: str) -> str:
        """A name for a variable; it does not end as one for an object."""
        return f"{self._base}{hint}"

    def pin(self, value: object, hint: str) -> str:
        """A name for an object."""
        if id(value) not in self._known:
            clean = "".join(char if char.isascii() and char.isalnum() else "_" for char in hint)
            name = f"{self._base}{clean}_{len(self.objects)}"
            self._known[id(value)] = name
            self.objects[name] = value
        return self._known[id(value)]


def _lines(
    names: _Names,
    signature: inspect.Signature,
    specialisation: Specialisation,
    watched: Sequence[str],
    enters: bool,
) -> list[str]:
    """Write the statements for one specialisation; an exception while reading outside state means "not this one"."""
    reads = _Reads(names, specialisation)
    guards = in_turn(specialisation.guards)
    outer = _omission(names, signature, specialisation.omitted)
    outer += _conditions(names, reads, filter(_is_safe, guards))
    inner = _conditions(names, reads, (guard for guard in guards if not _is_safe(guard)))
    given = list(map(reads.variable, specialisation.inputs))
    run = list(watched)
    if specialisation.on_plain is not None:
        run.append(f"{names.pin(specialisation.on_plain, 'on_plain')}()")
        given = _plainly_given(signature, specialisation)
    function = names.pin(specialisation.run, "run")
    called = (names.pin(functools.partial, "partial"), [function, *given]) if enters else (function, given)
    run.append(f"return {called[0]}({', '.join(called[1])})")
    if not inner and not reads.assignments:
        return [_if(outer), *_indented(run)]
    holds = names.local("holds")
    check = [f"{holds} = {_all(inner)}"]
    if reads.assignments:
        check += [f"if {holds}:", *_indented(reads.assignments)]
    attempt = [
        "try:",
        *_indented(check),
        f"except {names.pin(LOOKUP_ERRORS, 'lookup_errors')}:",
        f"    {holds} = False",
        f"if {holds}:",
        *_indented(run),
    ]
    return [_if(outer), *_indented(attempt)]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _if(conditions: Sequence[str]) -> str:
    return f"if {_all(conditions)}:"


def _all(conditions: Sequence[str]) -> str:
    return " and ".join(conditions) or "True"


def _is_safe(guard: Guard) -> bool:
    """Return whether checking a guard can't raise, since it looks only at types and values of arguments."""
    known = isinstance(guard, Is | HasType | Equals | Fits | IsAt | AreApart)
    return known and all(isinstance(path, Argument) for path in paths_of(guard))


def _omission(names: _Names, signature: inspect.Signature, omitted: frozenset[str]) -> list[str]:
    """Checks that a call leaves the same parameters to their defaults."""
    missing = names.pin(MISSING, "missing")
    return [
        f"{name} {'is' if name in omitted else 'is not'} {missing}"
        for name, parameter in signature.parameters.items()
        if parameter.default is not MISSING
    ]


def _conditions(names: _Names, reads: _Reads, guards: Iterable[Guard]) -> list[str]:
    found = (guard.condition(reads.code, names.pin) for guard in guards)
    return [condition for condition in found if condition != "True"]


def _plainly_given(signature: inspect.Signature, specialisation: Specialisation) -> list[str]:
    """Write the arguments for the plain function: those of the dispatcher's call."""
    given: list[str] = []
    by_name = False
    for name, parameter in signature.parameters.items():
        if name in specialisation.omitted:
            by_name = True
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            given.append(f"*{name}")
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            given.append(f"**{name}")
        elif by_name or parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            given.append(f"{name}={name}")
        else:
            given.append(name)
    return given


class _Reads:
    """Reads paths, those that are needed again into variables.

    Args:
        names: gives names to objects and variables.
        specialisation: whose paths they are.
    """

    def __init__(self, names: _Names, specialisation: Specialisation) -> None:
        self.assignments: list[str] = []
        self._names = names
        self._known: dict[Path, str] = {}
        self._uses = _uses(specialisation)

    def code(self, path: Path) -> str:
        """An expression for one use of a path; the first assigns the variable that the others read."""
        if isinstance(path, Argument | Root):
            return path.code(self._names.pin)
        if path in self._known:
            return self._known[path]
        whole = path.step(self.code(path.owner), self._names.pin)
        return f"({self._variable(path)} := {whole})" if self._uses[path] > 1 else whole

    def variable(self, path: Path) -> str:
        """Return a variable for the object at a path, assigned beforehand unless a condition reads it."""
        if isinstance(path, Argument | Root) or path in self._known:
            return self.code(path)
        whole = path.step(self.code(path.owner), self._names.pin)
        self.assignments.append(f"{self._variable(path)} = {whole}")
        return self._known[path]

    def _variable(self, path: Path) -> str:
        self._known[path] = self._names.local(f"v{len(self._known)}")
        return self._known[path]


def _uses(specialisation: Specialisation) -> Counter[Path]:
    """Count how often each path is read: by guards, as an input, and, once each, on the way to others."""
    found = Counter(specialisation.inputs)

    def count(path: Path) -> str:
        found[path] += 1
        return ""

    for guard in specialisation.guards:
        guard.condition(count, lambda _value, _hint: "")
    on_the_way = {step for path in found for step in steps(path)}
    found.update(step.owner for step in on_the_way if not isinstance(step, Argument | Root))
    return found


def arguments_given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call that were passed."""
    return {name: value for name, value in arguments.items() if value is not MISSING}
