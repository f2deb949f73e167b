"""Graphs as modules of StableHLO: the same numbers, a stamp that ties the file to the graph, refusals with the line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace

jax = pytest.importorskip("jax")
X = np.linspace(-1.0, 1.0, 6).reshape(2, 3)
WEIGHTS = np.arange(6.0).reshape(3, 2)


def model(x, n, scale=2.0):
    hidden = np.tanh(x @ WEIGHTS) * scale
    for i in range(n):
        hidden = hidden * 0.5 + i if hidden.sum() > 1.0 else hidden - 1.0
    return hidden, hidden.mean(axis=0), n


def named(x):
    y = x + 1.0
    return {"b c": y, "a": {"rows": [y[0], (x, 2.0)], "none": ()}}


def joined(x):
    y = x + 1.0
    return {"a": y, "text": ",".join(map(str, y[0]))}


def filled(x):
    hidden = np.tanh(x @ WEIGHTS)
    found, best = np.zeros(hidden.shape), np.zeros(len(hidden))
    for i in range(hidden.shape[0]):
        for j in range(hidden.shape[1]):
            found[i, j] = hidden[i, j] * 2.0 if hidden[i, j] > 0.0 else 0.5
            best[i] += found[i, j]
    return found, best


@pytest.fixture
def graph(tmp_path: Path) -> Any:
    """A loaded graph."""
    astrace.trace(model, X, 3).save(tmp_path / "m")
    return astrace.load(tmp_path / "m")


def test_the_module_computes_the_same(graph: Any, tmp_path: Path) -> None:
    """For other numbers of the same sizes, with other trip counts; its bytes are those of a module."""
    from astrace.bundle.exports.stablehlo import stablehlo

    content, told, exported = stablehlo(graph, graph.bind((X, 3), {}))
    assert content[:4] == b"ML\xefR" and b"StableHLO" in content[:64]
    assert told["interface"]["inputs"][:2] == [["x", "float64", [2, 3]], ["n", "int64", []]]
    with jax.enable_x64(True):
        for n, scale in ((0, 2.0), (4, 0.5)):
            found = exported.call(X * 3.0, np.int64(n), np.float64(scale))
            for one, expected in zip(found, model(X * 3.0, n, scale), strict=True):
                np.testing.assert_allclose(np.asarray(one), expected, rtol=1e-12, atol=1e-12)


def test_results_in_containers_are_taken_apart(tmp_path: Path) -> None:
    """In the order in which the function names them; the stamp has their names."""
    from astrace.bundle.exports.stablehlo import stablehlo

    graph = astrace.trace(named, X)
    _, told, exported = stablehlo(graph, graph.bind((X,), {}))
    names = ["output_b_c", "output_a_rows_0", "output_a_rows_1_0", "output_a_rows_1_1"]
    assert [one[0] for one in told["interface"]["outputs"]] == names
    with jax.enable_x64(True):
        found = exported.call(X)
    for one, expected in zip(found, (X + 1.0, (X + 1.0)[0], X, 2.0), strict=True):
        assert np.array_equal(one, expected)


RETURNED = {
    "None": (lambda x: (None, x), "the result holds None, which is no"),
    "a text": (lambda x: {"unit": "m", "x": x}, "'m', which is no"),
    "a long integer": (lambda x: (2**70, x), "(int64|1180591620717411303424)"),
    "nothing": (lambda x: {}, "the graph returns no number and no array"),
}


@pytest.mark.parametrize("kind", ["stablehlo", "onnx"])
@pytest.mark.parametrize("what", RETURNED)
def test_results_that_no_format_has(what: str, kind: str, tmp_path: Path) -> None:
    function, says = RETURNED[what]
    with pytest.raises(astrace.BundleError, match=f"AB401: .*{says}"):
        astrace.trace(function, X).export(kind, tmp_path / "made", X)
    assert not list(tmp_path.iterdir())


def test_keys_that_have_one_name(tmp_path: Path) -> None:
    """Names of results are distinct."""
    graph = astrace.trace(lambda x: {"a b": x, "a_b": x + 1.0, "a": {"b": x + 2.0}}, X)
    for kind in ("stablehlo", "onnx"):
        graph.export(kind, tmp_path / kind, X)
        told = json.loads((tmp_path / f"{kind}.stamp.json").read_text())["interface"]["outputs"]
        assert [one[0] for one in told] == ["output_a_b", "output_a_b_1", "output_a_b_2"]


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_bounds_that_follow_from_sizes_need_no_check(rows: int) -> None:
    """A module can't raise; the sizes of a call are known when it is written."""
    from astrace.bundle.exports.stablehlo import stablehlo

    given = np.linspace(-2.0, 2.0, rows * 3).reshape(rows, 3)
    graph = astrace.trace(filled, X)
    _, _, exported = stablehlo(graph, graph.bind((given,), {}))
    with jax.enable_x64(True):
        found = exported.call(given)
    for one, expected in zip(found, filled(given), strict=True):
        np.testing.assert_allclose(np.asarray(one), expected, rtol=1e-12)


def test_the_stamp(graph: Any, tmp_path: Path) -> None:
    """It holds versions and hashes; a changed file, a changed stamp and another graph are noticed."""
    path = tmp_path / "model.mlirbc"
    graph.export("stablehlo", path, X, 3)
    graph.check_export(path)
    astrace.trace(model, X, 3).check_export(path)
    stamp = json.loads((tmp_path / "model.mlirbc.stamp.json").read_text())
    assert stamp["kind"] == "stablehlo" and set(stamp["versions"]) == {"astrace", "jax", "jaxlib"}
    other = astrace.trace(lambda x: x + 1.0, X)
    with pytest.raises(astrace.BundleError, match="AB401: .*exported from another graph"):
        other.check_export(path)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(astrace.BundleError, match="AB401: .*another one than was exported"):
        graph.check_export(path)
    (tmp_path / "model.mlirbc.stamp.json").write_text("{}\n")
    with pytest.raises(astrace.BundleError, match="AB401: .*the stamp of the export is none"):
        graph.check_export(path)
    with pytest.raises(astrace.BundleError, match="AB401: .*no export with its stamp"):
        graph.check_export(tmp_path / "nothing")
    assert sorted(one.name for one in tmp_path.iterdir() if one.name != "m") == [
        path.name,
        f"{path.name}.stamp.json",
    ]


def test_refusals(graph: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What JAX has not is refused with the node; wrong arguments, formats and missing packages say so; nothing is written."""
    path = tmp_path / "made"
    with pytest.raises(
        astrace.BundleError, match="AB401: AT301: a value of type any has no form in JAX"
    ) as raised:
        astrace.trace(joined, X).export("stablehlo", path, X)
    assert '",".join' in str(raised.value)
    with pytest.raises(astrace.BundleError, match="AB401: `x` is of type str"):
        astrace.trace(lambda x: x, "text").export("stablehlo", path, "text")
    with pytest.raises(astrace.SignatureMismatch, match="`x`: expected float64"):
        graph.export("stablehlo", path, X.astype(np.float32), 3)
    with pytest.raises(astrace.InvalidArgument, match="format 'tflite'; accepted are stablehlo, onnx"):
        graph.export("tflite", path, X, 3)
    with pytest.raises(astrace.BundleError, match="AB207"):
        graph.export("stablehlo", tmp_path / "missing/made", X, 3)
    with pytest.raises(astrace.SignatureMismatch, match="missing a required argument: 'n'"):
        graph.export("stablehlo", path, X)
    for wrong in (3, "", None, b"x"):
        with pytest.raises(astrace.InvalidArgument, match="export: a path is a text or a Path"):
            graph.export("stablehlo", wrong, X, 3)
    (tmp_path / "notes").write_text("mine")
    for taken in (tmp_path / "notes", tmp_path):
        with pytest.raises(astrace.BundleError, match="AB206: .* is there, and is no export"):
            graph.export("stablehlo", taken, X, 3)
    assert (tmp_path / "notes").read_text() == "mine"
    (tmp_path / "notes").unlink()
    monkeypatch.setitem(sys.modules, "astrace.bundle.exports.stablehlo", None)
    monkeypatch.delitem(sys.modules, "astrace.bundle.exports.stablehlo")
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(astrace.MissingExtra, match="install 'astrace"):
        graph.export("stablehlo", path, X, 3)
    assert [one.name for one in tmp_path.iterdir()] == ["m"]
