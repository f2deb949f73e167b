"""The dispatcher: straight-line Python that finds the specialisation for a call, written anew for each.

For every specialisation it holds one condition, made of the guards in the order they were recorded; a path
that several guards look at is read once.  When none holds, the slow path is asked.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.guards import Guard, IsAt
from astrace.paths import LOOKUP_ERRORS, Argument, Path, Pin, Root, steps

MISSING: Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True, eq=False)
class Specialisation:
    """One way to run a function.

    Args:
        guards: what must hold for a call to run this way.
        omitted: the parameters whose defaults it was made for.
        inputs: where the run finds its inputs.
        run: takes the inputs.
    """

    guards: tuple[Guard, ...]
    omitted: frozenset[str]
    inputs: tuple[Path, ...]
    run: Callable[..., Any]


def build_dispatcher(
    signature: inspect.Signature,
    name: str,
    specialisations: Sequence[Specialisation],
    miss: Callable[[dict[str, Any]], Any],
    tick: Callable[[], int],
) -> Callable[..., Any]:
    """Write and compile a dispatcher.

    Args:
        signature: the function's signature; the dispatcher binds arguments as the function does.
        name: the function's name, for Python's messages about wrong arguments.
        specialisations: tried in order.
        miss: called with the arguments by name when none holds.
        tick: counts calls.
    """
    source, namespace = dispatcher_source(signature, specialisations)
    namespace |= {"_miss": miss, "_tick": tick, "_missing": MISSING, "_lookup_errors": LOOKUP_ERRORS}
    exec(compile(source, f"<astrace dispatcher of {name}>", "exec"), namespace)
    dispatch = namespace["_dispatch"]
    dispatch.__name__ = name.rsplit(".", 1)[-1]
    dispatch.__qualname__ = name
    return dispatch


def dispatcher_source(
    signature: inspect.Signature, specialisations: Sequence[Specialisation]
) -> tuple[str, dict[str, Any]]:
    """The text of a dispatcher, and the objects it refers to."""
    writer = _Writer()
    lines = [f"def _dispatch({_parameters(signature)}):", "    _tick()"]
    for specialisation in specialisations:
        lines += writer.lines(specialisation)
    names = ", ".join(f"{name!r}: {name}" for name in signature.parameters)
    lines.append(f"    return _miss({{{names}}})")
    return "\n".join(lines), writer.objects


def _parameters(signature: inspect.Signature) -> str:
    """The parameters, with a mark in place of every default."""
    missing = {
        name: parameter.replace(
            annotation=MISSING, default=_Mark() if parameter.default is not MISSING else MISSING
        )
        for name, parameter in signature.parameters.items()
    }
    text = str(inspect.Signature(list(missing.values())))
    return text[1:-1]


class _Mark:
    """Prints as the name that marks a missing argument."""

    def __repr__(self) -> str:
        return "_missing"


class _Writer:
    """Writes the conditions of specialisations."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def pin(self, value: object, hint: str) -> str:
        """A name for an object."""
        if id(value) not in self._names:
            clean = "".join(char if char.isalnum() else "_" for char in hint)
            name = f"_{clean}_{len(self.objects)}"
            self._names[id(value)] = name
            self.objects[name] = value
        return self._names[id(value)]

    def lines(self, specialisation: Specialisation) -> list[str]:
        """The statements for one specialisation."""
        reads = _Reads(self.pin, specialisation)
        run = self.pin(specialisation.run, "run")
        conditions = [f"{name} is _missing" for name in sorted(specialisation.omitted)]
        plain = [guard for guard in specialisation.guards if _is_plain(guard)]
        outside = [guard for guard in specialisation.guards if not _is_plain(guard)]
        conditions += [self._condition(guard, reads) for guard in plain]
        outer = " and ".join(conditions) or "True"
        call = "return {run}({inputs})"
        if not outside and not any(reads.is_outside(path) for path in specialisation.inputs):
            inputs = ", ".join(reads.code(path) for path in specialisation.inputs)
            return [f"    if {outer}:", "        " + call.format(run=run, inputs=inputs)]
        inner = " and ".join(self._condition(guard, reads) for guard in outside) or "True"
        inputs = ", ".join(reads.code(path) for path in specialisation.inputs)
        return [
            f"    if {outer}:",
            "        try:",
            f"            _inputs = ({inputs}{',' if inputs else ''}) if {inner} else None",
            "        except _lookup_errors:",
            "            _inputs = None",
            "        if _inputs is not None:",
            f"            return {run}(*_inputs)",
        ]

    def _condition(self, guard: Guard, reads: _Reads) -> str:
        if isinstance(guard, IsAt):
            relation = "is" if guard.together else "is not"
            return f"{reads.code(guard.path)} {relation} {reads.code(guard.other)}"
        code = reads.code(guard.path)
        condition = guard.condition("\0", self.pin)
        if condition.count("\0") > 1 and code not in reads.variables:
            variable = code.split(" := ")[0].lstrip("(") if ":=" in code else reads.variable(guard.path)
            first = code if ":=" in code else f"({variable} := {code})"
            head, _, tail = condition.partition("\0")
            return head + first + tail.replace("\0", variable)
        return condition.replace("\0", code)


def _is_plain(guard: Guard) -> bool:
    """Whether a guard looks at nothing but an argument itself."""
    return isinstance(guard.path, Argument) and not isinstance(guard, IsAt)


class _Reads:
    """Reads paths, those that are needed again into variables.

    Args:
        pin: gives names to objects.
        specialisation: whose paths they are.
    """

    def __init__(self, pin: Pin, specialisation: Specialisation) -> None:
        self.pin = pin
        self.variables: set[str] = set()
        self._known: dict[Path, str] = {}
        self._counts = Counter(_paths(specialisation))

    def is_outside(self, path: Path) -> bool:
        """Whether reading a path may fail."""
        return not isinstance(path, Argument | Root)

    def variable(self, path: Path) -> str:
        """A variable for what a path leads to."""
        name = f"_v{len(self._known)}"
        self._known[path] = name
        self.variables.add(name)
        return name

    def code(self, path: Path) -> str:
        """An expression for a path; its first use assigns the variable that later ones read."""
        if isinstance(path, Argument | Root):
            code = path.code(self.pin)
            self.variables.add(code)
            return code
        if path in self._known:
            return self._known[path]
        whole = path.code(self.pin)
        if not isinstance(path.owner, Argument | Root):
            owner = self.code(path.owner)
            whole = whole.replace(path.owner.code(self.pin), owner, 1)
        if self._counts[path] > 1:
            return f"({self.variable(path)} := {whole})"
        return whole


def _paths(specialisation: Specialisation) -> list[Path]:
    """Every path that a specialisation reads, with the paths on the way."""
    found: list[Path] = list(specialisation.inputs)
    for guard in specialisation.guards:
        found.append(guard.path)
        if isinstance(guard, IsAt):
            found.append(guard.other)
    return [step for path in found for step in steps(path)]


def arguments_given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call that were passed."""
    return {name: value for name, value in arguments.items() if value is not MISSING}
