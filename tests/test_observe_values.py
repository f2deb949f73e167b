"""Records of values: small ones are kept, large ones summarised, none changes later, and nothing raises."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import enum
import json
import math
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from astrace.errors import InvalidArgument
from astrace.observe import Limits, trace_func, tracing
from astrace.observe.output.difference import same
from astrace.observe.output.json_ import value_data
from astrace.observe.output.pictures import picture, png
from astrace.observe.snapshots.arrays import digest, value_range
from astrace.observe.snapshots.capture import snapshot
from astrace.observe.snapshots.previews import image_of, preview
from astrace.observe.snapshots.summaries import (
    ArraySummary,
    ContainerSummary,
    ObjectSummary,
    TextSummary,
    Thumbnail,
)
from astrace.observe.snapshots.text import value_text

SMALL = Limits(array_bytes=64, first=3, items=4, depth=3, text=10, total=50)


class Hostile:
    """An object that raises whatever it is asked."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")

    def __eq__(self, other):
        raise RuntimeError("eq")

    def __hash__(self):
        raise RuntimeError("hash")

    def __len__(self):
        raise RuntimeError("len")

    def __iter__(self):
        raise RuntimeError("iter")

    def __bool__(self):
        raise RuntimeError("bool")


class BadList(list):
    """A list whose methods raise."""

    def __iter__(self):
        raise RuntimeError("iter")

    def __len__(self):
        raise RuntimeError("len")

    def __getitem__(self, key):
        raise RuntimeError("item")

    def __repr__(self):
        raise RuntimeError("repr")


class BadDict(dict):
    """A dict whose methods raise."""

    def items(self):
        raise RuntimeError("items")

    def __iter__(self):
        raise RuntimeError("iter")


class BadMeta(type):
    """A class of classes that resist."""

    def __getattr__(cls, name):
        raise RuntimeError(name)

    def __repr__(cls):
        raise RuntimeError("repr")

    @property
    def __module__(cls):
        raise RuntimeError("module")


def bad_class():
    """One of them: not at the top of the module, where pytest would ask it."""
    return BadMeta("OfBadMeta", (), {})


class Lies:
    """An object that says it is an array."""

    __class__ = np.ndarray


class Colour(enum.IntEnum):
    """Numbers with names."""

    RED = 1


@dataclasses.dataclass
class Sample:
    """A dataclass."""

    x: object
    y: object = 1


@dataclasses.dataclass(slots=True)
class Slotted:
    """One without a dict."""

    x: object


Point = collections.namedtuple("Point", "x y")


def recursive():
    made = [1]
    made.append({"again": made, "tuple": (made,)})
    return made


def objects():
    made = np.empty(3, dtype=object)  # filled one by one: NumPy would ask the object whether it is an array
    made[0], made[1], made[2] = Hostile(), None, [1]
    return made


def deep(depth):
    made = []
    for _ in range(depth):
        made = [made]
    return made


TABLE = {
    "hostile": Hostile,
    "bad list": lambda: BadList([1, 2, 3]),
    "bad dict": lambda: BadDict(a=1),
    "bad class": bad_class,
    "of bad class": lambda: bad_class()(),
    "lies": Lies,
    "recursive": recursive,
    "deep": lambda: deep(5000),
    "wide": lambda: [[[[0] * 300] * 300] * 300] * 300,
    "hostile in containers": lambda: {"a": [Hostile(), (Hostile(),)]},
    "empty": lambda: np.zeros(0),
    "empty 2-D": lambda: np.zeros((0, 5)),
    "empty 3-D": lambda: np.zeros((3, 0, 4)),
    "0-D": lambda: np.array(3.5),
    "all NaN": lambda: np.full(100, np.nan),
    "infinite": lambda: np.array([np.inf, -np.inf, np.nan, 1.0] * 10),
    "huge floats": lambda: np.array([-1.7e308, 1.7e308] * 50),
    "objects": objects,
    "strings": lambda: np.array(["<b>", "\x1b[31m"] * 100),
    "bytes": lambda: np.array([b"a", b"\xff"] * 100),
    "structured": lambda: np.zeros(50, dtype=[("x", "f8"), ("o", "i4", (2,))]),
    "structured objects": lambda: np.zeros(5, dtype=[("x", "O")]),
    "void": lambda: np.zeros(5, dtype=[("x", "f8")])[0],
    "empty strings": lambda: np.zeros(5, dtype="S0"),
    "dates": lambda: np.array(["2020-01-01", "NaT"] * 50, dtype="datetime64[ns]"),
    "times": lambda: np.array([1, "NaT"] * 50, dtype="timedelta64[s]"),
    "complex": lambda: np.array([1j, complex(math.nan, 1)] * 50),
    "extended": lambda: np.arange(50, dtype=np.longdouble) / 3,
    "half": lambda: np.arange(50, dtype=np.float16),
    "flags": lambda: np.array([True, False] * 100),
    "big-endian": lambda: np.arange(50, dtype=">i4"),
    "strided": lambda: np.arange(400.0).reshape(20, 20)[::-2, ::3],
    "broadcast": lambda: np.broadcast_to(np.float64(1), (10**5, 10**5)),
    "masked": lambda: np.ma.masked_array([1.0, 2.0] * 10, mask=[0, 1] * 10),
    "record": lambda: np.rec.array([(1, 2.0)] * 30),
    "scalars": lambda: [
        np.float32(1.5),
        np.int8(3),
        np.bool_(True),
        np.str_("x"),
        np.datetime64("NaT"),
        np.longdouble(1),
    ],
    "long scalar": lambda: np.str_("x" * 10_000),
    "huge int": lambda: 10**5000,
    "numbers": lambda: [1, 1.5, math.nan, -0.0, 1j, True, None, ..., 1 << 70],
    "text": lambda: ["\x1b[2J", "\u202egnp", "\ud800", "a" * 10_000, b"\0" * 10_000, bytearray(b"x")],
    "containers": lambda: [
        {1},
        frozenset((1, 2)),
        collections.deque([1]),
        collections.OrderedDict(a=1),
        range(3),
    ],
    "mappings": lambda: [
        types.MappingProxyType({"a": 1}),
        collections.Counter("abca"),
        collections.defaultdict(list, a=[1]),
    ],
    "keys": lambda: {(1, "a"): 1, None: 2, 1.5: 3, Colour.RED: 4, frozenset((1,)): 5, Sample: 6},
    "set of arrays": lambda: {(1, 2), "x"},
    "named": lambda: Point(1, [2]),
    "dataclass": lambda: Sample(np.arange(3), [Sample(1)]),
    "slotted": lambda: Slotted(1),
    "enumeration": lambda: Colour.RED,
    "functions": lambda: [len, lambda: 1, Hostile, np, str.upper],
    "dates of Python": lambda: [
        dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
        dt.timedelta(1),
        dt.date(2020, 1, 1),
    ],
    "exception": lambda: ValueError("x"),
    "generator": lambda: (x for x in ()),
}


@pytest.mark.parametrize(
    "limits",
    [Limits(), SMALL, Limits(array_bytes=0, first=0, items=0, depth=0, text=0, total=0)],
    ids=["default", "small", "none"],
)
@pytest.mark.parametrize("name", TABLE)
def test_anything_is_recorded_and_shown(name, limits):
    value = TABLE[name]()
    if name == "broadcast":
        limits = dataclasses.replace(limits, scan_bytes=1000)

    @trace_func(stage_name="s")
    def function(x, *rest, **others):
        return x

    with tracing(limits=limits) as result:
        function(value, value, key=value)
    call = result.s[0]
    assert call.outcome == "returned" and set(call.parameters) == {"x", "rest", "key"}
    for text in (str(result), str(call), result._repr_html_(), result.to_html()):
        assert text and "\x1b" not in text and "\u202e" not in text
        text.encode()
    json.loads(result.to_json())
    json.loads(result.to_chrome_trace())
    with tracing(limits=limits) as again:
        function(TABLE[name](), TABLE[name](), key=TABLE[name]())
    assert result.diff(result) is None and result.diff(again) is None


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: [1, 2], lambda x: x.append(9)),
        (lambda: {"a": [1]}, lambda x: x["a"].append(9)),
        (lambda: np.zeros(3), lambda x: x.fill(9)),
        (lambda: np.zeros(10**4), lambda x: x.fill(9)),
        (lambda: np.zeros((20, 20)), lambda x: x.fill(9)),
        (lambda: {1, 2}, lambda x: x.clear()),
        (lambda: bytearray(b"abc"), lambda x: x.clear()),
        (lambda: ([np.zeros(2)],), lambda x: x[0][0].fill(9)),
        (lambda: Sample([1]), lambda x: x.x.append(2)),
        (lambda: np.array([[1], [2]], dtype=object), lambda x: x.fill(9)),
        (lambda: np.zeros(1, dtype=[("x", "f8")])[0], lambda x: x.__setitem__("x", 9)),
        (lambda: np.arange(10)[::2], lambda x: x.fill(9)),
        (lambda: collections.deque([[1]]), lambda x: x[0].append(2)),
    ],
)
def test_later_changes_do_not_change_the_record(make, change):
    @trace_func(stage_name="s")
    def changes(x):
        change(x)
        return x

    value = make()
    with tracing() as result:
        changes(value)
        before = value_text(result.s[0].x)
        assert before == value_text(snapshot(make(), Limits()))
        after = result.s[0].return_value
        text = value_text(after)
        assert text != before or isinstance(value, bytearray) and text != before
        change(value)
    assert value_text(result.s[0].x) == before and value_text(after) == text


def test_a_kept_array_cannot_be_written():
    found = snapshot(np.zeros(3), Limits())
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1


def test_an_array_that_is_too_large_is_summarised():
    array = np.arange(10_000.0)
    array[[3, 5]] = np.nan
    found = snapshot(array, Limits())
    assert isinstance(found, ArraySummary)
    assert (found.dtype, found.shape, found.nbytes, found.size) == ("float64", (10_000,), 80_000, 10_000)
    assert (found.minimum, found.maximum, found.nan_count) == (0.0, 9999.0, 2)
    assert [*map(str, found.first)] == ["0.0", "1.0", "2.0", "nan", "4.0", "nan", "6.0", "7.0"]
    assert found.digest == digest(array.copy()) != digest(array + 1)
    assert (
        repr(found)
        == f"<float64[10000], 0 to 9999, 2 NaN, #{found.digest[:8]}, [0, 1, 2, nan, 4, nan, 6, 7, …]>"
    )


def test_limits():
    array = np.arange(100.0)
    assert isinstance(snapshot(array, Limits()), np.ndarray)
    assert snapshot(array, Limits(array_bytes=100, first=2)).first == (0.0, 1.0)
    assert snapshot(array, Limits(array_bytes=1, scan_bytes=1)).digest is None
    assert snapshot("x" * 20, Limits(text=5)).start == "xxxxx"
    assert (
        snapshot([1] * 20, Limits(items=5)).entries == (1,) * 5
        and snapshot([1] * 20, Limits(items=5)).length == 20
    )
    assert repr(snapshot([[[1]]], Limits(depth=1))) == "[[<…>]]"
    assert len(repr(snapshot([[1] * 100] * 100, Limits(total=50)))) < 2_000
    for name in ("array_bytes", "calls", "text"):
        for wrong in (-1, 1.5, "x", True):
            with pytest.raises(InvalidArgument, match=name):
                Limits(**{name: wrong})


def test_what_is_kept_of_other_values():
    limits = Limits()
    assert snapshot(Point(1, [2]), limits) == Point(1, [2])
    assert snapshot(Sample(3), limits)["x"] == 3
    assert snapshot(collections.OrderedDict(a=1), limits) == {"a": 1}
    assert isinstance(snapshot(collections.Counter("ab"), limits), ContainerSummary)
    assert snapshot(collections.Counter("ab"), limits)["a"] == 1
    assert isinstance(snapshot("x" * 9999, limits), TextSummary)
    assert repr(snapshot(object(), limits)) == "<object object>"
    assert "raises RuntimeError" in repr(snapshot(Hostile(), limits)) or "RuntimeError" in repr(
        snapshot(Hostile(), limits)
    )
    assert snapshot(Colour.RED, limits).text == "<Colour.RED: 1>"
    assert "contains itself" in repr(snapshot(recursive(), limits))
    assert type(snapshot(1 << 99999, limits)) is ObjectSummary


def test_what_is_masked_is_no_part_of_an_array():
    masked = np.ma.masked_array([1.0, 99.0, np.nan, 4.0], [False, True, False, False])
    found = snapshot(masked, Limits())
    assert (found.minimum, found.maximum, found.nan_count, found.note) == (1.0, 4.0, 1, "1 masked")
    assert repr(found).endswith("[1, --, nan, 4], 1 masked>")
    hidden = np.ma.masked_array([1.0, -5.0, np.nan, 4.0], [False, True, False, False])
    shown = np.ma.masked_array([1.0, 99.0, np.nan, 4.0])
    assert same(found, snapshot(hidden, Limits())) and not same(found, snapshot(shown, Limits()))
    pairs = np.ma.zeros(3, dtype=[("x", "f8"), ("y", "i4")])
    before = snapshot(pairs, Limits())
    pairs["y"][1] = np.ma.masked
    assert not same(before, snapshot(pairs, Limits()))


def test_objects_in_an_array_are_kept_where_they_are_few():
    array = np.array([1] * 20, dtype=object)
    before = snapshot(array, Limits())
    array[15] = 2
    after = snapshot(array, Limits())
    assert len(after.first) == 8 and after.values[15] == 2 and not same(before, after)
    assert snapshot(np.array([1] * 300, dtype=object), Limits()).values is None


def test_arrays_of_other_libraries():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    x = jax.numpy.arange(3.0)
    found = snapshot(x, Limits())
    assert (found.dtype, found.shape, found.values.tolist()) == ("float32", (3,), [0.0, 1.0, 2.0])
    seen = []

    @trace_func(stage_name="s")
    def function(x):
        return x * 2

    @jax.jit
    def compiled(x):
        seen.append(True)
        return function(x)

    with tracing() as result:
        assert compiled(x).tolist() == [0.0, 2.0, 4.0]
    assert seen and result.s[0].x.shape == (3,) and "not read" in result.s[0].x.note


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        st.one_of(hnp.floating_dtypes(), hnp.integer_dtypes(), hnp.boolean_dtypes()),
        hnp.array_shapes(min_dims=0, max_dims=4, min_side=0),
    )
)
def test_what_a_summary_says_is_so(array):
    low, high, nans = value_range(array)
    expected = array[~np.isnan(array)] if array.dtype.kind == "f" else array
    assert nans == array.size - expected.size
    assert (low is None) == (expected.size == 0)
    if expected.size:
        assert low == expected.min() and high == expected.max()
    found = snapshot(array, Limits(array_bytes=0))
    if isinstance(found, ArraySummary):
        assert [str(one) for one in found.first] == [str(one) for one in array.reshape(-1)[:8]]
        assert found.digest == digest(np.array(array, order="F"))
    picture(found), value_text(found), json.dumps(value_data(found), allow_nan=False)
    picture(array), value_text(array), json.dumps(value_data(array), allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.complex_numbers()
        ),
        lambda inner: st.one_of(
            st.lists(inner), st.tuples(inner), st.dictionaries(st.text(), inner), st.sets(st.integers())
        ),
    )
)
def test_plain_values_are_kept_as_they_are(value):
    found = snapshot(value, Limits(depth=50, total=10**6))
    assert same(found, value) and type(found) is type(value)
    json.loads(json.dumps(value_data(found), allow_nan=False))


@pytest.mark.parametrize(
    ("shape", "image"),
    [
        ((8, 9), (8, 9)),
        ((8, 9, 3), (8, 9, 3)),
        ((8, 9, 4), (8, 9, 4)),
        ((8, 9, 1), (8, 9)),
        ((3, 8, 9), (8, 9, 3)),
        ((1, 8, 9), (8, 9)),
        ((5, 8, 9), (8, 9)),
        ((5, 3, 8, 9), (8, 9, 3)),
        ((2, 5, 3, 8, 9), (8, 9, 3)),
        ((3, 128), None),
        ((0, 8, 9), None),
        ((0, 3, 8, 9), None),
        ((8,), None),
    ],
)
def test_what_is_an_image(shape, image):
    found = image_of(np.zeros(shape))
    assert (None if found is None else found.shape) == image


def test_a_thumbnail_is_a_png_with_the_pixels():
    import struct
    import zlib

    image = np.arange(5 * 6 * 3, dtype=np.uint8).reshape(5, 6, 3)
    found = preview(image)
    assert isinstance(found, Thumbnail) and found.pixels == image.tobytes()
    data = png(found)
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (6, 5)
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    rows = zlib.decompress(data[start + 4 : start + 4 + length])
    assert b"".join(rows[row * 19 + 1 : (row + 1) * 19] for row in range(5)) == image.tobytes()
    assert preview(np.zeros((500, 400))).width <= 56


def test_recording_does_not_record_itself():
    class Shown:
        @trace_func(stage_name="s")
        def __repr__(self):
            return "shown"

    with tracing() as result:
        trace_func(lambda x: x, stage_name="t")(Shown())
    assert [call.stage for call in result.calls] == ["t"] and repr(result.t[0].x) == "shown"
