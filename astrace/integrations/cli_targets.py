"""Targets on the command line: functions, classes, modules and files.

Takes text, gives objects.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import linecache
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from astrace.errors import AstraceError, InvalidArgument
from astrace.util.terminal import columns, excerpt_of, printable


class NoSuchTarget(InvalidArgument):
    """A target names nothing."""


class NotLoaded(AstraceError):
    """A target's module or file raises when it is loaded.

    Args:
        place: what was loaded.
        error: what it raised.
    """

    def __init__(self, place: str, error: BaseException) -> None:
        super().__init__(f"{place} could not be loaded\n{_told(error)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text alone: another process needs nothing else of the error."""
        return _not_loaded, (str(self),)


def _not_loaded(text: str) -> NotLoaded:
    made = NotLoaded.__new__(NotLoaded)
    AstraceError.__init__(made, text)
    return made


@dataclass(frozen=True, slots=True)
class Found:
    """A function that a target on the command line names.

    Args:
        value: a function, a class, a module, or what else it is.
        module: where it was found.
        owner: the class in whose body it stands, if it is a method.
        name: its name in the module; empty for the module itself.
    """

    value: Any
    module: ModuleType
    owner: type | None = None
    name: str = ""


def find(target: str) -> Found:
    """Return the object that ``pkg.mod``, ``pkg.mod:name``, ``file.py`` or ``file.py:name`` names.

    ``::`` is read as ``:``, as pytest writes it.

    Args:
        target: the text.

    Raises:
        NoSuchTarget: there is no such module, file or name.
        NotLoaded: the module or file raises.
    """
    head, colons, tail = target.partition("::")
    target = f"{head}:{tail.replace('::', '.')}" if colons else target
    place, _, name = target.rpartition(":") if _has_name(target) else (target, "", "")
    module = _file(Path(place)) if place.endswith(".py") else _module(place)
    value: Any = module
    owner: type | None = None
    for part in filter(None, name.split(".")):
        owner = value if isinstance(value, type) else None
        if not hasattr(value, part):
            raise NoSuchTarget(f"{place} has no {name!r}{_alike(value, part)}")
        value = getattr(value, part)
    return Found(value, module, owner, name)


def _alike(owner: Any, name: str) -> str:
    """A name that may have been meant."""
    near = difflib.get_close_matches(name, [one for one in dir(owner) if not one.startswith("__")], 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _has_name(target: str) -> bool:
    """Return whether a name stands behind a colon; that of a drive does not."""
    head, colon, tail = target.rpartition(":")
    return bool(colon) and len(head) > 1 and all(part.isidentifier() for part in tail.split("."))


def _module(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise NoSuchTarget(
            f"{name!r} is no target; write pkg.mod, pkg.mod:function, file.py or file.py:function"
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and (name == missing or name.startswith(f"{missing}.")):
            raise NoSuchTarget(f"no module {name!r}") from None
        raise NotLoaded(name, error) from error


def _file(path: Path) -> ModuleType:
    """A file as a module of its own name."""
    if not path.is_file():
        raise NoSuchTarget(f"no file {path}")
    name = path.stem
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        if isinstance(error, KeyboardInterrupt):
            raise
        raise NotLoaded(str(path), error) from error
    return module


def _told(error: BaseException) -> str:
    """Describe an exception in a few lines: the last line outside Python's import machinery, and the exception."""
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename is not None:
        return "\n".join(
            [f"  {error.filename}:{error.lineno or 1}: {kind}: {error.msg}", *_lines(_syntax_excerpt(error))]
        )
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen ") and Path(frame.filename) not in PLUMBING
    ]
    text = f"{kind}: {error}" if str(error) else kind
    if not frames:
        return f"  {text}"
    last = frames[-1]
    return "\n".join(
        [f"  {last.filename}:{last.lineno} in {last.name}: {text}", *_lines(_frame_excerpt(last))]
    )


def _lines(excerpt: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in excerpt]


def _syntax_excerpt(error: SyntaxError) -> Sequence[str]:
    """The line that is no Python, with carets where the parser stopped."""
    source = (error.text or "").rstrip("\n")
    text = source.strip()
    if not text:
        return ()
    start = max((error.offset or 1) - 1 - (len(source) - len(source.lstrip())), 0)
    is_one_line = error.end_lineno in (None, error.lineno)
    width = (error.end_offset or 0) - (error.offset or 1) if is_one_line else len(text) - start
    return excerpt_of(error.lineno or 1, printable(text), columns(text, start, start + width))


def _frame_excerpt(frame: traceback.FrameSummary) -> Sequence[str]:
    """The line that raised, with carets below the expression that did."""
    text, line = frame.line or "", frame.lineno or 1
    if not text or frame.colno is None or frame.end_colno is None:
        return () if not text else excerpt_of(line, printable(text), columns(text, 0, len(text)))
    source = linecache.getline(frame.filename, line)
    before, inside = (source.encode()[:at].decode(errors="replace") for at in (frame.colno, frame.end_colno))
    indent = len(source) - len(source.lstrip())
    end = len(inside) - indent if frame.end_lineno in (None, line) else len(text)
    return excerpt_of(line, printable(text), columns(text, len(before) - indent, end))


PLUMBING: Final = (Path(__file__), Path(importlib.__file__ or ""))
"""Files whose frames lie between the command and the loaded module."""
