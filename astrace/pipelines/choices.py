"""The choice of parameters whose files are captured, as ``assets=`` gives it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from astrace.errors import InvalidArgument

NO_PARAMETERS: Final[Mapping[str, bool]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Choices:
    """The parameters whose values are taken for paths, or not.

    Args:
        named: by parameter, or by operator and parameter (``Tokenise.vocabulary``), whether its files are captured.
        others: whether those of other parameters are, where they name something that exists.
    """

    named: Mapping[str, bool] = field(default_factory=lambda: NO_PARAMETERS)
    others: bool = True

    def of(self, operator: str, parameter: str) -> bool | None:
        """Return what is said of a parameter; ``None`` if nothing is."""
        for name in (f"{operator}.{parameter}", parameter):
            if name in self.named:
                return self.named[name]
        return None if self.others else False

    def check_named(self, operator: str, parameters: Container[str]) -> None:
        """Make sure that an operator has the parameters that are named together with it, for one trace.

        Raises:
            InvalidArgument: it has not.
        """
        for name in self.named:
            owner, _, parameter = name.rpartition(".")
            if owner == operator and parameter not in parameters:
                raise InvalidArgument(f"trace: assets names {name!r}, but {operator} takes no {parameter!r}")

    def check(self, function: str, operator: str, parameters: Container[str]) -> None:
        """Make sure that an operator has the parameters.

        Raises:
            InvalidArgument: it has not.
        """
        for name in self.named:
            if name.removeprefix(f"{operator}.") not in parameters:
                message = (
                    f"{function}: assets names {name!r}, which is no parameter of {operator}'s constructor"
                )
                raise InvalidArgument(message)


def chosen(function: str, given: Mapping[Any, Any] | Iterable[Any] | None) -> Choices:
    """Read the option ``assets`` of a public function.

    Raises:
        InvalidArgument: it is neither a mapping of names to flags nor names.

    Example:
        >>> chosen("script", ["vocabulary"]).of("Tokenise", "label")
        False
    """
    if given is None:
        return Choices()
    if isinstance(given, Mapping):
        found = dict(given)
    else:
        found = {given: True} if isinstance(given, str) else dict.fromkeys(given, True)
    if not all(isinstance(name, str) and isinstance(flag, bool) for name, flag in found.items()):
        raise InvalidArgument(
            f"{function}: assets={given!r}; accepted are names, or a mapping of names to flags"
        )
    return Choices(MappingProxyType(found), others=isinstance(given, Mapping))
