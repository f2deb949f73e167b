"""Orientations one at a time: transforms3d."""

import numpy as np
from transforms3d import affines, euler, quaternions

rng = np.random.default_rng(0)
total = np.float64(0.0)
q = np.array([1.0, 0.0, 0.0, 0.0])
for a, b, c in rng.uniform(-1, 1, size=(12000, 3)):
    step = euler.euler2quat(a, b, c)
    q = quaternions.qmult(q, step)
    q = q / quaternions.qnorm(q)
    m = quaternions.quat2mat(q)
    back = quaternions.mat2quat(m)
    t = affines.compose([a, b, c], m, np.ones(3))
    total += back[0] + t[0, 3]
print(total.hex())
