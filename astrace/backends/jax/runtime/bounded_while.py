"""Loops that end when a test fails, and after a known number of iterations at the latest.

``lax.while_loop`` can't be differentiated in reverse, since its number of iterations is not known.  If it has a known
bound, derivatives are those of a loop with that number of iterations, which does nothing once the test has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax import lax

from astrace.backends.jax.runtime.control_flow import promoted, settled, while_loop


def bounded_while_loop(
    test: Callable[[Any], Any], body: Callable[[Any], Any], first: Any, start: Any, stop: Any
) -> Any:
    """Run ``lax.while_loop`` over ``range(start, stop)``, which may be left; it carries dtypes by JAX's promotion."""
    if not isinstance(start, int) or not isinstance(stop, int):
        return while_loop(test, body, first)

    def promoted_body(carried: Any) -> Any:
        return promoted(body(carried), carried)

    first = settled(body, first)
    goes_on, of_test = jax.closure_convert(test, first)
    iteration, of_iteration = jax.closure_convert(promoted_body, first)

    def as_it_is(first: Any, of_test: Any, of_iteration: Any) -> Any:
        def holds(carried: Any) -> Any:
            return goes_on(carried, *of_test)

        def after(carried: Any) -> Any:
            return iteration(carried, *of_iteration)

        return lax.while_loop(holds, after, first)

    def all_iterations(first: Any, of_test: Any, of_iteration: Any) -> Any:
        def one(carried: Any, _: None) -> Any:
            held = goes_on(carried, *of_test)
            return lax.cond(held, iteration, _unchanged, carried, *of_iteration), None

        return lax.scan(one, first, None, length=max(0, stop - start))[0]

    def derivative(primals: Any, tangents: Any) -> Any:
        return jax.jvp(all_iterations, primals, tangents)

    loop = jax.custom_jvp(as_it_is)
    loop.defjvp(derivative)
    return loop(first, of_test, of_iteration)


def _unchanged(carried: Any, *_: Any) -> Any:
    return carried
