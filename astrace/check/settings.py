"""Settings of a check: how many inputs, how long, from which seed.

Frozen settings, made from a level and what the caller overrides.  Inputs are the same at every run: the seed is
fixed unless ``None`` asks for a new one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrace.check.compilers.tolerances import Given, accepted
from astrace.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a check.

    Args:
        max_examples: how many random inputs Hypothesis may try, after the directed ones.
        directed: how many directed inputs are tried.
        changes: how many changes of the world are tried.
        deadline: the most seconds that a check should take; what is left is not tried then.
        call_deadline: the most seconds of the processor that one call may take.
        memory: the most bytes that the calls may take, where the check has a process of its own.
        process: whether it has one, where the system can give it one.
        seed: what random inputs start from; ``None`` for new ones at every run, as with a database.
        ulps: how far apart two floats may be, in units of the last place; 0 for the same to the bit.
        strict: warnings count as errors.
        accept_refused: a difference is none where a frozen graph refuses the call, since it was made for other arguments.
        database: a folder where Hypothesis keeps failing inputs, which are tried first at the next run.
        shrink: how many inputs may be tried to make a failing one smaller.
        rtol: how far apart a float and the expected one may be, in parts of that: a number, or a mapping from dtypes to
            numbers; by default none, or what another compiler needs.
        atol: likewise, absolutely.
    """

    max_examples: int = 60
    directed: int = 60
    changes: int = 40
    deadline: float = 10.0
    call_deadline: float = 5.0
    memory: int = 1 << 30
    process: bool = True
    seed: int | None = 0
    ulps: int = 0
    strict: bool = False
    accept_refused: bool = False
    database: str | None = None
    shrink: int = 200
    rtol: Given = None
    atol: Given = None

    def __post_init__(self) -> None:
        for name in ("rtol", "atol"):
            object.__setattr__(self, name, accepted(name, getattr(self, name)))
        for name, (kinds, what) in ACCEPTED.items():
            value: Any = getattr(self, name)
            fits = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
            if not fits or (name in COUNTED and (value or 0) < 0) or (name in TIMES and not value > 0):
                raise InvalidArgument(f"check: {name} is {value!r}; it must be {what}")
        if self.database is not None and Path(self.database).exists() and not Path(self.database).is_dir():
            raise InvalidArgument(f"check: database is {self.database!r}, which is no folder")


COUNTS: Final = ("max_examples", "directed", "changes", "ulps", "shrink", "memory")
COUNTED: Final = (*COUNTS, "seed")
TIMES: Final = ("deadline", "call_deadline")
ACCEPTED: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    **dict.fromkeys(COUNTS, ((int,), "a whole number of at least 0")),
    **dict.fromkeys(TIMES, ((int, float), "a number of seconds, more than 0")),
    "seed": ((int, type(None)), "a whole number of at least 0, or None"),
    **dict.fromkeys(("strict", "accept_refused", "process"), ((bool,), "True or False")),
    "database": ((str, type(None)), "the path of a folder, or None"),
}
"""For each setting the accepted types, and the accepted values in words."""


LEVELS: Final[Mapping[str, Settings]] = {
    "quick": Settings(max_examples=0, directed=30, changes=12, deadline=4.0, call_deadline=0.2, shrink=80),
    "default": Settings(),
    "thorough": Settings(
        max_examples=1000, directed=400, changes=400, deadline=300.0, call_deadline=20.0, shrink=1000
    ),
}
"""The levels of thoroughness, by name; ``quick`` is for every function of a test run: its inputs are all directed."""


def settings_for(level: Any = "default", **changes: Any) -> Settings:
    """The settings of a level, with changes.

    Args:
        level: ``quick``, ``default`` or ``thorough``.
        **changes: fields of `Settings`.

    Raises:
        InvalidArgument: there is no such level or field, or a value is not accepted.

    Example:
        >>> settings_for("quick", max_examples=3).max_examples
        3
    """
    if not isinstance(level, str) or level not in LEVELS:
        raise InvalidArgument(f"check: there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    known = {field.name for field in dataclasses.fields(Settings)}
    unknown = sorted(set(changes) - known)
    if unknown:
        raise InvalidArgument(
            f"check: there is no setting {unknown[0]!r}; the settings are {', '.join(sorted(known))}"
        )
    return dataclasses.replace(LEVELS[level], **changes)
