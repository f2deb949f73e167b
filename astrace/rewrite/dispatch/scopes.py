"""The meaning of a name in the rewritten text: a local, a global or a cell of the original function."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from astrace.rewrite.names import Function, Known, NameUses, declared, function_names

Meaning: TypeAlias = Literal["local", "free", "cell", "global"]


@dataclass(frozen=True, slots=True)
class NameScope:
    """One function of the rewritten text.

    Args:
        names: the names bound in it.
        globals: the names it declares global.
        own: those of the names that live in cells of its own and are assigned by nested functions.
        region: it stands for a part of a statement, so the function around it is still the same one.
        late: the variables of a comprehension that are one for all its iterations.
    """

    names: frozenset[str]
    globals: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    region: bool = False
    late: frozenset[str] = frozenset()


@dataclass(slots=True)
class Scopes:
    """The functions around a place, innermost last.

    Args:
        cells: the names that are cells of the original function.
        regions: the names of the functions that stand for parts of statements.
        undefined: the names that may be unbound where they are read.
        shared: the local names that nested functions assign.
        class_name: the class around the original function, for private names.
    """

    cells: frozenset[str]
    regions: frozenset[str]
    undefined: frozenset[str]
    shared: frozenset[str]
    class_name: str | None
    stack: list[NameScope] = field(default_factory=list[NameScope])
    _known: Known = field(default_factory=dict[Function, NameUses])

    def function(self, node: Function) -> NameScope:
        """The scope of a function whose body has not been lowered yet."""
        found = function_names(node, self._known)
        unbound = declared(node, ast.Global)
        names = found.binds - unbound - declared(node, ast.Nonlocal)
        region = not isinstance(node, ast.Lambda) and node.name in self.regions
        own = names & self.shared if isinstance(node, ast.FunctionDef) and not region else set[str]()
        return NameScope(frozenset(names), frozenset(unbound), frozenset(own), region)

    def is_shared(self, name: str) -> bool:
        """Return whether a name means a local variable that nested functions assign."""
        found = next((scope for scope in reversed(self.stack) if name in scope.names), None)
        return found is not None and name in found.own

    def is_late(self, name: str) -> bool:
        """Return whether a name means a variable of a comprehension that is one for all its iterations."""
        found = next((scope for scope in reversed(self.stack) if name in scope.names), None)
        return found is not None and name in found.late

    def meaning(self, name: str) -> Meaning:
        """Return the kind of variable that ``name`` means here; ``free`` is a local of a user's function further out."""
        crossed = False
        for scope in reversed(self.stack):
            if name in scope.globals:
                return "global"
            if name in scope.names:
                return "free" if crossed else "local"
            crossed = crossed or not scope.region
        return "cell" if name in self.cells else "global"

    def mangled(self, name: str) -> str:
        """A private name as the class body's compiler spells it."""
        if self.class_name is None or not name.startswith("__") or name.endswith("__"):
            return name
        return f"_{self.class_name.lstrip('_')}{name}"
