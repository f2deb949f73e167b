"""A bundle as one zip file: written in one way, and read with checks of our own.

Nothing is compressed.  The file is the members one after another, the directory, and its end record, with no byte
between or around them; a reader that goes by the directory and one that goes by the members see the same.  Anything
else that zip files may have (compression, encryption, extra fields, comments, links, 64-bit records) is refused.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from astrace.bundle.codes import broken, refused
from astrace.bundle.files.members import check_names
from astrace.bundle.limits import LARGEST_ZIP, LONGEST_NAME, MOST_MEMBERS

LOCAL: Final = struct.Struct("<4s5H3I2H")
ENTRY: Final = struct.Struct("<4s6H3I5H2I")
END: Final = struct.Struct("<4s4H2IH")
LOCAL_MARK, ENTRY_MARK, END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
VERSION: Final = 20
MADE_BY: Final = 3 << 8 | VERSION
"""Unix, so that the mode of files is told."""
DATE: Final = (1 << 5) | 1
"""The first of January 1980, the earliest date that there is."""
MODE: Final = 0o100644 << 16
MAGIC: Final = LOCAL_MARK


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """A member of a zip file.

    Args:
        name: its name.
        start: where its content begins.
        size: the bytes of its content.
        crc: the checksum of its content.
    """

    name: str
    start: int
    size: int
    crc: int


def pack(contents: Mapping[str, bytes]) -> Iterator[bytes]:
    """The pieces of a zip file.

    Args:
        contents: the members in the order in which they are written.

    Raises:
        BundleError: it would be too large.
    """
    total = sum(len(content) + 2 * len(name) + LOCAL.size + ENTRY.size for name, content in contents.items())
    if total + END.size > LARGEST_ZIP or len(contents) > MOST_MEMBERS:
        hint = "save it as a folder: give a path that does not end with .zip or .astrace"
        raise refused("AB205", f"the bundle has {total} bytes, too many for a zip file", hint)
    offset, directory = 0, b""
    for name, content in contents.items():
        encoded, crc, size = name.encode("ascii"), zlib.crc32(content), len(content)
        common = (VERSION, 0, 0, 0, DATE, crc, size, size, len(encoded), 0)
        local = LOCAL.pack(LOCAL_MARK, *common) + encoded
        directory += ENTRY.pack(ENTRY_MARK, MADE_BY, *common, 0, 0, 0, MODE, offset) + encoded
        yield local
        yield content
        offset += len(local) + size
    count = len(contents)
    yield directory
    yield END.pack(END_MARK, 0, 0, count, count, len(directory), offset, 0)


Read = Callable[[int, int], bytes]
"""Gives the bytes of a file from a place on, as many as there are up to a number."""


def entries_of(read: Read, total: int) -> dict[str, ZipEntry]:
    """The members of a zip file, by name; no content is read.

    Args:
        read: reads the file.
        total: how many bytes it has.

    Raises:
        BundleError: it is no zip file as `pack` writes them.
    """
    start, count = _end(read, total)
    directory = read(start, total - END.size - start)
    found: dict[str, ZipEntry] = {}
    place, position = 0, 0
    for _ in range(count):
        place, entry = _entry(directory, place, position)
        _check_local(read, entry, start)
        position = entry.start + entry.size
        if entry.name in found:
            raise broken("AB104", f"two members have the name {entry.name!r}")
        found[entry.name] = entry
    if place != len(directory) or position != start:
        raise broken("AB103", "there are bytes that belong to no member of the zip file")
    check_names(found)
    return found


def _end(read: Read, total: int) -> tuple[int, int]:
    """Return where the directory begins, and how many members it lists."""
    if not END.size <= total <= LARGEST_ZIP:
        raise broken("AB103", "the file is too short or too long for a zip file of a bundle")
    mark, disk, first, here, count, size, start, comment = END.unpack(read(total - END.size, END.size))
    if mark != END_MARK or comment:
        raise broken(
            "AB103",
            "the file is truncated or damaged: the end of a zip file, as astrace writes it, is not there",
        )
    if disk or first or here != count or start + size != total - END.size:
        raise broken("AB103", "the end record of the zip file does not fit the file")
    if count > MOST_MEMBERS or size > count * (ENTRY.size + LONGEST_NAME):
        raise broken("AB106", f"the zip file lists {count} members in {size} bytes")
    return start, count


def _entry(directory: bytes, place: int, position: int) -> tuple[int, ZipEntry]:
    """Return the next place in the directory, and the member that begins at a position."""
    if place + ENTRY.size > len(directory):
        raise broken("AB103", "the directory of the zip file is cut off")
    mark, made_by, *fields = ENTRY.unpack(directory[place : place + ENTRY.size])
    common, (comment, disk, internal, mode, offset) = fields[:10], fields[10:]
    version, flags, method, time, date, crc, packed, size, length, extra = common
    name = _name(directory[place + ENTRY.size : place + ENTRY.size + length], length)
    if mark != ENTRY_MARK or made_by != MADE_BY or version != VERSION or (time, date) != (0, DATE):
        raise broken("AB103", f"the entry of {name[:60]!r} is not one that astrace writes")
    if flags:
        raise broken("AB103", f"the member {name[:60]!r} is encrypted, or has other flags ({flags:#x})")
    if method or packed != size:
        raise broken("AB103", f"the member {name[:60]!r} is compressed (method {method})")
    if extra or comment or disk or internal:
        raise broken("AB103", f"the member {name[:60]!r} has extra fields or a comment")
    if mode != MODE:
        raise broken("AB105", f"the member {name[:60]!r} is no regular file with plain permissions")
    if offset != position:
        raise broken("AB103", f"the member {name[:60]!r} overlaps another one, or there is a gap before it")
    return place + ENTRY.size + length, ZipEntry(name, offset + LOCAL.size + length, size, crc)


def _check_local(read: Read, entry: ZipEntry, most: int) -> None:
    """Refuse a member that says other things of itself than the directory does, or that is cut off."""
    encoded = entry.name.encode("ascii")
    common = (VERSION, 0, 0, 0, DATE, entry.crc, entry.size, entry.size, len(encoded), 0)
    local = LOCAL.pack(LOCAL_MARK, *common) + encoded
    if read(entry.start - len(local), len(local)) != local:
        raise broken("AB103", f"the member {entry.name[:60]!r} is described in two ways")
    if entry.start + entry.size > most:
        raise broken("AB103", f"the member {entry.name[:60]!r} is cut off")


def _name(encoded: bytes, length: int) -> str:
    if length > LONGEST_NAME or length != len(encoded):
        raise broken("AB104", f"a member has a name of {length} bytes")
    try:
        return encoded.decode("ascii")
    except UnicodeDecodeError:
        raise broken("AB104", "a member has a name that is not ASCII") from None
