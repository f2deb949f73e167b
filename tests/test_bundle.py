"""Bundles: what is saved is loaded, anywhere, and gives the same to the bit; what is no data is refused, with its line."""

from __future__ import annotations

import copy
import functools
import importlib.util
import json
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import harness
import numpy as np
import pytest

import astrace
from astrace.bundle.codec.data_decoder import DataDecoder
from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codec.npy import array_of
from astrace.bundle.verify import differences

ROOT = Path(__file__).parent.parent
X = np.linspace(-1.0, 1.0, 6).reshape(2, 3)
WEIGHTS = np.arange(12.0).reshape(3, 4)
TABLE = {"rate": 0.5, "names": ["a", "b"]}
LIST: list[Any] = []


def saved(function: Any, *args: Any, path: Path, **kwargs: Any) -> Any:
    """The graph of a function, saved and loaded."""
    astrace.trace(function, *args, **kwargs).save(path)
    return astrace.load(path)


def layered(x, n=2, *rest, mode="relu", scale=1.0, **options):
    """Loops, branches, handlers, defaults, rest arguments and keywords."""
    acc = x @ WEIGHTS * TABLE["rate"]
    for i in range(n):
        acc = np.maximum(acc, 0.0) if mode == "relu" and i % 2 == 0 else np.tanh(acc)
    try:
        share = 1 / (n - 3)
    except ZeroDivisionError:
        share = -1.0
    found = {"acc": acc * scale, "share": share, "rest": [one + 1 for one in rest], "sum": 0.0}
    for name in sorted(options):
        found["sum"] = found["sum"] + options[name]
    return found


@pytest.mark.parametrize("name", ["model", "model.zip", "model.astrace"])
def test_called_as_the_function_is(name: str, tmp_path: Path) -> None:
    """Positional, keyword and default arguments, rest arguments and keywords, and by name."""
    graph = saved(layered, X, 3, 1.0, 2.0, path=tmp_path / name, scale=2.0, a=1.0, b=2.0)
    same = functools.partial(harness.same)
    expected = layered(X, 5, 7.0, 8.0, scale=3.0, a=5.0, b=6.0)
    assert same(graph(X, 5, 7.0, 8.0, scale=3.0, a=5.0, b=6.0), expected)
    by_name = {"x": X, "n": 5, "rest": (7.0, 8.0), "scale": 3.0, "options": {"a": 5.0, "b": 6.0}}
    assert same(graph.run(by_name), expected)
    assert same(graph(X, 0, 7.0, 8.0, a=5.0, b=6.0), layered(X, 0, 7.0, 8.0, a=5.0, b=6.0))
    assert graph.input_names == ("x", "n", "rest", "mode", "scale", "options")
    with pytest.raises(astrace.SignatureMismatch, match="`mode`"):
        graph(X, 3, 1.0, 2.0, mode="tanh", a=1.0, b=2.0)
    with pytest.raises(astrace.SignatureMismatch, match="float64"):
        graph(X.astype(np.float32), 3, 1.0, 2.0, a=1.0, b=2.0)
    with pytest.raises(astrace.SignatureMismatch, match="missing a required argument: 'x'"):
        graph.run({"n": 3})
    with pytest.raises(astrace.InvalidArgument, match=r"given as a dict by the names x, n, .*, not as \[3\]"):
        graph.run([3])  # type: ignore[arg-type]


def test_a_loaded_graph_says_what_the_traced_one_says(tmp_path: Path) -> None:
    """Text, constants with origins, guards with lines, frozen reads: all but what concerns the world outside."""
    graph = astrace.trace(layered, X, 3)
    graph.save(tmp_path / "m")
    loaded = astrace.load(tmp_path / "m")
    assert str(loaded).split("taken for granted")[0] == str(graph).split("taken for granted")[0]
    origins = [(one.origin.kind, one.origin.path) for one in graph.constants]
    assert [(one.origin.kind, one.origin.path) for one in loaded.constants] == origins
    assert [one.origin.path for one in loaded.frozen] == ["WEIGHTS", "TABLE['rate']"]
    assert repr(loaded) == "<PortableGraph of layered(x, n=2, *rest, mode='relu', scale=1.0, **options)>"
    loaded.save(tmp_path / "again")
    graph_json = (tmp_path / "m/graph.json").read_bytes()
    assert (tmp_path / "again/graph.json").read_bytes() == graph_json


class Pair(NamedTuple):
    left: Any
    right: Any


VALUES = [
    *(None, True, 5, -(2**63), 2**63, 10**60, 0.1, -0.0, float("inf"), float("nan"), 1 - 2.5j, complex("nan-infj")),
    *("text", "\ud800\x00'\"", b"\x00\xff", bytearray(b"ab"), ..., NotImplemented, slice(1, None, -1), range(0, 9, 2)),
    *((), (1, (2.0, [])), [1, [2]], {"a": {1: (2,)}, (1, "x"): None}, {3, 1}, {"b", "a"}, frozenset({1.5})),
    *(np.float32(0.1), np.int8(-3), np.bool_(1), np.str_("é"), np.datetime64("2020-01-01"), np.longdouble(1) / 3),
    *(np.dtype("f4"), np.dtype(">i2"), np.dtype("q"), np.dtype([("a", "i1"), ("b", ">f8", (2,))]), np.dtype("U")),
    *(int, np.float32, ValueError, np.ndarray, np.sum, np.add, len, np.linalg.norm),
    *(X, X.T, X[:, ::2], np.zeros((0, 3), order="F"), np.array(5.0), np.array(["a", "bc"]), np.asfortranarray(X)),
    *(np.array([(1, 2.0)], "i1, >f8"), np.array("2020", "M8[D]"), X.astype(">f4"), np.zeros((2, 1, 3))),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=[f"{n} {type(one).__name__}" for n, one in enumerate(VALUES)])
def test_values(value: Any) -> None:
    """Each value comes back as it was: class, dtype, bits, order of axes."""
    encoder = DataEncoder("arrays", {})
    data = json.loads(json.dumps(encoder.encode([value, value])))
    arrays = [
        array_of(one, encoder.files[f"arrays/{index}.npy"], "")
        for index, one in enumerate(encoder.descriptions)
    ]
    decoder = DataDecoder(encoder.shared, arrays, {})
    found, again = decoder.decode(data)
    packed = not isinstance(value, np.ndarray) or (value.flags.forc and value.size > 0)
    if isinstance(value, set | frozenset):  # their order is that of the process
        assert found == value
    else:
        assert harness.same(found, value) if packed else np.array_equal(found, value)
    assert type(found) is type(value)
    if type(value) in (list, dict, set, bytearray, np.ndarray):
        assert found is again
    if isinstance(value, np.ndarray):
        ordered = np.array_equal(np.argsort(found.strides), np.argsort(value.strides))
        assert (ordered or value.size == 0) and found.dtype == value.dtype
        assert found.flags.writeable == value.flags.writeable


def test_what_is_shared_stays_shared() -> None:
    """A diamond of sixty levels is saved in a moment, and one list in two places is one list again."""
    inner: list[Any] = [1]
    for _ in range(15):
        inner = [inner, inner]
    encoder = DataEncoder("arrays", {})
    found = DataDecoder(encoder.shared, [], {}).decode(encoder.encode([inner]))[0]
    assert found[0] is found[1] and found[0][0] is found[1][1] and len(encoder.shared) == 15


# -- what is refused ---------------------------------------------------------------------------------------


class Model:
    def __init__(self) -> None:
        self.calls, self.w = 0, WEIGHTS * 2.0

    def predict(self, x, by=1.0):
        return x @ self.w * by

    def counts(self, x):
        self.calls = self.calls + 1
        return x * self.calls


def outside(x):
    LIST.append(x)
    return x


def opaque(x):
    return zlib.crc32(x) + 1


def written(x):
    with open("/tmp/x") as file:
        return file.read() + x


def classes(x):
    return Pair(x, x)


REFUSED = [
    (outside, (X,), "AB201", "reads `LIST` from outside.*builtins.list", 1),
    (opaque, (b"a",), "AB202", "calls zlib.crc32", 1),
    (Model().counts, (X,), "AB201", "Model", 1),
    (classes, (X,), "AB203", "what the graph returns holds the class .*Pair", None),
    (lambda x, one: x * one.calls, (X, Model()), "AB204", "read from `one.calls` is no part of data", None),
    (lambda x, flag=object(): x, (X,), "AB20", "default of `flag`", None),
    (lambda x, names: [x for _ in names], (X, {"b", "a"}), "AB204", "order of a set", None),
]


@pytest.mark.parametrize("key", ["in", "lambda", "a b", "ﬁ"])
def test_keys_that_name_no_variable(key: str, tmp_path: Path) -> None:
    """Values are called after the keys that they are read by, where these can be names."""

    def halve(found: dict[str, float]) -> dict[str, float]:
        while found[key] > 1:
            found[key] = found[key] / 2
        return {key: found[key]}

    astrace.trace(halve, {key: 4.0}).save(tmp_path / "saved")
    assert astrace.load(tmp_path / "saved")({key: 5.0}) == halve({key: 5.0})


def adds(found):
    found["sum"] = found["a"] + TABLE["rate"] + WEIGHTS[0]
    return found


def appends(items):
    items.append(COUNTS[1])
    return len(items)


COUNTS = [1, 2]


@pytest.mark.parametrize(("function", "given"), [(adds, {"a": 1.0}), (appends, [1.0])])
def test_what_is_given_and_changed_beside_globals(function: Any, given: Any, tmp_path: Path) -> None:
    """The dict or list is no object of the module, whose own objects stay behind."""
    graph = saved(function, copy.copy(given), path=tmp_path / "saved")
    one, other = copy.copy(given), copy.copy(given)
    assert harness.same(graph(one), function(other)) and harness.same(one, other)


@pytest.mark.parametrize(
    "given", [{"x": X, "rest": 1.0}, {"x": X, "options": 3}, {"x": X, 1: 2.0}, {"x": X, "options": {1: 2.0}}]
)
def test_arguments_by_name_that_are_none(given: Any) -> None:
    graph = astrace.trace(layered, X)
    with pytest.raises(astrace.InvalidArgument, match="run: arguments are given as a dict by the names x, n"):
        graph.run(given)


def test_recorded_calls_that_change_a_default(tmp_path: Path) -> None:
    """Each is recorded as it was; the graph that is saved stays as it is."""

    def kept(x: float, found: list[float] = []) -> list[float]:  # noqa: B006 - that is the point
        found.append(x)
        return found

    graph = astrace.trace(kept, 1.0)
    graph.save(tmp_path / "saved", examples=[(2.0,), (3.0,)])
    loaded = astrace.load(tmp_path / "saved")
    assert [one.result for one in loaded.examples] == [[2.0], [2.0, 3.0]]
    assert differences(loaded) == [] and graph(4.0) == [4.0]


def test_views_of_one_array_are_refused(tmp_path: Path) -> None:
    """Two arrays of a bundle have no memory in common."""
    whole = np.zeros(4)
    part = whole[1:]

    def write(x: float) -> Any:
        whole[1] = x
        return part.sum()

    with pytest.raises(
        astrace.BundleError, match=r"AB201: .*array `(part|whole)`.*whose memory `(part|whole)` has"
    ):
        astrace.trace(write, 1.0).save(tmp_path / "saved")


@pytest.mark.parametrize(("function", "args", "code", "says", "line"), REFUSED, ids=lambda one: str(one)[:20])
def test_what_is_no_data_is_refused(
    function: Any, args: tuple[Any, ...], code: str, says: str, line: int | None, tmp_path: Path
) -> None:
    """The error names what it is and the user's line; nothing is written."""
    try:
        graph = astrace.trace(function, *args)
    except astrace.NotCaptured:
        pytest.skip("not captured, so that there is nothing to save")
    with pytest.raises(astrace.BundleError, match=says) as raised:
        graph.save(tmp_path / "m")
    assert raised.value.code.startswith(code) and raised.value.hint
    if line is not None:
        assert raised.value.location is not None
        assert (
            raised.value.location.line
            == getattr(function, "__func__", function).__code__.co_firstlineno + line
        )
    assert list(tmp_path.iterdir()) == []


def test_bound_methods_and_partials(tmp_path: Path) -> None:
    """What every call begins with is in the graph; the rest is its signature."""
    method = saved(Model().predict, X, path=tmp_path / "method")
    assert method.input_names == ("x", "by") and harness.same(method(X, by=3.0), Model().predict(X, by=3.0))
    partial = saved(functools.partial(layered, X, scale=5.0), 3, path=tmp_path / "partial")
    assert partial.input_names[0] == "n" and harness.same(partial(4), layered(X, 4, scale=5.0))


def test_metadata_and_examples(tmp_path: Path) -> None:
    """Metadata of any data, and recorded calls, also of calls that raise."""
    graph = astrace.trace(lambda x, n: [1.0, 2.0, x][n], 1.0, 2)
    graph.metadata.update({"labels": ("a", 12), "w": WEIGHTS, "sizes": [4, 8, 16]})
    graph.save(tmp_path / "m", examples=[(1.5, 2), {"x": 2.5, "n": 0}, (1.0, 7)])
    loaded = astrace.load(tmp_path / "m")
    assert loaded.metadata["labels"] == ("a", 12) and harness.same(loaded.metadata["w"], WEIGHTS)
    assert "missing" not in loaded.metadata
    assert [one.result for one in loaded.examples] == [1.5, 1.0, None]
    assert loaded.examples[2].raised == ("IndexError", "list index out of range")
    loaded.warmup()
    with pytest.raises(astrace.InvalidArgument, match="an example is a tuple"):
        graph.save(tmp_path / "m", examples=[5.0])
    for wrong in ((1.5,), ("a", 2), {"x": 1.0, "n": 0, "z": 3}):
        with pytest.raises(astrace.SignatureMismatch):
            graph.save(tmp_path / "m", examples=[wrong])
    graph.metadata["f"] = open
    with pytest.raises(astrace.BundleError, match="AB203: `metadata` holds open"):
        graph.save(tmp_path / "m")


def test_profile(tmp_path: Path) -> None:
    """Each node with its line, calls and time; the same for Chrome's viewer; a handler that ran is in it."""
    graph = saved(layered, X, 3, path=tmp_path / "m")
    profile = graph.profile(X, 3)
    rows = {row.node.op: row for row in profile.rows}
    assert rows["for_loop"].calls == 1 and rows["np.maximum"].calls == 2 and rows["np.maximum"].depth == 2
    assert rows["truediv"].calls == 1 and harness.same(profile.returned, layered(X, 3))
    assert "test_bundle.py:" in profile.table() and profile.table().count("\n") == len(profile.rows)
    events = json.loads(profile.chrome_trace())["traceEvents"]
    assert len(events) == sum(row.calls for row in profile.rows) and all(one["dur"] >= 0 for one in events)


def test_observed_and_checked(tmp_path: Path) -> None:
    """A loaded graph is observed and checked as any other."""
    graph = saved(layered, X, 3, path=tmp_path / "m")
    result = astrace.observe(graph)(X, 3)
    assert harness.same(result.returned, layered(X, 3)) and len(result.layered) > 5
    pure = saved(lambda x: np.tanh(x) * 2.0, X, path=tmp_path / "pure")
    assert astrace.check(pure, X, original=lambda x: np.tanh(x) * 2.0, level="quick").ok
    assert not astrace.check(pure, X, original=lambda x: np.tanh(x) * 2.5, level="quick").ok


def test_with_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the native backend, a loop of a loaded graph is machine code, as that of any other."""
    pytest.importorskip("numba")

    def summed(x, n):
        total = 0.0
        for i in range(n):
            total = total * 0.5 + x[i % 3]
        return total

    x = np.array([1.0, 2.0, 3.0])
    graph = saved(summed, x, 5, path=tmp_path / "m")
    monkeypatch.setenv("ASTRACE_BACKEND", "native")
    assert graph(x, 1000) == summed(x, 1000)
    assert astrace.load(tmp_path / "m")._way_in() is not None


@pytest.mark.parametrize("name", sorted(harness.COMMON)[1::8])
def test_the_corpus(name: str, tmp_path: Path) -> None:
    """Programs of the corpus do the same saved and loaded, and as source: results, writes, exceptions, output."""
    plain, traced = harness.load_program(name), harness.load_program(name)
    harness.prepare(plain, 0), harness.prepare(traced, 0)
    graph = astrace.trace(traced.f, *harness.fresh_arguments(traced.CALLS[0]))
    try:
        graph.save(tmp_path / "m")
    except astrace.BundleError as error:
        assert error.code in ("AB201", "AB202", "AB203") and "read again" not in error.message
        return
    expected = harness.observe(plain.f, harness.fresh_arguments(plain.CALLS[0]))
    loaded = astrace.load(tmp_path / "m")
    found = harness.observe(loaded, harness.fresh_arguments(traced.CALLS[0]))
    assert harness.differences(expected, found) == []
    source = standalone(tmp_path / "m").f
    assert (
        harness.differences(expected, harness.observe(source, harness.fresh_arguments(traced.CALLS[0]))) == []
    )


def standalone(bundle: Path) -> Any:
    """The standalone program of a bundle."""
    spec = importlib.util.spec_from_file_location("standalone", bundle / "standalone.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_standalone_source(tmp_path: Path) -> None:
    """It checks its arguments, has the arrays of the bundle, and does not name astrace in code."""
    astrace.trace(layered, X, 3).save(tmp_path / "m")
    module = standalone(tmp_path / "m")
    assert harness.same(module.layered(X, 4), layered(X, 4))
    with pytest.raises(
        TypeError, match=r"layered was not captured for such arguments; it expects .*mode == 'relu'"
    ):
        module.layered(X, 3, mode="tanh")
    text = (tmp_path / "m/standalone.py").read_text()
    assert "import astrace" not in text and "from astrace" not in text


# -- processes and places ----------------------------------------------------------------------------------

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np, astrace, pipeline
graph = astrace.trace(pipeline.f, np.ones(3))
graph.metadata["tags"] = {{"b", "a", "c"}}
graph.save(sys.argv[1], examples=[(np.arange(3.0),)])
"""
PIPELINE = """
import numpy as np
TABLE = {"a": 1.0, "b": 2.0}
W = np.arange(9.0).reshape(3, 3)
KNOWN = frozenset({"u", "v", "w"})
def f(x, name="u"):
    return {key: W @ x * TABLE[key] for key in ("a", "b")}, KNOWN, name in KNOWN
"""


def test_the_same_bytes_from_everywhere(tmp_path: Path) -> None:
    """Saved twice, in processes with other hash seeds, with the program and the bundle in other folders."""
    files = []
    for seed, name in ((1, "one"), (2, "one"), (3, "other/inner")):
        folder = tmp_path / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pipeline.py").write_text(PIPELINE)
        made = folder / f"made{seed}.zip"
        command = [sys.executable, "-c", PROGRAM.format(folder=str(folder)), str(made)]
        env = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(seed), "ASTRACE_CACHE_DIR": "0"}
        subprocess.run(command, check=True, cwd=tmp_path, env=env)
        files.append(made.read_bytes())
    assert files[0] == files[1] == files[2]
    assert str(tmp_path).encode() not in files[0]


RUN = """
import sys
sys.modules |= dict.fromkeys("libcst jax jaxlib numba llvmlite hypothesis pandas pytest onnx onnxruntime yaml".split())
import astrace, numpy as np
graph = astrace.load(sys.argv[1])
for one in graph.examples:
    found = graph(*one.args, **one.kwargs)
    assert all(np.array_equal(found[key], one.result[key]) for key in found), found
assert "astrace.rewrite.convert" not in sys.modules
print(sorted(found))
"""


def test_loaded_without_libcst_and_extras(tmp_path: Path) -> None:
    """In another process, moved, from another working directory, with nothing but NumPy to be imported."""
    astrace.trace(layered, X, 3).save(tmp_path / "made", examples=[(X, 3), (X, 5)])
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "made", tmp_path / "elsewhere/moved")
    env = {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", RUN, "elsewhere/moved"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.stderr == "" and done.stdout == "['acc', 'rest', 'share', 'sum']\n"


# -- graphs that would take all there is ---------------------------------------------------------------------


def endless(x):
    while x < 1.0:
        x = x * 1.0
    return x


def long(x):
    for _ in range(2**40):
        x = x + 1.0
    return x


def doubling(x):
    for _ in range(50):
        x = np.concatenate([x, x])
    return x


def huge(x):
    return np.zeros(10**12) + x


def wide(x):
    return np.broadcast_to(x, (10**6, 10**6)) + 1.0


def powers(n):
    return (n + 10) ** (n + 10**9)


@pytest.mark.parametrize(
    ("function", "arg"),
    [(endless, 0.5), (long, 1.0), (doubling, X[0]), (huge, 1.0), (wide, X[0, 0]), (powers, 5)],
)
def test_saving_and_loading_run_nothing(function: Any, arg: Any, tmp_path: Path) -> None:
    """A program that takes for ever, or all memory, is loaded as quickly as any other: nothing of it is run."""
    graph = astrace.trace(function, arg)
    start = time.process_time()
    graph.save(tmp_path / "m")
    loaded = astrace.load(tmp_path / "m")
    assert time.process_time() - start < 2.0
    assert "ndarray" not in str(type(loaded.block.outputs[0]))


# -- operators -----------------------------------------------------------------------------------------------


@astrace.script
def crc(x):
    return zlib.crc32(x)


def checksum(x):
    return crc(x) + len(x)


def test_operators_come_from_the_loading_program(tmp_path: Path) -> None:
    """Python code is named in the bundle, listed in the manifest, and passed by whoever loads it."""
    graph, name = astrace.trace(checksum, b"ab"), f"{__name__}.crc"
    graph.save(tmp_path / "m")
    assert json.loads((tmp_path / "m/manifest.json").read_text())["required_operators"] == [{"name": name}]
    with pytest.raises(
        astrace.BundleError, match=rf"AB115: the bundle needs the operators '{name}'\n.*operators=\[crc"
    ):
        astrace.load(tmp_path / "m")
    loaded = astrace.load(tmp_path / "m", operators={"crc": crc, "other": print})
    assert loaded(b"abc") == checksum(b"abc")
    assert astrace.load(tmp_path / "m", operators={"crc": lambda x: 5})(b"abc") == 8
    loaded.save(tmp_path / "again.zip")
    assert astrace.load(tmp_path / "again.zip", operators=[crc])(b"x") == checksum(b"x")
    for wrong in (["crc"], {5: print}):
        with pytest.raises(astrace.InvalidArgument, match="operators are a list of them"):
            astrace.load(tmp_path / "m", operators=wrong)  # type: ignore[arg-type]


# -- programs ------------------------------------------------------------------------------------------------


def test_a_long_program_is_interpreted_once(tmp_path: Path) -> None:
    """The first call of a long program without loops does not compile it; the second does, and gives the same."""
    file = tmp_path / "long_program.py"
    file.write_text("\n".join(["def f(x):", *["    x = x * 1.5 + 0.25"] * 60, "    return x"]))
    spec = importlib.util.spec_from_file_location("long_program", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graph = saved(module.f, X, path=tmp_path / "m")
    assert not graph._program()._is_compiled
    first, second = graph(X), graph(X)
    assert graph._program()._is_compiled and harness.same(first, module.f(X)) and harness.same(second, first)
    again = astrace.load(tmp_path / "m")
    again.warmup(X)
    assert again._program()._is_compiled


def keyed(d: dict[str, float]) -> list[str]:
    return list(d)


WRONG_CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no argument": (lambda: astrace.trace(keyed, {"a": 1.0})(), astrace.SignatureMismatch, r"missing a required argument: 'd'(.|\n)*hint: call it with the arguments that its signature names"),
    "an unknown keyword": (lambda: astrace.trace(keyed, {"a": 1.0})(e={}), astrace.SignatureMismatch, r"hint: call it with the arguments"),
    "keys in another order": (lambda: astrace.trace(keyed, {"a": 1.0, "b": 2.0})({"b": 1.0, "a": 2.0}), astrace.SignatureMismatch, r"expected {'a', 'b'} in this order, given {'b', 'a'}"),
    "other keys": (lambda: astrace.trace(keyed, {"a": 1.0, "b": 2.0})({"b": 1.0}), astrace.SignatureMismatch, r"expected {'a', 'b'}, given {'b'}"),
    "an empty path": (lambda: astrace.load(""), astrace.BundleError, "AB101: an empty text is no path"),
    "an empty path to save": (lambda: astrace.trace(keyed, {}).save(""), astrace.BundleError, "AB207: an empty text is no path"),
    "no examples": (lambda: astrace.trace(keyed, {}).save("x", examples=3), astrace.InvalidArgument, "examples are several calls, each a tuple"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG_CALLS)
def test_wrong_calls_are_told(what: str) -> None:
    call, error, match = WRONG_CALLS[what]
    with pytest.raises(error, match=match):
        call()
