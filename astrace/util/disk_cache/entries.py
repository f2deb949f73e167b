"""One entry of the cache as the bytes of a file: a header that tells what it is, and the payload.

========  ======================================================
8 bytes   ``astrace`` and the version of this format
32        the key
8         the length of the payload
32        the SHA-256 of all the rest
========  ======================================================
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any, Final

MAGIC: Final = b"astrace\x01"
HEADER: Final = struct.Struct(f"<{len(MAGIC)}s32sQ32s")
FIRST: Final = HEADER.size - hashlib.sha256().digest_size
"""The bytes of the header before the checksum."""


class Corrupt(Exception):
    """The bytes of a file are not those that were written for a key."""


def key_of(*parts: Any) -> bytes:
    """Return the key of an entry: the hash of all that it depends on.

    Args:
        parts: data as JSON has it; what differs in them has another key.

    Example:
        >>> key_of("a", ["b"]) == key_of("a", ["b"])
        True
        >>> key_of("a", "b") == key_of("ab")
        False
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()


def pack(key: bytes, payload: bytes) -> bytes:
    """Return the bytes of the file of an entry.

    Args:
        key: as `key_of` makes it.
        payload: what is kept.
    """
    first = HEADER.pack(MAGIC, key, len(payload), b"")[:FIRST]
    return first + _checksum(first, payload) + payload


def unpack(key: bytes, data: bytes) -> bytes:
    """Return the payload of an entry.

    Args:
        key: that it was looked for with.
        data: all bytes of its file.

    Raises:
        Corrupt: these are not the bytes that were written for this key.

    Example:
        >>> key = key_of("what", 1)
        >>> unpack(key, pack(key, b"payload"))
        b'payload'
    """
    if len(data) < HEADER.size:
        raise Corrupt("it is cut off")
    magic, own, length, checksum = HEADER.unpack_from(data)
    payload = data[HEADER.size :]
    if magic != MAGIC:
        raise Corrupt("it is of another format")
    if own != key:
        raise Corrupt("it is of another key")
    if length != len(payload):
        raise Corrupt("it is cut off")
    if checksum != _checksum(data[:FIRST], payload):
        raise Corrupt("it is with changed bytes")
    return payload


def _checksum(first: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(first + payload).digest()
