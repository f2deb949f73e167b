"""Responses of linear systems in time: scipy.signal."""

import numpy as np
from scipy import signal

A = np.array([[0.9, 0.1, 0, 0], [-0.1, 0.95, 0.05, 0], [0, 0, 0.8, 0.1], [0.1, 0, 0, 0.7]])
B = np.array([[0.0], [1], [0], [0.5]])
C = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
total = np.float64(0.0)
rng = np.random.default_rng(0)
for _ in range(20):
    _, y, x = signal.dlsim((A, B, C, np.zeros((2, 1)), 0.1), rng.normal(size=(10000, 1)))
    total += y.sum() + x.sum()
    _, y, x = signal.lsim(
        (A - np.eye(4), B, C, np.zeros((2, 1))), rng.normal(size=5000), np.arange(5000) * 0.1
    )
    total += y.sum() + x.sum()
print(total.hex())
