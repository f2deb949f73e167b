"""A kernel as machine code: a piece for each order of its arrays' axes, out of the cache on disk, or compiled.

The key of an entry is the hash of all that machine code depends on: the text of the kernel, the loops of NumPy's and the constants
that it refers to, the types of its arguments, the versions of all that takes part, and the processor.  What is in the
cache is loaded by llvmlite alone; Numba is imported to compile.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import os
import platform
import sys
import sysconfig
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from astrace.backends.native import host
from astrace.backends.native.host import LoopCall
from astrace.backends.native.signature import NAME, KernelArgument, arguments_of
from astrace.backends.native.source import KernelSource
from astrace.backends.python_source.loading import load
from astrace.ir.specs import Spec
from astrace.ops import lowered
from astrace.passes.bake.rng_state import put_back
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.util.events import emit
from astrace.version import __version__

KIND: Final = "machine-code"
REASON: Final = b"astrace: "
"""In front of the reason why there is no machine code, in its place."""
MOST_ORDERS: Final = 8
"""The number of combinations of axes' orders that a kernel is compiled for; one more is for all the others."""
COMPILERS: Final = (
    "machine",
    "numpy_loops",
    "numpy_arrays",
    "entrance",
    "host",
    "object_code",
    "symbols",
    "signature",
)
"""The modules beside this one that machine code depends on."""
SETTINGS: Final = ("NUMBA_", "NPY_")
"""The beginnings of variables of the environment that change what is compiled, or what NumPy computes."""


class Uncompiled(Exception):
    """A kernel has no machine code here."""


@dataclass(frozen=True, slots=True)
class KernelText:
    """What is compiled.

    Args:
        source: for Numba.
        file: the user's file.
        specs: the types of the inputs; ``None`` for one that is not used.
        written: the places of the arrays that it writes.
    """

    source: KernelSource
    file: str
    specs: tuple[Spec | None, ...]
    written: tuple[int, ...]


class KernelCode:
    """The machine code of a kernel.

    ``compilations`` counts the pieces that were compiled in this process.

    Args:
        text: what is compiled.
    """

    def __init__(self, text: KernelText) -> None:
        self.compilations = 0
        self._text = text
        self._pieces: dict[tuple[KernelArgument, ...], Callable[..., Any]] = {}
        self._latest: Callable[..., Any] = _not_implemented

    def __call__(self, *args: Any) -> Any:
        """Run it; gives what the kernel returns, or ``None`` where it has given up, and put back what it has written.

        Raises:
            Uncompiled: there is no machine code for these arguments.
        """
        found = self._latest(*args)
        return found if found is not NotImplemented else self._piece(args)(*args)

    def _piece(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The machine code for arguments, which are expected to come again."""
        for any_order in (False, True):
            arguments = arguments_of(self._text.specs, args, any_order)
            if arguments in self._pieces or len(self._pieces) < MOST_ORDERS:
                break
        if arguments not in self._pieces:
            self._pieces[arguments] = self._made(arguments)
        self._latest = self._pieces[arguments]
        return self._latest

    def _made(self, arguments: tuple[KernelArgument, ...]) -> Callable[..., Any]:
        """Load machine code, or compile it and keep it for the next process."""
        with put_back(()):  # modules are imported when they are needed first: they are large
            object_code = _imported("object_code")
            key = self._key(arguments)
            cache = current()
            name = f"{NAME}{key.hex()[:32]}"
            kept = None if cache is None else cache.get(KIND, key)
            if cache is not None and kept is not None:
                try:
                    function = _loaded(object_code, kept, name, made_here=False)
                    emit("backends", f"{self._text.source.name}: machine code from the cache")
                    return function
                except object_code.Unloadable as error:
                    cache.ignore(KIND, key, str(error))
            made = self._compiled(arguments, name)
            if cache is not None and (made.startswith(REASON) or object_code.can_be_kept(made)):
                cache.put(KIND, key, made)
            try:
                return _loaded(object_code, made, name, made_here=True)
            except object_code.Unloadable as error:
                raise Uncompiled(str(error)) from None

    def _compiled(self, arguments: Sequence[KernelArgument], name: str) -> bytes:
        """Compile an object file through Numba; where it can't be, the reason stands in its place."""
        text, started = self._text, time.perf_counter()
        machine = _imported("machine")
        if not machine.FLAGS:
            raise Uncompiled("the processor's status flags are not known")
        source = text.source
        self.compilations += 1
        try:
            namespace = host.bound(source.namespace, machine.COMPILED, machine.LOOPS)
            function = load(source.text, source.lines, source.name, text.file, namespace)
            code = machine.object_file(function, arguments, text.written, name)
        except machine.REFUSALS as error:
            return REASON + f"Numba does not compile it: {str(error).splitlines()[0]}".encode()
        took = time.perf_counter() - started
        emit("backends", f"{source.name}: compiled to machine code in {took:.2f} s")
        return code

    def _key(self, arguments: Sequence[KernelArgument]) -> bytes:
        """The key of an entry."""
        source = self._text.source
        names = {name: _described(value) for name, value in source.namespace.items()}
        types = [[type(one).__name__, asdict(one)] for one in arguments]
        return key_of(KIND, source.text, names, types, self._text.written, _surroundings())


def _loaded(object_code: Any, found: bytes, name: str, made_here: bool) -> Callable[..., Any]:
    """Return the function of an entry of the cache; there may be the reason in it why there is none.

    Raises:
        Unloadable: it can't be loaded here.
        Uncompiled: it is a reason.
    """
    if found.startswith(REASON):
        raise Uncompiled(found[len(REASON) :].decode())
    return object_code.load_function(found, name, made_here)


def _not_implemented(*_: Any) -> Any:
    return NotImplemented


def _imported(name: str) -> Any:
    """A module of this folder that needs llvmlite or Numba.

    Raises:
        Uncompiled: it can't be imported, whatever is wrong with these or with the C library.
    """
    try:
        return importlib.import_module(f"astrace.backends.native.{name}")
    except Exception as error:
        raise Uncompiled(f"machine code can't be made here: {error}") from None


NAMES: Final[Mapping[int, str]] = {id(function): name for name, function in lowered.FUNCTIONS.items()}
NUMBERS: Final = (bool, int, float, complex, np.generic)


def _described(value: Any) -> Any:
    """Return what a text refers to, as data.

    Raises:
        Uncompiled: it is a loop that NumPy does not have.
    """
    if isinstance(value, LoopCall):
        return ["loop", value.op, *_loop(value)]
    if isinstance(value, ModuleType):
        return ["module", value.__name__]
    if id(value) in NAMES:
        return ["op", NAMES[id(value)]]
    if isinstance(value, NUMBERS):
        kind = type(value)
        number = str(value) if kind is int else np.asarray(value).tobytes().hex()
        return ["number", kind.__module__, kind.__qualname__, number]
    assert isinstance(value, np.dtype), value
    return ["dtype", value.str]


def _loop(call: LoopCall) -> tuple[str, str]:
    """Return the names of a loop of NumPy's.

    Raises:
        Uncompiled: there is none.
    """
    symbols = _imported("symbols")
    try:
        if call.op == "call_math":
            return symbols.c_function(call.ufunc).function, ""
        loop = symbols.inner_loop(call.ufunc, call.types)
    except symbols.NoLoop as error:
        raise Uncompiled(str(error)) from None
    return loop.function, loop.data


@functools.cache
def _compiler() -> tuple[Any, ...]:
    """Return what compiles: versions, and the texts of the modules that take part."""
    binding = importlib.import_module("llvmlite.binding")
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite")]
    folder = Path(__file__).parent
    files = [*(folder / f"{name}.py" for name in COMPILERS), Path(__file__), Path(lowered.__file__)]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
    return (
        __version__,
        digest,
        sys.version,
        sysconfig.get_config_var("SOABI"),
        platform.machine(),
        np.__version__,
        versions,
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )


def _surroundings() -> Any:
    """Return all that machine code depends on beside the kernel."""
    settings = {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
    return [_compiler(), settings]
