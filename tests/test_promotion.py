"""Values that change at every call: how often they are captured, and that each call is right."""

from __future__ import annotations

from typing import Any
from unittest import mock

import harness
import numpy as np
import pytest

import astrace

CALLS = 20

CASES: dict[str, tuple[str, str, str, int]] = {
    # source, statement before each call (its number is k), arguments, captures
    "float global": ("def f(x):\n    return x * V", "V = k * 0.5", "(1.5,)", 1),
    "int global as factor": ("def f(x):\n    return x * V", "V = k", "(1.5,)", 1),
    "int global as bound": ("def f(x):\n    for i in range(V):\n        x = x + i\n    return x", "V = k", "(1.5,)", 1),
    "int global as shape": ("def f(x):\n    return np.zeros(V) + x", "V = k", "(1.5,)", 1),
    "int global as index": ("A = np.arange(30.0)\ndef f(x):\n    return A[V] + x", "V = k", "(1.5,)", 1),
    "int global as slice": ("A = np.arange(30.0)\ndef f(x):\n    return A[:V] + x", "V = k", "(1.5,)", 1),
    "int global in a test": ("def f(x):\n    return x if V % 2 else -x", "V = k", "(1.5,)", 1),
    "int global as axis": ("A = np.ones((2, 3))\ndef f(x):\n    return A.sum(axis=V % 2) * x", "V = k", "(1.5,)", 1),
    "int global as position in a list": ("def f(x):\n    return [x, -x, 2 * x][V % 3]", "V = k", "(1.5,)", 1),
    "float attribute": ("class C:\n    rate = 1.0\nO = C()\ndef f(x):\n    return x * O.rate", "O.rate = k * 0.5", "(1.5,)", 1),
    "class attribute": ("class C:\n    rate = 1.0\ndef f(x):\n    return x * C.rate", "C.rate = k * 0.5", "(1.5,)", 1),
    "item of a dict": ("D = {}\ndef f(x):\n    return x * D['rate']", "D['rate'] = k * 0.5", "(1.5,)", 1),
    "item of a list": ("L = [0.0]\ndef f(x):\n    return x * L[0]", "L[0] = k * 0.5", "(1.5,)", 1),
    "closure cell": ("def outer():\n    v = 0.0\n    def f(x):\n        return x * v\n    return f\nf = outer()",
        "f.__closure__[0].cell_contents = k * 0.5", "(1.5,)", 1),
    "default": ("def f(x, v=0.0):\n    return x * v", "f.__defaults__ = (k * 0.5,)", "(1.5,)", 1),
    "counter attribute": ("class C:\n    n = 0\nO = C()\ndef f(x):\n    O.n += 1\n    return x * O.n", "pass", "(1.5,)", 1),
    "own counter attribute": ("class C:\n    pass\nO = C()\nO.n = 0\ndef f(x):\n    O.n += 1\n    return x * O.n", "pass", "(1.5,)", 1),
    "counter in a test": (
        "D = {'n': 0}\ndef f(x):\n    D['n'] += 1\n    if D['n'] % 3 == 0:\n        return 0\n    return x * D['n']", "pass", "(1.5,)", 1),
    "global counter": ("N = 0\ndef f(x):\n    global N\n    N += 1\n    return x * N", "pass", "(1.5,)", 1),
    "float argument": ("def f(x, v):\n    return x * v", "pass", "(1.5, k * 0.5)", 1),
    "int argument as shape": ("def f(x, n):\n    return np.full((n, 2), x)", "pass", "(1.5, k)", 1),
    "int argument as index": ("A = np.arange(30.0)\ndef f(x, n):\n    return A[n] * x", "pass", "(1.5, k)", 1),
    "int argument as position in a list": ("L = list(range(30))\ndef f(x, n):\n    return L[n] * x", "pass", "(1.5, k)", 1),
    "int argument as key": ("D = {i: -i for i in range(30)}\ndef f(x, n):\n    return D[n] * x", "pass", "(1.5, k)", 1),
    "int argument as bound": ("def f(x, n):\n    while n > 0:\n        x, n = x + n, n - 1\n    return x", "pass", "(1.5, k)", 1),
    "int argument as count": ("def f(x, n):\n    return [x] * n, 'a' * n", "pass", "(1.5, k)", 1),
    "size of an array": ("def f(x):\n    return x.shape[0] * x", "pass", "(np.ones(k),)", 1),
    "rows of an array": ("def f(x):\n    return [row * 2 for row in x]", "pass", "(np.ones(k),)", 1),
    "a new array": ("def f(x):\n    return A * x", "A = np.ones(k)", "(1.5,)", 1),
    "a new object": ("class C:\n    pass\ndef f(x):\n    return O.v * x", "O = C()\nO.v = k", "(1.5,)", 1),
    "a new object as an argument": ("class C:\n    def __init__(self, v):\n        self.v = v\ndef f(o):\n    return o.v * 2", "pass", "(C(k),)", 1),
    "a list that is appended to": ("L = []\ndef f(x):\n    L.append(x)\n    return sum(L)", "pass", "(1.5,)", 1),
    "growing list, its length": ("L = []\ndef f(x):\n    return len(L) * x", "L.append(k)", "(1.5,)", 2),
    "growing list, walked": ("L = []\ndef f(x):\n    for v in L:\n        x = x + v\n    return x", "L.append(k)", "(1.5,)", 2),
    "growing list, comprehension": ("L = []\ndef f(x):\n    return [v * x for v in L if v > 2]", "L.append(k)", "(1.5,)", 2),
    "growing list, its sum": ("L = []\ndef f(x):\n    return sum(L) + max(L) + x", "L.append(k)", "(1.5,)", 2),
    "growing list, its end": ("L = []\ndef f(x):\n    return L[-1] * x", "L.append(k)", "(1.5,)", 2),
    "growing list, enumerated": ("L = []\ndef f(x):\n    return [(i, v) for i, v in enumerate(L)]", "L.append(k)", "(1.5,)", 2),
    "growing list, zipped": ("L = []\ndef f(x):\n    return list(zip(L, L, x))", "L.append(k)", "([1.5, 2.5],)", 1),
    "growing list, unpacked": ("L = []\ndef f(x):\n    a, *b = L\n    return a, b, x", "L.append(k)", "(1.5,)", 2),
    "growing list, as an array": ("L = []\ndef f(x):\n    return np.array(L) * x", "L.append(k)", "(1.5,)", 1),
    "growing list, sliced": ("L = []\ndef f(x):\n    return L[1:], L[::-1], x", "L.append(k)", "(1.5,)", 2),
    "growing list, in a display": ("L = []\ndef f(x):\n    return [x, *L, -x], (*L, x), {*L, 0}", "L.append(k)", "(1.5,)", 2),
    "growing dict, in a display": ("D = {}\ndef f(x):\n    return {'a': 0, **D, 'x': x}", "D[k] = k", "(1.5,)", 2),
    "growing list of lists": ("L = []\ndef f(x):\n    return [[v * x for v in row] for row in L]", "L.append([k] * (k % 3))", "(1.5,)", 2),
    "growing list at an attribute": (
        "class C:\n    pass\nO = C()\nO.log = []\ndef f(x):\n    return sum(O.log) * x", "O.log.append(k)", "(1.5,)", 2),
    "two growing lists": ("L, M = [], []\ndef f(x):\n    return len(L) * sum(M) * x", "L.append(k)\nM.extend([k, k])", "(1.5,)", 2),
    "inner lists": ("L = [[], []]\ndef f(x):\n    return sum(L[0]) * sum(L[1]) * x", "L[0].append(k)\nL[1].append(-k)", "(1.5,)", 2),
    "list argument": ("def f(x, items):\n    return sum(items) * x + len(items)", "pass", "(1.5, list(range(k)))", 2),
    "list argument that is changed": ("def f(items):\n    items.append(len(items))\n    return items", "pass", "([0] * k,)", 2),
    "dict argument": ("def f(x, items):\n    return sum(items.values()) * x, list(items)", "pass", "(1.5, {str(i): i for i in range(k)})", 2),
    "growing dict, walked": ("D = {}\ndef f(x):\n    for n, v in D.items():\n        x = x + n * v\n    return x", "D[k] = k", "(1.5,)", 2),
    "growing dict, its length": ("D = {}\ndef f(x):\n    return len(D) * x", "D[k] = k", "(1.5,)", 2),
    "growing dict, one item": ("D = {'a': 1.0}\ndef f(x):\n    return len(D) * D['a'] * x", "D[k] = k\nD['a'] = k * 0.5", "(1.5,)", 2),
    "growing set": ("S = {0}\ndef f(x):\n    return sum(S) * x + len(S)", "S.add(k)", "(1.5,)", 2),
    "frozen set argument": ("def f(x, s):\n    return len(s) * x, 3 in s, sorted(s)", "pass", "(1.5, frozenset(range(k)))", 2),
    "tuple of floats": ("def f(x):\n    return x * T[0] + T[1]", "T = (k * 0.5, 1.0)", "(1.5,)", 1),
    "tuple of ints": ("def f(x):\n    return x * T[0] + T[1]", "T = (k, k + 1)", "(1.5,)", 2),
    "tuple as shape": ("def f(x):\n    return np.zeros(T) + x", "T = (k, 2)", "(1.5,)", 2),
    "tuple argument": ("def f(x, t):\n    a, b = t\n    return a * x + b, t", "pass", "(1.5, (k, -k))", 2),
    "tuple of any length": ("def f(x, t):\n    return sum(t) * x, len(t), t[-1:], t", "pass", "(1.5, (1,) * k)", 2),
    "tuple that is walked": ("def f(x, t):\n    for v in t:\n        x = x * v\n    return x", "pass", "(1.5, tuple(range(1, k)))", 2),
    "range argument": ("def f(x, r):\n    for i in r:\n        x = x + i\n    return x, len(r), r", "pass", "(1.5, range(k))", 2),
    "integers behind a star": ("def f(*xs):\n    return xs[0] * xs[1] + len(xs)", "pass", "(k, -k)", 1),
    "slice argument": ("A = np.arange(30.0)\ndef f(x, s):\n    return A[s] * x", "pass", "(1.5, slice(k, k + 3))", 1),
    "flag": ("def f(x, b):\n    return x if b else -x", "pass", "(1.5, k % 2 == 0)", 2),
    "number or nothing": ("def f(x, b):\n    return x if b is None else x + b", "pass", "(1.5, None if k % 2 else k)", 2),
    "kinds of numbers": ("def f(x):\n    return x * 2", "pass", "([1, 1.5, True, 2j, np.float64(1)][k % 5],)", 5),
    "lambda over a number": ("def make(v):\n    return lambda x: x * v\ndef f(x, g):\n    return g(x) + 1", "pass", "(1.5, make(k))", 2),
    "lambda without variables": ("def make():\n    return lambda x: x * 2\ndef f(x, g):\n    return g(x) + 1", "pass", "(1.5, make())", 2),
    "lambda over an array": (
        "def make(a):\n    return lambda x, i: x + a.sum() * i\ndef f(x, g):\n    for i in range(3):\n        x = g(x, i)\n    return x", "pass", "(1.5, make(np.ones(k)))", 2),
    "lambda with a default": ("def f(x, g):\n    return g(x), g(x, 2)\ndef make(k):\n    return lambda x, v=k: x * v", "pass", "(1.5, make(k))", 2),
    "lambda with a default by name": ("def f(x, g):\n    return g(x), g(x, v=2)\ndef make(k):\n    return lambda x, *, v=k: x * v", "pass", "(1.5, make(k))", 2),
    "lambda with a default list": ("def make():\n    def g(x, seen=[]):\n        seen.append(x)\n        return len(seen)\n    return g\ndef f(x, g):\n    return g(x) + g(x)", "pass", "(1.5, make())", 2),
    "local function": ("def make(v):\n    def g(x):\n        if x > 1:\n            return x * v\n        return -x\n    return g\ndef f(x, g):\n    return g(x), g(-x)", "pass", "(1.5, make(k))", 2),
    "local function over another": (
        "def make(v):\n    def inner(x):\n        return x - v\n    def g(x):\n        return inner(x) * v\n    return g\ndef f(x, g):\n    return g(x)", "pass", "(1.5, make(k))", 2),
    "local function that calls itself": (
        "def make(v):\n    def g(n):\n        return v if n <= 0 else n * g(n - 1)\n    return g\ndef f(x, g):\n    return g(3) + x", "pass", "(1.5, make(k))", 2),
    "local function that counts": (
        ("def make():\n    n = 0\n    def g(x):\n        nonlocal n\n        n += 1\n        return x * n\n    return g\n"
        "def f(x, g):\n    return g(x) + g(x)"), "pass", "(1.5, make())", 2),
    "local function that counts in a loop": (
        ("def make():\n    n = 0\n    def g(x):\n        nonlocal n\n        n += 1\n        return x * n\n    def read():\n        return n\n    return g, read\n"
        "def f(xs, g, read):\n    total = 0.0\n    for x in xs:\n        total += g(x)\n    return total, read()"), "pass", "(np.ones(k), *make())", 2),
    "two over one variable": (
        ("def make(v):\n    def up():\n        nonlocal v\n        v += 1\n        return v\n    return up, lambda: v\n"
        "def f(x, up, read):\n    return read(), up(), read(), x"), "pass", "(1.5, *make(k))", 2),
    "two of one code": ("def make(v):\n    return lambda x: x * v\ndef f(x, g, h):\n    return g(x) - h(x), g is h", "pass", "(1.5, make(k), make(k + 1))", 2),
    "one function twice": ("def make(v):\n    return lambda x: x * v\ndef f(x, g, h):\n    return g(x) - h(x), g is h", "a = make(k)", "(1.5, a, a)", 2),
    "one function twice, or two": (
        "def make(v):\n    return lambda x: x * v\ndef f(x, g, h):\n    return g(x) - h(x), g is h", "a, b = make(k), make(-k)", "(1.5, a, b if k % 2 else a)", 3),
    "global lambda": ("def make(v):\n    return lambda x: x * v\ndef f(x):\n    return G(x)", "G = make(k)", "(1.5,)", 2),
    "lambda at an attribute": (
        "class C:\n    pass\nO = C()\ndef make(v):\n    return lambda x: x * v\ndef f(x):\n    return O.act(x)", "O.act = make(k)", "(1.5,)", 2),
    "lambda of a new object": (
        "class C:\n    def __init__(self, v):\n        self.act = lambda x: x * v\ndef f(x, o):\n    return o.act(x)", "pass", "(1.5, C(k))", 2),
    "lambdas in a list": ("def make(v):\n    return lambda x: x * v\ndef f(x, gs):\n    for g in gs:\n        x = g(x)\n    return x", "pass", "(1.5, [make(k), make(2)])", 2),
    "lambdas in a dict": ("def make(v):\n    return lambda x: x * v\ndef f(x, gs):\n    return gs['a'](x)", "pass", "(1.5, {'a': make(k)})", 2),
    "partial of a lambda": ("import functools\ndef make(v):\n    return lambda y, x: x * v + y\ndef f(x, g):\n    return g(x)", "pass", "(1.5, functools.partial(make(k), 2))", 2),
    "lambda that becomes a partial": (
        "import functools\ndef make(v):\n    return lambda y, x: x * v + y\ndef f(x, g):\n    return functools.partial(g, 2)(x)", "pass", "(1.5, make(k))", 2),
    "lambda as a key": ("def make(v):\n    return lambda x: (x - v) ** 2\ndef f(xs, g):\n    return sorted(xs, key=g), min(xs, key=g)", "pass", "([1, 5, 9, 14], make(k))", 2),
    "lambda to be mapped": ("def make(v):\n    return lambda x: x * v\ndef f(xs, g):\n    return list(map(g, xs)), [*filter(g, xs)]", "pass", "([0, 1, 2], make(k))", 2),
    "lambda for NumPy": ("def make(v):\n    return lambda x: x * v\ndef f(xs, g):\n    return np.vectorize(g)(xs), np.apply_along_axis(g, 0, xs)", "pass", "(np.arange(3.0), make(k))", 2),
    "lambda or the same function under another name": (
        "def make(v):\n    return lambda x: x * v\nG = H = make(1)\ndef f(x):\n    return G(x), H(x), G is H", "G = H if k == 2 else make(k)", "(1.5,)", 3),
    "lambda over the variable of another": (
        ("def make(v):\n    def put(n):\n        nonlocal v\n        v = n\n    return put, lambda: v\nput, get = make(1)\n"
        "def f(x):\n    put(x)\n    return get()"), "put = make(k)[0] if k % 3 else make(k)[0]", "(k * 0.5,)", 2),
    "lambda with effects for NumPy": (
        ("V = 0\ndef make(v):\n    def g(x):\n        global V\n        V += v\n        return x * V\n    return g\n"
        "def f(xs, g):\n    before = V\n    found = np.vectorize(g)(xs)\n    return found, V, before"), "pass", "(np.arange(3.0), make(k))", 2),
    "partial with a traced argument": (
        "import functools\ndef g(y, x, *, z=0):\n    return x * y + z\ndef f(x, y):\n    h = functools.partial(g, y, z=x)\n    return h(x), functools.partial(h, x)(z=1)", "pass", "(1.5, k)", 1),
    "partial of a partial as a value": (
        "import functools\ndef g(y, x, *, z=0):\n    return x * y + z\ndef f(x, y):\n    h = functools.partial(g, y, z=x)\n    return list(map(h, [x, 2])), h.args, h.keywords, callable(h)", "pass", "(1.5, k)", 1),
    "lambda that is returned": ("def make(v):\n    return lambda x: x * v\ndef f(x, g):\n    return [h(x) for h in [g]], callable(g), g is None, g.__name__", "pass", "(1.5, make(k))", 2),
    "lambda that raises": ("def make(v):\n    def g(x):\n        if x * v > 9:\n            raise ValueError(v)\n        return x\n    return g\ndef f(x, g):\n    return g(x)", "pass", "(1.5, make(k))", 2),
    "lambda given only by some": ("def make(v):\n    return lambda x: x * v\ndef f(x, g=None):\n    return x if g is None else g(x)", "pass", "(1.5, make(k)) if k % 2 else (1.5,)", 4),
}  # fmt: skip


def outcomes(source: str, before: str, arguments: str, compiled: bool) -> tuple[list[Any], Any]:
    """Return the results of the calls, and the function."""
    names: dict[str, Any] = {"np": np, "__name__": "world"}
    harness.run_with_source(source, names)
    function = astrace.compile(names["f"]) if compiled else names["f"]
    found = []
    for k in range(1, CALLS + 1):
        names["k"] = k
        harness.run_with_source(before, names)
        outcome = harness.observe(function, eval(arguments, names))
        found.append(
            (harness.shape_of(outcome.result), outcome.error, harness.shape_of(list(outcome.arguments)))
        )
    return found, function


@pytest.mark.parametrize("name", CASES)
def test_values_that_change_at_every_call(name: str) -> None:
    """Every call gives what plain Python gives, from a capture, and there are few captures."""
    source, before, arguments, captures = CASES[name]
    expected, _ = outcomes(source, before, arguments, compiled=False)
    found, function = outcomes(source, before, arguments, compiled=True)
    assert found == expected
    assert function.stats == astrace.Stats(CALLS, captures, captures - 1, 0)


LIMITED = {
    "text": ("def f(x):\n    return x, V", "V = f'v{k}'", "(1.5,)", "`V` ('v1', 'v2', …, 'v8', 'v9')"),
    "text argument": ("def f(x, s):\n    return x, s", "pass", "(1.5, 'a' * k)", "`s` ('a', 'aa', …"),
    "a new function": ("def f(x, g):\n    return g(x)", "def g(x):\n    return x", "(1.5, g)", "`g` ("),
    "a lambda whose defaults are set": (
        "def make(v):\n    return lambda x, k=v: x * k\ndef f(x, g):\n    g.__defaults__ = (x,)\n    return g(x), g.__defaults__", "pass", "(1.5, make(k))", "`g` ("),
    "two functions of which one is picked": (
        "def make(v):\n    return lambda x: x * v\ndef f(x, g, h):\n    return (g if x > 1 else h)(x)", "pass", "(1.5 - k % 2, make(k), make(-k))", "`g` ("),
    "arguments behind a star": ("def f(*xs):\n    return len(xs)", "pass", "(1.5,) * k", "the length of `xs` (1, 2, …, 8, 9)"),
    "layers": (
        "def f(x):\n    for layer in L:\n        x = layer(x)\n    return x\nL = []",
        "L.append(lambda x: x + 1)", "(1.5,)", "the length of `L` (1, 2, …, 8, 9)"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITED)
def test_what_decides_is_limited(name: str) -> None:
    """Values that decide what is captured are limited, and one warning names what changed."""
    source, before, arguments, named = LIMITED[name]
    expected, _ = outcomes(source, before, arguments, compiled=False)
    with mock.patch("warnings.warn") as warn:
        found, function = outcomes(source, before, arguments, compiled=True)
    assert found == expected
    assert function.stats == astrace.Stats(CALLS, 8, 8, CALLS - 8)
    (warning,) = (call.args[0] for call in warn.call_args_list)
    assert type(warning) is astrace.RecompileLimit and named in str(warning)


def test_what_captures_less_is_not_done() -> None:
    """A list of layers is fixed for each capture: a call of what the program picks would be opaque."""
    source, before, arguments, _ = LIMITED["layers"]
    _, function = outcomes(source, before, arguments, compiled=True)
    assert all(not entry.stages.recording.promoted for entry in function._entries)


def test_fullgraph_does_not_ask_for_the_general_capture() -> None:
    """If a read by the running program would not be captured whole, each value is fixed instead."""

    def named(**given: Any) -> Any:
        return given

    @astrace.compile(fullgraph=True)
    def f(x: Any, items: dict[str, Any]) -> Any:
        return named(x=x, **items)

    for count in range(4):
        given = {f"k{index}": index for index in range(count)}
        assert f(1.0, given) == {"x": 1.0, **given}
    assert f.stats == astrace.Stats(4, 4, 3, 0)
