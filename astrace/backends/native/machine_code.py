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
import platform
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrace.backends.base import EXACT, Mode
from astrace.backends.native import host
from astrace.backends.native.background.messages import Compilation, argument_data, described
from astrace.backends.native.background.turn import Turn, settings
from astrace.backends.native.entry.checks import NO_CHECKS, NONE, EntryChecks
from astrace.backends.native.entry.frame import not_implemented
from astrace.backends.native.host import LoopCall
from astrace.backends.native.signature import NAME, KeptPart, KernelArgument, arguments_of
from astrace.backends.native.source import KernelSource
from astrace.ir.specs import Spec
from astrace.ops import lowered, lowered_copies, lowered_lists, lowered_products, lowered_searches
from astrace.ops.numpy.draws import FUNCTIONS
from astrace.passes.bake.rng_state import put_back
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.util.events import emit
from astrace.util.uncollected import uncollected
from astrace.version import __version__

KIND: Final = "machine-code"
REASON: Final = b"astrace: "
"""In front of the reason why there is no machine code, in its place."""
UNTESTED: Final = (None,) * NONE
BEFORE_CHANGE: Final = 64
"""The calls with axes in another order until the piece for that is the latest one: in loops, views take turns."""
MOST_ORDERS: Final = 8
"""The number of combinations of axes' orders that a kernel is compiled for; one more is for all the others."""
COMPILERS: Final = (
    *("arithmetic/unrolled_products", "arithmetic/small_reductions", "arithmetic/complex_numbers", "machine"),
    *("arithmetic/negative_powers", "arithmetic/error_settings", "arithmetic/rounded_powers", "number_lists"),
    *("arithmetic/small_products", "arithmetic/c_functions", "arithmetic/hypotenuses", "arithmetic/extremes"),
    *("arithmetic/block_sums", "arithmetic/loop_flags", "drawing/inline_words", "arithmetic/searches"),
    *("drawing/inline_bits", "arithmetic/sorting", "direct/interpreter", "drawing/generators", "numpy_loops"),
    *("entry/freed_memory", "modes/vector_math", "arithmetic/flags", "entry/kept_parts", "drawing/c_draws"),
    *("drawing/streams", "entry/item_logs", "direct/opcodes", "entry/checking", "entry/entrance", "polling"),
    *("modes/threads", "numpy_arrays", "entry/checks", "entry/ledger", "entry/memory", "object_code", "host"),
    *("signature", "symbols"),
)
"""The modules beside this one that machine code depends on."""
OPS_OF_TEXT: Final = lowered, lowered_lists, lowered_products, lowered_searches
DRAWING: Final = frozenset({"draw", "fill_draws"})
"""The ops that draw from random generators."""


class Uncompiled(Exception):
    """A kernel has no machine code here."""


@dataclass(frozen=True, slots=True)
class KernelPiece:
    """What becomes one object file.

    Args:
        source: for Numba.
        file: the user's file.
        written: the places of the generators that are put back where it gives up.
        arguments: the types of the inputs.
        checks: what it tests of them.
        mode: what it may do to be faster.
        copied: the parts of arrays that it copies before it writes, and that are put back.
    """

    source: KernelSource
    file: str
    written: tuple[int, ...]
    arguments: tuple[KernelArgument, ...]
    checks: EntryChecks = NO_CHECKS
    mode: Mode = EXACT
    copied: tuple[KeptPart, ...] = ()

    def key(self) -> bytes:
        """Return the key of its entry.

        Raises:
            Uncompiled: it calls a loop that NumPy does not have.
        """
        texts = [_known(one) for one in (self.source, *self.source.parts)]
        types = argument_data(self.arguments)
        told = [asdict(one) for one in (*self.copied, self.checks, self.mode)]
        return key_of(KIND, texts, types, self.written, told, surroundings())

    def message(self) -> dict[str, Any]:
        """Return it as JSON has it, for another process."""
        return {
            **_told(self.source),
            "parts": [_told(part) for part in self.source.parts],
            "file": self.file,
            "written": self.written,
            "arguments": argument_data(self.arguments),
            "checks": asdict(self.checks),
            "mode": asdict(self.mode),
            "copied": [asdict(part) for part in self.copied],
        }

    def compiled(self, name: str) -> bytes:
        """Compile an object file through Numba; where it can't be, the reason stands in its place.

        Args:
            name: of the function in it.

        Raises:
            Uncompiled: nothing can be compiled here.
        """
        source, started = self.source, time.perf_counter()
        machine = imported("machine")
        if not machine.FLAGS:
            raise Uncompiled("the processor's status flags are not known")
        try:
            exact = self.mode.exact
            functions, loops = machine.names(exact)
            function = source.loaded(
                self.file,
                lambda namespace: host.bound(namespace, functions, loops),
                lambda part: machine.part(part, exact),
            )
            put_back = machine.PutBack(self.written, self.copied)
            with uncollected():
                code = machine.object_file(function, self.arguments, put_back, self.checks, name, self.mode)
        except machine.REFUSALS as error:
            return REASON + f"Numba does not compile it: {str(error).splitlines()[0]}".encode()
        took = time.perf_counter() - started
        emit("backends", f"{source.name}: compiled to machine code in {took:.2f} s")
        return code

    def from_cache_or_compiled(self) -> tuple[str, bytes]:
        """Return the name of the function, and an object file or a reason, out of the cache or compiled and kept.

        Raises:
            Uncompiled: nothing can be compiled here.
        """
        key, cache = self.key(), current()
        kept = None if cache is None else cache.get(KIND, key)
        return _name(key), self.kept(key) if kept is None else kept

    def kept(self, key: bytes) -> bytes:
        """Compile an object file, and keep it for the next process; there may be a reason in its place.

        Args:
            key: of its entry.

        Raises:
            Uncompiled: nothing can be compiled here.
        """
        made, cache = self.compiled(_name(key)), current()
        if cache is not None and (made.startswith(REASON) or imported("object_code").can_be_kept(made)):
            cache.put(KIND, key, made)
        return made


@dataclass(frozen=True, slots=True)
class KernelText:
    """What is compiled.

    Args:
        source: for Numba.
        file: the user's file.
        specs: the types of the inputs; ``None`` for one that is not used.
        written: the places of the generators that are put back where it gives up.
        checks: what machine code tests of the inputs.
        mode: what it may do to be faster.
        copied: the parts of arrays that it copies before it writes, and that are put back.
    """

    source: KernelSource
    file: str
    specs: tuple[Spec | None, ...]
    written: tuple[int, ...]
    checks: EntryChecks = NO_CHECKS
    mode: Mode = EXACT
    copied: tuple[KeptPart, ...] = ()


class KernelCode:
    """The machine code of a kernel.

    ``compilations`` counts the pieces that were compiled in this process.  ``latest`` is the piece that was used last: called
    with the arguments, it tests them first.

    Args:
        text: what is compiled.
        held: the objects that machine code looks at.
        turn: asks another process; without one, this process compiles.
    """

    def __init__(self, text: KernelText, held: tuple[Any, ...], turn: Turn | None = None) -> None:
        self.compilations = 0
        self.latest: Callable[..., Any] = not_implemented
        self._others = 0
        self._text = text
        self._turn = turn
        self._held = held
        self._pieces: dict[tuple[KernelArgument, ...], Callable[..., Any]] = {}

    def __call__(self, *args: Any) -> Any:
        """Run it, without a test; gives what the kernel returns, or ``None`` where it has given up, and put back what it has written.

        Raises:
            Uncompiled: there is no machine code for these arguments.
            Awaited: another process is making it.
        """
        found = self.latest(*args, *UNTESTED)
        return found if found is not NotImplemented else self._piece(args)(*args, *UNTESTED)

    def in_another_order(self, args: Sequence[Any]) -> Any:
        """Return what a piece gives that is not the latest one, for axes in another order; it tests the arguments, too."""
        for piece in self._pieces.values():
            found = NotImplemented if piece is self.latest else piece(*args)
            if found is not NotImplemented:
                self._others += 1
                if self._others % BEFORE_CHANGE == 0:  # they may have that order for good
                    self.latest = piece
                return found
        return NotImplemented

    def _piece(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The machine code for arguments, which are expected to come again."""
        for any_order in (False, True):
            arguments = arguments_of(self._text.specs, args, any_order)
            if arguments in self._pieces or len(self._pieces) < MOST_ORDERS:
                break
        if arguments not in self._pieces:
            self._pieces[arguments] = self._made(arguments)
        self.latest = self._pieces[arguments]
        return self.latest

    def _made(self, arguments: tuple[KernelArgument, ...]) -> Callable[..., Any]:
        """Load machine code, or have it compiled."""
        text = self._text
        piece = KernelPiece(
            text.source, text.file, text.written, arguments, text.checks, text.mode, text.copied
        )
        with put_back(()):  # modules are imported when they are needed first: they are large
            if self._turn is None:
                return self._found(piece) or self._compiled(piece)
            if self._turn.looks_on_disk and (found := self._found(piece)) is not None:
                return found
            place = f"{text.source.name} ({text.file})"
            answer = self._turn.answer((id(self), arguments), place, piece.message())
            if answer.is_absent:
                return self._found(piece) or self._compiled(piece)
            if answer.failure:
                raise Uncompiled(answer.failure)
            return self._answered(piece, answer)

    def _found(self, piece: KernelPiece) -> Callable[..., Any] | None:
        """Machine code out of the cache, if it is there."""
        object_code, key, cache = imported("object_code"), piece.key(), current()
        kept = None if cache is None else cache.get(KIND, key)
        if cache is None or kept is None:
            return None
        try:
            function = _loaded(object_code, kept, _name(key), self._held)
        except object_code.Unloadable as error:
            cache.ignore(KIND, key, str(error))
            return None
        emit("backends", f"{self._text.source.name}: machine code from the cache")
        return function

    def _compiled(self, piece: KernelPiece) -> Callable[..., Any]:
        """Machine code that is compiled now, and kept for the next process."""
        object_code, key = imported("object_code"), piece.key()
        self.compilations += 1
        try:
            return _loaded(object_code, piece.kept(key), _name(key), self._held, made_here=True)
        except object_code.Unloadable as error:
            raise Uncompiled(str(error)) from None

    def _answered(self, piece: KernelPiece, answer: Compilation) -> Callable[..., Any]:
        """Machine code that another process has compiled, or found in the cache."""
        object_code, key, cache = imported("object_code"), piece.key(), current()
        try:
            return _loaded(object_code, answer.code, answer.name, self._held)
        except object_code.Unloadable as error:
            if cache is not None:
                cache.ignore(KIND, key, str(error))
            raise Uncompiled(str(error)) from None


def _known(source: KernelSource) -> Any:
    """Return a text and all that it refers to.

    Raises:
        Uncompiled: it calls a loop that NumPy does not have.
    """
    names = {name: [*described(value), *_loop(value)] for name, value in source.namespace.items()}
    return [source.text, names]


def _told(source: KernelSource) -> dict[str, Any]:
    """Return a text and what it refers to as JSON has it."""
    names = {name: described(value) for name, value in source.namespace.items()}
    return {"name": source.name, "text": source.text, "namespace": names}


def _name(key: bytes) -> str:
    """Return the name of the function in an object file."""
    return f"{NAME}{key.hex()[:32]}"


def _loaded(
    object_code: Any, found: bytes, name: str, held: tuple[Any, ...], made_here: bool = False
) -> Callable[..., Any]:
    """Return the function of an entry of the cache; there may be the reason in it why there is none.

    Raises:
        Unloadable: it can't be loaded here.
        Uncompiled: it is a reason.
    """
    if found.startswith(REASON):
        raise Uncompiled(found[len(REASON) :].decode())
    return object_code.load_function(found, name, held, made_here)


def imported(name: str) -> Any:
    """Return a module of this folder that needs llvmlite or Numba.

    Args:
        name: below this folder.

    Raises:
        Uncompiled: it can't be imported, whatever is wrong with these or with the C library.
    """
    try:
        return importlib.import_module(f"astrace.backends.native.{name}")
    except Exception as error:
        raise Uncompiled(f"machine code can't be made here: {error}") from None


def _loop(value: Any) -> tuple[str, ...]:
    """Return the names of a loop of NumPy's, which this process knows from now on; none of what is no loop.

    Raises:
        Uncompiled: there is no such loop.
    """
    if not isinstance(value, LoopCall) or value.op in ("nothing", *lowered_copies.COPIES):
        return ()
    symbols = imported("symbols")
    try:
        if value.op in DRAWING:
            return tuple(map(symbols.draw_function, filter(None, (FUNCTIONS[value.ufunc].function,))))
        if value.op == "call_math":
            return (symbols.c_function(value.ufunc).function,)
        loop = symbols.inner_loop(value.ufunc, value.types)
    except symbols.NoLoop as error:
        raise Uncompiled(str(error)) from None
    return loop.function, loop.data, str(loop.clears_flags)


@functools.cache
def _compiler() -> tuple[Any, ...]:
    """Return what compiles: versions, and the texts of the modules that take part."""
    binding = importlib.import_module("llvmlite.binding")
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite")]
    folder = Path(__file__).parent
    files = [*(folder / f"{name}.py" for name in COMPILERS), Path(__file__)]
    files += [Path(str(one.__file__)) for one in OPS_OF_TEXT]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
    return (
        __version__,
        digest,
        sys.version,
        sysconfig.get_config_var("SOABI"),
        platform.machine(),
        platform.libc_ver(),
        np.__version__,
        versions,
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )


def surroundings() -> Any:
    """Return all that machine code depends on beside what it does."""
    return [_compiler(), settings()]
