"""One random program, plain and captured, compared call by call."""

from __future__ import annotations

import linecache
import random
import signal
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import harness
import numpy as np
import variants

import astrace
from astrace.check.isolation.time_limits import TimeUp

Arguments = Callable[[Any, int], list[tuple[Any, ...]]]
"""The arguments of all calls, from a program's module and the seed."""


def load(source: str, name: str) -> types.ModuleType:
    """A module with the given source; its functions have theirs."""
    file = f"<fuzz {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    module = types.ModuleType(f"program_{name}")
    sys.modules[module.__name__] = module
    exec(compile(source, file, "exec"), module.__dict__)
    return module


def unload(name: str) -> None:
    """Forget a module that `load` made."""
    sys.modules.pop(f"program_{name}", None)
    linecache.cache.pop(f"<fuzz {name}>", None)


@contextmanager
def loaded(source: str, name: str) -> Iterator[types.ModuleType]:
    """A module with the given source, for a while."""
    try:
        try:
            module = load(source, name)
        except Exception:
            raise Endless from None  # no program, or one whose classes can't be made
        yield module
    finally:
        unload(name)


class Endless(BaseException):
    """So did the plain function, or there is none: nothing can be compared."""


def alarm(*_: object) -> None:
    """End the program that is running."""
    raise TimeUp


def differences(
    source: str,
    seed: int,
    way: variants.Variant | None,
    arguments: Arguments,
    state: Sequence[str],
    identities: bool = False,
) -> tuple[list[str], str]:
    """Return the differences of one program, and how it was captured: whole, partly, plain.

    Args:
        source: the program.
        seed: what it was made from.
        way: how to run the block; ``None`` as users do.
        arguments: gives the arguments of all calls.
        state: expressions for what is compared of the module.
        identities: which of the arguments' objects go out is compared, too, of types that can't change as well.
    """
    with loaded(source, f"{seed}_plain") as plain, loaded(source, f"{seed}_captured") as captured:
        function = astrace.compile(captured.f)
        run = function if way is None else variants.captured_by(way, captured.f)
        found: list[str] = []
        calls = zip(arguments(plain, seed), arguments(captured, seed), strict=True)
        streams = Streams(), Streams()
        for number, (given, again) in enumerate(calls):
            shown = f"{way.name if way else 'compiled'}, call {number}: "
            states: list[Any] = []
            with streams[0]:
                expected = plainly(told(plain, plain.f), given)
                states.append([eval(one, plain.__dict__) for one in state])
            with streams[1]:
                outcome = harness.observe(told(captured, run), again)
                states.append([eval(one, captured.__dict__) for one in state])
            found += [shown + difference for difference in harness.differences(expected, outcome)]
            if identities and not found and going_out(expected) != going_out(outcome):
                found.append(
                    f"{shown}other objects go out: {going_out(outcome)} instead of {going_out(expected)}"
                )
            if not harness.same(*states):
                found.append(f"{shown}the module's state is {states[1]} instead of {states[0]}")
            if found:
                break
        return found, outcome_of(function)


def going_out(outcome: harness.Outcome) -> list[int | None]:
    """For each object in a result, which of the objects in the arguments it is, if it is one."""
    known = {
        id(one): number for number, one in enumerate(harness.objects(outcome.arguments)) if is_told_apart(one)
    }
    return [known.get(id(one)) for one in harness.objects(outcome.result)]


def is_told_apart(value: Any) -> bool:
    """Return whether an object's identity tells it from equal ones: Python does not keep one for all."""
    match value:
        case bool() | None:
            return False
        case int():
            return not -5 <= value <= 256
        case str() | bytes() | tuple() | frozenset():
            return len(value) > 1
        case _:
            return True


class Streams:
    """The states of Python's and NumPy's own streams, for one of two functions that draw from them in turn."""

    def __init__(self) -> None:
        self._states = random.Random(1).getstate(), np.random.RandomState(1).get_state()

    def _swap(self) -> None:
        before = random.getstate(), np.random.get_state()
        random.setstate(self._states[0])
        np.random.set_state(self._states[1])
        self._states = before

    def __enter__(self) -> None:
        self._swap()

    def __exit__(self, *_: object) -> None:
        self._swap()


def told(module: types.ModuleType, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose exceptions are results, of any kind, where the module has a ``told`` for what hangs on them."""
    tell = getattr(module, "told", None)
    if tell is None:
        return function

    def call(*given: Any) -> Any:
        try:
            return function(*given)
        except (TimeUp, Endless):
            raise
        except BaseException as error:
            return "raised", tell(error)

    return call


def plainly(function: Callable[..., Any], given: tuple[Any, ...]) -> harness.Outcome:
    """Run the plain function, which may hold an endless loop."""
    signal.signal(signal.SIGVTALRM, alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        return harness.observe(function, given)
    except TimeUp:
        raise Endless from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def outcome_of(function: Any) -> str:
    """Return whether a compiled function was captured whole."""
    stages = [entry.stages for entry in function._entries]
    kinds = {"plain " + stage.fallback.code for stage in stages if stage.fallback}
    partly = any(stage.recording and stage.recording.plain_calls for stage in stages)
    return next(iter(kinds), "partly" if partly else "whole")
