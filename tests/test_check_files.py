"""A check writes no files: what a function under check writes, removes or renames is put back after each run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.check.mutate.data_files import is_data, variants
from astrace.check.sandbox.files import Files

X = np.array([1.0, 2.0, 3.0])


def save(x):
    if x.sum() > 77.5:
        np.save("other.npy", x)
    np.save("kept.npy", x)
    return x + 1


def write(x, name="kept.txt"):
    with open(name, "w") as file:
        file.write(str(x))
    return x * 2


def append(x):
    with open("kept.txt", "a") as file:
        print(x, file=file)
    return x.sum()


def remove(x):
    os.remove("kept.txt")
    os.remove("linked")
    return -x


def move(x):
    os.replace("kept.txt", "folder/inside.txt")
    return x


def fresh_folder(x):
    os.makedirs("new/deep")
    Path("new/deep/file").write_text("a")
    os.chmod("kept.txt", 0o600)
    return x


def remove_tree(x):
    shutil.rmtree("folder")
    os.truncate("kept.npy", 1)
    return x


def elsewhere(x):
    os.chdir("folder")
    Path("inside.txt").write_bytes(x.tobytes())
    return x


def through_link(x):
    with open("linked", "w") as file:
        file.write("x")
    return x


def fails_halfway(x):
    with open("kept.txt", "w") as file:
        file.write("half")
        return x[10]


FUNCTIONS = (
    save,
    write,
    append,
    remove,
    move,
    fresh_folder,
    remove_tree,
    elsewhere,
    through_link,
    fails_halfway,
)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A working directory with some files."""
    monkeypatch.chdir(tmp_path)
    Path("kept.txt").write_text("kept")
    np.save("kept.npy", X)
    Path("folder").mkdir()
    Path("folder/inside.txt").write_text("inside")
    Path("linked").symlink_to("kept.txt")
    return tmp_path


def listed(folder):
    """Everything below a folder, and when its files were written."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.stat().st_mtime_ns if path.is_file() else None,
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("frozen", [False, True], ids=["compiled", "frozen"])
def test_the_working_directory_is_as_it_was(folder, function, frozen):
    before = listed(folder)
    if frozen:
        graph = astrace.trace(function, X)
        assert listed(folder) == before
        report = astrace.check(graph, X, original=function, level="quick")
    else:
        report = astrace.check(function, X, level="quick")
    assert report.ok or (frozen and function is write), report  # the frozen graph has its file's name
    assert listed(folder) == before and Path.cwd() == folder


@pytest.mark.parametrize("function", [write, append, remove, move, fresh_folder])
def test_a_write_that_is_not_done_is_found(folder, function):
    results = {write: X * 2, append: X.sum(), remove: -X}
    before = listed(folder)
    wrong = lambda x: results.get(function, x)  # noqa: E731
    report = astrace.check(wrong, X, original=function, level="quick", directed=0)
    assert [one.code for one in report.errors][:1] == ["AC106"] and "the file" in report.errors[0].message
    assert listed(folder) == before


def closing(x):
    with open(1, "w"):
        return x + 1


def test_a_stream_that_is_closed_is_opened_again():
    before = os.fstat(1).st_ino
    assert astrace.check(closing, X, level="quick").ok
    assert os.fstat(1).st_ino == before


def test_no_process_is_started_and_no_large_file_is_written(folder, monkeypatch):
    def starts(x):
        subprocess.run(["touch", "made"], check=True)
        return x

    def writes(x):
        with open("kept.txt", "w") as file:
            file.write("no")
        return x

    before = listed(folder)
    assert astrace.check(starts, X, level="quick").ok
    monkeypatch.setattr("astrace.check.sandbox.files.MOST_BYTES", 2)
    assert astrace.check(writes, X, level="quick").ok
    assert listed(folder) == before
    writes(X)  # outside of a check nothing is refused
    starts(X)
    assert listed(folder) != before


# -- files that are read -----------------------------------------------------------------------------------


def scaled(x):
    return x * np.load("factors.npy")


def rated(x):
    rates = np.loadtxt("rates.txt")
    if len(rates) > 2:
        return x * rates[2]
    return x * rates[0]


@pytest.mark.parametrize("function", [scaled, rated])
def test_contents_are_changed_and_put_back(function, tmp_path, monkeypatch):
    """A frozen graph holds what a file held; the check gives the file other contents, and its own again."""
    monkeypatch.chdir(tmp_path)
    np.save("kept.npy", np.arange(3.0))
    Path("factors.npy").symlink_to("kept.npy")
    Path("rates.txt").write_text("2.5\n3.5\n")
    os.utime("rates.txt", (1e9, 1e9))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    before = listed(tmp_path)
    x = np.arange(3.0)
    report = astrace.check(astrace.trace(function, x), x, original=function)
    found = {one.code for one in report.findings if one.location.line > function.__code__.co_firstlineno}
    assert report.coverage.changes >= 4 and found & {"AC201", "AC202"}
    assert listed(tmp_path) == before
    assert astrace.check(function, x).ok


def test_a_copy_lies_elsewhere_while_contents_are_changed(tmp_path, monkeypatch):
    """A process that is killed in the middle of a check loses no file."""
    monkeypatch.chdir(tmp_path)
    Path("rates.txt").write_text("2.5\n3.5\n")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    copies, restore = set(), Files.restore

    def watching(files):
        copies.update(path.read_text() for path in tmp_path.glob("astrace-check-*/rates.txt"))
        restore(files)

    monkeypatch.setattr(Files, "restore", watching)
    x = np.arange(3.0)
    astrace.check(astrace.trace(rated, x), x, original=rated, process=False)
    assert copies == {"2.5\n3.5\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["rates.txt"]


def test_what_is_done_to_contents():
    """Numbers, lines, everything, the file itself; what is no text is emptied and removed alone."""
    assert [what for what, _ in variants(b"a = 1.5\nb = 2\n")] == [
        "given other numbers",
        "given a line more",
        "emptied",
        "removed",
    ]
    assert dict(variants(b"a = 1.5\nb = 2\n"))["given other numbers"] == b"a = 2.5\nb = 3\n"
    assert [what for what, _ in variants(b"\xff\x00")] == ["emptied", "removed"]
    assert not is_data(np.__file__) and not is_data("/proc/self/status") and not is_data("/no/such/file")
