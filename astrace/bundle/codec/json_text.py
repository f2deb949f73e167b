"""JSON as bundles have it: one way to write each value, and a reader that takes nothing else.

Takes bytes, gives plain Python data; it does not know what the data mean.  Duplicate keys, NaN, huge numbers, depth
and size are refused before or while the text is parsed; a text that is not spelled as `dumps` spells it is refused, too.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from astrace.bundle.codes import broken
from astrace.bundle.limits import DEEPEST_JSON, LONGEST_NUMBER, MOST_CONTAINERS, MOST_ITEMS


def dumps(data: Any) -> bytes:
    """The text of plain data: sorted keys, no spaces, ASCII, one line.

    Example:
        >>> dumps({"b": [1, 2.5], "a": None}).rstrip()
        b'{"a":null,"b":[1,2.5]}'
    """
    text = json.dumps(data, allow_nan=False, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode("ascii") + b"\n"


def loads(content: bytes, member: str, largest: int) -> Any:
    """The data of a text that `dumps` wrote.

    Args:
        content: the text.
        member: what it is called in messages.
        largest: how many bytes it may have.

    Raises:
        BundleError: it is another text, or beyond a limit.
    """
    if len(content) > largest:
        raise broken("AB106", f"`{member}` has {len(content)} bytes; the limit is {largest}")
    containers = content.count(b"[") + content.count(b"{")
    if containers > MOST_CONTAINERS or content.count(b",") > MOST_ITEMS:
        raise broken("AB106", f"`{member}` has more than {MOST_CONTAINERS} lists or {MOST_ITEMS} items")
    reader = _Reader(member)
    try:
        data = json.loads(
            content.decode("ascii"),
            object_pairs_hook=reader.pairs,
            parse_int=reader.integer,
            parse_float=reader.real,
            parse_constant=reader.constant,
        )
    except RecursionError:
        raise broken("AB106", f"`{member}` is nested too deep") from None
    except UnicodeDecodeError:
        raise broken("AB109", f"`{member}` is not ASCII") from None
    except json.JSONDecodeError as error:
        raise broken("AB109", f"`{member}` is not JSON: {error.msg} at byte {error.pos}") from None
    _check_depth(data, member)
    if dumps(data) != content:
        raise broken("AB109", f"`{member}` is not spelled as astrace spells JSON")
    return data


class _Reader:
    """The strict hooks of the parser."""

    def __init__(self, member: str) -> None:
        self._member = member

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise broken("AB109", f"`{self._member}` has an object with two keys of one name")
        return found

    def integer(self, text: str) -> int:
        self._check(text)
        return int(text)

    def real(self, text: str) -> float:
        self._check(text)
        return float(text)

    def constant(self, text: str) -> NoReturn:
        raise broken("AB109", f"`{self._member}` has the number {text}, which is not JSON")

    def _check(self, text: str) -> None:
        if len(text) > LONGEST_NUMBER:
            raise broken("AB106", f"`{self._member}` has a number of {len(text)} characters")


def _check_depth(data: Any, member: str) -> None:
    """Refuse data that are nested too deep; level by level, since the depth is what is in doubt."""
    level: list[Any] = [data]
    for _ in range(DEEPEST_JSON):
        inner: list[Any] = []
        for one in level:
            if type(one) is list:
                inner += one
            elif type(one) is dict:
                inner += one.values()
        level = [one for one in inner if type(one) in (list, dict)]
        if not level:
            return
    raise broken("AB106", f"`{member}` is nested deeper than {DEEPEST_JSON} levels")
