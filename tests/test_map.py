"""`astrace.map`: order, bounds, exceptions; threads, processes that are started afresh, and a cluster of Dask."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.pipelines.batches import AHEAD, in_processes


def inverse(x, shift=0.0):
    if shift > 100.0:
        raise ValueError("too far")
    return np.linalg.inv(x) + shift


MATRICES = [np.array([[2.0, float(k)], [0.0, 4.0]]) for k in range(12)]


def graph():
    return astrace.trace(inverse, MATRICES[0], 1.0)


def same(found, expected):
    assert len(found) == len(expected)
    assert all(one.tobytes() == other.tobytes() for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_results_are_in_the_order_of_the_items(engine):
    shifts = [float(k) for k in range(20)]  # ends with the shortest
    found = astrace.map(graph(), MATRICES, shifts, engine=engine, workers=2)
    same(list(found), [inverse(x, y) for x, y in zip(MATRICES, shifts, strict=False)])


def test_what_has_a_default_may_be_left_out():
    same(list(astrace.map(graph(), MATRICES, workers=3)), [inverse(x) for x in MATRICES])
    assert list(astrace.map(graph(), [], workers=3)) == []
    assert list(astrace.map(len, ["a", "bb"])) == [1, 2]


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_an_exception_names_its_item_and_comes_in_its_place(engine):
    items = [*MATRICES[:3], np.zeros((2, 2)), *MATRICES]
    results = astrace.map(graph(), items, engine=engine, workers=2)
    same([next(results) for _ in range(3)], [inverse(x) for x in items[:3]])
    with pytest.raises(np.linalg.LinAlgError) as caught:
        next(results)
    assert caught.value.__notes__ == ["in map, for item 3"]
    assert list(results) == []


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_an_exception_of_the_items_comes_behind_the_results_before_it(engine):
    def broken():
        yield from MATRICES[:3]
        raise KeyError("no more")

    results = astrace.map(graph(), broken(), engine=engine, workers=2)
    same([next(results) for _ in range(3)], [inverse(x) for x in MATRICES[:3]])
    with pytest.raises(KeyError, match="no more"):
        next(results)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"client": object()}, "client= is for engine='dask', and the engine is 'threads'"),
        ({"client": object(), "engine": "processes"}, "client= is for engine='dask'"),
        ({"operators": {"len": len}}, "operators are a list of them, not"),
        ({"operators": len}, "operators are a list of them, not <built-in function len>"),
        ({"operators": "len"}, "operators are a list of them, not 'len'"),
    ],
)
def test_options_without_a_use_are_refused(options, match):
    with pytest.raises(astrace.InvalidArgument, match=match):
        astrace.map(graph(), MATRICES, **options)


def test_items_are_taken_as_results_are_asked_for():
    taken = []

    def endless():
        while True:
            taken.append(None)
            yield 1.0

    results = astrace.map(astrace.trace(lambda x: x + 1.0, 1.0), endless(), workers=2)
    assert [next(results) for _ in range(5)] == [2.0] * 5
    assert len(taken) <= 5 + 2 * AHEAD
    before = threading.active_count()
    results.close()
    assert threading.active_count() < before


def test_several_at_a_time():
    together = threading.Barrier(3, timeout=20)
    assert list(astrace.map(lambda x: (together.wait(), x)[1], range(3), workers=3)) == [0, 1, 2]


SCRIPT = """
import sys, time
import numpy as np
import astrace

@astrace.script
class Words:
    def __init__(self, path):
        self.known = open(path).read().split()
    def __call__(self, text):
        return [self.known.index(word) for word in text.split()]

if __name__ == "__main__":
    folder = sys.argv[1]
    words = Words(f"{folder}/words.txt")
    def pipeline(text):
        return sum(words(text)) * 2
    graph = astrace.trace(pipeline, "a b")
    texts = ["a", "c b", "", "c c c"] * 5
    assert list(astrace.map(graph, texts, engine="processes", workers=2, operators=[Words])) == [pipeline(t) for t in texts]
    try:
        astrace.map(graph, texts, engine="processes")
    except astrace.BundleError as error:
        assert error.code == "AB115", error
    else:
        raise AssertionError("an operator is missing")
    if sys.argv[2] == "dask":
        from distributed import Client, LocalCluster
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
            found = astrace.map(graph, texts, engine="dask", operators=[Words])
            assert list(found) == [pipeline(t) for t in texts]
            results = astrace.map(astrace.trace(lambda x: 1 // x, 5), [1, 0, 2], engine="dask")
            assert next(results) == 1
            try:
                next(results)
            except ZeroDivisionError as error:
                assert error.__notes__ == ["in map, for item 1"], error.__notes__
            else:
                raise AssertionError("nothing was raised")
    print("done")
"""


def test_pipelines_in_processes_and_on_a_cluster(tmp_path: Path):
    """A script of its own: workers import the operators from it."""
    try:
        import distributed as _  # noqa: F401

        cluster = "dask"
    except ModuleNotFoundError:
        cluster = "none"
    (tmp_path / "words.txt").write_text("a b c")
    script = tmp_path / "words_script.py"
    script.write_text(SCRIPT)
    run = [sys.executable, str(script), str(tmp_path), cluster]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, timeout=250, check=False)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr


def test_what_can_not_be_sent_is_told_at_once():
    started = time.perf_counter()
    with pytest.raises(astrace.InvalidArgument, match="can't be sent to other processes"):
        astrace.map(inverse, MATRICES, engine="processes")
    with pytest.raises(astrace.InvalidArgument, match="engine='fork'; accepted"):
        astrace.map(graph(), MATRICES, engine="fork")
    with pytest.raises(astrace.InvalidArgument, match="workers"):
        astrace.map(graph(), MATRICES, workers=0)
    with pytest.raises(astrace.InvalidArgument, match="give an iterable"):
        astrace.map(graph(), 5)
    with pytest.raises(astrace.InvalidArgument, match="no items"):
        astrace.map(graph())
    with pytest.raises(astrace.InvalidArgument, match="is not callable"):
        astrace.map(5, MATRICES)
    assert time.perf_counter() - started < 20


def test_an_error_of_a_graph_comes_out_of_another_process():
    made_for_two = astrace.trace(lambda x: x * 2.0, np.ones((2, 2)))
    for engine in ("threads", "processes"):
        with pytest.raises(astrace.SignatureMismatch, match=r"expected float64\[n, m\]"):
            list(astrace.map(made_for_two, [np.ones(3)], engine=engine, workers=1))


class Refusal(Exception):
    """An exception that takes other arguments than it keeps, so that it can't be unpickled."""

    def __init__(self, code, why):
        super().__init__(f"{code}: {why}")


def refusing(item):
    raise Refusal(item, "on purpose")


def test_an_exception_that_can_not_be_sent_is_told_of():
    with pytest.raises(RuntimeError, match=r"Refusal: 7: on purpose \(which can't be sent"):
        list(in_processes("map", refusing, [7], 1))
