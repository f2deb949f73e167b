"""Specs and constants: joining, covering, describing, and which constants are the same."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrace.ir.constants import UNDEFINED, UNSET, is_static, same, show
from astrace.ir.specs import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    PYTHON_TYPES,
    STR,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    class_of,
    covers,
    is_immutable,
    join,
    spec_of,
)

MANY: Final = settings(max_examples=150, deadline=None)


class Pair(NamedTuple):
    """A named tuple."""

    a: Any
    b: Any


# -- values of all kinds -------------------------------------------------------------------------------------

DTYPES: Final = ("bool", "int8", "int64", "float32", "float64", "complex128", "U2", "M8[s]", "O")
LEAVES: Final[Sequence[Any]] = [
    *(True, 0, 1.5, -0.0, 2j, "text", b"bytes", None, ..., len, np.sum, int, UNDEFINED),
    *(np.dtype("int8").type(3), np.float32(1), np.float64(2), np.bool(True), np.datetime64("2024-01-01")),
    *(range(3), slice(1, None), frozenset({1}), {1, 2}, {"k": 1}, object()),
]
arrays = st.builds(
    np.zeros,
    st.lists(st.integers(0, 2), max_size=3).map(tuple),
    st.sampled_from(DTYPES),
)
values = st.recursive(
    st.sampled_from(LEAVES) | arrays,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.tuples(inner, inner).map(Pair._make)
    ),
    max_leaves=6,
)


def describes(spec: Spec, value: Any) -> bool:
    """Return whether a spec describes a value, computed in another way."""
    match spec:
        case AnySpec():
            return spec.cls is None or type(value) is spec.cls
        case UnionSpec():
            return any(describes(option, value) for option in spec.options)
        case LiteralSpec():
            return same(spec.value, value)
        case ScalarSpec():
            return type(value) is PYTHON_TYPES[spec.kind]
        case GenericSpec():
            return isinstance(value, np.generic) and value.dtype == spec.dtype
        case ArraySpec():
            return type(value) is np.ndarray and value.dtype == spec.dtype and _fit(spec.shape, value.shape)
        case ListSpec():
            items = type(value) is list and spec.length in (None, len(value))
            return items and all(spec.element is not None and describes(spec.element, item) for item in value)
        case TupleSpec():
            alike = type(value) is spec.cls and len(value) == len(spec.items)
            return alike and all(map(describes, spec.items, value))


def _fit(dims: Sequence[Any], shape: Sequence[int]) -> bool:
    return len(dims) == len(shape) and all(dim in (None, size) for dim, size in zip(dims, shape, strict=True))


# -- specs of all kinds --------------------------------------------------------------------------------------

CLASSES: Final = (dict, set, tuple, list, Pair, np.ndarray, np.float64, float, type(None), type(len))
numeric = st.sampled_from([np.dtype(name) for name in DTYPES[:6]])
dims = st.sampled_from([None, 0, 1, 3, "n", "m"])
plain_specs = st.one_of(
    st.sampled_from([BOOL, INT, FLOAT, COMPLEX, STR, NONE, ANY, *map(AnySpec, CLASSES)]),
    st.builds(ArraySpec, st.lists(dims, max_size=2).map(tuple), numeric),
    st.builds(GenericSpec, numeric),
    st.sampled_from([LiteralSpec(len), LiteralSpec("a"), LiteralSpec(UNDEFINED), LiteralSpec(UNSET)]),
)
single_specs = st.recursive(
    plain_specs,
    lambda inner: (
        st.builds(TupleSpec, st.lists(inner, max_size=2).map(tuple))
        | st.builds(TupleSpec, st.tuples(inner, inner), st.just(Pair))
        | st.builds(ListSpec, st.none() | inner, dims)
    ),
    max_leaves=3,
)
specs = st.lists(single_specs, min_size=1, max_size=4).map(lambda many: joined(many))


def joined(many: Sequence[Spec]) -> Spec:
    """All specs joined."""
    found, *others = many
    for other in others:
        found = join(found, other)
    return found


@MANY
@given(specs, specs)
def test_join_is_commutative(left: Spec, right: Spec) -> None:
    assert join(left, right) == join(right, left)


@MANY
@given(specs)
def test_join_is_idempotent_and_covers_is_reflexive(spec: Spec) -> None:
    assert join(spec, spec) == spec
    assert covers(spec, spec)


@MANY
@given(specs, specs)
def test_a_join_covers_both(left: Spec, right: Spec) -> None:
    both = join(left, right)
    assert covers(both, left)
    assert covers(both, right)


@MANY
@given(specs, specs, specs)
def test_covers_is_transitive(first: Spec, second: Spec, third: Spec) -> None:
    chain = [first, join(first, second), join(join(first, second), third)]
    assert covers(chain[2], chain[0])
    for wide, middle, narrow in itertools.permutations([first, second, third]):
        assert not (covers(wide, middle) and covers(middle, narrow)) or covers(wide, narrow)


@MANY
@given(specs)
def test_any_covers_all(spec: Spec) -> None:
    assert join(ANY, spec) == join(spec, ANY) == ANY


@MANY
@given(specs)
def test_equal_specs_hash_alike(spec: Spec) -> None:
    options = spec.options if isinstance(spec, UnionSpec) else (spec,)
    other = UnionSpec(options[::-1]) if len(options) > 1 else spec
    assert other == spec
    assert hash(other) == hash(spec)


@MANY
@given(values)
def test_the_spec_of_a_value_describes_it(value: Any) -> None:
    spec = spec_of(value)
    assert describes(spec, value)
    assert class_of(spec) in (None, type(value))
    assert isinstance(str(spec), str)


@MANY
@given(values, values)
def test_a_join_describes_both_values(left: Any, right: Any) -> None:
    both = join(spec_of(left), spec_of(right))
    assert describes(both, left)
    assert describes(both, right)


@MANY
@given(st.lists(values, max_size=6))
def test_a_join_of_many_describes_each(many: list[Any]) -> None:
    spec = joined([spec_of(value) for value in many]) if many else ANY
    assert all(describes(spec, value) for value in many)
    assert not isinstance(spec, UnionSpec) or 2 <= len(spec.options) <= 4


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (INT, FLOAT, "int | float"),
        (INT, BOOL, "int | bool"),
        (ArraySpec((2, "n"), np.dtype(float)), ArraySpec((2, "m"), np.dtype(float)), "float64[2, ?]"),
        (ArraySpec((2,), np.dtype(float)), ArraySpec((2,), np.dtype("f4")), "float64[2] | float32[2]"),
        (ArraySpec((), np.dtype(float)), GenericSpec(np.dtype(float)), "float64[] | float64"),
        (TupleSpec((INT, INT)), TupleSpec((INT, NONE)), "(int, int | None)"),
        (TupleSpec((INT,)), TupleSpec((INT, INT)), "(int) | (int, int)"),
        (ListSpec(None, 0), ListSpec(INT, 2), "list[int]"),
        (LiteralSpec(UNSET), FLOAT, "float"),
        (AnySpec(tuple), TupleSpec((INT,)), "tuple"),
        (UnionSpec((BOOL, TupleSpec((BOOL,)), TupleSpec(()))), AnySpec(tuple), "bool | tuple"),
        (AnySpec(tuple), UnionSpec((BOOL, TupleSpec((BOOL,)), TupleSpec(()))), "tuple | bool"),
        (UnionSpec((TupleSpec((INT,)), TupleSpec(()))), AnySpec(tuple), "tuple"),
        (UnionSpec((INT, NONE)), AnySpec(type(None)), "int | NoneType"),
        (NONE, NONE, "None"),
        (LiteralSpec("a"), LiteralSpec("b"), "'a' | 'b'"),
        (GenericSpec(np.dtype(">f8")), GenericSpec(np.dtype("<f8")), ">f8 | float64"),
    ],
)
def test_joins(left: Spec, right: Spec, expected: str) -> None:
    assert str(join(left, right)) == expected


def test_many_options_become_any() -> None:
    assert joined([INT, FLOAT, NONE, BOOL, COMPLEX]) == ANY
    assert joined([LiteralSpec(text) for text in "abcde"]) == STR


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (INT, True),
        (STR, True),
        (NONE, True),
        (TupleSpec((INT, STR)), True),
        (TupleSpec((INT, ListSpec(INT))), False),
        (join(INT, ArraySpec((), np.dtype(float))), False),
        (AnySpec(tuple), False),
        (ANY, False),
        (AnySpec(list), False),
    ],
)
def test_is_immutable(spec: Spec, expected: bool) -> None:
    assert is_immutable(spec) is expected


# -- constants -----------------------------------------------------------------------------------------------

DISTINCT: Final[Sequence[Any]] = [
    *(True, False, 1, 0, 2, 1.0, 0.0, -0.0, math.nan, math.inf, 1j, complex(0.0, -0.0), complex(-0.0, 0.0)),
    *(complex(math.nan, 0), 10**30, "1", b"1", "", b"", None, ..., NotImplemented, UNSET, UNDEFINED),
    *((), (1,), (1.0,), (True,), (0.0,), (-0.0,), (1, (2,)), (1, (2.0,)), Pair(1, 2), (1, 2)),
    *(
        range(3),
        range(4),
        range(0, 3, 2),
        range(0, 4, 2),
        slice(1),
        slice(1.0),
        slice(True),
        slice(None),
        int,
        float,
        len,
        np.add,
    ),
    *(np.int64(1), np.int32(1), np.float64(1), np.bool(True), np.float64(0.0), np.float64(-0.0)),
    *(np.float32("nan"), np.float64("nan"), np.dtype("f4"), np.dtype("f8"), np.dtype(">f8")),
]


@pytest.mark.parametrize("index", range(len(DISTINCT)))
def test_a_constant_is_the_same_as_itself_and_no_other(index: int) -> None:
    for other, constant in enumerate(DISTINCT):
        assert same(DISTINCT[index], constant) is (index == other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (float("nan"), float("nan")),
        (complex("nan"), complex("nan")),
        (10**30, 10**30),
        ((1, "a", (None,)), (1, "a", (None,))),
        (Pair(0.0, -0.0), Pair(0.0, -0.0)),
        (np.float64("nan"), np.float64("nan")),
        (np.dtype("f8"), np.dtype("float64")),
        (slice(1, None, -1), slice(1, None, -1)),
        (range(0, 4, 2), range(0, 4, 2)),
        ("ab" * 40, "ab" * 40),
    ],
)
def test_equal_constants_are_the_same(left: Any, right: Any) -> None:
    assert same(left, right)
    assert same(right, left)


@pytest.mark.parametrize("value", [*DISTINCT, frozenset({1}), np])
def test_constants_are_static_and_shown_stably(value: Any) -> None:
    assert is_static(value)
    assert show(value) == show(value)
    assert " at 0x" not in show(value)


@pytest.mark.parametrize("value", [[], {}, set(), np.zeros(2), ([],), object(), lambda: 0, slice([])])
def test_what_can_change_is_not_static(value: Any) -> None:
    assert is_static(value) is callable(value)
    assert " at 0x" not in show(value)
