"""The dispatcher: any parameter names, every form of call, and the slow path only where it is due."""

from __future__ import annotations

import copy
import types
import warnings
from typing import Any

import guards
import harness
import numpy as np
import pytest

import astrace
from astrace.compiler.dispatcher import arguments_given

X = np.array([1.0, -2.0, 3.0])


def made(source: str) -> types.FunctionType:
    """The function ``f`` of a source text."""
    module: dict[str, Any] = {"np": np}
    harness.run_with_source(source, module)
    return module["f"]


def without_slow_path(function: Any) -> Any:
    """From now on a call that no specialisation takes at once is an error."""

    def refuse(given: dict[str, Any]) -> Any:
        raise AssertionError(f"the slow path was taken for {given}")

    function._entry = refuse
    return function


def names_in(function: Any, *args: Any) -> list[str]:
    """The names in the dispatcher of a function that was called with these arguments."""
    function(*copy.deepcopy(args))
    code = function.__call__.__code__
    return [name for name in (*code.co_names, *code.co_varnames) if name.isidentifier()]


BODIES = {
    "number": ("return {0} * 2 + {1}", (1.5, 2.5)),
    "array and item": ("return {0}[0] * {1}['k'][1]", (X, {"k": [1.0, 2.0]})),
    "branch": ("return {0} if {1} == 'up' else -{0}", (1.5, "up")),
    "nested": ("{0}['a'].append({1}); return {0}, {0}['a'] is {1}", ({"a": [1.0]}, [2.0])),
    "set": ("return [value * {0} for value in {1}], 1 in {1}", (1.5, {1, 2})),
    "plain": ("return sorted(locals().values())", (1.5, 2.5)),
}
NAMES = [
    "type",
    "len",
    "tuple",
    "getattr",
    "_",
    "__",
    "_v0",
    "_miss",
    "_tick",
    "_missing",
    "_run_0",
    "_inputs",
]


@pytest.mark.parametrize("body", BODIES)
def test_parameters_named_as_the_dispatcher_names_things(body: str) -> None:
    """Whatever the parameters are called, also exactly as what was generated before, and before that."""
    text, args = BODIES[body]
    taken = set(NAMES)
    for _ in range(3):
        for name in sorted(taken - {"x"}):
            for first, second in ((name, "x"), ("x", name)):
                plain = made(f"def f({first}, {second}):\n    " + text.format(first, second) + "\n")
                function = astrace.compile(plain)
                names = names_in(function, *args)
                without_slow_path(function)
                given = copy.deepcopy(args)
                assert harness.same(function(*given), plain(*copy.deepcopy(args))), name
                assert function.stats.calls == 2
        taken = set(names)


def test_all_parameters_named_as_generated_names() -> None:
    """A function whose parameters are all names that its dispatcher would have had."""
    names = [
        name for name in names_in(astrace.compile(lambda x, y: x[0] + y["k"]), X, {"k": 2.0}) if name != "k"
    ]
    parameters = list(dict.fromkeys([*names, "type", "len", "tuple"]))
    total = " + ".join(f"{name}['k']" for name in parameters)
    plain = made(f"def f({', '.join(parameters)}):\n    return {total}\n")
    args = [{"k": float(index)} for index in range(len(parameters))]
    function = astrace.compile(plain)
    assert function(*args) == plain(*args)
    assert without_slow_path(function)(*args) == plain(*args)


# -- every form of call ----------------------------------------------------------------------------------------

SIGNATURES = {
    "positional": ("x, y, z", [((1.0, 2.0, 3.0), {}), ((1.0,), {"z": 3.0, "y": 2.0})]),
    "text defaults": ("x, y='a', z='b'", [((1.0,), {}), ((1.0, "c"), {}), ((1.0,), {"z": "d"}), ((1.0, "c", "d"), {})]),
    "number defaults": ("x, y=2, z=2.5", [((1.0,), {}), ((1.0, 3), {}), ((1.0,), {"z": 4.5})]),
    "array default": ("x, y=np.ones(2), z=None", [((1.0,), {}), ((1.0, np.zeros(2)), {}), ((1.0,), {"z": True})]),
    "list default": ("x, y=[1.0], z=(1.0, 'a')", [((1.0,), {}), ((1.0, [2.0]), {}), ((1.0,), {"z": ()})]),
    "keyword only": ("x, *, y='a', z", [((1.0,), {"z": 2.0}), ((1.0,), {"z": 2.0, "y": "b"})]),
    "positional only": ("x, y='a', /, z=1.5", [((1.0,), {}), ((1.0, "b"), {}), ((1.0,), {"z": 2.5})]),
    "var positional": ("x, y='a', *z", [((1.0,), {}), ((1.0, "b"), {}), ((1.0, "b", 2.0, 3), {})]),
    "var keyword": ("x, y='a', **z", [((1.0,), {}), ((1.0,), {"k": 2.0}), ((1.0,), {"y": "b", "k": 2, "j": 3})]),
    "all": ("x, /, y='a', *rest, z=1.5, **more", [
        ((1.0,), {}), ((1.0, "b", 2.0), {}), ((1.0,), {"z": 2.5}), ((1.0,), {"y": "b", "k": 2.0}),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("body", ["return x, y, z", "return dict(sorted(locals().items()))"])
@pytest.mark.parametrize("name", SIGNATURES)
def test_every_form_of_call_is_found_again(name: str, body: str) -> None:
    """The second call of each form takes no slow path and gives what the first gave, captured or plain."""
    parameters, calls = SIGNATURES[name]
    plain = made(f"def f({parameters}):\n    {body}\n")
    for forms in (calls, calls[::-1]):
        function = astrace.compile(plain, recompile_limit=100)
        for args, kwargs in forms:
            assert harness.same(function(*args, **kwargs), plain(*args, **kwargs))
        without_slow_path(function)
        for args, kwargs in forms:
            assert harness.same(function(*args, **kwargs), plain(*args, **kwargs))


@pytest.mark.parametrize("function", [np.round, np.sum, sorted, round, int.__add__, np.add])
def test_builtins_in_every_form(function: Any) -> None:
    """A default that is left out after a call that gave it is left to the builtin."""
    one = (X,) if function in (np.round, np.sum, sorted) else (2.5,) if function is round else (1, 2)
    more: dict[str, Any] = {np.round: {"decimals": 1}, np.sum: {"keepdims": True}, sorted: {"reverse": True}}.get(
        function, {}
    )  # fmt: skip
    compiled = astrace.compile(function)
    for kwargs in (more, {}, more, {}):
        assert harness.same(compiled(*one, **kwargs), function(*one, **kwargs))
    assert compiled.stats.fallbacks == 4


# -- the corpus ------------------------------------------------------------------------------------------------


def is_due(function: Any, given: tuple[Any, ...]) -> bool:
    """Return whether a specialisation is meant for a call, made as `harness.observe` does: no warning is an error."""
    target = function.__astrace_target__
    arguments = arguments_given(target.bind(given, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        return any(
            guards.fits(entry.specialisation, set(target.signature.parameters), arguments)
            for entry in function._entries
        )


def test_programs_take_no_slow_path(request: pytest.FixtureRequest) -> None:
    """A call that a specialisation is meant for is dispatched to one; so are nearly all that come twice."""
    calls = taken = 0
    for name in harness.program_names()[:: 1 if request.config.getoption("--whole") else 3]:
        module = harness.load_program(name)
        function = astrace.compile(module.f)
        for index, given in enumerate(module.CALLS):
            harness.prepare(module, index)
            harness.observe(function, harness.fresh_arguments(given))
            calls += 1
            again = harness.fresh_arguments(given)
            if is_due(function, again):
                taken += 1
                outcome = harness.observe(without_slow_path(function), again)
                del function._entry
                assert outcome.error is None or "slow path" not in outcome.error[1], (name, index)
    assert taken > 0.95 * calls
