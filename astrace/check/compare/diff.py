"""The first difference between two pictures, and how to say it.

Exact on NumPy: a float is the same if its bits are, all NaNs being one.  With ``ulps`` floats may differ in
their last places, scaled by their dtype, with tolerances as far as those allow.  Takes pictures, gives a `Difference` or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.check.compare.snapshots import FLAGS, Picture
from astrace.check.compilers.tolerances import NONE, Tolerances
from astrace.ir.constants import same, show

VALUE, KIND = "AC101", "AC102"
SIZES: Final = re.compile(r"(.*?)(len|\.keys|\.members)\(\)(?:\[(\d+)\])?(.*)", re.DOTALL)
"""Places that are no expressions: lengths, and keys and members by number."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two values are not the same.

    Args:
        code: ``AC101`` for other values of the same type, ``AC102`` for anything else.
        where: how the place is reached from the value.
        expected: what the function gave there, for people.
        found: what the graph gave there.
    """

    code: str
    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.found} instead of {self.expected}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """How far apart two floats may be.

    Args:
        ulps: in units of the last place.
        tolerances: in parts of the expected one, and absolutely.
    """

    ulps: int = 0
    tolerances: Tolerances = NONE

    def __bool__(self) -> bool:
        return bool(self.ulps) or self.tolerances != NONE


EXACT: Final = Allowed()


def difference(
    expected: Picture, found: Picture, ulps: int = 0, tolerances: Tolerances = NONE
) -> Difference | None:
    """Return the first difference between an expected and a found value.

    Args:
        expected: what the function gave.
        found: what the graph gave.
        ulps: how far apart two floats may be, in units of the last place.
        tolerances: how far apart they may be otherwise.
    """
    return next(_differences(expected, found, "", Allowed(ulps, tolerances)), None)


def _differences(expected: Picture, found: Picture, where: str, allowed: Allowed) -> Iterator[Difference]:
    if expected.cls is not found.cls:
        yield Difference(KIND, where, described(expected), described(found))
    elif expected.data is not None and found.data is not None:
        yield from _arrays(expected, found, where, allowed)
        yield from _parts(expected, found, where, allowed)
    elif not _same_content(expected.content, found.content, allowed):
        yield Difference(VALUE, where, described(expected), described(found))
    else:
        yield from _parts(expected, found, where, allowed)


def _parts(expected: Picture, found: Picture, where: str, allowed: Allowed) -> Iterator[Difference]:
    for (label, part), (other, counterpart) in zip(expected.parts, found.parts, strict=False):
        if label != other:
            yield Difference(KIND, where, f"{described(expected)} with {label}", f"one with {other}")
            return
        yield from _differences(part, counterpart, where + label, allowed)
    if len(expected.parts) != len(found.parts):
        longer = max(expected.parts, found.parts, key=len)
        label = longer[min(len(expected.parts), len(found.parts))][0]
        has, lacks = f"one with {label}", f"one without {label}"
        texts = (has, lacks) if longer is expected.parts else (lacks, has)
        yield Difference(KIND, where, *texts)


def _same_content(expected: Any, found: Any, allowed: Allowed) -> bool:
    if isinstance(expected, tuple) or not isinstance(expected, int | float | complex):
        return bool(expected == found)
    if same(expected, found):
        return True
    floats = isinstance(expected, float | complex) and type(expected) is type(found)
    return bool(allowed) and floats and bool(np.all(_close(np.asarray(expected), np.asarray(found), allowed)))


# -- arrays ------------------------------------------------------------------------------------------------


def _arrays(expected: Picture, found: Picture, where: str, allowed: Allowed) -> Iterator[Difference]:
    if expected.content != found.content:
        flags = expected.content[:2] == found.content[:2]
        yield Difference(KIND, where, described(expected, flags), described(found, flags))
        return
    left, right = expected.data, found.data
    assert left is not None and right is not None
    if left.tobytes() == right.tobytes():
        return
    wrong = ~same_items(left, right, allowed)
    if not wrong.any():
        return
    first = tuple(int(index) for index in np.argwhere(wrong)[0])
    place = f"{where}[{', '.join(map(str, first))}]" if first else where
    of = f" ({int(wrong.sum())} of {wrong.size} items differ)" if wrong.size > 1 else ""
    yield Difference(VALUE, place, show(left[first]) + of, show(right[first]))


def same_items(
    left: np.ndarray[Any, Any], right: np.ndarray[Any, Any], allowed: Allowed = EXACT
) -> np.ndarray[Any, Any]:
    """Return for each item of two arrays of one shape and dtype whether they are the same.

    Example:
        >>> same_items(np.array([0.0, np.nan]), np.array([-0.0, np.nan]))
        array([False,  True])
    """
    if left.dtype.names is not None:
        fields = [same_items(left[name], right[name], allowed) for name in left.dtype.names]
        return np.logical_and.reduce([one.reshape((*left.shape, -1)).all(axis=-1) for one in fields])
    match left.dtype.kind:
        case "c":
            return same_items(left.real, right.real, allowed) & same_items(left.imag, right.imag, allowed)
        case "f":
            exact = (left == right) & (np.signbit(left) == np.signbit(right))
            found = exact | (np.isnan(left) & np.isnan(right))
            return found | _close(left, right, allowed) if allowed else found
        case "m" | "M":
            return left.view("i8") == right.view("i8")
        case "V":
            return np.array(
                [one.tobytes() == two.tobytes() for one, two in zip(left.flat, right.flat, strict=True)]
            ).reshape(left.shape)
        case _:
            return left == right


def _close(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any], allowed: Allowed) -> np.ndarray[Any, Any]:
    if left.dtype.kind == "c":
        return _close(left.real, right.real, allowed) & _close(left.imag, right.imag, allowed)
    with np.errstate(all="ignore"):
        largest = np.maximum(np.abs(left), np.abs(right))
        apart = np.abs(left - right)
        near = apart <= allowed.ulps * np.spacing(largest)
        rtol, atol = allowed.tolerances.of(left.dtype)
        if rtol or atol:
            near |= apart <= atol + rtol * np.abs(left)
        return np.isfinite(largest) & near


# -- saying it ---------------------------------------------------------------------------------------------


def described(picture: Picture, flags: bool = False) -> str:
    """A value in a few words: a number itself, an array by dtype and shape, anything else by its class.

    Args:
        picture: the value.
        flags: name the flags of an array, too.
    """
    if picture.data is not None and issubclass(picture.cls, np.generic):
        return show(picture.data[()])
    if issubclass(picture.cls, np.ndarray):
        dtype, shape, values = picture.content
        text = f"{dtype}[{', '.join(map(str, shape))}]"
        if not flags:
            return text
        on = [name.lower() for name, value in zip(FLAGS, values, strict=True) if value]
        return f"{text} ({', '.join(on) or 'strided'})"
    if picture.content is not None or picture.cls is type(None):
        return shortened(repr(picture.content))
    return f"a {picture.cls.__qualname__}"


def placed(base: str, where: str, quoted: bool = False) -> str:
    """A place in something, in words.

    Args:
        base: the thing.
        where: how the place is reached from it.
        quoted: it is code, and is told from prose.

    Example:
        >>> placed("the result", "[0]"), placed("the result", "['a']len()")
        ('the result[0]', "the length of the result['a']")
    """
    found = SIZES.fullmatch(where)
    if found is None:
        return f"`{base}{where}`" if quoted else f"{base}{where}"
    inner = placed(base, found[1], quoted)
    if found[2] == "len":
        return f"the length of {inner}"
    number = int(found[3]) + 1
    return f"{'key' if found[2] == '.keys' else 'member'} {number} of {inner}" + (
        found[4] and f", at {found[4]}"
    )


def shortened(text: str, most: int = 80) -> str:
    """A text that is not longer than a line.

    Example:
        >>> shortened("abcdefgh", 5)
        'abcd…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"
