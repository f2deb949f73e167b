"""Classes whose methods are compiled, by a decorator on the class or on each method: they are the classes they were.

`tests/classes/` holds class bodies, each with a function `use` that does with them what users do.
"""

from __future__ import annotations

import abc
import ast
import copy
import enum
import importlib.util
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import harness
import pytest

import astrace

BODIES: Final = sorted((Path(__file__).parent / "classes").glob("*.py"))
DECORATOR: Final = ast.Attribute(ast.Name("astrace", ast.Load()), "compile", ast.Load())
NAME: Final = "class_body"
"""The module's name, which stands in texts."""


class OfClasses(ast.NodeTransformer):
    """Decorates each class, above its other decorators."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.decorator_list.insert(0, DECORATOR)
        return node


class BelowOthers(ast.NodeTransformer):
    """Decorates each class, below its other decorators."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.decorator_list.append(DECORATOR)
        return node


class OfMethods(ast.NodeTransformer):
    """Decorates each function of a class body that has no other decorator."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not method.decorator_list:
                method.decorator_list.append(DECORATOR)
        return node


WAYS: Final = {
    "plain": ast.NodeTransformer,
    "classes": OfClasses,
    "below others": BelowOthers,
    "methods": OfMethods,
}


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[Path, str], types.ModuleType]]:
    """Loads a body with its classes or methods decorated in one of `WAYS`."""

    def loaded(body: Path, way: str) -> types.ModuleType:
        tree = WAYS[way]().visit(ast.parse(body.read_text()))
        tree.body.insert(1, ast.Import([ast.alias("astrace")]))
        path = tmp_path / f"{way.replace(' ', '_')}.py"
        path.write_text(ast.unparse(ast.fix_missing_locations(tree)))
        spec = importlib.util.spec_from_file_location(NAME, path)
        assert spec is not None and spec.loader is not None
        module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield loaded
    sys.modules.pop(NAME, None)


@pytest.mark.parametrize("compiled_use", [False, True], ids=["plain use", "compiled use"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.stem)
def test_a_compiled_class_does_what_the_plain_one_does(
    load: Any, body: Path, way: str, compiled_use: bool
) -> None:
    plain = load(body, "plain")
    expected = [harness.observe(plain.use, (x,)) for x in (1, 2, 3, 1)]
    module = load(body, way)
    use = astrace.compile(module.use) if compiled_use else module.use
    for x, one in zip((1, 2, 3, 1), expected, strict=True):
        found = harness.observe(use, (x,))
        assert harness.differences(one, found) == []


# -- in place ------------------------------------------------------------------------------------------------


@astrace.compile
class Length:
    """A length."""

    registry: list[type] = []

    def __init_subclass__(cls) -> None:
        Length.registry.append(cls)

    def __init__(self, size: Any) -> None:
        self.size = size

    def __call__(self, x: Any) -> Any:
        return x * self.size

    def scaled(self, factor: Any) -> Any:
        return self.size * factor

    @property
    def half(self) -> Any:
        return self.size / 2

    @staticmethod
    def added(x: Any) -> Any:
        return x + 1


def test_a_class_is_compiled_while_it_is_defined() -> None:
    """The decorator gives the class itself: there is no other."""
    assert type(Length) is type and Length.__mro__ == (Length, object) and Length.registry == []
    assert isinstance(Length.scaled, astrace.LazyGraph) and Length(3).scaled(2) == 6
    assert Length.scaled.stats.calls == 1 and Length(4).half == 2 and Length.added(1) == 2
    assert astrace.original(Length) is Length and astrace.compile(Length) is Length
    assert pickle.loads(pickle.dumps(Length)) is Length
    assert type(pickle.loads(pickle.dumps(Length(2)))) is Length is type(copy.copy(Length(2)))
    length = Length(2)
    assert length(3) == 6 and length.stats.calls == 1 and length.stages(3).fallback is None


def test_a_copy_of_a_class_that_was_compiled_in_place() -> None:
    """With other options its own methods are compiled anew; what was set since is kept."""
    strict = astrace.compile(Length, fullgraph=True)
    assert strict is not Length and astrace.original(strict) is Length
    assert isinstance(strict.scaled, astrace.LazyGraph) and strict.scaled is not Length.scaled
    assert strict(3).scaled(2) == 6 and strict(3)(2) == 6


def test_where_a_class_is_being_defined() -> None:
    """A function, a class body, a hook; what has its name is copied."""

    @astrace.compile
    class Local:
        @astrace.compile(fullgraph=True)
        class Inner:
            def one(self) -> int:
                return 1

        def two(self) -> int:
            return 2

    assert type(Local) is type(Local.Inner) is type
    assert isinstance(Local.two, astrace.LazyGraph) and isinstance(Local.Inner.one, astrace.LazyGraph)
    assert Local().two() + Local.Inner().one() == 3

    class Hooked:
        def __init_subclass__(cls) -> None:
            astrace.compile(cls)

    class Below(Hooked):
        def three(self) -> int:
            return 3

    assert isinstance(Below.three, astrace.LazyGraph) and Below().three() == 3

    class Bound:
        def four(self) -> int:
            return 4

    made = astrace.compile(Bound)
    assert made is not Bound and isinstance(Bound.four, types.FunctionType) and made().four() == 4


def test_classes_that_only_a_decorator_compiles() -> None:
    """Classes over built-in ones, and with metaclasses of their own, can't be copied, but compiled in place."""

    @astrace.compile
    class Turn(enum.Enum):
        LEFT = 1
        RIGHT = 2

        def other(self) -> Turn:
            return Turn.RIGHT if self is Turn.LEFT else Turn.LEFT

    assert Turn.LEFT.other() is Turn.RIGHT and list(Turn) == [Turn.LEFT, Turn.RIGHT]
    assert isinstance(Turn.other, astrace.LazyGraph)

    @astrace.compile
    class Named(dict[str, int]):
        def total(self) -> int:
            return sum(self.values())

    assert Named(a=1, b=2).total() == 3 and isinstance(Named.total, astrace.LazyGraph)

    @astrace.compile
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self) -> float: ...

        def twice(self) -> float:
            return self.area() * 2

    class Square(Shape):
        def area(self) -> float:
            return 4.0

    assert Square().twice() == 8.0
    with pytest.raises(TypeError, match="abstract"):
        Shape()  # type: ignore[abstract]


def test_a_class_that_is_skipped_is_not_compiled() -> None:
    with pytest.raises(astrace.InvalidArgument, match="no class whose methods can be compiled"):

        @astrace.compile
        @astrace.skip
        class Left:
            def one(self) -> int:
                return 1
