"""Programs of the corpus, rewritten so that they mean the same, plain and captured; they bring their own calls."""

from __future__ import annotations

import functools
import random
from typing import Any

import harness
import variants

import astrace
from fuzz.compare import loaded, outcome_of
from fuzz.variants import variant

LOOKS_AT_ITSELF = ("inspect", "__code__", "_getframe", "traceback", "linecache", "id(")
"""Texts in programs that observe their own source, or memory addresses."""


@functools.cache
def names() -> tuple[str, ...]:
    """The programs that give the same at every run, and whose function is written out."""
    return tuple(name for name in harness.program_names() if _is_plain(name))


def _is_plain(name: str) -> bool:
    source = harness.program_file(name).read_text()
    return (
        "\ndef f(" in source
        and "\nVARIES" not in source
        and not any(word in source for word in LOOKS_AT_ITSELF)
    )


def original(seed: int) -> str:
    """The program that the variant of a seed is made of: all of them in turn."""
    known = names()
    return harness.program_file(known[seed % len(known)]).read_text()


def rewritten(seed: int) -> tuple[str, list[str]]:
    """The variant of a seed, and the names of the rewritings."""
    return variant(original(seed), random.Random(seed))


def program(seed: int) -> tuple[str, int]:
    """The variant of a seed and its number of lines."""
    source, _ = rewritten(seed)
    return source, source.count("\n")


def apart(first: str, second: str, seed: int) -> list[str]:
    """Return the differences between two plain programs; a rewriting should leave none."""
    with loaded(first, f"{seed}_plain") as one, loaded(second, f"{seed}_captured") as two:
        return _calls(one, two, two.f, "plain")


def differences(source: str, seed: int, way: variants.Variant | None) -> tuple[list[str], str]:
    """Return the differences between a variant and its capture, and how it was captured.

    Args:
        source: the variant.
        seed: what it was made from.
        way: how to run the block; ``None`` as users do.
    """
    with loaded(source, f"{seed}_plain") as plain, loaded(source, f"{seed}_captured") as captured:
        function = astrace.compile(captured.f)
        run = function if way is None else variants.captured_by(way, captured.f)
        return _calls(plain, captured, run, way.name if way else "compiled"), outcome_of(function)


def _calls(one: Any, two: Any, run: Any, how: str) -> list[str]:
    """Return the first difference on the calls of a program."""
    last: Any = None
    for index, (given, again) in enumerate(zip(one.CALLS, two.CALLS, strict=True)):
        harness.prepare(one, index)
        harness.prepare(two, index)
        last = harness.fresh_arguments(given), harness.fresh_arguments(again)
        expected, found = harness.observe(one.f, last[0]), harness.observe(run, last[1])
        differences = harness.differences(expected, found)
        if differences:
            return [f"{how}, call {index}: {difference}" for difference in differences]
    if not harness.same(harness.final(one, last[0]), harness.final(two, last[1])):
        return [f"{how}: what it leaves is another"]
    return []
