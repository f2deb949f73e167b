"""The lowered form of a kernel for the sizes of its arguments: made anew where these are not what they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from astrace.passes.lowering.block import Unlowered
from astrace.passes.lowering.broadcasts import NO_SIZES, Sizes, few_among, has_sizes, ones_among
from astrace.passes.lowering.lower import LoweredBlock

Lower: TypeAlias = Callable[[Sizes, bool], LoweredBlock]
"""Gives the lowered form for some sizes, with products of few numbers written out, or as calls."""
MOST_FORMS: Final = 4
"""How often the lowered form of a kernel may change."""


class Fitting:
    """The forms of a kernel.

    ``forms`` counts how often there was another one.  Sizes of axes of few items are looked at once, at the first call; of those that change later, nothing is known any more.

    Args:
        lower: gives them; without it there is one form.
    """

    def __init__(self, lower: Lower | None) -> None:
        self._lower = lower
        self._sizes = NO_SIZES
        self._is_written_out = True
        self.forms = 0
        self._is_first = True

    def form(
        self, lowered: LoweredBlock, args: Sequence[Any], has_given_up: bool = False
    ) -> LoweredBlock | None:
        """Return the form for arguments; ``None`` if there is none, or it is the one that there is already.

        Args:
            lowered: the form that there is.
            args: of the kernel.
            has_given_up: the kernel was called with them, and has given up.
        """
        is_first, self._is_first = self._is_first, False
        if self._lower is None or self.forms >= MOST_FORMS:
            return None
        before = self._sizes, self._is_written_out
        if has_given_up and has_sizes(args, self._sizes) and lowered.is_written_out:
            self._sizes, self._is_written_out = NO_SIZES, False  # a sum that calls alone know, it may be
        self._sizes = frozenset(one for one in self._sizes if has_sizes(args, frozenset((one,))))
        try:
            is_same = before == (self._sizes, self._is_written_out)
            found = self._fitted(lowered if is_same else self._made(self._sizes), args, is_first)
        except Unlowered:
            return None
        if found is lowered or found.results != lowered.results:
            return None
        self.forms += 1
        return found

    def with_calls(self, lowered: LoweredBlock, args: Sequence[Any]) -> LoweredBlock | None:
        """Return the form with calls in place of products that are written out, for a call in which one of these was not certain.

        Args:
            lowered: the form that there is.
            args: of the kernel, which has given up.
        """
        is_written_out = lowered.is_written_out and self._is_written_out
        if self._lower is None or not is_written_out or not has_sizes(args, self._sizes):
            return None
        try:
            found = self._lower(NO_SIZES, False)
        except Unlowered:
            return None
        return found if found.results == lowered.results and not ones_among(found.meeting, args) else None

    def _made(self, sizes: Sizes) -> LoweredBlock:
        assert self._lower is not None
        return self._lower(sizes, self._is_written_out)

    def _fitted(self, lowered: LoweredBlock, args: Sequence[Any], looks: bool) -> LoweredBlock:
        """Return the form in which no axis of one item meets a longer one, with sizes known that make numbers of arrays."""
        while more := ones_among(lowered.meeting, args):
            self._sizes |= more
            lowered = self._made(self._sizes)
        seen = few_among(lowered.inner, args) if looks else NO_SIZES
        if not seen:
            return lowered
        found = self._made(self._sizes | seen)
        if found.as_numbers <= lowered.as_numbers or ones_among(found.meeting, args):
            return lowered
        self._sizes |= seen
        return found
