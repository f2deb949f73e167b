"""Bytes from outside are data: a loop over them is one node, and other bytes need no other capture."""

import numpy as np

POLYNOMIAL = 0xEDB88320
MAGIC = b"AT"


def table():
    entries = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ POLYNOMIAL if n & 1 else n >> 1
        entries.append(n)
    return entries


def checksum(data):
    entries, crc = table(), 0xFFFFFFFF
    for byte in data:
        crc = entries[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def f(data, start):
    counts = np.zeros(256, int)
    np.add.at(counts, np.frombuffer(data, dtype=np.uint8), 1)
    pairs = [(i, a ^ b) for i, (a, b) in enumerate(zip(data, reversed(data)))]
    words = [int.from_bytes(data[i : i + 2], "little") for i in range(start, len(data) - 1, 2)]
    first = data[0] if data else -1
    is_ours = data[:2] == MAGIC
    named = {b"AT": "ours"}.get(data[:2], "theirs")
    largest = max(data, default=0)
    return checksum(data), counts[65], pairs, words, first, is_ours, named, data[::-1], data.hex(), largest


CALLS = [(b"AT\x00\x01\xff", 2), (b"", 0), (b"x", 0), (bytes(range(70)), 1), (bytearray(b"ATA"), 0)]


def noise(rng):
    return bytes(rng.integers(0, 256, rng.integers(0, 9), dtype=np.uint8)), int(rng.integers(0, 4))
