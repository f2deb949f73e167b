"""Short runs of random programs; `python -m fuzz.run` makes long ones."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import astrace
from fuzz import arrays, handles, machine, rewritten, run
from fuzz.bugs import BUGS

PYTHON, ARRAYS = run.KINDS["python"], run.KINDS["arrays"]


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_random_programs(first: int) -> None:
    """Plain and captured agree, and nearly all programs are captured whole."""
    outcomes = []
    for seed in range(first, first + 20):
        source, _ = PYTHON.program(seed)
        differences, outcome = run.check(PYTHON, seed, source)
        assert differences == [], source
        outcomes.append(outcome)
    assert outcomes.count("whole") >= 16, outcomes


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(rng=st.randoms(use_true_random=False))
def test_random_programs_about_arrays(rng: random.Random) -> None:
    """Arrays that share memory are read and written as in plain Python, whichever way the block goes."""
    source, _ = arrays.program(rng)
    assert run.check(ARRAYS, 0, source, run.WAYS)[0] == [], source


@pytest.mark.parametrize("seed", range(2))
def test_one_function_after_the_other_on_arrays_that_share_memory(seed: int) -> None:
    """Two worlds of arrays stay the same, one of them changed by compiled functions."""
    handles.run(160, seed)


@pytest.mark.parametrize("seed", range(3))
def test_functions_over_a_world_that_changes(seed: int) -> None:
    """No function gives what is past, whatever changes between its calls."""
    events = machine.drawn(random.Random(seed), 12)
    found, _ = machine.difference(events)
    assert found == "", machine.fewest(events)


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_random_loop_nests_through_jax(first: int) -> None:
    """Loops that change arrays in place do so through XLA, too."""
    for seed in range(first, first + 5):
        source, _ = run.KINDS["nests"].program(seed)
        assert run.check(run.KINDS["nests"], seed, source, seconds=60) == ([], "whole"), source


@pytest.mark.parametrize("seed", [165, 394, 486, 1117, 7089, 7097])
def test_random_typed_programs_through_jax(seed: int) -> None:
    """Numbers, arrays and lists of known types: programs that differed once."""
    source, _ = run.KINDS["typed"].program(seed)
    assert run.check(run.KINDS["typed"], seed, source, seconds=60)[0] == [], source


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        *(("lists_text", seed) for seed in (5007, 5115, 5162, 20011)),
        *(("typed_text", seed) for seed in (777004, 888054, 888078, 990221)),
        *(("resized_text", seed) for seed in (2047, 2110, 2133, 5301)),
    ],
)
def test_random_programs_through_the_text_of_kernels(kind: str, seed: int) -> None:
    """Programs that differed once."""
    source, _ = run.KINDS[kind].program(seed)
    assert run.check(run.KINDS[kind], seed, source, seconds=60)[0] == [], source


def test_the_bugs_of_the_exam_fit() -> None:
    """Each is a text that stands once in the package, or the exam could not be taken."""
    folder = Path(astrace.__file__).parent
    assert [bug.name for bug in BUGS if (folder / bug.file).read_text().count(bug.old) != 1] == []
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 50


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_programs_that_repeat_themselves(first: int) -> None:
    """A repeated expression is computed once only if the results can't be told apart."""
    for seed in range(first, first + 20):
        source, _ = run.KINDS["repeats"].program(seed)
        assert run.check(run.KINDS["repeats"], seed, source, run.WAYS)[0] == [], source


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_programs_about_single_values(first: int) -> None:
    """Numbers, texts and what turns one into the other give what they give in plain Python, or refuse as they do."""
    outcomes = []
    for seed in range(first, first + 20):
        source, _ = run.KINDS["scalars"].program(seed)
        differences, outcome = run.check(run.KINDS["scalars"], seed, source)
        assert differences == [], source
        outcomes.append(outcome)
    assert outcomes.count("whole") >= 14, outcomes


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_programs_about_containers(first: int) -> None:
    """Containers that change while they are walked, viewed or held behave as in plain Python."""
    for seed in range(first, first + 10):
        source, _ = run.KINDS["containers"].program(seed)
        assert run.check(run.KINDS["containers"], seed, source, seconds=60)[0] == [], source


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_variants_of_programs(first: int) -> None:
    """A rewritten program does what it did, and so does what is captured of it."""
    for seed in range(first, first + 20):
        source, _ = rewritten.program(seed)
        assert rewritten.apart(rewritten.original(seed), source, seed) == [], source
        assert run.check(run.KINDS["variants"], seed, source)[0] == [], source


def test_the_command_reports_rules_and_a_table(capsys):
    """``python -m fuzz`` asks for rules and short programs by itself."""
    assert run.main(["--programs", "3", "--seed", "3", "--kind", "python", "arrays"], full=True) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:2] == ["python", "assign"] for line in lines)
    header, _, python, arrays, total = lines[-5:]
    assert header.split() == ["kind", "programs", "statements", "differences", "outcomes"]
    assert (
        python.split()[:2] == ["python", "3"]
        and arrays.split()[:2] == ["arrays", "3"]
        and total == "0 differences"
    )
    assert run.options_given(["--programs", "3"]).shrink is False
    assert run.options_given(["--no-rules"], full=True).rules is False


def test_a_difference_is_made_short_and_counted(capsys, monkeypatch):
    def compare(source, seed, way):
        return (["they differ"] if "0" in source[source.index("def f(") :] else []), "whole"

    kind = replace(run.KINDS["arrays"], compare=compare, body="def f(")
    monkeypatch.setattr(run, "KINDS", {"arrays": kind})
    assert run.main(["--programs", "4", "--kind", "arrays", "--seed", "1"], full=True) == 1
    text = capsys.readouterr().out
    assert "seed 1: they differ" in text and text.splitlines()[-1] != "0 differences"
    shown = text[text.index("--- seed 1") :].split("seed ")[1]
    assert len(shown.splitlines()) < run.KINDS["arrays"].program(1)[1]
