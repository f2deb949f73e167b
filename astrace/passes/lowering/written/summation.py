"""``np.einsum`` of two arrays of ``float64``: products that are added up in the order in which NumPy walks over the axes.

NumPy sorts the axes by their strides.  Along the innermost one it adds products to as many results, or, where that is summed, makes up
two sums that are added in the end (``einsum_sumprod.c.src``).  In which order it walks and adds is tried for each subscripts.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.ops.lowered import sum_of_products
from astrace.passes.lowering.forms import FLOAT
from astrace.passes.lowering.written.loops import in_c_order, product_sum
from astrace.passes.lowering.written.terms import Function, Steps, Term

SUBSCRIPTS: Final = re.compile(r"([a-zA-Z]+),([a-zA-Z]+)(?:->([a-zA-Z]*))?")


@dataclass(frozen=True)
class Subscripts:
    """What is multiplied and added up.

    Args:
        left: the axes of the first array.
        right: those of the second one.
        out: those of the result.
    """

    left: str
    right: str
    out: str

    @property
    def walked(self) -> tuple[str, ...]:
        """All axes, the innermost last: those of the result first, unless an array has them in another order."""
        order = list(dict.fromkeys((*self.out, *self.left, *self.right)))
        for place in range(1, len(order)):
            axis, at = order[place], place
            for before in range(place - 1, -1, -1):
                goes_in_front = self._goes_in_front(axis, order[before])
                if goes_in_front is False:
                    break
                at = before if goes_in_front else at
            order.insert(at, order.pop(place))
        return tuple(order)

    def _goes_in_front(self, axis: str, other: str) -> bool | None:
        """Return whether an axis comes before another one in the arrays; ``None`` where none has both."""
        found = {
            array.index(axis) < array.index(other)
            for array in (self.left, self.right)
            if axis in array and other in array
        }
        return None if not found else found == {True}

    @property
    def is_written_out(self) -> bool:
        """True of sums that are made up in one of the two ways; the axes of the result are walked in their order."""
        walked = self.walked
        arrays = (self.left, self.right, self.out)
        apart = all(len(set(array)) == len(array) for array in arrays)
        return (
            apart
            and set(self.out) <= set(walked)
            and [axis for axis in walked if axis in self.out] == list(self.out)
            and (walked[-1] in self.out or walked[-1] in set(self.left) & set(self.right))
        )

    @property
    def run(self) -> str:
        """The innermost axes that are summed and are one in both arrays."""
        found = ""
        for axis in reversed(self.walked):
            if axis in self.out or not all(array.endswith(axis + found) for array in (self.left, self.right)):
                break
            found = axis + found
        return found


def parsed(text: str) -> Subscripts | None:
    """Return what subscripts say; ``None`` where they are of other forms.

    Args:
        text: as they are given.

    Example:
        >>> parsed("ij, j")
        Subscripts(left='ij', right='j', out='i')
    """
    found = SUBSCRIPTS.fullmatch(text.replace(" ", ""))
    if found is None:
        return None
    left, right, out = found.groups()
    together = left + right
    single = "".join(sorted(axis for axis in set(together) if together.count(axis) == 1))
    return Subscripts(left, right, single if out is None else out)


@functools.cache
def adds_as_written(given: Subscripts) -> bool:
    """Tell whether NumPy gives the bits that are given here, for random numbers of some sizes.

    Args:
        given: the subscripts.
    """
    rng = np.random.default_rng(1)
    text = f"{given.left},{given.right}->{given.out}"
    for turn in range(8):
        sizes = {axis: int(rng.integers(2, 5 if turn % 2 else 12)) for axis in given.walked}
        left, right = (
            rng.normal(size=[sizes[axis] for axis in array]) for array in (given.left, given.right)
        )
        found = np.einsum(text, left, right)
        if found.tobytes() != _summed(given, sizes, left, right).tobytes() or not found.flags.c_contiguous:
            return False
    return True


def _summed(given: Subscripts, sizes: Mapping[str, int], left: Any, right: Any) -> Any:
    """Return the sums as they are written out."""
    out = np.zeros([sizes[axis] for axis in given.out])
    outer = given.walked[: len(given.walked) - len(given.run)]
    for places in _indices([sizes[axis] for axis in outer]):
        at = dict(zip(outer, places, strict=True))
        parts = [
            array[tuple(at[axis] for axis in axes if axis in at)]
            for axes, array in ((given.left, left), (given.right, right))
        ]
        product = sum_of_products(*(part.ravel() for part in parts)) if given.run else parts[0] * parts[1]
        out[tuple(at[axis] for axis in given.out)] += product
    return out


def _indices(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*map(range, sizes))


def _einsum(steps: Steps, subscripts: Any, *operands: Any) -> Any:
    given = parsed(subscripts) if isinstance(subscripts, str) else None
    arrays = [one for one in operands if isinstance(one, Term) and one.is_array and one.dtype == FLOAT]
    if given is None or len(arrays) != 2 or len(operands) != 2:
        raise steps.refusal("other things than two arrays of float64")
    axes = given.left, given.right
    steps.require(all(array.ndim == len(names) for array, names in zip(arrays, axes, strict=True)))
    steps.require(given.is_written_out and adds_as_written(given), f"`{subscripts}`")
    left, right = (in_c_order(steps, array) for array in arrays)
    sizes = _sizes(steps, given, left, right)
    outer = given.walked[: len(given.walked) - len(given.run)]
    steps.require(not outer or (len(given.run) < 2 and bool(given.out)), "several axes that are summed")
    if not outer:
        flat = (array if array.ndim == 1 else steps("np.ravel", array) for array in (left, right))
        return product_sum(steps, *flat)
    out = steps("np.zeros", tuple(sizes[axis] for axis in given.out), np.float64)

    def add(*places: Any) -> None:
        at = dict(zip(outer, places, strict=True))
        parts = [
            array[tuple(at.get(axis, slice(None)) for axis in names)]
            for names, array in zip(axes, (left, right), strict=True)
        ]
        product = product_sum(steps, *parts) if given.run else parts[0] * parts[1]
        key = tuple(at[axis] for axis in given.out)
        out[key] = out[key] + product

    steps.each([sizes[axis] for axis in outer], add)
    return out


def _sizes(steps: Steps, given: Subscripts, left: Term, right: Term) -> dict[str, Any]:
    """Return the size of each axis; one of one item NumPy leaves out, and walks in another order then."""
    sizes: dict[str, Any] = {}
    for names, array in ((given.left, left), (given.right, right)):
        for axis, size in zip(names, array.shape, strict=True):
            steps.same(sizes.setdefault(axis, size), size)
    for size in sizes.values():
        steps.unless(steps("gt", size, 1))
    return sizes


FUNCTIONS: Final[Mapping[str, Function]] = {"np.einsum": _einsum}
