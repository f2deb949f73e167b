"""Arguments that ops keep, hand on or tell apart by identity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.ops.registry import DEEP, Op

HOLDING: Final = frozenset(
    {
        *(
            "in_",
            "not_in",
            "list",
            "tuple",
            "set",
            "frozenset",
            "dict",
            "make_list",
            "make_tuple",
            "make_namedtuple",
        ),
        *("make_dict", "make_set", "make_object", "append", "set_item", "set_attr", "set_field", "spread"),
        "tell_lookup",
        *("call", "call_pure", "call_spread", "call_mapping", "call_method"),
        *("check_defined", "max", "min", "pos"),
    }
)
"""Ops that look for an object, hold it, give it to code of which nothing is known, or put out that very object."""

OBJECTS: Final[Mapping[str, range]] = {
    **dict.fromkeys(("is_", "is_not", "id", "make_tuple", "make_list", "make_dict", "make_set"), range(DEEP)),
    **dict.fromkeys(("append", "call", "make_namedtuple"), range(1, DEEP)),
    **dict.fromkeys(
        ("set_item", "set_attr", "set_field", "tell_lookup", "call_method", "make_object"), range(2, DEEP)
    ),
}
"""Ops that keep the tuples they are given as the objects that they are, or tell them apart, and where they are given them."""

LIBRARY: Final = ("np.", "ndarray.", "math.", "jnp.", "jax.", "lax.", "device_")
"""Prefixes of the names of ops that compute with their inputs."""


def held_from(op: Op) -> int:
    """Return the level of its arguments from which on an op may keep the objects that it is given.

    Example:
        >>> from astrace.ops import OPS
        >>> held_from(OPS["append"]), held_from(OPS["add"]) < DEEP, held_from(OPS["np.stack"]) == DEEP
        (0, True, True)
    """
    if op.name in HOLDING or op.identity:
        return 0
    return DEEP if op.name.startswith(LIBRARY) else op.reads
