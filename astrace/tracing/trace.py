"""From a function and its arguments to a block: the stage between rewriting and passes.

Takes the function, one call's arguments and the rewriter; gives a `Recording`.  Nothing of the user's is
done: the rewritten function runs over tracers, operators write nodes down.  What is learned on the way (a
list must exist when the program runs) may start the trace again.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from astrace.errors import Reason
from astrace.guards.access_paths import Argument, Attribute, Item, Path, Root, derived_keys
from astrace.guards.kinds import Guard, HasKeys
from astrace.ir.block import Block, Constant
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.ops.callables.operators import OPERATORS
from astrace.tracing import ag
from astrace.tracing.changes.array_checks import with_array_checks
from astrace.tracing.context import CURRENT, Trace
from astrace.tracing.endings import ended_by
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.external.inputs import Input
from astrace.tracing.external.reads import OutsideReads
from astrace.tracing.lessons import KnownLessons, Learning
from astrace.tracing.line_watchers import unwatched
from astrace.tracing.notes import Note
from astrace.tracing.operators import services
from astrace.tracing.outlining import Inlined, afford, leave_costly
from astrace.tracing.plan import MOVE, Plan
from astrace.tracing.results import result_tree
from astrace.tracing.scopes import FunctionScope, error_location
from astrace.tracing.signals import Leaves, Restart, Stop, Uncapturable
from astrace.tracing.values.operands import holds_local_function, operand
from astrace.util.capture_budget import COMPILED_NODE, INPUT, WORTH_RESUMING, Budget, Exhausted
from astrace.util.code_stubs import code_of
from astrace.util.events import emit
from astrace.util.signatures import signature_of
from astrace.util.trees import Tree
from astrace.util.uncollected import uncollected

MOST_RESTARTS: Final = 60

Rewriter: TypeAlias = Callable[[types.FunctionType], Any]


@dataclass(frozen=True, slots=True)
class Recording:
    """The result of a trace.

    Args:
        block: the captured program.
        result: how the block's outputs make up what the function returns.
        inputs: where each input of the block is found at a call.
        guards: what must hold for a call to be like the traced one.
        locations: the lines that asked for the guards; the function's first for what it is called with.
        guarded_at: the lines at which something was decided by a guard.
        notes: what was captured as what, line by line.
        plain_calls: the calls left to plain Python, with the reasons.
        graph_calls: the calls of compiled functions that run through graphs of their own, with the reasons.
        promoted: the paths whose values were found to change and are read when the program runs.
        on_request: the constants that reads were fixed as on request.
        operators: the operators, by ``id``, that some of its nodes call.
    """

    block: Block
    result: Tree
    inputs: tuple[Input, ...]
    guards: tuple[Guard, ...]
    locations: Mapping[Guard, Location]
    guarded_at: Mapping[Guard, Location]
    notes: tuple[Note, ...]
    plain_calls: tuple[Reason, ...]
    promoted: frozenset[Path]
    on_request: tuple[Constant, ...]
    graph_calls: tuple[Reason, ...] = ()
    operators: Mapping[int, Any] = field(default_factory=dict[int, Any])

    @property
    def work(self) -> float:
        """The work of passes and the backend on the recording, for a budget."""
        return sum(COMPILED_NODE + INPUT * len(node.inputs) for node in nodes(self.block))

    def __str__(self) -> str:
        return str(self.block)


@dataclass(frozen=True, slots=True)
class GuardsText:
    """The guards of a recording as text, line by line, each with the place that asked for it; written when it is read."""

    recording: Recording

    def __str__(self) -> str:
        lines: list[str] = []
        for guard in self.recording.guards:
            where = self.recording.locations.get(guard)
            lines.append(f"  {guard}" if where is None else f"  {guard}  ({where})")
        return "\n".join(lines)


@unwatched
@uncollected()
def trace(
    function: types.FunctionType,
    arguments: Mapping[str, Any],
    rewrite: Rewriter,
    static: Sequence[str] = (),
    static_shapes: bool = False,
    changing: frozenset[Path] = frozenset(),
    freezer: Freezer | None = None,
    budget: Budget | None = None,
    left_out: Callable[[Any], bool] | None = None,
    lessons: KnownLessons | None = None,
    operators: Mapping[int, Any] | None = None,
) -> Recording:
    """Capture a function for arguments like the given ones.

    Args:
        function: the original function.
        arguments: the value of each parameter; one that is left out takes its default.
        rewrite: gives the rewritten form of a Python function.
        static: parameters whose values are fixed.
        static_shapes: specialise on the shapes of arrays.
        changing: what was found to change from call to call, so that nothing of it is to be fixed.
        freezer: says which reads are fixed on request.
        budget: what all attempts may cost together; by default anything.
        left_out: tells of a callable whether calls of it are left out of the graph afterwards; by default of none.
        lessons: what other captures have learned, and this one adds to; by default nothing.
        operators: what was declared to be an operator may be a node of its own, instead of being traced through; some
            that are known to be, by ``id``.  By default nothing is an operator.

    Returns:
        The block with all that is needed to call it.

    Raises:
        Uncapturable: the function has to run as plain Python; the signal holds the reason.
        Exhausted: the budget is used up.
    """
    known = KnownLessons() if lessons is None else lessons
    course = _Course(Learning(code_of(function), known), Plan(operators=dict(operators or {})))
    course.learning.resume(course.plan)
    declared = {} if operators is None else OPERATORS.known()
    begun = 0
    while begun < MOST_RESTARTS + len(course.plan.operators):
        begun += 1
        attempt = Trace(function, rewrite, ag, services, course.begin(), budget, left_out)
        attempt.state = state = OutsideReads(
            attempt, static_shapes, freezer or Freezer(), arguments, changing
        )
        attempt.operator_calls.declared = declared
        token = CURRENT.set(attempt)
        try:
            recording = _attempt(attempt, state, arguments, frozenset(static))
            state.stale.finish()
            if attempt.learnt or course.starts_over(attempt, recording):
                continue
            afford(attempt, recording.work)
            course.left = recording.plain_calls
        except (Stop, Exhausted, Exception) as error:
            found = course.go_on(attempt, error)
            if isinstance(found, Recording):
                return found
            # Raised here, so that no frame but this one, which is left, knows the error.
            if found is not None:
                raise found from None
        else:
            emit("trace", f"recording of {function.__qualname__}", recording)
            emit("guards", f"guards of {function.__qualname__}", GuardsText(recording))
            return recording
        finally:
            CURRENT.reset(token)
            course.end(attempt)
            attempt.cut_references()
            found = None  # a signal that is raised knows this frame
    message = f"the capture was started {MOST_RESTARTS} times; this line caused the last restart"
    raise Uncapturable(Reason("AT208", message, course.last or Location.of(function.__code__), MOVE))


@dataclass(slots=True)
class _Course:
    """The attempts of one capture: what one that has ended leaves to the next.

    Args:
        learning: what they learn, and take over from other captures.
        plan: that of the next attempt.
        last: the line that caused the last restart.
        kept: a recording with parts left to plain Python, to which there may be a better one.
        left: what is left to plain Python in the end; ``None`` before the end.
    """

    learning: Learning
    plan: Plan = field(default_factory=Plan)
    last: Location | None = None
    kept: Recording | None = None
    left: Sequence[Reason] | None = None

    def begin(self) -> Plan:
        """Begin an attempt; return its plan."""
        self.learning.begin(self.plan)
        return self.plan

    def end(self, attempt: Trace) -> None:
        """End an attempt: after a guess, only what was learned of objects counts."""
        if attempt.before_guess is not None and attempt.plan is self.plan:
            attempt.before_guess.keep_objects_of(self.plan)
            self.plan = attempt.before_guess
        self.learning.end(self.plan)
        if self.left is not None and attempt.budget.spent >= WORTH_RESUMING:
            self.learning.keep(self.plan, self.left, attempt.budget.spent)

    def starts_over(self, attempt: Trace, recording: Recording) -> bool:
        """Begin with a new plan where the old one may be the reason why calls are left to plain Python."""
        if not recording.plain_calls:
            return False
        if self.plan.texts:
            self.plan = Plan(fixed_texts=True, operators=self.plan.operators)
            return True
        if not self.learning.followed or not attempt.budget.is_hardly_used:
            return False
        if self.learning.foresaw(recording.plain_calls, attempt.budget.limit):
            return False
        self.kept = recording
        self._without_hints()
        return True

    def go_on(
        self, attempt: Trace, error: Stop | Exhausted | Exception
    ) -> Recording | Uncapturable | Exhausted | None:
        """Go on after a signal or an exception, if that is not the end of all attempts.

        Returns:
            At the end, the recording that was kept, or the signal to raise.
        """
        if isinstance(error, Exhausted):
            return self.kept or self._leave(attempt, error)
        if attempt.learnt or isinstance(error, Restart):
            self.last = error_location(error)
        elif isinstance(error, Uncapturable) and self.plan.texts:
            self.plan = Plan(fixed_texts=True, operators=self.plan.operators)
        elif (
            isinstance(error, Uncapturable)
            and self.learning.followed
            and not self.learning.foresaw([error.reason], attempt.budget.limit)
        ):
            self._without_hints()
        else:
            ended = ended_by(attempt, error)
            self.left = [ended.reason]
            return self.kept or ended
        return None

    def _leave(self, attempt: Trace, stop: Exhausted) -> Exhausted | None:
        """Go on without the function that took most of the budget, unless the next call is to go on with more."""
        if attempt.budget.resumable and self.learning.progressed:
            self.left = ()
            return Exhausted(stop.reason, unfinished=True)
        return None if leave_costly(attempt) else stop

    def _without_hints(self) -> None:
        self.plan = Plan(operators=self.plan.operators)
        self.learning = self.learning.without_hints()


def _rewritten(attempt: Trace) -> Any:
    """The function in its rewritten form."""
    function = attempt.function
    rewritten = attempt.rewrite(function)
    if rewritten.skipped:
        raise Uncapturable(rewritten.skipped[0])
    if rewritten.generator:
        message = f"`{function.__name__}` is a generator function"
        hint = "compile the function that iterates over it"
        raise Uncapturable(Reason("AT104", message, Location.of(function.__code__), hint))
    return rewritten


def _attempt(
    attempt: Trace, state: OutsideReads, arguments: Mapping[str, Any], static: frozenset[str]
) -> Recording:
    function = attempt.function
    rewritten = _rewritten(attempt)
    traced = rewritten.function(function, ag, FunctionScope.of(function))
    args, kwargs = _enter_arguments(attempt, arguments, static)
    outputs: list[Any] = []
    try:
        with Inlined(attempt, function.__code__):
            result = result_tree(attempt, traced(*args, **kwargs), outputs)
    except Leaves:
        outputs, result = [], None
    found = [operand(attempt, output) for output in outputs]
    if any(holds_local_function(output.spec) for output in found):
        attempt.stop("AT204", "a function defined here is returned")
    block = with_array_checks(Block(tuple(attempt.root.inputs), tuple(attempt.root.nodes), tuple(found)))
    inputs = sorted(state.inputs.values(), key=lambda item: attempt.root.inputs.index(item.value))
    guards = {**state.input_guards(), **state.guards, **dict.fromkeys(state.apart())}
    return Recording(
        block,
        result,
        tuple(replace(item, example=None) for item in inputs),  # the graph keeps no argument alive
        tuple(guards),
        {guard: where or Location.of(function.__code__) for guard, where in guards.items()},
        {guard: where for guard, where in state.guards.items() if where is not None},
        tuple(attempt.notes),
        tuple(attempt.plain_calls),
        frozenset(state.promoted),
        tuple(state.on_request.values()),
        operators=dict(attempt.plan.operators),
    )


def _enter_arguments(
    attempt: Trace, arguments: Mapping[str, Any], static: frozenset[str]
) -> tuple[list[Any], dict[str, Any]]:
    """The trace-level arguments of a call, laid out by the function's signature."""
    function = attempt.function
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for name, parameter in signature_of(function).parameters.items():
        if name in static and name in arguments:
            attempt.state.pin(arguments[name], Argument(name))
        elif name in static and parameter.default is not inspect.Parameter.empty:
            attempt.state.pin(parameter.default, default_path(function, name))
        match parameter.kind:
            case inspect.Parameter.VAR_POSITIONAL:
                args.extend(attempt.state.each(arguments[name], Argument(name)))
            case inspect.Parameter.VAR_KEYWORD:
                kwargs.update(_enter_keywords(attempt, arguments[name], name))
            case inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = _enter_argument(attempt, arguments, name, parameter.default)
            case _:
                args.append(_enter_argument(attempt, arguments, name, parameter.default))
    return args, kwargs


def _enter_argument(attempt: Trace, arguments: Mapping[str, Any], name: str, default: Any) -> Any:
    if name in arguments:
        return attempt.state.enter(arguments[name], Argument(name))
    return attempt.state.enter(default, default_path(attempt.function, name))


def default_path(function: types.FunctionType, name: str) -> Path:
    """Return the path to the default of a parameter; positional defaults are counted from the last parameter."""
    root = Root(function, function.__name__)
    if name in (function.__kwdefaults__ or {}):
        return Item(Attribute(root, "__kwdefaults__"), name)
    code = function.__code__
    return Item(Attribute(root, "__defaults__"), code.co_varnames.index(name) - code.co_argcount)


def _enter_keywords(attempt: Trace, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The items of ``**kwargs``: the names are guarded, each value is reached through its name."""
    path, names = Argument(name), tuple(given)
    attempt.state.guard(HasKeys(path, names))
    keys = attempt.state.wholes.enter(names, derived_keys(path))
    return {key: attempt.state.enter(given[key], Item(path, key)) for key in keys}
