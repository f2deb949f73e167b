"""Stores into attributes and entries of dicts in loops: kernels store behind themselves what plain Python stores on the way."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import harness
import numpy as np
import pytest
import storing_programs
from storing_programs import (
    LISTS,
    OBJECTS,
    OF_ONE_OBJECT,
    OF_TWO_LISTS,
    TOLD,
    Filter,
    Plain,
    counter,
    filled,
)

import astrace
from astrace.backends.native import backend, warm_up
from astrace.backends.native.partition import Partition

WITHOUT_KERNEL = (
    *(storing_programs.stops, storing_programs.appends_numbers_of_two_types, storing_programs.appends_views),
    *(storing_programs.reads_what_it_appends, storing_programs.appends_arrays),
)
"""They carry texts, append what has no lowered form, or look at the list while it gets longer."""
INPUTS = ([], [0.25], [0.5, 0.75, 0.1], [0.3, 0.95, 0.2, 0.0, 0.85])


def arrays() -> Iterator[Any]:
    return (np.array(items, dtype=float) for items in INPUTS)


def attributes(one: Any) -> list[tuple[str, Any]]:
    """The attributes of an object, as they are stored, in order."""
    slots = [name for name in getattr(type(one), "__slots__", ()) if hasattr(one, name)]
    return [*((name, getattr(one, name)) for name in slots), *getattr(one, "__dict__", {}).items()]


def seen(values: Any) -> list[Any]:
    """What can be seen of objects and of what they hold: values, types, order, and which arrays are the same."""
    found: list[Any] = []
    arrays: dict[int, int] = {}

    def look(one: Any) -> None:
        if isinstance(one, np.ndarray):
            found.append(arrays.setdefault(id(one), len(arrays)))
        if isinstance(one, tuple | list | dict):
            items = list(one.items()) if isinstance(one, dict) else list(one)
            found.append(len(items))
            list(map(look, items))
        elif type(one).__module__ in (storing_programs.__name__, "types"):
            found.append(type(one).__name__)
            list(map(look, attributes(one)))
        else:
            found.append(harness.shape_of(one))

    look(values)
    return found


def outcome(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> Any:
    """What a call gives, raises, warns of and leaves, and what is told on the way."""
    arguments = make()
    TOLD.clear()
    found = harness.observe(function, arguments)
    told = seen(tuple(one for one in TOLD if not callable(one)))
    TOLD.clear()
    return seen(found.result), seen(arguments), found.error, found.line, found.warned, told


def compare(function: Any, calls: Any, compiled: Any = None) -> Any:
    """Compare calls of a function with those of the native one, in order; gives that."""
    native = compiled or astrace.compile(function, backend="native", recompile_limit=200)
    for make in calls:
        assert outcome(native, make) == outcome(function, make)
    return native


def kernels_that_ran(captured: Any) -> list[str]:
    """The kernels that have come to their end."""
    stages = [one for one in captured.captures if one.executable is not None]
    return [kernel.__name__ for one in stages for kernel in one.executable.kernels if kernel.runs]


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs the text of kernels."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))


def calls_with(make: Callable[[], Any]) -> Iterator[Callable[[], tuple[Any, ...]]]:
    """Calls with an object and each of the inputs."""
    return (lambda items=items: (make(), np.array(items, dtype=float)) for items in INPUTS)


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("function", OF_ONE_OBJECT, ids=lambda one: one.__name__)
@pytest.mark.usefixtures("by_python")
def test_as_plain_python(function: Any, name: str) -> None:
    compare(function, [*calls_with(OBJECTS[name]), *calls_with(OBJECTS[name])])


@pytest.mark.parametrize("function", OF_ONE_OBJECT, ids=lambda one: one.__name__)
def test_compiled(function: Any) -> None:
    native = compare(function, calls_with(OBJECTS["plain"]))
    assert bool(kernels_that_ran(native)) == (function not in WITHOUT_KERNEL)


@pytest.mark.parametrize("function", OF_ONE_OBJECT, ids=lambda one: one.__name__)
@pytest.mark.usefixtures("by_python")
def test_one_object_after_another(function: Any) -> None:
    """A captured function is called with objects of all kinds in turn."""
    native = astrace.compile(function, backend="native", recompile_limit=200)
    for make in OBJECTS.values():
        compare(function, calls_with(make), native)


@pytest.mark.usefixtures("by_python")
def test_many_owners_of_several_classes() -> None:
    """Objects of one class are asked about together; one of another class, or one without the attribute, is noticed."""

    def with_third(third: Any) -> Callable[[], tuple[Any, ...]]:
        return lambda: (filled(Plain()), filled(Plain()), third(), np.array([0.5, 0.25, 0.75]))

    thirds = (OBJECTS[name] for name in ("plain", "class attributes", "__setattr__", "one missing", "slots"))
    native = compare(storing_programs.three_objects, [with_third(third) for third in thirds])
    assert kernels_that_ran(native)


@pytest.mark.usefixtures("by_python")
def test_a_program_calls_the_kernel_by_its_name() -> None:
    native = compare(storing_programs.counts, calls_with(OBJECTS["plain"]))
    (kernel,) = kernels_that_ran(native)
    assert f"= {kernel}(a, " in str(native.captures[0].executable.source)


@pytest.mark.usefixtures("by_python")
def test_two_names_of_one_object() -> None:
    def apart() -> tuple[Any, ...]:
        return filled(Plain()), filled(Plain()), np.array([0.5, 0.25, 0.75])

    def same() -> tuple[Any, ...]:
        one = filled(Plain())
        return one, one, np.array([0.5, 0.25, 0.75])

    native = compare(storing_programs.two_objects, [apart, same, apart, same])
    assert kernels_that_ran(native)


@pytest.mark.usefixtures("by_python")
def test_an_object_and_its_dict() -> None:
    def apart() -> tuple[Any, ...]:
        return filled(Plain()), {"level": 0.0}, np.array([0.5, 0.25, 0.75])

    def same() -> tuple[Any, ...]:
        one = filled(Plain())
        return one, vars(one), np.array([0.5, 0.25, 0.75])

    native = compare(storing_programs.an_object_and_its_dict, [apart, same, apart, same])
    assert kernels_that_ran(native)


@pytest.mark.usefixtures("by_python")
def test_what_is_stored_is_the_argument() -> None:
    made = [lambda items=items: (filled(Plain()), items.copy(), np.ones(2)) for items in arrays()]
    assert kernels_that_ran(compare(storing_programs.stores_an_argument, made))


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("function", OF_TWO_LISTS, ids=lambda one: one.__name__)
@pytest.mark.usefixtures("by_python")
def test_lists_from_outside(function: Any, name: str) -> None:
    calls = [lambda items=items: (*LISTS[name](), items.copy()) for items in (*arrays(), *arrays())]
    native = compare(function, calls)
    assert name != "two" or function in WITHOUT_KERNEL or kernels_that_ran(native)


def test_a_list_and_an_object() -> None:
    calls = [lambda items=items: (filled(Plain()), [], items.copy()) for items in arrays()]
    native = compare(storing_programs.appends_and_stores, calls)
    assert kernels_that_ran(native)
    line = storing_programs.appends_and_stores.__code__.co_firstlineno + 1
    assert f"the loop in line {line}: machine code" in native.explain(*calls[-1]())


@pytest.mark.usefixtures("by_python")
def test_entries_of_dicts() -> None:
    def given(items: Any, **others: Any) -> Callable[[], tuple[Any, ...]]:
        return lambda: ({"best": 0.0, "count": 0, "level": 0.0} | others, np.array(items))

    calls = [
        given(items, **others) for items in INPUTS for others in ({}, {"count": 2**63 - 2}, {"best": None})
    ]
    native = compare(storing_programs.entries, calls)
    assert kernels_that_ran(native)
    compare(storing_programs.entries, [lambda: ({"level": 0.0}, np.ones(3))], native)


def test_variables_of_modules_and_functions() -> None:
    results: list[Any] = []
    for wrap in (lambda one: one, functools.partial(astrace.compile, backend="native")):
        storing_programs.total = 0
        count, sums = wrap(counter()), wrap(storing_programs.a_global)
        found = [(count(x), sums(x), x.tolist(), storing_programs.total) for x in (*arrays(), *arrays())]
        results.append(found)
        if wrap is not None and hasattr(sums, "captures"):
            assert kernels_that_ran(sums) and kernels_that_ran(count)
    assert results[0] == results[1]


def test_an_object_that_is_made_here() -> None:
    calls = [lambda size=size: (np.linspace(0, 1, size),) for size in (0, 4, 5, 40, 40)]
    assert kernels_that_ran(compare(storing_programs.made_here, calls))


def test_a_filter_with_state_of_its_own() -> None:
    plain, captured = Filter(), Filter()
    run = astrace.compile(Filter.run, backend="native")
    x = np.sin(np.arange(200.0))
    for _ in range(3):
        assert seen(run(captured, x)) == seen(plain.run(x))
        assert seen(captured) == seen(plain)
    assert set(kernels_that_ran(run)) == {"run_kernel"}  # of the whole loop; its error is a float at first


def test_chosen_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial runs the kernel on copies, and stores once."""
    monkeypatch.delenv("ASTRACE_BACKEND")
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    plain, captured = Filter(), Filter()
    run = astrace.compile(Filter.run)
    x = np.sin(np.arange(400.0))
    for _ in range(20):
        assert seen(run(captured, x)) == seen(plain.run(x))
        assert seen(captured) == seen(plain)
    assert kernels_that_ran(run)


def test_a_class_that_gets_a_property_later() -> None:
    class Late:
        level = None

    def f(a, x):
        for i in range(len(x)):
            a.level = x[i]
        return x

    del Late.level
    native = astrace.compile(f, backend="native")
    one = Late()
    one.level = 0.0
    assert native(one, np.arange(4.0))[0] == 0 and one.level == 3.0
    told: list[Any] = []
    Late.level = property(lambda self: 0.0, lambda self, value: told.append(float(value)))
    native(one, np.arange(4.0))
    assert told == [0.0, 1.0, 2.0, 3.0]
