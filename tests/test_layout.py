"""The measures of the code: short functions, shallow nesting, files that fit in a head, folders that tell what they hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import structure

PACKAGE = Path(__file__).parent.parent / "astrace"
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_FUNCTION_LINES, MOST_NESTING = 400, 40, 3
LONGER = {
    "backends/native/kernel.py": "one class: a kernel from its first call to its last",
    "backends/native/direct/interpreter.py": "one class: a short method for each instruction",
    "guards/kinds.py": "one small class for each kind of guard, read side by side",
    "library/function_watcher.py": "one class: a watched function from its first call to its decision",
    "tracing/context.py": "one class: what all parts of a trace share",
}
"""Files that may have up to 600 lines, and why they are one."""
MOST_LINES_OF_ALL = 600
NESTING = ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Match


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Every function of a file."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def body_lines(function: ast.FunctionDef) -> int:
    """The lines of a function without its docstring."""
    first = function.body[1 if ast.get_docstring(function) is not None and len(function.body) > 1 else 0]
    return (function.end_lineno or 0) - first.lineno + 1


def depth(node: ast.AST, level: int = 0) -> int:
    """Return the depth of nested compound statements; ``elif`` is not deeper than its ``if``."""
    deepest = level
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            continue
        follows = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deeper = isinstance(child, NESTING) and not follows
        deepest = max(deepest, depth(child, level + deeper))
    return deepest


@pytest.mark.parametrize("file", FILES, ids=lambda one: str(one.relative_to(PACKAGE)))
def test_measures(file: Path) -> None:
    """File, functions and nesting are within their measures; every module says what it is."""
    text = file.read_text()
    tree = ast.parse(text)
    name = file.relative_to(PACKAGE).as_posix()
    assert text.count("\n") <= (MOST_LINES_OF_ALL if name in LONGER else MOST_LINES)
    assert ast.get_docstring(tree)
    assert [one.name for one in functions(tree) if body_lines(one) > MOST_FUNCTION_LINES] == []
    assert [one.name for one in functions(tree) if depth(one) > MOST_NESTING] == []


FOLDERS = sorted({file.parent for file in FILES} - {PACKAGE})
MOST_MODULES, MOST_AT_THE_TOP, MOST_LAYERS = 22, 10, 10


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: str(one.relative_to(PACKAGE)))
def test_folders_tell_what_they_hold(folder: Path) -> None:
    """A folder is one idea, of few modules; its docstring names each of them, and none that is not there."""
    held = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    held |= {f"{one.name}/" for one in FOLDERS if one.parent == folder}
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    assert len([one for one in held if not one.endswith("/")]) <= MOST_MODULES
    assert set(re.findall(r"^``([\w/]+)``  ", text, flags=re.MULTILINE)) == held


def test_structure() -> None:
    """Few modules at the top, few layers; no import cycle, wherever imports stand; no two classes of one name."""
    assert structure.folders()["astrace"] <= MOST_AT_THE_TOP
    assert structure.cycles(structure.imports()) == []
    assert len(structure.layers()) <= MOST_LAYERS
    assert {name: found for name, found in structure.classes().items() if len(found) > 1} == {}
