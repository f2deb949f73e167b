"""Every program once more, with all that it defines compiled by itself: functions, methods, properties.

What a compiled function meets while it is traced may be compiled, too, as under the import hook: it has to do what
the plain one does.
"""

from __future__ import annotations

import types
from typing import Any, ClassVar, Final

import harness
import pytest

import astrace
from astrace.tracing.values.special_methods import is_compiled

TOLD_APART: Final = {
    "class_with_del": "an instance lives as long as the capture of its methods is remembered",
    "classes_that_answer_for_all": "`__class__` can't be set on a class",
    "defaults_written_before_calls": "a compiled function reads its defaults before the call is captured",
    "frames_looked_at": "the frame around a compiled function is the dispatcher's",
    "special_methods_of_functions": "the `__call__` of a compiled function is another one after a capture",
    "exception_traceback_told": "a traceback tells the frames of the dispatcher",
    "stars_of_what_has_no_items": "messages name the module of the class of a compiled method that is bound",
    "what_is_not_there": "messages name the class of a compiled function",
}
"""Programs that see whether their functions are compiled, and how."""

MANY: Final = 200
"""More captures than a part ever needs: each part has a limit of its own."""


@pytest.mark.parametrize("name", [name for name in harness.program_names() if name not in TOLD_APART])
def test_program_of_compiled_parts(name: str) -> None:
    """The program's own calls, in order, through compiled functions alone."""
    plain, captured = harness.load_program(name), harness.load_program(name)
    if not compile_parts(captured) or getattr(plain, "VARIES", False):
        return
    function, last = astrace.compile(captured.f), ((), ())
    for index, given in enumerate(plain.CALLS):
        for module in (plain, captured):
            harness.prepare(module, index)
        expected = harness.observe(plain.f, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(captured.CALLS[index]))
        assert harness.differences(expected, found) == []
        last = expected.arguments, found.arguments
    assert harness.same(harness.final(plain, last[0]), harness.final(captured, last[1]))


def plainly(function: Any) -> Any:
    """No decorator."""
    return function


def boxes(decorate: Any) -> tuple[type, type]:
    """A class whose body decorates the functions of the names that `type` binds by itself, and one below it."""

    class Box:
        heard: ClassVar[list[Any]] = []
        values: Any

        @decorate
        def __new__(cls, *values: Any) -> Any:
            made = object.__new__(cls)
            made.values = values
            return made

        @decorate
        def __init_subclass__(cls, **options: Any) -> None:
            Box.heard.append((cls.__name__, options))

        @decorate
        def __class_getitem__(cls, key: Any) -> Any:
            return cls.__name__, key

        again = __class_getitem__

    class Below(Box, size=3):  # type: ignore[call-arg]
        pass

    return Box, Below


def asked(box: Any, below: Any) -> list[Any]:
    """Return the answers of both classes and their instances."""
    first, second = box(1), box(1).__new__(below, 2)
    kinds = [type(vars(box)[name]) for name in ("__new__", "__init_subclass__", "__class_getitem__")]
    return [
        *(box.heard, box[3], below["x"], first.values),
        *(second.values, type(second).__name__, second.__class_getitem__(5), box.again(below, 6), kinds),
    ]


def test_functions_that_are_bound_by_their_names() -> None:
    """`type` binds Python functions of some names when it makes a class: compiled ones are bound likewise."""
    plain, compiled = boxes(plainly), boxes(astrace.compile)
    expected = asked(*plain)
    assert asked(*compiled) == expected
    assert astrace.compile(asked)(*compiled) == expected
    assert all(is_compiled(vars(compiled[0])[name].__func__) for name in ("__new__", "__class_getitem__"))


def compile_parts(module: types.ModuleType) -> int:
    """Put compiled functions in the place of those that a program defines, but for ``f``; tells how many."""
    count = 0
    for name, value in list(vars(module).items()):
        own = getattr(value, "__module__", None) == module.__name__
        if own and isinstance(value, types.FunctionType) and name not in ("f", "noise"):
            setattr(module, name, astrace.compile(value, recompile_limit=MANY))
            count += 1
        elif own and isinstance(value, type):
            count += compile_members(value)
    return count


def compile_members(cls: type) -> int:
    """Put compiled functions in the place of those that a class holds; tells how many."""
    members = {name: compiled_member(stored) for name, stored in vars(cls).items()}
    changed = {name: member for name, member in members.items() if member is not None}
    for name, member in changed.items():
        setattr(cls, name, member)
        if isinstance(member, property):
            member.__set_name__(cls, name)  # as when a class is made
    return len(changed)


def compiled_member(stored: Any) -> Any:
    """The compiled form of what a class holds; nothing for what is no code of a file."""
    match stored:
        case types.FunctionType() if stored.__code__.co_filename != "<string>":
            return astrace.compile(stored, recompile_limit=MANY)
        case staticmethod() | classmethod() if type(stored) in (staticmethod, classmethod) and isinstance(
            stored.__func__, types.FunctionType
        ):
            return type(stored)(astrace.compile(stored.__func__, recompile_limit=MANY))
        case property() if type(stored) is property:
            parts = (stored.fget, stored.fset, stored.fdel)
            return property(*(compiled_member(part) or part for part in parts))
        case _:
            return None
