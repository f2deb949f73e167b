"""The gains of a g-h filter, chosen by trying many of them on a recorded track: filterpy."""

import numpy as np
from filterpy.gh import GHFilter

rng = np.random.default_rng(0)
truth = np.cumsum(rng.normal(0.5, 0.1, size=5000))
track = truth + rng.normal(0.0, 3.0, size=5000)
best = (np.inf, 0.0, 0.0)
for g in np.linspace(0.02, 0.9, 100):
    for h in np.linspace(0.001, 0.3, 40):
        gh = GHFilter(x=0.0, dx=0.0, dt=1.0, g=g, h=h)
        estimates = gh.batch_filter(track)
        error = float(np.sqrt(np.mean((estimates[1:, 0] - truth) ** 2)))
        best = min(best, (error, g, h))
print(*(float(one).hex() for one in best))
