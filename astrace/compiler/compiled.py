"""START HERE: `Compiled` is a function that runs through its graph; `astrace.compile` makes one.

A call goes through four stages, each a value that can be printed (`Compiled.stages`)::

    rewritten  = rewrite(function)                     source → source
    recording  = trace(function, arguments, rewrite)   calls → block
    block      = passes.run(recording.block)           block → block
    executable = backend.compile_block(block)          block → source → callable

``specialise`` runs them.  The result is kept as a specialisation: a run with the guards under which it is
valid.  A hot call finds its specialisation in generated straight-line code (``dispatcher``); a call that none
fits traces again, up to a limit; a function that can't be captured runs as the plain Python it is, with its
reason.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from astrace.backends.base import Executable
from astrace.backends.select import refused_loops
from astrace.compiler.bound_compiled import BoundCompiled
from astrace.compiler.direct_calls import CallCounter, with_direct_calls
from astrace.compiler.dispatcher import arguments_given, build_dispatcher, plain_entrance
from astrace.compiler.explain import explain
from astrace.compiler.function_attributes import STATE, Named, OfFunction, bind_as_python
from astrace.compiler.recompiles import failures_text, limit_reason, nearest_failures, promotable
from astrace.compiler.recordable import Recordable
from astrace.compiler.specialise import fallback, specialise, with_executable
from astrace.compiler.stages import Counter, Entry, Options, Stages, Stats
from astrace.compiler.target import NO_KEYWORDS, Target
from astrace.errors import Reason
from astrace.guards.access_paths import Path
from astrace.guards.kinds import holds, in_turn
from astrace.locations import Location
from astrace.tracing.context import CURRENT
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.tracer import Tracer
from astrace.util import events
from astrace.util.capture_budget import Allowance, Budget
from astrace.util.entrances import CompiledForm, Entrance
from astrace.util.replaced_builtins import replaced_builtin

P = ParamSpec("P")
R = TypeVar("R")


class RecompileLimit(RuntimeWarning):
    """A function was specialised so often that it runs as plain Python from now on."""


class Compiled(Named, Recordable, CompiledForm, Generic[P, R]):
    """A function that runs through its graph; made by `astrace.compile`.

    It is called as the function is, and keeps its name, signature, documentation and hints.
    """

    if TYPE_CHECKING:

        def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
            """Call the function."""
            ...
    else:
        # A slot of each instance: Python calls the dispatcher in it directly, with nothing packed in between.
        __slots__ = ("__call__", "__dict__", "__weakref__", *STATE)

    def __init__(self, function: Callable[P, R], options: Options) -> None:
        self.__astrace_function__ = function
        functools.update_wrapper(self, function)
        self._options = options
        self.__astrace_options__: Options = options
        self._lock = threading.RLock()
        self._calls, self._fallbacks = CallCounter(options), Counter()
        self._traces = self._misses = 0
        self._recorder = events.RECORDER.get()
        self.__astrace_entrance__: Entrance = Entrance(self._build_entrance)
        self.start_again()

    def start_again(self) -> None:
        """Forget all captures: the function has been replaced, or has other parameters or code."""
        self.__astrace_target__: Target = Target.of(self.__astrace_function__)
        self._entries: list[Entry] = []
        self._unfinished: Entry | None = None
        self._retired: Reason | None = None
        self._changing: frozenset[Path] = frozenset()
        self._allowance = Allowance()
        self._freezer = Freezer(self._options.freeze, self.__astrace_target__.function)
        self._renew(self._build())

    # -- looking inside ------------------------------------------------------------------------------

    @property
    def stats(self) -> Stats:
        """The counts of calls, captures, guard failures and fallbacks."""
        kernels = [kernel for entry in self._entries for kernel in entry.stages.kernels if kernel.is_used]
        return Stats(self._calls.value, self._traces, self._misses, self._fallbacks.value, len(kernels))

    @property
    def captures(self) -> tuple[Stages, ...]:
        """The stages of each specialisation so far, those that run as plain Python included."""
        unfinished = [] if self._unfinished is None else [self._unfinished]
        return tuple(entry.stages for entry in (*self._entries, *unfinished))

    def stages(self, /, *args: P.args, **kwargs: P.kwargs) -> Stages:
        """Return what each stage makes of a call with these arguments; nothing of the function is run."""
        given = self.__astrace_target__.example("stages", args, kwargs)
        with self._lock:
            if self._retired is not None:
                return Stages(fallback=self._retired)
            name = replaced_builtin()
            if name is not None:
                return self._without_builtin(given, name).stages
            entry = self._known(given) or self._new(given) or self._beyond_limit(given)
            return entry.stages

    def explain(self, /, *args: P.args, **kwargs: P.kwargs) -> str:
        """Return the source, each line with a note: captured as what, read at each call, guarded, left plain."""
        self.__astrace_target__.example("explain", args, kwargs)
        stages, options = self.stages(*args, **kwargs), self._options
        loops = refused_loops(stages.graph.block, options.backend, options.mode) if stages.graph else ()
        return explain(self.__astrace_target__.function, stages, loops)

    # -- specialisations -----------------------------------------------------------------------------

    def _build(self) -> Callable[..., Any]:
        """Return the dispatcher over the present specialisations."""
        return self.__astrace_plain__() if is_disabled() else self._dispatcher()

    def _build_entrance(self) -> Callable[..., Callable[[], Any]]:
        """Return the entrance: the dispatcher for callers that run the call themselves."""
        if self._options.to is not None:  # arrays are converted around the call
            return functools.partial(functools.partial, self)
        found, recorder = self.__astrace_finder__(), self._recorder
        return found if recorder is None else recorder.timed_entrance(self, found)

    def __astrace_finder__(self) -> Callable[..., Callable[[], Any]]:
        """Return what finds the run of a call."""
        if self._retired is not None:
            return plain_entrance(self.__astrace_function__, [self._calls.step, self._fallbacks.step])
        if is_disabled():
            return plain_entrance(self.__astrace_function__, [self._calls.step])
        return self._dispatcher(enters=True)

    def _dispatcher(self, enters: bool = False) -> Callable[..., Any]:
        """Return the function that finds the specialisation for a call; it runs it, too, unless ``enters`` is set."""
        target = self.__astrace_target__
        specialisations = [entry.specialisation for entry in self._entries]
        watch = None if events.OBSERVER.get() is None else self._watched
        dispatch = build_dispatcher(
            *(target.signature, target.name, specialisations, self._miss, self._calls.steps, watch, enters),
            on_last=self._called_often,
        )
        if watch is None and not enters and self._recorder is None:
            dispatch = with_direct_calls(dispatch, target.signature, self._entries, self._calls)
        if target.named is NO_KEYWORDS:
            return functools.partial(dispatch, *target.first) if target.first else dispatch
        given = functools.partial(dispatch)
        # the keywords are those of each call: the dict is shared
        given.__setstate__((dispatch, target.first, target.named, {}))  # type: ignore[attr-defined]
        return given

    def _renew(self, dispatch: Callable[..., Any]) -> None:
        recorder = self._recorder
        object.__setattr__(self, "__call__", dispatch if recorder is None else recorder.timed(self, dispatch))
        self.__astrace_entrance__.renew()

    def _miss(self, arguments: dict[str, Any]) -> Callable[[], Any]:
        """Capture for a call that no specialisation fits; the dispatcher itself calls what is returned."""
        given = arguments_given(arguments)
        # `isinstance` may run the value's code.
        if any(issubclass(type(value), Tracer) for value in given.values()):
            return functools.partial(self._inline, given)
        specialisation = self._entry(given).specialisation
        if specialisation.on_plain is not None:
            specialisation.on_plain()
            args, kwargs = self.__astrace_target__.arguments(given)
            return functools.partial(self.__astrace_target__.function, *args, **kwargs)
        return functools.partial(specialisation.run, *(path.follow(given) for path in specialisation.inputs))

    def _watched(self, arguments: dict[str, Any]) -> None:
        """Report a call that runs through an earlier capture."""
        events.called(self, arguments_given(arguments))

    def _inline(self, given: Mapping[str, Any]) -> Any:
        """Trace a call from unrewritten code inside another trace, so that the function becomes part of that graph."""
        outer = CURRENT.get()
        assert outer is not None
        args, kwargs = self.__astrace_target__.arguments(given)
        return outer.operators.call(self.__astrace_target__.function, *args, **kwargs)

    def _entry(self, given: dict[str, Any]) -> Entry:
        """Return the specialisation for a call; make it if there is none."""
        with self._lock:
            name = replaced_builtin()
            if name is not None:
                return self._without_builtin(given, name)
            entry = self._known(given)
            if entry is None:
                self._misses += bool(self._entries)
                entry = self._new(given) or self._retire(given)
            return entry

    def _known(self, given: Mapping[str, Any]) -> Entry | None:
        """Return the specialisation that fits a call, if there is one."""
        omitted = self.__astrace_target__.omitted(given)
        for entry in self._entries:
            found = entry.specialisation
            if found.omitted == omitted and all(holds(guard, given) for guard in in_turn(found.guards)):
                return entry
        return None

    def _new(self, given: dict[str, Any]) -> Entry | None:
        """Make one more specialisation, unless the limit is reached."""
        target, limit = self.__astrace_target__, self._options.recompile_limit
        failed = nearest_failures(self._entries, target, given)
        if len(self._entries) >= limit:
            return None
        if self._entries:
            number = f"capture {len(self._entries) + 1} of at most {limit}"
            events.emit("recompiles", f"{target.name} is captured again ({number})", failures_text(failed))
        self._traces += target.is_python
        self._changing |= promotable(failed, given)
        events.captured(self, given)
        budget, started = self._budget(), time.perf_counter_ns()
        entry = specialise(
            target, given, self._options, self._fallbacks.step, failed, self._changing, self._freezer, budget
        )
        if self._recorder is not None:
            self._recorder.specialised(self, entry.stages, time.perf_counter_ns() - started)
        if entry.stages.fallback is not None:
            self._allowance.charge(budget, entry.unfinished)
        self._unfinished = entry if entry.unfinished else None
        if entry.unfinished:
            return entry
        if entry.stages.fallback is None or not self._options.fullgraph:
            self._entries.append(entry)
            self._watch_warm_up(entry)
            self._renew(self._build())
        return entry

    def _budget(self) -> Budget:
        """Return what the next capture may cost."""
        return self._allowance.budget()

    def _watch_warm_up(self, entry: Entry) -> None:
        """Take the program that a hot one is compiled to, when there is one."""
        executable = entry.stages.executable
        if executable is not None and executable.warm_up is not None:
            executable.warm_up.replace = functools.partial(self._replace, entry)
        if executable is not None and executable.direct is not None:
            executable.direct.when_ready(self._rebuild)

    def _called_often(self) -> None:
        """Count a call for which there was no step left, and let machine code take the next ones, if nobody else is at work here."""
        self._calls.step()
        if not self._lock.acquire(blocking=False):
            return
        try:
            self._calls.used_up()
            self._rebuild()
        except RecursionError:
            pass  # there is room on the stack for the call, but not for this: the next one tries again
        finally:
            self._lock.release()

    def _rebuild(self) -> None:
        """Build the dispatcher anew: calls of a specialisation may be machine code's own from now on."""
        with self._lock:
            if self._retired is None:
                self._renew(self._build())

    def _replace(self, entry: Entry, executable: Executable) -> None:
        """Run a specialisation through another program from now on."""
        with self._lock:
            position = next((index for index, one in enumerate(self._entries) if one is entry), None)
            if position is None:
                return
            self._entries[position] = with_executable(entry, executable)
            self._watch_warm_up(self._entries[position])
            if self._retired is None:
                self._renew(self._build())

    def _without_builtin(self, given: Mapping[str, Any], name: str) -> Entry:
        """Return an entry, not kept, that runs the plain function while a builtin that astrace needs is replaced."""
        target = self.__astrace_target__
        hint = "put it back, or replace it in the modules that are meant"
        where = Location.begun(target.function.__code__) if target.is_python else None
        reason = Reason("AT211", f"the builtin `{name}` is replaced", where, hint)
        return fallback(target, given, self._options, reason, (), self._fallbacks.step)

    def _beyond_limit(self, given: Mapping[str, Any]) -> Entry:
        """Return an entry that runs the plain function for a call beyond the limit of specialisations."""
        target, limit = self.__astrace_target__, self._options.recompile_limit
        failed = nearest_failures(self._entries, target, given)
        reason = limit_reason(target, self._entries, failed, limit)
        return fallback(target, given, self._options, reason, (), self._fallbacks.step, failed=failed)

    def _retire(self, given: Mapping[str, Any]) -> Entry:
        """Run the plain function from now on, since the limit is reached, and say so once."""
        entry = self._beyond_limit(given)
        if self._retired is None and not self._options.fullgraph:
            self._retired = entry.stages.fallback
            self._renew(self.__astrace_plain__())
            if not self._options.quiet:
                warnings.warn(RecompileLimit(str(self._retired)), stacklevel=4)
        return entry

    # -- being a function ------------------------------------------------------------------------------

    __code__: OfFunction = OfFunction(calls=True)
    __defaults__: OfFunction = OfFunction(calls=True)
    __kwdefaults__: OfFunction = OfFunction(calls=True)
    __globals__: OfFunction = OfFunction()
    __closure__: OfFunction = OfFunction()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self

    def __set_name__(self, owner: type, name: str) -> None:
        bind_as_python(self, owner, name)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundCompiled(self, instance)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name where the name leads here, as a decorated function's does; else by function and options."""
        name: str = getattr(self, "__qualname__", "")
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        for part in name.split("."):
            found = getattr(found, part, None)
        return name if found is self else (Compiled, (self.__astrace_function__, self._options))

    def __repr__(self) -> str:
        return f"<compiled {self.__astrace_function__!r}>"


def is_disabled() -> bool:
    """Return whether astrace is switched off, so that everything runs as plain Python."""
    return os.environ.get("ASTRACE_DISABLE", "") not in ("", "0")
