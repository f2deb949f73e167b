"""Guards: what is generated for them says what they mean, for every value and in every position."""

from __future__ import annotations

import collections
import inspect
import types
import warnings
from typing import Any
from unittest import mock

import guards
import numpy as np
import pytest

import astrace
from astrace.compiler.dispatcher import Specialisation, build_dispatcher
from astrace.guards.access_paths import Argument, Attribute, Derived, Item, Path
from astrace.guards.kinds import (
    AreApart,
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    IsAt,
    IsBuiltin,
    Lacks,
    LacksAttribute,
    holds,
)
from astrace.ir.specs import ArraySpec, spec_of
from tests.test_cache import ARRAYS, VALUES


class Bare:
    """Has no ``__dict__``."""

    __slots__ = ("k",)


def with_attributes(**attributes: Any) -> Any:
    return types.SimpleNamespace(**attributes)


def set_in_order(*members: Any) -> set[Any]:
    """A set that iterates in the order in which these collide."""
    return set(members)


NUMPY = [
    np.datetime64("2020", "s"),
    np.datetime64("2020", "D"),
    np.timedelta64(1, "s"),
    np.timedelta64(1, "D"),
    np.str_("abc"),
    np.str_("abcde"),
    np.bytes_(b"a"),
    np.bytes_(b"ab"),
    np.zeros(1, [("a", int)])[0],
    np.zeros(1, [("b", float), ("c", int)])[0],
    np.longlong(1),
    np.longdouble(1),
    np.zeros(2, np.longlong),
    np.zeros(2, np.int64),
    np.zeros(2, "M8[s]"),
    np.zeros(2, "M8[D]"),
    np.zeros(2, "S1"),
    np.zeros(2, np.dtype(float, metadata={"unit": "m"})),
    np.zeros(2, np.dtype([("a", "i1"), ("b", "i8")], align=True)),
    np.zeros(2, np.dtype({"names": ["a", "b"], "formats": ["i1", "i8"], "offsets": [0, 8], "itemsize": 16})),
]
CONTAINERS = [
    {1},
    {True},
    {1.0},
    {0.0},
    {-0.0},
    set_in_order(0, 8),
    set_in_order(8, 0),
    {"a": 1, "b": 2},
    {"b": 2, "a": 1},
    {1: 1},
    {True: 1},
    collections.OrderedDict(a=1),
    with_attributes(k=1),
    with_attributes(j=1),
    Bare(),
    10**5000,
    10**5000 + 1,
    "x" * 5000,
    inspect.Parameter.empty,
]
EVERYTHING = [*VALUES, *ARRAYS, *NUMPY, *CONTAINERS]


def guards_of(path: Path, value: Any) -> list[Guard]:
    """Every guard that could be recorded for a value."""
    spec = spec_of(value)
    found: list[Guard] = [Is(path, value), HasType(path, type(value)), Fits(path, spec), Equals(path, value)]
    found += [Contains(path, "a"), Lacks(path, "a"), LacksAttribute(path, "k")]
    found += [IsBuiltin(path, "abs", abs), IsBuiltin(path, "abs", np.abs), IsBuiltin(path, "a", 1)]
    if isinstance(spec, ArraySpec):
        found.append(Fits(path, ArraySpec(tuple("abc"[: value.ndim]), value.dtype)))
    if isinstance(value, dict):
        found.append(HasKeys(path, tuple(value)))
    if isinstance(value, set):
        found.append(HasMembers(path, tuple(value)))
    if isinstance(value, list | tuple | dict | str):
        found.append(HasLength(path, len(value)))
    return found


def dispatcher(*found: Guard) -> Any:
    """Tells whether it takes the one specialisation that has these guards."""
    signature = inspect.signature(lambda x, y: None)  # noqa: ARG005
    taken = Specialisation(found, frozenset(), (), lambda: True)
    return build_dispatcher(signature, "f", [taken], lambda _: lambda: False, None)


def identity(value: Any) -> Any:
    return value


X, Y = Argument("x"), Argument("y")
PATHS: dict[str, tuple[Path, Any]] = {
    "argument": (X, identity),
    "item": (Item(X, 0), lambda value: [value]),
    "attribute": (Attribute(X, "a"), lambda value: with_attributes(a=value)),
    "attribute that is no name": (Attribute(X, "a b"), lambda value: with_attributes(**{"a b": value})),
    "attribute that is a keyword": (Attribute(X, "class"), lambda value: with_attributes(**{"class": value})),
    "item of a long key": (Item(X, "k" * 1000), lambda value: {"k" * 1000: value}),
    "item of a large key": (Item(X, 10**5000), lambda value: {10**5000: value}),
    "derived": (Derived(X, identity, "identity"), identity),
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("value", EVERYTHING, ids=lambda value: type(value).__name__)
def test_guards_say_what_they_mean(name: str, value: Any) -> None:
    """The guards of each value, asked of every value: alone, in a dispatcher, and as they are meant."""
    path, wrapped = PATHS[name]
    for guard in guards_of(path, value):
        others = EVERYTHING if name == "argument" else [value, 1.0, "a", None]
        dispatch = dispatcher(guard)
        for other in others:
            given = {"x": wrapped(other), "y": None}
            expected = guards.meant(guard, given)
            assert holds(guard, given) is expected, (guard, other)
            assert dispatch(**given) is expected, (guard, other)


def test_dispatcher_tells_values_apart() -> None:
    """One dispatcher with a specialisation for each value finds that of the value it is given."""
    signature = inspect.signature(lambda x: None)  # noqa: ARG005
    chosen = [value for value in EVERYTHING if isinstance(value, np.generic | np.ndarray | float | int)]
    specialisations = [
        Specialisation((Fits(X, spec_of(value)),), frozenset(), (X,), lambda x, value=value: (value, x))
        for value in chosen
    ]
    dispatch = build_dispatcher(signature, "f", specialisations, lambda _: lambda: None, None)
    for value in chosen:
        made_for, given = dispatch(value)
        assert given is value and guards.described(value, spec_of(made_for))


@pytest.mark.parametrize("together", [True, False])
def test_objects_apart(together: bool) -> None:
    """Two paths to one object, or to two."""
    one, other = [1], [1]
    guard = IsAt(X, Item(Y, 0), together)
    for first, second in ((one, [one]), (one, [other]), (one, None), (one, {})):
        given = {"x": first, "y": second}
        assert holds(guard, given) is dispatcher(guard)(**given) is guards.meant(guard, given)
    assert dispatcher(IsAt(X, Y, together))(one, one) is together


def test_many_objects_apart() -> None:
    """Several paths lead to as many objects; one that leads nowhere is no object."""
    paths = tuple(Item(X, index) for index in range(4))
    guard = AreApart(paths)
    one, two, three, four = [], [], [], []
    for objects in (
        [one, two, three, four],
        [one, two, three, one],
        [one, one, two, three],
        [one, two, three],
    ):
        given = {"x": objects, "y": None}
        assert holds(guard, given) is dispatcher(guard)(**given) is guards.meant(guard, given)
    assert dispatcher(guard)([one, two, three, four], None)


def test_builtins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A builtin is what it was: no global hides it, nobody has replaced it."""
    guard = IsBuiltin(X, "abs", abs)
    for names, expected in (({}, True), ({"abs": abs}, False), (1.0, False)):
        given = {"x": names, "y": None}
        assert holds(guard, given) is dispatcher(guard)(**given) is guards.meant(guard, given) is expected
    dispatch = dispatcher(guard)
    monkeypatch.setattr("builtins.abs", lambda value: value)
    assert not holds(guard, {"x": {}}) and not dispatch({}, None)


def test_nothing_is_captured_without_the_builtins() -> None:
    """While a builtin is another one, calls without a capture are plain, and leave nothing behind."""

    def lengths(x: Any, y: Any) -> Any:
        return [len(x), len(y), sorted([3, 1])]

    compiled = astrace.compile(lengths)
    with mock.patch("builtins.len", lambda items: 7):
        found = compiled([1], (2, 3))
        told = compiled.stages([1], (2, 3)).fallback
    assert found == [7, 7, [1, 3]] and told.code == "AT211" and "`len`" in told.message
    assert compiled.captures == () and compiled([1], (2, 3)) == [1, 2, [1, 3]]
    with mock.patch("builtins.len", lambda items: 7):
        assert compiled([1], (2, 3)) == [7, 7, [1, 3]]
    assert compiled([1], (2, 3)) == [1, 2, [1, 3]] and len(compiled.captures) == 1


NUMPYS = {
    "np.dot": lambda x: np.dot(x, x),  # generated code has `x.dot(x)`
    "np.max": lambda x: np.max(x),
    "np.abs": lambda x: np.abs(x).sum(),  # and `np.absolute(x)`
    "np.sum": lambda x: np.sum(x),
    "np.linalg.norm": lambda x: np.linalg.norm(x),
}
"""Calls of functions of NumPy, which are written in several ways."""


@pytest.mark.parametrize("name", NUMPYS)
def test_a_replaced_function_of_numpy_is_called(name: str) -> None:
    """However generated code writes the call."""
    compiled, x = astrace.compile(NUMPYS[name]), np.array([3.0, 4.0])
    before = compiled(x)
    module = np.linalg if "linalg" in name else np
    short = name.rpartition(".")[2]
    with mock.patch.object(module, short, wraps=getattr(module, short)) as replaced:
        assert compiled(x) == before
        assert replaced.call_count == 1
    assert compiled(x) == before and replaced.call_count == 1


def logarithm(x: Any) -> Any:
    try:
        return np.log(x)
    except RuntimeWarning:
        return -x


def test_filters_of_the_caller_are_guarded() -> None:
    """If a filter raises, the handler of a warning is reached."""
    compiled, x = astrace.compile(logarithm), np.array([0.0, 1.0])
    for action in ("ignore", "error", "ignore", "error"):
        with warnings.catch_warnings():
            warnings.simplefilter(action)  # type: ignore[arg-type]
            assert compiled(x).tolist() == logarithm(x).tolist()
    assert compiled.stats.traces == 2 and compiled.stats.fallbacks == 0


def test_no_step_is_taken_from_another_class() -> None:
    """Attributes of an object are read after its class is checked, in whatever order guards were recorded."""
    ran: list[int] = []

    class Quiet:
        pass

    class Loud:
        @property
        def k(self) -> float:
            ran.append(1)
            return 1.0

    quiet = Quiet()
    quiet.k = 1.0
    owner = Attribute(X, "inner")
    dispatch = dispatcher(Fits(Attribute(owner, "k"), spec_of(1.0)), HasType(owner, Quiet))
    assert dispatch(with_attributes(inner=quiet), None)
    assert not dispatch(with_attributes(inner=Loud()), None) and not ran


def test_a_call_that_fits_no_capture_runs_no_code_of_its_arguments() -> None:
    """Neither while captures are looked through, nor to tell what has changed."""
    ran: list[Any] = []

    class Box:
        def __init__(self, items: Any) -> None:
            self.items = items

        def __getitem__(self, key: Any) -> Any:
            ran.append(key)
            return self.items[key]

        def __len__(self) -> int:
            ran.append("len")
            return len(self.items)

    def first(given: Any) -> Any:
        return given[0] * 2

    compiled = astrace.compile(first)
    for given in ([X_VALUE, 1.0], [X_VALUE], (X_VALUE,), {0: X_VALUE}, Box([X_VALUE])):
        assert (compiled(given) == X_VALUE * 2).all()
    assert ran == [0]


X_VALUE = np.ones(2)
