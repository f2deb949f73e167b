"""Files that operators are made from: what is found in arguments, what is captured, what is refused, and the report."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import socket
import warnings
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.errors import AssetError, InvalidArgument, UncapturedFile
from astrace.pipelines import assets as assets_module
from astrace.pipelines.assets import read_asset, refusal
from astrace.pipelines.made_again import Maker
from astrace.pipelines.recorded import Recorded
from astrace.pipelines.records import recreated

Two = namedtuple("Two", "first second")


@dataclasses.dataclass
class Locations:
    vocabulary: str
    others: Any = ()


@astrace.script
class Holds:
    """Holds what it is given, and may say so."""

    def __init__(self, value: Any, label: Any = None, *more: Any, **named: Any) -> None:
        self.value, self.label, self.more, self.named = value, label, more, named

    def __call__(self, text: str) -> Any:
        return f"{text}{self.label}"


def traced(operator: Any, **options: Any) -> Any:
    return astrace.trace(lambda text: operator(text), "a", **options)


def made_again(graph: Any, folder: Path) -> Any:
    """Put the assets of a graph into a folder; return its only operator, made from them and from JSON."""
    for asset in graph.assets:
        for file in asset.files:
            target = folder / asset.place_of(file)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as stream:
                file.copy_to(stream)
    records = [
        dataclasses.replace(
            record,
            arguments=tuple(
                dataclasses.replace(
                    one, value=Recorded.from_json(json.loads(json.dumps(one.value.to_json(set()))), {})
                )
                for one in record.arguments
            ),
        )
        for record in graph.operators
    ]
    classes = {f"{cls.__module__}.{cls.__qualname__}": cls for cls in (Holds, Locations, Two)}
    (made,) = recreated(records, classes, lambda place: str(folder / place), graph.pipeline.bulk).values()
    return made


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files of one base name, which is the current one."""
    for name in ("a/v.txt", "b/v.txt", "lab/x"):
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_text(name)
    monkeypatch.chdir(tmp_path / "in")
    return tmp_path / "in"


# -- what is found ----------------------------------------------------------------------------------------

VALUES: dict[str, tuple[Any, list[str]]] = {
    "text": ("a/v.txt", [""]),
    "path": (Path("a/v.txt"), [""]),
    "bytes": (b"a/v.txt", [""]),
    "absolute": (lambda folder: str(folder / "a" / "v.txt"), [""]),
    "folder": ("lab", [""]),
    "list": (["x", "a/v.txt", 3], ["[1]"]),
    "tuple": ((Path("a/v.txt"), ("b/v.txt",)), ["[0]", "[1][0]"]),
    "set": ({"a/v.txt"}, ["[0]"]),
    "frozen set": (frozenset({"b/v.txt", "no"}), ["[0]"]),
    "dict": ({"a/v.txt": "b/v.txt"}, ["['a/v.txt']"]),
    "keys with dots": ({"cfg.a[0]": {1: [{"f": "a/v.txt"}]}, "x": 1}, ["['cfg.a[0]'][1][0]['f']"]),
    "dataclass": (Locations("a/v.txt", [Locations("b/v.txt")]), [".vocabulary", ".others[0].vocabulary"]),
    "named tuple": (Two("a/v.txt", "none"), [".first"]),
    "an array of objects": (np.array(["x", Path("a/v.txt")], object), ["[1]"]),
    "a folder to which names are added": (
        {"bytes": b"lab/", "texts": [np.str_("./lab/")]},
        ["['bytes']", "['texts'][0]"],
    ),
    "dots": ([".", "..", "/", "", "./"], []),
    "no files": (["v.txt", "http://a/v.txt", "a\0v", "x" * 5000, b"\xff", 3, None, np.arange(2)], []),
}


@pytest.mark.parametrize("name", VALUES)
def test_paths_in_arguments(name: str, files: Path, tmp_path: Path) -> None:
    """Each is found at its place, with the content of that moment; the operator is made again from the copies."""
    value, places = VALUES[name]
    value = value(files) if callable(value) else value
    graph = traced(Holds(value, "x"))
    uses = graph.assets.uses
    assert sorted(one.place.removeprefix("$") for one in uses) == sorted(places)
    for one in uses:
        asset = graph.assets[one.key]
        for file in asset.files:
            assert file.sha256 == hashlib.sha256(Path(file.source).read_bytes()).hexdigest()
    made = made_again(graph, tmp_path / "out")
    assert made("t") == "tx" and type(made.value) is type(value)
    assert str(tmp_path / "out") in repr(made.value) or not places


def test_equal_base_names_never_collide(files: Path, tmp_path: Path) -> None:
    """Two files of one name keep their own content, in one operator and in two."""
    first, second = Holds(["a/v.txt", "b/v.txt"]), Holds(Path("b/v.txt"))
    graph = astrace.trace(lambda text: (first(text), second(text)), "a")
    assert len(graph.assets) == 2 and [one.name for one in graph.operators] == ["Holds", "Holds_2"]
    texts = {file.sha256: Path(file.source).read_text() for asset in graph.assets for file in asset.files}
    assert sorted(texts.values()) == ["a/v.txt", "b/v.txt"]
    made = made_again(traced(first), tmp_path / "out")
    assert [Path(one).read_text() for one in made.value] == ["a/v.txt", "b/v.txt"]


def test_defaults_stars_and_keywords(files: Path, tmp_path: Path) -> None:
    """All parameters of a constructor are looked at, defaults included."""

    @astrace.script
    class Defaults:
        def __init__(self, path: str = "a/v.txt") -> None:
            self.path = path

        def __call__(self, text: str) -> str:
            return text + "!"

    assert [one.parameter for one in traced(Defaults()).assets.uses] == ["path"]
    graph = traced(Holds(1, "x", "a/v.txt", other="b/v.txt"))
    assert [(one.parameter, bool(one.key)) for one in graph.assets.uses] == [("more", True), ("other", True)]
    made = made_again(graph, tmp_path / "out")
    assert made.more[0].startswith(str(tmp_path / "out")) and made.named["other"].endswith("v.txt")


def test_values_are_made_again_exactly(tmp_path: Path) -> None:
    """Numbers to the bit, containers of their kinds, arrays, classes, slices."""
    value = (
        [True, 3, -(10**30), 0.1, float("inf"), complex(-0.0, 2), "ü", b"\0", None],
        {("k", 1): {2, 3}, None: frozenset({"a"})},
        slice(1, None, 2), range(3), np.float32(1.5), np.dtype("<i4"), np.int8, str, Path("no/where"),
    )  # fmt: skip
    array = np.arange(6).reshape(2, 3)[:, ::2]
    made = made_again(traced(Holds(value, [array])), tmp_path)
    assert repr(made.value) == repr(value) and type(made.value[4]) is np.float32
    np.testing.assert_array_equal(made.label[0], array)
    assert np.isnan(made_again(traced(Holds(float("nan"))), tmp_path).value)


@pytest.mark.parametrize("value", [object(), lambda: 1, {"a": [object()]}, np.array([object()])])
def test_what_can_not_be_made_again(value: Any, tmp_path: Path) -> None:
    """Tracing goes on; the record says what stands in the way, and making it again fails."""
    graph = traced(Holds(value))
    assert graph("b") == "bNone" and "`value` holds" in graph.operators[0].problem
    with pytest.raises(ValueError, match="can't be made again"):
        made_again(graph, tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        [],
        ["int"],
        ["no", None],
        ["list", None, 3],
        ["int", {}],
        "x",
        ["int", "zz"],
        ["type", "object"],
        ["shared", 0],
        ["shared", "a", ["none", None]],
    ],
)
def test_broken_records(data: Any) -> None:
    """Data of another form is refused before, or while, anything is made of it."""
    with pytest.raises((ValueError, KeyError)):
        Maker(str, *[dict().__getitem__] * 4).make(Recorded.from_json(data, {}))


# -- choices ----------------------------------------------------------------------------------------------


def test_a_label_that_is_a_folder(files: Path) -> None:
    """It is captured, and reported, unless `assets` says otherwise: on `script`, or on `trace`."""
    assert [one.parameter for one in traced(Holds("a/v.txt", "lab")).assets.uses if one.key] == [
        "value",
        "label",
    ]

    @astrace.script(assets={"label": False})
    class Labelled(Holds):
        def __init__(self, value: Any, label: str = "") -> None:
            super().__init__(value, label)

    graph = traced(Labelled("a/v.txt", "lab"))
    assert [(one.parameter, bool(one.key), one.reason) for one in graph.assets.uses] == [
        ("value", True, ""), ("label", False, "by choice"),
    ]  # fmt: skip
    assert "Labelled(label): " in str(graph.assets) and "left out: by choice" in str(graph.assets)
    assert graph.operators[0].arguments[1].value == Recorded("str", "lab")
    assert [
        bool(one.key) for one in traced(Labelled("a/v.txt", "lab"), assets={"label": True}).assets.uses
    ] == [True, True]
    for choice in ({"Holds.label": False}, {"label": False}, ["value"], "value"):
        graph = traced(Holds("a/v.txt", "lab"), assets=choice)
        assert [one.parameter for one in graph.assets.uses if one.key] == ["value"]


def test_choices_that_are_none(files: Path) -> None:
    """Unknown parameters, other kinds of values, functions."""
    with pytest.raises(InvalidArgument, match="'nothing', which is no parameter"):
        astrace.script(Holds, assets={"nothing": True})
    for choice in ({"value": 1}, [3], {3: True}):
        with pytest.raises(InvalidArgument, match="accepted are names"):
            traced(Holds(1), assets=choice)
    with pytest.raises(InvalidArgument, match="but Holds takes no 'lable'"):
        traced(Holds(1), assets={"Holds.lable": False})
    with pytest.raises(InvalidArgument, match="only constructors"):
        astrace.script(lambda x: x, assets={"x": True})
    with pytest.raises(AssetError, match="names no file") as raised:
        traced(Holds("nowhere.txt"), assets={"value": True})
    assert raised.value.code == "missing"


def test_a_pipeline_may_have_a_parameter_called_assets() -> None:
    """Then it is the pipeline's."""
    one = Holds(1)
    assert astrace.trace(lambda text, assets: (one(text), assets + 1), "a", assets=2)("b", assets=3) == (
        "bNone",
        4,
    )


# -- time -------------------------------------------------------------------------------------------------


def test_a_file_that_changes_is_noticed(files: Path, tmp_path: Path) -> None:
    """Between the operator and the trace, between the trace and the copy; and one that disappears."""
    one = Holds("a/v.txt")
    graph = traced(one)
    Path("a/v.txt").write_text("edited")
    with pytest.raises(AssetError, match="changed since it was captured") as raised:
        made_again(graph, tmp_path / "out")
    assert raised.value.code == "changed" and raised.value.path == str(files / "a" / "v.txt")
    with pytest.raises(AssetError, match="changed since the operator was made"):
        traced(one)
    Path("a/v.txt").unlink()
    with pytest.raises(AssetError, match="is missing; if it is a label") as raised:
        traced(one)
    assert raised.value.code == "missing" and isinstance(raised.value, OSError)
    with pytest.raises(AssetError, match="can't be read"):
        made_again(graph, tmp_path / "out")
    assert traced(one, assets={"value": False}).assets.uses[0].reason == "by choice"


GROWN: dict[str, Any] = {
    "a file": lambda folder: (folder / "new").write_text("x"),
    "an empty folder": lambda folder: (folder / "deep" / "new").mkdir(),
    "a folder that is gone": lambda folder: folder.rename(folder.parent / "gone"),
}


@pytest.mark.parametrize("what", [*GROWN, ""])
@pytest.mark.parametrize("asked", [True, False])
def test_a_folder_that_grows_is_noticed(what: str, asked: bool, files: Path, tmp_path: Path) -> None:
    """What is added to a captured folder before it is saved; what is left out of it may be added."""
    (files / "lab" / "deep").mkdir()
    (files / "lab" / ".env").write_text("PASSWORD=1")
    with pytest.warns(astrace.UncapturedFile):
        graph = traced(Holds("lab", "a/v.txt"), **({"assets": {"value": True}} if asked else {}))
    if not what:
        (files / "lab" / ".netrc").write_text("PASSWORD=2")
        graph.save(tmp_path / "saved")
        return
    GROWN[what](files / "lab")
    with pytest.raises(AssetError, match="'(deep/)?new' was added: trace again|can't be read") as raised:
        graph.save(tmp_path / "saved")
    assert raised.value.code == ("missing" if "gone" in what else "changed")


def test_names_that_are_one_on_other_systems(files: Path, tmp_path: Path) -> None:
    """`README` and `Readme`, a folder `a` and a file `A`: a folder with them is saved, and comes back with its names."""
    names = ("README", "Readme", "readme/x", "b/x", "B", "b/y z", "plain.txt")
    for name in (name for name in names if "/" in name):
        (files / "lab" / name).parent.mkdir(exist_ok=True)
    for name in names:
        (files / "lab" / name).write_text(name)
    traced(Holds("lab")).save(tmp_path / "saved")
    graph = astrace.load(tmp_path / "saved", operators=[Holds])
    ((_, made),) = graph.pipeline.names.values()
    found = {
        str(one.relative_to(made.value)): one.read_text()
        for one in Path(made.value).rglob("*")
        if one.is_file()
    }
    assert found == {"x": (files / "lab" / "x").read_text(), **{name: name for name in names}}
    graph.save(tmp_path / "again.zip")
    assert astrace.load(tmp_path / "again.zip", operators=[Holds])("b") == "bNone"


def test_folders_are_captured_as_a_whole(files: Path, tmp_path: Path) -> None:
    """Recursively, with empty folders and links to files; links that lead around, secrets and sockets are left out."""
    (files / "lab" / "deep" / "er").mkdir(parents=True)
    (files / "lab" / "deep" / "x.bin").write_bytes(b"\0")
    (files / "lab" / "link").symlink_to("../a/v.txt")
    (files / "lab" / "around").symlink_to("..")
    (files / "lab" / "lost").symlink_to("nowhere")
    (files / "lab" / "other").symlink_to("../a")
    (files / "lab" / ".env").write_text("PASSWORD=1")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("lab/s")
        with pytest.warns(
            astrace.UncapturedFile, match=r"lab/.env', and 4 more: not captured, its name says"
        ):
            graph = traced(Holds("lab"))
    (asset,) = graph.assets
    assert [one.path for one in asset.files] == ["deep/x.bin", "link", "x"] and asset.folders == (
        "deep",
        "deep/er",
    )
    left = {Path(one.path).name: one.reason for one in graph.assets.uses if not one.key}
    assert left == {
        "around": "it is a link to a folder around it",
        "lost": "it is a link that leads nowhere",
        "other": "it is a link to a folder elsewhere",
        ".env": "its name says that it holds secrets",
        "s": "it is a device, a pipe or a socket",
    }
    key = asset.key
    with pytest.warns(astrace.UncapturedFile):
        assert traced(Holds("lab")).assets[key].size == asset.size
    (files / "lab" / "deep" / "er").rmdir()
    with pytest.warns(astrace.UncapturedFile):
        assert key not in traced(Holds("lab")).assets


# -- limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [".env", "key.pem", "id_rsa", ".ssh/config", ".git/HEAD", "Credentials", "my.KEY"]
)
def test_secrets_are_not_captured_unasked(name: str, files: Path) -> None:
    """Neither under their names nor through a link; a warning says so.  Who asks for one gets it."""
    path = files / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("secret")
    (files / "link").symlink_to(path)
    for given in (str(path), files / "link"):
        with pytest.warns(UncapturedFile, match="holds secrets"):
            graph = traced(Holds(given))
        assert len(graph.assets) == 0 and not graph.assets.uses[0].key
        assert len(traced(Holds(given), assets={"value": True}).assets) == 1


def test_devices_are_not_captured() -> None:
    """They have no content to be captured."""
    with pytest.warns(UncapturedFile, match="device"):
        assert len(traced(Holds(os.devnull)).assets) == 0
    assert refusal(os.curdir) == ""


def test_large_files_and_folders(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the limits they are an error that says what to do, unless they are asked for."""
    monkeypatch.setattr(assets_module, "LARGEST", 3)
    with pytest.raises(AssetError, match="more than 3: capture it with assets=") as raised:
        traced(Holds("a/v.txt"))
    assert raised.value.code == "too large"
    assert len(traced(Holds("a/v.txt"), assets=["value"]).assets) == 1
    monkeypatch.undo()
    monkeypatch.setattr(assets_module, "MOST_FILES", 1)
    (files / "lab" / "y").write_text("")
    with pytest.raises(AssetError, match="more than 1 files"):
        read_asset(str(files / "lab"))


# -- files that no argument names ---------------------------------------------------------------------------


def test_files_that_a_constructor_opens_are_named(files: Path) -> None:
    """`open` of a literal path, and what reads files for NumPy; not what arguments name, code, or what is written."""
    np.save("w.npy", np.arange(3))
    Path("code.py").write_text("")

    @astrace.script
    class Reads:
        def __init__(self, path: str) -> None:
            self.text = Path(path).read_text() + Path("b/v.txt").read_text() + Path("code.py").read_text()
            self.weights = np.load("w.npy")
            Path("written").write_text("x")

        def __call__(self, text: str) -> str:
            return text + self.text

    one = Reads("a/v.txt")
    with pytest.warns(UncapturedFile) as warned:
        graph = traced(one)
    told = sorted(str(found.message).split("'")[1] for found in warned)
    assert told == [str(files / "b" / "v.txt"), str(files / "w.npy")] and warned[0].filename == __file__
    assert "read by the constructor; no argument names it" in str(graph.assets)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Path("lab/w.npy").write_bytes(Path("w.npy").read_bytes())

        @astrace.script
        class Inside:
            def __init__(self, folder: str) -> None:
                self.weights = np.load(f"{folder}/w.npy")

            def __call__(self, text: str) -> str:
                return text

        traced(Inside("lab"))


def test_inlined_operators_have_their_data_in_the_graph(files: Path) -> None:
    """Nothing of them has to be made again, so no file is captured."""
    np.save("w.npy", np.arange(3.0))

    @astrace.script
    class Scale:
        def __init__(self, path: str) -> None:
            self.weights = np.load(path)

        def __call__(self, x: Any) -> Any:
            return x * self.weights

    scale = Scale("w.npy")
    graph = astrace.trace(lambda x: scale(x) + 1, np.ones(3))
    Path("w.npy").unlink()
    np.testing.assert_array_equal(graph(np.ones(3)), [1.0, 2.0, 3.0])
    assert graph.operators == () and len(graph.assets) == 0 and str(graph.assets) == "no files were captured"
