"""Reads of a compiled function that are made once, because the user asked for it by name.

A `Freezer` belongs to one compiled function.  It knows the names (access paths as ``explain`` shows them), keeps what
was found there when it was captured first, and gives that to every later capture.  It knows paths and constants,
nothing of tracing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.errors import InvalidArgument
from astrace.guards.access_paths import Attribute, Item, Path, Root, steps
from astrace.ir.constants import is_static, show
from astrace.ir.values import Constant, Origin
from astrace.locations import Location
from astrace.util.parsing import parse_expression

MOST_LISTED: Final = 12


class Freezer:
    """The reads that are fixed, and what they gave.

    Args:
        names: access paths; what is read below one is fixed with it.
        function: the compiled function; the defaults of its parameters are known by the parameters' names, too.

    Raises:
        InvalidArgument: one of the names is no access path.
    """

    def __init__(self, names: Sequence[str] = (), function: Any = None) -> None:
        self.names = frozenset(map(normalised, names))
        self._function = function
        self._found: dict[tuple[Path, int], tuple[Any, Constant]] = {}
        self._met: set[str] = set()

    def covers(self, path: Path) -> bool:
        """Return whether a read through this path is to be fixed; remember that it was met."""
        if not self.names:
            return False
        met = self.names.intersection(name for step in steps(path) for name in self._names_of(step))
        self._met |= met
        return bool(met)

    def _names_of(self, path: Path) -> Iterator[str]:
        yield str(path)
        match path:
            case Item(Attribute(Root(function), "__defaults__"), int() as index) if (
                function is self._function
            ):
                code = function.__code__
                yield code.co_varnames[code.co_argcount + index]
            case Item(Attribute(Root(function), "__kwdefaults__"), str() as name) if (
                function is self._function
            ):
                yield name
            case _:
                return

    def constant(self, path: Path, root: Any, value: Any, location: Location | None) -> Constant:
        """Return the value that a path first led to for this object at its root; mutable values are copied."""
        key = (path, id(root))
        if key not in self._found:
            origin = Origin("frozen", str(path), location)
            self._found[key] = root, Constant(_fixed(value), origin)
        return self._found[key][1]

    def check(self, reads: Iterable[Path], where: Location) -> None:
        """Make sure that every name was met.

        Args:
            reads: what was read.
            where: the function that was captured.

        Raises:
            InvalidArgument: a name leads to nothing that the function reads.
        """
        missing = sorted(self.names - self._met)
        if missing:
            known = sorted({str(path) for path in reads})
            more = f", and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
            listed = ", ".join(known[:MOST_LISTED]) or "nothing"
            raise InvalidArgument(
                f"freeze: {missing[0]!r} is read nowhere in {where}; read are {listed}{more}"
            )


CONTAINERS: Final = (list, dict, set)


def is_freezable(value: Any) -> bool:
    """Return whether a value can be fixed as it is; other objects are fixed attribute by attribute."""
    return is_static(value) or isinstance(value, np.ndarray) or type(value) in CONTAINERS


def _fixed(value: Any) -> Any:
    """Return the value, or a private copy of an array or a container."""
    if not isinstance(value, np.ndarray):
        return value.copy() if type(value) in CONTAINERS else value
    copy = value.copy(order="K")
    copy.flags.writeable = False
    return copy


def constant_text(constant: Constant) -> str:
    """A frozen constant for people: an array by its dtype and shape, a container by its length."""
    value = constant.value
    if type(value) in CONTAINERS:
        return f"a {type(value).__name__} of {len(value)}"
    return str(constant.spec) if isinstance(value, np.ndarray) else show(value)


def normalised(name: str) -> str:
    """Return an access path in its standard form.

    Raises:
        InvalidArgument: it is none.

    Example:
        >>> normalised('CFG["eps"]'), normalised("self . w[ 0 ]")
        ("CFG['eps']", 'self.w[0]')
    """
    try:
        tree = parse_expression(name)
    except SyntaxError:
        tree = None
    if tree is None or not _is_path(tree):
        raise InvalidArgument(f"freeze: {name!r} is no access path, such as \"CFG['eps']\" or 'self.w'")
    return ast.unparse(tree)


def _is_path(tree: ast.expr) -> bool:
    match tree:
        case ast.Name():
            return True
        case ast.Attribute(value=owner):
            return _is_path(owner)
        case ast.Subscript(value=owner, slice=key):
            return _is_path(owner) and _is_constant(key)
        case _:
            return False


def _is_constant(tree: ast.expr) -> bool:
    try:
        ast.literal_eval(tree)
    except ValueError:
        return False
    return True
