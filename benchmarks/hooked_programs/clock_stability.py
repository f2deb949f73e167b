"""The stability of clocks over averaging times, by several deviations: allantools."""

import allantools
import numpy as np

rng = np.random.default_rng(0)
total = 0.0
for _ in range(300):
    phase = np.cumsum(rng.normal(size=500))
    for deviation in (allantools.theo1, allantools.mdev, allantools.ohdev, allantools.oadev):
        _, values, _, _ = deviation(phase)
        total += float(values.sum())
print(total.hex())
