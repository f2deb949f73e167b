"""``try`` in functions over arrays of JAX: what nothing raises in, what is known to raise, what data decide."""

import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])


class Other(Exception):
    """An exception of the user's own."""


def key_missing(x):
    found = {}
    try:
        r = found["missing"]
    except KeyError:
        r = x * 2
    return r


def own_caught(x):
    y = x + 1
    try:
        raise Other
    except (KeyError, Other):
        y = y * 3
    return y


def nothing_raises(x, n):
    for i in range(n):
        try:
            x = jnp.sin(x) + i
        except (TypeError, ValueError):
            x = None
        finally:
            x = x * 2
    return x


def data_decide(x, limit):
    try:
        if x.sum() > limit:
            raise ValueError("too much")
        r = x * 2
    except ValueError:
        r = x - limit
    return r, limit


CASES = {
    "key_missing": [(X,), (X[0],)],
    "own_caught": [(X,), (X > 0,)],
    "nothing_raises": [(X, 0), (X, 1), (X, 3)],
    "data_decide": [(X, 1.0), (X, 5.0), (X, 0.0)],
}
