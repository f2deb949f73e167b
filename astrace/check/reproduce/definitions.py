"""Definitions of functions, classes and modules in a program: by an import, or by their own text.

What stands in a module is imported.  What was made inside a function, or in a script that is run, can't be: its
source is written into the program, with what it finds around it.
"""

from __future__ import annotations

import ast
import functools
import inspect
import keyword
import linecache
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from astrace.check.compilers.table import original_attribute
from astrace.check.sandbox.reachable import names_in, unwrapped
from astrace.compiler.compiled import Compiled
from astrace.util.parsing import parse_module

OWN: Final = (
    "np",
    "astrace",
    "graph",
    "arguments",
    "left",
    "outcome",
    "state",
    "call",
    "given",
    "given_by_name",
    "called",
)
"""Names that the programs use themselves."""

LAMBDA: Final = "function"
"""The name of a function without one."""


class ProgramNames:
    """The names of one program.

    Args:
        spell: writes a value down; for what a local function finds around it.
    """

    def __init__(self, spell: Callable[[Any], str]) -> None:
        self.imports: dict[str, None] = {}
        self.pasted: list[str] = []
        self._spell = spell
        self._written: dict[int, str] = {}
        self._kept: list[Any] = []

    def of(self, thing: Any) -> str:
        """An expression for a function or a class; empty where there is none."""
        if id(thing) in self._written:
            return self._written[id(thing)]
        found = self._importable(thing) or self._paste(thing)
        if found:
            self._written[id(thing)] = found
            self._kept.append(thing)
        return found

    def module(self, module: types.ModuleType, name: str = "") -> str:
        """An expression for a module."""
        if module is np:
            return "np"
        whole = module.__name__
        self.imports[f"import {whole} as {name}" if name and name != whole else f"import {whole}"] = None
        return name or whole

    def is_pasted(self, thing: Any) -> bool:
        """Return whether a function's text is written into the program."""
        return id(thing) in self._written and self._importable(thing, quiet=True) == ""

    def described(self, thing: Any) -> str:
        """Return the name of an object, for people."""
        return getattr(thing, "__qualname__", "") or getattr(thing, "__name__", "") or ""

    # -- imports ---------------------------------------------------------------------------------------

    def _importable(self, thing: Any, quiet: bool = False) -> str:
        """The name of something that can be imported."""
        if isinstance(thing, types.MethodType | functools.partial):
            return "" if quiet else self._put_together(thing)
        if isinstance(thing, np.ufunc) and getattr(np, thing.__name__, None) is thing:
            return f"np.{thing.__name__}"
        home, path = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
        if home == "builtins":
            return path
        if getattr(np, path, None) is thing:
            return f"np.{path}"
        module = sys.modules.get(home or "")
        if module is None or home == "__main__":
            return ""
        for candidate in (path, *_held_as(module, thing)):
            found = _follow(module, candidate)
            attribute = original_attribute(found, thing)
            if attribute:
                return candidate if quiet else f"{self.imported(module.__name__, candidate)}.{attribute}"
            if found is not None and (found is thing or unwrapped(found) is thing):
                text = candidate if quiet else self.imported(module.__name__, candidate)
                return f"{text}.__wrapped__" if isinstance(found, Compiled) and found is not thing else text
        return ""

    def imported(self, module: str, path: str) -> str:
        """The name of something in a module, which is imported."""
        first, dot, rest = path.partition(".")
        if first in OWN:
            self.imports[f"from {module} import {first} as {first}_"] = None
            return f"{first}_{dot}{rest}"
        self.imports[f"from {module} import {first}"] = None
        return path

    def _put_together(self, thing: Any) -> str:
        """A method of an object, or a function with arguments."""
        if isinstance(thing, types.MethodType):
            owner = self._spell(thing.__self__)
            name = thing.__func__.__name__
            if not name.isidentifier() or inspect.getattr_static(type(thing.__self__), name, None) is None:
                return ""
            plain = f"{owner}.{name}"
            held = unwrapped(inspect.getattr_static(type(thing.__self__), name))
            return (
                plain
                if held is inspect.getattr_static(type(thing.__self__), name)
                else _unwrapped_method(owner, name)
            )
        function = self.of(thing.func)
        given = [
            *map(self._spell, thing.args),
            *(f"{key}={self._spell(one)}" for key, one in thing.keywords.items()),
        ]
        self.imports["import functools"] = None
        return f"functools.partial({', '.join([function, *given])})" if function else ""

    # -- text ------------------------------------------------------------------------------------------

    def _paste(self, thing: Any) -> str:
        """The name under which the text of a function or a class is written into the program."""
        if not isinstance(thing, types.FunctionType | type) or thing.__module__ == "builtins":
            return ""
        found = _text_of(thing)
        if found is None:
            return ""
        name, text = found
        if name in self._written.values() and name == LAMBDA:
            name = f"{LAMBDA}{len(self._written) + 1}"
            text = text.replace(LAMBDA, name, 1)
        self._written[id(thing)] = name
        self._kept.append(thing)
        for function in [thing] if isinstance(thing, types.FunctionType) else _methods(thing):
            for key, value in _around(function):
                self._define(key, value, thing)
        for key, value in _named_in(text, thing):
            self._define(key, value, thing)
        self.pasted.append(f"{text}\n")
        return name

    def _define(self, name: str, value: Any, inside: Any) -> None:
        """Bind a name to the object that a local function finds under it."""
        space = getattr(inside, "__globals__", None) or vars(sys.modules.get(inside.__module__, types))
        importable = space.get("__name__") != "__main__" and space.get(name) is value
        if isinstance(value, types.ModuleType):
            self.module(value, name)
            if value is np and name != "np":
                self.imports[f"import numpy as {name}"] = None
        elif importable and value is not inside:
            self.imports[f"from {space['__name__']} import {name}"] = None
        elif value is not inside:
            line = f"{name} = {self._spell(value)}\n"
            if line not in self.pasted and line != f"{name} = {name}\n":
                self.pasted.append(line)


def _unwrapped_method(owner: str, name: str) -> str:
    return f"type({owner}).{name}.__wrapped__.__get__({owner})"


def _held_as(module: types.ModuleType, thing: Any) -> Iterator[str]:
    """The globals of a module that are, or wrap, something."""
    for name, value in list(vars(module).items()):
        known = value is thing or unwrapped(value) is thing or original_attribute(value, thing)
        if known and name.isidentifier():
            yield name


def _follow(module: types.ModuleType, path: str) -> Any:
    found: Any = module
    for part in path.split("."):
        if not part.isidentifier() or keyword.iskeyword(part):
            return None
        found = getattr(found, part, None)
    return found


def _methods(cls: type) -> Iterator[types.FunctionType]:
    """The functions in a class's body."""
    for member in vars(cls).values():
        inner = unwrapped(getattr(member, "__func__", None) or getattr(member, "fget", None) or member)
        if isinstance(inner, types.FunctionType):
            yield inner


def _around(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names that a function finds in the functions around it, and in its module, with their values."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            if name != "__class__":
                yield name, cell.cell_contents
        except ValueError:
            continue
    for name in names_in(function.__code__):
        if name in function.__globals__ and not name.startswith("__"):
            yield name, function.__globals__[name]


def _named_in(text: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """The globals that a text names where no code of the function does: defaults, hints, decorators, base classes."""
    space = getattr(thing, "__globals__", None) or vars(sys.modules.get(thing.__module__, types))
    for node in ast.walk(parse_module(text)):
        if isinstance(node, ast.Name) and node.id in space and not node.id.startswith("__"):
            yield node.id, space[node.id]


def _text_of(thing: Any) -> tuple[str, str] | None:
    """The name and the text of a function, without its decorators, or of a class."""
    if isinstance(thing, type):
        try:
            return thing.__name__, textwrap.dedent(inspect.getsource(thing)).rstrip()
        except (OSError, TypeError):
            return None
    code: types.CodeType = thing.__code__
    lines = linecache.getlines(code.co_filename)
    try:
        tree = parse_module("".join(lines))
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == code.co_name
            and _first_line(node) == code.co_firstlineno
        ):
            return node.name, textwrap.dedent("".join(lines[node.lineno - 1 : node.end_lineno])).rstrip()
        if isinstance(node, ast.Lambda) and _is_body(node.body, code):
            return LAMBDA, f"{LAMBDA} = {ast.get_source_segment(''.join(lines), node)}"
    return None


def _first_line(node: ast.FunctionDef) -> int:
    return min(node.lineno, *(one.lineno for one in node.decorator_list), node.lineno)


def _is_body(body: ast.expr, code: types.CodeType) -> bool:
    """Return whether code was made of the body of a lambda: it stands where that stands."""
    places = [place for place in code.co_positions() if None not in place and place[2] != place[3]]
    starts = [(line, column) for line, _, column, _ in places if line is not None and column is not None]
    ends = [(line, column) for _, line, _, column in places if line is not None and column is not None]
    return (
        code.co_name == "<lambda>"
        and bool(starts)
        and (
            (min(starts), max(ends))
            == ((body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset))
        )
    )
