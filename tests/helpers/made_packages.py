"""Small libraries that are written to a folder and imported from there, with all that makes libraries awkward."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FILES = {
    "__init__.py": '''
        """A library."""
        from . import cycle_a
        from .core import Figure, Scaled, area, counted, doubled, reset
        from .errors import ShapeError, check
        from .sub.deep import deep
        from .tables import SOLVERS

        __all__ = ["Figure", "ShapeError", "area", "deep"]
        RATE = 2.0


        def rated(x):
            """By the rate."""
            return x * RATE


        def __getattr__(name):
            if name == "lazy_rate":
                return RATE * 10
            raise AttributeError(name)
    ''',
    "core.py": '''
        import abc
        import dataclasses
        import functools

        import numpy as np

        COUNT = 0


        def area(x, /, scale=1.0, *rest, power=2, **more):
            """The area."""
            total = 0.0
            for value in x:
                if value > 0:
                    total += scale * value**power
            return total + sum(rest) + sum(more.values())


        def tracing(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs) + 0.0

            return wrapper


        @tracing
        def doubled(x):
            """Twice."""
            return x * 2


        @functools.lru_cache(maxsize=None)
        def cached(n):
            return n + 1


        def counted(x):
            global COUNT
            COUNT += 1
            return x + COUNT


        def reset():
            global COUNT
            COUNT = 0


        def stream(x):
            for value in x:
                yield value * 2


        def make(size):
            return Figure(size)


        class Base(abc.ABC):
            instances = 0

            def __init__(self, size):
                self.size = size

            @abc.abstractmethod
            def kind(self): ...

            def scaled(self, x):
                """By the size."""
                return x * self.size if x.sum() > 0 else x

            @property
            def doubled_size(self):
                return self.size * 2

            @classmethod
            def unit(cls):
                cls.instances += 1
                return cls(1.0)

            @staticmethod
            def shifted(x):
                return x + 1


        class Figure(Base):
            """A figure."""

            def kind(self):
                return type(self).__name__

            def scaled(self, x):
                return super().scaled(x) + 0

            def __call__(self, x):
                self.size = self.size + 1
                return x * self.size

            def __eq__(self, other):
                return isinstance(other, Figure) and self.size == other.size

            def __hash__(self):
                return hash(self.size)


        @dataclasses.dataclass
        class Scaled:
            size: float

            def apply(self, x):
                return x * self.size


        class Slotted:
            __slots__ = ("size",)

            def __init__(self, size):
                self.size = size

            def apply(self, x):
                return x / self.size
    ''',
    "errors.py": '''
        class ShapeError(ValueError):
            """Wrong."""


        def check(x):
            if x.ndim != 1:
                raise ShapeError(f"{x.ndim} dimensions")
            return x
    ''',
    "cycle_a.py": """
        from . import cycle_b


        def even(x, n):
            return x if n == 0 else cycle_b.odd(x, n - 1) + 1
    """,
    "cycle_b.py": """
        from .cycle_a import even


        def odd(x, n):
            return x if n == 0 else even(x, n - 1) * 2
    """.replace("from .cycle_a import even", "from . import cycle_a as a").replace("even(", "a.even("),
    "sub/__init__.py": "",
    "sub/deep.py": """
        from ..core import area as surface


        def deep(x):
            return surface(x) + 1
    """,
    "tables.py": """
        from .core import area, doubled

        SOLVERS = {"area": area, "doubled": doubled}


        def solve(name, x):
            return SOLVERS[name](x)
    """,
    "skipped.py": """
        import astrace


        @astrace.skip
        def seeded(x):
            return x + 1


        @astrace.skip
        class Left:
            def method(self, x):
                return x
    """,
    "opted_out.py": """
        __astrace__ = False


        def alone(x):
            return x + 1
    """,
    "conftest.py": "def helper(x):\n    return x\n",
    "tests/__init__.py": "",
    "tests/test_core.py": "def test_nothing(x=1):\n    return x\n",
}


def write_package(folder: Path, name: str, files: dict[str, str] | None = None) -> None:
    """Write a package to a folder."""
    for path, text in (FILES if files is None else files).items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"))


@contextmanager
def importable(folder: Path, *names: str) -> Iterator[None]:
    """Packages of a folder can be imported; they are forgotten at the end."""
    forget(*names)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        forget(*names)


def forget(*names: str) -> None:
    """As if packages had never been imported."""
    for loaded in [one for one in sys.modules if one.partition(".")[0] in names]:
        del sys.modules[loaded]


def load(name: str) -> Any:
    """Import a module."""
    return importlib.import_module(name)
