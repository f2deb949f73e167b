"""Members of enumerations whose `__init__` is compiled, or that a call writes to: the members hold values, at each call."""

import enum

import astrace


class Planet(enum.Enum):
    EARTH = (5.9, 6.3)
    MARS = (0.6, 3.4)

    @astrace.compile
    def __init__(self, mass, radius):
        self.mass = mass
        if radius > 5:
            self.large = True

    @property
    def half(self):
        return self.mass / 2


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 2


Level.__or__ = astrace.compile(enum.Flag.__or__)
Level.__invert__ = astrace.compile(enum.Flag.__invert__)


def f(planet, x):
    planet.mass += x
    if x > 0:
        planet.seen = x
    found = [planet.mass, planet.half, getattr(planet, "large", False), getattr(planet, "seen", None)]
    return found, Level.LOW | Level.HIGH, ~Level.LOW


CALLS = [(Planet.EARTH, 1.0), (Planet.MARS, -1.0), (Planet.EARTH, 0.5)]
AFTER = "[(member.name, vars(member).get('seen'), member.mass) for member in Planet]"
PLAIN = "AT204"
