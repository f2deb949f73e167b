"""Compiling and calling programs: the one module besides ``support`` that talks to JAX."""

from __future__ import annotations

import functools
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
from astrace.backends.jax.emit import ProgramEmitter
from astrace.backends.jax.host_wrapper import Wrapper
from astrace.backends.jax.lower.jnp_nodes import without_checks
from astrace.backends.jax.lower.lowering import Program, lower
from astrace.backends.jax.refused_calls import Refusals, Replaced
from astrace.backends.jax.runtime import support
from astrace.backends.jax.runtime.control_flow import Lax
from astrace.backends.jax.xla.barriers import with_barriers
from astrace.backends.jax.xla.inplace_stores import with_stores_gathered
from astrace.backends.jax.xla.row_stores import with_rows_gathered
from astrace.backends.python_source.loading import load
from astrace.errors import ForkedAfterJax
from astrace.ir.block import Block
from astrace.ir.specs import INT
from astrace.locations import Location
from astrace.passes.analysis.propagation import has_infinities
from astrace.passes.analysis.reshaping import reshaping_loops
from astrace.passes.functional.refusal import Refused
from astrace.passes.functional.simplify import tidy
from astrace.passes.functional.state import TRUE
from astrace.passes.legalise.counted_loops import over_ranges
from astrace.passes.legalise.tries import has_tries, without_tries
from astrace.util.trees import Tree

BORN_IN: Final = os.getpid()
"""The process in which this module was loaded, and JAX began to run."""
CPU_OPTIONS: Final = {"xla_cpu_prefer_vector_width": "512"}
"""Given to each compilation for CPUs; nothing global is set."""


class Process:
    """The state of this process: XLA's threads do not exist in one that was forked from one that has them."""

    def __init__(self) -> None:
        self.forked = os.getpid() != BORN_IN
        os.register_at_fork(after_in_child=self._note)

    @staticmethod
    def running() -> Process:
        """Return the state of this process.

        Raises:
            ForkedAfterJax: it was forked.
        """
        process = Process()
        if process.forked:
            process.stop()
        return process

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


def compile_block(
    block: Block,
    result: Tree,
    name: str,
    file: str,
    exact: Executable,
    *,
    start: Location | None = None,
    reshaping: bool = False,
    careful: bool = False,
) -> Executable:
    """Compile a block to a function over NumPy that runs through XLA.

    Args:
        block: the block.
        result: the tree of the block's outputs that the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
        exact: the same block through the exact backend, which runs what XLA can't.
        start: the line of the function.
        reshaping: JAX has refused a loop because an array changes its shape in it.
        careful: checks allow NaN and infinity that come from NaN and infinity in the arguments.

    Raises:
        Refused: the block has no counterpart in JAX.
        ForkedAfterJax: JAX can't run in this process.
    """
    process = Process.running()
    caught, block = has_tries(block), over_ranges(without_tries(block))
    finite = not careful and not has_infinities(block)
    program = _written(lower(block, reshaping=reshaping, watched=True, finite=finite))
    function, source, namespace = _loaded(program, name, file)
    static = [number for number, position in enumerate(program.used) if position in program.static]
    options = CPU_OPTIONS if jax.default_backend() == "cpu" else None
    jitted = jax.jit(function, static_argnums=static, compiler_options=options)
    wrapper = Wrapper(block, program, exact.used, result)
    text, refusals = wrapper.source(), Refusals(exact.function, start)
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
    again = functools.partial(compile_block, block, result, name, file, exact, start=start)
    if not reshaping and reshaping_loops(block):
        other = functools.partial(again, reshaping=True)
        refusals.reshaping = functools.partial(_instead, scope, refusals, other)
    if finite and program.watched:
        other = functools.partial(again, reshaping=reshaping, careful=True)
        refusals.careful = functools.partial(_instead, scope, refusals, other)
    text_of = functools.partial(_inline_text, block, program, exact.used, result, name, file, caught=caught)
    inlined = _Inlined(scope, text_of)
    scope["inline"] = inlined
    exec(compile(text, f"<astrace wrapper of {name}>", "exec"), scope)
    if program.device:
        refusals.nested = inlined
        refusals.varying = inlined.varying
    return Executable(source, scope["run"], exact.used, "jax", namespace, inlined, refusals.reason)


def _written(program: Program) -> Program:
    """Return a program arranged for XLA."""
    return _without_ok(replace(program, part=written_for_xla(program.part)))


def _loaded(program: Program, name: str, file: str) -> tuple[types.FunctionType, str, dict[str, Any]]:
    """Return a program as a function, its text, and the objects that the text refers to."""
    emitter = ProgramEmitter(program.part, name if name.isidentifier() else "compiled")
    source = emitter.text()
    namespace: dict[str, Any] = {**MODULES, **emitter.objects}
    function = load(source, emitter.lines, emitter.name, file, namespace)
    return function, source, namespace


def _inline_text(
    block: Block, program: Program, used: tuple[int, ...], result: Tree, name: str, file: str, *, caught: bool
) -> tuple[types.CodeType, dict[str, Any]]:
    """Return the code that makes a program a part of what JAX traces, and the objects that it refers to.

    Floats are not checked there: JAX accepts NaN and infinity without a warning.
    """
    plain = _written(lower(block)) if program.watched else program
    wrapper = Wrapper(block, plain, used, result)
    code = compile(wrapper.inline_source(caught), f"<astrace wrapper of {name}>", "exec")
    return code, {**wrapper.objects, "function": _loaded(plain, name, file)[0]}


class _Inlined:
    """Runs a program as a part of what JAX traces; its text is made when that first happens.

    Args:
        scope: what its text may mention.
        write: gives its code, and more that the code may mention.
    """

    def __init__(
        self, scope: Mapping[str, Any], write: Callable[[], tuple[types.CodeType, dict[str, Any]]]
    ) -> None:
        self._scope = scope
        self._written = functools.cache(write)

    def __call__(self, *given: Any) -> Any:
        """Run the program."""
        return self._plain()(*given)

    @functools.cached_property
    def _plain(self) -> Callable[[], Callable[..., Any]]:
        return functools.cache(lambda: self._function({}))

    def varying(self) -> Callable[..., Any]:
        """Return the program for a call inside a ``shard_map``, where branches and loops make arrays vary alike."""
        function: types.FunctionType = self._written()[1]["function"]
        own = types.FunctionType(function.__code__, {**function.__globals__, "lax": Lax()}, function.__name__)
        return self._function({"function": own, "refused": Refusals(self._scope["exact"])})

    def _function(self, others: Mapping[str, Any]) -> Callable[..., Any]:
        code, objects = self._written()
        names = {**self._scope, **objects, **others}
        exec(code, names)
        return names["inline"]


MODULES: Final[Mapping[str, Any]] = {
    "jax": jax,
    "jnp": jnp,
    "lax": lax,
    "np": np,
    "math": math,
    "support": support.FUNCTIONS,
}
"""The names that the text of programs may mention."""


def _with_numbers(
    scope: dict[str, Any], block: Block, program: Program, options: Any
) -> Callable[..., Any] | None:
    """Make Python's integers known when JAX traces; return the function to call, ``None`` if nothing changes by it."""
    numbers = [number for number, position in enumerate(program.used) if block.inputs[position].spec == INT]
    if not numbers or scope["numbers"]:
        return None
    scope["numbers"] = True
    static = sorted({*numbers, *(i for i, position in enumerate(program.used) if position in program.static)})
    scope["program"] = jax.jit(scope["function"], static_argnums=static, compiler_options=options)
    return scope["run"]


def _instead(
    scope: dict[str, Any], refusals: Refusals, again: Callable[[], Executable]
) -> Callable[..., Any] | None:
    """Make another program run all calls from now on; return its function, or ``None`` if it is refused."""

    def refuses(*_: Any) -> Any:
        raise Replaced

    try:
        other = again()
    except Refused:
        return None
    scope["program"] = refuses
    refusals.others_reason = other.given_up
    return other.function


def written_for_xla(part: Block) -> Block:
    """Return a program of the same meaning that XLA compiles correctly and runs fast."""
    return without_checks(with_barriers(with_rows_gathered(tidy(with_stores_gathered(tidy(part))))))


def _without_ok(program: Program) -> Program:
    """Drop the variable ``ok`` of a program in which nothing can go wrong."""
    if program.ok is None or program.part.outputs[program.ok] != TRUE:
        return program
    part = replace(program.part, outputs=program.part.outputs[:-1])
    return replace(program, part=part, ok=None)


def overlaps_itself(array: np.ndarray[Any, Any]) -> bool:
    """Return whether an array may hold an item at several places."""
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
    "geterr": np.geterr,
    "support": support.FUNCTIONS,
    "Tracer": jax.core.Tracer,
    "has_tracer": support.has_tracer,
}
"""The names that the text of every wrapper may mention."""
