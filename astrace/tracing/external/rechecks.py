"""A guard checked once more in the middle of a program: which one, on what, where it is written down."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from astrace.guards.access_paths import Argument, Attribute, Derived, Item, Path, Root
from astrace.guards.kinds import Contains, Equals, HasType, Is, IsAmong, IsBuiltin, Lacks, LacksAttribute
from astrace.ir.block import Node
from astrace.tracing.recorder import Recorder

Checked: TypeAlias = Is | IsAmong | Equals | HasType | Lacks | LacksAttribute | IsBuiltin | Contains
CHECKED: Final = (Is, IsAmong, Equals, HasType, Lacks, LacksAttribute, IsBuiltin, Contains)
"""Guards that are checked once more; others are about data, which are read where the program reads them."""

Place: TypeAlias = tuple[Path, str]
"""The owner of an attribute, and the name of the attribute."""

NAMED: Final = ("__func__", "__astrace_function__")
MADE_OF: Final[Mapping[str, str]] = {"__mro__": "__bases__"}
"""Attributes that are others where those are set."""


class RuntimeObject(Argument):
    """Stands for an object that only the running program knows."""


@dataclass(slots=True, eq=False)
class Check:
    """A node that checks guards once more.

    Args:
        recorder: writes the block that it is in.
        epoch: how often opaque code had run before.
        still: tells which of the guards does not hold any more; it gets its code when the trace ends.
        place: where it is in the block.
        node: the node.
        guards: what is checked.
        names: the parameters of ``still``, by the paths of the objects.
    """

    recorder: Recorder
    epoch: int
    still: Any
    place: int = -1
    node: Node | None = None
    guards: list[Checked] = field(default_factory=list["Checked"])
    names: dict[Path, str] = field(default_factory=dict[Path, str])

    def stands(self) -> bool:
        """Return whether the node is still in its block: nodes of an abandoned attempt are removed."""
        return self.place < len(self.recorder.nodes) and self.recorder.nodes[self.place] is self.node

    def settle(self) -> None:
        """Generate the code of a check's function, which tells what the first guard that fails looks at."""
        objects: dict[str, Any] = self.still.__globals__

        def pin(value: object, _hint: str) -> str:
            objects[f"_{len(objects)}"] = value
            return f"_{len(objects) - 1}"

        def read(path: Path) -> str:
            if path in self.names:
                return self.names[path]
            return path.code(pin) if isinstance(path, Argument | Root) else path.step(read(path.owner), pin)

        tests = [f"{told(guard)!r} if not ({guard.condition(read, pin)}) else " for guard in self.guards]
        text = f"lambda {', '.join(self.names.values())}: {''.join(tests)}None"
        shown = ", ".join(dict.fromkeys(map(told, self.guards)))
        self.still.__code__ = eval(text, objects).__code__.replace(co_name="still", co_qualname=shown)
        self.still.__qualname__ = shown


def not_yet() -> types.FunctionType:
    """A function whose code is yet to come."""
    return types.FunctionType((lambda: None).__code__, {}, "looked_up_again")


def place_of(guard: Checked) -> Place | None:
    """Return the attribute that a guard looks at: a global is one of its module, the class one of its instances."""
    match guard:
        case LacksAttribute():
            return guard.path, guard.expected
        case IsBuiltin():
            return guard.path, guard.name
        case HasType():
            return guard.path, "__class__"
        case Lacks() | Contains():
            return (guard.path, guard.expected) if isinstance(guard.expected, str) else None
        case _:
            return _place_at(guard.path)


def _place_at(path: Path) -> Place | None:
    match path:
        case Attribute(Attribute() as bound, name) if name in NAMED:
            return _place_at(bound)
        case Item(Attribute(owner, "__dict__"), str() as name):
            return owner, name
        case Item(Attribute(owner, "__defaults__" | "__kwdefaults__" as name), _):
            return owner, name
        case Attribute(owner, name):
            return owner, MADE_OF.get(name, name)
        case Item(owner, str() as name):
            return owner, name
        case Derived():
            return _place_at(path.owner) or (path.owner, path.name)
        case _:
            return None


def told(guard: Checked) -> str:
    """Name what a guard looks at, for people."""
    place = place_of(guard)
    return str(guard.path) if place is None else f"{place[1]} of {place[0]}"
