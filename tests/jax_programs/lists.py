"""Lists that loops append to."""

import jax
import jax.numpy as jnp
from jax import random

X = jnp.array([0.5, -1.0, 2.0])
M = jnp.arange(9.0).reshape(3, 3)


def before_and_after(x, n):
    out = [x]
    for i in range(n):
        x = x * 0.5
        out.append(x)
    out.append(x + 1)
    return out


def before_stacked(x, n):
    out = [x]
    for i in range(n):
        x = x * 0.5
        out.append(x)
    return jnp.stack(out), len(out)


def two_lists(xs):
    a, b = [], []
    for x in xs:
        a.append(x.sum())
        b.append(x * 2)
    return jnp.array(a), jnp.stack(b).sum(0)


def conditional(xs):
    out = []
    for x in xs:
        if x.sum() > 5:
            out.append(x)
    return out


def twice(xs):
    out = []
    for x in xs:
        out.append(x)
        out.append(-x)
    return out


def aliased(xs):
    out = []
    pair = (out, 1)
    for x in xs:
        out.append(x)
    return pair, out


def numbers(xs, n):
    out = []
    for i in range(n):
        out.append(i * 2)
    return out, xs


def tuples(xs):
    out = []
    for x in xs:
        out.append((x, x.sum()))
    return out


def read_inside(xs):
    out = [xs[0]]
    for x in xs:
        out.append(out[-1] + x)
    return out


def mean_of(xs):
    losses = []
    for x in xs:
        losses.append((x**2).mean())
    return sum(losses) / len(losses)


def last(xs):
    hs = []
    h = jnp.zeros(3)
    for x in xs:
        h = jnp.tanh(h + x)
        hs.append(h)
    return hs[-1]


def walked(xs):
    hs = []
    for x in xs:
        hs.append(x * 2)
    t = jnp.zeros(3)
    for h in hs:
        t = t + h
    return t


def weak_rows(n):
    out = []
    w = jnp.asarray(1.0)
    for i in range(n):
        w = w * 2
        out.append(w)
    return out


def nested_lists(xs):
    rows = []
    for x in xs:
        row = []
        for v in x:
            row.append(v * 2)
        rows.append(jnp.stack(row))
    return jnp.stack(rows)


def returned_early(xs):
    out = []
    for x in xs:
        out.append(x)
        if x.sum() > 5:
            break
    return out


def bidirectional(xs):
    f, b = [], []
    h = jnp.zeros(3)
    for x in xs:
        h = jnp.tanh(h + x)
        f.append(h)
    h = jnp.zeros(3)
    for x in xs[::-1]:
        h = jnp.tanh(h - x)
        b.append(h)
    return jnp.concatenate([jnp.stack(f), jnp.stack(b)[::-1]], axis=1)


def with_grad(w, xs):
    def loss(w):
        hs = []
        h = jnp.zeros(3)
        for x in xs:
            h = jnp.tanh(w * h + x)
            hs.append(h)
        return jnp.stack(hs).sum()

    return jax.grad(loss)(w)


def sampled(key, n):
    out = []
    for i in range(n):
        key, k = random.split(key)
        out.append(random.normal(k, (2,)))
    return jnp.stack(out).mean(0)


def keys(key, n):
    out = []
    for i in range(n):
        key, k = random.split(key)
        out.append(k)
    return jnp.stack(out)


CASES = {
    n: c
    for n, c in dict(
        before_and_after=[(X, 3), (X, 0)],
        before_stacked=[(X, 3), (X, 0)],
        two_lists=[(M,)],
        conditional=[(M,)],
        twice=[(M,)],
        aliased=[(M,)],
        numbers=[(X, 3)],
        tuples=[(M,)],
        read_inside=[(M,)],
        mean_of=[(M,)],
        last=[(M,)],
        walked=[(M,)],
        weak_rows=[(3,)],
        nested_lists=[(M,)],
        returned_early=[(M,)],
        bidirectional=[(M,)],
        with_grad=[(X, M)],
        sampled=[(random.key(0), 4)],
        keys=[(random.key(0), 3)],
    ).items()
}
