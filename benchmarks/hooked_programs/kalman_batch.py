"""Twelve tracks filtered and smoothed as wholes: filterpy."""

import numpy as np
from filterpy.common import Q_discrete_white_noise
from filterpy.kalman import KalmanFilter

rng = np.random.default_rng(0)
total = 0.0
for _ in range(12):
    kf = KalmanFilter(dim_x=4, dim_z=2)
    kf.F = np.array([[1.0, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1]])
    kf.H = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
    kf.R *= 0.5
    kf.Q = Q_discrete_white_noise(2, 0.1, 0.01, block_size=2)
    means, covariances, _, _ = kf.batch_filter(rng.normal(size=(2000, 2, 1)))
    smooth, _, _, _ = kf.rts_smoother(means, covariances)
    total += float(smooth.sum())
print(total.hex())
