"""Stubs take a function's calls; whatever its parameters are, the first call is like the later ones."""

from __future__ import annotations

import gc
import inspect
import types
from collections.abc import Callable
from typing import Any

import pytest

from astrace.util.code_stubs import Stub, StubTable, code_of, codes_of, stands_for, stub_of


def made() -> dict[str, types.FunctionType]:
    """Functions with parameters of all kinds; each gives what it is given."""
    held, more_held = [1], {"a": 2}

    def closed(self, x, *, by=2):
        return self, x, by, held, more_held

    def cells(x, y=3, *rest, z=4):
        return [lambda: (x, z)], y, rest

    return {
        "none": lambda: "nothing",
        "defaults": lambda a, b=2, c=3: (a, b, c),
        "only": lambda a, b=5, /, c=6: (a, b, c),
        "starred": lambda a, *rest, **more: (a, rest, more),
        "only named": lambda *, a, b=7: (a, b),
        "all": lambda a, b=1, /, c=2, *rest, d, e=3, **more: (a, b, c, rest, d, e, more),
        "closed": closed,
        "cells": cells,
    }  # type: ignore[return-value]


CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((1,), {}),
    ((1, 2), {}),
    ((1, 2, 3, 4), {}),
    ((1,), {"d": 5, "self": 6, "held": 7}),
    ((1, 2), {"by": 3}),
    ((), {"a": 1}),
    ((1, 2, 3, 4), {"d": 5, "z": 6}),
)


def outcome(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    try:
        found = function(*args, **kwargs)
    except TypeError as error:
        return str(error)
    if type(found) is tuple and type(found[0]) is list and callable(found[0][0]):
        return (found[0][0](), *found[1:])
    return found


def tabled(function: types.FunctionType, run: Callable[..., Any]) -> StubTable:
    """A table with the stub of one function."""
    table = StubTable(lambda function, code: Stub(function, run, code))
    table.add(function)
    return table


@pytest.mark.parametrize("name", made())
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_all_calls_are_handed_on_alike(name: str, call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    function, plain = made()[name], made()[name]
    monkeypatch.setitem(function.__globals__, "locals", None)
    table = tabled(function, made()[name])
    expected = outcome(plain, *call)
    assert inspect.signature(function) == inspect.signature(plain)
    early = function.__code__
    assert table.made(0) is None
    found = [outcome(function, *call)]
    assert function.__code__ is early
    stub = table.stub(0)
    found += [outcome(function, *call) for _ in range(2)]
    assert found == [expected] * 3
    assert isinstance(expected, str) or function.__code__ is stub.replacement
    assert code_of(function) is stub.code and stub_of(function) is stub
    stub.remove()
    assert function.__code__ is stub.code and outcome(function, *call) == expected


@pytest.mark.parametrize("name", made())
def test_code_that_takes_calls_looks_like_the_function_s(name: str) -> None:
    function = made()[name]
    table = tabled(function, print)
    early, stub = function.__code__, table.stub(0)
    alike = (
        "co_argcount",
        "co_posonlyargcount",
        "co_kwonlyargcount",
        "co_name",
        "co_qualname",
        "co_freevars",
    )
    alike += ("co_firstlineno", "co_filename")
    for code in (early, stub.replacement):
        assert [getattr(code, one) for one in alike] == [getattr(stub.code, one) for one in alike]
        assert stands_for(code, stub.code) and {line for *_, line in code.co_lines()} == {code.co_firstlineno}
        count = code.co_argcount + code.co_kwonlyargcount
        assert (
            code.co_varnames == stub.code.co_varnames[: len(code.co_varnames)]
            and len(code.co_varnames) >= count
        )


def test_a_function_that_was_looked_at_keeps_the_codes_it_is_known_by() -> None:
    function = made()["defaults"]
    stub = tabled(function, lambda *args: args).stub(0)
    known = codes_of(function)
    assert any(function.__code__ is code for code in known)
    assert function(1) == (1, 2, 3)
    stub.pause()
    assert any(function.__code__ is code for code in known) and function(1) == (1, 2, 3)
    stub.resume()
    assert any(function.__code__ is code for code in known)


def test_a_stub_stays_out_of_the_way_of_other_code() -> None:
    function, other = made()["defaults"], made()["starred"]
    stub = tabled(function, lambda *args: args).stub(0)
    function.__code__ = other.__code__
    stub.settle()
    stub.remove()
    assert function(1, x=2)[0] == 1
    called: list[Any] = []
    stub = tabled(other, lambda *args, **more: called.append(args)).stub(0)
    stub.pause()
    assert other(1) == (1, (), {}) and not called
    stub.resume()
    assert other(1) is None and called == [(1,)]


def test_what_waits_in_a_table_gets_its_own_code_back_unless_others_replaced_it() -> None:
    functions = [made()["defaults"] for _ in range(4)]
    own = [one.__code__ for one in functions]
    table = StubTable(lambda function, code: Stub(function, lambda *args: "stub", code))
    assert [table.add(one) for one in functions] == [0, 1, 2, 3]
    assert [code_of(functions[0]), functions[1](1)] == [own[0], "stub"]
    functions[2].__code__ = made()["starred"].__code__
    assert table.made(2) is table.made(3) is None and table.entry(3) == (functions[3], own[3])
    table.stub(2).settle()
    table.remove_waiting()
    assert functions[3].__code__ is own[3] and functions[2](1) == (1, (), {})
    assert functions[0](1) == functions[1](1) == "stub"
    for place in range(3):
        table.stub(place).remove()
    assert [one.__code__ is code for one, code in zip(functions, own, strict=True)] == [
        True,
        True,
        False,
        True,
    ]
    assert functions[2](1) == (1, (), {})


def test_code_that_waits_can_be_a_key_and_adds_one_tuple_for_the_collector() -> None:
    functions = [made()["defaults"] for _ in range(100)]
    table = StubTable(lambda function, code: Stub(function, print, code))
    table.add(functions[0])
    gc.collect()
    before = len(gc.get_objects())
    for one in functions[1:]:
        table.add(one)
    gc.collect()  # tuples of texts are not looked at after this
    assert len(gc.get_objects()) - before < 110
    assert len({one.__code__ for one in functions}) == 100
