"""False alarms: the check on functions of installed libraries, of which none should be an error.

    python -m fuzz.libraries numpy statistics colorsys            # compiled
    python -m fuzz.libraries --frozen numpy.polynomial.polynomial  # frozen graphs

Arguments are guessed; a function for which none are found is not counted.  An error is a fault of the check, or
of astrace, unless the library itself is to blame.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import pkgutil
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from astrace.check.members import check_one, frozen_one
from astrace.check.settings import settings_for
from astrace.util.progress import progress, say

SKIPPED = (
    "test",
    "tests",
    "_pytesttester",
    "conftest",
    "f2py",
    "distutils",
    "typing",
    "_typing",
    "__main__",
    "_core",
)
"""Parts of packages that hold no numerical functions, change the world when imported, or read any memory at all."""


def modules(name: str) -> Iterator[types.ModuleType]:
    """A module and, of a package, those in it."""
    module = importlib.import_module(name)
    yield module
    for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}."):
        if any(part in SKIPPED for part in found.name.split(".")):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield importlib.import_module(found.name)
        except Exception as error:
            print(f"{found.name}: {type(error).__name__}", file=sys.stderr)


def functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions that are written in Python in a module."""
    for name, value in list(vars(module).items()):
        inner = getattr(value, "_implementation", value)
        if (
            isinstance(inner, types.FunctionType)
            and not name.startswith("_")
            and inner.__module__ == module.__name__
        ):
            yield f"{module.__name__}.{name}", inner


def main() -> int:
    """Check the functions of the libraries that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", help="modules and packages")
    parser.add_argument("--frozen", action="store_true", help="check frozen graphs")
    parser.add_argument("--level", default="quick")
    parser.add_argument("--most", type=int, default=10_000, help="at most so many functions")
    parser.add_argument("--show", action="store_true", help="the whole report of each error")
    options = parser.parse_args()
    counts: collections.Counter[str] = collections.Counter()
    seen: set[int] = set()
    spent: list[float] = []
    found = (pair for name in options.names for module in modules(name) for pair in functions(module))
    for name, function in progress(found, "functions"):
        if id(function) in seen or len(spent) >= options.most:
            continue
        seen.add(id(function))
        started = time.process_time()
        report = (frozen_one if options.frozen else check_one)(
            name, function, [], settings_for(options.level)
        )
        tried = report.coverage.examples
        counts["functions"] += 1
        counts[
            "without arguments"
            if any(one.code == "AC306" for one in report) and not tried
            else "with arguments"
        ] += 1
        counts["plain Python"] += any(one.code == "AC303" for one in report) and not tried
        counts["compared"] += bool(tried)
        counts["examples"] += tried
        counts["with errors"] += bool(report.errors)
        spent.append(time.process_time() - started)
        for one in report.errors:
            say(
                f"{name}: {one}"
                if options.show
                else f"{name}: {one.code} {one.message[:150]} [{one.because[:100]}]"
            )
    print(", ".join(f"{number} {what}" for what, number in counts.items()), f"; {sum(spent):.0f} s of CPU")
    return 1 if counts["with errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
