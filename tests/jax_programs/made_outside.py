"""Functions that JAX has made at the top of a module, called inside compiled ones."""

import functools

import jax
import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])
M = jnp.arange(12.0).reshape(4, 3) / 10
SCALE = 2.0


def loss(w, x):
    if w[0] > 100:
        return jnp.sum(w)
    return SCALE * jnp.sum((x @ w) ** 2)


gradient = jax.grad(loss)
value_and_gradient = jax.value_and_grad(loss)
curvature = jax.hessian(loss)
each_row = jax.vmap(lambda w, x: jnp.sin(w) @ x, in_axes=(None, 0))


@functools.partial(jax.grad, argnums=1)
def by_second(w, x):
    return jnp.sum(jnp.sin(x @ w))


def descends(w, x):
    for _ in range(10):
        step = gradient(w, x)
        if jnp.abs(step).max() < 1e-2:
            break
        w = w - 0.05 * step
    return w


def stops_at_a_value(w, x):
    value = 1e9
    while value > 0.1:
        value, step = value_and_gradient(w, x)
        w = w - 0.02 * step
    return w, value, by_second(w, x)


def of_rows(w, x):
    h = curvature(w, x)
    for _ in range(3):
        h = h @ h / jnp.linalg.norm(h)
    return h, each_row(w, x)


CASES = {
    "descends": [(X, M), (X * 0, M)],
    "stops_at_a_value": [(X, M), (-X, M)],
    "of_rows": [(X, M)],
}
