"""Load a bundle and make its recorded calls again: ``python examples/run_shipped.py path [standalone.py]``.

It needs NumPy and astrace alone.  With a second path, the same calls are made through the standalone program, too.
"""

from __future__ import annotations

import importlib.util
import sys

import astrace


def main(path: str, source: str | None) -> None:
    """Compare every recorded result to the bit."""
    graph = astrace.load(path)
    runs = {"the bundle": graph}
    if source is not None:
        spec = importlib.util.spec_from_file_location("standalone", source)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        runs["its source"] = getattr(module, graph.name.rpartition(".")[2])
    for name, run in runs.items():
        for call in graph.examples:
            found = run(*call.args, **call.kwargs)
            assert list(found) == list(call.result)
            assert all(found[key].tobytes() == call.result[key].tobytes() for key in found)
        print(f"{name}: {len(graph.examples)} calls, the same to the bit; {graph.metadata['labels']}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
