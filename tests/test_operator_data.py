"""`operators.json`: every damaged, unknown or ill-typed field is refused with a BundleError; what can't be written is not saved."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.bundle.codec import json_text
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.files.manifest import manifest_of
from astrace.bundle.files.members import MANIFEST, Member
from astrace.bundle.operator_data import OPERATORS_MEMBER
from astrace.errors import BundleError
from astrace.pipelines.plain_data import KINDS

CALLED: list[Any] = []


@astrace.script
class Holds:
    """Keeps what it is given."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs

    def __call__(self, text: str) -> str:
        return text.upper()


@astrace.script
def shout(*text: Any, **more: Any) -> str:
    CALLED.append((text, more))
    return "!"


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any = None


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with a file, a folder, arrays, shared objects and values of all plain kinds."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "d" / "in").mkdir(parents=True)
    for name in ("v.txt", "d/in/a.txt", "d/b.txt"):
        (folder / name).write_text(name)
    shared = [1, 2.5, None]
    objects = np.array([["a", 1], [None, (2,)]], dtype=object)
    given = {1, "a"}, frozenset({2}), slice(1, None), range(3), np.dtype("f4"), np.int8, int, b"x", 1 + 2j
    inner = Holds(*given, np.float32(0.5), np.longdouble(2), np.void(b"abc"), Path("no/where"), shared)
    one = Holds(
        str(folder / "v.txt"), folder / "d", np.arange(3.0), objects, inner, Pair(shared), key={"a.b": True}
    )

    def pipeline(text: str) -> Any:
        return one(text), shout(text)

    astrace.trace(pipeline, "x").save(folder / "bundle")
    return folder / "bundle"


def arguments(data: Any) -> list[Any]:
    """The arguments of the operator that is made from the other one."""
    return next(row[3] for row in data["operators"] if row[0] == "Holds")


def value(kind: str, data: Any) -> list[Any]:
    """The first recorded value of a kind."""
    pending: list[Any] = [row[3] for row in data["operators"]]
    while pending:
        one = pending.pop(0)
        if isinstance(one, list):
            if one and one[0] == kind and one not in data["operators"]:
                return one
            pending = [*one, *pending]
    raise AssertionError(kind)


def put(kind: str, *parts: Any) -> Callable[[Any], None]:
    """Give an operator another argument."""
    return lambda data: arguments(data).insert(0, ["args", "", [kind, *parts]])


def instead(kind: str, index: int, one: Any) -> Callable[[Any], None]:
    """Put something in the place of a part of a recorded value."""
    return lambda data: value(kind, data).__setitem__(index, one)


def asset(index: int, one: Any) -> Callable[[Any], None]:
    return lambda data: data["assets"][0].__setitem__(index, one)


def asset_file(index: int, one: Any) -> Callable[[Any], None]:
    return lambda data: data["assets"][0][2][0].__setitem__(index, one)


NONE = ["none", None]
WORDS = ("", "-", "0x", "0x1p99999", "nan:", "nan:zz", "False", "x" * 300, "<M8[zz]", "O", "f4,f4", "{'names':['a'],'formats':['O']}", "\0", "\ud800", "fff")  # fmt: skip
TOLD_BY_TEXT = ("int", "float", "bytes", "dtype", "scalar_type", "type", "number", "scalar", "array", "asset", "operator", "record", "estimator", "layer")  # fmt: skip
KINDS_OF_TEXT: dict[str, Callable[[Any], Any]] = {
    f"{kind} {word[:20]!r}": put(kind, word) for kind in TOLD_BY_TEXT for word in WORDS[kind == "bytes" :]
}
ILL_TYPED: dict[str, Callable[[Any], Any]] = {
    f"{kind} {one!r}": instead(kind, 1, one)
    for kind in ("int", "str", "bool", "list", "none", "bytes", "number", "shared", "asset", "record", "dict")
    for one in (None, True, 7, -1, 0.5, "x", [], {}, [["str", "x"]])
    if (kind, one) not in [("list", None), ("none", None), ("dict", None), ("bool", True), ("str", "x")]
}
BROKEN: dict[str, Callable[[Any], Any]] = {
    **KINDS_OF_TEXT,
    **ILL_TYPED,
    "an unknown field": lambda data: data.update(code=1),
    "no weights": lambda data: data.pop("weights"),
    **{f"{name} {one!r}": lambda data, name=name, one=one: data.__setitem__(name, one) for name in ("operators", "assets", "arrays", "weights") for one in (None, 3, "x", [3], {"x": 1}, [["x"]])},
    "an unknown kind": put("code", "1"),
    "a kind that is no text": put([], None),  # type: ignore[arg-type]
    "a part too many": put("int", "0x1", NONE),
    "a layer by itself": put("layer", "Linear"),
    "a state by itself": put("state", "0" * 64, ["list", None], ["list", None]),
    "a shared number": put("shared", 0, ["int", "0x1"]),
    "a shared object that is none": put("shared", 7, ["list", None]),
    "shared twice": lambda data: value("shared", data).append(["list", None]),
    "a shared object nowhere": put("shared", 99),
    "a set of one thing twice": put("set", None, ["str", "a"], ["str", "a"]),
    "a set of lists": put("set", None, ["list", None]),
    "a dict of one key twice": put("dict", None, ["str", "a"], NONE, ["str", "a"], NONE),
    "a dict of lists": put("dict", None, ["list", None], NONE),
    "a dict of a key alone": put("dict", None, ["str", "a"]),
    "a range without end": put("range", None, ["int", "0x0"], ["int", "0x5"], ["int", "0x0"]),
    "a scalar that is an array": lambda data: value("scalar", data).__setitem__(1, value("array", data)[1]),
    "objects without a shape": put("objects", None),
    "objects of another shape": put("objects", None, ["tuple", None, ["int", "0x3"]], NONE),
    "objects of a negative shape": put("objects", None, ["tuple", None, ["int", "-0x1"]], NONE),
    "objects of a huge shape": put("objects", None, ["tuple", None, ["int", "0x0"], ["int", "0x" + "f" * 30]]),
    "objects of too many dimensions": put("objects", None, ["tuple", None, *[["int", "0x1"]] * 99], NONE),
    "a number of other bytes": instead("number", 2, ["bytes", "00"]),
    "an asset in another form": instead("asset", 2, ["str", "str_bytes"]),
    "an asset elsewhere": instead("asset", 1, "../../v.txt"),
    "a dataclass of an operator's class": lambda data: value("record", data).__setitem__(1, data["operators"][0][1]),
    "a dataclass with another field": lambda data: value("record", data).extend([["str", "more"], NONE]),
    "a dataclass with a field twice": lambda data: value("record", data).extend([["str", "left"], NONE]),
    "a dataclass with a name that is none": lambda data: value("record", data).extend([NONE, NONE]),
    "an operator made from itself": put("operator", "Holds"),
    "a tree of nothing": put("tree", None),
    "an estimator of a dataclass": lambda data: arguments(data).insert(0, ["args", "", ["estimator", value("record", data)[1], ["str", "1"]]]),
    "deep lists": lambda data: arguments(data).insert(0, ["args", "", json.loads('["list",null,' * 99 + '["none",null]' + "]" * 99)]),
    "another keyword": lambda data: arguments(data)[0].__setitem__(1, "key"),
    "a keyword twice": lambda data: arguments(data).append(arguments(data)[-1]),
    "no keyword": lambda data: arguments(data)[0].pop(),
    "a number as a keyword": lambda data: arguments(data)[0].__setitem__(1, 3),
    "a function with a state": lambda data: next(row for row in data["operators"] if row[2] == "function").__setitem__(4, ["state", "x", ["list", None], ["list", None]]),
    "a function that is a class": lambda data: next(row for row in data["operators"] if row[2] == "function").__setitem__(2, "class"),
    "a class that is a function": lambda data: data["operators"][0].__setitem__(slice(2, None), ["function", [], None]),
    "a class with a state": lambda data: data["operators"][0].__setitem__(4, ["state", "0" * 64, ["list", None], ["list", None]]),
    "a class with a state of another kind": lambda data: data["operators"][0].__setitem__(4, NONE),
    "two operators of one name": lambda data: data["operators"].append(data["operators"][0]),
    "another operator": lambda data: data["operators"][0].__setitem__(0, "Other"),
    "an asset twice": lambda data: data["assets"].append(data["assets"][0]),
    "an asset that nothing names": lambda data: arguments(data).pop(0),
    "an array that nothing names": lambda data: arguments(data).pop(2),
    "an array that is not there": lambda data: data["arrays"].update({"0" * 64: next(iter(data["arrays"].values()))}),
    "an array elsewhere": lambda data: data["arrays"].update({"../x": next(iter(data["arrays"].values()))}),
    "an array of objects": lambda data: next(iter(data["arrays"].values())).update(dtype="O"),
    "an array of no dtype": lambda data: next(iter(data["arrays"].values())).update(dtype="<f99"),
    "an array of another shape": lambda data: next(iter(data["arrays"].values())).update(shape=[2**70]),
    "an array of other axes": lambda data: next(iter(data["arrays"].values())).update(axes=[1]),
    "weights that are not there": lambda data: data["weights"].append("0" * 64),
    "weights elsewhere": lambda data: data["weights"].append("../../x"),
    "weights that are none": lambda data: data["weights"].append(None),
    "an asset of another hash": asset(0, "0" * 64),
    "an asset of no hash": asset(0, 5),
    "an asset of another name": asset(1, "../v.txt"),
    "an asset of no name": asset(1, ""),
    "an asset without files": asset(2, []),
    "an asset that is a folder": asset(3, []),
    "an asset with a folder that is none": asset(3, [None]),
    "a file of another name": asset_file(0, "w.txt"),
    "a file of another hash": asset_file(1, "0" * 64),
    "a file of another size": asset_file(2, 1),
    "a file of a size that is none": asset_file(2, 5.0),
    "a file in another member": asset_file(3, "graph.json"),
    "a file in no member": asset_file(3, "assets/x"),
    "a folder without one in it": lambda data: data["assets"][1][3].clear(),
    "a folder with another one": lambda data: data["assets"][1][3].append("more"),
    "a folder without a file": lambda data: data["assets"][1][2].pop(),
    "a folder in another order": lambda data: data["assets"][1][2].reverse(),
}  # fmt: skip


def write(bundle: Path, members: dict[str, bytes], **told: Any) -> None:
    """Write members into a bundle, with hashes that fit."""
    manifest = manifest_of((bundle / MANIFEST).read_bytes())
    listed = {**manifest.members, **{name: Member.of(name, content) for name, content in members.items()}}
    for name, content in members.items():
        (bundle / name).parent.mkdir(exist_ok=True, parents=True)
        (bundle / name).write_bytes(content)
    (bundle / MANIFEST).write_bytes(dataclasses.replace(manifest, members=listed, **told).content())


def load(bundle: Path) -> Any:
    return astrace.load(bundle, operators=[Holds, shout, Pair])


def test_the_bundle_is_loaded(saved: Path, tmp_path: Path) -> None:
    """So that what is changed of it is refused for that; saved again, it is the same to the byte."""
    load(saved).save(tmp_path / "again")
    files = {
        folder: {one.relative_to(folder): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
        for folder in (saved, tmp_path / "again")
    }
    assert files[saved] == files[tmp_path / "again"]


@pytest.fixture(scope="module")
def changed(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bundle, for changes."""
    copy = tmp_path_factory.mktemp("changed") / "bundle"
    shutil.copytree(saved, copy)
    return copy


@pytest.mark.parametrize("part", range(4))
def test_broken_data_are_refused(part: int, saved: Path, changed: Path) -> None:
    """Each is a BundleError with a code of data, whatever Python, NumPy or a library would raise; nothing was called."""
    content = (saved / OPERATORS_MEMBER).read_bytes()
    wrong: dict[str, str] = {}
    for what in list(BROKEN)[part::4]:
        data = json.loads(content)
        BROKEN[what](data)
        write(changed, {OPERATORS_MEMBER: dumps(data)})
        try:
            load(changed)
            wrong[what] = "it was loaded"
        except BundleError as error:
            known = ("AB104", "AB106", "AB107", "AB111", "AB113", "AB115")
            wrong |= {} if error.code in known else {what: str(error)}
        except Exception as error:
            wrong[what] = f"{type(error).__name__}: {error}"
    assert wrong == {} and CALLED == []


UNKNOWN = ("evil.py", "assets/x/y", "arrays/7.npy", "operators/x.npy", "examples/0.npy", "standalone.py")


@pytest.mark.parametrize("name", UNKNOWN)
def test_members_without_a_use_are_refused(name: str, saved: Path, tmp_path: Path) -> None:
    shutil.copytree(saved, tmp_path / "bundle")
    write(tmp_path / "bundle", {name: b"import os\n"})
    with pytest.raises(BundleError, match=f"AB107: nothing .* `{name}`"):
        load(tmp_path / "bundle")


TOLD: dict[str, tuple[dict[str, Any], str]] = {
    "no versions": ({"versions": {}}, "AB110"),
    "another version": ({"versions": {"astrace": "1", "numpy": "2", "python": "3", "more": "4"}}, "AB110"),
    "a read that is none": ({"fixed_reads": [3]}, "AB110"),
    "a read of more": ({"fixed_reads": [["x", "y", "z"]]}, "AB110"),
    "granted what is none": ({"taken_for_granted": [3]}, "AB110"),
    "a program that is none": ({"standalone": "evil.py"}, "AB110"),
    "a program that is not there": ({"standalone": "standalone.py"}, "AB107"),
    "no files": ({"assets": []}, "AB107"),
    "other files": ({"assets": [{"member": "x", "name": "y", "of": []}]}, "AB107"),
    "other operators": ({"required_operators": [{"name": f"{__name__}.Holds", "more": 1}]}, "AB107"),
}  # fmt: skip


@pytest.mark.parametrize("what", TOLD)
def test_a_manifest_that_tells_something_else(what: str, saved: Path, tmp_path: Path) -> None:
    told, code = TOLD[what]
    shutil.copytree(saved, tmp_path / "bundle")
    write(tmp_path / "bundle", {}, **told)
    with pytest.raises(BundleError) as raised:
        load(tmp_path / "bundle")
    assert raised.value.code == code


def test_kinds_are_explained() -> None:
    """The reference has every kind of value, in the words of the table that checks them."""
    page = (Path(__file__).parent.parent / "docs/reference/bundle-format.md").read_text()
    rows = [f"| `{name}` | {kind.means} |" for name, kind in KINDS.items()]
    assert "\n".join(["| kind | what it is |", "|---|---|", *rows, ""]) in page


# -- what is not saved ------------------------------------------------------------------------------------


def nested(depth: int) -> list[Any]:
    one: list[Any] = []
    for _ in range(depth):
        one = [one]
    return one


def shared(depth: int) -> list[Any]:
    one: list[Any] = []
    for _ in range(depth):
        one = [one, one]
    return one


NOT_SAVED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "deep lists": (lambda: nested(91), "AB203", "list in 90 others"),
    "lists as deep as Python has them": (lambda: nested(20_000), "AB203", "list in 90 others"),
    "deep lists of shared ones": (lambda: shared(60), "AB205", "nested deeper"),
    "many numbers": (lambda: list(range(2_000)), "AB205", "more than 1000 lists"),
    "a long text": (lambda: "x" * 34_000_000, "AB205", "the limit is"),
    "a path of another system": (lambda: pathlib.PureWindowsPath("a"), "AB203", r"pathlib.PureWindowsPath, which can't be recorded\n"),
    "a container of a library": (lambda: OrderedDict(a=1), "AB203", r"collections.OrderedDict, which can't be recorded\n"),
    "a path of another class": (lambda: pathlib.PurePath(__file__), "AB203", r"pathlib.Pure\w+Path, which can't be recorded\n"),
    "a class": (lambda: BundleError, "AB203", "the class astrace.errors.BundleError"),
    "a built-in function": (lambda: [os.getcwd], "AB203", r"the built-in function getcwd at `args\[0\]`, which can't be recorded\n"),
    "a function": (lambda: nested, "AB203", "the function nested, .*: make it an operator"),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_SAVED)
def test_what_can_not_be_written(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator is made of anything, as ever; a bundle that could not be read again is not written."""
    monkeypatch.setattr(json_text, "MOST_CONTAINERS", 1_000)
    make, code, match = NOT_SAVED[what]
    one = Holds(make())
    graph = astrace.trace(lambda text: one(text), "x")
    with pytest.raises(BundleError, match=match) as raised:
        graph.save(tmp_path / "saved")
    assert raised.value.code == code and list(tmp_path.iterdir()) == []
