"""Positions one at a time, as they come from a receiver: pymap3d."""

import numpy as np
import pymap3d

rng = np.random.default_rng(0)
total = np.float64(0.0)
for lat, lon, alt in rng.uniform([-80, -170, 0], [80, 170, 9000], size=(6000, 3)):
    x, y, z = pymap3d.geodetic2ecef(lat, lon, alt)
    e, n, u = pymap3d.ecef2enu(x, y, z, 42.0, -82.0, 200.0)
    a, b, c = pymap3d.ecef2geodetic(x, y, z)
    total += e + n + u + a + b + c
print(total.hex())
