"""A linear Kalman filter stepped by its user: filterpy."""

import numpy as np
from filterpy.common import Q_discrete_white_noise
from filterpy.kalman import KalmanFilter

rng = np.random.default_rng(0)
kf = KalmanFilter(dim_x=4, dim_z=2)
kf.F = np.array([[1.0, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1]])
kf.H = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
kf.R *= 0.5
kf.Q = Q_discrete_white_noise(2, 0.1, 0.01, block_size=2)
for z in rng.normal(size=(30000, 2, 1)):
    kf.predict()
    kf.update(z)
print(kf.x.tobytes().hex(), kf.P.tobytes().hex())
