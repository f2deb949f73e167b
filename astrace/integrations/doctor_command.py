"""``astrace doctor``: versions, extras, the cache, settings of the environment, and whether a function is captured and run here.

What it prints is what somebody who helps needs to know.  It changes nothing but the cache, as any capture does.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import astrace
from astrace.errors import InvalidArgument
from astrace.integrations.cache_command import described
from astrace.util.disk_cache import folder as folders
from astrace.util.terminal import shown

NEEDED: Final = ("numpy", "libcst")
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "fast": ("numba", "llvmlite"),
    "jax": ("jax", "jaxlib"),
    "check": ("hypothesis", "pytest", "tqdm"),
    "observe": ("pandas",),
    "dask": ("distributed",),
    "onnx": ("onnx",),
    "torch": ("torch",),
    "sklearn": ("scikit-learn",),
}
"""The extras of the package, with what they install."""
SETTINGS: Final[Mapping[str, str]] = {
    "ASTRACE_DISABLE": "everything runs as plain Python, unless it is 0",
    "ASTRACE_BACKEND": "the backend of functions that ask for none",
    "ASTRACE_CACHE_DIR": "the folder of the cache; empty or 0: there is none",
    "ASTRACE_CHILD": "0: kernels are compiled in the program's own process",
    "ASTRACE_DEBUG": "faults of astrace raise, blocks are verified after each pass",
    "ASTRACE_LOGS": "topics that are logged",
}
FINE, ILL = 0, 1


def add_command(commands: Any) -> None:
    """Add ``doctor`` to the commands of a parser."""
    what = "show versions, extras, the cache, what is switched off, and whether capturing works here"
    parser = commands.add_parser("doctor", help=what, description=f"{what.capitalize()}.")
    parser.add_argument("--machine-code", action="store_true", help="try machine code and XLA, too (seconds)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what there is to know.

    Returns:
        1 where something does not work, else 0.
    """
    print("\n".join([*_versions(), "", *_extras(), "", *_settings(), ""]))
    problems = [*_wrong_settings(), *_cache(), *_trials(options.machine_code)]
    print()
    told = [f"problem: {one}" for one in problems] or ["no problem was found"]
    print(shown("\n".join(told), sys.stdout))
    return ILL if problems else FINE


def _versions() -> Iterator[str]:
    yield f"astrace   {astrace.__version__} ({Path(astrace.__file__).parent})"
    yield f"Python    {platform.python_version()} ({sys.executable})"
    yield f"platform  {platform.platform()}, {os.cpu_count()} processors"
    yield from (f"{name:<9} {version_of(name) or 'missing'}" for name in NEEDED)


def version_of(name: str) -> str:
    """Return the version of an installed package; empty where it is not installed.

    Example:
        >>> version_of("no-such-package-is-there")
        ''
    """
    from importlib import metadata  # takes longer to load than all other commands

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _extras() -> Iterator[str]:
    yield "extras"
    for extra, names in EXTRAS.items():
        found = {name: version_of(name) for name in names}
        told = ", ".join(f"{name} {version or 'missing'}" for name, version in found.items())
        yield f"  {extra:<8} {told}" + ("" if all(found.values()) else f"  (pip install 'astrace[{extra}]')")


def _settings() -> Iterator[str]:
    chosen = {name: os.environ[name] for name in SETTINGS if name in os.environ}
    yield "settings of the environment" + ("" if chosen else ": none")
    yield from (f"  {name}={value!r}: {SETTINGS[name]}" for name, value in chosen.items())


def _wrong_settings() -> Iterator[str]:
    """What is wrong with the settings of the environment."""
    from astrace.backends.select import preferred

    try:
        preferred()
    except InvalidArgument as error:
        yield error.message


def _cache() -> Iterator[str]:
    """Print what the cache is; give what is wrong with it."""
    print("cache")
    try:
        folders.prepare(folders.wanted())
        print(*(f"  {line}" for line in described()), sep="\n")
    except folders.Unusable as error:
        print(f"  there is none: {error}")
        if os.environ.get(folders.VARIABLE, "-").strip() not in folders.OFF:
            yield f"the cache can't be used: {error}"


# -- trials ------------------------------------------------------------------------------------------------


def _trials(machine_code: bool) -> Iterator[str]:
    """Capture and run a function through each backend; give what is wrong."""
    from astrace.compiler.compiled import is_disabled

    print("\ntrials")
    if is_disabled():
        print("  none: ASTRACE_DISABLE is set, everything runs as plain Python")
        return
    backends = {"numpy": "numpy", **({"native": "numba", "jax": "jax"} if machine_code else {})}
    for backend, needed in backends.items():
        if importlib.util.find_spec(needed) is None:
            print(f"  {backend:<8} not tried: {needed} is not installed")
            continue
        started = time.perf_counter()
        problem = _trial(backend)
        print(f"  {backend:<8} {problem or 'works'} ({time.perf_counter() - started:.2f} s)")
        if problem:
            yield f"backend {backend}: {problem}"


def probe(x: Any, n: int) -> Any:
    """Run a loop and a branch; this is captured to see whether that works."""
    total = 0.0
    for i in range(n):
        if x[i] > 1.0:
            total += x[i] * 2.0
        else:
            total -= 1.0
    return total


def _trial(backend: str) -> str:
    """Return what is wrong with a backend; empty if nothing is."""
    import numpy as np

    x = np.arange(16.0)
    try:
        compiled: Any = astrace.compile(probe, backend=backend)
        found = [compiled(x, 16), compiled(x, 16)]
        (stages,) = compiled.captures
    except InvalidArgument as error:  # of a setting; no line is at fault
        return error.message
    except Exception as error:  # whatever it is, it is the answer
        return f"{type(error).__name__}: {error}"
    reason = stages.fallback or stages.refused
    if reason is not None:
        return f"{reason.code}: {reason.message}"
    return "" if found == [probe(x, 16)] * 2 else f"gives {found[0]} for {probe(x, 16)}"
