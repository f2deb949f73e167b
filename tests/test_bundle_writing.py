"""Saving is all or nothing: at every call of the operating system that fails or never returns, the old or the new bundle is there, whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
import fuzz.bundles
from astrace.bundle.contents import Extras, contents_of
from astrace.bundle.files.disk import Disk
from astrace.bundle.files.members import GRAPH
from astrace.bundle.files.reader import StoredBundle
from astrace.bundle.files.writer import write_bundle

CALLS = (
    "make_file",
    "make_folder",
    "make_inner",
    "write",
    "set_mode",
    "sync",
    "rename",
    "exchange",
    "remove",
)


class Stopped(BaseException):
    """The process is gone: nothing that stands behind it is done."""


class Failing(Disk):
    """A disk whose n-th call fails, or is the last one.

    Args:
        number: of the call.
        error: what it raises; None where the process is gone.
        halfway: it has done a part of what it was asked.
    """

    def __init__(self, number: int, error: OSError | None, halfway: bool) -> None:
        self.left, self.error, self.halfway = number, error, halfway
        self.made: list[str] = []


def _counted(name: str) -> Callable[..., Any]:
    real = getattr(Disk, name)

    def call(self: Failing, *args: Any) -> Any:
        self.made.append(name)
        if self.left < 0:
            raise Stopped  # it is gone, and cleans up nothing
        self.left -= 1
        if self.left >= 0:
            return real(self, *args)
        if self.halfway and name == "write":
            args[0].write_bytes(b"".join(args[1])[:50])
        elif self.halfway and name in ("rename", "exchange"):
            real(self, *args)  # it has happened, and the process does not learn of it
        if self.error is None:
            raise Stopped
        self.left = 10**9  # what cleans up works
        raise self.error

    return call


for _name in CALLS:
    setattr(Failing, _name, _counted(_name))


def bundle(rate: float) -> dict[str, bytes]:
    """The members of a graph."""
    weights = np.arange(3.0)
    graph = astrace.trace(lambda x: x * weights * rate, np.ones(3))
    return contents_of(graph, Extras(), lambda args, kwargs: graph(*args, **kwargs))


OLD, NEW = bundle(2.0), bundle(3.0)


def there(path: Path) -> float | None:
    """What the bundle at a path multiplies by; None where there is none."""
    return float(astrace.load(path)(np.ones(3))[1]) if os.path.lexists(path) else None


@pytest.mark.parametrize(
    "error",
    [None, OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EIO, "Input/output error")],
    ids=["gone", "full", "broken"],
)
@pytest.mark.parametrize("halfway", [False, True])
@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("name", ["model.zip", "model"])
def test_every_call_of_a_save(
    name: str, replaces: bool, halfway: bool, error: OSError | None, tmp_path: Path
) -> None:
    """Each call in turn fails, or is the last one that the process makes."""
    before = 2.0 if replaces else None
    number, outcomes = 0, set()
    while True:
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / name
        if replaces:
            write_bundle(path, OLD)
        disk = Failing(number, error, halfway)
        try:
            write_bundle(path, NEW, disk)
        except Stopped:
            pass
        except astrace.BundleError as refused:
            assert refused.code == "AB207" and str(path) in refused.message
            assert ("no space left" in refused.message) == (error is not None and error.errno == errno.ENOSPC)
        outcome = there(path)
        assert outcome in (before, 3.0)
        if disk.left >= 0 and disk.left < 10**8:
            break
        if error is not None:
            left = {one.name for one in folder.iterdir()} - {name}
            assert left == set() or disk.made[-1] == "remove"
        outcomes.add(outcome)
        number += 1
    assert number >= 5 and before in outcomes and there(path) == 3.0


def test_what_is_no_bundle_is_not_replaced(tmp_path: Path) -> None:
    """Other folders and files, links, and a bundle of the other form stay; an empty folder is taken."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work/precious.txt").write_text("x")
    (tmp_path / "precious.zip").write_text("x")
    (tmp_path / "link.zip").symlink_to(tmp_path / "precious.zip")
    (tmp_path / "folder.zip").mkdir()
    for name in ("work", "precious.zip", "link.zip", "folder.zip"):
        with pytest.raises(astrace.BundleError, match="AB206"):
            write_bundle(tmp_path / name, NEW)
    assert (tmp_path / "work/precious.txt").read_text() == (tmp_path / "precious.zip").read_text() == "x"
    (tmp_path / "empty").mkdir()
    write_bundle(tmp_path / "empty", NEW)
    assert there(tmp_path / "empty") == 3.0


def test_paths_that_name_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, one around it, no path at all, a folder that is gone."""
    (tmp_path / "a/b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b")
    graph = astrace.trace(lambda x: x + 1.0, 1.0)
    for path in (".", "..", tmp_path / "a"):
        with pytest.raises(astrace.BundleError, match="AB206: .* is the current folder, or holds it"):
            graph.save(path)
    for path in ("", "a\0.zip"):
        with pytest.raises(astrace.BundleError, match="AB207"):
            graph.save(path)
    for path in (3, b"x.zip", None):
        with pytest.raises(astrace.InvalidArgument, match="save: a path is"):
            graph.save(path)  # type: ignore[arg-type]
    (tmp_path / "a/b").rmdir()
    with pytest.raises(astrace.BundleError, match="AB207"):
        graph.save("x.zip")
    monkeypatch.chdir(tmp_path)
    assert [str(one) for one in Path().rglob("*")] == ["a"]


@pytest.mark.parametrize("name", ["model", "model.zip"])
def test_read_while_it_is_replaced(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads gets the old bundle or the new one, whole, not parts of both; unless that never ends."""
    path = tmp_path / name
    write_bundle(path, OLD)
    read, left = StoredBundle.read, [3]

    def replaced(bundle: StoredBundle, member: str) -> bytes:
        if left[0] and member != GRAPH:
            left[0] -= 1
            write_bundle(path, NEW if left[0] % 2 == 0 else OLD)
        return read(bundle, member)

    monkeypatch.setattr(StoredBundle, "read", replaced)
    assert there(path) == 3.0 and left == [0]
    left[0] = 10**6
    with pytest.raises(astrace.BundleError, match="AB101: .* again and again"):
        there(path)


def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is not there, a file in place of it, one that may not be written, a system that can't exchange."""
    graph = astrace.trace(lambda x: x + 1.0, 1.0)
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "missing/model.zip", tmp_path / "file/model", Path("/proc/model.zip")):
        with pytest.raises(astrace.BundleError, match=r"AB20[67].*"):
            graph.save(path)
    write_bundle(tmp_path / "model", OLD)
    monkeypatch.setattr(Disk, "exchange", lambda *_: False)
    with pytest.raises(astrace.BundleError, match="can't replace a folder in one step"):
        graph.save(tmp_path / "model")
    assert there(tmp_path / "model") == 2.0 and sorted(one.name for one in tmp_path.iterdir()) == [
        "file",
        "model",
    ]


def test_flipped_bytes() -> None:
    """A smoke run of the campaign: no flipped bit gives another answer."""
    report = fuzz.bundles.flips(300, seed=1)
    assert report["wrong"] == 0 and report["refused"] >= 290, report


def test_killed_processes() -> None:
    """A smoke run of the campaign: killed at random, the old or the new bundle is there."""
    report = fuzz.bundles.kills(10, seed=1)
    assert report["broken"] == 0, report
