"""Models of PyTorch as resources of operators: saved as layers and weights, moved, loaded elsewhere, the same bits.

PyTorch is large, and no part of the dev extra: without it the format of weights is tested alone, as in the gate.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load

import astrace
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.codec.safetensors import weights_file, weights_of
from astrace.bundle.files.manifest import manifest_of
from astrace.bundle.files.members import Member
from astrace.bundle.operator_data import OPERATORS_MEMBER
from astrace.errors import BundleError
from astrace.pipelines.records import recorded, recreated
from astrace.pipelines.tensors import PlainTensor
from astrace.pipelines.torch_modules import made_layer

ROOT = Path(__file__).parent.parent
WEIGHTS = {
    "b.weight": PlainTensor("F32", (2, 3), np.arange(6, dtype="<f4").tobytes()),
    "a": PlainTensor("I64", (), np.int64(-7).tobytes()),
    "ü\ud800": PlainTensor("BOOL", (3,), b"\1\0\1"),
    "none": PlainTensor("F64", (0, 4), b""),
    "half": PlainTensor("BF16", (1,), b"\x80\x3f"),
}

# -- the format: no library is needed for it ----------------------------------------------------------------


def test_weights_come_back() -> None:
    """Of any names, dtypes and shapes; with large items first, each aligned."""
    content = weights_file(WEIGHTS)
    assert weights_of(content, "w") == WEIGHTS and weights_file(weights_of(content, "w")) == content
    size = int.from_bytes(content[:8], "little")
    assert size % 8 == 0 and weights_of(weights_file({}), "w") == {}
    begins = {name: one["data_offsets"][0] for name, one in json.loads(content[8 : 8 + size]).items()}
    assert begins == {"a": 0, "none": 8, "b.weight": 8, "half": 32, "ü\ud800": 34}


def test_other_programs_read_them() -> None:
    """The library of the format itself takes the files."""
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([True, False]), "c": np.float32(2.5)[...]}
    names = {"float64": "F64", "bool": "BOOL", "float32": "F32"}
    told = {
        name: PlainTensor(names[one.dtype.name], one.shape, one.tobytes()) for name, one in arrays.items()
    }
    found = load(weights_file(told))
    assert found.keys() == arrays.keys()
    for name, one in arrays.items():
        np.testing.assert_array_equal(found[name], one, strict=True)


def changed(content: bytes, change: Callable[[Any], Any], data: bytes | None = None) -> bytes:
    """A file whose header says something else, spelled as ours are."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    header = change(header) or header
    text = dumps(header).rstrip()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + (content[8 + size :] if data is None else data)


def described(name: str, **parts: Any) -> Callable[[Any], None]:
    return lambda header: header[name].update(parts)


HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda content: b"",
    "half a size": lambda content: content[:5],
    "half a header": lambda content: content[:40],
    "half the data": lambda content: content[:-1],
    "more data": lambda content: content + b"\0",
    "a huge header": lambda content: (2**63).to_bytes(8, "little") + content[8:],
    "no JSON": lambda content: content[:8] + b"#" * int.from_bytes(content[:8], "little"),
    "a list": lambda content: changed(content, lambda header: [header]),
    "overlapping": lambda content: changed(content, described("b.weight", data_offsets=[0, 24])),
    "a hole": lambda content: changed(content, described("half", data_offsets=[33, 35])),
    "outside": lambda content: changed(content, described("half", data_offsets=[2**40, 2**40 + 2])),
    "another order": lambda content: changed(content, described("a", data_offsets=[24, 32])),
    "a shape of other size": lambda content: changed(content, described("b.weight", shape=[2, 4])),
    "a negative shape": lambda content: changed(content, described("b.weight", shape=[-2, -3])),
    "a shape that overflows": lambda content: changed(content, described("none", shape=[0, 2**61, 8])),
    "a shape of floats": lambda content: changed(content, described("b.weight", shape=[2.0, 3])),
    "many dimensions": lambda content: changed(content, described("a", shape=[1] * 100)),
    "another dtype": lambda content: changed(content, described("b.weight", dtype="F64")),
    "an unknown dtype": lambda content: changed(content, described("b.weight", dtype="O")),
    "a tensor less": lambda content: changed(content, lambda header: header.pop("a") and None),
    "a tensor more": lambda content: changed(content, lambda header: header.update(z=header["none"] | {"x": 1})),
    "metadata": lambda content: changed(content, lambda header: header.update(__metadata__={"a": "b"})),
    "no padding": lambda content: content.replace(b"  ", b"", 1),
    "two keys of one name": lambda content: content.replace(b'"half"', b'"none"'),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_weights(what: str) -> None:
    """Whatever is not written by us is refused before anything is made of it."""
    weights = WEIGHTS | {"pad": PlainTensor("U8", (1,), b"\0")}
    content = HOSTILE[what](weights_file(weights))
    with pytest.raises(BundleError) as raised:
        weights_of(content, "w")
    assert raised.value.code in ("AB106", "AB109", "AB113")


def test_a_name_that_the_format_reserves() -> None:
    with pytest.raises(BundleError, match="AB203"):
        weights_file({"__metadata__": WEIGHTS["a"]})


def test_random_changes_of_weights() -> None:
    """Of each single byte of a header: refused, or the same weights under other names and dtypes of the same size."""
    content = weights_file(WEIGHTS)
    size = 8 + int.from_bytes(content[:8], "little")
    for place in range(size):
        for bit in (1, 4, 128):
            edited = bytearray(content)
            edited[place] ^= bit
            try:
                found = weights_of(bytes(edited), "w")
            except BundleError:
                continue
            assert weights_file(found) == bytes(edited)


# -- models -------------------------------------------------------------------------------------------------

PROGRAM = """
import sys
import numpy as np
import torch
from torch import nn
import astrace

@astrace.script
class Net(nn.Module):
    def __init__(self, hidden, act):
        super().__init__()
        self.inner, self.last, self.act = nn.Linear(3, hidden), nn.Linear(hidden, 2), act
        self.norm = nn.BatchNorm1d(hidden)
        self.register_buffer("shift", torch.zeros(2))
        self.register_buffer("hidden", torch.ones(2), persistent=False)
        self.k = 1

    def forward(self, x):
        return self.last(self.norm(self.act(self.inner(x)))) + self.shift

@astrace.script
class Predict:
    def __init__(self, net, others=()):
        self.net, self.others = net, others

    def __call__(self, x):
        with torch.no_grad():
            found = self.net(torch.from_numpy(x))
            return [found.numpy(), *(one(torch.from_numpy(x[0].astype(float))).numpy() for one in self.others)]

x = np.arange(6, dtype=np.float32).reshape(2, 3) / 7
"""


def run(program: str, *given: Any, cwd: Path) -> str:
    """What a program prints, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program, *map(str, given)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def program(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the names of the program above, which stands in a file."""
    path = tmp_path_factory.mktemp("program") / "models_program.py"
    path.write_text(PROGRAM)
    names: dict[str, Any] = {"__name__": "models_program"}
    exec(compile(PROGRAM, str(path), "exec"), names)
    return names | {"path": path}


def models(torch: Any, names: dict[str, Any]) -> Any:
    """An operator with two models that were trained a little, in part in other dtypes, and not all of them frozen."""
    nn = torch.nn
    net = names["Net"](5, nn.LeakyReLU(0.125))
    net(torch.randn(20, 3))  # moves the averages of the norm
    net.shift += 0.5
    layers = nn.Sequential(
        nn.Linear(3, 4, bias=False), nn.ModuleDict({"a": nn.Dropout(0.5)})["a"], nn.Tanh()
    ).double()
    layers[0].weight.requires_grad_(False)
    return names["Predict"](net.eval(), (layers.eval(),))


def saved(operator: Any, x: Any, path: Path) -> Any:
    graph = astrace.trace(lambda x: operator(x), x)
    graph.save(path)
    return graph


def equal(left: Any, right: Any) -> None:
    assert len(left) == len(right)
    for one, other in zip(left, right, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


@pytest.mark.parametrize("name", ["folder", "file.zip"])
def test_saved_moved_loaded_in_another_process(
    name: str, torch: Any, program: dict[str, Any], tmp_path: Path
) -> None:
    """The same bits; saved again, too."""
    operator = models(torch, program)
    graph = saved(operator, program["x"], tmp_path / name)
    expected = operator(program["x"])
    equal(graph(program["x"]), expected)
    (tmp_path / "else").mkdir()
    moved = (tmp_path / name).rename(tmp_path / "else" / name)
    torch.manual_seed(1)
    script = PROGRAM + (
        "graph = astrace.load(sys.argv[1], operators=[Net, Predict])\n"
        "graph.save(sys.argv[2])\n"
        "print([one.tobytes().hex() for one in graph(x)])"
    )
    for path in (moved, tmp_path / "again"):
        told = run(script, path, tmp_path / "again", cwd=tmp_path)
        assert told == str([one.tobytes().hex() for one in expected])


def test_state_and_flags(torch: Any, program: dict[str, Any], tmp_path: Path) -> None:
    """Dtypes, flags of training and of gradients; weights that are changed after the trace are not saved."""
    operator = models(torch, program)
    operator.net.train()
    expected = {name: one.clone() for name, one in operator.net.state_dict().items()}
    graph = astrace.trace(lambda x: operator(x), program["x"])
    operator.net.shift += 100
    graph.save(tmp_path / "saved")
    loaded = astrace.load(tmp_path / "saved", operators=[program["Net"], program["Predict"]])
    made = next(one for _, one in loaded.pipeline.names.values() if type(one) is program["Predict"])
    assert made.net.training and made.net.norm.training and not made.others[0].training
    for name, one in made.net.state_dict().items():
        assert torch.equal(one, expected[name]), name
    (weight,) = made.others[0].parameters()
    assert weight.dtype == torch.float64 and not weight.requires_grad
    assert all(one.requires_grad for one in made.net.parameters())
    files = sorted(one.suffix for one in (tmp_path / "saved" / "operators").iterdir())
    assert files == [".safetensors"] * 3  # of the network, of its activation, of the layers


def layers(nn: Any) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """Layers with the shape of what they take."""
    return {
        "conv": (nn.Conv2d(2, 4, (3, 1), padding="same", groups=2, bias=False, padding_mode="reflect"), (1, 2, 5, 5)),
        "transposed": (nn.ConvTranspose1d(2, 3, 2, stride=2), (1, 2, 4)),
        "lstm": (nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True, dropout=0.25), (1, 5, 3)),
        "rnn": (nn.RNN(3, 4, nonlinearity="relu", bias=False), (5, 3)),
        "gru": (nn.GRU(3, 2), (5, 3)),
        "norms": (nn.Sequential(nn.LayerNorm(3, bias=False), nn.GroupNorm(1, 2, affine=False), nn.PReLU()), (1, 2, 3)),
        "batch": (nn.BatchNorm2d(2, track_running_stats=False), (2, 2, 3, 3)),
        "pools": (nn.Sequential(nn.MaxPool2d(2, stride=1), nn.AdaptiveAvgPool2d((2, None)), nn.Flatten()), (1, 2, 5, 5)),
        "others": (nn.Sequential(nn.Upsample(scale_factor=2), nn.GELU("tanh"), nn.Softmax(-1), nn.GLU()), (1, 2, 4)),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["conv", "transposed", "lstm", "rnn", "gru", "norms", "batch", "pools", "others"]
)
def test_layers(name: str, torch: Any, program: dict[str, Any], tmp_path: Path) -> None:
    """What each was made with is told by its attributes, the same result follows."""
    layer, shape = layers(torch.nn)[name]
    layer.eval()
    operator = program["Predict"](layer)
    x = torch.linspace(-1, 1, math.prod(shape)).reshape(shape)
    record = recorded([operator])
    assert not any(one.problem for one in record.operators), record.operators
    made = recreated(record.operators, {"models_program.Predict": program["Predict"]}, str, record.bulk)
    ((_, other),) = made.items()
    with torch.no_grad():
        left, right = (one if isinstance(one, torch.Tensor) else one[0] for one in (layer(x), other.net(x)))
    assert torch.equal(left, right) and repr(layer) == repr(other.net)


def untold(nn: Any, torch: Any) -> dict[str, tuple[Any, str]]:
    """Models that data can't tell, with what is said of them."""

    class Own(nn.Module):
        def forward(self, x: Any) -> Any:
            return x

    class Stated(Own):
        def get_extra_state(self) -> Any:
            return {"a": 1}

        def set_extra_state(self, state: Any) -> None: ...

    hooked, marked, sparse = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)
    hooked.register_forward_hook(lambda *args: None)
    marked.scale = 3
    sparse.weight = nn.Parameter(torch.eye(2).to_sparse(), requires_grad=False)
    changed = nn.Linear(2, 2)
    changed.in_features = 7
    return {
        "own": (nn.Sequential(Own()), "Own, which is no layer that is made from data: make its class an operator"),
        "lazy": (nn.LazyLinear(3), "LazyLinear, which is no layer"),
        "hooked": (hooked, "whose attribute '_forward_hooks' is not"),
        "marked": (nn.Sequential(marked), "whose attribute 'scale' is not"),
        "changed": (changed, "whose attribute 'weight' is not"),
        "sparse": (sparse, "a tensor 'weight' that is not a plain one: torch.sparse_coo"),
        "meta": (nn.Linear(2, 2, device="meta"), "a tensor 'weight' that is not a plain one: meta"),
        "complex": (nn.Linear(2, 2, dtype=torch.complex64), "torch.complex64"),
        "attention": (nn.MultiheadAttention(2, 1), "MultiheadAttention, which is no layer"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["own", "lazy", "hooked", "marked", "changed", "sparse", "meta", "complex", "attention"]
)
def test_what_can_not_be_told(name: str, torch: Any, program: dict[str, Any], tmp_path: Path) -> None:
    """It is refused, with what is in the way, and nothing is written."""
    model, words = untold(torch.nn, torch)[name]
    operator = program["Predict"](model)
    (record,) = recorded([operator]).operators
    assert words in record.problem, record.problem


def changes(torch: Any) -> dict[str, tuple[Callable[[Any], Any], str]]:
    """What is done to a model after it was made, with the attribute that tells it."""
    nn, utils = torch.nn, torch.nn.utils

    def forward(x: Any) -> Any:
        return x

    def hook(*args: Any) -> None: ...

    return {
        "another layer": (lambda net: setattr(net, "act", nn.Tanh()), "act"),
        "a layer of another size": (lambda net: setattr(net, "last", nn.Linear(5, 3)), "last.bias"),
        "a layer more": (lambda net: net.add_module("more", nn.Tanh()), "more"),
        "a layer with other arguments": (lambda net: setattr(net.norm, "eps", 0.5), "norm.eps"),
        "an attribute": (lambda net: setattr(net, "k", 5), "k"),
        "an attribute more": (lambda net: setattr(net.inner, "k", 5), "inner.k"),
        "a buffer that is not saved": (lambda net: net.hidden.add_(1.0), "hidden"),
        "another precision of one": (lambda net: net.double(), "hidden"),
        "forward": (lambda net: setattr(net, "forward", forward), "forward"),
        "forward of a layer": (lambda net: setattr(net.inner, "forward", forward), "inner.forward"),
        "a hook": (lambda net: net.register_forward_hook(hook), "_forward_hooks"),
        "a hook of a layer": (lambda net: net.norm.register_forward_pre_hook(hook), "norm._forward_pre_hooks"),
        "an old norm of weights": (lambda net: utils.weight_norm(net.inner), "inner"),
        "a norm of weights": (lambda net: utils.parametrizations.weight_norm(net.inner), "inner"),
    }  # fmt: skip


CHANGES = (
    "another layer", "a layer of another size", "a layer more", "a layer with other arguments", "an attribute", "an attribute more",
    "a buffer that is not saved", "another precision of one", "forward", "forward of a layer", "a hook", "a hook of a layer",
    "an old norm of weights", "a norm of weights",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*weight_norm.*:FutureWarning")
@pytest.mark.parametrize("what", CHANGES)
def test_a_model_that_was_changed(what: str, torch: Any, program: dict[str, Any], tmp_path: Path) -> None:
    """Of an operator that is a model only weights are saved: what else was changed is refused, as itself and in another one."""
    change, attribute = changes(torch)[what]
    net = program["Net"](5, torch.nn.LeakyReLU(0.125)).eval()
    change(net)
    for number, operator in enumerate((net, program["Predict"](net))):
        with pytest.raises(
            BundleError, match=rf"operator Net .*another attribute `{attribute}[`.]"
        ) as raised:
            saved(operator, program["x"], tmp_path / str(number))
        assert raised.value.code == "AB203" and list(tmp_path.iterdir()) == []


def tampered(path: Path, edits: dict[str, Callable[[bytes], bytes]]) -> None:
    """Edit members of a bundle that is a folder, and make its hashes anew."""
    manifest_path = path / "manifest.json"
    manifest = manifest_of(manifest_path.read_bytes())
    members = dict(manifest.members)
    for name, edit in edits.items():
        content = edit((path / name).read_bytes())
        (path / name).write_bytes(content)
        members[name] = Member.of(name, content)
    manifest_path.write_bytes(dataclasses.replace(manifest, members=members).content())


def with_other(**parts: Any) -> Callable[[bytes], bytes]:
    """A file of weights in which one tensor is another."""

    def edit(content: bytes) -> bytes:
        weights = dict(weights_of(content, "w"))
        name = next(one for one in weights if one.endswith("weight"))
        weights[name] = dataclasses.replace(weights[name], **parts)
        return weights_file(weights)

    return edit


def renamed(content: bytes) -> bytes:
    weights = dict(weights_of(content, "w"))
    weights["other"] = weights.pop(next(iter(weights)))
    return weights_file(weights)


FORGED: dict[str, Callable[[bytes], bytes]] = {
    "another shape": with_other(shape=(12,), data=bytes(12 * 8)),
    "an integer": with_other(dtype="I64", shape=(4, 3), data=bytes(12 * 8)),
    "another name": renamed,
    "none": lambda content: weights_file({}),
}
EDITED: dict[str, Callable[[Any], Any]] = {
    "another layer": lambda text: text.replace(b'"Linear"', b'"Module"'),
    "a dotted name": lambda text: text.replace(b'"Linear"', b'"os.system"'),
    "no layer": lambda text: text.replace(b'"Linear"', b'"DataParallel"'),
    "huge": lambda text: text.replace(b'"in_features"],["int","0x3"]', b'"in_features"],["int","0xffffffffffff"]'),
    "a text as a size": lambda text: text.replace(b'"in_features"],["int","0x3"]', b'"in_features"],["str","3"]'),
    "an unknown argument": lambda text: text.replace(b'"in_features"', b'"forward"'),
    "another hash": lambda text: text.replace(b'["state","', b'["state","0'),
    "no state": lambda text: text.replace(b'"state"', b'"tuple"'),
    "another flag": lambda text: text.replace(b'["list",null,["str","0.weight"]]', b'["list",null,["str","x"]]'),
}  # fmt: skip


@pytest.fixture(scope="module")
def bundle(torch: Any, program: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle of a model of layers."""
    path = tmp_path_factory.mktemp("bundle") / "saved"
    operator = program["Predict"](program["x"], models(torch, program).others)
    saved(operator, program["x"], path)
    return path


@pytest.mark.parametrize("what", [*FORGED, *EDITED, "truncated", "edited"])
def test_hostile_models(what: str, bundle: Path, program: dict[str, Any], tmp_path: Path) -> None:
    """Weights of another model, layers that are none, arguments that are none: an error of the bundle."""
    path = Path(shutil.copytree(bundle, tmp_path / "saved"))
    (weights,) = (path / "operators").glob("*.safetensors")
    member = f"operators/{weights.name}"
    if what in FORGED:
        tampered(path, {member: FORGED[what]})
    elif what in EDITED:
        before = (path / OPERATORS_MEMBER).read_bytes()
        assert EDITED[what](before) != before
        tampered(path, {OPERATORS_MEMBER: EDITED[what]})
    else:
        content = weights.read_bytes()
        weights.write_bytes(content[:-3] if what == "truncated" else content[:-1] + b"\7")
    with pytest.raises(BundleError) as raised:
        astrace.load(path, operators=[program["Predict"]])
    assert raised.value.code in ("AB107", "AB108", "AB111", "AB113")


def test_layers_that_are_refused(torch: Any) -> None:
    """What is no layer, and what would take for ever or all memory to make."""
    sizes = {"input_size": 1, "hidden_size": 1}
    for name, parts in (
        ("Module", {}), ("DataParallel", {}), ("__class__", {}), ("LSTM", {**sizes, "num_layers": 10**9}), ("GRU", {**sizes, "num_layers": "2"}),
        ("Linear", {"in_features": -1, "out_features": 2}), ("Conv2d", {}), ("Sequential", {"a": 3}), ("ModuleDict", {"a.b": torch.nn.ReLU()}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"layer"):
            made_layer(name, parts)
    assert made_layer("Linear", {"in_features": 2**40, "out_features": 2**20}).weight.is_meta


def test_an_operator_is_no_model_any_more(torch: Any, program: dict[str, Any], tmp_path: Path) -> None:
    """A class under the name of a model's that is none."""
    saved(models(torch, program), program["x"], tmp_path / "saved")

    class Net:
        def __init__(self, *args: Any) -> None: ...

    with pytest.raises(BundleError, match="which is no model of PyTorch"):
        astrace.load(tmp_path / "saved", operators=[Net, program["Predict"]])
