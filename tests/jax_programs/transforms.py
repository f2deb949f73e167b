"""Transformations, and control flow written with lax, inside a compiled function."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

X = jnp.array([0.5, -1.0, 2.0])


@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["act"])
@dataclass
class Dense:
    w: jax.Array
    b: jax.Array
    act: str = "relu"

    def __call__(self, x):
        y = x @ self.w + self.b
        return jax.nn.relu(y) if self.act == "relu" else jnp.tanh(y)


dn = lambda: Dense(jnp.ones((3, 2)), jnp.zeros(2))


def loss(w, x):
    return jnp.sum((x * w - 1) ** 2)


def tf_grad(x):
    g = jax.grad(lambda v: (v**2).sum())(x)
    if g.sum() > 0:
        return g
    return -g


def tf_grad_global(w, x, n):
    for _ in range(n):
        w = w - 0.1 * jax.grad(loss)(w, x)
    return w


def tf_value_and_grad(w, x, n):
    l = jnp.inf
    for _ in range(n):
        l, g = jax.value_and_grad(loss)(w, x)
        if l < 0.1:
            break
        w = w - 0.1 * g
    return w, l


def tf_vmap(x):
    return jax.vmap(lambda a: a * a.sum())(x)


def tf_vmap_branch(x):
    def f(a):
        if a > 0:
            return a * 2
        return -a

    return jax.vmap(f)(x)


def tf_grad_loop(x, n):
    def f(v):
        t = 0.0
        for i in range(n):
            t = t + jnp.sin(v).sum()
        return t

    return jax.grad(f)(x)


def tf_jit(x):
    f = jax.jit(lambda a: a + 1)
    for _ in range(3):
        x = f(x)
    return x


def tf_scan(x):
    def step(c, a):
        return c + a, c * a

    c, ys = lax.scan(step, jnp.zeros(()), x)
    if c > 1:
        ys = ys + 1
    return c, ys


def tf_cond(x):
    y = lax.cond(x.sum() > 1, lambda a: a + 1, lambda a: a - 1, x)
    for _ in range(2):
        y = y * 2
    return y


def tf_while(x):
    y = lax.while_loop(lambda c: c.sum() < 100, lambda c: c * 2 + 1, x)
    return y if y[0] > 1 else -y


def tf_fori(x, n):
    return lax.fori_loop(0, n, lambda i, c: c + i * x, jnp.zeros_like(x))


def tf_checkpoint(x):
    f = jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))
    if x[0] > 0:
        x = x + 1
    return jax.grad(lambda v: f(v).sum())(x)


def tf_jvp(x):
    y, dy = jax.jvp(jnp.sin, (x,), (jnp.ones_like(x),))
    if y.sum() > 0:
        return dy
    return y


def tf_vjp(x):
    y, f = jax.vjp(lambda v: v * v, x)
    (g,) = f(y)
    return g


def tf_jac(x):
    return jax.jacfwd(lambda v: v * v.sum())(x), jax.hessian(lambda v: (v**3).sum())(x)


def tf_closure_state(x, params):
    def model(p, x):
        return jnp.tanh(x @ p["w"] + p["b"])

    def lossf(p):
        return ((model(p, x) - 1) ** 2).mean()

    for _ in range(5):
        l, g = jax.value_and_grad(lossf)(params)
        params = jax.tree.map(lambda p, q: p - 0.1 * q, params, g)
    return params, l


def tf_aux(x):
    (v, aux), g = jax.value_and_grad(lambda a: ((a**2).sum(), {"n": a.max()}), has_aux=True)(x)
    return v, aux, g


def tf_map(x):
    return lax.map(lambda a: a**2, x)


def tf_switch(x, i):
    return lax.switch(i, [lambda a: a, lambda a: a * 2, lambda a: a * 3], x)


def tf_assoc(x):
    return lax.associative_scan(jnp.add, x)


def tf_grad_branch_outer(x):
    def f(v):
        if v.sum() > 0:
            return (v**2).sum()
        return (v**3).sum()

    return jax.grad(f)(x)


def tf_pure_partial(x):
    f = partial(loss, x=2.0)
    return jax.grad(f)(x)


def tf_method(d, x):
    return jax.grad(lambda m: m(x).sum())(d)


def tf_vmap_axes(w, xs):
    return jax.vmap(loss, in_axes=(None, 0))(w, xs)


CASES = {
    "tf_grad": [(X,), (-X,)],
    "tf_grad_global": [(X, X, 3), (X, X, 0)],
    "tf_value_and_grad": [(X, X, 5), (X, X, 0)],
    "tf_vmap": [(jnp.ones((2, 3)),)],
    "tf_vmap_branch": [(X,)],
    "tf_grad_loop": [(X, 3)],
    "tf_jit": [(X,)],
    "tf_scan": [(X,)],
    "tf_cond": [(X,), (-X,)],
    "tf_while": [(X,)],
    "tf_fori": [(X, 3), (X, 0)],
    "tf_checkpoint": [(X,), (-X,)],
    "tf_jvp": [(X,), (-X,)],
    "tf_vjp": [(X,)],
    "tf_jac": [(X,)],
    "tf_closure_state": [lambda: (jnp.ones((4, 3)), {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)})],
    "tf_aux": [(X,)],
    "tf_map": [(X,)],
    "tf_switch": [(X, 1), (X, 2)],
    "tf_assoc": [(X,)],
    "tf_grad_branch_outer": [(X,), (-X,)],
    "tf_pure_partial": [(X,)],
    "tf_method": [lambda: (dn(), X)],
    "tf_vmap_axes": [(X, jnp.ones((4, 3)))],
}
