"""Functions of ``jax.numpy`` with Python's loops and branches, each beside the same written by hand with ``lax``.

All take one array with one dimension and give one number, so that they can be differentiated and mapped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax import lax


@dataclass(frozen=True)
class Pair:
    """One function written twice.

    Args:
        plain: as people write Python.
        by_hand: with control flow of ``lax``.
        reverse: its loops have a known number of iterations, so that it has a gradient.
    """

    plain: Callable[[Any], Any]
    by_hand: Callable[[Any], Any]
    reverse: bool = True

    @property
    def name(self) -> str:
        """The function's name."""
        return self.plain.__name__


def branch(x):
    if x.sum() > 0:
        return jnp.sin(x).sum()
    return -x.sum()


def branch_by_hand(x):
    return lax.cond(x.sum() > 0, lambda x: jnp.sin(x).sum(), lambda x: -x.sum(), x)


def chain(x):
    s = x.sum()
    if s > 1:
        y = x * 2
    elif s > -1:
        y = x * x
    else:
        y = jnp.exp(x)
    return y.mean()


def chain_by_hand(x):
    s = x.sum()
    return lax.cond(s > 1, lambda: x * 2, lambda: lax.cond(s > -1, lambda: x * x, lambda: jnp.exp(x))).mean()


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = s + x[i] * x[i]
    return s


def total_by_hand(x):
    return lax.fori_loop(0, x.shape[0], lambda i, s: s + x[i] * x[i], 0.0)


def positives(x):
    s = 0.0
    for item in x:
        if item > 0:
            s += jnp.sqrt(item + 1)
    return s


def positives_by_hand(x):
    def iteration(s, item):
        return lax.cond(item > 0, lambda: s + jnp.sqrt(item + 1), lambda: s), None

    return lax.scan(iteration, 0.0, x)[0]


def power(x):
    y = x
    for _ in range(8):
        y = jnp.tanh(y) + 0.1 * x
    return y.sum()


def power_by_hand(x):
    return lax.fori_loop(0, 8, lambda _, y: jnp.tanh(y) + 0.1 * x, x).sum()


def horner(x):
    value = 0.0
    for c in x:
        value = value * 0.5 + c
    return value


def horner_by_hand(x):
    return lax.scan(lambda value, c: (value * 0.5 + c, None), 0.0, x)[0]


def recurrence(x):
    a, b = 0.0, 1.0
    for i in range(x.shape[0]):
        a, b = b, 0.5 * a + x[i] * b
    return b


def recurrence_by_hand(x):
    def iteration(i, carried):
        a, b = carried
        return b, 0.5 * a + x[i] * b

    return lax.fori_loop(0, x.shape[0], iteration, (0.0, 1.0))[1]


def stores(x):
    y = jnp.zeros_like(x)
    for i in range(1, x.shape[0]):
        y = y.at[i].set(0.5 * y[i - 1] + x[i])
    return y.sum()


def stores_by_hand(x):
    def iteration(i, y):
        return y.at[i].set(0.5 * y[i - 1] + x[i])

    return lax.fori_loop(1, x.shape[0], iteration, jnp.zeros_like(x)).sum()


def stores_in_branch(x):
    y = x
    for i in range(x.shape[0]):
        if y[i] > 0:
            y = y.at[i].multiply(2.0)
        else:
            y = y.at[i].add(y[0])
    return (y * y).sum()


def stores_in_branch_by_hand(x):
    def iteration(i, y):
        return lax.cond(y[i] > 0, lambda: y.at[i].multiply(2.0), lambda: y.at[i].add(y[0]))

    y = lax.fori_loop(0, x.shape[0], iteration, x)
    return (y * y).sum()


def nested(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if x[i] > x[j]:
                s = s + x[i] * x[j]
    return s


def nested_by_hand(x):
    def outer(i, s):
        def inner(j, s):
            return lax.cond(x[i] > x[j], lambda: s + x[i] * x[j], lambda: s)

        return lax.fori_loop(0, x.shape[0], inner, s)

    return lax.fori_loop(0, x.shape[0], outer, 0.0)


def early(x):
    s = 0.0
    for i in range(x.shape[0]):
        if s > 2:
            break
        s = s + x[i] ** 2
    return s


def early_by_hand(x):
    def iteration(i, carried):
        s, stopped = carried
        stopped = stopped | (s > 2)
        return jnp.where(stopped, s, s + x[i] ** 2), stopped

    return lax.fori_loop(0, x.shape[0], iteration, (0.0, False))[0]


def skips(x):
    s = 0.0
    for item in x:
        if item < 0:
            continue
        s = s + jnp.cos(item)
    return s


def skips_by_hand(x):
    def iteration(s, item):
        return lax.cond(item < 0, lambda: s, lambda: s + jnp.cos(item)), None

    return lax.scan(iteration, 0.0, x)[0]


def descent(x):
    w = jnp.zeros_like(x)
    for _ in range(5):
        slope = 2 * (w - x)
        if (slope * slope).sum() > 1:
            slope = slope / jnp.sqrt((slope * slope).sum())
        w = w - 0.3 * slope
    return (w * w).sum()


def descent_by_hand(x):
    def iteration(_, w):
        slope = 2 * (w - x)
        size = (slope * slope).sum()
        slope = lax.cond(size > 1, lambda: slope / jnp.sqrt(size), lambda: slope)
        return w - 0.3 * slope

    w = lax.fori_loop(0, 5, iteration, jnp.zeros_like(x))
    return (w * w).sum()


def layers(x):
    w = jnp.outer(x, x)
    h = x
    for _ in range(4):
        h = w @ h
        if jnp.max(jnp.abs(h)) > 1:
            h = h / jnp.max(jnp.abs(h))
    return h.sum()


def layers_by_hand(x):
    w = jnp.outer(x, x)

    def iteration(_, h):
        h = w @ h
        size = jnp.max(jnp.abs(h))
        return lax.cond(size > 1, lambda: h / size, lambda: h)

    return lax.fori_loop(0, 4, iteration, x).sum()


def ternaries(x):
    low = x[0] if x[0] < x[1] else x[1]
    high = x[1] if x[0] < x[1] else x[0]
    return high * high - low


def ternaries_by_hand(x):
    below = x[0] < x[1]
    low = lax.cond(below, lambda: x[0], lambda: x[1])
    high = lax.cond(below, lambda: x[1], lambda: x[0])
    return high * high - low


def both(x):
    if x[0] > 0 and x[1] > 0:
        return x[0] * x[1]
    return x.sum() * 0.5


def both_by_hand(x):
    return lax.cond((x[0] > 0) & (x[1] > 0), lambda: x[0] * x[1], lambda: x.sum() * 0.5)


def oscillator(x):
    position, speed = x[0], x[1]
    for _ in range(20):
        force = -position
        if speed > 0.5:
            force = force - speed
        speed = speed + 0.05 * force
        position = position + 0.05 * speed
    return position * position + speed * speed


def oscillator_by_hand(x):
    def iteration(_, carried):
        position, speed = carried
        force = lax.cond(speed > 0.5, lambda: -position - speed, lambda: -position)
        speed = speed + 0.05 * force
        return position + 0.05 * speed, speed

    position, speed = lax.fori_loop(0, 20, iteration, (x[0], x[1]))
    return position * position + speed * speed


def noisy(x):
    key = jax.random.key(0)
    s = 0.0
    for i in range(x.shape[0]):
        key, use = jax.random.split(key)
        if jax.random.uniform(use) > 0.5:
            s = s + x[i]
        else:
            s = s - x[i] * x[i]
    return s


def noisy_by_hand(x):
    def iteration(i, carried):
        key, s = carried
        key, use = jax.random.split(key)
        s = lax.cond(jax.random.uniform(use) > 0.5, lambda: s + x[i], lambda: s - x[i] * x[i])
        return key, s

    return lax.fori_loop(0, x.shape[0], iteration, (jax.random.key(0), 0.0))[1]


def halving(x):
    count = 0
    while (x * x).sum() > 1:
        x = x / 2
        count += 1
    return x.sum() + count


def halving_by_hand(x):
    def iteration(carried):
        x, count = carried
        return x / 2, count + 1

    x, count = lax.while_loop(lambda carried: (carried[0] * carried[0]).sum() > 1, iteration, (x, 0))
    return x.sum() + count


def newton(x):
    a = jnp.abs(x).sum() + 1
    root = a
    while jnp.abs(root * root - a) > 1e-3 * a:
        root = 0.5 * (root + a / root)
    return root


def newton_by_hand(x):
    a = jnp.abs(x).sum() + 1
    return lax.while_loop(
        lambda root: jnp.abs(root * root - a) > 1e-3 * a, lambda root: 0.5 * (root + a / root), a
    )


def sorted_by_swaps(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[0] - 1):
            if x[j] > x[j + 1]:
                left, right = x[j], x[j + 1]
                x = x.at[j].set(right).at[j + 1].set(left)
    return x[0] - x[-1] * x[1]


def sorted_by_swaps_by_hand(x):
    def inner(j, x):
        return lax.cond(x[j] > x[j + 1], lambda: x.at[j].set(x[j + 1]).at[j + 1].set(x[j]), lambda: x)

    n = x.shape[0]
    x = lax.fori_loop(0, n, lambda _, x: lax.fori_loop(0, n - 1, inner, x), x)
    return x[0] - x[-1] * x[1]


PAIRS: Final = (
    Pair(branch, branch_by_hand),
    Pair(chain, chain_by_hand),
    Pair(total, total_by_hand),
    Pair(positives, positives_by_hand),
    Pair(power, power_by_hand),
    Pair(horner, horner_by_hand),
    Pair(recurrence, recurrence_by_hand),
    Pair(stores, stores_by_hand),
    Pair(stores_in_branch, stores_in_branch_by_hand),
    Pair(nested, nested_by_hand),
    Pair(early, early_by_hand, reverse=False),
    Pair(skips, skips_by_hand),
    Pair(descent, descent_by_hand),
    Pair(layers, layers_by_hand),
    Pair(ternaries, ternaries_by_hand),
    Pair(both, both_by_hand),
    Pair(oscillator, oscillator_by_hand),
    Pair(noisy, noisy_by_hand),
    Pair(sorted_by_swaps, sorted_by_swaps_by_hand),
    Pair(halving, halving_by_hand, reverse=False),
    Pair(newton, newton_by_hand, reverse=False),
)
"""All of them."""
