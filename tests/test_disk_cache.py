"""The cache on disk: what is read is what was written, or nothing; nobody else's files are used or removed."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from astrace.integrations import cli
from astrace.util.disk_cache import folder as folders
from astrace.util.disk_cache import store as stores
from astrace.util.disk_cache.entries import Corrupt, key_of, pack, unpack
from astrace.util.disk_cache.store import DiskCache, current

KIND = "things"
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have no owners here")


@pytest.fixture
def store(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache")


def path_of(store: DiskCache, key: bytes) -> Path:
    return store.folder / KIND / key.hex()


# -- entries -------------------------------------------------------------------------------------------------


def test_keys_tell_everything_apart() -> None:
    parts = [
        (),
        ("",),
        ("a",),
        ("a", ""),
        ("a,",),
        (["a"],),
        (1,),
        (1.0,),
        ("1",),
        (None,),
        (True,),
        ({"a": 1},),
    ]
    parts += [
        ("ab",),
        ("a", "b"),
        ("b", "a"),
        ({"a": 1, "b": 2},),
        ("\ud800",),
        ("é",),
        (float("nan"),),
        (-0.0,),
        (0.0,),
    ]
    assert len({key_of(*one) for one in parts}) == len(parts)
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})


@pytest.mark.parametrize("payload", [b"", b"x", bytes(range(256)) * 50])
def test_flipped_and_cut_entries_are_noticed(payload: bytes) -> None:
    key = key_of("what")
    data = pack(key, payload)
    assert unpack(key, data) == payload
    numbers = random.Random(len(payload))
    places = range(len(data)) if len(data) < 200 else [numbers.randrange(len(data)) for _ in range(500)]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << numbers.randrange(8)
        with pytest.raises(Corrupt):
            unpack(key, bytes(changed))
        with pytest.raises(Corrupt):
            unpack(key, data[:place])
    for wrong in (data + b"\0", b"", payload):
        with pytest.raises(Corrupt):
            unpack(key, wrong)
    with pytest.raises(Corrupt):
        unpack(key_of("something else"), data)


# -- the store -----------------------------------------------------------------------------------------------


def test_store(store: DiskCache) -> None:
    one, other = key_of("one"), key_of("other")
    assert store.get(KIND, one) is None
    store.put(KIND, one, b"1")
    store.put(KIND, other, b"")
    assert (store.get(KIND, one), store.get(KIND, other), store.get("more", one)) == (b"1", b"", None)
    store.put(KIND, one, b"2")
    assert store.get(KIND, one) == b"2"
    assert store.counts == {f"missing {KIND}": 1, "missing more": 1, f"written {KIND}": 3, f"found {KIND}": 3}
    assert store.clear() == 2
    assert store.get(KIND, one) is None


def test_a_program_that_replaces_open_does_not_see_the_cache(store: DiskCache) -> None:
    with mock.patch("builtins.open", mock.mock_open()) as opened:
        store.put(KIND, key_of("one"), b"1")
        assert store.get(KIND, key_of("one")) == b"1"
    assert opened.call_count == 0


@POSIX
def test_entries_are_the_users_alone(store: DiskCache) -> None:
    before = os.umask(0)
    try:
        folders.prepare(store.folder)
        store.put(KIND, key_of("one"), b"1")
    finally:
        os.umask(before)
    path = path_of(store, key_of("one"))
    modes = [one.stat().st_mode & 0o777 for one in (store.folder, path.parent, path)]
    assert modes == [0o700, 0o700, 0o600]


def test_corrupt_entries_are_removed(store: DiskCache) -> None:
    key = key_of("one")
    for change in (lambda data: data[:-1], lambda data: data + b"x", lambda _: b"", lambda data: data[:3]):
        store.put(KIND, key, b"1")
        path = path_of(store, key)
        path.write_bytes(change(path.read_bytes()))
        assert store.get(KIND, key) is None
        assert not path.exists()
    assert store.counts[f"ignored {KIND}"] == 4


@POSIX
def test_entries_that_others_can_write_are_ignored(store: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    key = key_of("one")
    for mode in (0o620, 0o602, 0o666):
        store.put(KIND, key, b"1")
        path_of(store, key).chmod(mode)
        assert store.get(KIND, key) is None
    store.put(KIND, key, b"1")
    monkeypatch.setattr(folders.os, "geteuid", lambda: 12345)
    assert store.get(KIND, key) is None


@POSIX
def test_what_is_no_file_is_ignored(store: DiskCache, tmp_path: Path) -> None:
    key = key_of("one")
    store.put(KIND, key, b"1")
    path = path_of(store, key)
    elsewhere = path.rename(tmp_path / "elsewhere")
    path.symlink_to(elsewhere)
    assert store.get(KIND, key) is None
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert store.get(KIND, key) is None
    path.unlink(missing_ok=True)
    path.mkdir()
    assert store.get(KIND, key) is None
    store.put(KIND, key, b"1")  # it can't be: nobody hears of it
    assert elsewhere.exists()


def test_the_least_recently_used_go(tmp_path: Path) -> None:
    store = DiskCache(tmp_path, limit=10 * stores.BLOCK)
    keys = [key_of(number) for number in range(40)]
    for number, key in enumerate(keys):
        store.put(KIND, key, b"x")
        os.utime(path_of(store, key), (1000 + number, 1000 + number))
        assert store.get(KIND, keys[0]) == b"x"  # its use is noted
        assert sum(one.size for one in store.files()) <= store.limit
    assert {one.path.name for one in store.files()} >= {keys[0].hex(), keys[-1].hex()}
    assert store.get(KIND, keys[1]) is None


def test_what_was_never_finished_goes(store: DiskCache) -> None:
    key = key_of("one")
    store.put(KIND, key, b"1")
    names = [f"{key.hex()}.{16 * digit}.part" for digit in "01"]
    old, new = (store.folder / KIND / name for name in names)
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * stores.ABANDONED,) * 2)
    store.evict()
    assert (old.exists(), new.exists()) == (False, True)
    assert store.clear() == 2


def test_foreign_files_stay(store: DiskCache) -> None:
    store.put(KIND, key_of("one"), b"1")
    foreign = [store.folder / "notes.txt", store.folder / KIND / "notes.txt", store.folder / ("0" * 64)]
    for path in foreign:
        path.write_text("mine")
    assert store.clear() == 1
    assert all(path.exists() for path in foreign)


def test_a_disk_that_is_full_is_no_matter(store: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stores.Path, "replace", full)
    store.put(KIND, key_of("one"), b"1")
    assert list(store.files()) == []
    assert list((store.folder / KIND).iterdir()) == []


# -- the folder ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["", "0", " "])
def test_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", value)
    assert current() is None


def test_default_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert folders.wanted({}) == tmp_path / ".cache" / "astrace"
    assert folders.wanted({"XDG_CACHE_HOME": str(tmp_path / "x")}) == tmp_path / "x" / "astrace"
    assert folders.wanted({"XDG_CACHE_HOME": "relative"}) == tmp_path / ".cache" / "astrace"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert folders.wanted({}) == tmp_path / "Library" / "Caches" / "astrace"
    monkeypatch.setattr(sys, "platform", "win32")
    assert folders.wanted({"LOCALAPPDATA": str(tmp_path)}) == tmp_path / "astrace" / "Cache"


def test_the_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "a" / "b"))
    store = current()
    assert store is not None
    assert store.folder == tmp_path / "a" / "b"
    assert store.folder.is_dir()
    assert current() is store


def unusable(path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> bool:
    """Return whether a folder is not taken, and an event says so."""
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(path))
    stores._opened.cache_clear()
    with caplog.at_level(logging.DEBUG, "astrace.cache"):
        found = current()
    return found is None and any("there is no cache on disk" in message for message in caplog.messages)


def test_unusable_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    assert unusable(tmp_path / "file", monkeypatch, caplog)
    assert unusable(tmp_path / "file" / "below", monkeypatch, caplog)
    assert unusable(tmp_path / ("long" * 100), monkeypatch, caplog)


@POSIX
def test_folders_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.chmod(0o777)
    assert unusable(tmp_path, monkeypatch, caplog)
    tmp_path.chmod(0o755)
    assert not unusable(tmp_path, monkeypatch, caplog)
    monkeypatch.setattr(folders.os, "geteuid", lambda: 12345)
    assert unusable(tmp_path, monkeypatch, caplog)


# -- the command ---------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(folder))
    assert cli.main(["cache", "info"]) == 0
    assert capsys.readouterr().out == f"folder   {folder}\nentries  0, 0.0 MB of at most 256.0 MB\n"
    assert not folder.exists()
    folders.prepare(folder)
    store = DiskCache(folder)
    for number in range(3):
        store.put(KIND, key_of(number), b"x" * 300_000)
    assert cli.main(["cache", "info"]) == 0
    assert capsys.readouterr().out == (
        f"folder   {folder}\nentries  3, 0.9 MB of at most 256.0 MB\n  things: 3, 0.9 MB\n"
    )
    assert cli.main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"3 entries removed from {folder}\n"
    monkeypatch.setenv("ASTRACE_CACHE_DIR", "0")
    for action in ("info", "clear"):
        assert cli.main(["cache", action]) == 0
        assert capsys.readouterr().out == "there is no cache: switched off by ASTRACE_CACHE_DIR\n"
    assert cli.main(["cache"]) == 2


# -- many processes ------------------------------------------------------------------------------------------

WORK = """
import os, random, sys
from pathlib import Path
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import DiskCache

store, numbers = DiskCache(Path(sys.argv[1]), limit=1 << 20), random.Random(int(sys.argv[2]))
for _ in range(1500):
    number = numbers.randrange(30)
    key, size = key_of(number), numbers.choice([0, 10, 100_000])
    match numbers.randrange(8):
        case 0 | 1 | 2:
            store.put("things", key, bytes([number]) * size)
        case 3 if numbers.random() < 0.1:
            store.clear()
        case 4:
            for file in store.files():
                if numbers.random() < 0.05:
                    try:
                        with open(file.path, "r+b") as handle:
                            handle.seek(numbers.randrange(120))
                            handle.write(bytes([numbers.randrange(256)]))
                    except FileNotFoundError:
                        pass
        case _:
            found = store.get("things", key)
            assert found is None or set(found) <= {number}, (number, found[:10])
            assert found is None or len(found) in (0, 10, 100_000)
"""


def test_many_processes(tmp_path: Path) -> None:
    """Processes write, read, flip bytes of, evict and clear the same entries, and are killed: none reads a wrong one."""
    command = [sys.executable, "-c", WORK, str(tmp_path)]
    running = [subprocess.Popen([*command, str(seed)], stderr=subprocess.PIPE) for seed in range(5)]
    running[-1].kill()
    for process in running[:-1]:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
    running[-1].communicate()
