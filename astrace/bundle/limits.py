"""The limits of a bundle: what is beyond them is refused, when it is written and when it is read."""

from __future__ import annotations

from typing import Final

MOST_MEMBERS: Final = 10_000
"""Files in a bundle."""
LONGEST_NAME: Final = 200
"""Characters of a member's name."""
DEEPEST_FOLDER: Final = 6
"""Parts of a member's name."""
LARGEST_MANIFEST: Final = 4 * 2**20
"""Bytes of ``manifest.json``."""
LARGEST_JSON: Final = 32 * 2**20
"""Bytes of any other JSON member."""
LARGEST_ZIP: Final = 2**32 - 2**20
"""Bytes of a zip file: there are no 64-bit records in it; a folder may be larger."""
MOST_CONTAINERS: Final = 500_000
"""Lists and objects in one JSON member."""
MOST_ITEMS: Final = 2_000_000
"""Items of all lists and objects in one JSON member."""
DEEPEST_JSON: Final = 100
"""How deep JSON may be nested."""
LONGEST_NUMBER: Final = 25
"""Characters of a number in JSON; larger integers are texts."""
MOST_BITS: Final = 100_000
"""Bits of an integer."""
MOST_EXPANDED: Final = 1_000_000
"""Items of a value when everything that is shared in it is counted wherever it stands."""
MOST_DIMENSIONS: Final = 32
"""Dimensions of an array."""
