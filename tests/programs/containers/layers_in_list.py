"""A list of layers, indexed by the loop variable."""

import numpy as np

class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return x @ self.w + self.b

def relu(x):
    return np.maximum(x, 0)

LAYERS = [Dense(np.eye(2), np.ones(2)), relu, Dense(np.full((2, 3), 0.5), np.zeros(3))]

def f(x):
    for layer in LAYERS:
        x = layer(x)
    for i in range(len(LAYERS)):
        if isinstance(LAYERS[i], Dense):
            x = x + LAYERS[i].b.sum()
    return x

CALLS = [(np.ones((1, 2)),), (np.ones((1, 2)),), (-np.ones((2, 2)),)]
BEFORE = {1: "LAYERS[0].w = np.zeros((2, 2)); LAYERS.append(relu)"}
