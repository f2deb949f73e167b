"""Sources of functions: files, cells, templates, lambdas; edited, missing, of another kind."""

from __future__ import annotations

import argparse
import ast
import asyncio
import importlib.util
import inspect
import io
import linecache
import statistics
import subprocess
import sys
import textwrap
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.rewrite import source
from astrace.rewrite.source import find_source
from astrace.util.parsing import tree_nodes


def module_of(path: Path, name: str = "made") -> Any:
    """A module made from a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(path: Path, text: str) -> Path:
    """A file with a text."""
    path.write_text(textwrap.dedent(text))
    linecache.checkcache(str(path))
    return path


def reason(function: Any, *args: Any) -> Any:
    """Return the reason why a function runs as plain Python."""
    return astrace.compile(function).stages(*args).fallback


WARNING = r"""
    import re

    def other(b):
        return b is 3, "\d", (b, 1) == assert_(b)

    def assert_(b):
        return b is "x"

    def f(x, limit=None):
        return (x + 1 if x is not 3 else "\w"), re.match("\d", "1") is not None
"""


@pytest.mark.parametrize("action", ["error", "always", "default"])
def test_warnings_of_the_compiler(tmp_path: Path, action: Any) -> None:
    """Python says what it has to say of a file when that is imported: not again, and it is no reason to refuse the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = module_of(written(tmp_path / "doubtful.py", WARNING), "doubtful")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)
        before = list(warnings.filters)
        function = astrace.compile(module.f)
        assert function(1.0) == (2.0, True)
        assert function.stages(1.0).fallback is None
        assert warnings.filters == before
    assert seen == []


def test_warnings_that_were_shown_stay_shown(tmp_path: Path) -> None:
    """A capture does not have Python forget which warnings it has shown: what is shown once is not shown twice."""
    module = module_of(written(tmp_path / "once.py", WARNS_ONCE), "once")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        function = astrace.compile(module.f)
        for x in (1.0, np.ones(3), 3, np.float32(1), [5, 6]):
            module.warn()
            function(x)
    assert [str(one.message) for one in seen] == ["once"]


WARNS_ONCE = """
    import warnings

    import numpy as np

    def warn():
        warnings.warn("once")

    def f(x):
        return np.mean(x) + np.interp(x, [0.0, 1.0], [1.0, 2.0])
"""


# -- found -----------------------------------------------------------------------------------------------------

PAIR = (lambda x: x + 1 if x > 0 else x, lambda x: x * 2 if x > 0 else x)  # two on one line
SAME = [lambda x: x, lambda x: x]


def test_lambdas_on_one_line() -> None:
    """Each is found by its own position."""
    first, second = map(astrace.compile, PAIR)
    assert (first(3.0), second(3.0), first(-3.0), second(-3.0)) == (4.0, 6.0, -3.0, -3.0)
    assert first.stages(3.0).fallback is None and second.stages(3.0).fallback is None
    assert astrace.compile(SAME[1])(5.0) == 5.0


def test_cell_of_a_notebook() -> None:
    """Text that only `linecache` knows, as of a notebook's cell; redefined, the new text counts."""
    results = []
    for number in (1, 2):
        source = f"def f(x):\n    if x > 0:\n        return x + {number}\n    return x\n"
        file = f"<cell {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        namespace: dict[str, Any] = {}
        exec(compile(source, file, "exec"), namespace)
        compiled = astrace.compile(namespace["f"])
        assert compiled.stages(1.0).fallback is None
        results.append(compiled(1.0))
    assert results == [2.0, 3.0]


def test_equal_functions_of_two_files(tmp_path: Path) -> None:
    """Equal code in two files has its own locations."""
    text = "def f(x):\n    return x + 1 if x > 0 else x\n"
    for name in ("one", "two"):
        f = astrace.compile(module_of(written(tmp_path / f"{name}.py", text), name).f)
        locations = {node.location.file for node in astrace.ir.walk.nodes(f.stages(1.0).graph.block)}
        assert locations == {str(tmp_path / f"{name}.py")}


def test_source_that_turns_up() -> None:
    """A function without source, then the same one with it."""
    source = "def f(x):\n    return x * 3 if x > 0 else x\n"
    namespace: dict[str, Any] = {}
    exec(compile(source, "<turns up>", "exec"), namespace)
    assert reason(namespace["f"], 1.0).code == "AT101"
    linecache.cache["<turns up>"] = (len(source), None, source.splitlines(keepends=True), "<turns up>")
    assert reason(namespace["f"], 1.0) is None


def test_indented_decorated_and_continued() -> None:
    """A function in a function, with decorators, a docstring, continued lines and comments."""

    def twice(function: Any) -> Any:
        return function

    class Holder:
        if True:

            @twice
            @twice
            def f(
                self,
                x: Any,  # a comment
            ) -> Any:
                """Text with "quotes" and #@7 in it."""
                y = x + 1
                s = """a
    line #@3
"""
                if y > 2:  # a comment with #@5
                    return y, s
                return x, s  # fmt: skip

    f = astrace.compile(Holder().f)
    assert f.stages(5.0).fallback is None
    assert f(5.0) == Holder().f(5.0) and f(0.0) == Holder().f(0.0)


def test_tabs_and_semicolons(tmp_path: Path) -> None:
    """Odd but legal layout."""
    text = "def f(x): y = x; y += 1; return y if y else x\ndef g(x):\n\tif x: x = 1; x += 1\n\telse: pass\n\treturn x\n"
    module = module_of(written(tmp_path / "odd.py", text))
    for name in "fg":
        function = getattr(module, name)
        compiled = astrace.compile(function)
        assert compiled.stages(1.0).fallback is None
        assert [compiled(x) for x in (1.0, -1.0, 0.0)] == [function(x) for x in (1.0, -1.0, 0.0)]


def test_encoding(tmp_path: Path) -> None:
    """Names, strings and comments beyond ASCII."""
    text = "# -*- coding: utf-8 -*-\ndef f(größe):  # Länge\n    if größe > 0:\n        return 'ü' * 3, größe\n    return 'ö', größe\n"
    path = tmp_path / "wide.py"
    path.write_text(text, encoding="utf-8")
    f = astrace.compile(module_of(path).f)
    assert f.stages(1.0).fallback is None and f(1.0) == ("üüü", 1.0) and f(-1.0) == ("ö", -1.0)


# -- not found, or of another kind -----------------------------------------------------------------------------


def test_edited_file(tmp_path: Path) -> None:
    """A file edited after it was loaded is never captured in place of what runs."""
    path = written(tmp_path / "edited.py", "def f(x):\n    return x + 1 if x > 0 else x\n")
    f = module_of(path).f
    written(path, "def f(x):\n    return x + 2 if x > 0 else x\n")
    linecache.checkcache(str(tmp_path / "edited.py"))
    assert astrace.compile(f)(1.0) == 2.0 and reason(f, 1.0).code == "AT102"


def test_no_source() -> None:
    """Typed in at a prompt, or made by `exec`."""
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x + 1 if x > 0 else x\n", namespace)
    f = astrace.compile(namespace["f"])
    assert f(1.0) == 2.0 and f.stages(1.0).fallback.code == "AT101"
    assert f.stats == astrace.Stats(calls=1, traces=1, guard_failures=0, fallbacks=1)


async def waits(x: Any) -> Any:
    await asyncio.sleep(0)
    return x + 1


def counts(n: int) -> Any:
    yield from range(n)


async def streams(n: int) -> Any:
    yield n


def with_class(x: Any) -> Any:
    class Inner:
        value = 3

    return x + Inner.value


KINDS = [(waits, "AT103"), (counts, "AT104"), (streams, "AT10"), (with_class, "AT106")]


@pytest.mark.parametrize(("function", "code"), KINDS, ids=lambda one: getattr(one, "__name__", one))
def test_kind_that_is_not_captured(function: Any, code: str) -> None:
    """The reason has a place in the file, its text, and what to do."""
    found = reason(function, 3)
    assert found.code.startswith(code) and found.hint
    assert found.location.file == __file__ and found.location.function == function.__qualname__
    assert found.location.text in str(found) and str(found.location.line) in str(found)


def chosen(xs: Any) -> Any:
    return [total for x in xs if (total := x.sum()) > 0]


def chosen_in_a_loop(xs: Any) -> Any:
    found = []
    for x in xs:
        total = x.sum()
        if total > 0:
            found.append(total)
    return found


def halvings(x: Any) -> Any:
    return 0 if x < 1 else 1 + halvings(x / 2)


def halvings_in_a_loop(x: Any) -> Any:
    n = 0
    while x >= 1:
        x, n = x / 2, n + 1
    return n


HINTS = [
    (chosen, chosen_in_a_loop, ([np.ones(2), -np.ones(2)],), "as a loop or an `if`, with the name bound"),
    (halvings, halvings_in_a_loop, (np.float64(9.0),), "write it as a loop, with a list as the stack"),
]


@pytest.mark.parametrize(
    ("before", "after", "given", "hint"), HINTS, ids=lambda one: getattr(one, "__name__", None)
)
def test_who_follows_a_hint_is_captured_whole(before: Any, after: Any, given: Any, hint: str) -> None:
    with pytest.raises(astrace.NotCaptured, match=hint):
        astrace.compile(before, fullgraph=True)(*given)
    assert astrace.compile(after, fullgraph=True)(*given) == before(*given)


def test_such_kinds_run() -> None:
    """They run as they are."""
    assert asyncio.run(astrace.compile(waits)(1)) == 2
    assert list(astrace.compile(counts)(3)) == [0, 1, 2]
    assert astrace.compile(with_class)(1) == 4


def test_called_ones_are_called() -> None:
    """Called by a captured function, they are called as plain Python and the rest is captured."""
    f = astrace.compile(lambda x: with_class(x) * 2 if x > 0 else x)
    assert f(3.0) == 12.0 and f(-3.0) == -3.0
    stages = f.stages(3.0)
    assert stages.fallback is None and [one.code for one in stages.recording.plain_calls] == ["AT106"]


def test_locals_are_not_disturbed() -> None:
    """The user's function object itself is untouched."""

    def f(x: Any) -> Any:
        return x + 1 if x > 0 else x

    code, names = f.__code__, dict(vars(f))
    astrace.compile(f)(1.0)
    assert f.__code__ is code and dict(vars(f)) == names and np.isfinite(f(1.0))


class Namespace(dict[str, Any]):
    """Globals that answer with code of their own."""

    def get(self, key: Any, *default: Any) -> Any:
        raise AssertionError(key)

    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, key) if key in self else f"no {key}"


def test_globals_with_code_of_their_own_stay_plain() -> None:
    """Python asks such globals for each name; nothing else of them runs, be they of the function or of its caller."""
    namespace = Namespace(__name__="made", compile=astrace.compile)
    harness.run_with_source(
        "def f(x):\n    return x, missing\n\ndef calls(g, x):\n    return g(x)\n", namespace
    )
    compiled = astrace.compile(namespace["f"])
    assert compiled(1) == (1, "no missing") and compiled.stages(1).fallback.code == "AT106"
    inner = astrace.compile(lambda x: x + 1)
    assert namespace["calls"](inner, 2) == 3 and inner.stages(2).fallback is None


@pytest.mark.parametrize("mark", ["\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_lines_are_those_that_python_counts(mark: str) -> None:
    """A form feed and its like end no line: what raises behind one is on its own line, not the one before."""
    text = f"def f(x):\n    text = 'a{mark}b'  # {mark}\n    print(end=text[:0])\n    y = x * 2\n    return y[99]\n"
    name = f"/tmp/ipykernel_1/{ord(mark)}.py"
    linecache.cache[name] = (len(text), None, io.StringIO(text).readlines(), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    function = astrace.compile(namespace["f"], fullgraph=True)
    with pytest.raises(IndexError) as caught:
        function(np.arange(3.0))
    assert [
        step.lineno for step in traceback.extract_tb(caught.value.__traceback__) if step.filename == name
    ] == [5]


def test_what_tools_add_to_the_builtins_is_not_missed_when_it_goes() -> None:
    text = (
        "import builtins, sys; builtins.get_ipython = [].copy; builtins.profile = lambda f: f\n"
        "import astrace, colorsys\n"
        "f = astrace.compile(colorsys.rgb_to_hsv)\n"
        "del builtins.get_ipython, builtins.profile\n"
        "f(0.5, 0.25, 0.125)\n"
        "assert f.captures and f.captures[0].fallback is None, f.captures\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


def test_parents_that_other_tools_keep_on_shared_nodes() -> None:
    """All trees of a process share one `ast.Load`: what a tool writes on it leads out of the tree, and back."""
    tree = ast.parse("x")
    name = tree.body[0].value  # type: ignore[attr-defined]
    shared = name.ctx
    shared.parent, name.parent = name, tree
    try:
        assert len(tree_nodes(tree)) == 3  # a module, a statement and a name
        compiled = astrace.compile(lambda a: a * 2 + 1)
        assert compiled.stages(np.arange(3)).fallback is None
        assert compiled(np.arange(3)).tolist() == [1, 3, 5]
    finally:
        del shared.parent


def test_source_of_the_module_that_made_it(tmp_path: Path) -> None:
    """A function that a module has compiled under a name of its own has no source: the module's is not its own."""
    text = """
    MADE = {"__name__": __name__, "__loader__": __loader__, "__spec__": __spec__, "__file__": __file__}
    exec(compile("def f(x):\\n    return x + 1", "<class 'made'> compilation 3", "exec"), MADE)
    """
    f = module_of(written(tmp_path / "makes.py", text)).MADE["f"]
    assert astrace.compile(f)(1.0) == 2.0 and reason(f, 1.0).code == "AT101"


def functions_of(module: Any) -> Iterator[types.FunctionType]:
    """The functions of a module and of its classes."""
    for owner in (module, *filter(inspect.isclass, vars(module).values())):
        for held in vars(owner).values():
            if inspect.isfunction(held) and held.__code__.co_filename == module.__file__:
                yield held


@pytest.mark.parametrize("module", [argparse, statistics, textwrap], ids=lambda module: module.__name__)
def test_a_function_found_by_its_own_lines_is_that_of_the_file(module: Any, monkeypatch: Any) -> None:
    functions = [one for one in functions_of(module) if "<locals>" not in one.__qualname__]
    alone = [find_source(one) for one in functions]
    monkeypatch.setattr(source, "_parsed", lambda *_: pytest.fail("the whole file was parsed"))
    assert [find_source(one).text for one in functions] == [one.text for one in alone]
    monkeypatch.undo()
    monkeypatch.setattr(source, "excerpt", lambda *_: None)
    for one, found in zip(functions, alone, strict=True):
        known = find_source(one)
        assert (known.text, known.line, known.class_name) == (found.text, found.line, found.class_name)
        assert ast.dump(known.node, include_attributes=True) == ast.dump(found.node, include_attributes=True)


def test_lines_that_seem_to_end_a_function_do_not(tmp_path: Path) -> None:
    """What is indented less, imported elsewhere or follows a line that was edited is looked for in the whole file."""
    text = '''
        import math

        def f(x):
            y = (x +
        1)
            return math.floor(y)

        def g(x):
            """
        Text.
            """
            import cmath
            return x * 2 + cmath.phase(1)

        def h(x):
            cmath = math
            return x * 3 + cmath.floor(0.5)
    '''
    module = module_of(written(tmp_path / "odd.py", text))
    for function in (module.f, module.g, module.h):
        assert reason(function, 2.0) is None
        assert astrace.compile(function)(2.0) == function(2.0)


CONSTANTS = [lambda: 1, lambda: 2, lambda x=0: None]


def test_lambdas_that_give_constants() -> None:
    """Their code hardly tells where it stands: each has its own source, whatever else is a lambda in the file."""
    constants = [lambda: 1, lambda: 2, lambda x=0: 1, lambda: "a", lambda x=(lambda: 3): 1]
    for one in (*constants, *CONSTANTS):
        assert astrace.compile(one)() == one()
        assert eval(find_source(one).text)() == one()
