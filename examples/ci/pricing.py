"""A small model, and the state it reads: what the check says of it stands in docs/check.md."""

import numpy as np

SETTINGS = {"rate": 0.05, "floor": 0.0}


def discounted(cash, years, compound=True):
    """What payments in some years are worth now."""
    if compound:
        value = cash / (1 + SETTINGS["rate"]) ** years
    else:
        value = cash / (1 + SETTINGS["rate"] * years)
    if value.sum() < 0:
        value = np.maximum(value, SETTINGS["floor"])
    return value
