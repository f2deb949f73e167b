"""Trees that are changed, compared, given twice."""

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])
SEEN = {"w": X}


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, ch):
        return cls(*ch)

    @property
    def total(self):
        return self.a + self.b

    def scaled(self, k):
        return Pair(self.a * k, self.b * k)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class TrainState:
    params: Any
    step: int
    lr: float = dataclasses.field(metadata=dict(static=True), default=0.1)

    @classmethod
    def create(cls, params):
        return cls(params=params, step=0)

    def apply(self, grads):
        new = jax.tree.map(lambda p, g: p - self.lr * g, self.params, grads)
        return dataclasses.replace(self, params=new, step=self.step + 1)


def mutates(p, x):
    p["w"] = p["w"] + x
    return p["w"].sum(), p


def mutates_in_branch(p, x):
    if x.sum() > 0:
        p["w"] = p["w"] * 2
    return p


def mutates_grads(p, x):
    g = jax.grad(lambda q: (q["w"] * x).sum() ** 2)(p)
    g["w"] = g["w"] * 2
    return g


def mutates_mapped(p, x):
    q = jax.tree.map(lambda l: l * 2, p)
    q["extra"] = x
    return q, p


def mutates_in_loop(p, n):
    for i in range(n):
        p["w"] = p["w"] * 0.5
    return p["w"]


def identity(p, q):
    return p is q, p["w"] + q["w"]


def twice(p):
    return p, p


def inside(p):
    return [p, {"p": p}], p["w"] * 2


def appends(l, x):
    l.append(x)
    return len(l), l[0] + l[-1]


def sets_attr(p, x):
    if x[0] > 0:
        p.a = x
    return p.total


def tied(p):
    return p["a"] + p["b"]


def keys(p):
    return [k for k in p], sum(v.sum() for v in p.values())


def struct(s, x, n):
    for _ in range(n):
        g = jax.grad(lambda p: ((p["w"] * x - 1) ** 2).sum())(s.params)
        s = s.apply(g)
    return s


def struct_until(s, x):
    while s.step < 3:
        s = s.apply(jax.tree.map(jnp.ones_like, s.params))
    return s


def created(x):
    return TrainState.create({"w": x}).apply({"w": x})


def methods(p, n):
    for _ in range(n):
        p = p.scaled(0.5)
    return p, p.total


def branch_of_two(p, q, x):
    return p if x.sum() > 0 else q


def branch_new(p, x):
    q = Pair(p.b, p.a) if x.sum() > 0 else p
    return q


def best_params(p, x, n):
    best, best_loss = p, jnp.inf
    for i in range(n):
        p = jax.tree.map(lambda l: l * 0.9, p)
        loss = (p["w"] * x).sum() ** 2
        if loss < best_loss:
            best, best_loss = p, loss
    return best, best_loss


def delete(p):
    del p["w"]
    return p


def update(p, x):
    p.update(w=x)
    return p


def popped(p):
    w = p.pop("w")
    return w * 2, p


def copied(p, x):
    q = dict(p)
    q["w"] = x
    return q, p


def spread(p, x):
    return {**p, "w": x, "n": 1}


def nested(p, n):
    for _ in range(n):
        p = {"l": [a * 0.5 for a in p["l"]], "d": {"k": p["d"]["k"] + 1}}
    return p


def global_tree(x, n):
    p = SEEN
    for _ in range(n):
        p = jax.tree.map(lambda l: l + x, p)
    return p


def global_changed(x):
    SEEN["w"] = SEEN["w"] + x
    return SEEN["w"]


class N(NamedTuple):
    a: Any
    b: Any = 1


def nt(n, k):
    for _ in range(k):
        n = n._replace(a=n.a * 2, b=n.b + 1)
    return n, n._asdict()


def none_leaf(p, x):
    for _ in range(2):
        p = {"w": p["w"] * 2, "opt": None}
    return p


def str_leaf(p, x):
    return jax.tree.map(lambda l: l * 2 if isinstance(l, jax.Array) else l, p)


def len_changes(l, x):
    for _ in range(2):
        l = [a + 1 for a in l] + [x]
    return l


P = lambda: {"w": X * 1, "b": X + 1}
Q = lambda: {"b": X + 1, "w": X * 1}
W = lambda: {"w": X * 1}
same = W()


def same_pair():
    p = W()
    return (p, p)


CASES = {
    n: c
    for n, c in dict(
        mutates=[lambda: (P(), X)],
        mutates_in_branch=[lambda: (W(), X), lambda: (W(), -X)],
        mutates_grads=[lambda: (W(), X)],
        mutates_mapped=[lambda: (W(), X)],
        mutates_in_loop=[lambda: (W(), 3), lambda: (W(), 0)],
        identity=[lambda: (W(), W()), same_pair],
        twice=[lambda: (W(),)],
        inside=[lambda: (W(),)],
        appends=[lambda: ([X, X * 2], X)],
        sets_attr=[lambda: (Pair(X, X), X), lambda: (Pair(X, X), -X)],
        tied=[lambda: ({"a": X, "b": X},), lambda: ({"a": X, "b": X + 1},)],
        keys=[lambda: (P(),), lambda: (Q(),), lambda: (W(),)],
        struct=[
            lambda: (TrainState.create(W()), X, 3),
            lambda: (TrainState.create(W()), X, 0),
            lambda: (TrainState(W(), 5, 0.5), X, 2),
        ],
        struct_until=[lambda: (TrainState.create(W()), X)],
        created=[(X,)],
        methods=[lambda: (Pair(X, X), 3), lambda: (Pair(X, X), 0)],
        branch_of_two=[lambda: (W(), {"w": X + 1}, X), lambda: (W(), {"w": X + 1}, -X)],
        branch_new=[lambda: (Pair(X, X + 1), X), lambda: (Pair(X, X + 1), -X)],
        best_params=[lambda: (W(), X, 3), lambda: (W(), X, 0)],
        delete=[lambda: (P(),)],
        update=[lambda: (P(), X)],
        popped=[lambda: (P(),)],
        copied=[lambda: (P(), X + 5)],
        spread=[lambda: (P(), X)],
        nested=[lambda: ({"l": [X, X + 1], "d": {"k": X}}, 2), lambda: ({"l": [X, X + 1], "d": {"k": X}}, 0)],
        global_tree=[(X, 2), (X, 0)],
        nt=[lambda: (N(X), 2), lambda: (N(X, 5), 0)],
        none_leaf=[lambda: ({"w": X, "opt": None}, X)],
        str_leaf=[lambda: ({"w": X, "name": "a", "n": 3}, X)],
        len_changes=[lambda: ([X], X)],
    ).items()
}
