"""The cases of ``stale_cases.txt``, loaded as modules."""

from __future__ import annotations

import itertools
import linecache
import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HEADER = re.compile(r"^=== (\w+), (\w+), (\d+): (.*)\n", re.MULTILINE)
_numbers = itertools.count()


@dataclass(frozen=True)
class Case:
    """One case: see the head of the file."""

    name: str
    trigger: str
    line: int
    title: str
    source: str

    def load(self) -> types.ModuleType:
        """A fresh module with the case's source; `first` are the arguments of the first call."""
        number = next(_numbers)
        file, name = f"<stale {self.name} {number}>", f"stale_{self.name}_{number}"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(keepends=True), file)
        module = types.ModuleType(name)
        module.__file__ = file
        module.__dict__["np"] = np
        sys.modules[name] = module
        exec(compile(self.source, file, "exec"), module.__dict__)
        return module


def first(module: types.ModuleType) -> tuple[Any, ...]:
    """The arguments of the first call."""
    return getattr(module, "A1", (np.array([1.0, 2.0, 3.0]),))


def cases() -> list[Case]:
    """All cases, controls included."""
    text = (Path(__file__).parent / "stale_cases.txt").read_text()
    parts = HEADER.split(text)[1:]
    rows = zip(*(parts[index::5] for index in range(5)), strict=True)
    return [Case(name, trigger, int(line), title, source) for name, trigger, line, title, source in rows]
