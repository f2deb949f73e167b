"""The pictures of `how-it-works.md`, drawn as SVG from what astrace makes of a small function.

    python docs/pictures.py       # write docs/pictures/*.svg

Every text in `stages.svg` and every node in `graph.svg` is that of a real capture; each user line has one colour in all
of them.  `tests/test_pictures.py` fails where the files are not what this script draws.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import astrace

PICTURES = Path(__file__).parent / "pictures"
COLOURS = ("#5b6472", "#0b6e4f", "#b3541e", "#1f5fa8", "#8a2d6b", "#6b6b00")
"""Of the user's lines, in turn."""
INK, EDGE, PAPER, SHADE = "#1c2430", "#8b95a5", "#ffffff", "#f3f5f8"
SHADES = ("#ffffff", "#eef4fb", "#dde9f7", "#eef4fb", "#ffffff")
LINE, CHARACTER, PAD = 17, 7.25, 12
MARK = re.compile(r"\s*#@(\d+)\s*$")


def clipped(x: Any, limit: float) -> Any:
    """What the pictures show."""
    i = 0
    while i < len(x):
        if x[i] > limit:  # noqa: PLR1730 - the picture shows a branch
            x[i] = limit
        i += 1
    return x


@dataclass(frozen=True)
class Pane:
    """A box with a title and lines of text, each with its colour."""

    title: str
    lines: Sequence[tuple[str, str]]
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        """The width of its box."""
        return max(len(text) for text, _ in (*self.lines, (self.title, ""))) * CHARACTER + 2 * PAD

    @property
    def height(self) -> float:
        """The height of its box."""
        return (len(self.lines) + 1) * LINE + 2 * PAD

    def drawn(self) -> Iterator[str]:
        """The box, and its text."""
        yield box(self.x, self.y, self.width, self.height, PAPER)
        yield words(self.x + PAD, self.y + PAD + 10, self.title, INK, "bold")
        for number, (text, colour) in enumerate(self.lines, 1):
            yield words(self.x + PAD, self.y + PAD + 12 + number * LINE, text, colour)


# -- SVG ---------------------------------------------------------------------------------------------------


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A rectangle with round corners."""
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {size} rx="7" fill="{fill}" stroke="{EDGE}"/>'


def words(
    x: float, y: float, text: str, colour: str = INK, weight: str = "normal", anchor: str = "start"
) -> str:
    """A line of text."""
    place = f'x="{x:g}" y="{y:g}" fill="{colour}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text {place} xml:space="preserve">{html.escape(text)}</text>'


def arrow(points: Iterable[tuple[float, float]], label: str = "") -> str:
    """A line through points, with a head, and a label at its middle."""
    found = list(points)
    path = " ".join(f"{x:g},{y:g}" for x, y in found)
    (x, y), (x_1, y_1) = found[len(found) // 2 - 1], found[len(found) // 2]
    shift = (-8, -7) if y == y_1 else (6, 4)
    told = words((x + x_1) / 2 + shift[0], (y + y_1) / 2 + shift[1], label, EDGE) if label else ""
    return f'<polyline points="{path}" fill="none" stroke="{INK}" marker-end="url(#head)"/>{told}'


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole file."""
    head = '<marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z"/></marker>'
    font = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12"'
    size = f'viewBox="0 0 {width:g} {height:g}" role="img"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>'
    title = f"<title>{html.escape(title)}</title><defs>{head}</defs>"
    ground = f'<rect width="{width:g}" height="{height:g}" fill="{SHADE}"/>'
    return "\n".join((start, title, ground, *parts, "</svg>\n"))


# -- the stages --------------------------------------------------------------------------------------------


def coloured(text: str) -> list[tuple[str, str]]:
    """The lines of a stage without their marks, each in the colour of the user's line that it came from."""
    found: list[tuple[str, str]] = []
    for line in text.strip("\n").splitlines():
        mark = MARK.search(line)
        colour = COLOURS[int(mark[1]) % len(COLOURS)] if mark else INK
        found.append((MARK.sub("", line).rstrip(), colour))
    return found


def source_of(function: Any) -> str:
    """The source of a function with marks, without hints and documentation."""
    lines, first = inspect.getsourcelines(function)
    lines = [re.sub(r": (Any|float)\b| -> Any|  # noqa.*", "", line) for line in map(str.rstrip, lines)]
    return "\n".join(f"{line}  #@{number}" for number, line in enumerate(lines, first) if '"""' not in line)


def stages() -> str:
    """The source, what it is rewritten to, what is recorded, the graph, the code."""
    found = astrace.compile(clipped, backend="numpy").stages(np.arange(4.0), 1.0)
    rewritten = re.sub(r': (?:Any|"Any"|float)| -> Any', "", found.rewritten.source)
    rewritten = "\n".join(line for line in rewritten.splitlines() if '"""' not in line)
    left = [
        Pane("1  your source", coloured(source_of(clipped))),
        Pane("3  recorded: one run over tracers", coloured(str(found.recording.block))),
        Pane("5  code that is run", coloured(found.executable.source)),
    ]
    right = [
        Pane("2  rewritten: control flow as calls", coloured(rewritten)),
        Pane("4  the graph, after the passes", coloured(str(found.graph))),
    ]
    column = 20 + max(pane.width for pane in left) + 60
    width = column + max(pane.width for pane in right) + 20
    tops = [20.0]
    for one, other in zip(left, (*right, left[2]), strict=True):
        tops.append(tops[-1] + max(one.height, other.height) + 46)
    left = [Pane(one.title, one.lines, 20, top) for one, top in zip(left, tops, strict=False)]
    right = [Pane(one.title, one.lines, column, top) for one, top in zip(right, tops, strict=False)]
    parts = [text for pane in (*left, *right) for text in pane.drawn()]
    parts += [arrow([(20 + one.width, one.y + 50), (column, one.y + 50)]) for one in left[:2]]
    for one, other in zip(right, left[1:], strict=True):
        middle, turn = column + 60, one.y + one.height + 23
        end = 20 + min(other.width, 160) / 2
        parts.append(arrow([(middle, one.y + one.height), (middle, turn), (end, turn), (end, other.y)]))
    return picture(width, tops[-1] - 26, "One function through every stage", parts)


# -- a call ------------------------------------------------------------------------------------------------


def call() -> str:
    """What happens at a call."""
    boxes = {
        "call": (30, 30, 190, "f(x, limit)", "you call the function"),
        "guards": (30, 130, 190, "guards hold?", "types, flags, globals"),
        "code": (30, 250, 190, "run the code", "reads numbers afresh"),
        "trace": (330, 130, 210, "rewrite and trace", "nothing is run for real"),
        "whole": (330, 250, 210, "captured?", "else: a reason code"),
        "plain": (640, 250, 210, "plain Python", "your function, untouched"),
    }
    parts: list[str] = []
    for name, (x, y, width, title, note) in boxes.items():
        parts.append(box(x, y, width, 58, "#e7f3ee" if name in ("code", "plain") else PAPER))
        parts.append(words(x + width / 2, y + 25, title, INK, "bold", "middle"))
        parts.append(words(x + width / 2, y + 44, note, EDGE, anchor="middle"))
    parts += [
        arrow([(125, 88), (125, 130)]),
        arrow([(125, 188), (125, 250)], "yes"),
        arrow([(220, 159), (330, 159)], "no"),
        arrow([(435, 188), (435, 250)]),
        arrow([(330, 279), (220, 279)], "yes"),
        arrow([(540, 279), (640, 279)], "no"),
    ]
    return picture(880, 335, "What happens at a call", parts)


# -- the graph ---------------------------------------------------------------------------------------------


def graph() -> str:
    """The graph as nested boxes: a loop holds its test and its body."""
    text = str(astrace.compile(clipped, backend="numpy").stages(np.arange(4.0), 1.0).graph)
    lines = [(text, colour) for text, colour in coloured(text) if "guards:" not in text and text.strip()]
    width = max(len(text) for text, _ in lines) * CHARACTER + 130
    boxes: list[str] = []
    texts: list[str] = []
    opened: list[tuple[int, float]] = []
    top = 20.0
    for text, colour in (*lines, ("", INK)):
        depth = (len(text) - len(text.lstrip())) // 2
        while opened and opened[-1][0] >= depth:  # the inner ones first, each with room for its lower edge
            level, start = opened.pop()
            boxes.append(box(20 + level * 22, start, width - level * 36, top - start, SHADES[level]))
            top += 8
        if is_box := text.endswith(":"):
            opened.append((depth, top))
        texts.append(words(32 + depth * 22, top + 18, text.strip(), colour, "bold" if is_box else "normal"))
        top += 26
    return picture(
        width + 40,
        top - 14,
        "The graph: a loop is one node that holds its test and its body",
        (*boxes[::-1], *texts),
    )


DRAWN = {"stages": stages, "call": call, "graph": graph}


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, draw in DRAWN.items():
        (PICTURES / f"{name}.svg").write_text(draw())


if __name__ == "__main__":
    main()
