"""The files of a bundle as files that operators can open: in the bundle, or in a folder of their own.

Gives paths by place.  Whatever a bundle says, nothing is written outside the folder that is made here.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from astrace.bundle.codes import broken
from astrace.pipelines.assets import Asset, Assets

KEY: Final = re.compile(r"[0-9a-f]{64}")


class AssetStore:
    """The files of one bundle.

    Args:
        bundle: the bundle, where it is a folder; ``None`` for a zip file.
        assets: its assets; the source of each file is the member that holds it.
        read: gives a member, checked.
    """

    def __init__(self, bundle: Path | None, assets: Assets, read: Callable[[str], bytes]) -> None:
        self._bundle = None if bundle is None else bundle.resolve()
        self._held = {one.place: one for one in assets}
        self._read = read
        self._paths: dict[str, Path] = {}
        self._folder: Path | None = None
        for one in assets:
            _check(one)

    def path_of(self, place: str) -> str:
        """The path of an asset.

        Raises:
            BundleError: the bundle has none at that place.
        """
        if place not in self._held:
            raise broken("AB107", f"an operator was made from {place!r:.80}, which the bundle has not")
        if place not in self._paths:
            asset = self._held[place]
            inside = self._bundle is not None and self._lies_there(asset)
            self._paths[place] = (
                self._bundle / "assets" / place if inside and self._bundle else self._unpacked(asset)
            )
        return str(self._paths[place])

    def _lies_there(self, asset: Asset) -> bool:
        """Return whether the bundle itself holds an asset as it was: with its names, and with all folders."""
        places = [asset.place_of(one) for one in asset.files]
        above = {f"{asset.place}/{folder}" for folder in asset.folders or ()} | {asset.place}
        filled = {place.rpartition("/")[0][: len(folder)] for place in places for folder in above}
        whole = asset.folders is None or above <= filled
        return whole and all(one.source == f"assets/{asset.place_of(one)}" for one in asset.files)

    def _unpacked(self, asset: Asset) -> Path:
        try:
            return self._written(asset)
        except OSError as error:  # a full disk, or a system for which two of its names are one
            message = (
                f"the files of {asset.name!r:.60} can't be put into a folder ({error.strerror or error})"
            )
            raise broken(
                "AB101", message, "load the bundle as a folder, on a system that has such names"
            ) from None

    def _written(self, asset: Asset) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="astrace-assets-"))
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        root = self._folder / asset.place
        if asset.folders is not None:
            root.mkdir(parents=True, exist_ok=True)
        for folder in asset.folders or ():
            (root / folder).mkdir(parents=True, exist_ok=True)
        for one in asset.files:
            path = self._folder / asset.place_of(one)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(self._read(one.source))
        return root

    def assets(self, assets: Assets) -> Assets:
        """The assets with the paths at which their files lie now, so that they can be saved again."""
        found: list[Asset] = []
        for asset in assets:
            path = Path(self.path_of(asset.place))
            files = (
                replace(one, source=str(path if asset.folders is None else path / one.path))
                for one in asset.files
            )
            found.append(replace(asset, files=tuple(files)))
        return Assets(tuple(found), assets.uses)


def _check(asset: Asset) -> None:
    """Refuse an asset whose names lead anywhere else.

    Raises:
        BundleError: they do, or two of them are the same.
    """
    files = [one.path for one in asset.files]
    alone = asset.folders is None
    names = (
        [asset.name, *(() if alone else (*files, *asset.folders))]
        if asset.folders is not None
        else [asset.name]
    )
    plain = KEY.fullmatch(asset.key) and "/" not in asset.name and all(map(_is_plain, names))
    if not plain or (alone and len(files) != 1) or len(set(names[1:])) != len(names[1:]):
        raise broken(
            "AB104",
            f"an asset has the name {asset.name!r:.60}, or holds files with names, that are not accepted",
        )


def _is_plain(path: str) -> bool:
    """Return whether a path leads down only, on any system.

    Example:
        >>> _is_plain("a/b c.txt"), _is_plain("../a"), _is_plain("c:x"), _is_plain("/a")
        (True, False, False, False)
    """
    parts = path.split("/")
    try:
        sizes = [len(os.fsencode(part)) for part in parts]
    except UnicodeEncodeError:
        return False
    is_short = sum(sizes) + len(sizes) <= LONGEST_PATH and max(sizes) <= LONGEST_PART
    return is_short and all(part not in ("", ".", "..") and not set(part) & FORBIDDEN for part in parts)


FORBIDDEN: Final = frozenset("\\:\0")
LONGEST_PART: Final = 255
"""The bytes of a name of a file that systems have."""
LONGEST_PATH: Final = 2_000
"""The bytes of a path in a folder that is captured."""
