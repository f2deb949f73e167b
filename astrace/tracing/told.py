"""What stands for objects while tracing, in the words of the program: reasons name no classes of astrace's own."""

from __future__ import annotations

from typing import Final

OWN: Final = {
    "ArrayMethod": "bound method",
    "TracedMethod": "bound method",
    "TracedSuper": "`super()`",
    "Manager": "context manager",
    "cell": "variable of a function",
}
"""What stands for objects while tracing, in words."""

LAZY: Final = {
    "TracedZip": "zip",
    "TracedEnumerate": "enumerate",
    "TracedReversed": "reversed",
    "TracedRange": "range",
    "Stream": "generator",
}
"""What stands for lazy iterables while tracing, with what they are when the program runs."""
