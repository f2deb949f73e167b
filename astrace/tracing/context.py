"""One trace: everything that is known while a function is being captured.

`Trace` holds the parts (the recorder that is being written to, the journal of objects, the reads of outside
state) and the few things that all of them need: the user's line, notes for ``explain``, and the ways to
end the capture.  It is reached through a context variable, so nested traces and those of other threads don't meet.
"""

from __future__ import annotations

import inspect
import math
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final, NoReturn, Protocol

from astrace.errors import Reason
from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import Spec
from astrace.locations import Location
from astrace.ops.effects import itself_may_raise, may_raise, may_warn
from astrace.tracing.changes.journal import Changes, Creation, Journal, Site
from astrace.tracing.float_errors import lets_raise, raises_outside
from astrace.tracing.notes import Note
from astrace.tracing.operators_protocol import Operators
from astrace.tracing.plan import MOVE, Chain, Plan, is_unsure
from astrace.tracing.recorder import Recorder
from astrace.tracing.scopes import (
    error_location,
    is_own,
    rewritten_frame,
    rewritten_frames,
    scope_in,
)
from astrace.tracing.signals import Leaves, Restart, Uncapturable
from astrace.tracing.state_protocol import OutsideState
from astrace.tracing.tracer import holds_tracer
from astrace.tracing.values.closures import GENERATOR, LOCAL, MadeFunction
from astrace.util.capture_budget import INPUT, ITEMS, NODE, OPERATOR, Budget, items_of, used_up
from astrace.util.events import TRACE

CURRENT: Final[ContextVar[Trace | None]] = TRACE
NONE_OF_THEM: Final[Callable[[Any], bool]] = ().__contains__


class TryWatch(Protocol):
    """An observer of a ``try`` body: is told wherever it may raise, to save what names hold there."""

    def raises(self, node: Node) -> None:
        """Take note that the next node may raise."""

    def hold(self) -> None:
        """Take note that the next node is a control flow node that may raise, or that an iteration of a loop ends."""

    def leave(self) -> None:
        """Take note that code of another frame goes on; a handler there finds the names as they are now."""


@dataclass(frozen=True, slots=True)
class OpenTry:
    """A ``try`` body that is being traced.

    Args:
        recorder: the block that it is written to.
        watch: is told of it, if the body is to be a region of a node.
    """

    recorder: Recorder
    watch: TryWatch | None


@dataclass(frozen=True, slots=True)
class Making:
    """Something that makes an item, such as a generator.

    Args:
        tries: how many ``try`` bodies are open around it.
        depth: how many others are made meanwhile, this one among them.
    """

    tries: int
    depth: int


@dataclass(slots=True)
class Region:
    """A region that was recorded: its block in the making, what its function returned, what it changed.

    Args:
        recorder: holds the nodes.
        result: what the traced function returned; meaningless where the region leaves.
        changes: what it changed of objects and outside state.
        leaves: its end is never reached.
    """

    recorder: Recorder
    result: Any = None
    changes: Changes = field(default_factory=lambda: Changes({}, {}))
    leaves: bool = False


@dataclass(slots=True)
class OperatorCalls:
    """The operators of a pipeline (`astrace.script`).

    Args:
        declared: those that there are, by ``id``.
        called: those that this trace has called, likewise.
    """

    declared: Mapping[int, tuple[Any, bool]] = field(default_factory=dict[int, tuple[Any, bool]])
    called: dict[int, Any] = field(default_factory=dict[int, Any])


class Trace:
    """The state of one attempt to capture a function.

    Args:
        function: the function being captured.
        rewrite: gives the rewritten form of a Python function.
        ag: the operators that rewritten code calls, by name.
        operators: what other parts of tracing ask of the operators.
        plan: what earlier attempts have taught.
        budget: what they and this one may cost together; by default anything.
    """

    def __init__(
        self,
        function: types.FunctionType,
        rewrite: Callable[[types.FunctionType], Any],
        ag: types.ModuleType,
        operators: Operators,
        plan: Plan,
        budget: Budget | None = None,
        left_out: Callable[[Any], bool] | None = None,
    ) -> None:
        self.function = function
        self.left_out = left_out or NONE_OF_THEM
        self.rewrite = rewrite
        self.ag = ag
        self.operators = operators
        self.plan = plan
        self.budget = budget or Budget(math.inf, math.inf)
        self.began = self.budget.spent
        self.root = self.recorder = Recorder()
        self.journal = Journal(self.spend_on)
        self.notes: dict[Note, None] = {}
        self.producers: dict[Value, Node] = {}
        self.starts: dict[Value, tuple[Operand, ...]] = {}
        self.runs_code: dict[tuple[Value, bool], bool] = {}
        self.truths: dict[Value, bool] = {}
        self.loops: list[Any] = []
        self.sinks: list[Callable[[Any], Any]] = []
        self.handled: list[Any] = []
        self.plain_calls: list[Reason] = []
        self.calls: list[types.CodeType] = []
        self.recursions: Counter[types.CodeType] = Counter()
        self.costs: defaultdict[types.CodeType, float] = defaultdict(float)
        self.errors: dict[int, tuple[BaseException, bool]] = {}
        self.tries: list[OpenTry] = []
        self.lookups: list[Any] = []
        self.called: tuple[int, str] | None = None
        self.asides: list[Any] = []
        self.making: list[Making | None] = []
        self.floats_raise: bool | None = None
        self.sites: dict[Value, Site] = {}
        self.functions: dict[Hashable, types.FunctionType] = {}
        self.local_functions: dict[int, MadeFunction] = {}
        self.operator_calls = OperatorCalls()
        self.hands_out_functions = any(site[0] in (LOCAL, GENERATOR) for site in plan.objects)
        self.protected = self.handlers = self.waiting = 0
        self.learnt = self.learnt_items = False
        self.before_guess: Plan | None = None
        self.raised_at: Location | None = None
        self.inner: tuple[types.FrameType | None, int] = None, 0
        self.state: OutsideState

    # -- where we are ------------------------------------------------------------------------------

    def location(self) -> Location | None:
        """The user's line that is being traced."""
        if self.raised_at is not None:
            return self.raised_at
        found = rewritten_frame(inspect.currentframe())
        if found is None:
            return None
        frame, scope = found
        file, line, function = frame.f_code.co_filename, self._line(frame), scope.function.__qualname__
        if file == self.function.__code__.co_filename:
            return Location(file, line, function)
        # A frame that is no generator's has one caller.
        if frame is not self.inner[0] or frame.f_code.co_flags & inspect.CO_GENERATOR:
            self.inner = frame, self._line_around(frame.f_back)
        return Location(file, line, function, self.inner[1])

    def _line_around(self, frame: types.FrameType | None) -> int:
        """Return the line of the captured function, or another one in its file, that led to a frame; 0 if there is none."""
        root_file = self.function.__code__.co_filename
        while (found := rewritten_frame(frame)) is not None:
            if found[0].f_code.co_filename == root_file:
                return self._line(found[0])
            frame = found[0].f_back
        return 0

    def _line(self, frame: types.FrameType) -> int:
        return self.plan.lines(frame.f_code)[frame.f_lasti // 2]

    def site(self, kind: str) -> Site:
        """Return the present place in the program; each place counts the objects it makes within one iteration."""
        for frame, _ in rewritten_frames():
            self.plan.lines(frame.f_code)  # keeps the code, so that its id stays its own
            return (kind, id(frame.f_code), frame.f_lasti)
        return (kind,)

    def chain(self) -> Chain:
        """Return the present place in the program, and those of the calls that led to it."""
        frames = [frame for frame, _ in rewritten_frames()]
        for frame in frames:
            self.plan.lines(frame.f_code)
        return tuple((id(frame.f_code), frame.f_lasti) for frame in frames)

    def plain(self, reason: Reason) -> None:
        """Remember that a call is left to plain Python."""
        self.plain_calls.append(reason)

    def note(self, code: str, message: str) -> None:
        """Remember something about the present line."""
        self.notes[Note(code, message, self.location())] = None

    # -- ending ------------------------------------------------------------------------------------

    def stop(self, code: str, message: str, hint: str = "") -> NoReturn:
        """End the capture: the plain function runs."""
        where = self.location() or Location.of(self.function.__code__)
        raise Uncapturable(Reason(code, message, where, hint or MOVE))

    def spend(self, work: float) -> None:
        """Count some work of the capture.

        Raises:
            Exhausted: that is more than it may take.
        """
        if self.budget.spend(work):
            where = self.location() or Location.of(self.function.__code__)
            raise used_up(self.function.__name__, where)

    def spend_on(self, value: Any) -> None:
        """Count the items of a container that is copied."""
        self.spend(items_of(value) / ITEMS)

    def need_object(self, birth: Creation, element: Spec | None = None) -> NoReturn:
        """Start again with a plan in which an object made while tracing exists when the program runs."""
        self.need_sites(birth.origins, element)

    def need_sites(self, sites: Sequence[Site], element: Spec | None = None) -> NoReturn:
        """Start again with a plan in which the objects made at some sites exist when the program runs."""
        if not self.plan.require(sites, element) and not self.learnt:
            self.stop(
                "AT208",
                "an object that the function makes is needed when the program runs, and can't be made there",
                MOVE,
            )
        raise Restart

    def need_tuples(self) -> NoReturn:
        """Start again with a plan in which branches and loops tell which tuple they lead to."""
        if self.plan.tuples and not self.learnt:
            self.stop("AT208", "which of several tuples this is can't be told when the program runs", MOVE)
        self.plan.tuples = True
        raise Restart

    def learn(self, sites: Sequence[Site], element: Spec | None = None) -> None:
        """Add sites to the plan and go on, to learn more; this attempt is then thrown away.

        Of items that may be anything the next attempt learns, if this one has learnt of others: they may depend on these.
        """
        unsure = element is not None and is_unsure(element)
        if self.learnt_items and unsure:
            element = None
        self.learnt_items |= element is not None and not unsure
        if not self.plan.require(sites, element) and not self.learnt:
            self.need_sites(sites, element)
        self.learnt = True

    # -- recording ---------------------------------------------------------------------------------

    def operand(self, operand: Operand) -> Operand:
        """Return the operand that stands for another one in the block being written."""
        return operand if isinstance(operand, Constant) else self.recorder.operand(operand)

    def append(self, node: Node) -> None:
        """Write a node down."""
        self.spend(NODE + INPUT * len(node.inputs))
        if not node.regions and may_warn(node) and self._floats_may_raise():
            node = replace(node, raises=True)
        if lets_raise(node):
            self.floats_raise = True
        if self.tries and (itself_may_raise(node) if node.regions else may_raise(node)):
            for one in self.tries:
                if one.watch is not None:
                    one.watch.raises(node)
        self.recorder.append(node)
        for output in node.outputs:
            self.producers[output] = node

    def _floats_may_raise(self) -> bool:
        if self.floats_raise is None and self.tries:
            self.floats_raise = raises_outside(self.state)
        return bool(self.floats_raise)

    @contextmanager
    def region(self) -> Generator[Region]:
        """Record what happens inside into a block of its own; its changes are undone at the end."""
        region = Region(Recorder(self.recorder))
        outer, depth = self.recorder, len(self.loops)
        self.recorder = region.recorder
        self.journal.begin()
        try:
            yield region
        except Leaves:
            region.leaves = True
            raise
        finally:
            self.recorder = outer
            del self.loops[depth:]
            region.changes = self.journal.end()
            self.journal.lose(region.changes, region.leaves)

    def hold(self) -> None:
        """Store what names hold that a handler asks for, where a control flow node may raise later on."""
        for one in self.tries:
            if one.watch is not None:
                one.watch.hold()

    def hold_before(self) -> None:
        """Store names for handlers at the start of an operator called by rewritten code, when names hold what they should."""
        operator = getattr(inspect.currentframe(), "f_back", None)
        if self.tries and operator is not None and scope_in(operator.f_back.f_globals) is not None:
            self.hold()

    def cut_references(self) -> None:
        """End the trace and cut its references to itself, which would keep it until garbage is collected."""
        vars(self.state).clear()
        vars(self).clear()

    @contextmanager
    def undone_unless_kept(self) -> Generator[Callable[[], None]]:
        """Record in place, for an attempt that counts only if the function that it yields is called."""
        recorder, first, held = self.recorder, len(self.recorder.nodes), len(self.state.wholes.held)
        checked = self.state.stale.added
        keep: list[bool] = []
        self.journal.begin()
        try:
            yield lambda: keep.append(True)
        finally:
            if keep:
                self.journal.commit()
            else:
                self.journal.end()
                del recorder.nodes[first:]
                self.state.wholes.release(held)
                self.state.stale.take_back(checked)

    @contextmanager
    def catching(self, watch: TryWatch | None = None) -> Generator[None]:
        """Trace the body of a ``try`` statement; ``watch`` is told of it, if it is a node."""
        self.tries.append(OpenTry(self.recorder, watch))
        try:
            with self.protecting():
                yield
        finally:
            self.tries.pop()

    @contextmanager
    def protecting(self, handler: bool = False) -> Generator[None]:
        """The body of a ``try`` or ``with`` statement, or a handler: something is to happen when it is left."""
        self.protected += 1
        self.handlers += handler
        try:
            yield
        finally:
            self.protected -= 1
            self.handlers -= handler

    def recording_raises(self) -> bool:
        """Return whether ``raise`` is a node here; otherwise Python itself can carry the exception to its handler."""
        if not self.tries:
            return True
        last = self.tries[-1]
        return last.watch is not None or self.recorder is not last.recorder

    # -- the user's own errors ---------------------------------------------------------------------

    def native(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Do something of the user's at once, in Python.

        What it raises is the program's own error, for certain if no tracer took part: a tracer may be refused
        where the value itself would be accepted.
        """
        try:
            return function(*args, **kwargs)
        except Exception as error:
            self.mark(error, certain=not any(map(holds_tracer, (*args, *kwargs.values()))))
            raise

    def native_container(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Do something at once, in Python, that looks only at keys, positions and lengths, never at items."""
        try:
            return function(*args, **kwargs)
        except (LookupError, ValueError) as error:
            self.mark(error, certain=True)
            raise
        except Exception as error:
            self.mark(error, certain=False)
            raise

    def mark(self, error: BaseException, certain: bool) -> None:
        """Remember that an exception is the program's own, not a fault of astrace's."""
        self.errors[id(error)] = (error, certain)

    def is_marked(self, error: BaseException) -> bool:
        """Return whether an exception is the program's own."""
        return self._known(error) is not None

    def _known(self, error: BaseException) -> tuple[BaseException, bool] | None:
        """Return the mark of an exception, if any; a name without a value may have been read by rewritten code itself."""
        found = self.errors.get(id(error))
        if found is None and isinstance(error, NameError) and is_own(error):
            return error, False
        return found

    def catch(self, error: Exception, what: str) -> None:
        """Check that an exception of the program's is real, before it reaches code that depends on it.

        Raises:
            Uncapturable: a tracer may have caused it.
            Exception: the exception itself, if it is not the program's at all.
        """
        known = self._known(error)
        if known is None:
            raise error
        if not known[1]:
            message = f"{what} raises {type(error).__name__}: {error}"
            raise Uncapturable(Reason("AT202", message, error_location(error)))


def current() -> Trace:
    """The trace that is going on.

    Raises:
        RuntimeError: there is none: rewritten code was called outside a trace.
    """
    trace = CURRENT.get()
    if trace is None:
        raise RuntimeError("rewritten code runs only while its function is being traced")
    trace.spend(OPERATOR)
    return trace
