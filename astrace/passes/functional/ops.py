"""The ops of functional programs: what a backend that takes them has to write.

A program also has Python's operators by their names (``add``), methods of their first argument (``.reshape``), and what the
rules of the backend itself write.  In the meanings below, numbers stand for the arguments, counted from zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LOGIC: Final = "logic"
"""Ops on truth values, and comparisons of lengths: their results may be known though their operands are not."""
NO_WARNING: Final = "no_warning"
"""Tests that NumPy does not warn of a float; the leaves that it was computed from are the other operands."""
AS_WRITTEN: Final = "as_written"
"""The op of a step that is a node of the user's own, written as the user wrote it."""
PLACE: Final = "place"
"""Ops that read or change one place of an array, which is known to be inside."""
CONTROL: Final = "control"
"""Ops with parts."""


@dataclass(frozen=True, slots=True)
class ProgramOp:
    """The row of one op.

    Args:
        meaning: what it gives.
        kind: one of the kinds above; empty for one that computes, which may be refused at compile time.
    """

    meaning: str
    kind: str = ""


OWN: Final[Mapping[str, ProgramOp]] = {
    # -- logic
    "both": ProgramOp("whether 0 and 1 hold", LOGIC),
    "either": ProgramOp("whether 0 or 1 holds", LOGIC),
    "not": ProgramOp("whether 0 does not hold", LOGIC),
    "not_known": ProgramOp("the same of a truth value that is known at compile time", LOGIC),
    "same_length": ProgramOp("whether lengths 0 and 1 are the same", LOGIC),
    # -- places of arrays
    "item": ProgramOp("the part of array 0 under key 1", PLACE),
    "update": ProgramOp("array 0 with 1 in the place of the part under key 2", PLACE),
    # -- control flow: see `program`
    "cond": ProgramOp("the outputs of one of two regions", CONTROL),
    "while_loop": ProgramOp("what is carried when the test fails", CONTROL),
    "bounded_while": ProgramOp("the same, of no more iterations than from 0 to 1", CONTROL),
    "for_loop": ProgramOp("what is carried behind the iterations from 0 to 1", CONTROL),
    "scan": ProgramOp("the same, and the rows of all iterations", CONTROL),
    "unrolled_for": ProgramOp("as ``for_loop``, of iterations that Python runs", CONTROL),
    "unrolled_while": ProgramOp("as ``while_loop``, of iterations that Python runs", CONTROL),
    "function": ProgramOp("a function that is given to the array library", CONTROL),
    # -- sizes and conditions
    "dim": ProgramOp("the size of array 0 along axis 1"),
    "has_size": ProgramOp("whether array 0 has 1 items"),
    "begins_shaped": ProgramOp("whether the first 1 sizes of array 0 are the shape of array 2"),
    "within": ProgramOp("whether 0 lies between 1 and 2"),
    "magnitude_within": ProgramOp("whether the absolute value of 0 is at most 1"),
    "all_ne": ProgramOp("whether no item of 0 is 1"),
    "none_between": ProgramOp("whether no item of 0 lies between 1 and 2"),
    # -- numbers
    "min": ProgramOp("the least of sizes that are known at compile time"),
    "range_length": ProgramOp("the number of integers in a range, of numbers that are known at compile time"),
    "distance": ProgramOp("0 - 1, but no less than zero and no more than 2"),
    "from_start": ProgramOp("index 0 of an axis of 1 items, counted from its start"),
    "slice_start": ProgramOp("the start of a slice from 1 to 2 by 3, on an axis of 0 items"),
    "place": ProgramOp("the place, among 0, of item 1 of what slice 2 takes"),
    "real_part": ProgramOp("the real part of 0 in dtype 1"),
    # -- arrays
    "same": ProgramOp("array 0"),
    "new_axis": ProgramOp("array 0 with one more axis, the last"),
    "spread_like": ProgramOp("1, repeated to the shape of array 0"),
    "where_else": ProgramOp("array 0 with 2 where 1 holds"),
    "where_fit": ProgramOp("the same, if the shape of 2 fits; else it is refused at compile time"),
    "fit_to_part": ProgramOp("0, if its shape fits the part of array 1 under key 2; else it is refused"),
    # -- views, and arrays with the part of a view replaced: 0 is the part, 1 the whole, the others are those of the view
    **{name: ProgramOp(f"``{name}`` of array 0") for name in ("T", "mT", "real", "imag")},
    "window": ProgramOp("3 items of array 0 along axis 1, from 2 on"),
    "front": ProgramOp("array 0 with 4 items of axis 1 at its front: from 2 on, 3 apart"),
    "front_window": ProgramOp("the first 5 of these alone"),
    **{
        f"{name}_back": ProgramOp(f"the whole with another part under ``{name}``")
        for name in ("reshape", "real", "imag", "swapaxes", "window", "front")
    },
    # -- containers that are known at compile time
    "container": ProgramOp("container 0"),
    "with_rows": ProgramOp("a list of items 0, and the rows of array 1"),
    "with_item": ProgramOp("tuple 0 with item 1 at its end"),
}
"""Ops by names of their own."""
LIBRARY: Final = frozenset(
    ("abs", "any", "asarray", "full_like", "isfinite", "minimum", "power", "sum", "where", "zeros")
)
"""Functions of the array library, called as ``xp.abs``; so are its scalar types (`scalar_type`)."""
SUPPORT: Final[Mapping[str, str]] = {
    # -- conditions
    "sum_fits": "whether 0 + 1 has 64 bits",
    "difference_fits": "whether 0 - 1 has 64 bits",
    "product_fits": "whether 0 * 1 has 64 bits",
    "power_fits": "whether 0 ** 1 has 64 bits",
    "shift_fits": "whether 0, shifted by 1, to the left if 2, has 64 bits",
    "fits_integer": "whether integers of dtype 1 hold the floats 0",
    "is_inside": "whether index 0, which may count from the end, is one of an axis of 1 items",
    "all_inside": "the same of all indices",
    "are_distinct": "whether the places that arrays of indices name are different",
    "is_well_scaled": "whether arrays hold no floats that the compiled program counts as zero",
    "all_finite": "whether arrays are finite",
    "no_warning": "whether NumPy does not warn of number 0, computed from the others",
    "no_warnings": "whether NumPy does not warn of array 0, whose items are computed from those at their places",
    "no_warning_as_a_whole": "the same of an array whose items are computed from many",
    # -- numbers
    "floor_divide": "NumPy's ``0 // 1``",
    "remainder": "NumPy's ``0 % 1``",
    "range_length": "the number of integers in a range",
    "slice_length": "the number of items in a slice from 1 to 2 by 3, on an axis of 0 items",
    "truth": "Python's truth of device array 0",
    # -- arrays
    "one_of": "array 1 if 0 holds, else array 2",
    "masked": "array 0 with 3 behind the first 2 items of axis 1",
    "fitted": "array 0 in the shape of array 1: cut off, or padded with anything, along axes 2",
    "selected": "the items of array 0 that mask 1 selects, at the front",
    "stored_where": "array 0 with the items of array 2, in order, where mask 1 is true",
    "outside": "indices 0 of an axis of 2 items; those behind the first 1 are none of it",
    # -- lists and objects
    "appended": "column 0 of a list of 2 items with 1 at its end; it has room for 3",
    "enlarged": "column 0 with room for 1 items",
    "make_object": "an instance of class 0 with attributes 1",
}
"""Functions that the backend supplies, called as ``support.masked``."""


KINDS: Final[Mapping[str, str]] = {
    **{name: row.kind for name, row in OWN.items()},
    **{f"support.{name}": NO_WARNING for name in SUPPORT if name.startswith("no_warning")},
}
"""The kinds of ops; all others compute."""


def kind_of(op: str) -> str:
    """Return the kind of an op; empty for one that computes."""
    return KINDS.get(op, "")
