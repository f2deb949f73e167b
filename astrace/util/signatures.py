"""The parameters that a Python function really has.

Bottom of the package: it looks at code objects and defaults, nothing else.
"""

from __future__ import annotations

import inspect
import types
from typing import Any


def _any(*_args: Any, **_kwargs: Any) -> None:
    """Take anything."""


def signature_of(function: Any) -> inspect.Signature:
    """The signature by which Python binds a call's arguments.

    ``functools.wraps`` and ``__signature__`` make a function show the signature of another one; they are
    looked through.  A built-in that does not tell its signature takes anything.

    Example:
        >>> import functools
        >>> @functools.wraps(len)
        ... def wrapper(*args): ...
        >>> str(inspect.signature(wrapper)), str(signature_of(wrapper))
        ('(obj, /)', '(*args)')
    """
    if isinstance(function, types.FunctionType):
        bare = types.FunctionType(
            function.__code__, {}, function.__name__, function.__defaults__, function.__closure__
        )
        bare.__kwdefaults__ = function.__kwdefaults__
        return inspect.signature(bare)
    try:
        return inspect.signature(function, follow_wrapped=False)
    except ValueError:
        return inspect.signature(_any)
