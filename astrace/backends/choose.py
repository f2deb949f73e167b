"""Which backend runs a block: the one that was asked for, if it takes the block, else the exact one."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from astrace.backends import numpy as numpy_backend
from astrace.backends.base import Executable
from astrace.backends.jax.lower.device import is_device_program
from astrace.backends.jax.refusal import Refused
from astrace.errors import Reason
from astrace.ir.block import Block
from astrace.trees import Tree

BACKENDS: Final = ("auto", "numpy", "jax")


@dataclass(frozen=True, slots=True)
class Choice:
    """A block made runnable.

    Args:
        executable: what runs it.
        refused: why not the backend that was asked for.
    """

    executable: Executable
    refused: Reason | None = None


def compile_block(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    backend: str,
    module: Mapping[str, Any] = numpy_backend.NO_MODULE,
) -> Choice:
    """Compile a block.

    Args:
        block: any block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        backend: one of `BACKENDS`; ``auto`` is the exact one.
        module: what Python's warnings look for in the globals of the code that warns.
    """
    exact = numpy_backend.compile_block(block, result, name, file, module)
    if backend != "jax" and not (backend == "auto" and is_device_program(block)):
        return Choice(exact)
    run = importlib.import_module("astrace.backends.jax.run")  # not before somebody asks for it: it is large
    try:
        return Choice(run.compile_block(block, result, name, file, exact))
    except Refused as refused:
        return Choice(exact, refused.reason)
