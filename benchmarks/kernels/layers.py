"""Layers of neural networks: convolution and pooling with windows, attention, normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- layers ----------------------------------------------------------------------------------------------


def relu(x):
    """Replace negative numbers by zero."""
    return np.maximum(x, 0)


def softmax(x):
    """Along the last axis; the largest is taken off first, so that nothing overflows."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def convolve(images, filters, bias):
    """Filters slide over images: each place of the output takes one window of all images."""
    size = filters.shape[0]
    height, width = images.shape[1] - size + 1, images.shape[2] - size + 1
    output = np.empty((images.shape[0], height, width, filters.shape[3]), dtype=images.dtype)
    for i in range(height):
        for j in range(width):
            window = images[:, i : i + size, j : j + size, :, np.newaxis]
            output[:, i, j, :] = np.sum(window * filters, axis=(1, 2, 3)) + bias
    return output


def pool(images, size=2):
    """The largest of each window; windows do not overlap."""
    height, width = images.shape[1] // size, images.shape[2] // size
    output = np.empty((images.shape[0], height, width, images.shape[3]), dtype=images.dtype)
    for i in range(height):
        for j in range(width):
            window = images[:, size * i : size * (i + 1), size * j : size * (j + 1), :]
            output[:, i, j, :] = np.max(window, axis=(1, 2))
    return output


# -- networks --------------------------------------------------------------------------------------------


def digits(images, filters, filter_bias, weights, bias):
    """A small network for images, in the manner of LeCun's of 1998: convolve, pool, flatten, classify."""
    x = pool(relu(convolve(images, filters, filter_bias)))
    x = x.reshape(x.shape[0], -1)
    return softmax(x @ weights + bias)


def images(size: int) -> tuple[Any, ...]:
    """Images, filters, weights."""
    rng = np.random.default_rng(19)
    inner = (size - 2) // 2
    return (
        rng.random((2, size, size, 3)),
        rng.normal(size=(3, 3, 3, 4)),
        rng.normal(size=4),
        rng.normal(size=(inner * inner * 4, 5)),
        np.zeros(5),
    )


def other_images() -> tuple[tuple[Any, ...], ...]:
    """No images, images too small, weights that do not fit."""
    pictures, *network = images(6)
    return (
        (pictures[:0], *network),
        (pictures[:, :2, :2], *network),
        (pictures[:, :5], *network),
    )


def mlp(x, weights, biases, activation="relu"):
    """A perceptron whose layers are stacked in one array each; the last one is linear."""
    for i in range(len(weights)):
        x = x @ weights[i] + biases[i]
        if i < len(weights) - 1:
            x = relu(x) if activation == "relu" else np.tanh(x)
    return softmax(x)


def layers(size: int) -> tuple[Any, ...]:
    """A batch, and weights of three layers."""
    rng = np.random.default_rng(20)
    return rng.random((4, size)), rng.normal(size=(3, size, size)), rng.normal(size=(3, size))


def other_layers() -> tuple[tuple[Any, ...], ...]:
    """No layers, one, another activation."""
    x, weights, biases = layers(3)
    return (
        (x, weights[:0], biases[:0]),
        (x, weights[:1], biases[:1]),
        (x, weights, biases, "tanh"),
    )


def attention(queries, keys, values, heads):
    """Attention with a causal mask (Vaswani et al., 2017), head by head on slices of the features."""
    length, width = queries.shape
    step = width // heads
    output = np.empty_like(values)
    hidden = np.triu(np.ones((length, length), dtype=bool), k=1)
    for head in range(heads):
        part = np.s_[:, head * step : (head + 1) * step]
        scores = queries[part] @ keys[part].T / np.sqrt(step)
        scores[hidden] = -np.inf
        output[part] = softmax(scores) @ values[part]
    return output


def tokens(size: int) -> tuple[Any, ...]:
    """Queries, keys and values of eight features."""
    return *np.random.default_rng(21).normal(size=(3, size, 8)), 2


def other_tokens() -> tuple[tuple[Any, ...], ...]:
    """One token, one head, more heads, none."""
    q, k, v, _ = tokens(4)
    return (q[:1], k[:1], v[:1], 2), (q, k, v, 1), (q, k, v, 4), (q, k, v, 0)


def train(x, targets, hidden, output, rate, epochs):
    """Gradient descent on a network of two layers, whose weights are changed in place; gives the losses."""
    losses = []
    for _ in range(epochs):
        between = np.tanh(x @ hidden)
        guess = softmax(between @ output)
        losses.append(-np.mean(np.sum(targets * np.log(guess), axis=1)))
        error = (guess - targets) / len(x)
        back = (error @ output.T) * (1.0 - between**2)
        output -= rate * (between.T @ error)
        hidden -= rate * (x.T @ back)
    return losses


def lessons(size: int) -> tuple[Any, ...]:
    """Examples of three classes and the first weights."""
    rng = np.random.default_rng(22)
    targets = np.eye(3)[rng.integers(0, 3, size)]
    return rng.normal(size=(size, 4)), targets, rng.normal(size=(4, 6)), rng.normal(size=(6, 3)), 0.5, 40


def other_lessons() -> tuple[tuple[Any, ...], ...]:
    """No epoch, one."""
    *lesson, _ = lessons(5)
    return (*lesson, 0), (*lesson, 1)


KERNELS = (
    Kernel(digits, images, 6, 24, other_images),
    Kernel(mlp, layers, 4, 64, other_layers),
    Kernel(attention, tokens, 4, 100, other_tokens),
    Kernel(train, lessons, 6, 100, other_lessons),
)
