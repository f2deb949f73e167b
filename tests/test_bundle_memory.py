"""What is saved is memory as well: bits of NaN, the order of axes, bytes between values; what is loaded is saved again as it was."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.bundle.codec.data_decoder import DataDecoder
from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.verify import differences
from astrace.pipelines.made_again import Maker
from astrace.pipelines.recorded import ArgumentRecorder, Bulk, Recorded
from astrace.util.array_memory import has_padding, ordered_copy, without_padding

NANS = [
    struct.unpack(">d", bytes.fromhex(bits))[0]
    for bits in ("7ff8000000000123", "fff8000000000000", "fff0000000000001")
]
ALIGNED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i2", (3,))], align=True)


def bits(value: Any) -> Any:
    """What a value is, to the bit."""
    if isinstance(value, complex):
        return bits(value.real), bits(value.imag)
    return (
        struct.pack(">d", value) if isinstance(value, float) else (type(value), np.asarray(value).tobytes())
    )


def dirty(array: np.ndarray[Any, Any], byte: int) -> np.ndarray[Any, Any]:
    """A copy with something in the bytes that belong to no value."""
    made = np.empty_like(array)
    made.reshape(-1).view(np.uint8)[...] = byte
    if array.dtype.names is None:
        raw, found = (
            one.reshape(-1).view(np.uint8).reshape(-1, np.dtype(np.longdouble).itemsize)
            for one in (array, made)
        )
        found[:, :10] = raw[:, :10]
        return made
    for name in array.dtype.names:
        made[name] = array[name]
    return made


@pytest.mark.parametrize(
    "value", [*NANS, complex(NANS[0], -0.0), complex(1.0, NANS[2]), -float("inf"), np.bytes_(b"a\0"), np.str_("a\ud800")]
)  # fmt: skip
def test_numbers_keep_their_bits(value: Any, tmp_path: Path) -> None:
    """In a graph, in its source, and among the arguments of operators."""
    encoder = DataEncoder("arrays", {})
    assert bits(DataDecoder([], [], {}).decode(encoder.encode(value))) == bits(value)
    recorder = ArgumentRecorder(lambda _: None, {}, Bulk(), id)
    told = Recorded.from_json(recorder.record(value).to_json(set()), {})
    assert bits(Maker(str, *[dict().__getitem__] * 4).make(told)) == bits(value)

    def function(x: Any) -> Any:
        return x, value

    astrace.trace(function, 1.0).save(tmp_path / "saved")
    assert bits(astrace.load(tmp_path / "saved")(1.0)[1]) == bits(value)
    spec = importlib.util.spec_from_file_location("standalone", tmp_path / "saved" / "standalone.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert bits(module.function(1.0)[1]) == bits(value)


@pytest.mark.parametrize(
    "text", ["nan", "7ff8000000000000", "7ff0000000000000", "3ff0000000000000", "7FF8000000000123", "nan:0"]
)
def test_other_spellings_of_floats(text: str) -> None:
    """Each number has one."""
    if text == "nan":
        assert np.isnan(DataDecoder([], [], {}).decode(["float", text]))
        return
    with pytest.raises(astrace.BundleError):
        DataDecoder([], [], {}).decode(["float", text])


def padded() -> list[np.ndarray[Any, Any]]:
    rows = np.zeros((2, 2), ALIGNED)
    rows["b"] = np.arange(4.0).reshape(2, 2)
    rows["a"], rows["c"] = 7, 5
    long = np.arange(3.0).astype(np.longdouble) / 3
    return [rows, long, (long * 1j).astype(np.clongdouble), np.zeros(2, [("x", np.longdouble)])]


@pytest.mark.parametrize("number", range(4))
def test_bytes_between_values_say_nothing(number: int, tmp_path: Path) -> None:
    """What happens to lie there is not written: the same values give the same bytes, and recorded calls are the same."""
    array = padded()[number]
    if not has_padding(array.dtype):
        pytest.skip("this platform has no such bytes")
    inner = array["x"] if array.dtype.names == ("x",) else None
    saved: list[bytes] = []
    for byte in (0x11, 0xEE):
        if inner is None:
            table = dirty(array, byte)
        else:
            table = np.zeros(2, array.dtype)
            table["x"] = dirty(np.ascontiguousarray(inner), byte)
        value = table.reshape(-1)[0]
        graph = astrace.trace(lambda x: (table.copy(), value, x), 1.0)  # noqa: B023 - traced at once
        graph.save(tmp_path / "one.zip", examples=[(2.0,)])
        saved.append((tmp_path / "one.zip").read_bytes())
        assert differences(astrace.load(tmp_path / "one.zip")) == []
    assert saved[0] == saved[1]
    clean = without_padding(dirty(array, 0x55) if inner is None else array)
    assert clean.tobytes() == without_padding(array).tobytes() and np.array_equal(clean, array)


def test_repeated_axes_keep_their_place(tmp_path: Path) -> None:
    """A broadcast array that was fixed gives results that lie in memory, and are added up, as before."""
    rng = np.random.default_rng(0)
    rows = np.broadcast_to(rng.normal(size=999) * 1e8, (77, 999))
    columns = np.broadcast_to(rng.normal(size=(77, 1)), (77, 999))
    cube = np.broadcast_to(rng.normal(size=(3, 1, 4)), (3, 5, 4)).transpose(2, 1, 0)

    def function(x: Any) -> Any:
        return rows * x, (rows * x).sum(), columns + x, (columns * x).sum(axis=0), cube * x

    graph = astrace.trace(function, 1.1)
    graph.save(tmp_path / "saved")
    for run in (graph, astrace.load(tmp_path / "saved")):
        for found, wanted in zip(run(1.7), function(1.7), strict=True):
            assert found.tobytes() == wanted.tobytes() and found.strides == wanted.strides
    assert ordered_copy(cube).strides == (cube * 1.0).strides
    for one in (rows[:, :0], np.broadcast_to("a", (2, 3)), np.asfortranarray(rows[:2, :3]), np.array(3)):
        assert np.array_equal(ordered_copy(one), one) and ordered_copy(one).flags.writeable


def test_saved_again_as_it_was(tmp_path: Path) -> None:
    """What a capture took for granted is told by the bundle of a loaded graph, too."""
    table = np.arange(4.0)

    def function(x: Any, n: int = 2) -> Any:
        return np.sum(table) * x + max(n, 1)

    astrace.trace(function, 1.0).save(tmp_path / "one.zip", examples=[(2.0,)])
    astrace.load(tmp_path / "one.zip").save(tmp_path / "two.zip")
    astrace.load(tmp_path / "two.zip").save(tmp_path / "three.zip")
    one, *others = ((tmp_path / f"{name}.zip").read_bytes() for name in ("one", "two", "three"))
    assert others == [one, one] and b"np is numpy" in one


def test_methods_of_fields(tmp_path: Path) -> None:
    """What is taken out of a structured array has no known type; its methods are called by name."""
    rows = np.array([(1, 2.5), (3, -1.0)], dtype=[("a", "i4"), ("b", "f8")])

    def function(x: Any) -> Any:
        return x["a"].sum(), x["b"].max() * 2, x[1]

    astrace.trace(function, rows).save(tmp_path / "saved")
    assert astrace.load(tmp_path / "saved")(rows[::-1].copy()) == function(rows[::-1].copy())
