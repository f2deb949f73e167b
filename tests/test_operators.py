"""Operators in pipelines: what they are outside traces, what a trace makes of their calls, state, order and batches."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import itertools
import operator
import pickle
import random
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.errors import InvalidArgument
from astrace.ir.walk import nodes
from astrace.ops.callables.operators import OPERATORS
from astrace.ops.callables.purity import Declarations
from astrace.pipelines.constructors import construction_of


@astrace.script
class Words:
    """Texts to numbers."""

    def __init__(self, words: list[str], unknown: int = -1, *, lower: bool = False) -> None:
        """Take the words."""
        self.ids = {word: index for index, word in enumerate(words)}
        self.unknown = unknown
        self.lower = lower

    def __call__(self, text: str) -> list[int]:
        return [self.ids.get(word, self.unknown) for word in (text.lower() if self.lower else text).split()]


@astrace.script
class Linear:
    def __init__(self, weights: Any, bias: float = 0.0) -> None:
        self.weights, self.bias = weights, bias

    def __call__(self, x: Any) -> Any:
        return x @ self.weights + self.bias


@astrace.script
class Counter:
    def __init__(self, start: int = 0) -> None:
        self.value = start

    def __call__(self, a: int) -> int:
        self.value = self.value * a + a
        return self.value

    def minus(self, a: int) -> int:
        self.value -= a
        return self.value


@astrace.script
def shout(text: str, mark: str = "!") -> str:
    return text.upper() + mark


@astrace.script
def tenfold(x: Any) -> Any:
    return x * 10


def ops(graph: Any) -> list[str]:
    """Return the ops of a graph."""
    return [node.op for node in nodes(graph.block)]


def calls(graph: Any) -> int:
    return sum(op in ("call", "call_method") for op in ops(graph))


# -- outside traces ---------------------------------------------------------------------------------------


def test_a_class_stays_what_it_is() -> None:
    """Instances, attributes, signature, documentation, copies, pickles and subclasses are those of the plain class."""
    one = Words(["a", "b"], lower=True)
    assert (
        type(one) is Words
        and isinstance(one, Words)
        and vars(one) == {"ids": {"a": 0, "b": 1}, "unknown": -1, "lower": True}
    )
    assert one("A c") == [0, -1]
    assert (
        str(inspect.signature(Words))
        == "(words: 'list[str]', unknown: 'int' = -1, *, lower: 'bool' = False) -> 'None'"
    )
    assert (
        Words.__doc__ == "Texts to numbers."
        and Words.__init__.__doc__ == "Take the words."
        and Words.__name__ == "Words"
    )
    assert "self.unknown = unknown" in inspect.getsource(Words)
    for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert type(other) is Words and vars(other) == vars(one) and other("b") == [1]

    class More(Words):
        def __call__(self, text: str) -> list[int]:
            return [*super().__call__(text), 7]

    assert More(["a"])("a") == [0, 7] and issubclass(More, Words)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'words'"):
        Words()  # type: ignore[call-arg]


def test_a_function_stays_what_it_is() -> None:
    """It is not even wrapped."""

    def plain(x: int) -> int:
        return x

    assert astrace.script(plain) is plain and astrace.script(assets=None)(Linear) is Linear
    assert pickle.loads(pickle.dumps(shout)) is shout and shout("a", mark="?") == "A?"


def test_constructions_are_noted_once_and_forgotten_with_the_instance() -> None:
    """Defaults are noted; a constructor that raises leaves nothing; a base's constructor does not count."""
    words = ["a"]
    one = Words(words)
    words.append("b")
    found = construction_of(one)
    assert found is not None
    assert [(given.parameter, given.keyword, given.value) for given in found.arguments] == [
        ("words", "", ["a"]), ("unknown", "", -1), ("lower", "lower", False),
    ]  # fmt: skip

    class Own(Words):
        def __init__(self) -> None:
            super().__init__(["x"])

    assert construction_of(Own()) is None and construction_of(copy.copy(one)) is None
    astrace.script(Own)
    made = construction_of(Own())
    assert made is not None and made.cls is Own and made.arguments == ()


@dataclasses.dataclass(frozen=True)
class Settings:
    depth: int


def test_kinds_of_classes() -> None:
    """Dataclasses with slots, classes with ``__new__`` alone, with no constructor, and resources that are not called."""

    @astrace.script
    @dataclasses.dataclass(frozen=True, slots=True)
    class Frozen:
        by: float = 2.0

        def __call__(self, x: Any) -> Any:
            return x * self.by

    class Pair(tuple):  # noqa: SLOT001 - as users write it
        def __new__(cls, a: int, b: int) -> Pair:
            return super().__new__(cls, (a, b))

        def __call__(self, x: Any) -> Any:
            return self[0] * x

    @astrace.script
    class Bare:
        def __call__(self, x: Any) -> Any:
            return x + 1

    class Whole(int):
        def __call__(self, x: Any) -> Any:
            return x

    astrace.script(Whole)
    seven = construction_of(Whole("21", base=3))
    assert seven is not None and [(one.keyword, one.value) for one in seven.arguments] == [
        ("", "21"),
        ("base", 3),
    ]
    astrace.script(Pair)
    frozen, pair, bare = Frozen(3.0), Pair(2, 5), Bare()
    assert frozen == Frozen(3.0) and pair == (2, 5)
    assert [len(construction_of(one).arguments) for one in (frozen, pair, bare)] == [1, 2, 0]  # type: ignore[union-attr]
    with pytest.raises(TypeError):
        Bare(1)  # type: ignore[call-arg]
    graph = astrace.trace(lambda x: bare(frozen(x)), 1.0)
    assert graph(2.0) == 7.0 and calls(graph) == 0


@pytest.mark.parametrize("target", [5, len, np.sin, functools.partial(shout), int, staticmethod(shout)])
def test_what_is_no_operator(target: Any) -> None:
    """C functions and classes, and objects, are refused."""
    with pytest.raises(InvalidArgument, match="script: "):
        astrace.script(target)


def test_compiled_functions_know_no_operators() -> None:
    """`compile` traces through operators as through any other code."""
    linear = Linear(np.ones((2, 2)))

    @astrace.compile
    def f(x: Any) -> Any:
        return linear(x).sum() + Linear(np.eye(2))(x)[0]

    assert f(np.ones(2)) == 5.0 and f.stats.fallbacks == 0


# -- inlined or called ------------------------------------------------------------------------------------


def test_arithmetic_is_inlined() -> None:
    """What computes with arrays is part of the graph, with its weights as constants."""
    first, second = Linear(np.ones((3, 2)), 1.0), Linear(np.full((2, 2), 0.5))

    def model(x: Any) -> Any:
        y = np.tanh(first(x))
        for _ in range(2):
            y = second(y)
        return tenfold(y) if y.sum() > 0 else y

    graph = astrace.trace(model, np.ones(3))
    assert calls(graph) == 0 and graph.operators == () and len(graph.assets) == 0
    for x in (np.arange(3.0), -np.arange(3.0)):
        np.testing.assert_array_equal(graph(x), model(x))


def test_texts_are_data_of_a_node() -> None:
    """A tokeniser is one node; a graph takes other texts, and loops over results of other lengths."""
    words = Words(["a", "b", "c"])
    table = np.arange(6.0).reshape(3, 2)

    def pipeline(text: str) -> Any:
        total = np.zeros(2)
        for index in words(text):
            if index < 0:
                continue
            total = total + table[index]
        return total, shout(text)

    graph = astrace.trace(pipeline, "a b")
    assert calls(graph) == 2 and [one.name for one in graph.operators] == ["Words", "shout"]
    for text in ("a b", "c", "c z a b b", ""):
        np.testing.assert_equal(graph(text), pipeline(text))
    with pytest.raises(astrace.SignatureMismatch):
        graph(3)


def test_fields_and_lengths_of_results_differ() -> None:
    """Dictionaries with other fields, lists of arrays of other shapes, texts: each call looks at what is there."""

    @astrace.script
    def parse(text: str) -> dict[str, Any]:
        parts = [np.arange(len(word)) for word in text.split()]
        return {"parts": parts, **({"long": text} if len(parts) > 2 else {})}

    def pipeline(text: str) -> Any:
        found = parse(text)
        sizes = [part.sum() for part in found["parts"]]
        if "long" in found:
            return found["long"], sizes
        return sizes, len(found)

    graph = astrace.trace(pipeline, "ab c")
    for text in ("ab c", "abc", "a bb ccc dddd", ""):
        assert graph(text) == pipeline(text)


def test_every_exception_is_the_operators_own() -> None:
    """An operator's exception passes through a graph, and is caught in it, as in the plain pipeline."""

    @astrace.script
    def strict(text: str) -> int:
        return int(text)

    def pipeline(text: str) -> int:
        try:
            return strict(text)
        except ValueError:
            return -1

    graph, plain = astrace.trace(pipeline, "3"), astrace.trace(strict, "3")
    assert [graph(text) for text in ("4", "x")] == [4, -1] and plain("5") == 5
    with pytest.raises(ValueError, match="invalid literal"):
        plain("x")


def test_order_and_number_of_effects() -> None:
    """Operators that are nodes run once each, in the order of the program, and not while tracing; unused ones too."""
    log: list[str] = []

    @astrace.script
    class Told:
        def __init__(self, name: str) -> None:
            self.name = name

        def __call__(self, x: Any) -> Any:
            log.append(f"{self.name}{x}")
            return x

    a, b = Told("a"), Told("b")

    def pipeline(x: int) -> int:
        b(x)
        y = a(x + 1)
        if x > 3:
            y = a(y + 1)
        return b(y)

    graph = astrace.trace(pipeline, 1)
    assert log == []
    for x in (1, 4):
        plain = pipeline(x), tuple(log)
        log.clear()
        assert (graph(x), tuple(log)) == plain
        log.clear()


def test_operators_without_arguments_are_called_each_time() -> None:
    """What depends on no argument is not computed once and for all."""
    counter = itertools.count(1)

    @astrace.script
    def draw() -> tuple[int, int, int]:
        return (next(counter), 2, 3)

    def pipeline(x: int) -> Any:
        a, b, c = draw()
        return a + x, b, c

    graph = astrace.trace(pipeline, 1)
    assert [graph(0), graph(10)] == [(1, 2, 3), (12, 2, 3)]


def test_what_asks_the_world_is_a_node(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    """Clocks, random streams, files and printing are asked each time, however numeric the operator is otherwise."""
    path = tmp_path / "scale"

    @astrace.script
    class Worldly:
        def __init__(self, what: Any) -> None:
            self.what = what

        def __call__(self, x: Any) -> Any:
            return x * self.what()

    asked = {
        "clock": Worldly(time.perf_counter),
        "random": Worldly(np.random.default_rng(3).random),
        "file": Worldly(lambda: float(path.read_text())),
        "print": Worldly(lambda: print("!") or 1.0),
    }
    path.write_text("2")
    graphs = {name: astrace.trace(lambda x, one=one: one(x), 1.0) for name, one in asked.items()}
    assert [calls(graph) for graph in graphs.values()] == [1, 1, 1, 1] and capsys.readouterr().out == ""
    assert graphs["clock"](1.0) < graphs["clock"](1.0) and graphs["random"](1.0) != graphs["random"](1.0)
    path.write_text("5")
    assert graphs["file"](2.0) == 10.0 and graphs["print"](2.0) == 2.0 and capsys.readouterr().out == "!\n"


def test_operators_change_what_they_are_given() -> None:
    """Lists, dicts and arrays: what the pipeline reads of them afterwards is what they hold then."""

    @astrace.script
    def fill(items: list[Any], found: dict[str, Any], array: Any, text: str) -> None:
        items.append(text)
        found[text] = len(items)
        array += len(text)

    def pipeline(text: str, given: Any, items: list[Any]) -> Any:
        found = {"a": 0}
        made = np.zeros(2)
        fill(items, found, made, text)
        fill([], found, given, text + "!")
        return len(items), items[-1], found, made.sum(), given

    graph = astrace.trace(pipeline, "x", np.ones(2), ["b"])
    for text, items in (("yy", ["b"]), ("", ["b", "c"])):
        array, twin, twins = np.ones(2), np.ones(2), [*items]
        np.testing.assert_equal(graph(text, array, items), pipeline(text, twin, twins))
        assert items == twins and array.tolist() == twin.tolist()


def test_operators_change_containers_from_outside() -> None:
    """Dicts and lists that are arguments, or variables of the pipeline, whole or in others: their keys and lengths, too."""

    @astrace.script
    def fill(found: dict[str, Any], *others: Any) -> None:
        found["new"] = len(found)
        found.pop("old", None)
        for one in others:
            one.append(str(found))

    def pipeline_of() -> Any:
        kept, items = {"old": 1}, ["a"]

        def pipeline(given: dict[str, Any]) -> Any:
            fill(given, given["items"])
            fill(kept, items, [given["items"]][0])
            found = [("old" in one, len(one), one.get("old"), one["new"], list(one)) for one in (given, kept)]
            return found, len(items), items[-1], len(given["items"]), given

        return pipeline

    graph, plain = astrace.trace(pipeline_of(), {"old": 2, "items": []}), pipeline_of()
    for number in range(2):
        given, twin = ({"old": number, "items": []} for _ in range(2))
        assert graph(given) == plain(twin) and given == twin


def test_what_was_tried_in_a_loop_leaves_nothing_behind(tmp_path: Path) -> None:
    """An operator that turns out to call what can't be looked into is a node, and the loop holds no other opaque call."""
    fall = Falls()

    def pipeline(x: float, n: int) -> float:
        while n < 5:
            n += 1
            x = fall(x, n)
        return x

    graph = astrace.trace(pipeline, 1.0, 2)
    graph.save(tmp_path / "saved")
    assert graph(1.5, 3) == astrace.load(tmp_path / "saved", operators=[Falls])(1.5, 3) == pipeline(1.5, 3)


@astrace.script
class Falls:
    """It calls itself until a number is used up."""

    def __call__(self, x: float, n: int) -> float:
        return x if n <= 0 else self(x * 2, n - 1)


# -- state and sharing ------------------------------------------------------------------------------------


def test_state_goes_on() -> None:
    """A hundred steps of a counter equal those of its plain twin; tracing itself is no step."""
    traced, twin = Counter(), Counter()

    def pipeline(a: int) -> Any:
        before = traced.value
        return before, traced(a), traced.minus(a), traced.value

    graph = astrace.trace(pipeline, 1)
    assert traced.value == 0
    rng = random.Random(5)
    for _ in range(100):
        a = rng.randint(-10, 10)
        assert graph(a) == (twin.value, twin(a), twin.minus(a), twin.value)


@astrace.script
class Shared:
    def __init__(self) -> None:
        self.scale = np.ones(1)
        self.seen: list[int] = []


@astrace.script
class Adds:
    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    def __call__(self, x: Any) -> Any:
        self.shared.scale += 1
        self.shared.seen.append(1)
        return x + self.shared.scale


@astrace.script
class Scales:
    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    def __call__(self, x: Any) -> Any:
        return x * self.shared.scale


@pytest.mark.parametrize("first", [True, False])
def test_a_shared_resource_is_one_object(first: bool) -> None:
    """An operator that reads what another one changes sees it, on whichever side of it it is called."""
    shared, twin = Shared(), Shared()

    def pipeline(x: Any, adds: Adds, scales: Scales) -> Any:
        return adds(scales(x)) if first else scales(adds(x))

    adds, scales = Adds(shared), Scales(shared)
    graph = astrace.trace(lambda x: pipeline(x, adds, scales), np.zeros(1))
    for x in (np.zeros(1), np.ones(1), np.ones(1)):
        np.testing.assert_array_equal(graph(x), pipeline(x, Adds(twin), Scales(twin)))
    assert len(shared.seen) == 3 and {one.name for one in graph.operators} == {"Shared", "Adds", "Scales"}


def test_an_operator_computes_beside_one_that_is_a_node() -> None:
    """Operators of which each holds its own share nothing, though their constructors take note of arguments."""
    words, scale = Words(["a", "b"]), Scales(Shared())
    graph = astrace.trace(lambda text, x: (words(text), scale(x)), "a b", np.zeros(1))
    assert [one.name for one in graph.operators] == ["Words"]
    assert graph("b", np.full(1, 3.0)) == (words("b"), scale(np.full(1, 3.0)))


@astrace.script
@dataclasses.dataclass
class Sized:
    """It has methods that Python calls by itself."""

    texts: list[str] = dataclasses.field(default_factory=list[str])

    def __call__(self, text: str) -> int:
        self.texts.append(text)
        return len(self)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: int) -> str:
        return self.texts[index]


def test_special_methods_of_an_operator_unsettle_nothing(tmp_path: Path) -> None:
    """They do not run when it is called: what else the pipeline reads stays what it is, and in the graph."""
    scale = Scales(Shared())

    def pipeline(text: str, x: Any, sized: Sized) -> Any:
        return sized(text), scale(x), sized(text)

    sized = Sized()
    graph = astrace.trace(lambda text, x: pipeline(text, x, sized), "a", np.zeros(1))
    graph.save(tmp_path / "saved")
    assert [one.name for one in graph.operators] == ["Sized"]
    for run in (graph, astrace.load(tmp_path / "saved", operators=[Sized])):
        twin = Sized()
        for text in ("a", "b"):
            assert run(text, np.ones(1)) == pipeline(text, np.ones(1), twin)


def test_wiring() -> None:
    """Operators are used twice, in four ways, with intermediate results that nobody needs."""
    words, count = Words(["a", "b"]), astrace.script(lambda ids: len(ids))
    wirings: list[Any] = [
        lambda text: (count(words(text)), count(words(text + " b"))),
        lambda text: count(words(text)) + count(words(shout(text))),
        lambda text: [count(words(one)) for one in (text, text * 2)][1],
        lambda text: (words(text), count(words(text)))[1],
    ]
    for pipeline in wirings:
        graph = astrace.trace(pipeline, "a b")
        for text in ("a b", "a", "b b a z"):
            assert graph(text) == pipeline(text)


def test_operators_are_reached_in_any_way() -> None:
    """As variables of a closure, attributes, items, methods, arguments of other operators."""
    held = {"op": Counter(1)}

    @astrace.script
    class Outer:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __call__(self, text: str) -> Any:
            return self.inner(text), self.inner(text)

    outer = Outer(Words(["x"]))

    class Model:
        def __init__(self) -> None:
            self.outer = outer

        def run(self, text: str, n: int) -> Any:
            return self.outer(text), held["op"].minus(n)

    graph = astrace.trace(Model().run, "x y", 2)
    assert graph("x", 1) == (([0], [0]), 0) and graph("y", 1) == (([-1], [-1]), -1)
    assert [one.name for one in graph.operators] == ["Words", "Outer", "Counter"]


def test_objects_that_operators_return() -> None:
    """Methods of a result are called on it each time."""

    class Handle:
        def __init__(self, value: int) -> None:
            self.value = value

        def get(self) -> int:
            return self.value

    @astrace.script
    def make(x: int) -> Handle:
        return Handle(x)

    graph = astrace.trace(lambda x: make(x).get() + 1, 1)
    assert graph(5) == 6


def test_an_operator_is_a_pipeline() -> None:
    """It is called as it is: by position, by keyword, with its defaults."""
    graph, method = astrace.trace(Words(["a"]), "a"), astrace.trace(Counter().minus, 1)
    assert graph("a b") == [0, -1] and graph(text="b") == [-1]
    assert [method(1), method(a=5)] == [-1, -6]
    texts = astrace.trace(shout, "a")
    assert texts("b") == "B!" and str(texts.signature) == "(text, mark='!')"


def test_loops_over_lists_of_texts() -> None:
    """A batch of another size is no other program."""
    words = Words(["a"])

    def pipeline(texts: list[str]) -> Any:
        found = [words(text) for text in texts]
        return found, max(len(one) for one in found)

    graph = astrace.trace(pipeline, ["a", "a b"])
    for texts in (["a"], ["a b c", "", "a"]):
        assert graph(texts) == pipeline(texts)


@astrace.script
class Echo:
    def __call__(self, x: Any) -> Any:
        return {"x": x}["x"]


def test_a_deep_diamond_takes_linear_time() -> None:
    """Sixty levels, of which each uses the one before it twice."""
    words, echo = astrace.script(lambda a, b: f"{a[:1]}{b[:1]}"), Echo()

    def pipeline(text: str) -> str:
        for _ in range(60):
            text = words(text, text)
        return text

    def numbers(x: Any) -> Any:
        for level in (*[1] * 60,):
            x = tenfold(x) + tenfold(x) * level
        return echo(x)

    start = time.perf_counter()
    assert astrace.trace(pipeline, "ab")("cd") == "cc"
    np.testing.assert_array_equal(astrace.trace(numbers, np.ones(2))(np.ones(2) / 7), numbers(np.ones(2) / 7))
    assert time.perf_counter() - start < 30


def test_nested_traces() -> None:
    """An operator that traces a pipeline itself; a trace in the middle of another one leaves it alone."""

    @astrace.script
    def inner(text: str) -> int:
        return astrace.trace(lambda text: len(shout(text)), "a")(text)

    graph = astrace.trace(lambda text: inner(text) + len(shout(text)), "ab")
    assert graph("abc") == 8


def test_traces_in_four_threads() -> None:
    """Each gets its own graph."""
    words, found, start = Words(["a", "b"]), dict[int, Any](), threading.Barrier(4)

    def work(number: int) -> None:
        start.wait()
        for _ in range(5):
            graph = astrace.trace(lambda text: (len(words(text)) + number, shout(text)), "a b")
            found[number] = graph("a b c")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == {number: (3 + number, "A B C!") for number in range(4)}


def test_declarations_are_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the same pipeline is traced through, and fixes the text."""
    words = Words(["a"])
    assert astrace.trace(lambda text: words(text), "a")("b") == [-1]
    for name, value in vars(Declarations()).items():
        monkeypatch.setattr(OPERATORS, name, value)
    with pytest.raises(astrace.SignatureMismatch):
        astrace.trace(lambda text: words(text), "a")("b")


# -- batches ----------------------------------------------------------------------------------------------


def test_pmap() -> None:
    """Order is kept, also by threads that take different times, for any number of items and any iterable."""
    assert astrace.pmap(shout, []) == [] and astrace.pmap(len, iter(["a", "bb"]), workers=1) == [1, 2]
    expected = list(map(str.upper, itertools.islice(itertools.cycle(["hello", "world"]), 300)))

    def slowly(text: str) -> str:
        time.sleep(0.001 * (len(text) % 2))
        return text.upper()

    assert astrace.pmap(slowly, [text.lower() for text in expected], workers=8) == expected


@astrace.script
def halve(x: int) -> int:
    if x == 3:
        raise LookupError("three")
    return x // 2


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_pmap_errors_name_the_item(engine: str) -> None:
    """The operator's own exception, of the first item that raises, with a note."""
    with pytest.raises(LookupError, match="three") as raised:
        astrace.pmap(halve, [8, 6, 3, 3, 1], engine=engine, workers=2)
    assert raised.value.__notes__ == ["in pmap, for item 2"]


def test_pmap_in_a_trace() -> None:
    """It is one node, and the operator that it is given another operator of the graph."""
    words = Words(["a"])

    def pipeline(texts: list[str]) -> Any:
        return len(astrace.pmap(words, texts, workers=2)), astrace.pmap(shout, texts)

    graph = astrace.trace(pipeline, ["a"])
    assert graph(["a", "b", "c"]) == (3, ["A!", "B!", "C!"]) and calls(graph) == 2
    assert {one.name: one.kind for one in graph.operators} == {
        "Words": "class",
        "shout": "function",
        "pmap": "builtin",
    }


FIRST = """
import astrace
def names(text): return text + "!"
def pipeline(texts): return astrace.pmap(names, texts), astrace.pmap(names, texts)
graphs = [str(astrace.trace(pipeline, ["a"])) for _ in range(2)]
assert graphs[0] == graphs[1] and graphs[0].count("pmap, names, texts)") == 2, graphs[0]
"""


def test_pmap_that_a_pipeline_names_first(tmp_path: Path) -> None:
    """It is loaded when it is named; the first trace of a process is as the second."""
    (tmp_path / "first.py").write_text(FIRST)
    subprocess.run([sys.executable, tmp_path / "first.py"], check=True, timeout=60)


def test_pmap_bad_arguments() -> None:
    """Each names what is accepted."""
    for bad in ({"engine": "fork"}, {"workers": 0}):
        with pytest.raises(InvalidArgument, match="pmap: "):
            astrace.pmap(shout, ["a"], **bad)  # type: ignore[arg-type]
    for operator_, items in ((3, ["a"]), (shout, "abc"), (shout, {"a": 1})):
        with pytest.raises(InvalidArgument, match="pmap: "):
            astrace.pmap(operator_, items)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="can't be sent"):
        astrace.pmap(lambda x: x, [1], engine="processes")


def test_plain_opaque_calls_stay_what_they_are() -> None:
    """What is no operator is traced through or called as before, beside operators."""
    words, table = Words(["a"]), {"a": 1.0}

    class Plain:
        def __call__(self, x: Any) -> Any:
            table["a"] = operator.add(table["a"], 1)
            return x

    plain = Plain()
    graph = astrace.trace(lambda text, x: (words(text), plain(x), table["a"]), "a", 2.0)
    assert graph("b", 3.0) == ([-1], 3.0, 2.0) and graph("b", 3.0)[2] == 2.0


def test_a_constructor_s_warning_is_the_caller_s():
    """No frame of astrace's stands between a class and whoever makes an instance."""

    class Plain:
        def __init__(self, old=1):
            warnings.warn("old", stacklevel=2)

        def __call__(self, x):
            return x

    class Made(Plain):
        def __new__(cls, *args):
            warnings.warn("made", stacklevel=2)
            return super().__new__(cls)

    def lines(cls):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cls(1)
        return [(str(one.message), one.filename, one.lineno) for one in caught]

    for cls in (Plain, Made):
        expected = lines(cls)
        assert len(expected) >= 1 and lines(astrace.script(cls)) == expected


# -- declared results -------------------------------------------------------------------------------------


@astrace.script(returns=(np.zeros((1, 2)), 0))
class Measured:
    """Gives an array and a number, unless it is told to give something else."""

    def __init__(self, gives: Any = None) -> None:
        self.gives, self.calls = gives, 0

    def __call__(self, text: str) -> Any:
        self.calls += 1
        if self.gives is not None:
            return self.gives
        return np.full((len(text), 2), self.calls / 3), len(text)


@astrace.script(returns=[0])
def lengths(text: str) -> list[int]:
    return [len(word) for word in text.split()]


def measured_pipeline(operator: Measured) -> Any:
    def pipeline(text: str) -> Any:
        rows, count = operator(text)
        total = 0.0
        for i in range(rows.shape[0]):
            total += rows[i, 0] * i
        for length in lengths(text):
            total += length * length
        return total, count, rows

    return pipeline


def test_declared_results_are_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows from them is typed, and machine code where there is some; in a loaded graph, too; state goes on as it does."""
    graph = astrace.trace(measured_pipeline(Measured()), "ab c")
    text = str(graph)
    assert "float64[?, ?]" in text and "list[int]" in text and "t_3: any" not in text
    graph.save(tmp_path / "saved")
    monkeypatch.setenv("ASTRACE_BACKEND", "native")
    loaded = astrace.load(tmp_path / "saved", operators=[Measured, lengths])
    for run in (graph, loaded):
        plain = measured_pipeline(Measured())
        for given in ("abc de f", "", "x"):
            found, expected = run(given), plain(given)
            assert found[:2] == expected[:2] and type(found[0]) is type(expected[0])
            np.testing.assert_array_equal(found[2], expected[2], strict=True)


OTHER_RESULTS = [
    (np.zeros((1, 2), np.float32), 0),
    (np.zeros(2), 0),
    (np.zeros((1, 2)).view(np.recarray), 0),
    (np.zeros((1, 2)), 0.0),
    (np.zeros((1, 2)), True),
    (np.zeros((1, 2)), np.int64(0)),
    (np.zeros((1, 2)), 0, 0),
    [np.zeros((1, 2)), 0],
    np.zeros((1, 2)),
    "text",
    {},
]


@pytest.mark.parametrize("number", range(len(OTHER_RESULTS)))
def test_other_results_than_declared(number: int) -> None:
    """An error that names the operator and both types, which no handler of the pipeline sees."""
    operator = Measured()
    inner = measured_pipeline(operator)

    def pipeline(text: str) -> Any:
        try:
            return inner(text)
        except (RuntimeError, TypeError, ValueError):
            return None

    graph = astrace.trace(pipeline, "a")
    operator.gives = OTHER_RESULTS[number]
    with pytest.raises(astrace.WrongResult, match=r"Measured gave .*, and was declared to give \(float64"):
        graph("abc")
    with pytest.raises(astrace.WrongResult, match="declare another `returns`, or none"):
        astrace.trace(measured_pipeline(operator), "a")("abc")


def test_examples_that_tell_no_type() -> None:
    for example in ("text", [], {}, [""], (1, "a"), np.zeros(3).view(np.matrix), object(), [[1], []], {1}):
        with pytest.raises(astrace.InvalidArgument, match=r"script: returns=.*accepted are numbers"):
            astrace.script(lambda text: text, returns=example)
    assert astrace.script(returns=1.5)(lengths) is lengths and astrace.script(lengths, returns=[0]) is lengths


@astrace.script(returns=0)
def first_length(text: str) -> Any:
    return len(text.split()[0]) if text else None


def test_what_is_declared_is_asked_when_the_result_is_used() -> None:
    """An operator that raises raises its own; one that gives nothing gives another result."""
    graph = astrace.trace(lambda text: first_length(text) + 1, "ab c")
    assert graph("abc de") == 4
    with pytest.raises(IndexError):
        graph("  ")
    with pytest.raises(astrace.WrongResult, match="first_length gave None, and was declared to give int"):
        graph("")


@astrace.script
class Dense:
    def __init__(self, weights: Any) -> None:
        self.weights = weights

    def __call__(self, x: Any) -> Any:
        return np.tanh(x @ self.weights) if len(x) else x


@pytest.mark.parametrize("declared", [False, True])
def test_operators_after_a_declared_result(declared: bool) -> None:
    """They compute with arrays, so they become parts of the graph, where it is known that they are given arrays."""

    class Embed:
        def __call__(self, text: str) -> Any:
            return np.array([[float(len(word)), 1.0] for word in text.split()]).reshape(-1, 2)

    embed = astrace.script(Embed, returns=np.zeros((1, 2)) if declared else None)()
    dense = Dense(np.arange(4.0).reshape(2, 2) / 7)

    def pipeline(text: str) -> Any:
        rows = embed(text)
        for _ in range(2):
            rows = dense(rows)
        return rows

    graph = astrace.trace(pipeline, "ab c")
    assert [one.name for one in graph.operators] == (["Embed"] if declared else ["Embed", "Dense"])
    for text in ("a bcd ef", "", "x"):
        np.testing.assert_array_equal(graph(text), pipeline(text), strict=True)
