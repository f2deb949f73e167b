"""Kernels behind code that is not captured: how many run as machine code though nothing is known of their arguments.

    python -m benchmarks.hidden

Each kernel is called by a function that has its arguments from a call of which a capture knows nothing, and is compiled for the
types that its loops are entered with.  Python runs the text of the machine code, which takes no time to compile; results are
verified to the bit.
"""

from __future__ import annotations

import functools
import inspect
import operator
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition
from benchmarks.kernels import KERNELS, Kernel
from benchmarks.native_times import hot_at_once
from benchmarks.numpy_source import kernel_subject
from benchmarks.programs import quiet

CALLS: Final = 3
"""How often each is verified, twice: as it was before it was compiled, and while machine code is judged."""


def hidden(function: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Return a function that calls another one with arguments of which nothing is known until it runs.

    Args:
        function: what is called.
        folder: for the file that the new function is written to.
    """
    parameters = inspect.signature(function).parameters.values()
    given = ", ".join(
        one.name if one.default is one.empty else f"{one.name}={one.default!r}" for one in parameters
    )
    names = ", ".join(one.name for one in parameters)
    text = f"""
        def outer({given}):
            {names}, = hide_all([{names}])
            return inner({names})
        """
    file = folder / f"hidden_{function.__name__}.py"
    file.write_text(textwrap.dedent(text))
    space: dict[str, Any] = {"inner": function, "hide_all": operator.itemgetter(slice(None))}
    exec(compile(file.read_text(), str(file), "exec"), space)
    return space["outer"]


def is_machine_code(kernel: Kernel, folder: Path) -> bool:
    """Return whether a part of a kernel with hidden arguments has machine code, after some calls.

    Raises:
        AssertionError: it gives other bits than plain Python.
    """
    compiled = astrace.compile(hidden(kernel.function, folder), recompile_limit=CALLS)
    subject = replace(kernel_subject(kernel, kernel.small), compiled=compiled)
    for _ in range(CALLS):
        subject.verify()
    return any(stages.kernels for stages in compiled.captures)


def main() -> None:
    """Print how many do, and which do not."""
    text_alone = functools.partial(Partition, compiled=False)
    with (
        tempfile.TemporaryDirectory() as folder,
        quiet(),
        hot_at_once(),
        mock.patch.object(backend, "Partition", text_alone),
    ):
        found = {one.name: is_machine_code(one, Path(folder)) for one in KERNELS}
    without = [name for name, has in found.items() if not has]
    print(f"{len(found) - len(without)} of {len(found)} run as machine code with hidden arguments")
    print(f"not: {', '.join(without)}")


if __name__ == "__main__":
    main()
