"""Which option of a union a value is, of which the spec is known."""

from __future__ import annotations

from astrace.ir.specs import Spec, TupleSpec, UnionSpec, covers


def option_of(union: UnionSpec, spec: Spec) -> int | None:
    """Return the number of the first option that covers a spec, or takes it item by item; ``None`` if none does.

    Example:
        >>> from astrace.ir.specs import FLOAT, INT
        >>> number = UnionSpec((INT, FLOAT))
        >>> option_of(number, FLOAT), option_of(UnionSpec((INT, TupleSpec((number,)))), TupleSpec((INT,)))
        (1, 1)
    """
    for fits in (covers, _takes):
        for index, option in enumerate(union.options):
            if fits(option, spec):
                return index
    return None


def _takes(wide: Spec, narrow: Spec) -> bool:
    """Return whether a value can be put where another spec is expected, item by item."""
    match wide, narrow:
        case TupleSpec(), TupleSpec():
            alike = wide.cls is narrow.cls and len(wide.items) == len(narrow.items)
            return alike and all(map(_takes, wide.items, narrow.items))
        case UnionSpec(), UnionSpec():
            return all(_takes(wide, option) for option in narrow.options)
        case UnionSpec(), _:
            return any(_takes(option, narrow) for option in wide.options)
        case _:
            return covers(wide, narrow)
