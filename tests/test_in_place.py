"""`x += y` over all operators, containers and right operands: the same object is changed, another one is bound, or it raises."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

import harness
import numpy as np
import pytest

import astrace


class Reflecting:
    """Answers as the right operand."""

    def _answer(self, other: Any) -> Any:
        return ("reflected", other)

    __radd__ = __rsub__ = __rmul__ = __ror__ = __rand__ = __rxor__ = _answer


class Joining(list[Any]):
    """A list that answers as the right operand."""

    def __radd__(self, other: Any) -> Any:
        return ("joined", other)


TARGETS: Final = {
    "list given": ("p", [1]),
    "set given": ("p", {1}),
    "dict given": ("p", {1: 2}),
    "bytearray given": ("p", bytearray(b"ab")),
    "list made": ("[1]", None),
    "set made": ("{1}", None),
    "dict made": ("{1: 2}", None),
    "list made of an argument": ("[p]", [1]),
}
VALUES: Final = (
    np.ones(3),
    np.ones(1),
    np.array(2),
    np.float64(2.0),
    np.int64(2),
    Reflecting(),
    Joining([1]),
    [3],
    (3, 4),
    {3},
    frozenset([1]),
    {3: 4},
    {3: 4}.keys(),
    range(2),
    b"cd",
    "ab",
    2,
    True,
    2.5,
    None,
)


@pytest.mark.parametrize("symbol", ["+", "-", "*", "|", "&", "^"])
@pytest.mark.parametrize("target", TARGETS)
def test_as_plain_python(target: str, symbol: str) -> None:
    made, given = TARGETS[target]
    namespace: dict[str, Any] = {}
    harness.run_with_source(
        f"def f(p, y):\n    x = {made}\n    kept = x\n    x {symbol}= y\n    return p, x, kept, x is kept\n",
        namespace,
    )
    function = namespace["f"]
    compiled = astrace.compile(function, recompile_limit=len(VALUES))
    for value in VALUES:
        expected = outcome(function, given, value)
        assert [outcome(compiled, given, value), outcome(compiled, given, value)] == [expected] * 2, value


def outcome(function: Callable[..., Any], given: Any, value: Any) -> Any:
    """Return what a call returns, or raises."""
    try:
        return harness.shape_of(function(copy.deepcopy(given), value))
    except (TypeError, ValueError) as error:
        return type(error), str(error)
