"""Code of the user's that Python runs by itself: never while tracing, and as often as in plain Python afterwards."""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import sys
import types
from typing import Any

import harness
import pytest

import astrace

_numbers = itertools.count()

PRELUDE = """
import enum, types
import numpy as np
LOG = []
def tick(what):
    LOG.append(what)
    print(what)
    return float(len(LOG))
"""

SETUPS = {
    "mapping": """
class Table(dict):
    def __missing__(self, key): return tick("missing")
T = Table()
""",
    "key": """
class Key:
    def __eq__(self, other): return tick("eq") > 2
    def __hash__(self): tick("hash"); return 1
K, HELD = Key(), [1, 2]
""",
    "instance": """
class L:
    def __len__(self): tick("len"); return 1
    def __bool__(self): return tick("bool") % 2 == 0
    def __iter__(self): tick("iter"); return iter([1, 2])
    def __index__(self): tick("index"); return 1
    def __repr__(self): return f"L{tick('repr')}"
    def __str__(self): return f"L{tick('str')}"
    def __format__(self, how): return f"L{tick('format')}"
    def __float__(self): return tick("float")
    def __contains__(self, item): return tick("contains") % 2 == 0
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return tick("getattr")
    def __call__(self, x): return x * tick("call")
A = L()
""",
    "metaclass": """
class Meta(type):
    def __call__(cls, *args): tick("metacall"); return super().__call__(*args)
    @property
    def computed(cls): return tick("metaproperty")
    def method(cls, x): return x * tick("metamethod")
    def __getattr__(cls, name):
        if name == "absent": raise AttributeError(name)
        return tick("metagetattr")
    def __instancecheck__(cls, other): return tick("instancecheck") % 2 == 0
    def __subclasscheck__(cls, other): return tick("subclasscheck") % 2 == 0
    def __len__(cls): tick("metalen"); return 2
    def __iter__(cls): tick("metaiter"); return iter((1, 2))
    def __getitem__(cls, key): return tick("metagetitem")
    def __contains__(cls, key): return tick("metacontains") % 2 == 0
class C(metaclass=Meta):
    def __init__(self, *args): self.x = tick("init")
class D(C): pass
""",
    "class": """
class G:
    def __class_getitem__(cls, key): return tick("class_getitem")
class Base:
    @classmethod
    def __subclasshook__(cls, other): tick("subclasshook"); return NotImplemented
""",
    "abstract": """
import abc
class Shape(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other): tick("subclasshook"); return other is int
    @property
    def size(self): return tick("size")
    def area(self): return tick("area")
class Square(Shape): pass
S = Square()
""",
    "descriptor": """
class Descriptor:
    def __get__(self, instance, owner): return tick("get" if instance is None else "get bound")
class Both(Descriptor):
    def __set__(self, instance, value): tick("set")
class H:
    d, e = Descriptor(), Both()
class I(H): pass
h, i = H(), I()
""",
    "module": """
M = types.ModuleType("some_module")
M.held = 2.0
M.__getattr__ = lambda name: tick("module getattr")
class Special(types.ModuleType):
    @property
    def computed(self): return tick("module property")
    def method(self, x): return x * tick("module method")
    def __getattr__(self, name): return tick("subclass getattr")
N = Special("special")
N.held = 2.0
""",
    "enum": """
class E(enum.Enum):
    A = 1
    B = 2
    @property
    def p(self): return tick("enumproperty")
    def __eq__(self, other): return tick("enumeq") % 2 == 0
    def __hash__(self): tick("enumhash"); return 1
    def __bool__(self): return tick("enumbool") % 2 == 0
    def __str__(self): return f"e{tick('enumstr')}"
    def __repr__(self): return f"e{tick('enumrepr')}"
    def __lt__(self, other): return tick("enumlt") % 2 == 0
    @classmethod
    def _missing_(cls, value): tick("missing"); return cls.A
""",
    "number": """
class F(float):
    def __add__(self, other): return tick("fadd")
    def __round__(self, digits=None): return tick("round")
class N(int):
    def __index__(self): tick("index"); return 1
    def __hash__(self): tick("hash"); return 1
class S(str):
    def __eq__(self, other): return tick("seq") % 2 == 0
    def __hash__(self): tick("shash"); return 97
    def __format__(self, how): return f"s{tick('sformat')}"
f1, n1, s1 = F(2.0), N(1), S("a")
""",
    "getattribute": """
class W:
    v = 2.0
    def __getattribute__(self, name):
        if name == "v": tick("getattribute")
        return super().__getattribute__(name)
class X:
    v = 2.0
    @property
    def __class__(self): tick("class"); return int
w, x1 = W(), X()
""",
    "comparing metaclass": """
class Meta(type):
    def __eq__(cls, other): return tick("metaeq") % 2 == 0
    def __hash__(cls): tick("metahash"); return 1
    def __getattribute__(cls, name):
        if name == "v": tick("metagetattribute")
        return super().__getattribute__(name)
class P(metaclass=Meta): v = 2.0
p = P()
""",
}

OPERATIONS = {
    "mapping": ["x * T[1]", "T.get(1, x)"],
    "key": ["len({K: x})", "K in {1: x}", "K in [1, 2]", "[1, 2].count(K)", "len({K, 1})", "K in HELD", "K == x"],
    "instance": [
        "len(A)", "1 if A else 2", "[v for v in A]", "[1, 2, 3][A]", "repr(A)", "f'{A}'", "format(A, 'x')", "float(A)",
        "x in A", "A.foo", "'%s' % A", "np.array([A], object).shape", "list(range(A))", "[1, 2, 3][A:]", "max(*A)",
        "[*A]", "sorted(A)", "max(A)", "list(zip(A, A))", "isinstance(A, L)", "[1] * A", "A(x)", "getattr(A, 'foo', x)",
        "callable(A)", "str(A)", "print(A)", "'{}'.format(A)", "f'{A!r} {A!s} {A:x}'", "print([A])", "f'{[A]}'",
    ],
    "metaclass": [
        "C(x).x", "C.computed * x", "C.missing * x", "isinstance(x, C)", "isinstance(1, C)", "isinstance(1, (str, C))",
        "issubclass(int, C)", "len(C)", "[v for v in C]", "C[0]", "C.method(x)", "D.method(x)", "D.computed", "x in C",
        "hasattr(C, 'computed')", "getattr(C, 'absent', x)", "getattr(C, 'other', x)", "hasattr(C, 'method')", "C.__name__",
    ],
    "class": ["G[0] * x", "isinstance(x, Base)", "isinstance('s', Base)", "issubclass(str, Base)"],
    "abstract": [
        "isinstance(x, Shape)", "isinstance(1, Shape)", "issubclass(int, Shape)", "S.size * x", "S.area()",
        "isinstance(S, Shape)", "hasattr(S, 'size')", "Shape.area(S)",
    ],
    "descriptor": [
        "h.d * x", "H.d * x", "i.d", "I.d", "h.e", "H.e", "hasattr(h, 'd')", "hasattr(H, 'd')", "getattr(I, 'd', x)",
        "setattr(h, 'e', x)", "H().d",
    ],
    "module": [
        "M.foo * x", "M.held * x", "N.computed * x", "N.held * x", "N.foo * x", "N.method(x)", "hasattr(M, 'held')",
        "getattr(M, 'foo', x)", "hasattr(N, 'computed')", "hasattr(N, 'foo')",
    ],
    "enum": [
        "E.A.p * x", "E.A == 1", "1 if E.A else 2", "f'{E.A}'", "E(77).name", "E(2).name", "E.A in (1, 2)", "E['A'].name",
        "'%s' % E.A", "str(E.A)", "repr(E.A)", "'{}'.format(E.A)", "{E.A: x}[E.A]", "E.A in {1: x}", "E.A is E.A",
        "(E.A, 1) == (E.B, 1)", "[E.A, E.B].index(E.B)", "repr((E.A,))", "f'{(E.A, 1)}'", "len({E.A, E.B})", "E.A.value",
        "min(E.A, E.B).value", "len(sorted([E.A, E.B]))", "x if E.A == E.B else -x", "E.A != 2", "print(E.A)",
        "not E.A", "E.A and x", "len({E.A: x, E.A: 1})",
    ],
    "number": [
        "f1 + x", "round(f1)", "[1, 2][n1]", "{1: x}[n1]", "list(range(n1))", "1 if s1 == 'b' else 2",
        "{'a': x}.get(s1)", "f'{s1}'", "s1 in ('a', 'b')", "x + f1",
    ],
    "getattribute": ["w.v * x", "isinstance(w, int)", "isinstance(x1, int)", "W().v", "x1.v", "hasattr(w, 'v')", "[w][0].v"],
    "comparing metaclass": ["P == int", "P.v * x", "p.v", "P in (int, str)", "type(p) == P", "isinstance(p, P)", "P().v"],
}  # fmt: skip

FORMS = {
    "once": "return {operation}",
    "in a loop": "return [({operation}) for _ in range(int(x))], len(LOG)",
}

CASES = [
    (hook, operation, form)
    for hook, operations in OPERATIONS.items()
    for operation in operations
    for form in FORMS
]


def load(hook: str, operation: str, form: str) -> types.ModuleType:
    """A module with the classes of a kind of hook and a function that does one thing with them."""
    module = types.ModuleType(f"hooks_{next(_numbers)}")
    sys.modules[module.__name__] = module
    body = FORMS[form].format(operation=operation)
    harness.run_with_source(f"{PRELUDE}{SETUPS[hook]}\ndef f(x):\n    {body}\n", module.__dict__)
    return module


@pytest.mark.parametrize(
    ("hook", "operation", "form"),
    CASES,
    ids=[f"{hook}: {operation} {form}" for hook, operation, form in CASES],
)
def test_hooks(hook: str, operation: str, form: str) -> None:
    """Capturing runs nothing of the user's; three calls give and run what they do in plain Python."""
    plain, captured = load(hook, operation, form), load(hook, operation, form)
    f = astrace.compile(captured.f)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        stages = f.stages(2.0)
    assert (printed.getvalue(), captured.LOG) == ("", [])
    assert stages.fallback is None or stages.fallback.code != "AT299"
    for _ in range(3):
        expected, found = harness.observe(plain.f, (2.0,)), harness.observe(f, (2.0,))
        assert harness.differences(expected, found) == []
        assert captured.LOG == plain.LOG


@pytest.mark.parametrize("again", [False, True])
def test_what_wraps_a_compiled_function_is_no_compiled_function(again: bool) -> None:
    """A cache in C, an instance that looks like the function, a decorator's function: they do what they do."""

    class Counted:
        def __init__(self, function: Any) -> None:
            functools.update_wrapper(self, function)
            self.calls = 0

        def __call__(self, *args: Any) -> Any:
            self.calls += 1
            return self.__wrapped__(*args) + 1  # type: ignore[attr-defined]

    @functools.cache
    @astrace.compile
    def fibonacci(n: Any) -> Any:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    @Counted
    @astrace.compile
    def counted(n: Any) -> Any:
        return fibonacci(n)

    compiled: Any = astrace.compile(counted) if again else counted

    @astrace.compile
    def caller(n: Any) -> Any:
        return compiled(n), compiled(n)

    assert [fibonacci(n) for n in range(6)] == [0, 1, 1, 2, 3, 5]
    assert tuple(fibonacci.cache_info()) == (8, 6, None, 6)
    assert caller(5) == (6, 6) and counted.calls == 2
    kept = {"__module__", "__name__", "__qualname__", "__doc__", "__annotations__", "__wrapped__"}
    assert vars(counted).keys() - kept == {"calls"}


def test_defaults_and_code_that_are_set_hold_at_the_next_call() -> None:
    """Of a compiled function, as of the function itself."""

    @astrace.compile
    def added(a: Any, b: Any) -> Any:
        return a + b

    with pytest.raises(TypeError):
        added()  # type: ignore[call-arg]
    added.__defaults__ = (1, 2)
    assert (added(), added(3), added(3, 5), added.__defaults__) == (3, 5, 8, (1, 2))  # type: ignore[call-arg]
    del added.__defaults__
    assert added(3, 5) == 8 and added.__defaults__ is None
    with pytest.raises(TypeError):
        added(1)  # type: ignore[call-arg]


def test_a_name_that_is_set_is_the_functions() -> None:
    """A generator has the name that its function has when it is called."""

    @astrace.compile
    def items() -> Any:
        yield 1

    first = items()
    items.__name__ = "others"
    assert (first.__name__, items().__name__, vars(items)["__name__"]) == ("items", "others", "others")
    with pytest.raises(TypeError):
        items.__name__ = 7  # type: ignore[assignment]
    with pytest.raises(TypeError):
        del items.__name__
    del items.__doc__
    assert items.__doc__ is items.__wrapped__.__doc__ is None
