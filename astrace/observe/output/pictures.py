"""Previews as pictures in a page: thumbnails as PNG in a ``data:`` URL, curves as SVG.

It takes previews and gives markup that refers to nothing outside itself.
"""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np

from astrace.observe.snapshots.previews import preview
from astrace.observe.snapshots.summaries import ArraySummary, Curve, Preview, Thumbnail

WIDTH, HEIGHT = 120, 24


def picture(value: Any) -> str:
    """The markup of a recorded value's picture; empty where it has none."""
    match value:
        case ArraySummary():
            found: Preview | None = value.preview
        case np.ndarray():
            found = preview(value)
        case _:
            return ""
    match found:
        case Thumbnail():
            return _image(found)
        case Curve():
            return _sparkline(found)
        case None:
            return ""


def _image(found: Thumbnail) -> str:
    data = base64.b64encode(png(found)).decode()
    scale = max(1, 56 // max(found.width, found.height))
    size = f'width="{found.width * scale}" height="{found.height * scale}"'
    return f'<img class="thumb" alt="thumbnail" {size} src="data:image/png;base64,{data}">'


def png(image: Thumbnail) -> bytes:
    """The bytes of a PNG file (PNG specification, third edition, section 5)."""
    kind = {1: 0, 3: 2, 4: 6}[image.channels]
    row = image.width * image.channels
    lines = b"".join(b"\0" + image.pixels[start : start + row] for start in range(0, len(image.pixels), row))
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, kind, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _sparkline(curve: Curve) -> str:
    known = [one for one in (*curve.lows, *curve.highs) if one is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    lines = "".join(_polygon(run, curve, low, high) for run in _runs(curve))
    return f'<svg class="spark" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{lines}</svg>'


def _runs(curve: Curve) -> list[list[int]]:
    """The places of neighbouring values with nothing missing in between."""
    runs: list[list[int]] = [[]]
    for index, one in enumerate(curve.lows):
        if one is None:
            runs.append([])
        else:
            runs[-1].append(index)
    return [run for run in runs if run]


def _polygon(run: list[int], curve: Curve, low: float, high: float) -> str:
    step = (WIDTH - 4) / max(len(curve.lows) - 1, 1)

    def point(index: int, value: float | None) -> str:
        share = 0.5 if value is None or high == low else _share(value, low, high)
        return f"{2 + index * step:.1f},{HEIGHT - 3 - share * (HEIGHT - 6):.1f}"

    there = [point(index, curve.highs[index]) for index in run]
    back = [point(index, curve.lows[index]) for index in reversed(run)]
    return f'<polygon points="{" ".join([*there, *back])}"/>'


def _share(value: float, low: float, high: float) -> float:
    """The place of a value between two others; halves keep the difference of large ones finite."""
    return (value / 2 - low / 2) / (high / 2 - low / 2) if high / 2 > low / 2 else 0.5
