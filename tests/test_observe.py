"""Traces of pipelines: what is recorded, how it is found, what a limit lets flow, what is left when it ends."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

import astrace
from astrace.errors import InvalidArgument, NotInTrace
from astrace.observe import (
    Limits,
    TraceCall,
    TraceContext,
    TraceDef,
    TraceResult,
    TraceStage,
    get_trace,
    limit_items,
    reset_trace,
    trace_dataset_func,
    trace_func,
    trace_model_func,
    trace_verb_data,
    tracing,
)
from astrace.observe.recording.recorder import ACTIVE

STAGES = "dataset_getter resolve_data field_level_collation collate prepare_inputs evaluation".split()


class Numbers:
    """A dataset."""

    def __init__(self, count=50):
        self.count = count

    @trace_dataset_func
    def __len__(self):
        return self.count

    @trace_dataset_func
    def get_image(self, index):
        return np.full((4, 4), float(index))

    @trace_func(stage_name="resolve_data", result_name="data_dict")
    def resolve_data(self, index):
        return {"image": self.get_image(index), "label": index}


@trace_func(stage_name="collate", params_to_capture={"batch_dicts": 0}, result_name="batch_dict")
def collate(samples):
    return {name: np.stack([one[name] for one in samples]) for name in samples[0]}


@trace_func(stage_name="prepare_inputs", params_to_capture={"batch_dict": 0}, result_name="batch_ndarray")
def prepare_inputs(batch):
    return batch["image"].reshape(len(batch["image"]), -1)


class Model:
    """A model."""

    @trace_model_func(params_to_capture={"batch": 1}, result_name="batch_results")
    def infer_batch(self, batch):
        return batch.sum(axis=1)

    @trace_model_func(params_to_capture={"batch": 1}, result_name="loss_dict")
    def train_batch(self, batch):
        return {"loss": float(batch.mean())}


class Verbs:
    """Entry points."""

    def __init__(self, config=None):
        self.data, self.model = Numbers(), Model()

    def batches(self, size=16):
        for start in range(0, len(self.data), size):
            samples = [self.data.resolve_data(i) for i in range(start, min(start + size, len(self.data)))]
            yield prepare_inputs(collate(samples))

    @trace_verb_data
    def infer(self):
        return np.concatenate([self.model.infer_batch(one) for one in self.batches()])

    @trace_verb_data
    def train(self):
        return [self.model.train_batch(one) for one in self.batches()]

    @trace_verb_data
    def test(self):
        return [self.model.infer_batch(one) for one in self.batches()]


CONFIG = {
    "train": {"epochs": 20},
    "data_loader": {"batch_size": 64},
    "data_set": {"use_cache": True},
    "x": [1],
}


# -- verbs and contexts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, 0, False])
def test_nothing_is_traced_for_no_items(nothing):
    with TraceContext(nothing, CONFIG) as config:
        assert get_trace() is None and config is CONFIG
    assert get_trace() is None
    result = Verbs().infer(trace=nothing)
    assert isinstance(result, np.ndarray) and len(result) == 50


def test_the_trace_is_there_within_the_context_and_gone_after_it():
    with TraceContext(3, CONFIG):
        assert isinstance(get_trace(), TraceResult)
    assert get_trace() is None


def test_a_copy_of_the_configuration_is_for_few_items():
    before = copy.deepcopy(CONFIG)
    with TraceContext(4, CONFIG) as config:
        assert (
            config["train"]["epochs"],
            config["data_loader"]["batch_size"],
            config["data_set"]["use_cache"],
        ) == (1, 4, False)
        assert config["x"] is CONFIG["x"]
    assert before == CONFIG
    with TraceContext(4, {"train": {"rate": 1}}) as config:
        assert config == {"train": {"rate": 1}}


@pytest.mark.parametrize("wrong", [-2, "x", 1.5, [1]])
def test_a_number_of_items_is_asked_for(wrong):
    with pytest.raises(InvalidArgument, match="trace"):
        TraceContext(wrong, {})
    with pytest.raises(InvalidArgument, match="trace"):
        Verbs().infer(trace=wrong)


def test_true_is_one_item():
    assert len(Verbs().infer(trace=True).resolve_data) == 1


@pytest.mark.parametrize("error", [None, RuntimeError("test error")])
def test_the_length_is_reduced_within_the_trace_only(error):
    data, before = Numbers(), dict(vars(Numbers))
    try:
        with tracing(limit=3):
            assert len(data) == 3
            if error:
                raise error
    except RuntimeError as caught:
        assert caught is error
    assert len(data) == 50 and dict(vars(Numbers)) == before and vars(data) == {"count": 50}


def test_a_verb_gives_a_trace_or_its_value():
    assert isinstance(Verbs().infer(trace=3), TraceResult)
    assert not isinstance(Verbs().infer(), TraceResult)
    assert Verbs().infer(trace=3).returned.tolist() == [0.0, 16.0, 32.0]


def test_each_item_is_resolved_once():
    result = Verbs().infer(trace=3)
    assert len(result.resolve_data) == 3
    assert all(str(call) for call in result.resolve_data)
    assert len(result.collate) >= 1


@pytest.mark.parametrize(
    ("verb", "count", "name"),
    [("infer", 5, "infer_batch"), ("train", 4, "train_batch"), ("test", 4, "infer_batch")],
)
def test_every_verb(verb, count, name):
    result = getattr(Verbs(), verb)(trace=count)
    assert len(str(result)) > 0
    for stage in STAGES:
        assert isinstance(result[stage], TraceStage) and getattr(result, stage) is result[stage]
    call = result.resolve_data[0]
    assert call["index"] == call[0] == 0
    call = result.evaluation[0]
    assert call["batch"] is call[0] is call.batch and call.batch is not None
    assert call.batch.shape == (count, 16)
    assert call.function == name


def test_a_decorated_function_is_itself_without_a_trace():
    assert (
        prepare_inputs.__wrapped__({"image": np.ones((2, 2))}).shape
        == prepare_inputs({"image": np.ones((2, 2))}).shape
    )
    value = object()
    assert trace_func(lambda x: x, stage_name="any")(value) is value


def test_a_verb_shows_its_keyword():
    import inspect

    @trace_verb_data
    def verb(x, *, y=1, **others): ...

    assert str(inspect.signature(verb)) == "(x, *, y=1, trace=None, **others)"
    for function, match in (((lambda trace: 0), "of its own"), (3, "nothing that is called")):
        with pytest.raises(InvalidArgument, match=match):
            trace_verb_data(function)
    with pytest.raises(InvalidArgument, match="no parameter 'data'"):
        trace_verb_data(items="data")(lambda x: x)


def test_a_verb_is_given_first_items_and_a_configuration_for_few():
    @trace_func(stage_name="s")
    def use(x):
        return x

    @trace_verb_data(items=["data"], config="config")
    def verb(data, config):
        return (
            [use(x) for _ in range(config["train"]["epochs"]) for x in data],
            len(data),
            data[1],
            data[0:2],
            data.count,
        )

    result = verb("abcdef", CONFIG, trace=2)
    assert [call.x for call in result.s] == ["a", "b"]
    assert result.returned[1:4] == (2, "b", ["a", "b"])
    assert len(verb("abcdef", CONFIG)[0]) == 120


def test_static_and_class_methods_and_generators_are_verbs():
    class Verb:
        @trace_verb_data
        @staticmethod
        def static(x):
            return x

        @trace_verb_data
        @classmethod
        def of_class(cls, x):
            return cls, x

        @trace_verb_data
        def generator(self):
            yield from limit_items(range(10))

    assert (Verb.static(3), Verb.of_class(3), list(Verb().generator())) == (3, (Verb, 3), list(range(10)))
    assert Verb.static(3, trace=1).returned == 3
    assert Verb.of_class(3, trace=1).returned[1] == 3
    assert Verb().generator(trace=2).returned == [0, 1]


# -- limits on items -------------------------------------------------------------------------------------------


class Source:
    """A dataset whose items are asked for by position and by iteration."""

    def __init__(self):
        self.given = []

    @trace_dataset_func
    def __getitem__(self, index):
        if index >= 9:
            raise IndexError(index)
        self.given.append(index)
        return [index]


class Iterated:
    """One that is iterated over, by a generator."""

    @trace_dataset_func
    def __iter__(self):
        for index in range(9):
            yield [index]


class Iterator(Iterated):
    """One that gives an iterator."""

    @trace_dataset_func
    def __iter__(self):
        return iter([[index] for index in range(9)])


@pytest.mark.parametrize("kind", [Source, Iterated, Iterator])
@pytest.mark.parametrize("limit", [0, 1, 3, 9, 20, None])
def test_only_the_first_items_flow(kind, limit):
    source = kind()
    with tracing(limit=limit):
        assert list(source) == [[index] for index in range(9)][:limit]
    assert len(list(source)) == 9


def test_a_position_behind_the_first_items_is_refused():
    source = Source()
    with tracing(limit=2) as result, pytest.raises(IndexError, match="only the first 2 items"):
        source[2]
    assert source.given == [] and result.dataset_getter[0].exception.type_name == "IndexError"


def test_a_generator_stops_and_is_closed_after_the_first_items():
    closed = []

    @trace_func(stage_name="s", source=True)
    def numbers():
        try:
            yield from range(100)
        finally:
            closed.append(True)

    with tracing(limit=2) as result:
        assert list(numbers()) == [0, 1]
    assert closed == [True]
    assert result.s[0].yielded == [0, 1] and result.s[0].outcome == "returned" and result.s[0].items == (0, 1)


@pytest.mark.parametrize("limit", [-1, "x", 1.5, True])
def test_limits_are_whole_numbers(limit):
    with pytest.raises(InvalidArgument, match="limit"):
        tracing(limit=limit)


def test_views_of_first_items():
    source = list(range(10))
    assert limit_items(source) is source
    with tracing():
        assert [*limit_items(source)] == source and len(limit_items(source)) == 10
    with tracing(limit=3):
        view = limit_items(source)
        assert [*view] == [0, 1, 2] and view[-1] == 2 and view[::2] == [0, 2] and view.index(5) == 5
        assert [*limit_items(iter(source))] == [0, 1, 2]
        with pytest.raises(IndexError):
            view[3]
    with tracing(limit=0):
        assert [*limit_items(source)] == []


# -- access ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result():
    return Verbs().infer(trace=3)


def test_stages_in_order_and_those_of_other_names_after_them():
    @trace_func(stage_name="post-processing")
    def finish(x):
        return x

    with tracing() as result:
        finish(1)
        prepare_inputs({"image": np.ones((1, 1))})
    assert [stage.name for stage in result] == [*STAGES, "post-processing"] == list(result.keys())
    assert (
        len(result) == 7
        and result[-1] is result["post-processing"]
        and result[1:3] == list(result.stages[1:3])
    )
    assert [call.number for call in result.calls] == [0, 1]
    assert not result.collate and result.prepare_inputs


def test_calls_by_number_slice_and_name(result):
    stage = result.dataset_getter
    calls = list(stage)
    assert stage[0] is stage["0"] is calls[0] and stage[-1] is calls[-1]
    assert stage[1:3] == calls[1:3] and len(stage) == len(calls)
    assert stage["Numbers.get_image"] == stage.Numbers__get_image == stage["get_image"]
    assert len(stage.get_image) == 3
    assert all(isinstance(call, TraceCall) for call in stage)


def test_values_by_name_number_and_slice(result):
    call = result.resolve_data[2]
    assert call["index"] == call.index == call[0] == 2
    assert call[-1] is call["data_dict"] and call[:] == [2, call.data_dict]


@pytest.mark.parametrize(
    ("ask", "error", "match"),
    [
        (lambda r: r["colate"], NotInTrace, "did you mean 'collate'"),
        (lambda r: r.nothing, NotInTrace, "there are 'dataset_getter'"),
        (lambda r: r[17], IndexError, "no number 17"),
        (lambda r: r.collate["zz"], NotInTrace, "there are 'collate'"),
        (lambda r: r.collate[99], IndexError, "it has 1"),
        (lambda r: r.collate[0]["zz"], NotInTrace, "'batch_dicts', 'batch_dict'"),
        (lambda r: r.collate[0].zz, NotInTrace, "'batch_dicts', 'batch_dict'"),
        (lambda r: r.collate[0][2], IndexError, "no number 2"),
        (lambda r: r.item(77), NotInTrace, "there are '0', '1', '2'"),
    ],
)
def test_what_is_not_there_is_told(result, ask, error, match):
    with pytest.raises(error, match=match) as caught:
        ask(result)
    assert error is IndexError or isinstance(caught.value, KeyError)


def test_numbers_of_numpy_are_numbers_and_other_keys_are_not_there(result):
    zero = np.int64(0)
    assert result[zero] is result[0] and result.collate[zero] is result.collate[0]
    assert result.collate[0][zero] is result.collate[0][0]
    for record in (result, result.collate, result.collate[0]):
        for key in (None, 1.5, "", "-", "²", (1,)):
            with pytest.raises(NotInTrace):
                record[key]


def test_a_name_that_is_a_parameter_and_a_result_gives_both():
    @trace_func(stage_name="s", result_name="x")
    def double(x):
        return 2 * x

    with tracing() as result:
        double(4)
    assert result.s[0]["x"] == (4, 8)


def test_a_recorded_none_is_not_a_missing_name():
    @trace_func(stage_name="s")
    def nothing(x=None):
        return None

    with tracing() as result:
        nothing()
    call = result.s[0]
    assert call["x"] is None and call["return_value"] is None
    with pytest.raises(KeyError):
        call["y"]


def test_completion_and_protocols(result):
    assert set(STAGES) <= set(dir(result)) and {"Numbers__get_image"} <= set(dir(result.dataset_getter))
    assert {"index", "data_dict", "duration_ns"} <= set(dir(result.resolve_data[0]))
    assert result._ipython_key_completions_() == STAGES
    assert not hasattr(result, "nothing") and not hasattr(result.collate[0], "nothing")
    assert repr(result) == str(result)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(result, again):
    other = again(result)
    assert str(other) == str(result) and result.diff(other) is None
    assert other.evaluation[0].batch.tolist() == result.evaluation[0].batch.tolist()
    assert str(again(result.collate[0])) == str(result.collate[0])


def test_a_copy_of_a_trace_that_is_going_on():
    with tracing() as result:
        prepare_inputs({"image": np.ones((1, 1))})
        other = copy.deepcopy(result)
        prepare_inputs({"image": np.ones((1, 1))})
        with pytest.raises(InvalidArgument, match="has ended"):
            other.instrument(Model, "infer_batch")
    assert (len(other.calls), len(result.calls)) == (1, 2)


# -- parameters ------------------------------------------------------------------------------------------------


def recorded(function, *args, **kwargs):
    """The only call of a trace."""
    with tracing() as result:
        function(*args, **kwargs)
    (call,) = result.calls
    return call


def test_all_parameters_are_recorded_with_their_names():
    @trace_func(stage_name="s")
    def many(a, /, b, c=3, *rest, d, e=5, **others):
        return a

    call = recorded(many, 1, 2, d=4, z=9)
    assert call.parameters == {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "z": 9}
    call = recorded(many, 1, 2, 33, 44, d=4, a=7)
    assert call.parameters == {"a": 1, "b": 2, "c": 33, "rest": (44,), "d": 4, "e": 5, "others.a": 7}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["b"], {"b": 2}),
        ({"second": 1}, {"second": 2}),
        ({"second": "b", "first": 0}, {"second": 2, "first": 1}),
        ({}, {"a": 1, "b": 2, "k": 0}),
        ({"z": "z"}, {"z": 5}),
        ({"none": 17}, {}),
    ],
)
def test_parameters_are_chosen_by_name_or_position_however_they_are_passed(chosen, expected):
    def function(a, b, *, k=0, **others):
        return a

    traced = trace_func(function, stage_name="s", params_to_capture=chosen)
    extra = {"z": 5} if "z" in chosen else {}
    for args, kwargs in (((1, 2), {}), ((1,), {"b": 2}), ((), {"b": 2, "a": 1})):
        assert recorded(traced, *args, **kwargs, **extra).parameters == expected


@pytest.mark.parametrize("wrong", [{"a": 1.5}, "a", ["b"], {"x": True}, [None]])
def test_wrong_choices_are_refused_where_they_are_made(wrong):
    with pytest.raises(InvalidArgument, match="params_to_capture"):
        trace_func(lambda a: a, stage_name="s", params_to_capture=wrong)


def test_results_have_names():
    pair = trace_func(lambda: (1, 2), stage_name="s", result_name=("x", "y"))
    assert recorded(pair).results == {"x": 1, "y": 2}
    triple = trace_func(lambda: (1, 2, 3), stage_name="s", result_name=("x", "y"))
    assert recorded(triple).results == {"return_value": (1, 2, 3)}


def test_a_call_that_does_not_fit_raises_what_it_raises_without_a_trace():
    def plain(a, *, b=1):
        return a

    traced = trace_func(plain, stage_name="s")
    for args, kwargs in (((), {}), ((1, 2), {}), ((1,), {"c": 2})):
        errors = []
        for function in (plain, traced):
            with pytest.raises(TypeError) as caught:
                function(*args, **kwargs)
            errors.append(str(caught.value))
        assert errors[0] == errors[1]
        with tracing(), pytest.raises(TypeError):
            traced(*args, **kwargs)


def test_functions_written_in_c():
    call = recorded(trace_func(max, stage_name="s"), 3, 4)
    assert (call.parameters, call.results) == ({"arg0": 3, "arg1": 4}, {"return_value": 4})


def test_what_is_recorded_of_a_call():
    with tracing() as result:
        Numbers().resolve_data(3)
    outer, inner = result.calls
    assert inner.parent is outer and outer.parent is None
    assert 0 <= inner.duration_ns <= outer.duration_ns and 0 <= outer.start_ns <= inner.start_ns
    assert (outer.name, outer.function, outer.stage, outer.outcome) == (
        "Numbers.resolve_data",
        "resolve_data",
        "resolve_data",
        "returned",
    )
    assert outer.location.file == outer.called_from.file == __file__
    assert outer.called_from.function == "test_what_is_recorded_of_a_call"
    assert inner.called_from.function == "Numbers.resolve_data"
    assert (outer.entered, inner.entered, inner.left, outer.left) == (1, 2, 3, 4)
    assert outer.thread == "MainThread"


def test_names_of_what_is_recorded():
    definition = TraceDef("shown", "function", {"x": 0}, "y", "stage")
    assert (definition.disp_name, definition.func_name, definition.stage_name) == (
        "shown",
        "function",
        "stage",
    )
    with pytest.raises(InvalidArgument, match="stage_name"):
        TraceDef(stage_name="")


# -- the active trace ------------------------------------------------------------------------------------------


def test_forgetting_the_calls_so_far():
    reset_trace()
    with tracing() as result:
        collate([{"x": 1}])
        reset_trace()
        assert not result.calls and not result.collate
        collate([{"x": 2}])
    assert [call.batch_dicts for call in result.collate] == [[{"x": 2}]] and result.calls == list(
        result.collate
    )


def test_nested_traces_are_separate():
    with tracing() as outer:
        collate([{"x": 1}])
        with tracing(limit=1) as inner:
            assert get_trace() is inner and len(Numbers()) == 1
            collate([{"x": 2}])
        assert get_trace() is outer and len(Numbers()) == 50
        collate([{"x": 3}])
    assert [call.batch_dicts[0]["x"] for call in outer.collate] == [1, 3]
    assert [call.batch_dicts[0]["x"] for call in inner.collate] == [2]


def test_traces_that_end_in_another_order_than_they_began():
    first, second = tracing(), tracing()
    outer, inner = first.__enter__(), second.__enter__()
    first.__exit__(None, None, None)
    assert get_trace() is inner
    collate([{"x": 1}])
    second.__exit__(None, None, None)
    assert get_trace() is None
    collate([{"x": 2}])
    assert (len(outer.calls), len(inner.calls)) == (0, 1) and ACTIVE.get() is None


def test_a_block_is_entered_once():
    block = tracing()
    with block:
        pass
    with pytest.raises(InvalidArgument, match="entered before"), block:
        pass


def test_calls_beyond_the_limit_are_counted():
    with tracing(limits=Limits(calls=2)) as result:
        for number in range(5):
            collate([{"x": number}])
    assert len(result.calls) == 2 and result.dropped == 3 and "3 more" in str(result)


# -- exceptions ------------------------------------------------------------------------------------------------


class Unfriendly(Exception):
    """An exception that resists."""

    def __str__(self):
        raise RuntimeError("no text")

    def __setattr__(self, name, value):
        raise AttributeError(name)


@pytest.mark.parametrize(
    "error", [ValueError("bad value"), KeyboardInterrupt(), SystemExit(3), StopIteration(1), Unfriendly()]
)
def test_a_trace_survives_the_exception_that_it_explains(error):
    @trace_func(stage_name="s")
    def fails(x):
        if x == 2:
            raise error
        return x

    @trace_verb_data(items="data")
    def verb(data):
        return [fails(x) for x in data]

    try:
        verb(range(10), trace=5)
    except BaseException as caught:
        assert caught is error
        result = get_trace()
        assert result is get_trace(error)
    assert get_trace() is None
    assert [call.outcome for call in result.s] == ["returned", "returned", "raised"]
    call = result.s[2]
    assert call.exception.type_name.rpartition(".")[2] == type(error).__name__
    assert (
        call.exception.location.function.endswith("fails")
        and call.parameters == {"x": 2}
        and call.duration_ns is not None
    )
    assert result.exception.type_name == call.exception.type_name
    (note,) = [one for one in error.__notes__ if one.startswith("astrace.observe")]
    assert "3 calls" in note and "fails in stage 's' raised" in note
    assert "raised" in str(result) and "raised" in result._repr_html_()


def test_the_inner_one_of_nested_traces_explains_the_exception():
    error = ValueError("x")
    with pytest.raises(ValueError), tracing(title="outer"), tracing(title="inner"):
        raise error
    assert get_trace(error).title == "inner" and len(error.__notes__) == 2
    with pytest.raises(ValueError), tracing(title="later"):
        raise error
    assert get_trace(error).title == "later"


def test_the_last_exception_of_an_interactive_session(monkeypatch):
    error = ValueError("x")
    with pytest.raises(ValueError), tracing() as result:
        raise error
    monkeypatch.setattr(sys, "last_value", error, raising=False)
    assert get_trace() is result
    with tracing() as other:
        assert get_trace() is other
    assert get_trace(KeyError()) is None


def test_a_callee_that_raises_and_is_caught():
    @trace_func(stage_name="s")
    def fails():
        raise KeyError("gone")

    with tracing() as result:
        for _ in range(2):
            try:
                fails()
            except KeyError:
                pass
    assert [str(call.exception) for call in result.s] == ["KeyError: 'gone'"] * 2
    assert result.exception is None and "raised" in str(result)


# -- items -----------------------------------------------------------------------------------------------------


def test_the_way_of_one_item():
    way = Verbs().infer(trace=4).item(2)
    assert [call.name for call in way.calls] == [
        "Numbers.resolve_data",
        "Numbers.get_image",
        "collate",
        "prepare_inputs",
        "Model.infer_batch",
    ]
    assert way.resolve_data[0].index == 2 and len(way.collate) == 1
    call = way.evaluation[0]
    assert call.items == (0, 1, 2, 3)
    assert way.row(call, "batch_results") == 32.0 and way.row(call, "batch").tolist() == [2.0] * 16
    assert way.row(way.collate[0], "batch_dict")["label"] == 2
    assert str(way).startswith("item 2: 5 calls")


def test_views_and_rows_of_a_batch_are_followed():
    @trace_func(stage_name="s")
    def see(x):
        return x

    with tracing() as result:
        batch = collate([Numbers().resolve_data(index) for index in (7, 8, 9)])["image"]
        for part in (batch[1], batch[1:], batch[0, 2], batch.T, batch[2][None], [batch[0]], {"x": batch[1]}):
            see(part)
        see(batch * 2)
    assert [call.items for call in result.s] == [(8,), (8, 9), (7,), (7, 8, 9), (9,), (7,), (8,), ()]


def test_items_are_named_by_parameters():
    @trace_dataset_func
    def by_key(key):
        return np.zeros(3)

    @trace_func(stage_name="s", item="star")
    def other(x, star):
        return np.zeros(3)

    @trace_func(stage_name="t")
    def inner(x):
        return x

    @trace_func(stage_name="u", item="star")
    def outer(star):
        return inner(1)

    with tracing() as result:
        by_key("a")
        other(1, np.int32(5))
        outer(9)
    assert [call.items for call in result.calls] == [("a",), (5,), (9,), (9,)]
    assert result.item("a").calls == [result.calls[0]] and len(result.item(9).calls) == 2


def test_items_of_a_view_are_numbered():
    @trace_func(stage_name="s")
    def see(x):
        return x

    data = [np.zeros(2) for _ in range(5)]
    with tracing(limit=3) as result:
        for one in limit_items(data):
            see(one)
        see(limit_items(data)[1])
    assert [call.items for call in result.s] == [(0,), (1,), (2,), (1,)]


def test_small_shared_objects_belong_to_no_item():
    @trace_dataset_func
    def get(index):
        return {"label": 1, "name": "x"}

    with tracing() as result:
        get(0), get(1)
        trace_func(lambda x: x, stage_name="s")(1)
    assert result.s[0].items == ()


# -- with the compiler -----------------------------------------------------------------------------------------


@trace_func(stage_name="s")
def caller_helper(x):
    return x + 1


@astrace.compile
def caller(x):
    return caller_helper(x) * 2


def test_a_compiled_function_and_a_decorated_one_in_each_other():
    plain = lambda x: x * 2.0 + 1.0  # noqa: E731
    outside = trace_func(astrace.compile(plain), stage_name="s")
    inside = astrace.compile(trace_func(plain, stage_name="s"))
    x = np.arange(3.0)
    for function in (outside, inside):
        assert function(x).tolist() == plain(x).tolist()
    with tracing() as result:
        assert (
            astrace.compile(lambda y: trace_func(plain, stage_name="s")(y))(x).tolist() == plain(x).tolist()
        )
        caller(x)
    assert "caller_helper" in [call.function for call in result.calls]
    call = recorded(outside, x)
    assert call.return_value.tolist() == plain(x).tolist() and call.parameters["x"].tolist() == x.tolist()


def test_the_package_is_loaded_when_it_is_used():
    import subprocess

    code = (
        "import sys, astrace\n"
        "heavy = {'libcst', 'jax', 'numba', 'pandas', 'hypothesis', 'astrace.compiler.compiled'}\n"
        "assert 'astrace.observe' not in sys.modules\n"
        "from astrace.observe import tracing, trace_func, trace_verb_data\n"
        "f = trace_func(lambda x: x, stage_name='s')\n"
        "with astrace.observe.tracing() as result: f(1)\n"
        "print(result, result._repr_html_()); result.to_json()\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(astrace.observe.__all__) == set(dir(astrace.observe))
    for name in astrace.observe.__all__:
        assert getattr(astrace.observe, name).__doc__
    with pytest.raises(AttributeError):
        astrace.observe.nothing
