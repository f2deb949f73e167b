"""Distances and positions of many points at once: pymap3d."""

import numpy as np
import pymap3d
from pymap3d.vincenty import vdist, vreckon

rng = np.random.default_rng(0)
total = np.float64(0.0)
for _ in range(60):
    lat, lon = rng.uniform(-80, 80, size=(2, 4000))
    distance, azimuth = vdist(lat, lon, lat + 1.0, lon + 2.0)
    a, b = vreckon(lat, lon, distance, azimuth)
    x, y, z = pymap3d.geodetic2ecef(lat, lon, lat * 0 + 100.0)
    e, n, u = pymap3d.ecef2enu(x, y, z, 42.0, -82.0, 200.0)
    p, q, r = pymap3d.ecef2geodetic(x, y, z)
    total += (distance + azimuth + a + b + e + n + u + p + q + r).sum()
print(total.hex())
