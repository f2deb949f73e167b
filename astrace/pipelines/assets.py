"""Assets: files and folders that operators were made from, by the hash of what they hold.

What is captured is the content at the moment of tracing: it is read once for its hash, and must have the same hash when it
is read again to be saved.  Two assets of one base name never meet, since each has a place of its own, named by its hash.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from astrace.errors import AssetError

LARGEST: Final = 100_000_000
"""The bytes of the largest file that is captured unasked."""
MOST_FILES: Final = 10_000
"""The files of the largest folder that is captured unasked."""
CHUNK: Final = 1 << 20

SECRETS: Final = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".git", ".hg", ".svn", ".netrc", ".pypirc", ".npmrc",
    ".pgpass", ".htpasswd", ".git-credentials", ".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx",
    "*.keytab", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "credentials", "credentials.json", ".config", ".*_history",
    ".envrc", ".env~", "*.env", ".vault-token", "token", "secrets", "secrets.*", "secret_key*", "*service-account*.json",
    "password*", "passwd", "shadow", "gshadow", "*.gpg",
)  # fmt: skip
"""Names of files and folders that hold secrets, or a history that may: they are never captured unasked."""


@dataclass(frozen=True, slots=True)
class AssetFile:
    """One file of an asset.

    Args:
        path: where it lies in its folder, with ``/`` between the parts; its own name if it is an asset itself.
        sha256: the hash of its content.
        size: its bytes.
        source: the path that it was read from.
    """

    path: str
    sha256: str
    size: int
    source: str

    def copy_to(self, target: BinaryIO) -> None:
        """Write the content into a file.

        Raises:
            AssetError: it is not what it was when it was captured.
        """
        digest = hashlib.sha256()
        for chunk in _content(self.source):
            digest.update(chunk)
            target.write(chunk)
        if digest.hexdigest() != self.sha256:
            raise AssetError(
                f"{self.source!r} was changed since it was captured: trace again", self.source, "changed"
            )


@dataclass(frozen=True, slots=True)
class Asset:
    """A file or a folder that an operator was made from.

    Args:
        key: the hash of a file's content; of a folder, that of the names and hashes of all in it.
        name: its base name.
        files: its only file, or the files of the folder, by path.
        folders: the paths of the folders inside; ``None`` for a file.
    """

    key: str
    name: str
    files: tuple[AssetFile, ...]
    folders: tuple[str, ...] | None = None

    @property
    def place(self) -> str:
        """The place of the asset below the folder of all assets, with ``/`` between the parts."""
        return f"{self.key}/{self.name}"

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(one.size for one in self.files)

    def place_of(self, file: AssetFile) -> str:
        """The place of one of the files below the folder of all assets."""
        return self.place if self.folders is None else f"{self.place}/{file.path}"


def read_asset(path: str, forced: bool = False) -> tuple[Asset, tuple[tuple[str, str], ...]]:
    """Read a file or a folder.

    Args:
        path: its path.
        forced: the user has asked for it, however large.

    Returns:
        The asset, and what was left out of the folder, each with the reason.

    Raises:
        AssetError: it is missing, too large, or can't be read.
    """
    name = os.path.basename(path.rstrip(os.path.sep))
    if not os.path.isdir(path):
        found = _read_file(path, name, forced)
        return Asset(found.sha256, name, (found,)), ()
    files: list[AssetFile] = []
    folders: list[str] = []
    left: list[tuple[str, str]] = []
    for relative, full, reason in _walk(path, forced):
        if reason:
            left.append((full, reason))
        elif os.path.isdir(full):
            folders.append(relative)
        else:
            files.append(_read_file(full, relative, forced))
        if len(files) > MOST_FILES and not forced:
            raise AssetError(f"{path!r} holds more than {MOST_FILES} files{ASK}", path, "too many")
    files.sort(key=lambda one: one.path)
    return Asset(folder_key(files, folders), name, tuple(files), tuple(folders)), tuple(left)


def folder_key(files: Iterable[AssetFile], folders: Iterable[str]) -> str:
    """The hash of a folder.

    Args:
        files: the files in it, in the order of their paths.
        folders: the paths of the folders in it.
    """
    lines = [f"{one.sha256} {one.path}" for one in files] + [f"folder {one}" for one in folders]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def check_folder(asset: Asset, path: str, forced: bool) -> None:
    """Make sure that a folder holds no more than when it was captured.

    Args:
        asset: what was captured; of a file nothing is checked.
        path: the folder.
        forced: the user has asked for it, however large.

    Raises:
        AssetError: something was added.
    """
    if asset.folders is None:
        return
    known = {*asset.folders, *(one.path for one in asset.files)}
    try:
        added = next(
            (name for name, _, reason in _walk(path, forced) if not reason and name not in known), None
        )
    except OSError as error:
        raise AssetError(f"{path!r} can't be read: {error.strerror}", path, "missing") from None
    if added is not None:
        message = f"{path!r} was changed since it was captured, {added!r} was added: trace again"
        raise AssetError(message, path, "changed")


ASK: Final = ': capture it with assets={"<parameter>": True}, or leave it out with False'


def refusal(path: str) -> str:
    """Return why something is not captured unasked; an empty text where it is.

    Example:
        >>> refusal("/home/a/.ssh/id_rsa"), refusal("words.txt")
        ('its name says that it holds secrets', '')
    """
    names = {*_names(path), *_names(os.path.realpath(path))}
    if any(fnmatch.fnmatch(name.lower(), pattern) for name in names for pattern in SECRETS):
        return "its name says that it holds secrets"
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return ""
    return "" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else "it is a device, a pipe or a socket"


def _names(path: str) -> list[str]:
    return [name for name in path.split(os.path.sep) if name]


def _walk(folder: str, forced: bool) -> Iterator[tuple[str, str, str]]:
    """Yield all that a folder holds, by name: the path in it, the whole path, and why it is left out, if it is."""
    pending: list[tuple[str, str, frozenset[str]]] = [("", folder, frozenset({os.path.realpath(folder)}))]
    while pending:
        inside, full, around = pending.pop()
        below: list[tuple[str, str, frozenset[str]]] = []
        for name in sorted(os.listdir(full)):
            relative, one = f"{inside}{name}", os.path.join(full, name)
            reason = _reason(one, around, forced)
            yield relative, one, reason
            if not reason and os.path.isdir(one):
                below.append((f"{relative}/", one, around | {os.path.realpath(one)}))
        pending += reversed(below)


def _reason(path: str, around: frozenset[str], forced: bool) -> str:
    """Return why something in a folder is left out; a link may lead to a folder around it, or elsewhere."""
    if not os.path.exists(path):
        return "it is a link that leads nowhere"
    real = os.path.realpath(path)
    if os.path.isdir(path) and any(
        f"{one}{os.path.sep}".startswith(f"{real}{os.path.sep}") for one in around
    ):
        return "it is a link to a folder around it"
    leads_out = os.path.isdir(path) and not any(real.startswith(f"{one}{os.path.sep}") for one in around)
    return "it is a link to a folder elsewhere" if leads_out and not forced else refusal(path)


def _read_file(path: str, name: str, forced: bool) -> AssetFile:
    try:
        size = os.stat(path).st_size
    except OSError as error:
        raise AssetError(f"{path!r} can't be read: {error.strerror}", path, "missing") from None
    if size > LARGEST and not forced:
        raise AssetError(f"{path!r} has {size:_} bytes, more than {LARGEST:_}{ASK}", path, "too large")
    digest, read = hashlib.sha256(), 0
    for chunk in _content(path):
        digest.update(chunk)
        read += len(chunk)
    return AssetFile(name, digest.hexdigest(), read, path)


def _content(path: str) -> Iterator[bytes]:
    """The content of a file, piece by piece.

    Raises:
        AssetError: it can't be read.
    """
    try:
        with open(path, "rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        code = "missing" if isinstance(error, FileNotFoundError) else "unreadable"
        raise AssetError(
            f"{path!r} can't be read: {error.strerror}: it was captured from there", path, code
        ) from None


# -- what was captured --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AssetUse:
    """A path in an argument of an operator, and what became of it.

    Args:
        operator: the name of the operator in the graph.
        parameter: the parameter of its constructor.
        place: where in the argument the path stands.
        path: what it names.
        key: the asset; empty where nothing was captured.
        reason: why nothing was.
        asked: it was captured because `assets=` asks for it.
    """

    operator: str
    parameter: str
    place: str
    path: str
    key: str = ""
    reason: str = ""
    asked: bool = False

    def __str__(self) -> str:
        place = self.place.removeprefix("$")
        by_choice = ", by choice" if self.asked else ""
        outcome = f"captured as {self.key[:12]}{by_choice}" if self.key else f"left out: {self.reason}"
        return f"{self.operator}({self.parameter}{place}): {self.path}  {outcome}"


@dataclass(frozen=True, slots=True)
class Assets:
    """The assets of a graph by hash, and a report of what was taken and what was not.

    Args:
        held: the assets.
        uses: the paths in arguments of operators.
    """

    held: tuple[Asset, ...] = ()
    uses: tuple[AssetUse, ...] = ()

    def __getitem__(self, key: str) -> Asset:
        for one in self.held:
            if key in (one.key, one.place):
                return one
        raise KeyError(key)

    def __iter__(self) -> Iterator[Asset]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)

    def __contains__(self, key: Any) -> bool:
        return any(key in (one.key, one.place) for one in self.held)

    def __str__(self) -> str:
        return "\n".join(map(str, self.uses)) or "no files were captured"
