"""When a function of a hooked library is captured, and whether it stays so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from astrace.util import validation
from astrace.util.trees import own_attributes

ARRAYS: Final = (np.ndarray, np.generic)
MOST_ITEMS: Final = 8
"""The number of items of a container that are searched for arrays."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The thresholds at which a function is captured, and stays captured.

    Args:
        after: with which call with arrays it is captured; ``None`` for never.
        patience: after how many calls without arrays it is left plain for good; ``None`` for never.
        trial: how many calls are timed each way, plain and captured in turn, before one of the two stays; 0 to
            keep the captured form without comparing.
        margin: how much longer the captured form may take than the plain one, as a factor.
        attempts: how many failed captures, with no other, leave it plain for good; ``None`` for any number.
        budget: seconds of the processor that its captures may take altogether; ``None`` for any time.
        share: the part of the time of the processor since the hook began that the captures of all functions may have taken when
            another one begins; ``None`` for any.
        worth: seconds that its calls with arrays have to take, altogether and as plain Python, before it is captured.
        recalls: whether it begins with what earlier processes have found out about the functions, which is kept on disk.

    Raises:
        InvalidArgument: a number is out of range.

    Example:
        >>> Policy.named("always")
        Policy(after=1, patience=None, trial=0, margin=1.0, attempts=None, budget=None, share=None, worth=0.0, recalls=False)
    """

    after: int | None = 2
    patience: int | None = 100
    trial: int = 8
    margin: float = 1.0
    attempts: int | None = 3
    budget: float | None = 0.5
    share: float | None = None
    worth: float = 0.0
    recalls: bool = False

    def __post_init__(self) -> None:
        for name in ("after", "patience", "attempts"):
            validation.count("Policy", name, getattr(self, name), 1, optional=True)
        validation.count("Policy", "trial", self.trial, 0)
        validation.amount("Policy", "margin", self.margin)
        validation.amount("Policy", "budget", self.budget, optional=True)
        validation.amount("Policy", "share", self.share, optional=True)
        validation.amount("Policy", "worth", self.worth)
        validation.flag("Policy", "recalls", self.recalls)

    @staticmethod
    def named(name: str) -> Policy:
        """A policy by its name.

        Raises:
            InvalidArgument: there is none of that name.
        """
        return POLICIES[validation.choice("Policy.named", "name", name, tuple(POLICIES))]

    @staticmethod
    def of(policy: Policy | str, function: str) -> Policy:
        """The policy that a public function was given, itself or by its name.

        Raises:
            InvalidArgument: it is neither.
        """
        if isinstance(policy, Policy):
            return policy
        if not isinstance(policy, str) or policy not in POLICIES:  # pyright: ignore[reportUnnecessaryIsInstance]
            names = ", ".join(map(repr, POLICIES))
            raise validation.refused(
                function, "policy", policy, f"accepted are {names} and any astrace.Policy"
            )
        return POLICIES[policy]


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        "default": Policy(margin=0.9, share=0.1, worth=0.1, recalls=True),
        "always": Policy(after=1, patience=None, trial=0, attempts=None, budget=None),
        "never": Policy(after=None),
    }
)
"""``default`` captures functions that gain by it, ``always`` all that are called with arrays, ``never`` only watches."""


def has_arrays(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call is given arrays or NumPy scalars: as arguments, in containers, as attributes of objects.

    Example:
        >>> has_arrays((1, [np.zeros(2)]), {}), has_arrays((1, "text"), {"n": 2.0})
        (True, False)
    """
    for value in args:
        if _holds_array(value):
            return True
    return any(map(_holds_array, kwargs.values())) if kwargs else False


def _holds_array(value: Any) -> bool:
    kind = type(value)
    if kind is float or kind is int or kind is str or kind is bool or value is None:
        return False
    if issubclass(kind, ARRAYS):
        return True
    if kind is list or kind is tuple:
        return any(map(_is_array, value[:MOST_ITEMS]))
    if kind is dict:
        return any(map(_is_array, list(value.values())[:MOST_ITEMS]))
    return _is_instance(kind) and any(map(_is_array, own_attributes(value).values()))


def _is_array(value: Any) -> bool:
    return issubclass(type(value), ARRAYS)


def _is_instance(kind: type) -> bool:
    """Return whether values of a kind are objects with attributes that may be arrays, unlike classes or functions."""
    return type(kind) is type and kind.__module__ not in ("builtins", "types")
