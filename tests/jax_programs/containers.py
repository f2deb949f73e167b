"""Containers come out as they are: order of keys, numbers in them, identity."""

import jax
import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, ch):
        return cls(*ch)


def d1(x):
    return {"n": x.shape[0], "x": x * 2, "f": 0.5}


def d2(x, k):
    return Pair(x, k)


def d3(x, k):
    r = [x, k]
    r.append(k + 1)
    return r


def d4(x):
    return {"a": {"b": [x, 1, None]}, "c": (x.sum(), 2)}


def d5(x, n):
    out = []
    for i in range(3):
        out.append(x * i)
    return out


def d6(x, n):
    out = []
    for i in range(n):
        out.append((x * i).sum())
    return jnp.stack(out)


def d7(x):
    if x.sum() > 0:
        r = {"a": x, "n": 1}
    else:
        r = {"a": -x, "n": 2}
    return r


def ident(x):
    return x


def ident2(p):
    return p


CASES = {
    "d1": [(X,)],
    "d2": [(X, 3), (X, 4)],
    "d3": [(X, 3)],
    "d4": [(X,)],
    "d5": [(X, 3)],
    "d6": [(X, 3)],
    "d7": [(X,), (-X,)],
    "ident": [(X,)],
    "ident2": [lambda: ({"a": X},)],
}
