"""Constants and guards of a graph that may make a difference some day, found without running it.

Every constant that was read from outside, every decision that was taken on outside state, every object it refers
to, and every call that asks the world.  What can change is a warning, what nothing in the program changes a note.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator
from typing import Any, Final

import numpy as np

from astrace.check.diagnose.blame import CALLED, OUTSIDE, value_text
from astrace.check.diagnose.cached_functions import CACHED, asks, reads
from astrace.check.diagnose.frozen_assumptions import can_change, decision, is_decision
from astrace.check.diagnose.writers import REGISTERS, Writers
from astrace.check.report.findings import Finding, Suspect, finding
from astrace.check.sandbox.impure_sources import CLOCK, source_of, source_of_object
from astrace.check.sandbox.savers import FIXED, keeper_of
from astrace.check.sandbox.world import World
from astrace.check.subject import Subject
from astrace.compiler.graph import Graph
from astrace.guards.access_paths import Derived, Path, Root
from astrace.guards.failures import subject_of
from astrace.guards.kinds import AreApart, Guard, HasType, Is, IsAt, paths_of
from astrace.ir.block import Block, Constant, Node, Origin, Value
from astrace.ir.constants import FUNCTION_TYPES, show
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.passes.bake.calls import method_name
from astrace.passes.bake.rng_state import GLOBAL_GENERATORS
from astrace.util.call_text import called_as

MANY_CALLS: Final = "a check calls the function many times, and these changes stay"
MAKE_ANEW: Final = "pass it as an argument, or give the check a function that makes it anew"
ONCE: Final = "the graph holds the result of one call"
ASKS: Final = f"the function calls it again every time; {ONCE}"
MUTABLE: Final = "may be changed from anywhere"
REGISTRATIONS: Final = "registrations"
LIVE: Final = "its result differs from call to call"
ASKED: Final = "pass its result as an argument before a graph of the function is frozen"


def suspects(subject: Subject, graph: Graph) -> list[Finding]:
    """The findings that a graph gives by itself.

    Args:
        subject: what is checked.
        graph: the graph that runs the example.
    """
    writers = Writers(subject.target.function)
    found = [*_calls(graph)]
    if subject.frozen:
        constants = list(_constants(subject, graph, writers))
        objects = list(_objects(graph, writers))
        told = {one.constant.what for one in (*constants, *objects) if one.constant is not None}
        found += [*constants, *_decisions(subject, graph, writers, told), *objects]
        found += [*_defaults(subject, graph, writers), *_patched(graph, writers)]
    return found


def unkept(subject: Subject, world: World) -> Iterator[Finding]:
    """Objects that the check can't put back: it calls the function many times, and they are changed each time."""
    for path, lost in world.unkept:
        message = f"{subject.place(path)} can't be put back: {lost}"
        suspect = Suspect(path, "state", "as it was")
        where = subject.reading(path)
        yield finding("AC204", message, location=where, constant=suspect, because=MANY_CALLS, fix=MAKE_ANEW)


# -- constants ---------------------------------------------------------------------------------------------


def _constants(subject: Subject, graph: Graph, writers: Writers) -> Iterator[Finding]:
    """Numbers and arrays that were read from outside."""
    seen: set[str] = set()
    types_held = [guard for guard in graph.guards if isinstance(guard, HasType)]
    cached = {f"{one.path}()": _follow(one.path) for one in types_held if one.expected is CACHED}
    for constant in graph.frozen or ():
        path = constant.origin.path
        if path not in seen:
            seen.add(path)
            called = path.endswith(")")
            yield (
                _called(constant, cached.get(path), writers)
                if called
                else _read(subject, constant, path, writers)
            )


def _called(constant: Constant, cached: Any, writers: Writers) -> Finding:
    """Return the finding for a call made at capture; ``cached`` is the function where it has a cache."""
    origin = constant.origin
    suspect = Suspect(origin.path, origin.kind, value_text(constant))
    asked = cached is None or asks(cached)
    if asked:
        message = f"`{origin.path}` was called once, when the graph was made, and gave {suspect.then}"
        because = ASKS if cached is None else f"it depends on {asked}; {ONCE}"
        fix = f"pass its result as an argument, or keep `{origin.path}` out of the function"
        return finding("AC201", message, location=origin.location, constant=suspect, because=because, fix=fix)
    message = f"`{origin.path}`, whose results are cached, gave {suspect.then}"
    place, who = reads(cached, writers.of)
    because = f"it reads `{place}`, which " + (f"`{who}` changes" if who else MUTABLE) if place else ""
    fix = CALLED if place else ""
    code = "AC202" if place else "AC301"
    return finding(code, message, location=origin.location, constant=suspect, because=because, fix=fix)


def _read(subject: Subject, constant: Constant, path: str, writers: Writers) -> Finding:
    """Return the finding for a value that was read through a path."""
    origin = constant.origin
    suspect = Suspect(path, origin.kind, value_text(constant))
    who = writers.of(path)
    mutable = isinstance(constant.value, np.ndarray) or subject.can_change(path)
    code = "AC202" if mutable or who else "AC301"
    because = f"`{who}` changes it" if who else f"it {MUTABLE}" if mutable else ""
    message = f"`{path}` is fixed at {suspect.then}"
    fix = OUTSIDE if code == "AC202" else ""
    return finding(code, message, location=origin.location, constant=suspect, because=because, fix=fix)


# -- decisions ---------------------------------------------------------------------------------------------


def _decisions(subject: Subject, graph: Graph, writers: Writers, told: Collection[str]) -> Iterator[Finding]:
    """Yield findings for guards that are no longer checked.

    Args:
        subject: what is checked.
        graph: its graph.
        writers: who changes what.
        told: the paths of the constants, which are told already.
    """
    given, seen = subject.bound_arguments, set(told)
    guards = [one for one in graph.guards if not subject.is_on_arguments(one)]
    # Guards of types come last: they are told if nothing else is.
    for guard in sorted(guards, key=lambda one: isinstance(one, HasType)):
        suspect = decision(guard, "")
        who = next(filter(None, (writers.of(path) for path in _changed_by(guard))), "")
        swapped = bool(who) and isinstance(guard, Is) and not isinstance(guard.expected, types.ModuleType)
        if suspect.what in seen or not (swapped or is_decision(guard, given, seen)):
            continue
        seen.add(suspect.what)
        where = graph.guarded_at.get(guard) or subject.reading(str(guard.path))
        verb = "are" if isinstance(guard, IsAt | AreApart) else "is"
        message = f"the graph takes for granted that {subject_of(guard)} {verb} {suspect.then}"
        yield _decided(message, suspect, where, who, can_change(guard, given))


def _changed_by(guard: Guard) -> Iterator[str]:
    """Yield the targets of a write that changes a guard's object."""
    yield from map(str, paths_of(guard))
    if isinstance(guard, HasType):
        yield f"{guard.path}.__class__"
    if isinstance(guard.path, Derived) and guard.path.name == REGISTRATIONS:
        yield REGISTERS


def _decided(message: str, suspect: Suspect, where: Location | None, who: str, mutable: bool) -> Finding:
    """Return the finding for a decision of a guard."""
    because = f"`{who}` changes it" if who else f"it {MUTABLE}" if mutable else ""
    code = "AC202" if mutable or who else "AC302"
    fix = OUTSIDE if code == "AC202" else ""
    return finding(code, message, location=where, constant=suspect, because=because, fix=fix)


# -- objects and calls -------------------------------------------------------------------------------------


def _objects(graph: Graph, writers: Writers) -> Iterator[Finding]:
    """Objects from outside that the graph refers to: it can't be shipped with them."""
    for value, path in zip(graph.block.inputs, graph.inputs, strict=True):
        if not isinstance(path, Root) or path.silent or isinstance(path.pinned, PARTS_OF_PROGRAMS):
            continue
        mutable, who = not isinstance(path.pinned, FIXED), writers.of(path.hint)
        suspect = Suspect(path.hint, "frozen", show(path.pinned))
        message = f"the graph holds {_held_text(path)}" + (", which can change" if mutable else "")
        because = f"`{who}` changes it" if who else ""
        code = "AC202" if mutable or who else "AC301"
        fix = OUTSIDE if code == "AC202" else ""
        where = _first_use(graph.block, value)
        yield finding(code, message, location=where, constant=suspect, because=because, fix=fix)


def _held_text(path: Root) -> str:
    """Name a pinned object, for people; the globals of a module have no name of their own."""
    held = path.pinned
    if isinstance(held, dict) and "__builtins__" in held:
        return f"the globals of `{held.get('__name__')}`"
    return f"the object `{path.hint}`"


PARTS_OF_PROGRAMS: Final = (*FUNCTION_TYPES, type, types.ModuleType)


def _defaults(subject: Subject, graph: Graph, writers: Writers) -> Iterator[Finding]:
    """Defaults: the graph has those of one moment; one that can change is one object for all calls."""
    who = writers.of(f"the defaults of {getattr(subject.target.function, '__name__', '')}")
    for name, parameter in graph.signature.parameters.items():
        default = parameter.default
        if default is parameter.empty:
            continue
        suspect = Suspect(f"the default of {name}", "frozen", show(default))
        if keeper_of(default) is not None:
            message = f"the default of `{name}` is one object for all calls, and can change"
            fix = f"let `{name}` default to None"
            yield finding("AC202", message, location=subject.start, constant=suspect, fix=fix)
        else:
            message = f"the default of `{name}` is fixed at {suspect.then}"
            code, because = ("AC202", f"`{who}` changes it") if who else ("AC301", "")
            yield finding(code, message, location=subject.start, constant=suspect, because=because)


def _patched(graph: Graph, writers: Writers) -> Iterator[Finding]:
    """Functions of NumPy that the program replaces: the graph has those of NumPy."""
    for op in dict.fromkeys(node.op for node in nodes(graph.block) if node.op in writers.patched):
        where = next(node.location for node in nodes(graph.block) if node.op == op)
        because = f"`{writers.patched[op]}` puts another function there"
        suspect, message = Suspect(op, "frozen", op), f"the graph calls NumPy's own `{op}`"
        fix = "use `astrace.compile`, which looks it up at every call"
        yield finding("AC202", message, location=where, constant=suspect, because=because, fix=fix)


def _first_use(block: Block, value: Value) -> Location | None:
    return next((node.location for node in nodes(block) if value in node.inputs), None)


def _calls(graph: Graph) -> Iterator[Finding]:
    """Calls in the graph that ask the world."""
    paths = dict(zip(graph.block.inputs, graph.inputs, strict=True))
    seen: set[tuple[Location | None, str]] = set()
    for node in nodes(graph.block):
        what, name = _asks(node, paths)
        if what and (node.location, name) not in seen:
            seen.add((node.location, name))
            suspect = Suspect(name, "live", what)
            message = f"`{name}` depends on {what}"
            yield finding("AC201", message, location=node.location, constant=suspect, because=LIVE, fix=ASKED)


def _asks(node: Node, paths: dict[Value, Path]) -> tuple[str, str]:
    """Return the state of the world that a node asks for, and the user's name of the call."""
    if node.op in CLOCKS_OF_NUMPY:
        words = [
            one.value for one in node.inputs if isinstance(one, Constant) and one.value in ("now", "today")
        ]
        return (CLOCK, f"{node.op}({words[0]!r})") if words else ("", "")
    if node.op not in ("call", "call_method", "next") or not node.inputs:
        return "", ""
    first = node.inputs[0]
    path = paths.get(first) if isinstance(first, Value) else None
    if isinstance(first, Constant):
        origin, value = first.origin, first.value
    elif isinstance(path, Root):
        origin, value = Origin("frozen", path.hint), path.pinned
    elif path is not None:
        origin, value = Origin("live", str(path)), _follow(path)
    else:
        return "", ""
    if node.op == "call":
        return source_of(value), called_as(value, node.location) or f"{_called_name(value, origin)}()"
    name = f".{method_name(node)}()" if node.op == "call_method" else ""
    return source_of_object(value), f"{origin.path or show(value)}{name}"


CLOCKS_OF_NUMPY: Final = frozenset({"np.datetime64", "np.array", "np.asarray"})
"""Functions of NumPy that make a date of a text; "now" and "today" give the present one."""


def _called_name(value: Any, origin: Origin) -> str:
    owner = getattr(value, "__self__", None)
    for name, generator in zip(("np.random", "random"), GLOBAL_GENERATORS, strict=True):
        if owner is generator:
            return f"{name}.{value.__name__}"
    if owner is not None and not isinstance(owner, types.ModuleType | type):
        return f"{type(owner).__name__}.{value.__name__}"
    return origin.path or show(value)


def _follow(path: Path) -> Any:
    try:
        return path.follow({})
    except (LookupError, AttributeError, TypeError, ValueError):
        return None
