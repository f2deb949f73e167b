"""Line charts as SVG, with logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 440
LEFT, TOP, RIGHT, BOTTOM = 60, 40, 190, 50
COLOURS: Final = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"),
    *("#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"),
)


def chart(title: str, axes: tuple[str, str], lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return a chart.

    Args:
        title: stands above it.
        axes: what stands beside the axes, the horizontal one first.
        lines: points by the name of their line; all numbers are positive.

    Example:
        >>> chart("speed", ("items", "times"), {"a": [(1, 1), (100, 10)]}).startswith("<svg")
        True
    """
    points = [point for line in lines.values() for point in line]
    across = _decades([x for x, _ in points])
    up = _decades([1.0, *(y for _, y in points)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
        *_grid(across, up, axes),
    ]
    for index, (name, line) in enumerate(lines.items()):
        parts += _line(index, name, [(_x(x, across), _y(y, up)) for x, y in line])
    return "\n".join([*parts, "</svg>", ""])


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around numbers."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _x(value: float, decades: tuple[int, int]) -> float:
    return LEFT + (math.log10(value) - decades[0]) / (decades[1] - decades[0]) * (WIDTH - LEFT - RIGHT)


def _y(value: float, decades: tuple[int, int]) -> float:
    part = (math.log10(value) - decades[0]) / (decades[1] - decades[0])
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def _grid(across: tuple[int, int], up: tuple[int, int], axes: tuple[str, str]) -> list[str]:
    """The lines at powers of ten, what they stand for, and the names of the axes."""
    parts: list[str] = []
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    for power in range(across[0], across[1] + 1):
        x = _x(10.0**power, across)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{10.0**power:,.0f}</text>')
    for power in range(up[0], up[1] + 1):
        y = _y(10.0**power, up)
        colour = "#888" if power == 0 else "#ddd"
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{colour}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    middle = (TOP + bottom) / 2
    parts.append(
        f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(axes[0])}</text>'
    )
    turned = f'transform="rotate(-90 16 {middle})"'
    parts.append(f'<text x="16" y="{middle}" text-anchor="middle" {turned}>{escape(axes[1])}</text>')
    return parts


def _line(index: int, name: str, points: Sequence[tuple[float, float]]) -> list[str]:
    """A line with its points, and its name on the right."""
    colour = COLOURS[index % len(COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points]
    left, top = WIDTH - RIGHT + 14, TOP + 10 + 20 * index
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        *dots,
        f'<path d="M{left} {top}h18" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{left + 24}" y="{top + 4}">{escape(name)}</text>',
    ]
