"""What follows from sizes: how many results there are, of what rank; and errors of what nobody uses."""

import jax.numpy as jnp

M = jnp.arange(6.0).reshape(2, 3)


def count_of_parts(m):
    return len(jnp.unstack(m)), jnp.squeeze(m).ndim


def unused_error(x, y):
    x + y
    return x * 2


CASES = {
    "count_of_parts": [(M,), (M.T,), (M[:1],)],
    "unused_error": [(M, M), (M, M.T)],
}
