"""``%load_ext astrace`` and the cell magic ``%%astrace``: what became of the compiled functions that a cell calls.

The cell runs as it would by itself, within a recording; then the outcome is shown as a table, with the reasons, and with the source
and the gutter of each function below it.  IPython calls this module; astrace does not need IPython.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from astrace.errors import InvalidArgument
from astrace.report.page import part
from astrace.report.recording import RunRecording, recording
from astrace.report.records import FunctionRecord, RunRecord
from astrace.util.atomic_files import check_writable
from astrace.util.html_tables import text_part
from astrace.util.terminal import counted

USAGE: Final = "accepted are -c (compile the functions of the cell), --lines, --save FILE"
WORD: Final = re.compile(r"\S+")
COMPILE: Final = '__import__("astrace").compile'
"""The decorator that functions of a cell get."""


def load_ipython_extension(shell: Any) -> None:
    """Add ``%%astrace`` to an IPython shell; called by ``%load_ext astrace``.

    Args:
        shell: the shell.
    """
    magic = AstraceMagic(shell)
    shell.register_magic_function(magic, "cell", "astrace")


class AstraceMagic:
    """``%%astrace [-c] [--lines] [--save FILE]``: run a cell and show what became of its compiled functions.

    Args:
        shell: where it runs.
    """

    __name__ = "astrace"

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def __call__(self, line: str, cell: str) -> CellOutcome | None:
        """Run a cell.

        Args:
            line: the options.
            cell: the code.

        Raises:
            UsageError: an option is not accepted; IPython shows it as one line.
        """
        try:
            compiles, lines, path = _options(line)
        except InvalidArgument as error:
            raise _usage_error(error) from None
        transformers, added = self._shell.ast_transformers, CompileFunctions()
        if compiles:
            transformers.append(added)
        try:
            with recording("this cell", lines=lines) as run:
                done = self._shell.run_cell(cell)
                error = done.error_before_exec or done.error_in_exec
                if error is not None:  # it has been shown
                    run.failed(error)
        finally:
            if compiles:
                transformers.remove(added)
        if path is not None:
            run.save(path)
        return CellOutcome(run)


def _usage_error(error: InvalidArgument) -> Exception:
    """Return the error that IPython shows without a traceback; its class is known once a shell calls."""
    from IPython.core.error import UsageError

    return UsageError(error.message)


def _options(line: str) -> tuple[bool, bool, Path | None]:
    """Read the words behind the magic's name.

    Raises:
        InvalidArgument: one of them is not accepted.
    """
    words = WORD.findall(line)
    path = None
    if "--save" in words:
        at = words.index("--save")
        if at + 1 == len(words):
            raise InvalidArgument(f"%%astrace: --save without a file; {USAGE}")
        path = Path(words[at + 1])
        check_writable(path)  # before the cell is run
        del words[at : at + 2]
    for word in words:
        if word not in ("-c", "--lines"):
            raise InvalidArgument(f"%%astrace: {word!r}; {USAGE}")
    return "-c" in words, "--lines" in words, path


class CompileFunctions(ast.NodeTransformer):
    """Puts `astrace.compile` in front of the functions of a cell that have no decorator."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Decorate a function; those inside it are its own."""
        if not node.decorator_list:
            decorator = ast.parse(COMPILE, mode="eval").body
            for one in ast.walk(decorator):  # on the line of the `def`, where the function begins
                ast.copy_location(one, node)
            node.decorator_list.append(decorator)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Leave a class as it is."""
        return node


class CellOutcome:
    """What became of a cell; shows itself.

    Args:
        run: what was recorded of it.
    """

    def __init__(self, run: RunRecording) -> None:
        self.run = run

    @property
    def record(self) -> RunRecord:
        """What was recorded, as data."""
        return self.run.report()

    def __repr__(self) -> str:
        return "\n".join(_lines(self.record))

    def _repr_html_(self) -> str:
        texts = [(f"{one.name}: what became of each line", _gutter(one)) for one in self.record.functions]
        reasons = "\n".join(_reasons(self.record)) if texts else NOTHING
        shown = text_part("", [("", reasons)]) if reasons else ""
        return part(self.record) + shown + text_part("", texts)


NOTHING: Final = "no compiled function was called; `%%astrace -c` compiles those that the cell defines"


def _lines(record: RunRecord) -> Iterator[str]:
    if not record.functions:
        yield NOTHING
    for one in record.functions:
        took = "" if one.timing is None else f", {one.timing.total:.4f} s"
        yield f"{one.name}: {one.state}; {counted(one.calls, 'call')}, {counted(one.traces, 'capture')}{took}"
    yield from _reasons(record)


def _reasons(record: RunRecord) -> Iterator[str]:
    """Yield why functions are plain Python, and why they were captured again."""
    for one in record.functions:
        for capture in one.captures:
            reason = capture.fallback
            if reason is not None:
                hint = f" (hint: {reason.hint})" if reason.hint else ""
                yield f"{one.name}, line {reason.line}: {reason.code}: {reason.message}{hint}"
            new = capture.failed if capture.seconds is not None else ()
            yield from (f"{one.name} was captured again: {failed.message}" for failed in new)


def _gutter(record: FunctionRecord) -> str:
    """The source of a function with the codes of its last capture, and the graph of that."""
    notes: dict[int, list[str]] = {}
    last = record.captures[-1:]
    for capture in last:
        for one in (*capture.notes, *capture.left, *filter(None, [capture.fallback])):
            notes.setdefault(one.line, []).append(one.code)
    shown: list[str] = []
    for number, piece in enumerate(record.source):
        # A piece behind the first is a helper, whose lines are in the graph.
        shown += [f"{'':>12} |      | {piece.title}:"] if number else []
        shown += [
            f"{' '.join(dict.fromkeys(notes.get(line, []))):>12} | {line:>4} | {text}"
            for line, text in enumerate(piece.lines, piece.first)
        ]
    return "\n".join([*shown, *(f"\n{chr(10).join(one.graph.lines)}" for one in last if one.graph.lines)])
