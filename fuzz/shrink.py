"""Making a program short that shows a difference: statements are left out as long as it still shows one."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def shrunk(source: str, body: str, differs: Callable[[str], list[str]]) -> str:
    """A shorter program that still differs, in the same way as far as the message begins alike.

    Args:
        source: the program.
        body: where the part begins that may be changed.
        differs: tells what differs for a program.
    """
    first = source[: source.index(body)].count("\n")
    lines = source.splitlines()
    known = _sort(differs(source))
    size = len(lines)
    while True:
        for shorter in _shorter(lines, first):
            if known and _sort(differs("\n".join(shorter) + "\n")) == known:
                lines = shorter
                break
        else:
            return "\n".join(lines) + "\n"
        assert len(lines) <= size


def _sort(found: list[str]) -> str:
    """Return the kind of a difference."""
    return " ".join(found[0].split(": ", 1)[-1].split()[:1]) if found else ""


def _shorter(lines: list[str], first: int) -> Iterator[list[str]]:
    """The program without one statement, or with the inside of one in its place."""
    for start in range(len(lines) - 1, first, -1):
        text = lines[start].strip()
        if not text or text.startswith(("def f(", "else", "except", "finally")):
            continue
        end = start + 1
        while end < len(lines) and _depth(lines[end]) > _depth(lines[start]):
            end += 1
        if text.endswith(":") and not text.startswith("def "):
            inside = [line[4:] for line in lines[start + 1 : end]]
            tail = _clauses(lines, end, _depth(lines[start]))
            yield [*lines[:start], *inside, *lines[tail:]]
            yield [*lines[:start], *lines[tail:]]
        else:
            yield [*lines[:start], *lines[end:]]
            if end == start + 1:
                yield (
                    [*lines[:start], "    " * _depth(lines[start]) + "pass", *lines[end:]]
                    if text != "pass"
                    else lines[:0]
                )


def _clauses(lines: list[str], end: int, depth: int) -> int:
    """Return the ends of the clauses that belong to a statement: ``else``, ``except``, ``finally``."""
    while (
        end < len(lines)
        and _depth(lines[end]) == depth
        and lines[end].strip().startswith(("else", "except", "finally"))
    ):
        end += 1
        while end < len(lines) and _depth(lines[end]) > depth:
            end += 1
    return end


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip())) // 4 if line.strip() else 0
