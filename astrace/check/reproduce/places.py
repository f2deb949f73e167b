"""Places outside a function, as its messages name them, in the text of a program: read there, and set.

``CONFIG['eps']`` is an item of a global of the function's module, ``.w`` an attribute of the object of a method,
``a`` may be a variable of the function around it.
"""

from __future__ import annotations

import ast
import copy
import os
import re
import sys
import types
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.check.mutate.data_files import FILE
from astrace.check.mutate.immutable_places import can_hold_another, steps_of
from astrace.check.report.findings import Suspect
from astrace.check.reproduce.definitions import ProgramNames
from astrace.check.reproduce.literals import LiteralWriter


class PlaceNames:
    """The places of one function in one program.

    Args:
        function: the function.
        owner: the name of the object, where it is a method.
        names: the names of the program.
        speller: writes values down.
        pasted: the function's text stands in the program.
        given: how the program comes by what a partial holds, by parameter name.
    """

    def __init__(
        self,
        function: Any,
        owner: str,
        names: ProgramNames,
        speller: LiteralWriter,
        pasted: bool,
        given: Mapping[str, str],
    ) -> None:
        self._function, self._owner = function, owner
        self._names, self._speller, self._pasted = names, speller, pasted
        self._given = given

    def changed(self, change: Suspect, value: Any) -> list[str]:
        """The change of a place, as statements.

        Args:
            change: the place, and what it holds in words.
            value: what it holds.
        """
        if change.origin == FILE:
            return [f"# here the file {change.what} is to be {change.now}"]
        text = self._text(place_of(change.what))
        if text and value is not MISSING:
            return [self._assignment(text, value)]
        return [f"# here {change.what} is to be set to {change.now}: a program can't do that from outside"]

    def state(self, place: str) -> list[str]:
        """Write a function that returns the content of a place."""
        if place.startswith("the file "):
            file = place.removeprefix("the file ")
            return [
                "def state():",
                f"    return open({file!r}, 'rb').read() if os.path.isfile({file!r}) else os.path.exists({file!r})",
                "",
            ]
        text = KNOWN.get(place) or self._text(re.sub(r"\.?(len|keys|members)\(\).*", "", place))
        if not text:
            return []
        return [
            "def state():",
            "    try:",
            f"        return repr({text})",
            "    except (AttributeError, LookupError, NameError):",
            '        return "nothing"',
            "",
        ]

    def _assignment(self, text: str, value: Any) -> str:
        spelled = self._speller.text(value)
        if text == "os.getcwd()":
            return f"os.chdir({spelled})"
        if text == "np.geterr()['over']":
            return f"np.seterr(over={spelled})"
        if text.endswith(".get()"):
            return f"{text.removesuffix('.get()')}.set({spelled})"
        return f"{text} = {spelled}"

    def _text(self, place: str) -> str:
        """An expression for a place; empty where the program can't get there."""
        root = re.match(r"\w*", place)
        name, rest = (root[0], place[root.end() :]) if root else ("", place)
        if not _is_expression(f"a{rest}") or (not name and not self._owner):
            return ""
        if name in self._given:
            return f"{self._given[name]}{rest}"
        if not name or (self._owner and name == _first(self._function)):
            return f"{self._owner}{rest}"
        if place.startswith(("os.environ", "os.getcwd()", "np.geterr()")):
            return place
        if name in self._function.__code__.co_freevars and not self._pasted:
            return ""
        module = self._module()
        if name not in _spaces(self._function):
            return ""
        if self._pasted:
            return place
        return f"{self._names.module(module)}.{place}" if module is not None else ""

    def _module(self) -> types.ModuleType | None:
        return sys.modules.get(self._function.__globals__.get("__name__", ""))


def place_of(what: str) -> str:
    """The place that a message is about: ``LAYERS`` for its length, or its type."""
    found = re.fullmatch(r"(?:len\(|type of )([^()]*)\)?", what)
    return found[1] if found else what


def held(function: Any, given: Mapping[str, Any], what: str) -> Any:
    """Return a copy of the present content of a place; `MISSING` where it is not known.

    Args:
        function: the function that finds it.
        given: what a method or a partial puts in front, by parameter name.
        what: the place, as messages name it.
    """
    place = place_of(what)
    first = _first(function) or "self"
    try:
        tree = ast.parse(f"{first}{place}" if place.startswith(".") else place, mode="eval").body
        return copy.deepcopy(_follow(tree, _around(function, given)))
    except Exception:  # it can't be copied, or is no expression
        return MISSING


def can_change(function: Any, given: Mapping[str, Any], what: str) -> bool:
    """Return whether a place may come to hold another object: some step on the way leads through what can change.

    Args:
        function: the function that finds it.
        given: what a method or a partial puts in front, by parameter name.
        what: the place, as messages name it; a global by itself is none.
    """
    found = steps_of(what)
    if found is None:
        return "." in what or "[" in what
    spaces = _around(function, given)
    owners = ((_follow(one, spaces), key) for one, key in found)
    return any(one is MISSING or can_hold_another(one, key) for one, key in owners)


def _around(function: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that a function finds, and what it is always given."""
    return {**_spaces(function), "os": os, "np": np, **given}


def _first(function: Any) -> str:
    """The first parameter of a method."""
    code: types.CodeType = function.__code__
    return code.co_varnames[0] if code.co_argcount else ""


def _spaces(function: Any) -> dict[str, Any]:
    """Return the names that a function finds outside, with their values."""
    code: types.CodeType = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    return {**function.__globals__, **{name: _content(cell) for name, cell in cells}}


def _follow(tree: ast.expr, spaces: Mapping[str, Any]) -> Any:
    """Evaluate an expression of names, attributes and items; nothing of the user's is called."""
    try:
        match tree:
            case ast.Name(name):
                return spaces.get(name, MISSING)
            case ast.Attribute(owner, name):
                return getattr(_follow(owner, spaces), name, MISSING)
            case ast.Subscript(owner, ast.Constant(value)) if value is ...:
                return _follow(owner, spaces)
            case ast.Subscript(owner, key):
                return _follow(owner, spaces)[ast.literal_eval(key)]
            case ast.Call(ast.Attribute(_, "get" | "getcwd" | "geterr")) if not tree.args:
                return _follow(tree.func, spaces)()
            case _:
                return MISSING
    except (LookupError, TypeError, ValueError):
        return MISSING


class _Absent:
    """Nothing; its copies are itself."""

    def __deepcopy__(self, memo: Any) -> _Absent:
        return self


MISSING: Final = _Absent()
KNOWN: Final = {
    "np.random": "np.random.get_state()[2]",
    "random": "hash(random.getstate())",
}


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
