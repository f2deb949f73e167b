"""Functions that call themselves from a branch, with other constants each time: the recursion is left as one call."""

CALLS_MADE = []


class Settings:
    def __init__(self, **values):
        self.values = values

    def get(self, key, otherwise=None):
        CALLS_MADE.append(key)
        if key in self.values:
            return self.values[key]
        renamed = self.values.get(f"renamed.{key}", key)
        if renamed != key:
            return self.get(renamed, otherwise)
        return otherwise


def halved(n, names):
    if n > 1:
        return halved(n // 2, f"{names}!")
    return n, names


def f(x, settings, n):
    del CALLS_MADE[:]
    scale = settings.get("scale", 2.0)
    return x * scale, halved(n, "x"), list(CALLS_MADE)


def given(**values):
    return Settings(**values)


CALLS = [
    (1.5, given(scale=3.0), 9),
    (1.5, given(), 1),
    (2.5, given(**{"renamed.scale": "factor", "factor": 4.0}), 0),
    (2.5, given(**{"renamed.scale": "a", "renamed.a": "b"}), 1000),
]
PLAIN = ("AT203",)
