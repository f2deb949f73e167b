"""Programs of ``tests/jax_programs``, as users of JAX write them: compiled, they give what plain Python gives.

Values up to the last bits of floats; types, dtypes, weak types, shapes, keys of dicts and their order, errors as
they are; and what becomes of arguments.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import astrace

PROGRAMS = Path(__file__).parent / "jax_programs"
REFUSED = {
    "sizes.count_of_parts": "AT305",
    "lists.before_and_after": "AT305",
    "lists.conditional": "AT305",
    "lists.twice": "AT305",
    "lists.aliased": "AT302",
    "lists.numbers": "AT301",
    "lists.tuples": "AT301",
    "lists.read_inside": "AT305",
    "lists.mean_of": "AT305",
    "lists.returned_early": "AT305",
    "transforms_more.debug_print": "AT305",
    "transforms_more.error_in_grad": "AT204",
    "transforms_more.model_step": "AT305",
    "transforms_more.printing": "AT204",
    "transforms_more.pure_cb": "AT305",
    "transforms_more.shape_err": "AT204",
    "transforms_more.side_effect": "AT204",
    "transforms_more.switch_py": "AT202",
    "transforms_more.tree_ops": "AT304",
    "transforms_more.vjp_aux": "AT204",
    "trees.pytree_mut": "AT305",
    "trees_more.appends": "AT305",
    "trees_more.len_changes": "AT301",
    "trees_more.mutates": "AT305",
    "trees_more.mutates_in_branch": "AT305",
    "trees_more.mutates_in_loop": "AT305",
    "trees_more.nt": "AT305",
    "trees_more.sets_attr": "AT305",
    "trees_more.update": "AT305",
    "users_second.dict_get": "AT202",
    "users_second.np_mixed": "AT301",
    "users_second.string_flag": "AT304",
}
"""Programs that do not run through XLA as a whole, and why."""
BEYOND_PLAIN = {"transforms.tf_vmap_branch", "transforms_more.scan_tree_state"}
"""Programs that plain JAX refuses: they branch on values that ``vmap`` or ``scan`` gives."""


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"program_jax_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


MODULES = {path.stem: load(path) for path in sorted(PROGRAMS.glob("*.py"))}
NAMES = [f"{stem}.{name}" for stem, module in MODULES.items() for name in module.CASES]


def shown(value: Any) -> Any:
    """A result as something to compare: leaves by their types, with the numbers apart."""
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        return ["key", str(value.dtype), value.shape], [np.asarray(jax.random.key_data(value))]
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        weak = isinstance(value, jax.Array) and value.weak_type
        return [type(value).__name__, str(value.dtype), value.shape, weak], [np.asarray(value)]
    if isinstance(value, float | complex):
        return [type(value).__name__], [np.asarray(value)]
    if isinstance(value, list | tuple):
        items = [shown(item) for item in value]
    elif isinstance(value, dict) or hasattr(value, "__dict__"):
        held = value if isinstance(value, dict) else vars(value)
        items = [([key, kind], numbers) for key, (kind, numbers) in ((k, shown(v)) for k, v in held.items())]
    else:
        return [type(value).__name__, value], []
    numbers = [number for _, inner in items for number in inner]
    return [type(value).__name__, [kind for kind, _ in items]], numbers


def outcome(function: Any, given: tuple[Any, ...]) -> tuple[Any, tuple[type, str] | None]:
    try:
        return function(*given), None
    except Exception as error:
        return None, (type(error), str(error))


def reason_of(function: Any) -> str | None:
    """Return the reason why something does not run through JAX; ``None`` if everything does."""
    for entry in function._entries:
        stages = entry.stages
        calls = stages.recording.plain_calls if stages.recording else ()
        codes = [one.code for one in (stages.refused, stages.fallback, *calls) if one is not None]
        if codes:
            return codes[0]
    return None


@pytest.mark.parametrize("name", NAMES)
def test_programs(name: str) -> None:
    stem, _, program = name.partition(".")
    plain = getattr(MODULES[stem], program)
    function = astrace.compile(plain)
    for case in MODULES[stem].CASES[program]:
        make = case if callable(case) else lambda case=case: case
        given, same = make(), make()
        (expected, error), (found, raised) = outcome(plain, given), outcome(function, same)
        if name in BEYOND_PLAIN:
            assert error is not None and raised is None
            continue
        assert raised == error
        (kind, numbers), (other, others) = shown((expected, given)), shown((found, same))
        assert other == kind
        for one, two in zip(numbers, others, strict=True):
            np.testing.assert_allclose(two, one, rtol=2e-4, atol=1e-5)
    assert reason_of(function) == REFUSED.get(name)


def test_names() -> None:
    assert set(REFUSED) | BEYOND_PLAIN <= set(NAMES)


def test_what_a_function_made_outside_reads_stays_live() -> None:
    """``g = jax.grad(f)`` at the top of a module: what ``f`` reads from there is read at every call."""
    module = load(PROGRAMS / "made_outside.py")
    function = astrace.compile(module.descends)
    for module.SCALE in (2.0, 3.0):
        expected = module.descends(module.X, module.M)
        np.testing.assert_allclose(function(module.X, module.M), expected, rtol=2e-4)
    assert reason_of(function) is None


def test_a_named_tuple_that_no_turn_replaces_is_the_one_given() -> None:
    """The object that comes out is known behind the loop, also if JAX differentiates what is in it."""
    module = MODULES["trees"]
    function = astrace.compile(module.opt_loop)
    given = module.Opt(module.X, module.X, 0)
    for turns in (0, 1, 3):
        assert (function(given, module.X, turns) is given) == (turns == 0)
    assert reason_of(function) is None

    def end(loop: Any, x: Any) -> Any:
        return jnp.sum(loop(module.Opt(x, x, 0), x, 2).m)

    slopes = [jax.grad(lambda x, loop=loop: end(loop, x))(module.X) for loop in (module.opt_loop, function)]
    np.testing.assert_allclose(*slopes, rtol=1e-5)


def test_what_is_caught_where_jax_differentiates() -> None:
    """Python runs what goes on behind an exception, as it would without compiling."""
    module = MODULES["attempts"]
    function = astrace.compile(module.data_decide)
    for limit in (1.0, 5.0):

        def total(x: Any, decide: Any, limit: float = limit) -> Any:
            return jnp.sum(decide(x, limit)[0] ** 2)

        expected, found = (jax.grad(total)(module.X, form) for form in (module.data_decide, function))
        np.testing.assert_allclose(found, expected, rtol=1e-5)


class Counted:
    """A tree of JAX that counts how often it is taken apart."""

    opened = 0

    def __init__(self, v: Any) -> None:
        self.v = v

    def parts(self) -> tuple[tuple[Any, ...], None]:
        type(self).opened += 1
        return (self.v,), None


jax.tree_util.register_pytree_node(Counted, Counted.parts, lambda _, parts: Counted(*parts))


def cyclic() -> list[Any]:
    """A list that contains itself."""
    items: list[Any] = [1.0]
    items.append(items)
    return items


@pytest.mark.parametrize(
    "make",
    [lambda: {1: 2.0, "a": 3.0}, lambda: {"a": {1: 2.0, "b": [1.0] * 3}}, cyclic, lambda: Counted(2.0)],
)
def test_what_holds_no_array_of_jax_is_no_tree(make: Any) -> None:
    """Nothing of the user's runs to find that out, and keys need no order."""

    def kind(tree: Any, x: Any) -> Any:
        return type(tree).__name__, x + 1

    Counted.opened = 0
    assert astrace.compile(kind)(make(), 1.5) == kind(make(), 1.5)
    assert Counted.opened == 0
