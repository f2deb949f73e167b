"""Programs as users of JAX write them."""

import dataclasses
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import random

X = jnp.array([0.5, -1.0, 2.0])

M = jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])


@jax.tree_util.register_dataclass
@dataclass
class Body:
    pos: jax.Array
    vel: jax.Array
    t: float


def init_params(key, sizes):
    params = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        key, k = random.split(key)
        params.append({"b": jnp.zeros(n), "w": random.normal(k, (m, n)) * 0.1})
    return params


def mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    last = params[-1]
    return x @ last["w"] + last["b"]


def mse(params, x, y):
    return jnp.mean((mlp(params, x) - y) ** 2)


key = random.key(1)

P = lambda: {"wx": jnp.ones((2, 3)) * 0.1, "wh": jnp.eye(3) * 0.5, "b": jnp.zeros(3)}

xs = jnp.arange(8.0).reshape(4, 2)

prm = lambda: init_params(random.key(0), [2, 4, 1])


def newton(f0, x, tol=1e-5):
    n = 0
    while jnp.abs(x * x - f0) > tol:
        x = x - (x * x - f0) / (2 * x)
        n += 1
    return x, n


def newton_grad(x):
    f = lambda v: v**3 - 2 * v - 5
    df = jax.grad(f)
    for _ in range(20):
        step = f(x) / df(x)
        x = x - step
        if jnp.abs(step) < 1e-6:
            break
    return x


def mcmc(key, n):
    x = jnp.zeros(2)
    samples = []
    for _ in range(n):
        key, k1, k2 = random.split(key, 3)
        prop = x + 0.3 * random.normal(k1, (2,))
        logr = -0.5 * (prop @ prop) + 0.5 * (x @ x)
        if jnp.log(random.uniform(k2)) < logr:
            x = prop
        samples.append(x)
    return jnp.stack(samples)


def rnn(params, xs):
    h = jnp.zeros(params["wh"].shape[0])
    outs = []
    for x in xs:
        h = jnp.tanh(x @ params["wx"] + h @ params["wh"] + params["b"])
        outs.append(h)
    return jnp.stack(outs), h


def rnn_last(params, xs):
    h = jnp.zeros(params["wh"].shape[0])
    for x in xs:
        h = jnp.tanh(x @ params["wx"] + h @ params["wh"] + params["b"])
    return h


def early_exit(xs, limit):
    total = jnp.zeros(())
    for i in range(xs.shape[0]):
        total = total + xs[i]
        if total > limit:
            return i, total
    return -1, total


def train(params, x, y, steps, lr=0.1):
    loss = jnp.inf
    for _ in range(steps):
        loss, grads = jax.value_and_grad(mse)(params, x, y)
        params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, loss


def train_dict(w, x, y):
    params = {"w": w, "b": jnp.zeros(())}
    losses = []
    for epoch in range(3):

        def loss_fn(p):
            return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)

        l, g = jax.value_and_grad(loss_fn)(params)
        params = {k: params[k] - 0.1 * g[k] for k in params}
        losses.append(l)
    return params, losses


def adam(w, x, n):
    m = jnp.zeros_like(w)
    v = jnp.zeros_like(w)

    def loss(w):
        return jnp.sum((x * w - 1) ** 2)

    for t in range(1, n + 1):
        g = jax.grad(loss)(w)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        w = w - 0.01 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return w


def dynamics(b, dt, n):
    for _ in range(n):
        acc = -b.pos
        vel = b.vel + dt * acc
        b = Body(b.pos + dt * vel, vel, b.t + dt)
    return b


def dynamics_until(b, dt):
    while b.pos[0] > 0:
        b = dataclasses.replace(b, pos=b.pos + dt * b.vel, vel=b.vel - dt * b.pos, t=b.t + dt)
    return b


def attention(q, k, v):
    s = jnp.einsum("id,jd->ij", q, k) / jnp.sqrt(q.shape[-1])
    if s.max() > 10:
        s = s - s.max()
    w = jax.nn.softmax(s, axis=-1)
    return jnp.einsum("ij,jd->id", w, v)


def clip_where(x):
    y = jnp.where(x > 0, x, 0.1 * x)
    for i in range(x.shape[0]):
        y = y.at[i].add(jnp.where(y[i] < 0, 1, 2))
    return y


def sieve(n):
    flags = jnp.ones(30, dtype=bool)
    flags = flags.at[0].set(False).at[1].set(False)
    for i in range(2, 6):
        if flags[i]:
            for j in range(i * i, 30, i):
                flags = flags.at[j].set(False)
    return flags


def any_cond(x):
    if (x > 1).any() and not (x < -5).any():
        return x * 2
    elif jnp.all(x > 0):
        return x + 1
    return x


def int_promo(i, x):
    a = i * 2 + 1
    b = a / 3
    c = a // 2 + jnp.int8(3)
    d = x.astype(jnp.float16) * 2.5
    if a > 5:
        e = a
    else:
        e = jnp.int16(2)
    return a, b, c, d, e


def weak(x):
    s = 0
    for v in x:
        s = s + 1
    t = 0.5
    if x[0] > 0:
        t = t * 2
    return s, t, s * t, x * s


def weak16(x):
    s = 1
    for _ in range(3):
        s = s * 2.5
    return x.astype(jnp.bfloat16) * s


def while_count(x):
    n = 0
    while x.sum() > 1 and n < 50:
        x = x * 0.9
        n += 1
    return n, x


def power_iter(A, n):
    v = jnp.ones(A.shape[0])
    lam = 0.0
    for _ in range(n):
        w = A @ v
        lam_new = jnp.linalg.norm(w)
        v = w / lam_new
        if abs(lam_new - lam) < 1e-6:
            break
        lam = lam_new
    return lam, v


def bisect(lo, hi):
    f = lambda x: x**3 - x - 2
    while hi - lo > 1e-5:
        mid = (lo + hi) / 2
        if f(mid) * f(lo) < 0:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2


CASES = {
    "newton": [(jnp.float32(2.0), jnp.float32(1.0)), (2.0, jnp.float32(1.0)), (9.0, jnp.float32(1.0))],
    "newton_grad": [(jnp.float32(2.0),), (2.0,)],
    "mcmc": [(key, 5)],
    "rnn": [lambda: (P(), xs)],
    "rnn_last": [lambda: (P(), xs)],
    "early_exit": [(X, 1.0), (X, 100.0)],
    "train": [lambda: (prm(), xs, jnp.ones((4, 1)), 3), lambda: (prm(), xs, jnp.ones((4, 1)), 0)],
    "train_dict": [(jnp.ones(2), xs, jnp.ones(4))],
    "adam": [(X, X, 3), (X, X, 0)],
    "dynamics": [lambda: (Body(X, X, 0.0), 0.1, 3), lambda: (Body(X, X, 0.0), 0.1, 0)],
    "dynamics_until": [lambda: (Body(X, X, 0.0), 0.1)],
    "attention": [(xs, xs, xs)],
    "clip_where": [(X,)],
    "sieve": [(30,)],
    "any_cond": [(X,), (-X,), (abs(X) / 4,)],
    "int_promo": [(3, X), (1, X), (jnp.int32(3), X), (jnp.int16(1), X)],
    "weak": [(X,), (-X,)],
    "weak16": [(X,)],
    "while_count": [(X,), (-X,)],
    "power_iter": [(M, 50), (M, 2), (M, 0)],
    "bisect": [(jnp.float32(1), jnp.float32(2)), (1.0, jnp.float32(2))],
}
