"""The codes of `BundleError`: what each of them means, and the short ways to make one.

Bottom of the bundle layer: it knows no format.  ``docs/reference/bundle-format.md`` explains each code.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from astrace.errors import BundleError
from astrace.locations import Location

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "AB101": "there is no bundle at the path, or it can't be read",
        "AB102": "the bundle has a format that this version of astrace does not know",
        "AB103": "the zip file is not one that astrace writes",
        "AB104": "a member has a name that is not accepted",
        "AB105": "a member is no regular file",
        "AB106": "a limit of size, number or depth is exceeded",
        "AB107": "members and manifest disagree about what there is",
        "AB108": "a member is not what the manifest says: its size or its hash differs",
        "AB109": "a member is not the JSON that astrace writes",
        "AB110": "the manifest has an unknown, missing or wrong field",
        "AB111": "the graph has an unknown, missing or wrong part",
        "AB112": "the graph names an operation, function, class, method or attribute that bundles may not use",
        "AB113": "an array is not the one that the graph describes",
        "AB114": "the graph breaks a rule of the IR",
        "AB115": "the bundle needs operators that were not passed",
        "AB201": "the graph uses an object of the world outside, which can't be saved",
        "AB202": "the graph calls Python code that can't be saved",
        "AB203": "a value can't be saved",
        "AB204": "a check of the arguments can't be saved",
        "AB205": "the graph is too large for a bundle",
        "AB206": "what is at the path is no bundle or export, and is not replaced",
        "AB207": "the bundle can't be written",
        "AB301": "a recorded example gives another result",
        "AB302": "the bundle records no examples",
        "AB401": "the graph can't be exported",
    }
)


def broken(
    code: str, message: str, hint: str = "the bundle is damaged, or was not written by astrace"
) -> BundleError:
    """The error for a bundle that is not loaded."""
    assert code in CODES
    return BundleError(code, message, hint)


def refused(code: str, message: str, hint: str, location: Location | None = None) -> BundleError:
    """The error for a graph that is not saved."""
    assert code in CODES
    return BundleError(code, message, hint, location)
