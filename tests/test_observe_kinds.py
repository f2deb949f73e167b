"""Every kind of function stays what it is when it is decorated, does the same, and records its calls."""

from __future__ import annotations

import abc
import asyncio
import contextlib
import functools
import gc
import inspect
import pickle
import types
import warnings

import pytest

from astrace.errors import InvalidArgument
from astrace.observe import trace_dataset_func, trace_func, trace_model_func, trace_verb_data, tracing

trace = trace_func(stage_name="s")


def plain(a, b=2, *, c=3):
    """A function."""
    return a, b, c


async def coroutine(a, b=2):
    await asyncio.sleep(0)
    return a, b


def generator(count):
    total = 0
    for index in range(count):
        sent = yield index
        total += sent or 0
    return total


async def async_generator(count):
    for index in range(count):
        await asyncio.sleep(0)
        yield index


@pytest.mark.parametrize("function", [plain, coroutine, generator, async_generator])
def test_a_function_keeps_its_kind_name_signature_and_documentation(function):
    traced = trace(function)
    assert inspect.signature(traced) == inspect.signature(function)
    for ask in (
        inspect.iscoroutinefunction,
        inspect.isgeneratorfunction,
        inspect.isasyncgenfunction,
        inspect.isfunction,
    ):
        assert ask(traced) == ask(function)
    assert (traced.__name__, traced.__qualname__, traced.__doc__, traced.__module__) == (
        function.__name__,
        function.__qualname__,
        function.__doc__,
        function.__module__,
    )
    assert traced.__wrapped__ is function and inspect.getsource(traced) == inspect.getsource(function)
    assert traced.__defaults__ == function.__defaults__ and traced.__kwdefaults__ == function.__kwdefaults__


@trace
def by_name(x):
    return x


def test_a_decorated_function_is_pickled_by_name():
    assert pickle.loads(pickle.dumps(by_name)) is by_name


SIGNATURES = [
    "a",
    "a, b=2",
    "a, /, b=2",
    "a, *, c=3",
    "*args",
    "**kwargs",
    "a, b=2, *args, c=3, **kwargs",
    "a, /, b=2, *, c, d=4, **kwargs",
    "",
]
CALLS = [
    ((), {}),
    ((1,), {}),
    ((1, 5), {}),
    ((1, 5, 6, 7), {}),
    ((), {"a": 1}),
    ((1,), {"c": 9}),
    ((1,), {"b": 8, "c": 9}),
    ((1,), {"c": 9, "z": 0}),
    ((1, 2, 3), {"z": 0}),
]


@pytest.mark.parametrize("parameters", SIGNATURES)
@pytest.mark.parametrize(
    "form", ["def {}: return locals()", "async def {}: return locals()", "def {}:\n yield\n return locals()"]
)
@pytest.mark.parametrize("active", [False, True])
def test_arguments_arrive_as_they_are_given(parameters, form, active):
    """Every signature, called in every way: the same arguments, or the same complaint."""
    namespace = {}
    exec(form.format(f"f({parameters})"), namespace)
    function = namespace["f"]
    with tracing() if active else contextlib.nullcontext():
        assert outcomes(trace(function)) == outcomes(function)
        assert outcomes(trace(types.MethodType(function, 0))) == outcomes(types.MethodType(function, 0))


@pytest.mark.parametrize("parameters", SIGNATURES)
@pytest.mark.parametrize("form", ["def {}: return locals()", "async def {}: return locals()"])
def test_arguments_of_verbs_arrive_as_they_are_given(parameters, form):
    namespace = {}
    exec(form.format(f"f({parameters})"), namespace)
    function = namespace["f"]
    for one in (function, types.MethodType(function, 0)):
        verb = trace_verb_data(one)
        assert outcomes(verb) == outcomes(one)
        for (args, kwargs), expected in zip(CALLS, outcomes(one), strict=True):
            untraced = outcome(verb, args, {**kwargs, "trace": 0})
            traced = outcome(verb, args, {**kwargs, "trace": 1})
            if isinstance(expected, str):  # a complaint, which names the keyword, too
                assert isinstance(untraced, str) and isinstance(traced, str)
            else:
                assert untraced == expected and str(traced.returned) == str(expected)


def outcomes(function):
    return [outcome(function, args, kwargs) for args, kwargs in CALLS]


def outcome(function, args, kwargs):
    """What a call gives, run to its end, or what it complains of."""
    try:
        made = function(*args, **kwargs)
        while hasattr(made, "send"):
            made.send(None)
    except StopIteration as stop:
        return stop.value
    except TypeError as error:
        return str(error)
    return made


def test_what_nobody_records_is_the_function_s_own():
    """No frame is added to a coroutine or a generator: it is the one that the original makes."""

    async def of_stars(*args, **kwargs):
        return args, kwargs

    for function, code in (
        (coroutine, "cr_code"),
        (generator, "gi_code"),
        (async_generator, "ag_code"),
    ):
        made = trace(function)(1)
        assert getattr(made, code) is function.__code__ and made.__qualname__ == function.__qualname__
        if code == "cr_code":
            made.close()
    made = trace(of_stars)(1, x=2)
    assert made.__qualname__ == of_stars.__qualname__
    with pytest.raises(StopIteration) as stop:
        made.send(None)
    assert stop.value.value == ((1,), {"x": 2})
    with tracing():
        names = [(one.__name__, one.__qualname__) for one in (trace(generator)(1), trace(async_generator)(1))]
    assert names == [("generator", "generator"), ("async_generator", "async_generator")]


def test_a_call_is_of_the_trace_in_which_it_is_made():
    """What a trace is to show of a coroutine or a generator is called in it, and begins in it."""
    before = trace(generator)(2)
    with tracing() as result:
        assert list(before) == [0, 1]
        within = trace(generator)(2)
    assert list(within) == [0, 1] and result.calls == []


def test_functions_with_stars_see_what_they_would_see():
    class Parent:
        def method(self, *args, **kwargs):
            return args, kwargs

    class Child(Parent):
        @trace
        def method(self, *args, k=1, **kwargs):
            args += (k,)
            return super().method(*args, **kwargs), [*locals()][:4]

        @trace
        def of_all(*args):
            return super().method()

    cell = []

    @trace
    def closes(x, *cells, **named):
        def inner():
            named["x"] = x
            return cells, named

        cell.append(inner)
        return inner

    given = {"a": 1}
    for active in (False, True):
        with tracing() if active else contextlib.nullcontext():
            assert Child().method(1, 2, z=3) == (((1, 2, 1), {"z": 3}), ["self", "k", "args", "kwargs"])
            with pytest.raises(RuntimeError, match=r"super\(\): no arguments"):
                Child().of_all()
            assert closes(0, 1, **given)() == ((1,), {"a": 1, "x": 0}) and given == {"a": 1}


def test_a_generator_that_is_awaited():
    @types.coroutine
    def pauses(x):
        yield
        return x

    async def main():
        return await trace(pauses)(3)

    for active in (False, True):
        with tracing() if active else contextlib.nullcontext() as result:
            assert asyncio.run(main()) == 3
    assert result.s[0].return_value == 3


@pytest.mark.parametrize("function", [coroutine, generator, async_generator])
def test_partials_and_bound_methods_of_every_kind(function):
    class Holder:
        method = function

        def stars(self, a, /, b=2, *rest, c=3, **others):
            return a, b, rest, c, others

    partial = trace(functools.partial(function, 2))
    bound = trace(types.MethodType(function, 2))
    for ask in (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction):
        assert ask(partial) == ask(bound) == ask(function)
    one = Holder()
    for active in (False, True):
        with tracing() if active else contextlib.nullcontext():
            for made in (partial, bound):
                assert outcome_of(made()) == outcome_of(function(2))
            stars = trace(one.stars)
            assert stars(1, 2, 3, c=4, a=5) == one.stars(1, 2, 3, c=4, a=5) and stars(1) == one.stars(1)


def outcome_of(made):
    """What a coroutine or a generator of any kind gives."""

    async def collected():
        return [one async for one in made]

    if hasattr(made, "__anext__"):
        return asyncio.run(collected())
    return list(made) if hasattr(made, "__next__") else asyncio.run(made)


def test_a_coroutine():
    async def main():
        with tracing() as result:
            assert await trace(coroutine)(1, b=5) == (1, 5)
        return result

    call = asyncio.run(main()).s[0]
    assert call.parameters == {"a": 1, "b": 5} and call.return_value == (1, 5) and call.outcome == "returned"
    assert asyncio.run(trace(coroutine)(1)) == (1, 2)


def test_a_coroutine_that_is_cancelled():
    @trace
    async def waits():
        await asyncio.sleep(60)

    async def main():
        with tracing() as result:
            task = asyncio.create_task(waits())
            await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        return result

    call = asyncio.run(main()).s[0]
    assert call.outcome == "raised" and "CancelledError" in call.exception.type_name


def test_a_coroutine_that_is_never_finished():
    with tracing() as result:
        made = trace(coroutine)(1)
        made.send(None)
    assert result.s[0].outcome == "suspended" and result.s[0].duration_ns is not None
    made.close()
    assert result.s[0].outcome == "suspended"


def test_a_generator_takes_and_gives_as_before():
    for active in (False, True):
        with tracing() if active else contextlib.nullcontext() as result:
            made = trace(generator)(3)
            assert next(made) == 0 and made.send(5) == 1 and made.send(6) == 2
            with pytest.raises(StopIteration) as stop:
                made.send(7)
            assert stop.value.value == 18
    call = result.s[0]
    assert call.yielded == [0, 1, 2] and call.return_value == 18 and call.outcome == "returned"


def thrown(function):
    made = function()
    found = [next(made)]
    with contextlib.suppress(StopIteration):
        found.append(made.throw(KeyError("in")))
    return found


@pytest.mark.parametrize("active", [False, True])
def test_exceptions_are_thrown_into_a_generator(active):
    def catches():
        try:
            yield 1
        except KeyError as error:
            yield str(error)

    def lets_through():
        yield 1

    with tracing() if active else contextlib.nullcontext() as result:
        assert thrown(trace(catches)) == thrown(catches) == [1, "'in'"]
        with pytest.raises(KeyError):
            thrown(trace(lets_through))
    if active:
        gc.collect()
        assert [call.outcome for call in result.s][1] == "raised"


@pytest.mark.parametrize("ending", ["close", "forget", "leave open", "close late"])
def test_a_generator_that_is_left_half_way(ending):
    closed = []

    @trace
    def numbers():
        try:
            yield from range(10)
        finally:
            closed.append(True)

    with tracing() as result:
        made = numbers()
        next(made), next(made)
        match ending:
            case "close":
                made.close()
            case "forget":
                del made
                gc.collect()
    call = result.s[0]
    assert call.yielded == [0, 1]
    assert call.outcome == ("suspended" if ending in ("leave open", "close late") else "abandoned")
    if ending == "close late":
        assert next(made) == 2
        made.close()
        assert call.yielded == [0, 1] and call.outcome == "suspended"
    assert closed == [True] or ending == "leave open"


def test_what_consumes_a_generator_is_not_called_by_it():
    inner = trace_func(lambda x: x, stage_name="inner")

    @trace
    def numbers():
        yield inner(1)
        yield 2

    with tracing() as result:
        for one in numbers():
            inner(-one)
    assert [call.parent is result.s[0] for call in result.inner] == [True, False, False]
    assert result.s[0].duration_ns >= result.inner[0].duration_ns


def test_interleaved_generators():
    with tracing() as result:
        assert [*zip(trace(generator)(3), trace(generator)(3), strict=True)] == [(0, 0), (1, 1), (2, 2)]
    assert [call.yielded for call in result.s] == [[0, 1, 2]] * 2
    assert all(call.parent is None for call in result.s)


@pytest.mark.parametrize("active", [False, True])
def test_an_asynchronous_generator(active):
    async def main():
        with tracing() if active else contextlib.nullcontext() as result:
            assert [one async for one in trace(async_generator)(3)] == [0, 1, 2]
            made = trace(async_generator)(3)
            assert await anext(made) == 0
            await made.aclose()
            made = trace(async_generator)(3)
            await anext(made)
            with pytest.raises(KeyError):
                await made.athrow(KeyError("in"))
        return result

    result = asyncio.run(main())
    if active:
        assert [call.outcome for call in result.s] == ["returned", "abandoned", "raised"]
        assert [call.yielded for call in result.s] == [[0, 1, 2], [0], [0]]


def test_an_asynchronous_generator_is_sent_values():
    async def echo():
        got = yield 0
        while got is not None:
            got = yield got * 2

    async def main():
        for active in (False, True):
            with tracing() if active else contextlib.nullcontext():
                made = trace(echo)()
                assert [await anext(made), await made.asend(4), await made.asend(5)] == [0, 8, 10]
                with pytest.raises(StopAsyncIteration):
                    await made.asend(None)

    asyncio.run(main())


def test_an_asynchronous_source_gives_its_first_items():
    closed = []

    class Source:
        @trace_dataset_func
        async def __aiter__(self):
            try:
                for index in range(9):
                    yield index
            finally:
                closed.append(True)

    async def main():
        with tracing(limit=2) as result:
            assert [one async for one in Source()] == [0, 1]
        assert [one async for one in Source()] == list(range(9))
        return result

    assert asyncio.run(main()).dataset_getter[0].items == (0, 1) and closed == [True, True]


# -- methods ---------------------------------------------------------------------------------------------------


class Base:
    """Methods that are inherited."""

    @trace_model_func
    def forward(self, x):
        return x + 1

    @trace_model_func
    def overridden(self, x):
        return ("base", x)


class Methods(Base):
    """Decorators above and below."""

    @trace
    def method(self, x):
        return self, x

    @trace
    @classmethod
    def class_above(cls, x):
        return cls, x

    @classmethod
    @trace
    def class_below(cls, x):
        return cls, x

    @trace
    @staticmethod
    def static_above(x):
        return x

    @staticmethod
    @trace
    def static_below(x):
        return x

    @trace
    @property
    def property_above(self):
        return self.__dict__.get("held", 7)

    @property_above.setter
    def property_above(self, value):
        self.held = value

    @property
    @trace
    def property_below(self):
        return 8

    @trace
    @functools.cached_property
    def cached(self):
        return [9]

    @trace
    def overridden(self, x):
        return super().overridden(x)

    partial = functools.partialmethod(method, x=5)

    @trace
    def __call__(self, x):
        return x

    @trace
    def __private(self, __x):
        return __x

    def use_private(self):
        return self.__private(6)


def test_methods_of_every_kind():
    before = dict(vars(Methods))
    one = Methods()
    with tracing() as result:
        assert one.method(1) == (one, 1) and Methods.method(one, 2) == (one, 2)
        assert one.class_above(3) == Methods.class_above(3) == one.class_below(3) == (Methods, 3)
        assert (
            one.static_above(4)
            == Methods.static_above(4)
            == one.static_below(4)
            == Methods.static_below(4)
            == 4
        )
        assert one.property_above == 7 and one.property_below == 8
        one.property_above = 17
        assert one.property_above == 17
        assert one.cached is one.cached
        assert one.partial() == (one, 5) and one(6) == 6 and one.use_private() == 6
        assert one.forward(1) == 2 and one.overridden(2) == ("base", 2)
    names = [call.name for call in result.calls]
    expected = ["method"] * 2 + ["class_above"] * 2 + ["class_below"]
    expected += (
        ["static_above"] * 2
        + ["static_below"] * 2
        + ["property_above", "property_below", "property_above", "cached"]
    )
    expected += ["method", "__call__", "__private"]
    assert names == [f"Methods.{name}" for name in [*expected, "forward", "overridden", "overridden"]]
    assert all("self" not in call.parameters and "cls" not in call.parameters for call in result.calls)
    assert result.s.class_above[0].parameters == {"x": 3} and result.s.cached[0].return_value == [9]
    assert dict(vars(Methods)) == before and set(vars(one)) == {"held", "cached"}


def test_an_inherited_method_is_named_for_the_class_that_it_is_called_on():
    class Child(Base):
        pass

    with tracing() as result:
        assert Child().forward(1) == 2
    assert result.evaluation[0].name == "Child.forward"
    assert Child().forward(1) == 2 and "forward" not in vars(Child)


def test_abstract_methods_stay_abstract():
    class Abstract(abc.ABC):
        @trace
        @abc.abstractmethod
        def method(self): ...

    with pytest.raises(TypeError):
        Abstract()


def test_local_functions_and_functions_whose_first_parameter_is_called_self():
    @trace
    def method(self, x):
        return x

    with tracing() as result:
        method(1, 2)
    assert result.s[0].name == "method" and result.s[0].parameters == {"self": 1, "x": 2}


@pytest.mark.parametrize("wrong", [Base, 3, None.__class__, "text"])
def test_what_is_not_called_is_refused(wrong):
    with pytest.raises(InvalidArgument, match=r"decorate"):
        trace(wrong)


@pytest.mark.parametrize("decorate", [trace, trace_dataset_func, trace_verb_data])
def test_a_class_is_refused_before_it_is_changed(decorate):
    class Scaler:
        def __init__(self, by):
            self.by = by

    before = dict(vars(Scaler))
    with pytest.raises(InvalidArgument, match=r"Scaler is a class.*decorate its methods"):
        decorate(Scaler)
    assert dict(vars(Scaler)) == before


def test_a_decorated_constructor_records_what_is_made():
    class Scaler:
        @trace
        def __init__(self, by):
            self.by = by

    class Child(Scaler):
        pass

    with tracing() as result:
        assert Scaler(2).by == 2 and isinstance(Child(by=3), Scaler)
    assert [(call.name, call.parameters) for call in result.s] == [
        ("Scaler.__init__", {"by": 2}),
        ("Child.__init__", {"by": 3}),
    ]


def test_other_callables():
    class Callable:
        def __call__(self, x):
            return x

    for function in (Callable(), functools.partial(plain, 1), len, str.upper, lambda x: x):
        traced = trace(function)
        with tracing() as result:
            assert traced("ab") == function("ab")
        assert len(result.s) == 1 and result.s[0].return_value == function("ab")


def test_decorators_on_decorators():
    both = trace_func(trace(plain), stage_name="t")
    with tracing() as result:
        both(1)
    assert [call.stage for call in result.calls] == ["t", "s"] and result.s[0].parent is result.t[0]


def test_warnings_point_to_the_caller():
    @trace
    def warns():
        warnings.warn("look", stacklevel=2)

    for active in (False, True):
        with (
            tracing() if active else contextlib.nullcontext(),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            warns()
        assert caught[0].filename == __file__


def test_defaults_are_those_of_the_decorated_function():
    marker = object()

    @trace
    def function(x=marker, *, y=marker):
        return x is marker and y is marker

    assert function()
    with tracing():
        assert function()


def test_recursion():
    @trace
    def factorial(n):
        return 1 if n == 0 else n * factorial(n - 1)

    with tracing() as result:
        assert factorial(20) == 2432902008176640000
    depths = []
    for call in result.s:
        depth = 0
        while call.parent is not None:
            call, depth = call.parent, depth + 1
        depths.append(depth)
    assert depths == list(range(21))
