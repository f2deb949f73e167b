"""A module seen through compiled functions: reads of anything else, and what is set, go to the module itself.

So the copy and its original share one state: a function of the copy that changes a global changes the
original's, which is the one that all functions of the library see.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Final

OWN: Final = frozenset(
    {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__file__", "__path__", "__cached__"}
)
"""What a copy has for itself: it says where the module came from."""


class CompiledModule(types.ModuleType):
    """A lazily compiled copy of a module; made by `astrace.compile`.

    Args:
        original: the module.
        compiled: gives the compiled form of what the module holds, or the thing itself.
        plain: gives what a compiled form was made of.
        made_with: the options that it is made with.
    """

    def __init__(
        self,
        original: types.ModuleType,
        compiled: Callable[[Any], Any],
        plain: Callable[[Any], Any],
        made_with: Any = None,
    ) -> None:
        super().__init__(original.__name__, original.__doc__)
        own = {name: value for name, value in vars(original).items() if name in OWN}
        vars(self).update(own, __wrapped__=original, __astrace_compiled__=(compiled, plain))
        vars(self)["__astrace_options__"] = made_with

    def __getattr__(self, name: str) -> Any:
        held = vars(self)
        compiled, _ = held["__astrace_compiled__"]
        return compiled(getattr(held["__wrapped__"], name))

    def __setattr__(self, name: str, value: Any) -> None:
        held = vars(self)
        _, plain = held["__astrace_compiled__"]
        setattr(held["__wrapped__"], name, plain(value))
        if name in OWN:
            held[name] = value

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["__wrapped__"], name)

    def __dir__(self) -> list[str]:
        return dir(vars(self)["__wrapped__"])

    def __repr__(self) -> str:
        return f"<compiled {vars(self)['__wrapped__']!r}>"
