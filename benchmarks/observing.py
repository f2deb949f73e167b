"""What observing costs: decorated functions while nobody looks, recorded calls, and what it takes to show a large array."""

from __future__ import annotations

import functools
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from astrace.observe import Limits, trace_func, trace_verb_data, tracing
from benchmarks.tables import Cell, Table
from benchmarks.timing import medians, minima, timer

record = trace_func(stage_name="benchmark")


def two(x: Any, y: Any) -> Any:  # noqa: ARG001
    return x


def defaults(x: Any, y: Any = 1, *, z: Any = 2) -> Any:  # noqa: ARG001
    return x


def variadic(x: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
    return x


async def coroutine(x: Any) -> Any:
    return x


async def async_generator() -> Any:
    yield 1


def generator(count: int) -> Any:
    yield from range(count)


class Model:
    """A method and a property."""

    def method(self, x: Any) -> Any:
        return x

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x

    @staticmethod
    def static(x: Any) -> Any:
        return x

    @property
    def value(self) -> int:
        return 1

    def variadic(self, x: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return x


class DecoratedModel:
    """The same, decorated."""

    @record
    def method(self, x: Any) -> Any:
        return x

    @record
    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x

    @record
    @staticmethod
    def static(x: Any) -> Any:
        return x

    @record
    @property
    def value(self) -> int:
        return 1


def first_of(made: Any) -> None:
    """Take the first item of an asynchronous generator that waits for nothing."""
    driven(made.__anext__())


def driven(made: Any) -> None:
    """Run a coroutine that waits for nothing."""
    try:
        made.send(None)
    except StopIteration:
        return


@dataclass(frozen=True)
class Form:
    """A way to call: an expression over ``f``, the plain function, or the decorated one in its place.

    Args:
        name: what the table calls it.
        expression: the call.
        plain: the plain function.
        decorated: the decorated one.
        recorded: the call that is recorded, if it is another one.
    """

    name: str
    expression: str
    plain: Any
    decorated: Any
    recorded: str = ""


def forms() -> list[Form]:
    one, partial = Model(), functools.partial(two, 1)
    return [
        Form("function, 2 positional arguments", "f(1, 2)", two, record(two)),
        Form("function, 1 keyword argument", "f(1, y=2)", two, record(two)),
        Form("function with defaults", "f(1)", defaults, record(defaults)),
        Form("method", "f.method(1)", one, DecoratedModel()),
        Form("class method", "f.of_class(1)", one, DecoratedModel()),
        Form("static method", "f.static(1)", one, DecoratedModel()),
        Form("property", "f.value", one, DecoratedModel()),
        Form("coroutine function, run", "run(f(1))", coroutine, record(coroutine)),
        Form("generator, begun and ended", "list(f(0))", generator, record(generator)),
        Form("generator of 100 items", "list(f(100))", generator, record(generator)),
        Form("asynchronous generator, first item", "first(f())", async_generator, record(async_generator)),
        Form("`*args, **kwargs`, none passed", "f(1)", variadic, record(variadic)),
        Form("`*args, **kwargs`, one of each passed", "f(1, 2, z=3)", variadic, record(variadic)),
        Form("bound method, one of `**kwargs` passed", "f(1, z=3)", one.variadic, record(one.variadic)),
        Form("`functools.partial`, positional", "f(2)", partial, record(partial)),
        Form("`functools.partial`, with a keyword", "f(y=2)", partial, record(partial)),
        Form(
            "entry point (`trace_verb_data`)",
            "f(1, y=2)",
            defaults,
            trace_verb_data(defaults),
            "f(1, y=2, trace=1)",
        ),
        Form(
            "entry point, `**kwargs` passed",
            "f(1, 2, z=3)",
            variadic,
            trace_verb_data(variadic),
            "f(1, 2, z=3, trace=1)",
        ),
    ]


def measure(smoke: bool) -> Table:
    """The smallest time of a call of a plain function, of a decorated one without a trace, and of that in a trace."""
    samples, number = (3, 1_000) if smoke else (150, 5_000)
    rows: list[list[Cell]] = []
    for form in forms():
        timers = [_timer(form.expression, function) for function in (form.plain, form.decorated)]
        plain, decorated = (time * 1e9 for time in minima(timers, samples, number))
        recorded = _recorded(form, 3 if smoke else 15)
        rows.append([form.name, plain, decorated, decorated - plain, recorded])
    return Table(["Call", "plain, ns", "decorated, ns", "added, ns", "in a trace, µs"], rows)


def _timer(expression: str, function: Any) -> timeit.Timer:
    return timeit.Timer(
        expression, "import gc; gc.enable()", globals={"f": function, "run": driven, "first": first_of}
    )


def _recorded(form: Form, samples: int) -> float:
    """Microseconds of a call that is recorded."""
    number = 300

    def sample() -> float:
        with tracing():
            return _timer(form.recorded or form.expression, form.decorated).timeit(number) / number * 1e6

    return min(sample() for _ in range(samples))


def measure_arrays(smoke: bool) -> Table:
    """The time to record an array, and to print and show its record."""
    rows: list[list[Cell]] = []
    for size in (1_000, 1_000_000):
        array = np.random.default_rng(1).normal(size=size)
        for name, limits in (
            ("summarised", Limits(array_bytes=0)),
            ("kept whole", Limits(array_bytes=1 << 30)),
        ):
            rows.append([f"{size:,} floats, {name}", *_array_times(array, limits, 3 if smoke else 21)])
    return Table(["Array", "recorded, ms", "printed, ms", "as HTML, ms"], rows)


def _array_times(array: Any, limits: Limits, samples: int) -> list[float]:
    function = record(lambda x: None)  # noqa: ARG005

    def traced() -> Any:
        with tracing(limits=limits) as result:
            function(array)
        return result

    result = traced()
    works: list[Callable[[], Any]] = [traced, result.__str__, result._repr_html_]
    return [time * 1e3 for time in medians([timer(work) for work in works], samples)]
