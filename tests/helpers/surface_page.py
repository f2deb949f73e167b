"""``docs/reference/ops.md``: how each part of NumPy is recorded, written from captures of samples."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import surface
from surface import CALL, NAMESPACES, NONE, PLAIN, TYPED, UFUNC_METHODS, Entry, entry, functions, ufuncs
from surface_samples import MOST_USED, TAKE_NO_ARRAYS, WRITES

VERSION: Final = ".".join(np.__version__.split(".")[:2])
HEAD: Final = f"""# NumPy's functions

How each function of NumPy, each ufunc with its methods, and each method and attribute of arrays is recorded where
a compiled function uses it:

* as a **typed op**: a node of its own, of whose result the class, dtype and rank are known while tracing, and the
  sizes where they follow from those of the arguments;
* as a **call**: a node that calls it when the program runs, once and in order. What it gives is any value, on which
  the program goes on with nodes that look at it then. A program is captured whole all the same;
* or the function that uses it runs as **plain Python**, with a [reason](reasons.md).

A typed op, too, gives any value where it is given one, or arrays of objects or records, or where dtype or rank hang
on contents or sizes (`np.squeeze(x)` without an axis). Errors, warnings and results are NumPy's own in every case,
since it is NumPy that computes.

This page is written by

    pytest tests/test_surface.py --store

with NumPy {VERSION}, from what becomes of a sample of each when it is captured. A test captures them again and
compares them with plain NumPy.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_summary(), *_most_used(), *_namespaces(), *_ufuncs(), *_members(), *_others()])


# -- the parts of the page ---------------------------------------------------------------------------------


def groups() -> dict[str, list[Entry]]:
    """Return the parts that the summary counts, by heading, without those for which NumPy takes no arrays."""
    found = {f"`{_full(name)}`": list(map(entry, functions(name))) for name in NAMESPACES}
    found["ufuncs"] = [entry(name) for name in ufuncs()]
    found["methods of ufuncs"] = [entry(name + method) for name in ufuncs() for method in UFUNC_METHODS[1:]]
    found["methods and attributes of arrays"] = list(map(entry, surface.members()))
    found["writes to attributes of arrays"] = list(map(entry, WRITES))
    found["classes and other objects"] = list(map(entry, surface.objects()))
    found["methods of random generators"] = list(map(entry, surface.draws()))
    return {name: [one for one in entries if one.kind != NONE] for name, entries in found.items()}


def recorded(entries: Iterable[Entry]) -> float:
    """Return the percentage of parts that are recorded."""
    kinds = Counter(one.kind for one in entries)
    return 100 * (kinds[TYPED] + kinds[CALL]) / kinds.total()


def _summary() -> Iterator[str]:
    rows = groups()
    rows["**all**"] = [one for entries in groups().values() for one in entries]
    yield "## Summary\n"
    yield "| what | number | typed op | call | plain Python | recorded |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, entries in rows.items():
        kinds = Counter(one.kind for one in entries)
        counts = " | ".join(str(kinds[kind]) for kind in (TYPED, CALL, PLAIN))
        yield f"| {name} | {kinds.total()} | {counts} | {recorded(entries):.1f} % |"
    yield ""


def _most_used() -> Iterator[str]:
    kinds = Counter(entry(name).kind for name in MOST_USED)
    yield "## The functions used most\n"
    yield f"Of the {len(MOST_USED)} functions and methods that programs call most, {kinds[TYPED]} are typed ops."
    yield textwrap.dedent("""\
        They are those that pandas, scikit-image, xarray, Matplotlib and Dask call most often, as the
        [Consortium for Python Data API Standards](https://github.com/data-apis/array-api-comparison) counted
        (`data/vendor/record.csv`), under their present names; without random numbers, masked arrays and NumPy's own
        testing functions:
        """)
    yield from _listed(sorted(MOST_USED, key=str.lower))


def _namespaces() -> Iterator[str]:
    for name in NAMESPACES:
        yield f"## `{_full(name)}`\n"
        yield from _by_kind(map(entry, functions(name)), f"{name}.")
        if name == "np":
            yield "Not counted, since they are about numbers, types or NumPy's settings, not about arrays:\n"
            yield from _listed(sorted(TAKE_NO_ARRAYS))


def _ufuncs() -> Iterator[str]:
    yield "## Ufuncs\n"
    yield "A dash stands where NumPy has no such method for a ufunc, or it raises for arrays of every dtype.\n"
    yield f"| ufunc | {' | '.join(method.strip('.') or 'called' for method in UFUNC_METHODS)} |"
    yield "| --- |" + " --- |" * len(UFUNC_METHODS)
    for name in ufuncs():
        kinds = (entry(name + method).kind for method in UFUNC_METHODS)
        yield f"| `{name}` | {' | '.join('–' if kind == NONE else kind for kind in kinds)} |"
    yield ""


def _members() -> Iterator[str]:
    yield "## Methods and attributes of arrays\n"
    yield "Operators (`x + y`, `x[i]`, `-x`, `x @= y`, `abs(x)`, `len(x)`, `for row in x`) are typed ops. What is"
    yield "below are methods that are called by name, and attributes.\n"
    yield from _by_kind(map(entry, surface.members()), "ndarray.")
    yield "Writes to attributes:\n"
    yield from _by_kind(map(entry, WRITES), "ndarray.")


def _others() -> Iterator[str]:
    yield "## Classes and other objects\n"
    yield "Scalar types called as functions, `np.r_[…]` and its like, and classes whose instances are made and used:\n"
    yield from _by_kind(map(entry, surface.objects()), "")
    yield "## Methods of random generators\n"
    yield "Of `numpy.random.Generator`; they draw when the program runs, in its order.\n"
    yield from _by_kind(map(entry, surface.draws()), "Generator.")


# -- lists -------------------------------------------------------------------------------------------------


def _by_kind(entries: Iterable[Entry], start: str) -> Iterator[str]:
    found = list(entries)
    for kind, title in ((TYPED, "Typed ops"), (CALL, "Calls")):
        names = [one.part.removeprefix(start) for one in found if one.kind == kind]
        if names:
            yield f"{title}:\n"
            yield from _listed(names)
    plain = [one for one in found if one.kind == PLAIN]
    if plain:
        yield "Plain Python:\n"
        yield "| what | why |\n| --- | --- |"
        yield from (f"| `{one.part.removeprefix(start)}` | {one.why} |" for one in plain)
        yield ""


def _listed(names: Sequence[str]) -> Iterator[str]:
    yield from textwrap.wrap(
        ", ".join(f"`{name}`" for name in names), 116, break_long_words=False, break_on_hyphens=False
    )
    yield ""


def _full(name: str) -> str:
    return name.replace("np", "numpy", 1)
