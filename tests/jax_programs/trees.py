"""Classes that JAX knows as trees: given, carried by loops, merged by branches, returned."""

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

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


@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["act"])
@dataclass
class Dense:
    w: jax.Array
    b: jax.Array
    act: str = "relu"

    def __call__(self, x):
        y = x @ self.w + self.b
        return jax.nn.relu(y) if self.act == "relu" else jnp.tanh(y)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    x: jax.Array
    step: jax.Array

    def replace(self, **kw):
        return dataclasses.replace(self, **kw)


class Opt(NamedTuple):
    m: jax.Array
    v: jax.Array
    t: int


mk = lambda: Pair(jnp.ones(2), jnp.array([1.0, 2.0]))

dn = lambda: Dense(jnp.ones((3, 2)), jnp.zeros(2))

st = lambda: State(X, jnp.int32(0))


def pytree_arg(p):
    return p.a * 2 + p.b


def pytree_result(p):
    return Pair(p.a + 1, p.b * 2)


def pytree_map(p):
    return jax.tree.map(lambda a: a * 2, p)


def pytree_loop(p, n):
    for _ in range(n):
        if p.a.sum() > 3:
            p = Pair(p.a / 2, p.b + 1)
        else:
            p = Pair(p.a + p.b, p.b)
    return p


def pytree_mut(p, n):
    for _ in range(n):
        p.a = p.a + p.b
    return p.a


def dense_call(d, x):
    y = d(x)
    while y.sum() > 1:
        y = y * 0.5
    return y


def dense_new(d, x):
    if x.sum() > 0:
        d = dataclasses.replace(d, w=d.w * 2)
    return d


def state_loop(s, n):
    for i in range(n):
        s = s.replace(x=s.x * 0.5 + 1, step=s.step + 1)
    return s


def state_while(s):
    while s.x.sum() > 1:
        s = State(s.x * 0.5, s.step + 1)
    return s


def opt_loop(o, g, n):
    for _ in range(n):
        m = 0.9 * o.m + 0.1 * g
        v = 0.99 * o.v + 0.01 * g**2
        o = o._replace(m=m, v=v, t=o.t + 1)
    return o


CASES = {
    "pytree_arg": [lambda: (mk(),)],
    "pytree_result": [lambda: (mk(),)],
    "pytree_map": [lambda: (mk(),)],
    "pytree_loop": [lambda: (mk(), 3), lambda: (mk(), 0)],
    "pytree_mut": [lambda: (mk(), 3), lambda: (mk(), 0)],
    "dense_call": [lambda: (dn(), X), lambda: (dn(), X + 5)],
    "dense_new": [lambda: (dn(), X), lambda: (dn(), -X)],
    "state_loop": [lambda: (st(), 3), lambda: (st(), 0)],
    "state_while": [lambda: (st(),)],
    "opt_loop": [lambda: (Opt(X, X, 0), X, 3), lambda: (Opt(X, X, 0), X, 0)],
}
