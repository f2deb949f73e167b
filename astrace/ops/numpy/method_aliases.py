"""Methods of arrays that are functions of NumPy's main namespace, and the calls for which the two agree.

``x.max(0)`` and ``np.max(x, 0)`` are one op, ``np.max``; a call that only one of the two forms takes
(``np.max(x, 0, None, True)``), or takes otherwise (``np.any(x, 0, out)``, where ``x.any`` has a dtype in that
place), stays in that form, and so does its error.  Functions that may warn are not among them: a warning
tells the innermost line of Python, which is NumPy's in ``np.sum(x)`` and another one in ``x.sum()``.

A function that calls the method does so again where that raises a `TypeError`, and the second error has the first one as
its context: `RETRYING`.  So the two forms are one op only where nothing of that kind is to be expected; see
`astrace.ops.effects.may_retry`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class MethodForm:
    """The calls that mean the same as a method and as a function.

    Args:
        positional: how many arguments after the array may be given by position.
        keywords: the names that both take, those of arguments by position in front, in their order; ``-`` for one without a name.
        packs: the method takes the items of a tuple also one by one.
    """

    positional: int
    keywords: tuple[str, ...] = ()
    packs: bool = False

    def takes(self, positional: int, keywords: Collection[str]) -> bool:
        """Return whether both forms take a call with so many arguments after the array, and these keywords."""
        by_name = set(keywords)
        return positional <= self.positional and by_name <= {*self.keywords[positional:]}


def _form(positional: int, keywords: str = "", packs: bool = False) -> MethodForm:
    return MethodForm(positional, tuple(keywords.split()), packs)


METHODS: Final[Mapping[str, MethodForm]] = {
    "min": _form(2, "axis out keepdims initial where"),
    "max": _form(2, "axis out keepdims initial where"),
    "any": _form(1, "axis out keepdims where"),
    "all": _form(1, "axis out keepdims where"),
    "argmin": _form(2, "axis out keepdims"),
    "argmax": _form(2, "axis out keepdims"),
    "clip": _form(3, "min max out"),
    "reshape": _form(1, "- order copy", packs=True),
    "ravel": _form(1, "order"),
    "transpose": _form(1, packs=True),
    "swapaxes": _form(2),
    "squeeze": _form(1, "axis"),
    "repeat": _form(2, "repeats axis"),
    "take": _form(4, "indices axis out mode"),
    "diagonal": _form(3, "offset axis1 axis2"),
    "argsort": _form(3, "axis kind order stable"),
    "argpartition": _form(4, "kth axis kind order"),
    "searchsorted": _form(3, "v side sorter"),
    "nonzero": _form(0),
    "dot": _form(2, "- out"),
    "choose": _form(1, "choices out mode"),
}

RETRYING: Final = frozenset(
    {
        *("argmax", "argmin", "argpartition", "argsort", "choose", "clip", "nonzero"),
        *("repeat", "reshape", "searchsorted", "swapaxes", "take", "transpose"),
    }
)
"""Functions that call the method of an array again where it has raised a `TypeError` (NumPy's ``_wrapfunc``)."""


def with_methods(rows: Mapping[str, Row]) -> dict[str, Row]:
    """Return a table of ops in which a method that is called once has the row of its function; see `RETRYING`.

    Args:
        rows: by the names of ops.
    """
    return {**{f"ndarray.{name}": rows[f"np.{name}"] for name in RETRYING if f"np.{name}" in rows}, **rows}


def as_function(name: str, args: tuple[Any, ...], keywords: Collection[str]) -> tuple[Any, ...] | None:
    """Return the arguments by which the function does the same as a method call; ``None`` where none do.

    Args:
        name: the method.
        args: its arguments by position, without the array.
        keywords: the names of the others.
    """
    form = METHODS.get(name)
    if form is None:
        return None
    packed = (args,) if form.packs and len(args) > 1 else args
    return packed if form.takes(len(packed), keywords) else None
