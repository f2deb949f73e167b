"""Loops that may make no turn."""

import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])


def zero_trip(xs):
    total = 0.0
    for x in xs:
        total = total + x
    return total


def zero_trip_n(x, n):
    total = 0.0
    for i in range(n):
        total = total + x
    return total


def zero_trip_while(x):
    total = 0
    while (x > 1).all():
        total = total + x
        x = x / 2
    return total


def zero_int(x, n):
    c = 0
    for i in range(n):
        c = c + (x > i)
    return c


def zero_list(x, n):
    s = 1.0
    acc = None
    for i in range(n):
        acc = x * i
        s = s * acc
    return s, acc


CASES = {
    "zero_trip": [(jnp.zeros((0,)),), (X,), (jnp.zeros((0,)),), (jnp.zeros((0, 2)),), (jnp.zeros((2, 2)),)],
    "zero_trip_n": [(X, 3), (X, 0), (X, 1)],
    "zero_trip_while": [(X,), (X + 3,), (jnp.array([3, 4]),), (jnp.array([0, 4]),)],
    "zero_int": [(X, 0), (X, 3)],
    "zero_list": [(X, 0), (X, 3)],
}
