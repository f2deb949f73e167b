"""The structure of the package: modules in each folder, import cycles, layers, files that one capture runs through.

    python -m benchmarks.structure

Imports inside functions and under ``TYPE_CHECKING`` count as any other.  What `Trace` hands out is typed by protocols, so there are no
further edges that types would hide.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "astrace"
Graph = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    """The modules of the package by name."""
    found: dict[str, Path] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports() -> dict[str, frozenset[str]]:
    """Return the modules that each module imports, wherever the import is."""
    known = modules()
    return {
        name: frozenset(_imported(ast.parse(path.read_text()), known)) - {name}
        for name, path in known.items()
    }


def _imported(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in known:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else node.module for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)


def cycles(graph: Graph) -> list[list[str]]:
    """The groups of modules that import each other, directly or not."""
    reach = {name: _reached(graph, name) for name in graph}
    groups = {frozenset({name} | {one for one in reach[name] if name in reach[one]}) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reached(graph: Graph, start: str) -> frozenset[str]:
    found: set[str] = set()
    pending = [*graph[start]]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += graph[name]
    return frozenset(found)


def folders() -> Counter[str]:
    """Count the modules in each folder; ``__init__`` is the folder itself."""
    return Counter(
        str(path.parent.relative_to(ROOT)) for path in modules().values() if path.name != "__init__.py"
    )


def layers() -> list[str]:
    """The layers of the contract that import-linter checks, top to bottom."""
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = (one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return contract["layers"]


def classes() -> dict[str, list[str]]:
    """Return the places where each class is defined, by name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(name)
    return found


def walk(x: Any, limit: float) -> Any:
    """Run the loop whose capture is counted: it may be left early, and has a store."""
    import numpy as np

    out, i = np.zeros(8), 0
    while i < 8:
        if x[i] > limit:
            break
        out[i] = x[i] * 2
        i += 1
    return out


def straight(x: Any, limit: float) -> Any:
    """Compute without the loop, the exit and the store."""
    import numpy as np

    out, i = np.zeros(8), 0
    y = x[i] * 2 + limit
    return out, y, i < 8, x[i] > limit


def files_run(function: Callable[..., Any]) -> list[str]:
    """The files of the package in which some function runs while a function of `walk`'s parameters is captured."""
    import numpy as np

    import astrace

    astrace.compile(lambda x: x + 1)(np.arange(8.0))  # what is imported and cached once
    seen: set[str] = set()

    def look(frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            seen.add(frame.f_code.co_filename)

    compiled = astrace.compile(function)
    sys.setprofile(look)
    try:
        compiled.stages(np.arange(8.0), 3.0)
    finally:
        sys.setprofile(None)
    return sorted(str(Path(one).relative_to(ROOT)) for one in seen if one.startswith(f"{PACKAGE}/"))


def main() -> None:
    """Print the report."""
    lines = sum(path.read_text().count("\n") for path in modules().values())
    print(f"{len(modules())} modules, {lines} lines")
    print(f"{folders()['astrace']} modules in astrace/ itself; the largest folders:")
    for name, number in folders().most_common(6):
        print(f"  {number:3} {name}")
    found = cycles(imports())
    print(f"{len(found)} import cycles; lazy imports and those for types counted")
    for one in found:
        print(f"  {' '.join(one)}")
    print(f"{len(layers())} layers:")
    for layer in layers():
        print(f"  {layer}")
    twice = {name: places for name, places in classes().items() if len(places) > 1}
    print(f"{len(twice)} names of classes that are used twice: {' '.join(twice)}")
    ran = files_run(walk)
    for_straight_code = set(files_run(straight))
    added = [one for one in ran if one not in for_straight_code]
    stages = Counter(Path(one).parts[1] for one in ran)
    print(f"{len(ran)} files run while a `while` with a `break` and a store is captured:")
    for stage, number in stages.most_common():
        print(f"  {number:3} {stage}")
    print(f"{len(added)} of them do not run for straight code:")
    for one in added:
        print(f"  {one}")


if __name__ == "__main__":
    main()
