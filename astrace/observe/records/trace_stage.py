"""`TraceStage`: the calls of one stage, in the order in which they began."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from astrace.observe.output.html import stage_html
from astrace.observe.records.lookup import NamedParts, numbered, unknown
from astrace.observe.records.trace_call import TraceCall
from astrace.observe.snapshots.text import duration_text
from astrace.util import validation
from astrace.util.terminal import printable

DEFAULT_STAGES: Final = (
    "dataset_getter",
    "resolve_data",
    "field_level_collation",
    "collate",
    "prepare_inputs",
    "evaluation",
)
"""The stages that every trace has, in the order in which data flows; others come after them."""
MOST_SHOWN: Final = 50
"""The number of calls of a stage that are printed."""
NUMBER: Final = re.compile("-?[0-9]+")


class TraceStage(NamedParts):
    """The calls of a stage.

    ``stage[0]`` is a call, ``stage[1:3]`` and ``stage["Model.forward"]`` lists of calls; a name may be the short one
    (``forward``), or have ``__`` for the dot, as in ``stage.Model__forward``.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[TraceCall] = []

    def keys(self) -> tuple[str, ...]:
        """The names of the functions that were called, with ``__`` for dots."""
        return tuple(dict.fromkeys(_identifier(call.name) for call in list(self.calls)))

    def __getitem__(self, key: int | str | slice) -> Any:
        """A call by number (``"0"``, too), or calls by slice or name.

        Raises:
            NotInTrace: there is no call of that name.
            IndexError: there are not so many calls.
        """
        if isinstance(key, slice):
            return self.calls[key]
        if validation.is_whole(key) or (isinstance(key, str) and NUMBER.fullmatch(key)):
            return numbered(f"the stage {self.name!r}", self.calls, int(key))
        found = [call for call in self.calls if key in (call.name, call.function, _identifier(call.name))]
        if not found:
            raise unknown(f"the stage {self.name!r}", key, self.keys())
        return found

    def __iter__(self) -> Iterator[TraceCall]:
        return iter(self.calls)

    def __len__(self) -> int:
        return len(self.calls)

    @property
    def duration_ns(self) -> int:
        """The time of those calls that are in no other call of the stage."""
        here = {id(call) for call in self.calls}
        return sum(call.duration_ns or 0 for call in self.calls if id(call.parent) not in here)

    def _repr_html_(self) -> str:
        return stage_html(self)

    def header(self) -> str:
        """The stage in one line."""
        count = len(self.calls)
        return printable(f"{self.name}: {count} call{'s' * (count != 1)}, {duration_text(self.duration_ns)}")

    def __str__(self) -> str:
        lines = [self.header()]
        for number, call in enumerate(self.calls[:MOST_SHOWN]):
            first, *rest = str(call).split("\n")
            lines += [f"  {number:>3} {first}", *(f"      {line}" for line in rest)]
        if len(self.calls) > MOST_SHOWN:
            lines.append(f"  … {len(self.calls) - MOST_SHOWN} more")
        return "\n".join(lines)


def _identifier(name: str) -> str:
    return name.replace(".", "__")
