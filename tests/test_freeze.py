"""Freezing on request: named reads become constants that know where they come from."""

from __future__ import annotations

import pickle
import re
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.tracing.external.freezer import normalised

WORLD = """
CFG = {'eps': 0.5, 'mode': 'up', 'sizes': [1.0, 2.0], 'w': np.arange(3.0), 'deep': {'k': 7}, 'names': {'a', 'b'}}
RATE, N, FLAG, PAIR = 2.0, 3, True, (1, 2.5)


class Model:
    scale = 1.5

    def __init__(self, w, n=2):
        self.w, self.n, self.name, self.rows = w, n, 'model', [w, 2 * w]

    def forward(self, x):
        return x * self.w + self.n


MODEL = Model(np.ones(3))


def around():
    inner = 4.0

    def f(x):
        return x * inner

    return f


def helper(x):
    return x + RATE
"""

CASES: dict[str, tuple[str, tuple[str, ...], str]] = {
    # the function's value, what is frozen, what is changed
    "item of a dict": ("x * CFG['eps']", ('CFG["eps"]',), "CFG['eps'] = 9.0"),
    "global number": ("x * RATE", ("RATE",), "RATE = 9.0"),
    "global flag": ("x if FLAG else -x", ("FLAG",), "FLAG = False"),
    "integer as a shape": ("np.zeros(N) + x", ("N",), "N = 5"),
    "text": ("x if CFG['mode'] == 'up' else -x", ("CFG['mode']",), "CFG['mode'] = 'down'"),
    "tuple": ("x * PAIR[0] + PAIR[1]", ("PAIR",), "PAIR = (5, 6.0, 7)"),
    "array": ("x * CFG['w']", ("CFG['w']",), "CFG['w'] = np.ones(5)"),
    "array that is written": ("x * CFG['w']", ("CFG['w']",), "CFG['w'][:] = 9"),
    "list": ("x * sum(CFG['sizes']) + len(CFG['sizes'])", ("CFG['sizes']",), "CFG['sizes'].append(9.0)"),
    "list in a loop": ("[x * v for v in CFG['sizes']]", ("CFG['sizes']",), "CFG['sizes'][0] = 9.0"),
    "set": ("'a' in CFG['names'], sorted(CFG['names'])", ("CFG['names']",), "CFG['names'].add('c')"),
    "all of a dict": (
        "x * CFG['eps'] + CFG['deep']['k'] + len(CFG)", ("CFG",), "CFG['eps'] = 9.0; CFG['deep'] = None; CFG['new'] = 1"),
    "a dict that is gone": ("x * CFG['deep']['k']", ("CFG",), "CFG = None"),
    "keys": ("[name for name in CFG]", ("CFG",), "CFG['new'] = 1"),
    "attribute": ("x * MODEL.w", ("MODEL.w",), "MODEL.w[:] = 9; MODEL.n = 9"),
    "all of an object": ("MODEL.forward(x)", ("MODEL",), "MODEL.w = None; MODEL.n = 9"),
    "another object": ("MODEL.forward(x)", ("MODEL",), "MODEL = None"),
    "class attribute": ("x * Model.scale", ("Model.scale",), "Model.scale = 9.0"),
    "item of a list at an attribute": ("x * MODEL.rows[1]", ("MODEL.rows[1]",), "MODEL.rows[1][:] = 9"),
    "what a helper reads": ("helper(x)", ("RATE",), "RATE = 9.0"),
    "two names": ("x * CFG['eps'] + RATE", ("CFG['eps']", "RATE"), "CFG['eps'] = RATE = 9.0"),
}  # fmt: skip


def world(value: str) -> dict[str, Any]:
    names: dict[str, Any] = {"np": np, "__name__": "world"}
    harness.run_with_source(f"{WORLD}\n\ndef f(x):\n    return {value}\n", names)
    return names


@pytest.mark.parametrize("name", CASES)
def test_a_frozen_read_stays_what_it_was(name: str) -> None:
    """Whatever becomes of it; for arguments of another type that are captured later, too."""
    value, frozen, change = CASES[name]
    names = world(value)
    expected = [names["f"](2.0), names["f"](np.float32(2))]
    function = astrace.freeze(names["f"], *frozen)
    assert harness.same(function(2.0), expected[0])
    harness.run_with_source(change, names)
    assert harness.same(function(2.0), expected[0]) and function.stats.traces == 1
    assert harness.same(function(np.float32(2)), expected[1])
    assert function.stats == astrace.Stats(calls=3, traces=2, guard_failures=1, fallbacks=0)


@pytest.mark.parametrize("name", CASES)
def test_a_frozen_read_is_neither_made_nor_checked(name: str) -> None:
    """Each is a constant of the graph with its origin, told by `explain` with the line that read it."""
    value, frozen, _ = CASES[name]
    names = world(value)
    function = astrace.compile(names["f"], freeze=frozen)
    graph = function.stages(2.0).graph
    held = [constant for constant in graph.constants if constant.origin.kind == "frozen"]
    wanted = [normalised(name) for name in frozen]
    below = re.compile(rf"^(?:{'|'.join(map(re.escape, wanted))})(?![\w'])")
    assert held or "object" in name
    assert all(below.match(one.origin.path) and one.origin.location.text.startswith("return") for one in held)
    assert not [guard for guard in graph.guards if below.match(str(guard.path))]
    assert not [path for path in graph.inputs if below.match(str(path)) and not hasattr(path, "pinned")]
    text = function.explain(2.0)
    for one in held:
        assert f"`{one.origin.path}` is frozen on request: " in text
        assert f"frozen: {one.origin.path} = " in str(graph)


def test_attributes_of_arguments_are_frozen_for_each_object() -> None:
    """Another object has its own; what is not named is read afresh."""
    names = world("x[0].forward(x[1])")
    harness.run_with_source("def g(model, x):\n    return model.forward(x)\n", names)
    function = astrace.freeze(names["g"], "model.w")
    first, second = names["Model"](np.ones(3)), names["Model"](np.zeros(3))
    before = [function(one, 2.0) for one in (first, second)]
    for one in (first, second):
        one.w[:] = 9
    assert all(map(harness.same, before, [function(one, 2.0) for one in (first, second)]))
    first.n = 5
    assert harness.same(function(first, 2.0), before[0] + 3)


def test_a_variable_of_a_function_around() -> None:
    """By its name."""
    inner = world("x")["around"]()
    frozen = astrace.freeze(inner, "inner")
    assert frozen(1.0) == 4.0
    inner.__closure__[0].cell_contents = 9.0
    assert (frozen(1.0), inner(1.0)) == (4.0, 9.0)


def test_options_are_kept() -> None:
    """Of a function that is compiled already; it stays as it is."""

    @astrace.compile(recompile_limit=2, fullgraph=True)
    def h(x: float, y: float = 2.0, *, z: float = 3.0) -> float:
        return x * y * z

    plain = h.__wrapped__
    frozen = astrace.freeze(astrace.freeze(h, "y"), "z")
    assert frozen.__astrace_options__.freeze == ("y", "z") and frozen.__astrace_options__.recompile_limit == 2
    assert frozen(1.0) == h(1.0) == 6.0
    plain.__defaults__, plain.__kwdefaults__ = (9.0,), {"z": 9.0}
    assert (frozen(1.0), h(1.0)) == (6.0, 81.0)
    assert frozen.__name__ == "h" and frozen.__wrapped__ is plain


class Scaled:
    def __init__(self, rate: float) -> None:
        self.rate = rate

    @astrace.compile
    def times(self, x: float) -> float:
        return x * self.rate


def test_a_method() -> None:
    """A compiled method of one object, frozen."""
    one = Scaled(2.0)
    frozen = astrace.freeze(one.times, "self.rate")
    assert frozen(3.0) == 6.0
    one.rate = 5.0
    assert (frozen(3.0), one.times(3.0)) == (6.0, 15.0)


def test_what_is_returned_does_not_leak() -> None:
    """A frozen array can't be written through what the function gave; nor can the function write it."""
    names = world("CFG['w']")
    function = astrace.freeze(names["f"], "CFG['w']")
    found = function(1.0)
    assert not found.flags.writeable and found is not names["CFG"]["w"]
    harness.run_with_source("def f(x):\n    CFG['w'][0] = x\n    return CFG['w']\n", names)
    with pytest.raises(ValueError, match="read-only"):
        astrace.freeze(names["f"], "CFG['w']")(1.0)


@pytest.mark.parametrize(
    "change", ["CFG['sizes'].append(x)", "CFG['sizes'][0] = x", "del CFG['sizes'][0]", "CFG['sizes'] += [x]", "CFG['new'] = x"]
)  # fmt: skip
def test_a_frozen_container_that_the_function_changes_stops_the_capture(change: str) -> None:
    """The plain function runs, with the reason."""
    names = world("x")
    harness.run_with_source(f"def f(x):\n    {change}\n    return CFG['sizes'], len(CFG)\n", names)
    function = astrace.freeze(names["f"], "CFG")
    reason = function.stages(1.0).fallback
    assert (
        reason is not None
        and reason.code == "AT204"
        and "is frozen on request, and is changed here" in reason.message
    )
    assert harness.same(function(1.0), ([*names["CFG"]["sizes"]], len(names["CFG"])))


WRONG = {
    "CFG['epz']": "freeze: \"CFG['epz']\" is read nowhere in {file}:1, in f; read are CFG, CFG['eps'], RATE",
    "CFG['eps'].x": "freeze: \"CFG['eps'].x\" is read nowhere in {file}:1, in f; read are CFG, CFG['eps'], RATE",
}
NO_PATHS = ["CFG[", "CFG[i]", "f(x)", "1", "", "a + b", "CFG[1:2]"]


@pytest.mark.parametrize("name", WRONG)
def test_names_that_are_read_nowhere(name: str) -> None:
    """The message names the function and what it reads."""
    names = world("x")
    harness.run_with_source("def f(x):\n    return x * CFG['eps'] + RATE\n", names)
    function = astrace.freeze(names["f"], name)
    message = WRONG[name].format(file=names["f"].__code__.co_filename)
    for ask in (function, function.stages, function):
        with pytest.raises(astrace.InvalidArgument, match=re.escape(message)):
            ask(1.0)


@pytest.mark.parametrize("name", NO_PATHS)
def test_names_that_are_no_access_paths(name: str) -> None:
    """They are refused at once."""
    with pytest.raises(astrace.InvalidArgument, match="is no access path, such as"):
        astrace.compile(len, freeze=name)
    with pytest.raises(astrace.InvalidArgument, match="is no access path, such as"):
        astrace.freeze(len, name)
    with pytest.raises(astrace.InvalidArgument, match="which reads"):
        astrace.freeze(len)


def test_pickling_keeps_the_names() -> None:
    """A frozen function goes to another process with its options, not with what it read here."""
    assert pickle.loads(pickle.dumps(FROZEN)).__astrace_options__ == FROZEN.__astrace_options__


def rated(x: float) -> float:
    return x * RATE


RATE = 2.0
FROZEN = astrace.freeze(rated, "RATE")
