"""A difference as a program that can be run: it imports the function, makes the arguments, and prints both sides.

How the two sides are printed depends on what differs: results, exceptions, what becomes of the arguments, shared
memory, or the state outside.  What leaves traces outside runs in a process of its own on each side.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.check.compare.observe import Call, Divergence
from astrace.check.compilers.other_side import OtherSide
from astrace.check.report.findings import Suspect
from astrace.check.reproduce.definitions import ProgramNames
from astrace.check.reproduce.literals import LiteralWriter
from astrace.check.reproduce.places import PlaceNames
from astrace.check.subject import Subject, plain


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A difference to be shown.

    Args:
        apart: what differs.
        calls: the calls in a row, of which the last one shows it.
        made_for: the call that a frozen graph was made for, as far as is known.
        change: what is otherwise in the world than when the graph was made.
        now: what that holds.
        stateful: the calls leave something behind outside.
    """

    apart: Divergence
    calls: Sequence[Call]
    made_for: Call
    change: Suspect | None = None
    now: Any = None
    stateful: bool = False


def program(subject: Subject, shown: Shown) -> str:
    """A program that shows a difference.

    Args:
        subject: what was checked.
        shown: the difference.
    """
    return _ProgramWriter(subject, shown).whole()


class _ProgramWriter:
    """Writes one program."""

    def __init__(self, subject: Subject, shown: Shown) -> None:
        self._subject, self._shown = subject, shown
        self._side = "graph" if subject.other is None else "compiled"
        self._names = ProgramNames(self._spelled)
        self._speller = LiteralWriter(self._names)
        self._owner = ""
        self._before: list[str] = []
        self.name = self._callee(subject.original, "the function that was checked")
        pasted = self._names.is_pasted(subject.target.function)
        given = _of_partial(subject, self.name) if isinstance(subject.original, functools.partial) else {}
        self._places = PlaceNames(
            subject.target.function, self._owner, self._names, self._speller, pasted, given
        )

    def _spelled(self, value: Any) -> str:
        return self._speller.text(value)

    def whole(self) -> str:
        """The text."""
        graph = [f"{self._side} = {self._graph()}", *self._without_refusal()]
        change = (
            self._places.changed(self._shown.change, self._shown.now)
            if self._shown.change is not None
            else []
        )
        made = [line for index in range(len(self._shown.calls)) for line in self._arguments(index)]
        if self._subject.other is not None and change:
            change = [f"{self._call(self._side, 0)}  # it is compiled at its first call", *change]
            made, change = [], [*made, *change]
        elif self._subject.other is not None and self._shown.apart.code == "AC106":
            made.append(f"{self._call(self._side, 0)}  # it is compiled at its first call")
        body = [*graph, *change, *made, *self._sides()]
        missing = [
            f"# {one} is to be put in the place of `...`" for one in dict.fromkeys(self._speller.missing)
        ]
        body = [*self._speller.helpers, *self._names.pasted, *self._before, *missing, *body]
        return "\n".join([*self._head("\n".join(body)), *body]).strip() + "\n"

    def _head(self, text: str) -> list[str]:
        """The imports that the rest of the program needs."""
        marks = (("import os", "os."), ("import sys", "sys."), ("import warnings", "warnings."))
        marks += (("import numpy as np", "np."), ("import astrace", "astrace."))
        used = [line for line, mark in marks if re.search(rf"(?<![\w.]){re.escape(mark)}", text)]
        plain = [line for line in used if "numpy" not in line and "astrace" not in line]
        others = [line for line in self._names.imports if line not in used]
        imports = [line for line in others if line.startswith("import ")]
        rest = [line for line in others if not line.startswith("import ")]
        return [*plain, *(line for line in used if line not in plain), *imports, *rest, ""]

    # -- what is called --------------------------------------------------------------------------------

    def _callee(self, function: Any, what: str) -> str:
        """Return an expression for a callable; the object of a method gets a name first."""
        owner = getattr(function, "__self__", None)
        if isinstance(function, types.MethodType) and not isinstance(owner, type):
            return self._method(function, owner)
        if isinstance(owner, type) and self._names.of(owner):
            return f"{self._names.of(owner)}.{function.__name__}"
        if not isinstance(
            function,
            types.FunctionType | types.BuiltinFunctionType | type | functools.partial | types.MethodType,
        ):
            held = _global_holding(self._subject.target.function, function)
            if held:
                return self._names.imported(*held)
            if type(function).__module__ not in ("builtins", "numpy"):
                self._owner = _variable(type(function))
                self._before.append(f"{self._owner} = {self._speller.text(function)}")
                return self._owner
        found = self._names.of(function)
        if isinstance(function, functools.partial) and "(" in found:
            self._before.append(f"{CALLED} = {found}")
            return CALLED
        if not found:
            where = subject_place(function)
            self._before.append(f"function = ...  # put {what} here{where}: it can't be imported")
        return found or "function"

    def _method(self, function: types.MethodType, owner: Any) -> str:
        held = _global_holding(function.__func__, owner)
        self._owner = _variable(type(owner))
        if held:
            text = self._names.imported(*held)
            self._owner = text
        else:
            self._before.append(f"{self._owner} = {self._speller.text(owner)}")
        name = function.__func__.__name__
        own = getattr(type(owner), name, None)
        if own is not None and plain(own) is not own:
            return f"type({self._owner}).{name}.__wrapped__.__get__({self._owner})"
        return f"{self._owner}.{name}"

    def _graph(self) -> str:
        """Write how the captured side is made."""
        subject = self._subject
        if subject.other is not None:
            return self._compiled(subject.other)
        if not subject.frozen:
            return f"astrace.compile({self.name})"
        if subject.graph is None:
            return self._callee(subject.captured, "what was to do the same")
        call = self._shown.made_for
        parts = [self._speller.text(value) for value in call.args]
        parts += [f"{key}={self._speller.text(value)}" for key, value in call.kwargs.items()]
        return f"astrace.trace({', '.join([self.name, *parts])})"

    def _compiled(self, other: OtherSide) -> str:
        """Write how another compiler's function is made; one that its module holds is imported."""
        compiler = other.compiler
        held = _global_holding(self._subject.target.function, other.function)
        if held:
            return self._names.imported(*held)
        if other.made and compiler.written == "":
            self._names.imports["from astrace.check.compilers.table import compiled_by"] = None
            call = self._shown.made_for
            given = [self._speller.text(value) for value in call.args]
            given += [f"{key}={self._speller.text(value)}" for key, value in call.kwargs.items()]
            return f"compiled_by({', '.join([repr(compiler.name), self.name, *given])})"
        self._names.imports[f"import {compiler.name}"] = None
        return f"{compiler.spelled}({(compiler.written or '{}').format(self.name)})"

    def _without_refusal(self) -> list[str]:
        """The statement that leaves out the check of a graph's arguments, where that refuses the calls to be shown."""
        refused = self._shown.apart.refused
        return [
            "graph = astrace.Graph.__call__.__get__(graph)  # without the check of its arguments"
        ] * refused

    def _arguments(self, index: int) -> list[str]:
        """A function that makes the arguments of a call anew, as their parameters are called."""
        call = self._shown.calls[index]
        known = self._subject.signature
        names = list(known.parameters) if known is not None else []
        names = [names[at] if at < len(names) else f"argument{at + 1}" for at in range(len(call.args))]
        given = ", ".join("{}" for _ in call.args) + ("," if len(call.args) == 1 else "")
        if call.kwargs:
            given = f"({given}), {{{{{', '.join(f'{key!r}: {{}}' for key in call.kwargs)}}}}}"
        values = [*call.args, *call.kwargs.values()]
        return self._speller.function(self._made(index), [*names, *call.kwargs], values, given or "()")

    def _made(self, index: int) -> str:
        return f"arguments{index + 1 if len(self._shown.calls) > 1 else ''}"

    # -- how the two sides are printed -----------------------------------------------------------------

    def _sides(self) -> list[str]:
        """The statements that print what each of the two does."""
        apart, calls = self._shown.apart, self._shown.calls
        way = WAYS.get(apart.code, _ProgramWriter.results)
        lines = way(self)
        if apart.code in VARYING or _is_rounded(apart.message):
            lines = ['np.set_printoptions(floatmode="unique", threshold=100_000)', *lines]
        if not self._shown.stateful and (apart.code != "AC106" or not self._place()):
            return lines
        defined = lines.index("") + 1 if "" in lines else 0
        head, prints = lines[:defined], lines[defined:]
        half = len(prints) // 2
        halves = (prints[:half], prints[half:])
        told = [line for one in halves for line in _forked(one)]
        return (
            [*head, "# each side runs in a process of its own, from the same state", *told]
            if calls
            else lines
        )

    def results(self) -> list[str]:
        """Results, one after the other."""
        exact = self._shown.apart.code != "AC101"
        calls = [one for index in range(len(self._shown.calls)) for one in [index] * self._times]
        return [
            f"print({_shown(self._call(callee, index) + self._inside(), exact)})"
            for callee in (self.name, self._side)
            for index in calls
        ]

    @property
    def _times(self) -> int:
        """Return how often each call is made: a varying result is seen at the second."""
        return 2 if self._shown.apart.code in VARYING else 1

    def _call(self, callee: str, index: int) -> str:
        made = self._made(index)
        return (
            f"{callee}(*{made}()[0], **{made}()[1])"
            if self._shown.calls[index].kwargs
            else f"{callee}(*{made}())"
        )

    def _inside(self) -> str:
        """The part of a result to look at, where the whole would not show it."""
        found = re.match(r"the result(\S*) is (.*)", self._shown.apart.message, re.DOTALL)
        if found is None or "()" in found[1]:
            return ""
        if "contiguous" in found[2] or "(writeable)" in found[2] or "(strided)" in found[2]:
            return f"{found[1]}.flags"
        return found[1] if "." in found[1] and found[1].rpartition(".")[2] != "mask" else ""

    def raised(self) -> list[str]:
        """Results or exceptions."""
        *earlier, last = range(len(self._shown.calls))
        lines = ["def outcome(function):"]
        lines += [f"    {self._call('function', index)}" for index in earlier]
        lines += ["    try:", f"        return {self._call('function', last)}"]
        lines += ["    except (Exception, SystemExit) as error:", "        return error", ""]
        ends = "  # this does not end" if "does not end" in self._shown.apart.message else ""
        return [*lines, f"print(repr(outcome({self.name})))", f"print(repr(outcome({self._side}))){ends}"]

    def left(self) -> list[str]:
        """Write a comparison of the arguments after the calls."""
        return self._with_given("left", "return given")

    def shared(self) -> list[str]:
        """Write a comparison of shared memory."""
        self._names.imports["from astrace.check.compare.snapshots import sharing"] = None
        by_name = ", *given[1].values()" if self._shown.calls[-1].kwargs else ""
        values = f"[*given{'[0]' if by_name else ''}{by_name}, result]"
        return self._with_given(
            "shared", f"return sharing({values})  # arguments, then the result, by number"
        )

    def _with_given(self, name: str, last: str) -> list[str]:
        """Write a function that calls another and returns something of the arguments."""
        index = len(self._shown.calls) - 1
        by_name = bool(self._shown.calls[index].kwargs)
        lines = [f"def {name}(function):"]
        lines += [f"    {self._call('function', earlier)}" for earlier in range(index)]
        lines += [f"    given = {self._made(index)}()"]
        lines += [f"    result = function({'*given[0], **given[1]' if by_name else '*given'})"]
        lines = [line.replace("result = ", "") if "result" not in last else line for line in lines]
        return [*lines, f"    {last}", "", f"print({name}({self.name}))", f"print({name}({self._side}))"]

    def effects(self) -> list[str]:
        """Write a comparison of what is printed, warned of, or changed outside."""
        lines = (
            ['warnings.simplefilter("always")']
            if self._shown.apart.message.startswith("the graph warns")
            else []
        )
        place = self._place()
        state = self._places.state(place) if place else []
        prints: list[str] = []
        sides = (self.name, "the function:"), (self._side, f"the {TITLES[self._side]}:")
        # Where one side changes the state, the other one runs first.
        spared = "does not change" in self._shown.apart.message
        for callee, title in reversed(sides) if spared else sides:
            prints += [f'print("{title}")']
            prints += [self._call(callee, index) for index in range(len(self._shown.calls))]
            prints += ["print(state())"] if state else []
        return [*lines, *state, *([""] if state and state[-1] else []), *prints]

    def _place(self) -> str:
        """The place outside whose change differs."""
        found = re.search(
            r"the graph (?:does not change|changes|leaves)(?: the length of| .* of)? `([^`]*)`",
            self._shown.apart.message,
        )
        return found[1] if found else ""


TITLES: Final[Mapping[str, str]] = {"graph": "graph", "compiled": "compiled function"}
"""What the other side is called where it is printed, by its name in the program."""
CALLED: Final = "called"
"""The name of a partial."""


def _of_partial(subject: Subject, name: str) -> dict[str, str]:
    """Return how a partial's arguments are reached, by parameter name."""
    held: functools.partial[Any] = subject.original  # type: ignore[assignment]
    front = list(subject.bound_arguments)[len(subject.bound_arguments) - len(held.args) :]
    found = {one: f"{name}.args[{index}]" for index, one in enumerate(front)}
    return found | {one: f"{name}.keywords[{one!r}]" for one in held.keywords}


VARYING: Final = ("AC107", "AC109")
WAYS: Final[Mapping[str, Callable[[_ProgramWriter], list[str]]]] = {
    "AC103": _ProgramWriter.raised,
    "AC104": _ProgramWriter.left,
    "AC105": _ProgramWriter.shared,
    "AC106": _ProgramWriter.effects,
}
"""The print statements for both sides, by the kind of difference; results for all others."""


def subject_place(function: Any) -> str:
    """Return where a function is written, for people."""
    code = getattr(function, "__code__", None)
    return "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"


def _shown(text: str, exact: bool) -> str:
    return f"repr({text})" if exact and not text.endswith(".flags") else text


def _forked(lines: Sequence[str]) -> list[str]:
    """Statements that run in a process of their own."""
    return [
        "sys.stdout.flush()",
        "if os.fork() == 0:",
        *(f"    {line}" for line in lines),
        "    sys.exit()",
        "os.wait()",
    ]


def _is_rounded(message: str) -> bool:
    """Return whether a difference is not seen in the digits that NumPy prints by itself."""
    found = [
        float(one)
        for one in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?(?!\d)", message.partition(" is ")[2])
    ]
    return any(one != two and f"{one:.7g}" == f"{two:.7g}" for one in found[:1] for two in found[1:2])


def _variable(cls: type) -> str:
    """A name for an object of a class."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower().strip("_")
    return name if name.isidentifier() and name != cls.__name__ else f"{name}_object"


def _global_holding(function: Any, thing: Any) -> tuple[str, str] | None:
    """The module and the name of the global of a function's module that is an object."""
    space = getattr(function, "__globals__", {})
    module = space.get("__name__", "__main__")
    if module == "__main__":
        return None
    return next(((module, name) for name, value in list(space.items()) if value is thing), None)
