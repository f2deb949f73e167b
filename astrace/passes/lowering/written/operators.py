"""Python's operators, as the ops that they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class TermOperators(ABC):
    """An object on which operators call ops."""

    @abstractmethod
    def _apply(self, op: str, *args: Any) -> Any:
        """Do what an op does with arguments."""

    def __getitem__(self, key: Any) -> Any:
        return self._apply("get_item", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._apply("set_item", self, key, value)

    def __neg__(self) -> Any:
        return self._apply("neg", self)

    def __abs__(self) -> Any:
        return self._apply("abs", self)

    def __add__(self, other: Any) -> Any:
        return self._apply("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._apply("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._apply("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._apply("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._apply("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._apply("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._apply("truediv", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply("truediv", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._apply("floordiv", self, other)

    def __mod__(self, other: Any) -> Any:
        return self._apply("mod", self, other)

    def __lt__(self, other: Any) -> Any:
        return self._apply("lt", self, other)

    def __le__(self, other: Any) -> Any:
        return self._apply("le", self, other)

    def __gt__(self, other: Any) -> Any:
        return self._apply("gt", self, other)

    def __ge__(self, other: Any) -> Any:
        return self._apply("ge", self, other)

    def __and__(self, other: Any) -> Any:
        return self._apply("and_", self, other)

    def __or__(self, other: Any) -> Any:
        return self._apply("or_", self, other)

    def __invert__(self) -> Any:
        return self._apply("invert", self)
