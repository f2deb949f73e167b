"""The manifest: what a bundle is, what is in it, and what it needs; ``manifest.json``.

Takes and gives plain data.  The manifest is sealed by a hash of itself, so that a changed byte is noticed here as well
as in any other member.  It is for people and for checks: the truth about the program is ``graph.json``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codes import broken
from astrace.bundle.files.members import GRAPH, MANIFEST, SOURCE, Member, check_names
from astrace.bundle.limits import LARGEST_MANIFEST

FORMAT: Final = "astrace-bundle"
VERSION: Final = 1
"""The version of the format; a bundle of a later one is refused."""
HASH: Final = re.compile(r"[0-9a-f]{64}")
TEXTS: Final = ("name", "signature", "standalone")
VERSIONS: Final = frozenset({"astrace", "numpy", "python"})
LISTS: Final = ("required_operators", "assets", "fixed_reads", "taken_for_granted")
FIELDS: Final = frozenset({"format", "format_version", "versions", "members", "seal", *TEXTS, *LISTS})


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says.

    Args:
        name: the name of the function.
        signature: its signature, as Python writes it.
        members: the members by name, all but the manifest.
        versions: of astrace, Python and NumPy where the bundle was made.
        required_operators: what a loading program has to pass; each has a ``name``.
        assets: files that operators were made from; each has a ``member``.
        fixed_reads: what was read from outside and is fixed in the graph, and where it came from.
        taken_for_granted: what the capture took for granted of the world outside.
        standalone: the member with the program over NumPy alone, or why there is none.
    """

    name: str
    signature: str
    members: Mapping[str, Member]
    versions: Mapping[str, str]
    required_operators: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    assets: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    fixed_reads: list[Any] = field(default_factory=list[Any])
    taken_for_granted: list[Any] = field(default_factory=list[Any])
    standalone: str = ""

    def content(self) -> bytes:
        """The text of the manifest."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "format_version": VERSION,
            "versions": dict(self.versions),
            "members": {one.name: [one.size, one.sha256] for one in self.members.values()},
        }
        data |= {name: getattr(self, name) for name in (*TEXTS, *LISTS)}
        return dumps(data | {"seal": _seal(data)})


def _seal(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(dumps({name: value for name, value in data.items() if name != "seal"})).hexdigest()


def manifest_of(content: bytes) -> Manifest:
    """The manifest of a text.

    Raises:
        BundleError: it is none, or one of a later version.
    """
    data = loads(content, MANIFEST, LARGEST_MANIFEST)
    if type(data) is not dict or data.get("format") != FORMAT:
        raise broken("AB110", "`manifest.json` is not that of a bundle of astrace")
    version = data.get("format_version")
    if type(version) is not int or version != VERSION:
        hint = "update astrace" if type(version) is int and version > VERSION else "the bundle is damaged"
        raise broken(
            "AB102", f"the bundle has the format version {version!r:.40}; this astrace reads {VERSION}", hint
        )
    if data.keys() != FIELDS:
        raise broken("AB110", "`manifest.json` has unknown or missing fields")
    if data["seal"] != _seal(data):
        raise broken("AB108", "`manifest.json` was changed: its seal is another one")
    if not all(type(data[name]) is str for name in TEXTS) or not all(
        type(data[name]) is list for name in LISTS
    ):
        raise broken("AB110", "`manifest.json` has a field of another kind")
    _check_told(data)
    return Manifest(
        members=_members(data["members"]),
        versions=_texts(data["versions"]),
        required_operators=_named(data["required_operators"], "name"),
        assets=_named(data["assets"], "member"),
        **{name: data[name] for name in (*TEXTS, "fixed_reads", "taken_for_granted")},
    )


def _members(data: Any) -> dict[str, Member]:
    if type(data) is not dict:
        raise broken("AB110", "the members of `manifest.json` are no object")
    check_names([*data, MANIFEST])
    found: dict[str, Member] = {}
    for name, row in data.items():
        match row:
            case [int() as size, str() as digest] if (
                type(size) is int and 0 <= size < 2**62 and HASH.fullmatch(digest)
            ):
                found[name] = Member(name, size, digest)
            case _:
                raise broken("AB110", f"the member `{name}` is not described as members are")
    if GRAPH not in found:
        raise broken("AB107", f"there is no `{GRAPH}`")
    return found


def _texts(data: Any) -> dict[str, str]:
    if (
        type(data) is not dict
        or data.keys() != VERSIONS
        or not all(type(one) is str for one in data.values())
    ):
        raise broken("AB110", "the versions of `manifest.json` are not those of astrace, NumPy and Python")
    return data


def _check_told(data: Mapping[str, Any]) -> None:
    """Refuse what is told of reads, of what is taken for granted and of the standalone program, where it is no such thing.

    Raises:
        BundleError: it is none.
    """
    for row in data["fixed_reads"]:
        match row:
            case [str(), str() | None]:
                pass
            case _:
                raise broken("AB110", "`manifest.json` lists a read that is none")
    if not all(type(one) is str for one in data["taken_for_granted"]):
        raise broken("AB110", "`manifest.json` takes for granted what is no text")
    if data["standalone"] != SOURCE and not data["standalone"].startswith("none: "):
        raise broken("AB110", f"`manifest.json` says neither `{SOURCE}` nor why there is none")


def _named(rows: list[Any], key: str) -> list[dict[str, Any]]:
    if not all(type(row) is dict and type(row.get(key)) is str for row in rows):
        raise broken("AB110", f"`manifest.json` lists something without its {key}")
    return rows
