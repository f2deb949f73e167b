"""Transformations, trees and closures: more of what users of JAX write."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import astrace

X = jnp.array([0.5, -1.0, 2.0])
M = jnp.arange(9.0).reshape(3, 3)
inner_c = astrace.compile(lambda x: x * 2 if x.sum() > 0 else x - 1)


@jax.jit
def jitted(x):
    return jnp.sin(x) + 1


def uses_jitted(x, n):
    for _ in range(n):
        x = jitted(x)
    return x


def uses_compiled(x):
    return jax.grad(lambda v: inner_c(v).sum())(x)


@jax.custom_vjp
def clipgrad(x):
    return x


clipgrad.defvjp(lambda x: (x, None), lambda res, g: (jnp.clip(g, -1, 1),))


def uses_custom(x):
    g = jax.grad(lambda v: (clipgrad(v) * 5).sum())(x)
    if g.sum() > 0:
        g = g * 2
    return g


def scan_with_params(params, xs):
    def step(h, x):
        h = jnp.tanh(params["w"] @ h + x)
        return h, h.sum()

    h, ys = lax.scan(step, jnp.zeros(3), xs)
    while ys.max() > 1:
        ys = ys / 2
    return h, ys


def scan_tree_state(xs):
    def step(c, x):
        s, n = c
        if x.sum() > 3:
            s = s + x
        return {"s": s, "n": n}["s"], n + 1

    def step2(c, x):
        s = c["s"] + x if x.sum() > 3 else c["s"]
        return {"s": s, "n": c["n"] + 1}, s.max()

    return lax.scan(step2, {"s": jnp.zeros(3), "n": 0}, xs)


def while_loop_tuple(x):
    return lax.while_loop(lambda s: s[1] < 10, lambda s: (s[0] * 1.1, s[1] + 1), (x, 0))


def fori_state(x, n):
    def body(i, s):
        a, b = s
        return a + b[i % 3], b

    return lax.fori_loop(0, n, body, (jnp.float32(0), x))


def nested_transforms(x):
    f = lambda v: jnp.sum(jnp.sin(v) * v)
    return jax.vmap(jax.grad(f))(jnp.stack([x, x + 1])), jax.jit(jax.hessian(f))(x)


def vg_jit(x):
    @jax.jit
    def f(v):
        return (v**2).sum()

    l, g = jax.value_and_grad(f)(x)
    return l, g


def checkpointed(x, n):
    @jax.checkpoint
    def layer(v):
        return jnp.tanh(v) * 2

    for _ in range(3):
        x = layer(x)
    return x


def decorated_partial(x):
    @partial(jax.jit, static_argnums=(1,))
    def f(v, k):
        return v * k

    return f(x, 3)


def grad_argnums(x, y):
    def f(a, b):
        return (a * b**2).sum()

    return jax.grad(f, argnums=(0, 1))(x, y)


def vmap_in_axes_dict(p, xs):
    return jax.vmap(lambda p, x: p["a"] * x, in_axes=({"a": None}, 0))(p, xs)


def tree_ops(p):
    leaves, treedef = jax.tree.flatten(p)
    leaves = [l * 2 for l in leaves]
    n = sum(jax.tree.leaves(jax.tree.map(lambda l: l.size, p)))
    s = jax.tree.reduce(lambda a, b: a + b.sum(), p, 0.0)
    return jax.tree.unflatten(treedef, leaves), n, s


def global_norm_clip(g, m):
    norm = jnp.sqrt(sum(jnp.sum(l**2) for l in jax.tree.leaves(g)))
    if norm > m:
        g = jax.tree.map(lambda l: l * (m / norm), g)
    return g


def cond_update(p, x):
    if x.sum() > 0:
        p = jax.tree.map(lambda l: l * 0.5, p)
    return p


def side_effect(x):
    seen = []

    def f(v):
        seen.append(1)
        return (v**2).sum()

    g = jax.grad(f)(x)
    return g, len(seen)


def printing(x):
    def f(v):
        print("called")
        return (v**2).sum()

    return jax.grad(f)(x)


class Model:
    def __init__(self):
        self.w = jnp.ones(3)
        self.scale = 2.0

    def loss(self, w, x):
        return jnp.sum((w * x - self.scale) ** 2)

    def step(self, x):
        g = jax.grad(self.loss)(self.w, x)
        if jnp.abs(g).max() > 0.1:
            self.w = self.w - 0.1 * g
        return self.w


def model_grad(m, x):
    return jax.grad(m.loss)(m.w, x)


def model_step(m, x):
    return m.step(x)


def linearized(x):
    y, f = jax.linearize(jnp.sin, x)
    return y, f(x)


def vjp_aux(x):
    y, f, aux = jax.vjp(lambda v: (v * 2, v.sum()), x, has_aux=True)
    return y, f(y), aux


def pure_cb(x):
    return jax.pure_callback(lambda v: np.sin(v), jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def debug_print(x):
    jax.debug.print("x {}", x.sum())
    return x + 1


def error_in_grad(x):
    return jax.grad(lambda v: v * 2)(x)


def shape_err(x):
    return jax.vmap(lambda a, b: a + b)(x, x[:2])


def enumerate_dict(p, x):
    out = {}
    for k, v in p.items():
        out[k] = v * x if k.startswith("w") else v
    return out


def tuple_state(x):
    state = (x, jnp.int32(0), True)
    while state[2]:
        v, c, go = state
        v = v * 0.5
        state = (v, c + 1, bool(v.max() > 0.1))
    return state


def switch_py(x, mode):
    fns = {"a": jnp.sin, "b": lambda v: v * 2}
    return fns[mode](x)


def complex_loop(n):
    z = jnp.complex64(0)
    c = jnp.complex64(0.3 + 0.5j)
    k = 0
    while abs(z) < 2 and k < n:
        z = z * z + c
        k += 1
    return k, z


def bool_ops(x):
    m = x > 0
    if m.all():
        return m
    if not m.any():
        return ~m
    return m & (x < 1)


P = lambda: {"w": M, "b": X}
Q = lambda: {"b": X, "w": M}
CASES = {
    "uses_jitted": [(X, 3), (X, 0)],
    "uses_compiled": [(X,), (-X,)],
    "uses_custom": [(X,)],
    "scan_with_params": [lambda: (P(), M)],
    "scan_tree_state": [(M,)],
    "while_loop_tuple": [(X,)],
    "fori_state": [(X, 4), (X, 0)],
    "nested_transforms": [(X,)],
    "vg_jit": [(X,)],
    "checkpointed": [(X, 3)],
    "decorated_partial": [(X,)],
    "grad_argnums": [(X, X)],
    "vmap_in_axes_dict": [lambda: ({"a": X}, M)],
    "tree_ops": [lambda: (P(),)],
    "global_norm_clip": [lambda: (Q(), 1.0), lambda: (Q(), 100.0)],
    "cond_update": [lambda: (Q(), X), lambda: (Q(), -X)],
    "side_effect": [(X,), (X,)],
    "printing": [(X,), (X,)],
    "model_grad": [lambda: (Model(), X)],
    "model_step": [lambda: (Model(), X)],
    "linearized": [(X,)],
    "vjp_aux": [(X,)],
    "pure_cb": [(X,)],
    "debug_print": [(X,)],
    "error_in_grad": [(X,)],
    "shape_err": [(X,)],
    "enumerate_dict": [lambda: (Q(), X)],
    "tuple_state": [(X,)],
    "switch_py": [(X, "a"), (X, "b"), (X, "c")],
    "complex_loop": [(20,), (0,)],
    "bool_ops": [(X,), (abs(X),), (-abs(X),)],
}
