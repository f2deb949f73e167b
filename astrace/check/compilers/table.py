"""The table of compilers: how each is called, how its functions are recognised, which errors are its own.

No compiler is imported before it is asked for by name, or has made the function that is checked.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np

from astrace.check.compare.observe import Call
from astrace.compiler.target import Target
from astrace.errors import InvalidArgument, MissingExtra

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class OtherCompiler:
    """A compiler of others.

    Args:
        name: of its package, which ``against`` names.
        spelled: what makes a compiled function, as programs write it.
        packages: those whose errors are its own.
        original: the public attribute of a compiled function that holds the plain one.
        is_made_by: whether an object is a function that it compiled.
        make: compiles a function, given an example of a call.
        narrows: whether 64 bits become 32 now.
        has_threads: whether it has threads by now, which a fork would not have.
        shares: whether its results may be arguments, or share their memory.
        raises: whether its machine code raises exceptions of the program; else what no line raised, it raised itself.
        written: the arguments with which programs write that; empty for what takes more than a call.
        takes: whether it takes arrays of a dtype, by its own rules.
        refuses: exceptions of Python's that it raises where it has no code for a dtype.
    """

    name: str
    spelled: str
    packages: tuple[str, ...]
    original: str
    is_made_by: Callable[[Any], bool]
    make: Callable[[Function, Call], Any]
    narrows: Callable[[], bool]
    has_threads: Callable[[], bool]
    shares: bool
    raises: bool
    written: str = "{}"
    takes: Callable[[np.dtype[Any]], bool] = lambda dtype: dtype.isnative and not dtype.hasobject
    refuses: tuple[type[Exception], ...] = ()

    @property
    def version(self) -> str:
        """The installed version; empty where nobody knows."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return ""

    def is_own(self, module: str) -> bool:
        """Return whether a module belongs to it."""
        return module.partition(".")[0] in self.packages


# -- Numba ---------------------------------------------------------------------------------------------------


def _no(*_: Any) -> bool:
    return False


def _by_numba(value: Any) -> bool:
    return _package(type(value)) == "numba" and isinstance(
        getattr(value, "py_func", None), types.FunctionType
    )


def _numba(function: Function, example: Call) -> Any:  # noqa: ARG001
    import numba

    return numba.njit(_function_of(function))


# -- JAX -----------------------------------------------------------------------------------------------------


def _by_jax(value: Any) -> bool:
    made = _package(type(value)) in ("jax", "jaxlib") and hasattr(value, "lower")
    return made and callable(getattr(value, "__wrapped__", None))


def _jax(function: Function, example: Call) -> Any:
    """Compile a function; while it is traced, its module's name of NumPy stands for ``jax.numpy``."""
    import jax
    import jax.numpy as jnp

    plain = _function_of(function)

    @functools.wraps(plain)
    def traced(*args: Any, **kwargs: Any) -> Any:
        with _numpy_as(jnp, getattr(plain, "__globals__", {})):
            return plain(*args, **kwargs)

    return jax.jit(traced, static_argnames=static_names(function, example))


@contextlib.contextmanager
def _numpy_as(module: Any, names: dict[str, Any]) -> Generator[None]:
    """A stretch of code in which the names of NumPy among some globals stand for another module."""
    found = [name for name, value in names.items() if value is np]
    names.update(dict.fromkeys(found, module))
    try:
        yield
    finally:
        names.update(dict.fromkeys(found, np))


STATIC: Final = (
    bool,
    str,
    bytes,
    type(None),
    type,
    np.dtype,
    types.FunctionType,
    types.BuiltinFunctionType,
    np.ufunc,
)
"""Arguments that decide what a function does, and are no data."""


def static_names(function: Function, example: Call) -> tuple[str, ...]:
    """The parameters that an example gives what is no data: flags, texts, functions."""
    target = Target.of(function)
    try:
        given = target.bind(example.args, example.kwargs)
    except TypeError:
        return ()
    return tuple(name for name, value in given.items() if isinstance(value, STATIC))


def _jax_narrows() -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and not jax.config.jax_enable_x64


def _jax_has_threads() -> bool:
    """Return whether JAX has started: importing it starts no threads, the first array does."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    started = getattr(bridge, "backends_are_initialized", None)
    return bridge is not None and (started is None or bool(started()))


# -- PyTorch -------------------------------------------------------------------------------------------------

TORCH_ORIGINAL: Final = "_torchdynamo_orig_callable"


def _by_torch(value: Any) -> bool:
    return "torch" in sys.modules and callable(getattr(value, TORCH_ORIGINAL, None))


def _torch(function: Function, example: Call) -> Any:  # noqa: ARG001
    """Compile a function: captured and guarded by Dynamo, run step by step; machine code takes a minute to make."""
    torch: Any = importlib.import_module("torch")
    return torch.compile(function, backend="eager")


def _torch_has_threads() -> bool:
    """Return whether Inductor, which compiles in other processes, may have started; others serve large arrays only."""
    return "torch._inductor.async_compile" in sys.modules


COMPILERS: Final[Mapping[str, OtherCompiler]] = {
    one.name: one
    for one in (
        OtherCompiler(
            "numba",
            "numba.njit",
            ("numba", "llvmlite"),
            "py_func",
            _by_numba,
            _numba,
            _no,
            _no,
            shares=True,
            raises=True,
        ),
        OtherCompiler(
            "jax",
            "jax.jit",
            ("jax", "jaxlib"),
            "__wrapped__",
            _by_jax,
            _jax,
            _jax_narrows,
            _jax_has_threads,
            shares=False,
            raises=False,
            written="",
        ),
        OtherCompiler(
            "torch",
            "torch.compile",
            ("torch", "sympy"),
            TORCH_ORIGINAL,
            _by_torch,
            _torch,
            _no,
            _torch_has_threads,
            shares=True,
            raises=True,
            written='{}, backend="eager"',
            refuses=(NotImplementedError,),
        ),
    )
}
"""The compilers that are known, by name."""


def compiler_named(name: Any) -> OtherCompiler:
    """The compiler of a name.

    Raises:
        InvalidArgument: there is none.
        MissingExtra: it is not installed.
    """
    if not isinstance(name, str) or name not in COMPILERS:
        raise InvalidArgument(f"check: against is {name!r}; it must be one of {', '.join(COMPILERS)}")
    if name not in sys.modules and importlib.util.find_spec(name) is None:
        raise MissingExtra.of(f"a check against {name} needs it", name)
    return COMPILERS[name]


def compiled_by(name: str, function: Function, *args: Any, **kwargs: Any) -> Any:
    """What a compiler makes of a function for a check, given an example of a call.

    Args:
        name: of the compiler.
        function: the plain function.
        *args: the arguments of the example.
        **kwargs: its keyword arguments.

    Raises:
        InvalidArgument: there is no such compiler, or the function is none that it could compile.
        MissingExtra: it is not installed.
    """
    return compiler_named(name).make(function, Call(args, kwargs))


def compiler_of(value: Any) -> OtherCompiler | None:
    """The compiler that made a function, a method of it, or a partial of it; nothing for any other object."""
    match value:
        case functools.partial():
            return compiler_of(value.func)
        case types.MethodType():
            return compiler_of(value.__func__)
        case _:
            return next((one for one in COMPILERS.values() if one.is_made_by(value)), None)


def original_of(value: Any) -> Any:
    """The plain function behind a compiled one; of a method or a partial of it likewise.

    Example:
        >>> half = functools.partial(pow, 0.5)
        >>> original_of(half) is half
        True
    """
    if compiler_of(value) is None:
        return value
    match value:
        case functools.partial():
            return functools.partial(original_of(value.func), *value.args, **value.keywords)
        case types.MethodType():
            return types.MethodType(original_of(value.__func__), value.__self__)
        case _:
            made = next(one for one in COMPILERS.values() if one.is_made_by(value))
            return getattr(value, made.original)


def original_attribute(value: Any, function: Any) -> str:
    """The attribute of a compiled function that holds its plain one; empty for an object of which that is none."""
    made = next((one for one in COMPILERS.values() if one.is_made_by(value)), None)
    return made.original if made is not None and getattr(value, made.original) is function else ""


def _function_of(function: Function) -> Any:
    """The Python function behind a method or a partial.

    Raises:
        InvalidArgument: it has arguments put in front.
    """
    target = Target.of(function)
    if target.first or target.named:
        raise InvalidArgument(
            f"check: {target.name} is a method or a partial; compile its function, and bind that"
        )
    return target.function


def _package(cls: type) -> str:
    return cls.__module__.partition(".")[0]


def has_threads(values: Iterable[Any]) -> bool:
    """Return whether some objects are of a library that has threads by now."""
    packages = {one: compiler for compiler in COMPILERS.values() for one in compiler.packages}
    found = {packages[name] for name in map(_package_of, values) if name in packages}
    return any(compiler.has_threads() for compiler in found)


def _package_of(value: Any) -> str:
    name: Any = value.__name__ if isinstance(value, types.ModuleType) else type(value).__module__
    return name.partition(".")[0] if isinstance(name, str) else ""
