"""Libraries that look up names in the frame of their caller find them: the function runs as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import astrace

pandas = pytest.importorskip("pandas")


def queried(table: Any, k: float) -> Any:
    limit = k * 2  # noqa: F841 - the texts name it
    return table.query("a > @limit")["a"].tolist(), table.eval("a + b * @k").tolist()


def queried_in_loop(table: Any, k: float) -> Any:
    found = []
    for i in range(3):
        limit = k + i  # noqa: F841
        found.append(len(table.query("a > @limit")))
    return found


def queried_when_made(table: Any, k: float) -> Any:
    wider = table.assign(c=lambda one: one["a"] * k)  # of which no more is known
    return wider.query("c > @k")["c"].tolist()


def evaluated(table: Any, k: float) -> Any:
    column = np.asarray(table["a"]) * k
    return pandas.eval("column * 2").sum(), len(column)


@pytest.mark.parametrize("function", [queried, queried_in_loop, queried_when_made, evaluated])
def test_tables_find_local_variables(function: Callable[..., Any]) -> None:
    """Names in texts are those of the function that gives the text."""
    table = pandas.DataFrame({"a": np.arange(6.0), "b": np.ones(6)})
    compiled = astrace.compile(function)
    for k in (1.0, 1.5, 2):
        assert compiled(table, k) == function(table, k)
    assert {entry.stages.fallback.code for entry in compiled._entries} == {"AT214"}


def test_a_method_of_that_name_is_captured() -> None:
    """A text without names of variables, and what is no text, leaves a method of unknown class in the graph."""

    def asks(found: Any, x: Any) -> Any:
        return found["first"].query("select 1"), found["first"].query(x)

    class Index:
        def query(self, what: Any) -> Any:
            return ("asked", np.size(what))

    found, x = {"first": Index()}, np.arange(3.0)
    compiled = astrace.compile(asks)
    assert compiled(found, x) == asks(found, x) == (("asked", 1), ("asked", 3))
    assert [entry.stages.fallback for entry in compiled._entries] == [None]
