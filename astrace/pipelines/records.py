"""The operators of a graph as records: what each is, how it was made, from which files; and operators made from records.

`recorded` reads the files that the constructors' arguments name, at the moment at which it is called.  `recreated` is its
inverse: it needs the classes and functions from the program, since a record names them and holds no code.
"""

from __future__ import annotations

import inspect
import types
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from astrace.errors import AssetError, UncapturedFile
from astrace.locations import caller
from astrace.ops.callables.operators import declared_as
from astrace.pipelines.assets import Asset, Assets, AssetUse, read_asset, refusal
from astrace.pipelines.choices import Choices
from astrace.pipelines.constructors import CONSTRUCTIONS, Construction, construction_of
from astrace.pipelines.found_paths import FoundPath, existing, mark_of, path_leaves
from astrace.pipelines.installed import is_inside
from astrace.pipelines.made_again import Maker
from astrace.pipelines.plain_data import Recorded, walked
from astrace.pipelines.recorded import ArgumentRecorder, Bulk, only_shared, problem_of
from astrace.pipelines.torch_modules import UntoldModel, is_module
from astrace.pipelines.traced_state import TracedState


@dataclass(frozen=True, slots=True)
class RecordedArgument:
    """One argument of a constructor.

    Args:
        parameter: the parameter that takes it.
        keyword: the keyword that it is passed by; empty if it is passed by its position.
        value: what it is.
    """

    parameter: str
    keyword: str
    value: Recorded


@dataclass(frozen=True, slots=True)
class OperatorRecord:
    """An operator that the nodes of a graph call, or that another one was made from.

    Args:
        name: its name in the graph.
        target: the qualified name of its class, or of the function that it is.
        kind: ``class``, ``function``, or ``builtin`` for one of astrace's own functions.
        arguments: what the constructor was called with.
        file: where the class or function is defined.
        line: likewise.
        problem: why it can't be made again; empty if it can.
        state: of an operator that is a model of PyTorch, its weights.
    """

    name: str
    target: str
    kind: str
    arguments: tuple[RecordedArgument, ...] = ()
    file: str = ""
    line: int = 0
    problem: str = ""
    state: Recorded | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PipelineRecord:
    """The operators of a graph, with what they were made from.

    Args:
        operators: the records; one that another was made from stands before it.
        assets: the files and folders, with a report of what was captured and what was not.
        bulk: the arrays among arguments, and the weights of models, by hash.
        names: the name of each operator, by ``id``, with the operator.
        given: the names of those that the program has made itself.
        traced: what operators held when they were recorded, by name; nothing of those that come from a bundle.
    """

    operators: tuple[OperatorRecord, ...] = ()
    assets: Assets = field(default_factory=Assets)
    bulk: Bulk = field(default_factory=Bulk)
    names: Mapping[int, tuple[str, Any]] = field(default_factory=dict[int, tuple[str, Any]])
    given: tuple[str, ...] = ()
    traced: Mapping[str, TracedState] = field(default_factory=dict[str, TracedState])


NOTHING_RECORDED: Final = PipelineRecord()


def recorded(operators: Iterable[Any], choices: Choices = Choices()) -> PipelineRecord:  # noqa: B008 - frozen
    """Record operators as they are now, with the files that they were made from.

    Args:
        operators: the instances and functions; one may be there several times.
        choices: the parameters whose files are captured; what is said here goes before what is said of the class.

    Raises:
        AssetError: a file is missing, was changed since the operator was made, or is too large.
    """
    book = _Book(choices)
    for one in operators:
        book.name(one)
    return PipelineRecord(
        book.found(),
        Assets(tuple(book.assets.values()), tuple(book.uses)),
        book.bulk,
        book.names,
        traced=book.traced,
    )


def with_shared(records: Iterable[OperatorRecord]) -> tuple[OperatorRecord, ...]:
    """Records in which those objects are marked, and numbered anew, that arguments lead to more than once.

    Args:
        records: the records, in which others may be marked as well.
    """
    held = list(records)
    values = iter(only_shared([one.value for record in held for one in record.arguments]))
    return tuple(
        replace(record, arguments=tuple(replace(one, value=next(values)) for one in record.arguments))
        for record in held
    )


class _Book:
    """Records in the making."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.records: list[OperatorRecord] = []
        self.assets: dict[str, Asset] = {}
        self.uses: list[AssetUse] = []
        self.bulk = Bulk()
        self.names: dict[int, tuple[str, Any]] = {}
        self.traced: dict[str, TracedState] = {}
        self._numbered: dict[int, Any] = {}
        self._read: dict[tuple[str, bool], tuple[Asset, tuple[tuple[str, str], ...]]] = {}

    def found(self) -> tuple[OperatorRecord, ...]:
        """Return the records, in which objects are marked that more than one argument leads to."""
        return with_shared(self.records)

    def name(self, value: Any) -> str | None:
        """Return the name of an operator, which is recorded when it is first met; ``None`` for anything else."""
        if id(value) in self.names and self.names[id(value)][1] is value:
            return self.names[id(value)][0]
        target = declared_as(value)
        if target is None or isinstance(value, types.MethodType):
            return None
        taken = {name for name, _ in self.names.values()}
        base = str(getattr(value if isinstance(value, types.FunctionType) else type(value), "__name__"))  # noqa: B009
        tries = (base, *(f"{base}_{number}" for number in range(2, len(taken) + 3)))
        name = next(one for one in tries if one not in taken)
        self.names[id(value)] = name, value
        self.records.append(self._record(name, value))
        return name

    def _record(self, name: str, value: Any) -> OperatorRecord:
        code = value if isinstance(value, types.FunctionType) else type(value)
        target, (file, line) = f"{code.__module__}.{code.__qualname__}", _place(code)
        if isinstance(value, types.FunctionType):
            kind = "builtin" if code.__module__.startswith("astrace.") else "function"
            return OperatorRecord(name, target, kind, (), file, line)
        construction = construction_of(value)
        if construction is None:
            return OperatorRecord(name, target, "class", (), file, line, UNSEEN)
        for operator in dict.fromkeys((name, type(value).__name__)):
            self.choices.check_named(operator, {one.parameter for one in construction.arguments})
        choose = self._choice(name, value)
        arguments = [
            self._argument(name, construction, index, choose) for index in range(len(construction.arguments))
        ]
        self._tell_opened(name, construction)
        self.traced[name] = TracedState.of(value, construction)
        problems = (problem_of(one.parameter, one.value) for one in arguments)
        problem, state = next(filter(None, problems), ""), None
        if is_module(value):
            try:
                state = self.bulk.state(value)
            except UntoldModel as error:
                problem = f"it has {error}"
        return OperatorRecord(name, target, "class", tuple(arguments), file, line, problem, state)

    def _choice(self, name: str, value: Any) -> Callable[[str], bool | None]:
        cls = type(value).__name__
        own = CONSTRUCTIONS.choices(value)

        def choose(parameter: str) -> bool | None:
            for choices, operator in ((self.choices, name), (self.choices, cls), (own, cls)):
                said = choices.of(operator, parameter)
                if said is not None:
                    return said
            return None

        return choose

    def _argument(
        self, name: str, construction: Construction, index: int, choose: Callable[[str], bool | None]
    ) -> RecordedArgument:
        given = construction.arguments[index]
        choice = choose(given.parameter)
        places: dict[str, str] = {}
        if choice is False:
            found: list[FoundPath] = []
            left = [one for one in construction.paths if one.index == index]
            self.uses += [
                AssetUse(name, one.parameter, one.place, one.path, reason="by choice") for one in left
            ]
        elif choice:
            known = {one.place: one for one in construction.paths if one.index == index}
            found = [
                known.get(place) or _asked(given.parameter, place, one)
                for place, one in path_leaves(given.value)
            ]
        else:
            found = [one for one in construction.paths if one.index == index]
        for one in found:
            asset = self._asset(name, one, bool(choice))
            if asset is not None:
                places[one.place] = asset.place

        def number(one: Any) -> int:
            source = given.sources.get(id(one), one)
            self._numbered[id(source)] = source  # so that no other object has its ``id``
            return id(source)

        value = ArgumentRecorder(self.name, places, self.bulk, number).record(given.value)
        return RecordedArgument(given.parameter, given.keyword, value)

    def _asset(self, name: str, found: FoundPath, forced: bool) -> Asset | None:
        """Read what a path names, and report it.

        Raises:
            AssetError: it can't be captured.
        """
        where = f"`{found.parameter}` of {name} names {found.path!r}, which"
        mark = mark_of(found.path)
        if mark == GONE:
            raise AssetError(f"{where} is missing{HINT.format(found.parameter)}", found.path, "missing")
        if mark != found.mark:
            raise AssetError(
                f"{where} was changed since the operator was made: make it again", found.path, "changed"
            )
        reason = "" if forced else refusal(found.path)
        if reason:
            self.uses.append(AssetUse(name, found.parameter, found.place, found.path, reason=reason))
            _warn(f"{where} is not captured: {reason}")
            return None
        if (found.path, forced) not in self._read:
            self._read[found.path, forced] = read_asset(found.path, forced)
        asset, left = self._read[found.path, forced]
        self.assets[asset.place] = asset
        self.uses.append(AssetUse(name, found.parameter, found.place, found.path, asset.key, asked=forced))
        self.uses += [AssetUse(name, found.parameter, found.place, path, reason=why) for path, why in left]
        for path, why in left[:1]:
            more = f", and {len(left) - 1} more" if len(left) > 1 else ""
            _warn(f"{where} holds {path!r}{more}: not captured, {why}")
        return asset

    def _tell_opened(self, name: str, construction: Construction) -> None:
        """Warn of files that a constructor read and that nothing of the record leads to."""
        taken = [one.path for one in self.uses if one.operator == name and one.key]
        for path in construction.opened:
            if not any(is_inside(path, one) for one in taken):
                self.uses.append(
                    AssetUse(name, "", "", path, reason="read by the constructor; no argument names it")
                )
                _warn(f"the constructor of {name} read {path!r}, which no argument names: it is not captured")


def _warn(message: str) -> None:
    """Warn at the user's line."""
    where = caller()
    file, line = ("<astrace>", 0) if where is None else (where.file, where.line)
    warnings.warn_explicit(message, UncapturedFile, file, line)


GONE: Final = (-1,)
HINT: Final = "; if it is a label and no path: assets={{{0!r}: False}}"
UNSEEN: Final = "nobody saw how it was made: it is a copy, or its class has a constructor of its own and is no operator itself"


def _asked(parameter: str, place: str, value: Any) -> FoundPath:
    """A path that was asked for, and that named nothing when the operator was made."""
    path = existing(value)
    if path is None:
        raise AssetError(
            f"`{parameter}` is {value!r}, which names no file, as assets says it does", str(value), "missing"
        )
    return FoundPath(parameter, place, path, mark_of(path))


def _place(code: Any) -> tuple[str, int]:
    """The file and line where a function is defined, or the first function of a class, where that is known."""
    functions = [code] if isinstance(code, types.FunctionType) else list(vars(code).values())
    codes = [inspect.unwrap(one).__code__ for one in functions if isinstance(one, types.FunctionType)]
    found = min(codes, key=lambda one: one.co_firstlineno, default=None)
    return ("", 0) if found is None else (found.co_filename, found.co_firstlineno)


# -- and back -------------------------------------------------------------------------------------------------


def recreated(
    operators: Iterable[OperatorRecord],
    classes: Mapping[str, Any],
    assets: Callable[[str], str],
    bulk: Bulk,
    ready: Mapping[str, Any] = MappingProxyType({}),
    into: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Make operators again from their records, by calling the classes that the program passes.

    Args:
        operators: the records, as a `PipelineRecord` orders them or in any order.
        classes: the classes and functions, by the names that `wanted` gives.
        assets: gives the path of an asset, by its place.
        bulk: the arrays and weights.
        ready: operators that the program has made itself, by name.
        into: takes the operators as they are made.

    Returns:
        The operators, by name.

    Raises:
        KeyError: a class or a function is missing.
        ValueError: a record is broken, or of an operator that can't be made again.
    """
    records = {one.name: one for one in operators}
    made: dict[str, Any] = {} if into is None else into
    made.update(ready)
    begun: set[str] = set()
    shared: dict[int, Any] = {}

    def operator(name: str) -> Any:
        if name not in made:
            if name in begun or name not in records:
                raise ValueError(f"the operator {name!r} is recorded nowhere, or made from itself")
            begun.add(name)
            arrays, weights = bulk.arrays.__getitem__, bulk.weights.__getitem__
            maker = Maker(assets, arrays, weights, operator, classes.__getitem__, shared)
            made[name] = _made(records[name], classes, maker)
        return made[name]

    return {name: operator(name) for name in (*ready, *records)}


def _made(record: OperatorRecord, classes: Mapping[str, Any], maker: Maker) -> Any:
    found = classes[record.target]
    if isinstance(found, type) != (record.kind == "class"):
        kinds = ("class", "function") if record.kind == "class" else ("function", "class")
        raise ValueError(
            f"{record.name} is recorded as a {kinds[0]}, and what was passed for it is a {kinds[1]}"
        )
    if record.kind != "class":
        return found
    if record.problem:
        raise ValueError(f"{record.name} can't be made again: {record.problem}")
    args = [maker.make(one.value) for one in record.arguments if not one.keyword]
    kwargs = {one.keyword: maker.make(one.value) for one in record.arguments if one.keyword}
    made = found(*args, **kwargs)
    if record.state is not None:
        maker.load_state(made, record.state)
    return made


def wanted(operators: Iterable[OperatorRecord]) -> tuple[str, ...]:
    """The qualified names of the classes and functions that records need from the program, those of values included."""
    found: dict[str, None] = {}
    for record in operators:
        if record.kind != "builtin":
            found[record.target] = None
        for value in walked([one.value for one in record.arguments]):
            if value.kind in ("record", "estimator"):
                found[str(value.value)] = None
    return tuple(found)
