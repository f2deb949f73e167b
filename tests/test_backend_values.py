"""Generated source holds every constant, binds every operator as it must, and takes blocks of any size."""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import harness
import numpy as np
import pytest
from drafts import Draft, called, emitted, interpreted

import astrace
from astrace.backends.numpy.emitter import WIDTH
from astrace.ir.block import Block, Constant
from astrace.ir.specs import ANY, FLOAT, INT

# -- constants -----------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A named tuple."""

    x: Any
    y: Any


class Thing:
    """Any object."""


CONSTANTS: Final[list[Any]] = [
    *(0, -1, 10**40, -(10**40), True, False, None, ..., NotImplemented),
    *(0.1, -0.0, 0.0, 1e300, 5e-324, -1.5, math.inf, -math.inf, math.nan),
    *(1j, complex(-0.0, 0.0), complex(0.0, -0.0), complex(math.nan, math.inf), -2 - 3j),
    *("", "it's", 'say "hi"', "a\nb\\n\t", "'''", '"""', "\x00\u2028\N{SNOWMAN}", "{x}", "#@3", "\ud800"),
    *(b"", b"\x00'\"\\", b"\n"),
    *((), (1,), (1, (2.0, (None,)), "a"), ((),), Place(1, -0.0), (math.nan, [])),
    *(slice(None), slice(1, None, -2), slice(None, 3.5), (slice(1), ..., None), range(3), range(5, 0, -2)),
    *(np.float32(0.1), np.int8(-3), np.bool(True), np.float64("nan"), np.complex64(1 + 2j), np.str_("a")),
    *(np.datetime64("2024-01-01"), np.timedelta64(3, "s"), np.longdouble(1) / 3),
    *(np.dtype("f4"), np.dtype(">i8"), np.dtype([("a", "f8")]), np.float64, int, Thing, Place),
    *(np.arange(3.0), np.zeros((0, 2), "i1"), np.array(["a"]), Thing(), [1], {"a": 1}, {1}, frozenset({2})),
    *(len, np.add, np.sin, np.sum, np.linalg.norm, math.sqrt, print, str.upper, [].append, lambda: 3),
    *(math, np, ValueError, ValueError("why"), KeyError, type, object, memoryview(b"ab")),
]


@pytest.mark.parametrize("index", range(len(CONSTANTS)))
def test_constants_survive(index: int) -> None:
    """As an output, in a container, and as an operand; objects that can change are the very same object."""
    value = CONSTANTS[index]
    draft = Draft(x=FLOAT)
    pair = draft("make_tuple", value, draft["x"])
    block = draft.block(Constant(value), pair, draft("type", value))
    for given in (called(block, 1.5), interpreted(block, 1.5)):
        alone, (inside, _), kind = given
        assert harness.same(alone, value)
        assert harness.same(inside, value)
        assert kind is type(value)
        if isinstance(value, (np.ndarray, Thing, list, dict, set)) or callable(value):
            assert alone is inside is value


@pytest.mark.parametrize("left", [-1, -1.5, 7, -0.0, math.inf, math.nan, 2j, -2j, True])
@pytest.mark.parametrize("op", ["pow", "mul", "neg", "sub"])
def test_numbers_bind_as_tightly_as_they_must(left: Any, op: str) -> None:
    """``(-1) ** x`` is not ``-1 ** x``."""
    draft = Draft(x=ANY)
    if op == "neg":
        block = draft.block(draft(op, left))
    else:
        block = draft.block(draft(op, left, draft["x"]), draft(op, draft["x"], left))
    assert harness.same(called(block, 3), interpreted(block, 3))


LITERALS: Final[list[Any]] = [7, -7, 2.5, True, None, ..., "text", b"bytes", (1, 2), (1, "a"), (), slice(1)]


@pytest.mark.parametrize("key", [0, True, "a", 1.5, None, (0, 1), slice(1)])
@pytest.mark.parametrize("owner", LITERALS)
def test_literals_are_indexed_without_warning(owner: Any, key: Any) -> None:
    """Python's compiler warns of ``7[0]`` and of ``(1, 2)["a"]``, which raise when they run."""
    for as_display in (False, True):
        draft = Draft(x=ANY)
        base = draft("make_list", draft["x"], owner) if as_display else owner
        inner = draft("make_tuple", draft["x"], *key) if type(key) is tuple else key
        assert_alike(draft.block(draft("get_item", base, key), draft("get_item", base, inner)))


@pytest.mark.parametrize("value", LITERALS)
def test_literals_are_used_in_any_way_without_warning(value: Any) -> None:
    """Of ``7()`` and ``x is 7`` it warns, too; ``7.real`` is no Python."""
    for op, args in (("call", [value]), ("call", [value, 1]), ("get_attr", [value, "real"])):
        draft = Draft(x=ANY)
        assert_alike(draft.block(draft(op, *args), draft["x"]))
    for op in ("is_", "is_not"):
        draft = Draft(x=ANY)
        x = draft["x"]
        both = (
            draft(op, x, value),
            draft(op, value, x),
            draft(op, draft("neg", x), draft("make_tuple", value)),
        )
        assert_alike(draft.block(*both))


@pytest.mark.parametrize("kind", ["make_list", "make_tuple", "make_set", "make_dict"])
def test_displays_are_called_without_warning(kind: str) -> None:
    draft = Draft(x=ANY)
    made = draft(kind, draft["x"], 1)
    assert_alike(draft.block(draft("call", made)))
    draft = Draft(x=ANY)
    made = draft(kind, draft["x"], 1)
    assert_alike(draft.block(draft("get_item", made, "a")))


def assert_alike(block: Block) -> None:
    """A block gives or raises the same both ways."""
    plain = harness.observe(lambda *args: interpreted(block, *args), (3,))
    found = harness.observe(lambda *args: called(block, *args), (3,))
    assert harness.differences(plain, found) == []


# -- precedence ----------------------------------------------------------------------------------------------

BINARY: Final = (
    "add",
    "sub",
    "mul",
    "truediv",
    "pow",
    "mod",
    "lshift",
    "and_",
    "or_",
    "xor",
    "lt",
    "eq",
    "is_",
    "in_",
)


@pytest.mark.parametrize("outer", [*BINARY, "neg", "not_", "invert"])
@pytest.mark.parametrize("inner", [*BINARY, "neg", "not_", "invert"])
def test_expressions_are_put_in_parentheses_where_they_must(outer: str, inner: str) -> None:
    """Each operator in each other, on both sides."""
    for left in (True, False):
        draft = Draft(a=ANY, b=ANY, c=ANY)
        one = draft(inner, *(draft["a"], draft["b"])[: 2 if inner in BINARY else 1])
        operands = (one, draft["c"]) if left else (draft["c"], one)
        block = draft.block(draft(outer, *(operands if outer in BINARY else (one,))))
        for given in ((5, 3, 2), (2, 4, 7), (True, False, 3)):
            plain = harness.observe(lambda *args, block=block: interpreted(block, *args), given)
            found = harness.observe(lambda *args, block=block: called(block, *args), given)
            assert harness.differences(plain, found) == []


# -- size ----------------------------------------------------------------------------------------------------

DEPTH: Final = 60
LENGTH: Final = 20_000


def nested_ifs(depth: int) -> Callable[..., Any]:
    """A function with so many branches in one another."""
    lines = ["def f(x, n):", "    total = 0"]
    for level in range(depth):
        lines.append("    " + " " * level + f"if n > {level}:")
        lines.append("    " + " " * level + f" total = total + x * {level}")
    lines.append("    return total")
    namespace: dict[str, Any] = {}
    harness.run_with_source("\n".join(lines) + "\n", namespace)
    return namespace["f"]


@pytest.mark.parametrize("n", [0, 1, DEPTH // 2, DEPTH])
def test_deep_nesting_works(n: int) -> None:
    function = nested_ifs(DEPTH)
    compiled = astrace.compile(function, fullgraph=True)
    assert harness.same(compiled(1.5, n), function(1.5, n))


def test_deep_nesting_in_other_branches_is_an_elif() -> None:
    draft = Draft(n=INT)

    def level(d: Draft, n: Any, depth: int) -> Any:
        test = d("eq", n, depth)
        if depth == DEPTH:
            return d("mul", n, 2)
        return d.cond(test, [n], lambda d, n: Constant(depth), lambda d, n: level(d, n, depth + 1))

    block = draft.block(level(draft, draft["n"], 0))
    for n in (0, 1, DEPTH - 1, DEPTH, 99):
        assert called(block, n) == interpreted(block, n)


def test_long_chains_work_in_linear_time() -> None:
    draft = Draft(x=FLOAT)
    value = draft["x"]
    for index in range(LENGTH):
        value = draft(("add", "mul", "sub")[index % 3], value, (1.0, 0.5)[index % 2])
    block = draft.block(value)
    start = time.perf_counter()
    executable = emitted(block)
    assert time.perf_counter() - start < 20
    assert executable.function(1.0) == interpreted(block, 1.0)
    assert max(map(len, executable.source.splitlines())) < 2 * WIDTH


def test_many_values_that_wait_for_the_end_work() -> None:
    draft = Draft(x=FLOAT)
    values = [draft("mul", draft["x"], float(index)) for index in range(LENGTH // 4)]
    block = draft.block(*values)
    assert called(block, 3.0) == interpreted(block, 3.0)


def test_a_value_that_is_used_by_all_that_follow_keeps_its_name() -> None:
    draft = Draft(x=FLOAT)
    base, total = draft("neg", draft["x"]), draft["x"]
    for _ in range(LENGTH // 10):
        total = draft("add", total, base)
    block = draft.block(total)
    assert called(block, 3.0) == interpreted(block, 3.0)
    names = {node.id for node in ast.walk(ast.parse(emitted(block).source)) if isinstance(node, ast.Name)}
    assert len(names) < 10
