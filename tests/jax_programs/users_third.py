"""More of what users of JAX write: linearisations that are applied in loops, beams of a fixed width."""

import jax
import jax.numpy as jnp
from jax import lax

X = jnp.array([0.5, -1.0, 2.0, 0.25])
LOGITS = jnp.sin(jnp.arange(28.0)).reshape(7, 4)


def linearized(x):
    y, apply = jax.linearize(jnp.sin, x)
    t = jnp.ones(4)
    for _ in range(3):
        t = apply(t)
    return y, t


def linearized_own(x):
    c = x.sum()

    def g(v):
        if c > 100:
            return v
        for _ in range(2):
            v = jnp.sin(v) * c
        return v

    y, apply = jax.linearize(g, x)
    t, n = jnp.ones(4), 0
    while jnp.abs(t).sum() > 1e-3 and n < 5:
        t = apply(t)
        n += 1
    return y, t, n


def beam(logits):
    """Sequences, and what they are worth: the best ones go on, step by step."""
    logp = jax.nn.log_softmax(logits, axis=-1)
    steps, width = logp.shape[0], 3
    scores = jnp.full(width, -jnp.inf).at[0].set(0.0)
    seqs = jnp.zeros((width, steps), jnp.int32)
    for i in range(steps):
        total = scores[:, None] + logp[i][None, :]
        scores, index = lax.top_k(total.ravel(), width)
        beams, tokens = jnp.divmod(index, logp.shape[1])
        seqs = seqs[beams].at[:, i].set(tokens)
    return seqs, scores


def list_of_unlike(x):
    """A list that JAX gives, of arrays that differ, is a list like any other."""
    best = lax.top_k(x, 2)
    best.append(x[0])
    if best[0][0] > 1:
        best[2] = best[2] + 1
    return best, len(best)


CASES = {
    "linearized": [(X,)],
    "linearized_own": [(X,), (X * 100,)],
    "beam": [(LOGITS,)],
    "list_of_unlike": [(X,), (X / 4,)],
}
