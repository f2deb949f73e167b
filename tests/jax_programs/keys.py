"""Keys for random numbers are values."""

import jax
import jax.numpy as jnp

X = jnp.array([0.5, -1.0, 2.0])

k = jax.random.key(0)


def keys_loop(key, n):
    x = jnp.zeros(3)
    for i in range(n):
        key, sub = jax.random.split(key)
        x = x + jax.random.normal(sub, (3,))
    return x, key


def keys_fold(key, n):
    x = 0.0
    for i in range(n):
        k = jax.random.fold_in(key, i)
        x = x + jax.random.uniform(k)
    return x


def keys_mc(key, x):
    acc = 0
    for i in range(20):
        key, k1, k2 = jax.random.split(key, 3)
        prop = x + 0.5 * jax.random.normal(k1, x.shape)
        ratio = jnp.exp(-0.5 * (prop @ prop - x @ x))
        if jax.random.uniform(k2) < ratio:
            x = prop
            acc += 1
    return x, acc


def keys_array(key, n):
    ks = jax.random.split(key, 4)
    t = jnp.zeros(2)
    for k in ks:
        t = t + jax.random.normal(k, (2,))
    return t


def old_keys(seed, n):
    key = jax.random.PRNGKey(seed)
    s = jnp.zeros(())
    for i in range(n):
        key, sub = jax.random.split(key)
        s += jax.random.normal(sub)
    return s


def new_key_in(seed, x):
    key = jax.random.key(seed)
    return x + jax.random.normal(key, x.shape)


CASES = {
    "keys_loop": [(k, 3), (k, 0)],
    "keys_fold": [(k, 3), (k, 0)],
    "keys_mc": [(k, X)],
    "keys_array": [(k, 1)],
    "old_keys": [(0, 3), (5, 2)],
    "new_key_in": [(3, X)],
}
