"""Functions that the tests of the check take: each shows one thing."""

import logging
import time
from dataclasses import dataclass, field

import numpy as np

RATE = 2.0
CONFIG = {"mode": "double", "eps": 0.5}
LOG = []
LOGGER = logging.getLogger(__name__)


@dataclass
class Layer:
    w: np.ndarray = field(default_factory=lambda: np.ones(3))
    scale: float = 2.0

    def forward(self, x):
        return x * self.w * self.scale


class Bare:
    pass


def branchy(x, n):
    total = 0.0
    for i in range(n):
        if x[i % len(x)] > 3.25:
            total = total + x[i % len(x)]
        else:
            total = total - 1.0
    LOG.append(total)
    return total * RATE


def deep(x):
    if x[0] > 120.5:
        if x[1] < -77.25:
            return x * 0.0
    return x + 1.0


def viewing(x):
    y = x[1:]
    y *= 2.0
    return y


def configured(x):
    if CONFIG["mode"] == "double":
        return x * 2.0
    return x + CONFIG["eps"]


def clocked(x):
    return x + time.time()


def exact(x):
    return -x if x.sum() == 7.25 else x


def waits(x):
    while x > 1.0:
        x = x / 2.0
    return x


def annotated(x: np.ndarray, k: int, name: str = "a") -> float:
    return float(x.sum()) * k


def caught(x, i):
    try:
        return x[i]
    except IndexError:
        return 0.0


def logs_if_asked(x):
    if LOGGER.isEnabledFor(logging.DEBUG):
        LOGGER.debug("mean %s", x.mean())
    return x * 2.0


def sets_up_logging(x):
    logging.getLogger().setLevel(logging.WARNING)
    logging.getLogger("checked.made").setLevel(logging.INFO)
    return x * 2.0


class Later:
    async def fetch(self, x):
        return x
