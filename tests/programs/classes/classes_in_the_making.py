"""A compiled `mro`, which Python calls while it makes a class, and again when its bases change."""

import astrace


class Counting(type):
    made = 0

    @astrace.compile
    def mro(cls):
        if cls.made > 0:
            raise RuntimeError(f"made {cls.made} times")
        cls.made += 1
        return type.mro(cls)


class Root:
    pass


class Other(Root):
    pass


def f(x):
    kind = Counting("Kind", (Root,), {"x": x})
    try:
        kind.__bases__ = (Other,)
    except RuntimeError as error:
        return kind.made, kind.x, str(error)
    return kind.made, kind.x


CALLS = [(0,), (1.5,), (2,)]
AFTER = "Counting.made"
