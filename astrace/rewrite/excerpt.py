r"""The lines of one function, found in its file without parsing all of that.

Takes the lines of a file and a code object; gives the text of a module that holds the function alone, on the lines where the
file has it.  Where a function ends is guessed by indentation, and what is imported around it by the words of the file (a
method of an imported name is called by other instructions).  Whether the guess is right is for the caller to find out:
only the right lines compile to the code object that runs.  Functions in functions and lambdas are not found here, since
what they compile to depends on what is around them.
"""

from __future__ import annotations

import re
import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from astrace.locations import HEAD

GOES_ON: Final = re.compile(r"\s*([#)\]}]|$)")
"""A line of a function that may be indented less than its body: a blank one, a comment, closing brackets."""
IMPORT: Final = re.compile(r"\s*(?:from\s+[.\w]+\s+)?import\b")
IMPORTED: Final = re.compile(r"(\w+)(?:\.\w+)*(?:\s+as\s+(\w+))?")
"""A name in the text behind ``import``: it is bound, or the one behind ``as``."""
BLOCKS: Final = re.compile(r"(try|except|else|elif|if|finally|with)\b")
"""How a block at the top of a file begins whose imports are the module's."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A function with nothing beside it but imports.

    Args:
        text: blank lines, the head of a class or an ``if`` where the function is indented, the function, and imports.
        class_name: the class around the function.
        indented: whether it is in the body of a statement.
    """

    text: str
    class_name: str | None
    indented: bool


def excerpt(lines: Sequence[str], code: types.CodeType) -> Excerpt | None:
    r"""Return a function as far as its own lines tell; ``None`` for a lambda or a function in another one.

    Args:
        lines: of the whole file.
        code: what the function runs.

    Example:
        >>> lines = ["x = 1\n", "def f():\n", "    return x\n", "x = 2\n"]
        >>> module = compile("".join(lines), "f.py", "exec")
        >>> excerpt(lines, module.co_consts[1]).text
        '\ndef f():\n    return x\n\n'
    """
    *around, name = code.co_qualname.split(".")
    if name != code.co_name or not name.isidentifier() or "<locals>" in around:
        return None
    first = code.co_firstlineno - 1
    found = _lines_from(lines, first)
    class_name = around[-1] if around else None
    indented = bool(found) and found[0][:1].isspace()
    if not found or indented > first or (around and not indented):
        return None
    header = f"class {class_name}:\n" if class_name else "if True:\n"
    before = "\n" * (first - 1) + header if indented else "\n" * first
    imported = ", ".join(sorted(_imported(tuple(lines)) & _names_in(code)))
    after = f"\nimport {imported}\n" if imported else "\n"
    return Excerpt("".join([before, *found, after]), class_name, indented)


def _lines_from(lines: Sequence[str], first: int) -> Sequence[str]:
    """The lines of the function that begins on one, decorators included; none where there is no function."""
    head = next((at for at in range(first, len(lines)) if HEAD.match(lines[at])), len(lines))
    if head == len(lines):
        return ()
    depth = _indentation(lines[head])
    rest = range(head + 1, len(lines))
    end = (at for at in rest if _indentation(lines[at]) <= depth and not GOES_ON.match(lines[at]))
    return lines[first : next(end, len(lines))]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=64)
def _imported(lines: tuple[str, ...]) -> set[str]:
    """The names that a module seems to import; kept by its lines, since most files have many functions."""
    found: set[str] = set()
    for at, line in enumerate(lines):
        start = IMPORT.match(line) if "import" in line else None
        if start is not None and _is_outside(lines, at):
            found |= {name or first for first, name in IMPORTED.findall(_statement(lines, at, start.end()))}
    return found


def _statement(lines: Sequence[str], at: int, column: int) -> str:
    """The rest of a statement that may have parentheses around its end."""
    text = lines[at][column:]
    while "(" in text and ")" not in text and at + 1 < len(lines):
        at += 1
        text += lines[at]
    return text


def _is_outside(lines: Sequence[str], at: int) -> bool:
    """Return whether a line seems to be in no function and no class."""
    if not lines[at][0].isspace():
        return True
    around = (line for line in reversed(lines[:at]) if not line[0].isspace() and not GOES_ON.match(line))
    return BLOCKS.match(next(around, "")) is not None


def _names_in(code: types.CodeType) -> set[str]:
    """The names of globals and attributes that a function and those in it use."""
    inner = (_names_in(one) for one in code.co_consts if isinstance(one, types.CodeType))
    return set(code.co_names).union(*inner)
