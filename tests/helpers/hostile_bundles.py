"""Malicious and broken bundles by category: each is a good bundle with one thing wrong.

A case writes a folder or a file.  What is not the thing that is wrong is as it should be: hashes and sizes are made anew
after a change of the data, so that the check that is meant is the one that has to refuse.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pickle
import socket
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import astrace
from astrace.bundle.contents import Extras, contents_of

WEIGHTS = np.arange(6.0).reshape(2, 3)
Contents = dict[str, bytes]
MANIFEST, GRAPH = "manifest.json", "graph.json"


class Hostile(NamedTuple):
    """A bundle that is to be refused."""

    category: str
    name: str
    codes: str
    write: Callable[[Path], Any]


def model(x, n=3, *, mode="a", scale=None):
    """The function of the good bundle: loops, branches, handlers, arrays, containers, attributes and methods."""
    acc = np.zeros_like(x)
    for i in range(n):
        acc = acc + np.tanh(x) * i if x.sum() > i else acc - WEIGHTS
    if mode == "a":
        acc = np.linalg.norm(acc, axis=1, keepdims=True)
    try:
        y = 1 / n
    except ZeroDivisionError:
        y = 0.0
    while y < 0.9:
        y = y + 0.3
    parts = [x.mean(axis=0), x.T]
    parts.append(np.where(x > 0, x, 0).astype(np.float32))
    return {"r": acc, "y": (y, parts), "s": max(x.shape)}


@functools.cache
def good() -> Contents:
    """The members of a good bundle."""
    graph = astrace.trace(model, np.ones((2, 3)))
    graph.metadata["note"] = ["text", (1, 2.5)]
    calls = (((np.ones((2, 3)),), {}),)
    return contents_of(graph, Extras(graph.metadata, calls), lambda args, kwargs: graph(*args, **kwargs))


# -- writing -----------------------------------------------------------------------------------------------


def dumps(data: Any) -> bytes:
    """JSON as bundles have it."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode("ascii") + b"\n"


def sealed(manifest: dict[str, Any]) -> bytes:
    """A manifest with its seal."""
    data = {name: value for name, value in manifest.items() if name != "seal"}
    return dumps(data | {"seal": hashlib.sha256(dumps(data)).hexdigest()})


def resealed(contents: Contents) -> Contents:
    """The members with a manifest that fits them."""
    manifest = json.loads(contents[MANIFEST])
    others = {name: content for name, content in contents.items() if name != MANIFEST}
    manifest["members"] = {name: [len(one), hashlib.sha256(one).hexdigest()] for name, one in others.items()}
    return {MANIFEST: sealed(manifest), **others}


def with_data(change: Callable[[dict[str, Any]], Any], member: str = GRAPH) -> Contents:
    """The members with the data of one of them changed."""
    contents = dict(good())
    data = json.loads(contents[member])
    change(data)
    contents[member] = dumps(data)
    return resealed(contents)


def with_manifest(change: Callable[[dict[str, Any]], Any]) -> Contents:
    """The members with another manifest, which is sealed."""
    manifest = json.loads(good()[MANIFEST])
    change(manifest)
    return {**good(), MANIFEST: sealed(manifest)}


def with_member(name: str, content: bytes, reseal: bool = True) -> Contents:
    """The members with one of them replaced or added."""
    contents = {**good(), name: content}
    return resealed(contents) if reseal else contents


def folder(contents: Contents) -> Callable[[Path], None]:
    """Write a folder."""

    def write(path: Path) -> None:
        for name, content in contents.items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    return write


class Entry(NamedTuple):
    """An entry of a zip file, with what may be wrong about it."""

    name: bytes
    content: bytes
    central: dict[str, int] = {}
    local: dict[str, int] = {}
    extra: bytes = b""
    comment: bytes = b""
    packed: bytes | None = None
    gap: bytes = b""


COMMON = ("version", "flags", "method", "time", "date", "crc", "packed", "size", "length", "extra")


def zipped(
    entries: list[Entry],
    end: dict[str, int] | None = None,
    before: bytes = b"",
    after: bytes = b"",
    comment: bytes = b"",
) -> bytes:
    """A zip file made of entries, with fields that lie."""
    body, directory = before, b""
    for entry in entries:
        stored = entry.content if entry.packed is None else entry.packed
        fields = {
            "version": 20,
            "flags": 0,
            "method": 0,
            "time": 0,
            "date": 33,
            "crc": zlib.crc32(entry.content),
        }
        fields |= {
            "packed": len(stored),
            "size": len(entry.content),
            "length": len(entry.name),
            "extra": len(entry.extra),
        }
        body += entry.gap
        start = len(body)
        local = fields | entry.local
        body += (
            struct.pack("<4s5H3I2H", b"PK\3\4", *(local[name] for name in COMMON))
            + entry.name
            + entry.extra
            + stored
        )
        told = (
            fields
            | {
                "made": 3 << 8 | 20,
                "comment": len(entry.comment),
                "disk": 0,
                "inner": 0,
                "mode": 0o100644 << 16,
                "offset": start,
            }
            | entry.central
        )
        directory += struct.pack(
            "<4s6H3I5H2I",
            b"PK\1\2",
            told["made"],
            *(told[name] for name in COMMON),
            *(told[name] for name in ("comment", "disk", "inner", "mode", "offset")),
        )
        directory += entry.name + entry.extra + entry.comment
    last = {
        "disk": 0,
        "first": 0,
        "here": len(entries),
        "count": len(entries),
        "size": len(directory),
        "start": len(body),
        "comment": len(comment),
    } | (end or {})
    return body + directory + struct.pack("<4s4H2IH", b"PK\5\6", *last.values()) + comment + after


def entries(contents: Contents | None = None) -> list[Entry]:
    """The entries of the good bundle."""
    contents = good() if contents is None else contents
    ordered = sorted(contents, key=lambda name: (name != MANIFEST, name))
    return [Entry(name.encode(), contents[name]) for name in ordered]


def file(content: bytes) -> Callable[[Path], Any]:
    """Write a file."""
    return lambda path: path.write_bytes(content)


def second(**changes: Any) -> list[Entry]:
    """The entries, of which the second one has something changed."""
    found = entries()
    found[1] = found[1]._replace(**changes)
    return found


# -- containers --------------------------------------------------------------------------------------------

NAMES = {
    "traversal": ["../evil", "arrays/../../evil", "..", "a/./b"],
    "absolute": ["/etc/evil", "//evil"],
    "drive": ["C:evil", "c:/evil"],
    "unc": ["\\\\host\\share\\evil", "//host/share"],
    "backslash": ["arrays\\0.npy", "..\\evil"],
    "control": ["a\nb", "a\x1b[31m", "a\x7f", "a\rb"],
    "nul": ["a\0b", "\0"],
    "long": ["a" * 201, "a/" * 150 + "b", "b" * 60_000],
    "empty_name": ["", "a//b", "a/"],
    "dots": [".hidden", "a/.git", "trailing.", "a/..."],
    "device": ["con", "NUL.npy", "arrays/com1.txt", "lpt9"],
    "deep": ["a/b/c/d/e/f/g", "/".join("abcdefghijklmnop")],
    "spaces": [" a", "a b", "a\u00a0"],
    "unicode": ["\u202egpj.exe", "e\u0301", "\u00e9", "\uff0e\uff0e", "a\u200bb"],
}


def names() -> Iterator[Hostile]:
    """Members whose names are not plain."""
    for category, found in NAMES.items():
        for name in found:
            encoded = name.encode()
            extra = Entry(encoded, b"x")
            yield Hostile(
                f"name_{category}",
                f"{name[:12]!r} in a zip file",
                "AB103 AB104 AB105 AB106",
                file(zipped([*entries(), extra])),
            )
            changed = with_manifest(lambda data, name=name: data["members"].update({name: [1, "0" * 64]}))
            yield Hostile(f"name_{category}", f"{name[:12]!r} in a manifest", "AB104", folder(changed))
    for one, other in (("A/b", "a/B"), ("EXAMPLES.json", "examples.json"), ("arrays", "")):
        added = [Entry(name.encode(), b"x") for name in (one, other) if name and name not in good()]
        yield Hostile("name_collision", one, "AB104", file(zipped([*entries(), *added])))
    yield Hostile(
        "name_collision",
        "a file and a folder",
        "AB104",
        folder(with_manifest(lambda data: data["members"].update({"arrays/0.npy/x": [1, "0" * 64]}))),
    )


def containers() -> Iterator[Hostile]:
    """Zip files that are none that astrace writes."""

    def case(category: str, name: str, codes: str, content: bytes) -> Hostile:
        return Hostile(category, name, codes, file(content))

    for name, mode in {
        "link": 0o120777,
        "fifo": 0o010644,
        "device": 0o020644,
        "folder": 0o040755,
        "setuid": 0o104755,
        "none": 0,
        "executable": 0o100755,
    }.items():
        yield case("zip_mode", name, "AB105", zipped(second(central={"mode": mode << 16})))
    for index in (0, 1, 3):
        found = entries()
        yield case("zip_duplicate", str(index), "AB104", zipped([*found, found[index]]))
    size = len(zipped(entries()))
    for back in (1, 10, 60, 500):
        yield case(
            "zip_overlap",
            str(back),
            "AB103",
            zipped([*entries(), Entry(b"x", b"y", central={"offset": size // 2 - back})]),
        )
    for offset in (0, 1, 30):
        yield case("zip_overlap", f"begins at {offset}", "AB103", zipped(second(central={"offset": offset})))
    for gap in (b"\0", b"gap" * 20, b"PK\3\4"):
        yield case("zip_gap", repr(gap[:4]), "AB103", zipped(second(gap=gap)))
    for field in ("version", "flags", "method", "time", "date", "crc", "packed", "size", "length"):
        yield case("zip_two_descriptions", field, "AB103 AB104 AB107 AB108", zipped(second(local={field: 7})))
        yield case(
            "zip_lying_directory", field, "AB103 AB104 AB107 AB108", zipped(second(central={field: 7}))
        )
    for value in (0xFFFFFFFF, 0xFFFFFFFE, 2**31, 10**9):
        yield case(
            "zip_size",
            f"{value:x}",
            "AB103",
            zipped(second(central={"size": value, "packed": value}, local={"size": value, "packed": value})),
        )
    for field in ("offset", "size"):
        yield case(
            "zip_64",
            field,
            "AB103",
            zipped(second(central={field: 0xFFFFFFFF}, extra=struct.pack("<HHQ", 1, 8, 5))),
        )
    yield case("zip_64", "end", "AB103 AB106", zipped(entries(), end={"count": 0xFFFF, "here": 0xFFFF}))
    for flags in (1, 8, 0x40, 0x800, 0x2000):
        both = {"flags": flags}
        yield case("zip_encrypted_or_flagged", hex(flags), "AB103", zipped(second(central=both, local=both)))
    for method in (1, 8, 9, 12, 14, 93, 99):
        both = {"method": method}
        yield case("zip_method", str(method), "AB103", zipped(second(central=both, local=both)))
    bomb = zlib.compress(bytes(50_000_000), 9)[2:-4]
    yield case(
        "zip_bomb",
        "deflated zeros",
        "AB103",
        zipped(
            [
                *entries(),
                Entry(b"bomb", bytes(50_000_000), central={"method": 8}, local={"method": 8}, packed=bomb),
            ]
        ),
    )
    for levels in (1, 2):
        inner = zipped(entries())
        for _ in range(levels):
            inner = zipped([*entries(), Entry(b"nested.zip", inner)])
        yield case("zip_nested", str(levels), "AB107", inner)
    for count in (0, 1, 10_000, 65_535):
        yield case(
            "zip_count",
            str(count),
            "AB101 AB103 AB106",
            zipped(entries(), end={"count": count, "here": count}),
        )
    many = [Entry(b"m%d" % index, b"") for index in range(10_001)]
    yield case("zip_count", "many members", "AB106", zipped([*entries(), *many]))
    yield case("zip_extra", "field", "AB103", zipped(second(extra=b"\x75\x70\x04\0abcd")))
    yield case(
        "zip_extra",
        "giant field",
        "AB103 AB104 AB106",
        zipped(second(extra=b"\x75\x70\xf0\xff" + bytes(65_520))),
    )
    yield case("zip_comment", "of a member", "AB103", zipped(second(comment=b"hello")))
    yield case("zip_comment", "of the file", "AB103", zipped(entries(), comment=b"hello"))
    yield case("zip_comment", "giant", "AB103", zipped(entries(), comment=bytes(65_535)))
    yield case("zip_comment", "that looks like an end", "AB103", zipped(entries(), comment=zipped([])))
    for field in ("disk", "first", "here", "size", "start"):
        yield case("zip_end", field, "AB103 AB106", zipped(entries(), end={field: 1}))
    for before in (b"#!/bin/sh\n", b"\x7fELF" + bytes(100), b"%PDF-1.4\n", b"PK\3\4"):
        yield case("polyglot_before", repr(before[:4]), "AB101 AB103", zipped(entries(), before=before))
    for after in (b"\0", b"<html>", zipped(entries()), bytes(70_000)):
        yield case("polyglot_after", repr(after[:4]), "AB101 AB103", zipped(entries(), after=after))
    whole = zipped(entries())
    for kept in (1, 4, 21, 22, 100, len(whole) // 2, len(whole) - 23, len(whole) - 1):
        yield case("zip_truncated", str(kept), "AB101 AB103 AB106", whole[:kept])
    for place in (300, len(whole) // 3, len(whole) // 2):
        changed = bytearray(whole)
        changed[place] ^= 1
        yield case("zip_checksum", str(place), "AB103 AB108 AB107 AB109", bytes(changed))
    yield Hostile(
        "zip_foreign", "of the zipfile module", "AB101 AB103 AB105", _by_zipfile(zipfile.ZIP_STORED)
    )
    yield Hostile("zip_foreign", "deflated", "AB101 AB103", _by_zipfile(zipfile.ZIP_DEFLATED))
    yield case("zip_order", "the manifest is not first", "AB101", zipped(entries()[::-1]))
    for name, content in {
        "empty": b"",
        "text": b"hello",
        "tar": bytes(257) + b"ustar",
        "pickle": pickle.dumps([1]),
        "npy": b"\x93NUMPY",
    }.items():
        yield case("no_zip_at_all", name, "AB101 AB103", content)


def _by_zipfile(method: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", method) as made:
            for entry in entries():
                made.writestr(entry.name.decode(), entry.content)

    return write


def folders() -> Iterator[Hostile]:
    """Folders that hold something else than the files of a bundle."""

    def after(change: Callable[[Path], Any]) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            folder(good())(path)
            change(path)

        return write

    def linked(name: str) -> Callable[[Path], None]:
        def change(path: Path) -> None:
            kept = path.parent / f"{path.name}-kept"
            (path / name).rename(kept)
            (path / name).symlink_to(kept)

        return change

    def bound(path: Path) -> None:
        with socket.socket(socket.AF_UNIX) as made:
            here = Path.cwd()
            os.chdir(path)  # the paths of sockets are short
            try:
                made.bind("socket")
            finally:
                os.chdir(here)

    for name in ("graph.json", "manifest.json", "arrays/0.npy", "arrays"):
        yield Hostile("folder_link", name, "AB105", after(linked(name)))
    yield Hostile("folder_link", "dangling", "AB105", after(lambda path: (path / "x").symlink_to("nowhere")))
    yield Hostile("folder_special", "fifo", "AB105", after(lambda path: os.mkfifo(path / "x")))
    yield Hostile(
        "folder_special",
        "fifo for the graph",
        "AB105",
        after(lambda path: ((path / GRAPH).unlink(), os.mkfifo(path / GRAPH))),
    )
    yield Hostile("folder_special", "socket", "AB105", after(bound))
    yield Hostile(
        "folder_special",
        "/dev/zero",
        "AB105",
        after(lambda path: ((path / GRAPH).unlink(), (path / GRAPH).symlink_to("/dev/zero"))),
    )
    for mode in (0o4644, 0o2755, 0o1644):
        yield Hostile(
            "folder_setuid", oct(mode), "AB105", after(lambda path, mode=mode: (path / GRAPH).chmod(mode))
        )
    for name in ("x", "arrays/99.npy", "numpy.py", "sitecustomize.py", "arrays/__pycache__/x.pyc"):
        yield Hostile(
            "folder_unlisted",
            name,
            "AB107",
            after(
                lambda path, name=name: (
                    (path / name).parent.mkdir(exist_ok=True),
                    (path / name).write_text("import os"),
                )
            ),
        )
    for name in good():
        if name != MANIFEST:
            yield Hostile(
                "folder_missing", name, "AB107", after(lambda path, name=name: (path / name).unlink())
            )
    yield Hostile("folder_missing", "the manifest", "AB101", after(lambda path: (path / MANIFEST).unlink()))
    yield Hostile("folder_missing", "everything", "AB101", Path.mkdir)
    yield Hostile("folder_empty_inner", "folder", "AB107", after(lambda path: (path / "inner").mkdir()))
    yield Hostile(
        "folder_deep",
        "ten levels",
        "AB104",
        after(lambda path: (path / "/".join("abcdefghij")).mkdir(parents=True)),
    )
    for name in ("graph.json", "arrays/0.npy", "examples.json", "standalone.py"):
        yield Hostile("member_changed", name, "AB108", folder({**good(), name: good()[name][:-2] + b"00"}))
        yield Hostile("member_longer", name, "AB108", folder({**good(), name: good()[name] + b"0"}))
        yield Hostile("member_shorter", name, "AB108", folder({**good(), name: good()[name][:-1]}))
    yield Hostile("sparse", "file", "AB108", after(lambda path: os.truncate(path / GRAPH, 2**33)))
    yield Hostile(
        "sparse", "zip file", "AB103", lambda path: (path.write_bytes(b"PK\3\4"), os.truncate(path, 2**34))
    )
    yield Hostile("nothing_there", "missing", "AB101", lambda path: None)
    yield Hostile("nothing_there", "dangling link", "AB101", lambda path: path.symlink_to("nowhere"))
    yield Hostile("nothing_there", "fifo", "AB101", os.mkfifo)
    yield Hostile(
        "nothing_there",
        "manifest is a folder",
        "AB101 AB107 AB104",
        after(lambda path: ((path / MANIFEST).unlink(), (path / MANIFEST).mkdir())),
    )
