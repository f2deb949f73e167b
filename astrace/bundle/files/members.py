"""The members of a bundle: their names, and what the manifest says of each.

A name is a short relative path of plain characters that means the same on every system, in files of any kind.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from astrace.bundle.codes import broken
from astrace.bundle.limits import DEEPEST_FOLDER, LONGEST_NAME, MOST_MEMBERS

MANIFEST: Final = "manifest.json"
GRAPH: Final = "graph.json"
EXAMPLES: Final = "examples.json"
SOURCE: Final = "standalone.py"
PART: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
)
"""Names that Windows keeps for devices, whatever follows behind a dot."""


@dataclass(frozen=True, slots=True)
class Member:
    """What the manifest says of a member.

    Args:
        name: its name.
        size: its bytes.
        sha256: the hash of its content.
    """

    name: str
    size: int
    sha256: str

    @staticmethod
    def of(name: str, content: bytes) -> Member:
        """The member of a content."""
        return Member(name, len(content), hashlib.sha256(content).hexdigest())

    def check(self, content: bytes) -> None:
        """Refuse another content.

        Raises:
            BundleError: its size or its hash differs.
        """
        if len(content) != self.size:
            raise broken("AB108", f"`{self.name}` has {len(content)} bytes; the manifest says {self.size}")
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise broken("AB108", f"`{self.name}` has another hash than the manifest says")


def name_fault(name: str) -> str | None:
    """What is wrong with a member's name; None where all is well.

    Example:
        >>> name_fault("arrays/0.npy"), name_fault("../evil")
        (None, 'has a part that is no plain name')
    """
    if len(name) > LONGEST_NAME:
        return "is too long"
    parts = name.split("/")
    if len(parts) > DEEPEST_FOLDER:
        return "has too many parts"
    for part in parts:
        if not PART.fullmatch(part) or part.endswith("."):
            return "has a part that is no plain name"
        if part.split(".")[0].lower() in DEVICES:
            return "is the name of a device"
    return None


def check_names(names: Iterable[str]) -> None:
    """Refuse names that are not plain, or that are one on some system.

    Raises:
        BundleError: there are such names, or too many.
    """
    found: set[str] = set()
    folders: set[str] = set()
    for name in names:
        fault = name_fault(name)
        if fault is not None:
            raise broken("AB104", f"the name {name[:60]!r} of a member {fault}")
        folded = name.casefold()
        if folded in found:
            raise broken("AB104", f"two members have the name {name!r}, but for upper and lower case")
        found.add(folded)
        parts = folded.split("/")
        folders |= {"/".join(parts[:count]) for count in range(1, len(parts))}
        if len(found) > MOST_MEMBERS:
            raise broken("AB106", f"there are more than {MOST_MEMBERS} members")
    if not found.isdisjoint(folders):
        raise broken("AB104", "a member has the name of a folder")
