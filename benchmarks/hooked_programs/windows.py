"""A system that is driven by windows of noise, sampled and not: scipy.signal."""

import numpy as np
from scipy import signal

rng = np.random.default_rng(0)
A = np.array([[0.0, 1.0, 0, 0], [-2, -0.5, 1, 0], [0, 0, 0, 1], [1, 0, -3, -0.4]])
B = np.array([[0.0], [1], [0], [0.5]])
C = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
D = np.zeros((2, 1))
times = np.linspace(0, 40, 4001)
sampled = signal.cont2discrete((A, B, C, D), 0.01)
total = np.float64(0.0)
for _ in range(150):
    noise = rng.normal(size=4001)
    _, y, x = signal.lsim((A, B, C, D), noise, times)
    total += y.sum()
    _, y, x = signal.dlsim(sampled, noise)
    total += y.sum()
print(float(total).hex())
