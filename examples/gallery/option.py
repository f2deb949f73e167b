"""An option whose price depends on the mean of a path, which ends early where a barrier is hit."""

import numpy as np


def option(draws, start, strike, barrier, rate, spread, step):
    total, squares, alive = 0.0, 0.0, 0
    for path in range(len(draws)):
        price, mean = start, 0.0
        for i in range(draws.shape[1]):
            price = price * np.exp(
                (rate - spread * spread / 2) * step + spread * np.sqrt(step) * draws[path, i]
            )
            mean += price / draws.shape[1]
            if price > barrier:
                break
        else:
            gain = max(mean - strike, 0.0)
            alive += 1
            total += gain
            squares += gain * gain
    value = total / len(draws)
    return value, np.sqrt(squares / len(draws) - value * value), alive


def arguments(large):
    shape = (1500, 30) if large else (5, 4)
    return np.random.default_rng(8).normal(size=shape), 100.0, 98.0, 130.0, 0.03, 0.25, 1 / 30


def plot(axes, result, draws, start, strike, barrier, rate, spread, step):
    moves = (rate - spread**2 / 2) * step + spread * np.sqrt(step) * draws[:60]
    axes.plot(start * np.exp(np.cumsum(moves, axis=1)).T, lw=0.4)
    axes.axhline(barrier, color="k", ls="--")
    axes.set_title(f"value {result[0]:.3f}")
