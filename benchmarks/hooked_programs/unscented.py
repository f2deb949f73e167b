"""An unscented Kalman filter of a pendulum: filterpy."""

import numpy as np
from filterpy.kalman import MerweScaledSigmaPoints, UnscentedKalmanFilter


def f(x, dt):
    return np.array([x[0] + x[1] * dt, x[1] - 9.81 * np.sin(x[0]) * dt])


def h(x):
    return np.array([np.sin(x[0])])


rng = np.random.default_rng(0)
points = MerweScaledSigmaPoints(2, 0.1, 2.0, 1.0)
ukf = UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=0.01, hx=h, fx=f, points=points)
ukf.x = np.array([0.5, 0.0])
ukf.Q *= 1e-4
ukf.R *= 0.1
for z in rng.normal(size=(6000, 1)):
    ukf.predict()
    ukf.update(z)
print(ukf.x.tobytes().hex(), ukf.P.tobytes().hex())
