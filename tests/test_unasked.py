"""Capture asks nothing of the program's objects: their special methods are called where plain Python calls them, and nowhere else."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import jax  # noqa: F401  (trees of its arrays are looked for once it is there)
import numpy as np
import pytest

import astrace

LOG: list[str] = []

ALWAYS = ("__eq__", "__ne__", "__bool__", "__len__", "__iter__", "__contains__", "__getitem__")
METHODS: dict[type, tuple[str, ...]] = {
    list: (*ALWAYS, "__reversed__", "__add__", "copy", "index", "__lt__"),
    tuple: (*ALWAYS, "__hash__", "__add__", "index", "__lt__"),
    dict: (*ALWAYS, "keys", "values", "items", "get", "copy", "__or__", "__reversed__"),
    set: (
        "__eq__",
        "__ne__",
        "__bool__",
        "__len__",
        "__iter__",
        "__contains__",
        "__or__",
        "__and__",
        "__lt__",
    ),
    frozenset: ("__eq__", "__ne__", "__bool__", "__len__", "__iter__", "__contains__", "__hash__", "__or__"),
    str: (*ALWAYS, "__hash__", "__add__", "__str__", "__format__"),
    int: (
        "__eq__",
        "__ne__",
        "__bool__",
        "__hash__",
        "__index__",
        "__int__",
        "__add__",
        "__radd__",
        "__lt__",
        "__str__",
    ),
    float: (
        "__eq__",
        "__ne__",
        "__bool__",
        "__hash__",
        "__int__",
        "__add__",
        "__radd__",
        "__lt__",
        "__float__",
    ),
    np.ndarray: ("__eq__", "__bool__", "__len__", "__iter__", "__getitem__", "__add__", "__array_finalize__"),
    Exception: ("__eq__", "__hash__", "__str__", "__getattribute__"),
    object: (*ALWAYS, "__hash__", "__getattribute__", "__index__", "__array__", "__call__", "__str__"),
}
"""The methods that are logged, by the class that is derived from."""
ANSWERS: dict[str, Any] = {
    "__bool__": True,
    "__len__": 2,
    "__iter__": iter(()),
    "__index__": 1,
    "__array__": np.arange(2.0),
}
"""What the methods that a class does not have give."""


def logging(base: type) -> type:
    """A class derived from another one, of which all calls of methods are logged."""

    def method(name: str) -> Callable[..., Any]:
        def call(self: Any, *args: Any) -> Any:
            LOG.append(name)
            inherited = getattr(base, name, None)
            return ANSWERS.get(name, "x") if inherited is None else inherited(self, *args)

        return call

    return type(f"Logging{base.__name__}", (base,), {name: method(name) for name in METHODS[base]})


CLASSES = {base: logging(base) for base in METHODS}


def instance(base: type) -> Any:
    """An instance, without a logged call."""
    match base.__name__:
        case "dict":
            return CLASSES[base](a=1, b=2)
        case "ndarray":
            return np.arange(3.0).view(CLASSES[base])
        case "object":
            return CLASSES[base]()
        case "str" | "Exception":
            return CLASSES[base]("ab")
        case "int" | "float":
            return CLASSES[base](3)
        case _:
            return CLASSES[base]([1, 2])


HEADER = """
import functools

import numpy as np

G = {}

class Own:
    def __init__(self, v=None):
        self.v = v
    def get(self):
        return self.v

def opaque(*given):
    locals()
    return 1
"""
WAYS = {"f(v, n, m)": "pass", "f(_, n, m)": "v = HELD[0]", "f(c, n, m)": "v = c[0]"}
"""How a function gets at the object: as an argument, as an item of a global, as an item of an argument."""
BODIES = [
    "return v",
    "return [v], (v, n)[1]",
    "return {1: v}",
    "return opaque(v), opaque([v]), opaque({'a': v}), opaque((v,))",
    "a = [v]\na.append(v)\nreturn len(a)",
    "o = Own(v)\nreturn o.get() is v",
    "x = v\nif n > 2: x = n\nreturn x is v",
    "x = v\nfor i in range(n): x = v if i % 2 else i\nreturn x is v",
    "x = None\nwhile n > 0:\n    n -= 1\n    x = v\nreturn x is v",
    "x = [v]\nfor i in range(n): x.append(i)\nreturn len(x)",
    "return (lambda q: q)(v) is v, v is None, type(v) is int",
    "return isinstance(v, (list, int)), v.__class__ is int, callable(v)",
    "y = np.zeros(2)\nfor i in range(n): y[i % 2] += i\nreturn y, v",
    "try:\n    raise ValueError(v)\nexcept ValueError as e:\n    return e.args[0] is v",
    "try:\n    opaque(v)\n    raise KeyError\nexcept KeyError: pass\nreturn 1",
    "x = v\ntry:\n    if n > 2: raise ValueError\n    x = n\nexcept ValueError: pass\nreturn x is v",
    "def inner(): return v\nreturn inner() is v, inner",
    "a, b = v, n\ndel v\nreturn b",
    "return getattr(v, 'zzz', 3), hasattr(v, 'zzz')",
    "return v if n else None",
    "w = [v, n]\nw[0] = n\nreturn w, [v] * 2, (n, v) + (1,)",
    "return dict(a=v)['a'] is v",
    "G['k'] = v\nreturn 1",
    "m.v = [v]\nm.w = v\nreturn len(m.v), m.w is v",
    "for q in (v,): pass\nreturn q is v, [q is v for q in (v, n)]",
    "return sorted([3, 1]), max([n, 1]), v",
    "return functools.partial(opaque, v)()",
    "with np.errstate(all='ignore'): z = v\nreturn z is v",
    "return list(map(lambda q: 1, [v])), list(zip([v], [n]))[0][1]",
]


@pytest.mark.parametrize("base", METHODS, ids=lambda base: base.__name__)
@pytest.mark.parametrize("way", WAYS)
def test_no_method_is_called_that_plain_python_does_not_call(way: str, base: type) -> None:
    """Calls of each function, plain and captured, log the same methods in the same order."""
    for number, body in enumerate(BODIES):
        lines = "".join(f"    {line}\n" for line in [WAYS[way], *body.split("\n")])
        source = f"{HEADER}\ndef {way}:\n{lines}"
        plain, captured = calls(source, number, base, False), calls(source, number, base, True)
        assert captured == plain, body


def calls(source: str, number: int, base: type, captured: bool) -> list[tuple[str | None, list[str]]]:
    """What two calls raise, and the methods that they call."""
    file = f"<unasked {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "unasked"}
    exec(compile(source, file, "exec"), names)
    function = astrace.compile(names["f"]) if captured else names["f"]
    return [one_call(function, names, n, instance(base)) for n in (1, 3)]


def one_call(
    function: Callable[..., Any], names: dict[str, Any], n: int, held: Any
) -> tuple[str | None, list[str]]:
    """The class of what one call raises, and the methods that it calls."""
    names["HELD"] = [held]
    first = [held] if "c" in function.__code__.co_varnames else held
    raised = None
    LOG.clear()
    try:
        function(first, n, names["Own"]())
    except Exception as error:
        raised = type(error).__name__
    return raised, list(LOG)
