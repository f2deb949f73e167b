"""Pipelines with operators as bundles: saved, moved, loaded from any folder; what is missing, changed or hostile is refused."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.bundle.files.asset_store import AssetStore
from astrace.bundle.operator_data import OPERATORS_MEMBER
from astrace.bundle.verify import differences
from astrace.errors import AssetError, BundleError
from astrace.pipelines.assets import Asset, AssetFile, Assets

ROOT = Path(__file__).parent.parent
CASES = ("folder", "file.zip")


@dataclasses.dataclass(frozen=True)
class Files:
    words: str
    others: tuple[Path, ...] = ()


@astrace.script
class Tokenise:
    """Words of a file to their numbers; counts its calls."""

    def __init__(self, files: Any, unknown: int = -1, scale: Any = None) -> None:
        self.paths = [files.words, *files.others] if isinstance(files, Files) else [files]
        self.ids: dict[str, int] = {}
        for path in self.paths:
            for word in Path(os.fsdecode(path)).read_text().split():
                self.ids.setdefault(word, len(self.ids))
        self.unknown, self.scale, self.calls = unknown, scale, 0

    def __call__(self, text: str) -> list[int]:
        self.calls += 1
        return [self.ids.get(word, self.unknown) for word in text.split()]

    def count(self, text: str) -> int:
        return len(self(text)) + self.calls


@astrace.script
class Numbered:
    def __init__(self, tokenise: Tokenise, folder: str) -> None:
        self.tokenise = tokenise
        self.first = (Path(folder) / "deep" / "a b.txt").read_text()

    def __call__(self, text: str) -> str:
        return f"{self.first}{self.tokenise.calls}{text}"


@astrace.script
def shout(text: str) -> str:
    return text.upper()


ALL = [Tokenise, Numbered, shout, Files]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with vocabularies of one name, which is the current one."""
    folder = tmp_path / "sources"
    for name, text in (("a/v.txt", "x y"), ("b/v.txt", "z"), ("data/deep/a b.txt", "ü")):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    (folder / "data" / "empty").mkdir()
    monkeypatch.chdir(folder)
    return folder


def pipeline_of() -> Any:
    tokenise = Tokenise(Files("a/v.txt", (Path("b/v.txt"),)), scale=np.arange(3.0))
    numbered = Numbered(tokenise, "data")
    table = np.arange(8.0).reshape(4, 2) / 7

    def pipeline(texts: list[str], bonus: float = 0.5) -> Any:
        total = np.zeros(2)
        for text in texts:
            for index in tokenise(text.strip()):
                if index < 0:
                    continue
                total = total + table[index]
        return total * bonus, numbered("!"), astrace.pmap(shout, texts), tokenise.count("x q")

    return pipeline


def equal(left: Any, right: Any) -> None:
    np.testing.assert_array_equal(left[0], right[0])
    assert left[1:] == right[1:]


@pytest.mark.parametrize("name", CASES)
def test_saved_moved_and_loaded(
    name: str, sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the files that it was made from, in another place, from another folder: the same results, and again."""
    pipeline = pipeline_of()
    graph = astrace.trace(pipeline, ["x y"])
    graph.save(tmp_path / name)
    expected = pipeline(["z x ", "nothing"], 2.0)
    (tmp_path / "else" / "where").mkdir(parents=True)
    moved = (tmp_path / name).rename(tmp_path / "else" / "where" / name)
    sources.rename(tmp_path / "gone")
    monkeypatch.chdir(tmp_path / "gone")
    loaded = astrace.load(moved, operators=ALL)
    equal(loaded(["z x ", "nothing"], 2.0), expected)
    loaded.save(tmp_path / "again")
    again = astrace.load(
        tmp_path / "again", operators={f"{one.__module__}.{one.__qualname__}": one for one in ALL}
    )
    equal(again(["z x ", "nothing"], bonus=2.0), expected)
    assert [one.name for one in again.operators] == [one.name for one in graph.operators]
    assert again.signature == loaded.signature and loaded.input_names == ("texts", "bonus")


def test_paths_lead_into_the_bundle(sources: Path, tmp_path: Path) -> None:
    """Of a folder with plain names; each path has the form that it had."""
    one = Tokenise(b"a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")
    made = astrace.load("../saved", operators=[Tokenise]).pipeline.names
    ((_, operator),) = made.values()
    (path,) = operator.paths
    assert type(path) is bytes and os.fsdecode(path).startswith(str(tmp_path / "saved" / "assets"))
    assert operator("y x") == [1, 0] and operator.calls == 1


def test_bundles_are_the_same_wherever_they_are_made(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same operators from files of the same content give the same bytes."""
    saved: list[bytes] = []
    for folder in ("one", "two/three"):
        (tmp_path / folder / "a").mkdir(parents=True)
        (tmp_path / folder / "a" / "v.txt").write_text("x y")
        monkeypatch.chdir(tmp_path / folder)
        one = Tokenise(Path("a/v.txt").absolute())
        astrace.trace(lambda text: one(text), "x").save(tmp_path / folder / "out.zip")
        saved.append((tmp_path / folder / "out.zip").read_bytes())
    assert saved[0] == saved[1]


def test_state_begins_anew(sources: Path, tmp_path: Path) -> None:
    """Operators are constructed when a bundle is loaded: what they counted before is not in it."""
    one = Tokenise("a/v.txt")
    graph = astrace.trace(lambda text: one.count(text), "x")
    assert [graph("x"), graph("x")] == [2, 3]
    graph.save(tmp_path / "saved")
    assert astrace.load(tmp_path / "saved", operators=[Tokenise])("x") == 2


def test_shared_operators_are_one(sources: Path, tmp_path: Path) -> None:
    """An operator that another one was made from is the same object in both places."""
    tokenise = Tokenise("a/v.txt")
    numbered = Numbered(tokenise, "data")
    graph = astrace.trace(lambda text: (len(tokenise(text)), numbered(text)), "x")
    graph.save(tmp_path / "saved")
    loaded = astrace.load(tmp_path / "saved", operators=[Tokenise, Numbered])
    assert [loaded("x"), loaded("x")] == [(1, "ü1x"), (1, "ü2x")]


def test_an_instance_may_be_passed(sources: Path, tmp_path: Path) -> None:
    """Under the name that the operator has in the graph."""
    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")
    mine = Tokenise("b/v.txt")
    assert (
        astrace.load(tmp_path / "saved", operators={"Tokenise": mine})("z x") == [0, -1] and mine.calls == 1
    )


# -- what is missing or wrong -----------------------------------------------------------------------------


def test_missing_operators_are_listed(sources: Path, tmp_path: Path) -> None:
    """All of them, dataclasses too; nothing is constructed before that."""
    astrace.trace(pipeline_of(), ["x"]).save(tmp_path / "saved")
    with pytest.raises(BundleError, match=r"Tokenise'.*Files'.*Numbered'.*shout'") as raised:
        astrace.load(tmp_path / "saved")
    assert raised.value.code == "AB115" and "operators=[Tokenise, ...]" in str(raised.value)

    class Other:
        def __init__(self, *args: Any) -> None:
            raise AssertionError

    with pytest.raises(BundleError) as raised:
        astrace.load(tmp_path / "saved", operators={"Tokenise": Other, "Numbered": Other, "Files": Files})
    assert raised.value.code == "AB115" and raised.value.message.endswith(
        " operators 'tests.test_saved_operators.shout'"
    )
    for bad in (3, [3], {3: shout}, {"shout": 3}):
        with pytest.raises(astrace.InvalidArgument, match="load: operators"):
            astrace.load(tmp_path / "saved", operators=bad)  # type: ignore[arg-type]


def test_a_constructor_that_has_changed(sources: Path, tmp_path: Path) -> None:
    """Another signature is an error of the bundle; what the constructor raises is its own."""
    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")

    class Without:
        def __init__(self) -> None: ...

    class Raising:
        def __init__(self, *args: Any) -> None:
            raise ValueError("mine")

    with pytest.raises(BundleError, match="can't be made again") as raised:
        astrace.load(tmp_path / "saved", operators={"Tokenise": Without})
    assert raised.value.code == "AB111"
    with pytest.raises(ValueError, match="^mine$"):
        astrace.load(tmp_path / "saved", operators={"Tokenise": Raising})


def test_what_can_not_be_saved(sources: Path, tmp_path: Path) -> None:
    """Arguments that are no data, copies of operators, edited files: nothing is written."""
    strange = Tokenise("a/v.txt", scale=object())
    with pytest.raises(BundleError, match="`scale` holds builtins.object") as raised:
        astrace.trace(lambda text: strange(text), "x").save(tmp_path / "saved")
    assert raised.value.code == "AB203"
    copied = copy.copy(Tokenise("a/v.txt"))
    with pytest.raises(BundleError, match="nobody saw how it was made"):
        astrace.trace(lambda text: copied(text), "x").save(tmp_path / "saved")
    edited = Tokenise("a/v.txt")
    graph = astrace.trace(lambda text: edited(text), "x")
    Path("a/v.txt").write_text("other")
    with pytest.raises(AssetError, match="was changed since it was captured"):
        graph.save(tmp_path / "saved")
    Path("a/v.txt").unlink()
    with pytest.raises(AssetError, match="can't be read"):
        graph.save(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


@astrace.script
@dataclasses.dataclass
class Fielded:
    """Its constructor is made by `dataclass`, with a default that is made anew."""

    path: str
    seen: list[str] = dataclasses.field(default_factory=list[str])
    tables: tuple[Any, ...] = ()

    def __call__(self, text: str) -> Any:
        self.seen.append(text)
        return len(self.seen), [table.copy(order="K") for table in self.tables]

    @classmethod
    def named(cls, text: str) -> str:
        return cls.__name__ + text

    @staticmethod
    def lowered(text: str) -> str:
        return text.lower()


def test_what_dataclasses_make_anew(sources: Path, tmp_path: Path) -> None:
    """With arguments after it; equal arrays with other orders in memory stay two; methods of the class are called."""
    table = np.arange(12.0).reshape(3, 4)
    tables = (table, np.asfortranarray(table))

    def pipeline_of() -> Any:
        one = Fielded("a/v.txt", tables=tables)
        return lambda text: (one(text), one.named(text), one.lowered(text))

    graph, plain = astrace.trace(pipeline_of(), "X"), pipeline_of()
    graph.save(tmp_path / "saved")
    run = astrace.load(tmp_path / "saved", operators=[Fielded])
    for text in ("X", "Y"):
        ((count, found), *texts), ((expected, _), *others) = run(text), plain(text)
        assert (count, texts) == (expected, others)
        assert [one.strides for one in found] == [one.strides for one in tables]


@astrace.script
class Puts:
    """Writes to what it was given."""

    def __init__(self, found: dict[str, int], totals: Any = (), **more: Any) -> None:
        self.found, self.totals, self.more = found, totals, more
        self.found["begun"] = len(self.found)

    def __call__(self, text: str) -> None:
        self.found[text] = self.found.get(text, 0) + 1
        for one in self.totals:
            one += len(text)


@astrace.script
class Gets:
    def __init__(self, found: dict[str, int], totals: Any = ()) -> None:
        self.found, self.totals = found, totals

    def __call__(self, text: str) -> Any:
        return f"{self.found} {self.totals} {text}"


@pytest.mark.parametrize("name", CASES)
def test_what_arguments_share_is_one_object(name: str, tmp_path: Path) -> None:
    """A dictionary and an array that two operators, or two arguments of one, were given."""

    def pipeline_of() -> Any:
        found: dict[str, int] = {}
        total, alone = np.zeros(2), np.zeros(2)
        puts = Puts(found, [total, total, alone], again=(found,))
        gets, other = Gets(found, {"total": total}), Gets({})
        return lambda text: (puts(text), gets(text), other(text))

    graph, plain = astrace.trace(pipeline_of(), "X"), pipeline_of()
    graph.save(tmp_path / name)
    run = astrace.load(tmp_path / name, operators=[Puts, Gets])
    run.save(tmp_path / "again")
    again = astrace.load(tmp_path / "again", operators=[Puts, Gets])
    assert (tmp_path / "again" / OPERATORS_MEMBER).read_text().count('"shared"') == 6
    ((_, operator), *_) = run.pipeline.names.values()
    assert operator.more["again"][0] is operator.found and operator.totals[0] is operator.totals[1]
    for text in ("ab", "c", "ab"):
        assert run(text) == again(text) == plain(text)


@pytest.mark.parametrize("other", ["itself", "view", "attribute", "read-only"])
def test_memory_of_an_operator_and_the_pipeline(other: str, tmp_path: Path) -> None:
    """Each would have an array of its own in a bundle: refused, unless nobody can write to it."""
    total = np.zeros(3)
    total.flags.writeable = other != "read-only"
    puts = Puts({}, [total])
    read = {"itself": total, "view": total[1:], "attribute": puts.totals[0].T, "read-only": total}[other]
    graph = astrace.trace(lambda text: (puts(text), read.sum())[1], "X")
    if other == "read-only":
        graph.save(tmp_path / "saved")
        return
    assert [graph("ab"), graph("a")] == [2.0 * read.size, 3.0 * read.size]
    with pytest.raises(
        BundleError, match="the array `read` from outside, whose memory the operator Puts"
    ) as e:
        graph.save(tmp_path / "saved")
    assert e.value.code == "AB201" and e.value.location is not None and not os.listdir(tmp_path)


@pytest.mark.parametrize("is_written", [True, False])
def test_views_of_one_array_as_arguments(is_written: bool, tmp_path: Path) -> None:
    """They would be two arrays in a bundle."""
    total = np.zeros(3)
    view = total[1:]
    for one in (total, view):
        one.flags.writeable = is_written
    gets, other = Gets({}, [{"part": (view,)}]), Gets({}, total)
    graph = astrace.trace(lambda text: (gets(text), other(text)), "X")
    if not is_written:
        graph.save(tmp_path / "saved")
        return
    with pytest.raises(
        BundleError, match="AB203: the operator Gets_2 .*its argument `totals` holds an array"
    ):
        graph.save(tmp_path / "saved")


def test_a_variable_that_is_read_at_each_call_is_named(tmp_path: Path) -> None:
    """Not the cell or the dictionary that holds it; with what can be done about it."""
    held = Puts({})

    def pipeline(text: str) -> Any:
        return astrace.pmap(shout, (part for part in text.split())), held(text)

    with pytest.raises(
        BundleError, match="AB201: the graph reads the variable `held` at each call"
    ) as caught:
        astrace.trace(pipeline, "a").save(tmp_path / "saved")
    assert "local variable" in str(caught.value)


def test_operators_of_one_name(tmp_path: Path) -> None:
    """Who loads could not tell them apart: such ones are neither saved nor guessed."""

    def made(number: int) -> Any:
        @astrace.script
        class Repeats:
            def __call__(self, text: str) -> str:
                return text.title() * number

        return Repeats

    twice, thrice = made(2), made(3)
    left, right = twice(), thrice()
    both = astrace.trace(lambda text: (left(text), right(text)), "x")
    with pytest.raises(BundleError, match="AB203: the operators Repeats and Repeats_2 are different ones"):
        both.save(tmp_path / "both")
    astrace.trace(lambda text: left(text), "x").save(tmp_path / "one")
    with pytest.raises(BundleError, match="AB115: several of the operators"):
        astrace.load(tmp_path / "one", operators=[twice, thrice])
    name = f"{twice.__module__}.{twice.__qualname__}"
    assert astrace.load(tmp_path / "one", operators={name: twice, "other": thrice})("x") == "XX"


def test_files_of_a_bundle_are_checked(sources: Path, tmp_path: Path) -> None:
    """An edited asset is noticed before any operator is made."""
    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")
    (asset,) = (tmp_path / "saved" / "assets").rglob("v.txt")
    asset.write_text("y x")
    with pytest.raises(BundleError) as raised:
        astrace.load(tmp_path / "saved", operators=[Tokenise])
    assert raised.value.code == "AB108"


NAMES = ("../v", "/v", "a/../../v", "a//v", "c:v", "a\\v", "", ".", "..", "a\0")


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_of_assets(name: str, tmp_path: Path) -> None:
    """No file is put anywhere else."""
    file = AssetFile(name, "0" * 64, 1, "assets/x/content")
    for asset in (
        Asset("0" * 64, name, (file,)),
        Asset("0" * 64, "folder", (file,), ()),
        Asset("0" * 64, "folder", (), (name,)),
    ):
        with pytest.raises(BundleError) as raised:
            AssetStore(None, Assets((asset,)), lambda _: b"")
        assert raised.value.code == "AB104"
    with pytest.raises(BundleError):
        AssetStore(None, Assets((Asset("../" + "0" * 61, "a", (file,)),)), lambda _: b"")


BROKEN: dict[str, Any] = {
    "another target": lambda data: data["operators"][0].__setitem__(1, "os.system"),
    "another kind": lambda data: data["operators"][0].__setitem__(2, "method"),
    "a builtin": lambda data: data["operators"][0].__setitem__(2, "builtin"),
    "an argument of another kind": lambda data: data["operators"][0][3][0].__setitem__(2, ["code", "1"]),
    "itself": lambda data: data["operators"][0][3][0].__setitem__(2, ["operator", "Tokenise"]),
    "another asset": lambda data: data["operators"][0][3][0][2].__setitem__(1, "0" * 64 + "/x"),
    "no arguments": lambda data: data["operators"][0].pop(),
    "no asset": lambda data: data["assets"].clear(),
    "another member": lambda data: data["assets"][0][2][0].__setitem__(3, "graph.json.x"),
    "no list": lambda data: data.__setitem__("operators", 3),
    "a list in a set": lambda data: data["operators"][0][3][0].__setitem__(2, ["set", None, ["list", None]]),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_records_are_refused(what: str, sources: Path, tmp_path: Path) -> None:
    """A bundle whose hashes are right, and whose records are not."""
    from astrace.bundle.codec.json_text import dumps
    from astrace.bundle.files.manifest import manifest_of
    from astrace.bundle.files.members import Member

    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")
    path, manifest_path = (tmp_path / "saved" / name for name in (OPERATORS_MEMBER, "manifest.json"))
    data = json.loads(path.read_text())
    BROKEN[what](data)
    path.write_bytes(dumps(data))
    manifest = manifest_of(manifest_path.read_bytes())
    members = {**manifest.members, OPERATORS_MEMBER: Member.of(OPERATORS_MEMBER, path.read_bytes())}
    manifest_path.write_bytes(dataclasses.replace(manifest, members=members).content())
    with pytest.raises(BundleError):
        astrace.load(tmp_path / "saved", operators=[Tokenise, shout])


def test_only_public_methods_are_called(sources: Path, tmp_path: Path) -> None:
    """A bundle names methods of an operator that its class has in Python, and no private ones."""
    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one.count(text), "x").save(tmp_path / "saved")

    class Hidden(Tokenise):
        count = None  # type: ignore[assignment]

    astrace.script(Hidden)
    with pytest.raises(BundleError) as raised:
        astrace.load(tmp_path / "saved", operators={"Tokenise": Hidden("a/v.txt")})
    assert raised.value.code == "AB112"


# -- the examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["text_classifier", "numerical_model"])
def test_examples(name: str, tmp_path: Path) -> None:
    """They save, move and load in a process of their own, and print that the results are the same."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the same to the bit: True" in done.stdout and list(tmp_path.iterdir()) == []


# -- recorded calls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_recorded_calls_of_operators_that_count(name: str, sources: Path, tmp_path: Path) -> None:
    """They are made with new operators, from new files; those of the program have seen no call, and verifying finds the same."""
    tokenise = Tokenise(Files("a/v.txt", (Path("b/v.txt"),)))
    numbered = Numbered(tokenise, "data")
    graph = astrace.trace(lambda text: (tokenise.count(text), numbered(text)), "x")
    graph("x")
    calls = [("x y",), ("z",), {"text": "x"}]
    graph.save(tmp_path / name, examples=calls)
    assert tokenise.calls == 1 and graph("y") == (3, "ü2y")
    loaded = astrace.load(tmp_path / name, operators=ALL)
    assert [one.result for one in loaded.examples] == [(3, "ü1x y"), (3, "ü2z"), (4, "ü3x")]
    assert differences(loaded) == []
    loaded.save(tmp_path / "again")
    again = astrace.load(tmp_path / "again", operators=ALL)
    assert [one.result for one in again.examples] == [one.result for one in loaded.examples]
    assert differences(again) == []


def test_recorded_calls_of_an_instance_that_was_passed(sources: Path, tmp_path: Path) -> None:
    """It is nobody's to make: it is called itself."""
    one = Tokenise("a/v.txt")
    astrace.trace(lambda text: one(text), "x").save(tmp_path / "saved")
    mine = Tokenise("b/v.txt")
    graph = astrace.load(tmp_path / "saved", operators={"Tokenise": mine})
    graph.save(tmp_path / "again", examples=[("z x",)])
    assert mine.calls == 1
    (call,) = astrace.load(tmp_path / "again", operators=[Tokenise]).examples
    assert call.result == [0, -1]
