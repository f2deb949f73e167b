"""Loops that are left early, and parts whose sizes follow from the turn, under transformations of JAX's."""

import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0, 0.1])


def until_large(x):
    total = jnp.zeros(())
    for i in range(4):
        total = total + x[i] ** 2
        if total > 1:
            break
    return total


def returned_early(x):
    total = 0.0
    for v in x:
        if v > 1:
            return v * total
        total = total + jnp.sin(v)
    return total


def nested(x):
    product = jnp.ones(())
    for i in range(3):
        for j in range(4):
            if product > 5:
                break
            product = product * (1 + x[j] ** 2)
        if product > 9:
            continue
        product = product + x[i]
    return product


def conjugate_gradients(x):
    matrix, b = jnp.diag(x**2 + 1) + 0.1, jnp.ones(4) * x[0]
    result, residual = jnp.zeros(4), b
    direction, squares = b, b @ b
    for _ in range(6):
        image = matrix @ direction
        step = squares / (direction @ image)
        result, residual = result + step * direction, residual - step * image
        after = residual @ residual
        if jnp.sqrt(after) < 1e-2:
            break
        direction, squares = residual + after / squares * direction, after
    return result.sum()


def parts(x):
    total = 0.0
    for i in range(1, 4):
        total = total + x[:i].sum() * x[i:].max()
    return total


CASES = {
    "until_large": [(X,), (X / 4,)],
    "returned_early": [(X,), (X / 4,)],
    "nested": [(X,), (X * 3,)],
    "conjugate_gradients": [(X,), (X * 3,)],
    "parts": [(X,)],
}
