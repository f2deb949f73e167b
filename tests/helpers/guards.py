"""The meaning of guards, without generated code: the dispatcher and `holds` must agree with it."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from astrace.compiler.dispatcher import Specialisation
from astrace.guards.access_paths import LOOKUP_ERRORS
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
)
from astrace.ir.constants import same
from astrace.ir.specs import ArraySpec, GenericSpec, Spec, class_of


def meant(guard: Guard, given: Mapping[str, Any]) -> bool:
    """Return whether a guard holds; one whose path leads nowhere does not."""
    try:
        found = guard.path.follow(given)
        if isinstance(guard, IsAt):
            return (found is guard.other.follow(given)) is guard.together
        if isinstance(guard, AreApart):
            objects = [path.follow(given) for path in guard.paths]
            return all(a is not b for a, b in itertools.combinations(objects, 2))
        if isinstance(guard, IsBuiltin):
            return guard.name not in found and vars(builtins)[guard.name] is guard.expected
        return TESTS[type(guard)](found, guard.expected)
    except LOOKUP_ERRORS:
        return False


TESTS: dict[type, Callable[[Any, Any], bool]] = {
    Is: lambda found, expected: found is expected,
    HasType: lambda found, expected: type(found) is expected,
    Equals: same,
    HasLength: lambda found, expected: len(found) == expected,
    HasKeys: lambda found, expected: same(tuple(found), expected),
    HasMembers: lambda found, expected: same(tuple(found), expected),
    Contains: lambda found, expected: expected in found,
    Lacks: lambda found, expected: expected not in found,
    LacksAttribute: lambda found, expected: expected not in getattr(found, "__dict__", ()),
    Fits: lambda found, expected: described(found, expected),
}


def described(value: Any, spec: Spec) -> bool:
    """Return whether a spec describes a value, its dtype to the last attribute."""
    cls = class_of(spec)
    if cls is not None and type(value) is not cls:
        return False
    if not isinstance(spec, ArraySpec | GenericSpec):
        return True
    dtypes = [(one.char, str(one), one.isalignedstruct, one.metadata) for one in (value.dtype, spec.dtype)]
    if dtypes[0] != dtypes[1]:
        return False
    shape = spec.shape if isinstance(spec, ArraySpec) else ()
    return np.ndim(value) == len(shape) and all(
        not isinstance(dim, int) or dim == size for dim, size in zip(shape, np.shape(value), strict=True)
    )


def fits(specialisation: Specialisation, names: set[str], given: Mapping[str, Any]) -> bool:
    """Return whether a specialisation fits a call with these arguments, of parameters with these names."""
    guards = specialisation.guards
    return specialisation.omitted == names - set(given) and all(meant(guard, given) for guard in guards)
