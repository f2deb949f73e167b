"""One module of CPython's tests in one way: plain, or with some of its functions compiled.

Started by `fuzz.cpython` as a process of its own.  Takes the name of a module of the installed ``test`` package, a way (one of
`WAYS`) and a file; appends a line of JSON to the file as each test begins and ends, so that what hangs or kills the
process is known by name.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import os
import resource
import sys
import time
import traceback
import types
import unittest
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TextIO

from astrace.api.compile import compile_function
from astrace.compiler import compiled as compiler
from astrace.compiler.stages import Options

COMPILE: Final = "__astrace_compile__"
"""The name under which modules whose nested functions are compiled find the compiler."""
UNBOUND: Final = ("__new__", "__init_subclass__", "__class_getitem__")
"""Python makes static and class methods of these where they are functions, and only there."""
MEMORY: Final = 6 << 30

compiled: Final = functools.partial(compile_function, options=Options(quiet=True))


class NestedCompiled(ast.NodeTransformer):
    """Decorates each function that stands inside another one."""

    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        if self._depth and node.name not in UNBOUND:
            name = ast.Name(COMPILE, ast.Load())
            name.lineno = name.end_lineno = node.lineno
            name.col_offset = name.end_col_offset = node.col_offset
            node.decorator_list.append(name)
        return node


class NestedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with its nested functions compiled."""

    def source_to_code(self, data: Any, path: Any, **_: Any) -> types.CodeType:  # type: ignore[override]
        tree = NestedCompiled().visit(ast.parse(data))
        return compile(tree, path, "exec", dont_inherit=True)

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class NestedFinder(importlib.abc.MetaPathFinder):
    """Finds the one module whose nested functions are compiled."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self._name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = NestedLoader(name, spec.origin or "")
        return spec


def classes_of(module: types.ModuleType) -> Iterator[type]:
    """The classes that a module defines, those inside of them included."""
    waiting = [value for value in vars(module).values() if isinstance(value, type)]
    seen: set[type] = set()
    while waiting:
        found = waiting.pop()
        if found in seen or found.__module__ != module.__name__:
            continue
        seen.add(found)
        yield found
        waiting += [value for value in vars(found).values() if isinstance(value, type)]


def with_methods(module: types.ModuleType) -> None:
    """Compile the test methods of a module's test cases."""
    for case in classes_of(module):
        # or a mixin of test cases
        if issubclass(case, unittest.TestCase) or any("test" in name for name in vars(case)):
            replace(case, lambda name: name.startswith("test"))


def with_helpers(module: types.ModuleType) -> None:
    """Compile a module's functions, and all methods but the tests themselves."""
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            setattr(module, name, compiled(value))
    for owner in classes_of(module):
        replace(owner, lambda name: not name.startswith("test") and name not in UNBOUND)


def replace(owner: type, wanted: Callable[[str], bool]) -> None:
    """Put compiled functions in the places of a class's functions."""
    for name, value in list(vars(owner).items()):
        if isinstance(value, types.FunctionType | staticmethod | classmethod) and wanted(name):
            inner = getattr(value, "__func__", value)
            if isinstance(inner, types.FunctionType):
                set_on(owner, name, compiled(value))


def set_on(owner: type, name: str, value: Any) -> None:
    """Set an attribute of a class, where its metaclass lets us."""
    try:
        setattr(owner, name, value)
    except (AttributeError, TypeError):
        print(f"{owner}.{name} can't be replaced", file=sys.stderr)


WAYS: Final[dict[str, Callable[[types.ModuleType], None]]] = {
    "plain": lambda module: None,
    "methods": with_methods,
    "helpers": with_helpers,
    "nested": lambda module: None,
}
"""The functions that are compiled, and how: nested functions are as the module is loaded."""


class Faults(logging.Handler):
    """Keeps what astrace says of its own faults."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.found.append(f"{record.getMessage()}: {type(error).__name__}: {error}")


class Recorder(unittest.TestResult):
    """Writes down how each test ends, how long it took, and the longest capture in it."""

    def __init__(self, out: TextIO, faults: Faults) -> None:
        super().__init__()
        self._out = out
        self._faults = faults
        self._began = 0.0
        self._outcome: list[tuple[str, str, str]] = []
        self.longest = 0.0

    def _say(self, **line: Any) -> None:
        print(json.dumps(line), file=self._out, flush=True)

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self._say(begin=test.id())
        self._outcome, self.longest = [], 0.0
        self._faults.found.clear()
        self._began = time.perf_counter()

    def stopTest(self, test: Any) -> None:
        spent = time.perf_counter() - self._began
        outcome = self._outcome or [("interrupted", "", "")]
        self._say(
            end=test.id(),
            outcome=outcome,
            seconds=spent,
            capture=self.longest,
            faults=list(self._faults.found),
        )
        super().stopTest(test)

    def _note(self, status: str, error: Any = None) -> None:
        kind, text = (
            ("", "") if error is None else (error[0].__name__, "".join(traceback.format_exception(*error)))
        )
        self._outcome.append((status, kind, text[-3000:]))

    def addSuccess(self, _test: Any) -> None:
        self._outcome.append(("ok", "", ""))

    def addError(self, test: Any, err: Any) -> None:
        self._note("error", err)
        if not hasattr(test, "_testMethodName"):  # a class or a module could not be set up
            self._say(begin=test.id())
            self._say(end=test.id(), outcome=self._outcome, seconds=0.0, capture=0.0, faults=[])

    def addFailure(self, _test: Any, err: Any) -> None:
        self._note("failure", err)

    def addSkip(self, _test: Any, _reason: str) -> None:
        self._note("skip")

    def addExpectedFailure(self, _test: Any, _err: Any) -> None:
        self._note("expected")

    def addUnexpectedSuccess(self, _test: Any) -> None:
        self._note("unexpected")

    def addSubTest(self, _test: Any, _subtest: Any, err: Any) -> None:
        if err is not None:
            self._note("subtest", err)


def flat(suite: Any) -> Iterator[Any]:
    """The tests of a suite, one by one."""
    if isinstance(suite, unittest.TestSuite):
        for part in suite:
            yield from flat(part)
    else:
        yield suite


def timed(recorder: Recorder, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose longest call is kept."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        began = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            recorder.longest = max(recorder.longest, time.thread_time() - began)

    return wrapper


def main() -> None:
    """Run one module: ``name way file`` and the names of tests that are left out."""
    name, way, file, *left_out = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    if way == "nested":
        sys.meta_path.insert(0, NestedFinder(f"test.{name}"))
        vars(__import__("builtins"))[COMPILE] = compiled
    module = importlib.import_module(f"test.{name}")
    WAYS[way](module)
    only = os.environ.get("ONLY", "")
    tests = list(flat(unittest.defaultTestLoader.loadTestsFromModule(module)))
    tests = [test for test in tests if test.id() not in left_out and only in test.id()]
    faults = Faults()
    for topic in ("astrace.trace", "astrace"):
        logging.getLogger(topic).addHandler(faults)
        logging.getLogger(topic).propagate = False
    with Path(file).open("a", encoding="utf-8") as out:
        recorder = Recorder(out, faults)
        compiler.specialise = timed(recorder, compiler.specialise)  # type: ignore[assignment]
        unittest.TestSuite(tests).run(recorder)
    os._exit(0)  # threads that tests leave behind do not hold it up


if __name__ == "__main__":
    main()
