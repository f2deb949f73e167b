"""Trees as text: containers with holes, as Python would write them."""

from __future__ import annotations

from typing import Any

from astrace.ir.constants import show
from astrace.ir.specs import Spec
from astrace.util.trees import Hole, Tree, is_namedtuple


def tree_text(tree: Tree, hole: Any) -> str:
    """A tree as Python would write it, with ``hole`` giving the text of each hole."""

    def inner(part: Tree) -> str:
        return tree_text(part, hole)

    if isinstance(tree, Hole):
        return hole(tree)
    if is_namedtuple(tree):
        return f"{type(tree).__name__}({', '.join(map(inner, tree))})"
    match tree:
        case tuple():
            return f"({', '.join(map(inner, tree))}{',' if len(tree) == 1 else ''})"
        case list():
            return f"[{', '.join(map(inner, tree))}]"
        case dict():
            return "{" + ", ".join(f"{inner(key)}: {inner(item)}" for key, item in tree.items()) + "}"
        case slice():
            return f"slice({inner(tree.start)}, {inner(tree.stop)}, {inner(tree.step)})"
        case _:
            return str(tree) if isinstance(tree, Spec) else show(tree)
