"""Compiling and calling programs: the one module besides ``support`` that talks to JAX."""

from __future__ import annotations

import functools
import logging
import math
import operator
import os
import types
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

from astrace.backends.base import Executable
from astrace.backends.jax import support
from astrace.backends.jax.barriers import with_barriers
from astrace.backends.jax.carrying import Lax
from astrace.backends.jax.emit import Emitter
from astrace.backends.jax.host import Wrapper
from astrace.backends.jax.lower.attempts import reshaping_loops
from astrace.backends.jax.lower.block import Program, lower
from astrace.backends.jax.lower.define import without_checks
from astrace.backends.jax.lower.state import TRUE
from astrace.backends.jax.program import Part
from astrace.backends.jax.refusal import Refused
from astrace.backends.jax.stores import with_stores_gathered
from astrace.backends.jax.tidy import tidy
from astrace.backends.loading import load
from astrace.errors import ForkedAfterJax
from astrace.ir.block import Block
from astrace.ir.specs import INT
from astrace.trees import Tree

LOG: Final = logging.getLogger("astrace.jax")
BORN_IN: Final = os.getpid()
"""The process in which this module was loaded, and JAX began to run."""
CPU_OPTIONS: Final = {"xla_cpu_prefer_vector_width": "512"}
"""Given to each compilation for CPUs; nothing global is set."""


OF_SHAPES: Final = (TypeError, ValueError, IndexError, ArithmeticError, jax.errors.JaxRuntimeError, Warning)
"""What JAX raises where shapes, sizes or dtypes do not fit, as NumPy will; a warning where a filter says so."""


class Process:
    """Whether this process was forked from one in which XLA's threads run: they do not exist here."""

    def __init__(self) -> None:
        self.forked = os.getpid() != BORN_IN
        os.register_at_fork(after_in_child=self._note)

    def _note(self) -> None:
        self.forked = True

    def stop(self) -> None:
        """Raise instead of waiting for threads that do not exist.

        Raises:
            ForkedAfterJax: always.
        """
        raise ForkedAfterJax(
            "this process was forked after JAX had run, and JAX does not work in it; start processes with"
            ' `multiprocessing.get_context("spawn")`, or compile with `backend="numpy"`'
        )


WANTS_NUMBERS: Final = ("dynamic start/stop values", "concrete values")
"""What JAX says of loops that it can't differentiate since it does not know how often they turn, and of sizes."""


NESTED: Final = "compiler_options` can only be passed to top-level"
"""What JAX says where it traces, though none of the arguments shows it: in a branch of ``lax.cond``, say."""


RESHAPED: Final = "carry input and carry output must have equal types"
"""What JAX says of a loop that carries an array whose shape or dtype changes."""


VARYING: Final = "manual axis types do not match"
"""What JAX says inside a ``shard_map``, where only one of two branches, or turns, gives the same on all devices."""


class _Reshaping(TypeError):
    """A program that JAX has refused, and another one has taken the place of."""


class Refusals:
    """Runs calls that JAX can't trace through the exact backend, and remembers why.

    Args:
        exact: the exact backend's function.
    """

    def __init__(self, exact: Callable[..., Any]) -> None:
        self.exact = self.nested = exact
        self.errors: list[str] = []
        self.with_numbers: Callable[[], Callable[..., Any] | None] = lambda: None
        self.reshaping: Callable[[], Callable[..., Any] | None] = lambda: None
        self.varying: Callable[[], Callable[..., Any]] | None = None
        self._instead: Callable[..., Any] | None = None

    def __call__(self, error: Exception, *given: Any) -> Any:
        """Run a call for which the program raised an exception.

        Raises:
            Exception: the exception itself, if it is a fault of astrace's and faults are looked for.
        """
        if NESTED in str(error):
            return self.nested(*given)
        if RESHAPED in str(error):
            self._instead, self.reshaping = self.reshaping() or self._instead, lambda: None
        if self._instead is not None and (RESHAPED in str(error) or isinstance(error, _Reshaping)):
            return self._instead(*given)
        concrete = jax.errors.ConcretizationTypeError | jax.errors.TracerIntegerConversionError
        if isinstance(error, concrete) or any(text in str(error) for text in WANTS_NUMBERS):
            again = self.with_numbers()
            if again is not None:
                return again(*given)
        if os.environ.get("ASTRACE_DEBUG") and not isinstance(error, OF_SHAPES):
            raise error
        self._note(error)
        return self.exact(*given)

    def inlined(self, error: Exception, *given: Any) -> Any:
        """Run a call that is a part of what JAX traces, for which the program raised an exception: Python runs its loops.

        Raises:
            Exception: the exception itself, where Python would have to know what only the arrays tell.
        """
        if VARYING in str(error) and self.varying is not None:
            return self.varying()(*given)
        try:
            found = self.exact(*given)
        except jax.errors.ConcretizationTypeError:
            raise error from None
        self._note(error)
        return found

    def _note(self, error: Exception) -> None:
        message = f"{type(error).__name__}: {error}"
        if message not in self.errors:
            self.errors.append(message)
            LOG.info("JAX does not run this call: %s", message)


def compile_block(
    block: Block, result: Tree, name: str, file: str, exact: Executable, *, reshaping: bool = False
) -> Executable:
    """Compile a block to a function over NumPy that runs through XLA.

    Args:
        block: the block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        exact: the same block through the exact backend, which runs what XLA can't.
        reshaping: JAX has refused a loop since an array changes its shape in there.

    Raises:
        Refused: the block has no counterpart in JAX.
        ForkedAfterJax: JAX can't run in this process.
    """
    process = Process()
    if process.forked:
        process.stop()
    program = lower(block, reshaping=reshaping)
    program = _without_ok(replace(program, part=written_for_xla(program.part)))
    emitter = Emitter(program.part, name if name.isidentifier() else "compiled", program.objects)
    source = emitter.text()
    namespace: dict[str, Any] = {**MODULES, **emitter.objects}
    function = load(source, emitter.lines, emitter.name, file, namespace)
    static = [number for number, position in enumerate(program.used) if position in program.static]
    options = CPU_OPTIONS if jax.default_backend() == "cpu" else None
    jitted = jax.jit(function, static_argnums=static, compiler_options=options)
    wrapper = Wrapper(block, program, exact.used, result)
    text = wrapper.source() + wrapper.inline_source()
    refusals = Refusals(exact.function)
    scope: dict[str, Any] = {
        **USED_BY_WRAPPERS,
        **wrapper.objects,
        "program": jitted,
        "function": function,
        "exact": exact.function,
        "refused": refusals,
        "process": process,
        "numbers": False,
    }
    refusals.with_numbers = functools.partial(_with_numbers, scope, block, program, options)
    if not reshaping and reshaping_loops(block):
        again = functools.partial(compile_block, block, result, name, file, exact, reshaping=True)
        refusals.reshaping = functools.partial(_reshaping, scope, again)
    code = compile(text, f"<astrace wrapper of {name}>", "exec")
    exec(code, scope)
    if program.device:
        refusals.nested = scope["inline"]
        refusals.varying = functools.cache(functools.partial(_varying, scope, code))
    return Executable(source, scope["run"], exact.used, "jax", namespace, scope["inline"])


MODULES: Final[Mapping[str, Any]] = {
    "jax": jax,
    "jnp": jnp,
    "lax": lax,
    "np": np,
    "math": math,
    "support": support,
}
"""What the text of programs may mention."""


def _with_numbers(
    scope: dict[str, Any], block: Block, program: Program, options: Any
) -> Callable[..., Any] | None:
    """Let JAX know Python's integers when it traces, from now on; ``None`` where it does, or there are none."""
    numbers = [number for number, position in enumerate(program.used) if block.inputs[position].spec == INT]
    if not numbers or scope["numbers"]:
        return None
    scope["numbers"] = True
    static = sorted({*numbers, *(i for i, position in enumerate(program.used) if position in program.static)})
    scope["program"] = jax.jit(scope["function"], static_argnums=static, compiler_options=options)
    return scope["run"]


def _varying(scope: Mapping[str, Any], code: types.CodeType) -> Callable[..., Any]:
    """The program for a call inside a ``shard_map``, with control flow that makes arrays of one kind."""
    function: types.FunctionType = scope["function"]
    own = types.FunctionType(function.__code__, {**function.__globals__, "lax": Lax()}, function.__name__)
    others = {**scope, "function": own, "refused": Refusals(scope["exact"])}
    exec(code, others)
    return others["inline"]


def _reshaping(scope: dict[str, Any], again: Callable[[], Executable]) -> Callable[..., Any] | None:
    """Let Python run the loops in which arrays change their shapes; ``None`` where that does not help."""

    def refuses(*_: Any) -> Any:
        raise _Reshaping

    try:
        function = again().function
    except Refused:
        return None
    scope["program"] = refuses
    return function


def written_for_xla(part: Part) -> Part:
    """A program of the same meaning that XLA runs right and fast."""
    return without_checks(with_barriers(tidy(with_stores_gathered(tidy(part)))))


def _without_ok(program: Program) -> Program:
    """A program in which nothing can go wrong, without the variable that says so."""
    if program.ok is None or program.part.outputs[program.ok] != TRUE:
        return program
    part = replace(program.part, outputs=program.part.outputs[:-1])
    return replace(program, part=part, ok=None)


def overlaps_itself(array: np.ndarray[Any, Any]) -> bool:
    """Whether an array may hold an item at several places."""
    return any(stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape, strict=True))


USED_BY_WRAPPERS: Final[Mapping[str, Any]] = {
    "np": np,
    "jnp": jnp,
    "asarray": np.asarray,
    "array": np.array,
    "copyto": np.copyto,
    "index_of": operator.index,
    "may_share_memory": np.may_share_memory,
    "overlaps_itself": overlaps_itself,
    "enable_x64": jax.enable_x64,
    "support": support,
    "Tracer": jax.core.Tracer,
    "has_tracer": support.has_tracer,
}
"""What the text of every wrapper may mention."""
