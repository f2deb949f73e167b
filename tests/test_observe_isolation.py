"""Traces are separate, and nothing is left behind: threads, tasks, contexts, instrumented methods, exceptions everywhere."""

from __future__ import annotations

import abc
import ast
import asyncio
import contextvars
import copy
import dataclasses
import functools
import importlib.util
import itertools
import pickle
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from astrace.errors import InvalidArgument
from astrace.observe import get_trace, trace_func, trace_verb_data, tracing
from astrace.observe.recording.recorder import ACTIVE

EXAMPLE = Path(__file__).parent.parent / "examples" / "observed_pipeline.py"


@trace_func(stage_name="s")
def seen(x):
    return x


def pipeline_module(tree=None):
    """The example as a module of its own, made of another tree if one is given."""
    spec = importlib.util.spec_from_file_location("observed_pipeline", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    code = compile(tree or EXAMPLE.read_text(), str(EXAMPLE), "exec")
    exec(code, module.__dict__)
    return module


# -- threads and tasks -----------------------------------------------------------------------------------------


def test_thirty_two_threads_trace_at_once():
    class Undecorated:
        def method(self, x):
            return seen(x)

    before = dict(vars(Undecorated))
    start = threading.Barrier(32)

    def work(number):
        own = Undecorated()
        start.wait()
        results = []
        for turn in range(20):
            with tracing() as result:
                result.instrument(own if number % 2 else Undecorated, "method", stage="outside")
                for step in range(5):
                    assert own.method((number, turn, step)) == (number, turn, step)
                if turn == 7:
                    assert get_trace() is result
            results.append(result)
        assert get_trace() is None
        return results

    with ThreadPoolExecutor(32) as pool:
        found = [*pool.map(work, range(32))]
    for number, results in enumerate(found):
        for turn, result in enumerate(results):
            expected = [(number, turn, step) for step in range(5)]
            assert [call.x for call in result.s] == [call.x for call in result.outside] == expected
            assert [call.parent for call in result.s] == list(result.outside)
            assert len({call.thread for call in result.calls}) == 1
    assert dict(vars(Undecorated)) == before and "method" in before


def test_a_thread_that_is_started_within_a_trace_is_not_of_it():
    with tracing() as result:
        thread = threading.Thread(target=seen, args=(1,))
        thread.start()
        thread.join()
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(seen, 2))
        thread.start()
        thread.join()
    assert [call.x for call in result.s] == [2] and result.s[0].thread != "MainThread"
    context.run(seen, 3)
    assert len(result.s) == 1


def test_many_threads_in_one_trace():
    with tracing() as result, ThreadPoolExecutor(8) as pool:
        contexts = [contextvars.copy_context() for _ in range(200)]
        list(pool.map(lambda pair: pair[1].run(seen, pair[0]), enumerate(contexts)))
    assert sorted(call.x for call in result.s) == list(range(200))
    assert [call.number for call in result.calls] == list(range(200))
    moments = [moment for call in result.calls for moment in (call.entered, call.left)]
    assert sorted(moments) == list(range(1, 401))


def test_tasks_that_trace_at_once():
    @trace_func(stage_name="a")
    async def step(x):
        await asyncio.sleep(0)
        seen(x)
        await asyncio.sleep(0)
        return x

    async def one(number):
        with tracing() as result:
            await asyncio.gather(step((number, 0)), step((number, 1)))
        return result

    async def main():
        return await asyncio.gather(*(one(number) for number in range(30)))

    for number, result in enumerate(asyncio.run(main())):
        assert [call.x for call in result.a] == [(number, 0), (number, 1)]
        assert [(call.x, call.parent.x) for call in result.s] == [((number, 0),) * 2, ((number, 1),) * 2]


def test_an_asynchronous_verb():
    @trace_verb_data(items="data")
    async def verb(data):
        return [seen(x) for x in data]

    @trace_verb_data(items="data")
    async def stream(data):
        for x in data:
            yield seen(x)

    assert asyncio.run(verb(range(9))) == list(range(9))
    assert len(asyncio.run(verb(range(9), trace=2)).s) == 2
    assert asyncio.run(stream(range(9), trace=2)).returned == [0, 1]


def test_a_generator_of_one_trace_that_goes_on_in_another():
    @trace_func(stage_name="g")
    def numbers():
        for index in itertools.count():
            seen(index)
            yield index

    with tracing() as first:
        made = numbers()
        next(made)
    with tracing() as second:
        assert next(made) == 1
    assert next(made) == 2
    assert [call.x for call in first.s] == [0] and first.g[0].yielded == [0]
    assert [call.x for call in second.s] == [1] and "g" not in second.keys()
    assert ACTIVE.get() is None


# -- instrumented methods --------------------------------------------------------------------------------------


class Base:
    """A class whose methods are not decorated."""

    def __len__(self):
        return 30

    def inherited(self, x):
        return x + 1

    def method(self, x, *, k=0):
        return x + k

    @classmethod
    def of_class(cls, x):
        return cls, x

    @staticmethod
    def static(x):
        return x

    @property
    def value(self):
        return self.__dict__.get("_value", 1)

    @value.setter
    def value(self, value):
        self._value = value

    @functools.cached_property
    def cached(self):
        return [1]

    async def waits(self, x):
        return x

    def gives(self, count):
        yield from range(count)


class Child(Base):
    """One that inherits."""


class Slotted:
    """Instances without a dict."""

    __slots__ = ("x",)

    def method(self):
        return 1


@pytest.fixture(autouse=True)
def nothing_is_left():
    for cls in (Base, Child, Slotted):
        copy.copy(cls())  # the module `copy` keeps a list of slots in each class
    before = [(cls, dict(vars(cls))) for cls in (Base, Child, Slotted)]
    yield
    assert [(cls, dict(vars(cls))) for cls in (Base, Child, Slotted)] == before
    assert ACTIVE.get() is None


USES = {
    "method": lambda one: one.method(1, k=2),
    "inherited": lambda one: one.inherited(1),
    "of_class": lambda one: one.of_class(1),
    "static": lambda one: one.static(1),
    "value": lambda one: one.value,
    "cached": lambda one: one.cached,
    "__len__": len,
    "waits": lambda one: asyncio.run(one.waits(1)),
    "gives": lambda one: [*one.gives(3)],
}


@pytest.mark.parametrize("error", [None, RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("holder", [Base, Child, "object"])
@pytest.mark.parametrize("name", USES)
def test_a_method_is_instrumented_and_put_back(name, holder, error):
    one, other = Child(), Child()
    expected = USES[name](Child())
    try:
        with tracing() as result:
            result.instrument(one if holder == "object" else holder, name, stage="outside")
            assert USES[name](one) == expected
            assert USES[name](other) == expected
            if error is not None:
                raise error
    except BaseException as caught:
        assert type(caught) is error
    assert USES[name](Child()) == expected
    assert len(result.outside) == (1 if holder == "object" else 2)
    assert result.outside[0].function == name and "self" not in result.outside[0].parameters
    with pytest.raises(InvalidArgument, match="has ended"):
        result.instrument(Base, "method")


def test_properties_are_set_and_deleted_as_before():
    one = Child()
    with tracing() as result:
        result.instrument(one, "value", stage="outside")
        one.value = 5
        assert one.value == 5
        with pytest.raises(AttributeError):
            del one.value
    assert [call.parameters for call in result.outside] == [{"value": 5}, {}]


def test_copies_of_an_instrumented_object_are_their_own():
    one = Child()
    one.held = 1
    with tracing() as result:
        result.instrument(one, "method", stage="outside")
        others = copy.copy(one), copy.deepcopy(one)
        assert vars(one) == vars(others[0]) == {"held": 1}
        assert [other.method(1) for other in others] == [1, 1]
    assert "outside" not in result.keys()


def test_objects_without_a_dict_and_functions_in_objects_and_modules():
    one, other = Slotted(), Child()
    other.function = lambda x: x * 2
    module = types.ModuleType("module_of_this_test")
    module.function = original = lambda x: x * 3
    with tracing() as result:
        result.instrument(one, "method", stage="outside")
        result.instrument(other, "function", stage="outside")
        result.instrument(module, "function", stage="outside")
        assert (one.method(), other.function(1), module.function(1)) == (1, 2, 3)
    assert len(result.outside) == 3 and module.function is original
    assert other.function(1) == 2 and not hasattr(other.function, "__astrace_slot__")


@pytest.mark.parametrize(
    ("obj", "name", "match"),
    [
        (Base(), "nothing", "no attribute"),
        (Base, "__doc__", "nothing that is called"),
        (np.ndarray, "sum", "can't be changed"),
        ([], "append", "can't be changed"),
        (5, "bit_length", "can't be changed"),
    ],
)
def test_what_cannot_be_instrumented_is_refused(obj, name, match):
    with tracing() as result, pytest.raises(InvalidArgument, match=match):
        result.instrument(obj, name)


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_traces_of_one_method_end_in_any_order(order):
    contexts = [contextvars.copy_context() for _ in range(3)]
    blocks = [tracing() for _ in range(3)]
    results = [context.run(block.__enter__) for context, block in zip(contexts, blocks, strict=True)]
    for index, result in enumerate(results):
        result.instrument(Base, "method", stage=f"stage{index}")
    for number, index in enumerate(order):
        for context in contexts:
            assert context.run(Base().method, number) == number
        contexts[index].run(blocks[index].__exit__, None, None, None)
    for place, index in enumerate(order):
        calls = results[index].calls
        assert [call.x for call in calls] == list(range(place + 1))
        assert {call.stage for call in calls} == {f"stage{index}"}


def test_nested_traces_of_one_method():
    one = Child()
    with tracing() as outer:
        outer.instrument(Base, "method", stage="outer")
        one.method(1)
        with tracing() as inner:
            inner.instrument(one, "method", stage="inner")
            one.method(2)
        one.method(3)
    assert [call.x for call in outer.calls] == [1, 3] and [call.x for call in inner.calls] == [2]


def test_a_method_that_somebody_else_replaces_meanwhile_stays_replaced(monkeypatch):
    class Own:
        def method(self):
            return 1

    with tracing() as result:
        result.instrument(Own, "method", stage="outside")
        Own.method = replacement = lambda self: 2
    assert vars(Own)["method"] is replacement


def test_instrumented_sources_let_the_first_items_flow():
    class Data:
        def __len__(self):
            return 9

        def __getitem__(self, index):
            if index >= 9:
                raise IndexError
            return [index]

    with tracing(limit=3) as result:
        result.instrument(Data, "__len__", stage="dataset_getter")
        result.instrument(Data, "__getitem__", stage="dataset_getter")
        assert len(Data()) == 3 and [*Data()] == [[0], [1], [2]]
    assert len(Data()) == len([*Data()]) == 9


class Plain:
    """A class that leaves its construction to `object`."""


class Made(tuple):
    """One that is made by ``__new__`` alone."""

    __slots__ = ()

    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    def __getnewargs__(self):
        return tuple(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    """One whose ``__init__`` is written by a decorator."""

    x: int
    y: int = 2


@pytest.mark.parametrize(
    ("cls", "args", "parameters"),
    [
        (Plain, (), {}),
        (Made, (1, 2), {"args": (1, 2)}),
        (Frozen, (1,), {"x": 1, "y": 2}),
    ],
)
def test_the_construction_of_a_class_is_recorded(cls, args, parameters):
    """Within the trace and outside of it objects are made as ever; the class is what it was, and is pickled."""
    pickle.dumps(cls(*args))  # which keeps a list of slots in the class
    before = dict(vars(cls))
    with tracing() as result:
        result.instrument(cls, "__init__", stage="made")
        one = cls(*args)
        contextvars.Context().run(cls, *args)
        with pytest.raises(TypeError):
            cls(1, 2, 3)
    assert [call.parameters for call in result.made if call.outcome == "returned"] == [parameters]
    assert isinstance(one, cls) and type(pickle.loads(pickle.dumps(one))) is cls
    assert dict(vars(cls)) == before and type(cls(*args)) is cls
    with pytest.raises(TypeError):
        cls(1, 2, 3)


def test_a_constructor_of_its_own_is_instrumented_and_that_of_object_is_refused():
    class Initialised:
        def __init__(self, x):
            self.x = x

    with tracing() as result:
        result.instrument(Made, "__new__", stage="made", params_to_capture=["x", "y"])
        assert Made(1, 2) == (1, 2)
        with pytest.raises(InvalidArgument, match="instrument '__init__'"):
            result.instrument(Initialised, "__new__")
    assert result.made[0].parameters == {"x": 1, "y": 2}
    assert Made(3, 4) == (3, 4) and Initialised(5).x == 5 and "__new__" not in vars(Initialised)


def test_abstract_classes_can_be_instrumented():
    class Abstract(abc.ABC):
        @abc.abstractmethod
        def method(self):
            return 1

    class Concrete(Abstract):
        def method(self):
            return super().method() + 1

    with tracing() as result:
        result.instrument(Abstract, "method", stage="outside")
        with pytest.raises(TypeError):
            Abstract()
        assert Concrete().method() == 2
    assert len(result.outside) == 1


# -- exceptions at every statement -----------------------------------------------------------------------------


class Injected(Exception):
    """Raised at one statement."""


RAISE = ast.parse("raise __import__('builtins').injected_error").body[0]


def statements(tree):
    """The bodies of the functions of a tree, with the place of each statement in them."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in ("main", "show"):
            for inner in ast.walk(function):
                for field in ("body", "orelse", "finalbody"):
                    block = getattr(inner, field, None)
                    if isinstance(block, list):
                        yield from ((function.name, block, place) for place in range(len(block)))


PLACES = len([*statements(ast.parse(EXAMPLE.read_text()))])


@pytest.mark.parametrize("place", range(PLACES))
def test_an_exception_at_every_statement_of_the_pipeline(place, monkeypatch):
    """Whatever statement raises: the exception comes through, the record goes up to it, nothing is left behind."""
    tree = ast.parse(EXAMPLE.read_text())
    name, block, position = [*statements(tree)][place]
    block.insert(position, ast.copy_location(RAISE, block[position]))
    ast.fix_missing_locations(tree)
    error = Injected(name)
    monkeypatch.setattr("builtins.injected_error", error, raising=False)
    module = pipeline_module(tree)
    classes = [(cls, dict(vars(cls))) for cls in (module.Stars, module.Classifier)]
    try:
        model, stars = module.Classifier(), module.Stars(count=8)
    except Injected:
        assert name == "__init__"
        return
    raised = 0
    for verb in (module.train, module.infer):
        try:
            result = verb(model, stars, module.CONFIG, trace=2)
        except Injected as caught:
            raised += 1
            assert caught is error
            result = get_trace(error)
            failed = [call for call in result.calls if call.outcome == "raised"]
            assert all("Injected" in call.exception.type_name for call in failed)
            assert result.exception is not None and "Injected" in str(result.exception)
            assert name in ("train", "infer", "batches", "probabilities") or failed[-1].function == name
        assert all(call.outcome in ("returned", "raised") for call in result.calls)
        assert all(call.duration_ns is not None and call.left is not None for call in result.calls)
        assert str(result) and result._repr_html_() and result.to_json()
        assert get_trace() is None and ACTIVE.get() is None
    assert raised
    assert [(cls, dict(vars(cls))) for cls in (module.Stars, module.Classifier)] == classes
    assert set(vars(stars)) == {"rng_seed", "count"} and set(vars(model)) == {"weights"}
    assert stars.count == 8


def test_the_example(capsys, monkeypatch, tmp_path):
    module = pipeline_module()
    page = tmp_path / "trace.html"
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), str(page)])
    module.main()
    printed = capsys.readouterr().out
    assert (
        "stars told apart" in printed
        and "infer(trace=3): 20 calls in 5 stages" in printed
        and "item 1:" in printed
    )
    assert page.read_text().startswith("<!doctype html>")
    result = module.train(module.Classifier(), module.Stars(), module.CONFIG, trace=4)
    assert len(result.resolve_data) == 4 and [call.function for call in result.evaluation] == [
        "train_batch",
        "forward",
    ]
    assert result.evaluation.forward[0].parent is result.evaluation[0]
    assert sys.exception() is None
