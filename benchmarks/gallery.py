"""The pages of docs/gallery, made from the programs of examples/gallery: source, plot, times, graph.

python -m benchmarks.gallery               # all pages, with new plots and times
python -m benchmarks.gallery heat life     # some of them
python -m benchmarks.gallery --smoke       # small sizes, nothing is written

A program is a module with a function of its own name, ``arguments(large)`` and ``plot(axes, result, *arguments)``.  Before anything is
timed, each result is compared with that of plain Python, to the bit.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import inspect
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

import astrace
from astrace.util.progress import progress, say
from benchmarks.peers import through_numba
from benchmarks.programs import quiet
from benchmarks.tables import Table, machine, replaced

ROOT: Final = Path(__file__).parent.parent
PROGRAMS: Final = ROOT / "examples" / "gallery"
PAGES: Final = ROOT / "docs" / "gallery"
ROUNDS: Final = 7
Function = Callable[..., Any]


def load(name: str) -> ModuleType:
    """A program of the gallery."""
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", PROGRAMS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names() -> list[str]:
    """All programs."""
    return sorted(path.stem for path in PROGRAMS.glob("*.py"))


def bits(value: Any) -> Any:
    """A result, with types and bytes in place of values: equal where it is equal to the bit."""
    if isinstance(value, tuple):
        return [bits(item) for item in value]
    array = np.asarray(value)
    return type(value), array.dtype, array.shape, array.tobytes()


def called(function: Function, given: tuple[Any, ...]) -> tuple[Any, float]:
    """What a call on copies of arguments gives, and the seconds of the processor that this thread took for it."""
    fresh = copy.deepcopy(given)
    start = time.thread_time()
    result = function(*fresh)
    return result, time.thread_time() - start


def graph_of(name: str) -> str:
    """The graph of a program, as its page shows it."""
    module = load(name)
    stages = astrace.compile(getattr(module, name), backend="numpy").stages(*module.arguments(large=False))
    return f"```text\n{str(stages.graph).strip()}\n```"


# -- times -----------------------------------------------------------------------------------------------


def ways(function: Function) -> Mapping[str, Function]:
    """The function, plain and compiled."""
    return {
        "plain Python": function,
        "astrace, NumPy source": astrace.compile(function, fullgraph=True, backend="numpy"),
        "astrace, machine code": astrace.compile(function, fullgraph=True, backend="native"),
        "`numba.njit`": through_numba(function),
    }


def timed(function: Function, given: tuple[Any, ...]) -> Table:
    """Median times of calls in turn; a way that does not compile, or gives other bits, says so."""
    expected, _ = called(function, given)
    told: dict[str, str] = {}
    running: dict[str, Function] = {}
    for way, compiled in ways(function).items():
        try:
            with quiet():
                found, _ = called(compiled, given)
        except Exception as error:  # a peer's own error: its name is what the table says
            told[way] = type(error).__name__
            continue
        running[way] = compiled
        told[way] = "yes" if bits(found) == bits(expected) else "no"
    assert all(told[way] == "yes" for way in told if "numba" not in way), told
    seconds: dict[str, list[float]] = {way: [] for way in running}
    for _ in range(ROUNDS):
        for way, compiled in running.items():
            seconds[way].append(called(compiled, given)[1])
    middle = {way: statistics.median(found) for way, found in seconds.items()}
    plain = middle["plain Python"]
    rows = [
        [way, middle[way] * 1000, plain / middle[way], told[way]]
        if way in middle
        else [way, "", "", told[way]]
        for way in told
    ]
    return Table(["", "ms", "times as fast", "plain Python's result"], rows)


# -- pages -----------------------------------------------------------------------------------------------


def title_of(module: ModuleType) -> tuple[str, str]:
    """The head of a page and its first sentence."""
    text = (module.__doc__ or "").strip()
    return module.__name__.removeprefix("gallery_").replace("_", " ").capitalize(), text


def source_of(module: ModuleType) -> str:
    """The program without the parts that only the gallery needs."""
    text = inspect.getsource(module).partition("def arguments(")[0]
    return text.partition('"""\n')[2].strip("\n")


def page(name: str, times: Table) -> str:
    """A program's page."""
    module = load(name)
    title, sentence = title_of(module)
    return (
        f"# {title}\n\n{sentence}\n\n![{title}, drawn]({name}.png)\n\n"
        f"```python\n{source_of(module)}\n```\n\n"
        f"`astrace.compile({name}, fullgraph=True)` captures it whole. The median of {ROUNDS} calls, in turn, in processor time:\n\n"
        f"<!-- times -->\n{times}\n<!-- /times -->\n\n"
        f"Made by `python -m benchmarks.gallery {name}` from [examples/gallery/{name}.py](../../examples/gallery/{name}.py), on"
        f" {machine()}.\n\n## The graph\n\n<!-- graph -->\n{graph_of(name)}\n<!-- /graph -->\n"
    )


def with_graph(text: str, name: str) -> str:
    """A page with its graph as it is now."""
    return replaced(text, {"graph": graph_of(name)})


def draw(name: str, result: Any, given: tuple[Any, ...]) -> None:
    """Draw the result of a program."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(4.2, 3), layout="constrained")
    load(name).plot(axes, result, *given)
    figure.savefig(PAGES / f"{name}.png", dpi=90, metadata={"Software": None})
    plt.close(figure)


def index() -> str:
    """The gallery's first page."""
    rows = []
    for name in names():
        title, sentence = title_of(load(name))
        rows.append(f"| [![{title}]({name}.png)]({name}.md) | [{title}]({name}.md) | {sentence} |")
    table = "\n".join(rows)
    return (
        "# Gallery\n\nSmall programs as people write them. Each is captured whole, and gives what plain Python gives, to the bit"
        " (`tests/test_gallery.py`).\nEvery page has the source, a plot, times beside plain Python and Numba, and the graph.\n\n"
        "Times are those of one call once everything is compiled. Array code takes the same time in all columns, since NumPy does"
        " the work;\nloops over elements gain most. `numba.njit` compiles the same source; where it does not, its row has the"
        f" error, and where a value or its type is not plain Python's, a *no*.\n\n| | | |\n|---|---|---|\n{table}\n"
    )


def main() -> None:
    """Make pages."""
    parser = argparse.ArgumentParser(prog="benchmarks.gallery", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(names())}; all by default")
    parser.add_argument("--smoke", action="store_true", help="small sizes, nothing is written")
    options = parser.parse_args()
    for name in progress(options.names or names(), "programs"):
        module = load(name)
        given = module.arguments(large=not options.smoke)
        times = timed(getattr(module, name), given)
        say(f"{name}\n{times}\n")
        if not options.smoke:
            PAGES.mkdir(exist_ok=True)
            draw(name, called(getattr(module, name), given)[0], given)
            (PAGES / f"{name}.md").write_text(page(name, times))
    if not options.smoke:
        (PAGES / "README.md").write_text(index())


if __name__ == "__main__":
    main()
