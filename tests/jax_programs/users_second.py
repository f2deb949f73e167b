"""Programs as users of JAX write them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import random

X = jnp.array([0.5, -1.0, 2.0])

M = jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])

SCALE = {"s": jnp.float32(2.0)}

OFFSET = 3

key = random.key(1)

xs = jnp.arange(8.0).reshape(4, 2)


def viterbi(logp, trans):
    T, S = logp.shape
    score = logp[0]
    back = jnp.zeros((T, S), dtype=jnp.int32)
    for t in range(1, T):
        cand = score[:, None] + trans
        back = back.at[t].set(jnp.argmax(cand, axis=0))
        score = cand.max(0) + logp[t]
    path = jnp.zeros(T, dtype=jnp.int32)
    path = path.at[T - 1].set(jnp.argmax(score))
    for t in range(T - 2, -1, -1):
        path = path.at[t].set(back[t + 1, path[t + 1]])
    return path


def kmeans(x, n):
    c = x[:2]
    for _ in range(n):
        d = jnp.sum((x[:, None] - c[None]) ** 2, -1)
        a = jnp.argmin(d, 1)
        new = []
        for k in range(2):
            m = a == k
            new.append(jnp.where(m.sum() > 0, (x * m[:, None]).sum(0) / jnp.maximum(m.sum(), 1), c[k]))
        c = jnp.stack(new)
    return c, a


def running_max(x):
    best, arg = -jnp.inf, -1
    for i, v in enumerate(x):
        if v > best:
            best, arg = v, i
    return best, arg


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def game(grid, n):
    for _ in range(n):
        nb = sum(jnp.roll(grid, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        grid = ((nb == 3) | ((grid == 1) & (nb == 2))).astype(jnp.int32)
    return grid


def line_search(x):
    f = lambda v: jnp.sum((v - 1) ** 2)
    g = jax.grad(f)(x)
    t = 1.0
    while f(x - t * g) > f(x) - 0.5 * t * jnp.sum(g * g):
        t *= 0.5
    return x - t * g, t


def ode_rk4(y, n, dt=0.1):
    def f(y):
        return jnp.array([y[1], -y[0]])

    for _ in range(n):
        k1 = f(y)
        k2 = f(y + dt / 2 * k1)
        k3 = f(y + dt / 2 * k2)
        k4 = f(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def dropout(key, x, train=True):
    if train:
        keep = random.bernoulli(key, 0.5, x.shape)
        x = jnp.where(keep, x / 0.5, 0)
    return x


def per_example_grads(w, xs, ys):
    def loss(w, x, y):
        return (jnp.dot(w, x) - y) ** 2

    gs = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(w, xs, ys)
    norm = jnp.linalg.norm(gs, axis=1)
    if norm.max() > 1:
        gs = gs / norm[:, None]
    return gs.mean(0)


def hmc(key, q, n):
    def U(q):
        return 0.5 * jnp.sum(q**2)

    gU = jax.grad(U)
    accepted = 0
    for _ in range(n):
        key, kp, ku = random.split(key, 3)
        p = random.normal(kp, q.shape)
        q0, H0 = q, U(q) + 0.5 * p @ p
        p = p - 0.05 * gU(q)
        for i in range(5):
            q = q + 0.1 * p
            if i != 4:
                p = p - 0.1 * gU(q)
        p = p - 0.05 * gU(q)
        if random.uniform(ku) < jnp.exp(H0 - U(q) - 0.5 * p @ p):
            accepted = accepted + 1
        else:
            q = q0
    return q, accepted


def raises(x):
    if x.sum() > 2:
        raise ValueError("too large")
    return x * 2


def asserts(x):
    assert x.shape[0] == 3, "three"
    assert (x < 10).all(), "small"
    return x


def index_error(x, i):
    lst = [x, x * 2]
    return lst[i]


def dict_get(x, d, k):
    return d[k] * x


def string_flag(x, mode):
    if mode == "mean":
        return x.mean()
    elif mode == "sum":
        return x.sum()
    raise ValueError(mode)


def argsort_loop(x):
    out = x
    for i in range(len(x)):
        j = jnp.argmin(out[i:]) + i
        a, b = out[i], out[j]
        out = out.at[i].set(b).at[j].set(a)
    return out


def cumulative(x):
    return [x[:i].sum() for i in range(1, len(x) + 1)]


def py_float(x):
    v = float(x.sum())
    return v * 2, int(x[2]), bool(x[0] > 0)


def np_mixed(x):
    a = np.arange(3)
    return x + a, x * np.float32(2), np.sum(a)


def global_read(x):
    return x * SCALE["s"] + OFFSET


def segment(x, ids):
    out = jnp.zeros(3)
    for i in range(x.shape[0]):
        out = out.at[ids[i]].add(x[i])
    return out


CASES = {
    "viterbi": [(jnp.log(jax.nn.softmax(jnp.arange(12.0).reshape(4, 3) % 5)), M)],
    "kmeans": [(xs, 3)],
    "running_max": [(X,), (-X,)],
    "collatz": [(jnp.int32(7),), (jnp.int32(1),), (7,)],
    "game": [(jnp.eye(4, dtype=jnp.int32), 3)],
    "line_search": [(X,)],
    "ode_rk4": [(jnp.array([1.0, 0.0]), 5)],
    "dropout": [(key, X), (key, X, False)],
    "per_example_grads": [(jnp.ones(2), xs, jnp.ones(4))],
    "hmc": [(key, jnp.ones(2), 4)],
    "raises": [(X,), (X * 5,)],
    "asserts": [(X,), (X[:2],), (X * 100,)],
    "index_error": [(X, 1), (X, 5)],
    "dict_get": [lambda: (X, {"a": X}, "a"), lambda: (X, {"a": X}, "b")],
    "string_flag": [(X, "mean"), (X, "sum"), (X, "q")],
    "argsort_loop": [(X,)],
    "cumulative": [(X,)],
    "py_float": [(X,)],
    "np_mixed": [(X,)],
    "global_read": [(X,)],
    "segment": [(X, jnp.array([0, 2, 2]))],
}
