"""A method that is traced through is given what an opaque function returned, behind a ``*`` alone or among other arguments."""

exec("def pair(x): return (x, 2)")
exec("def many(x): return iter([x] * 2)")


class Header:
    def __init__(self, *parts):
        self.parts = parts
        self.seen = None

    def put(self, slope, inter=None):
        self.seen = slope, inter
        return self.seen

    @classmethod
    def made(cls, slope, inter=None):
        return cls(slope, inter).parts

    @staticmethod
    def added(slope, inter=1):
        return slope * inter


def f(header, x):
    fresh = Header()
    return (
        header.put(*pair(x)),
        fresh.put(*pair(x)),
        fresh.put(*many(x)),
        header.seen,
        Header.made(*pair(x)),
        fresh.made(*many(x)),
        header.added(*pair(x)),
        fresh.put(x, *many(x)[:0]) if x == "no" else None,
        fresh.put(*pair(x)[:1], inter=3),
    )


CALLS = [(Header(), 1), (Header(), 2.5), (Header(), "x")]
PLAIN = "AT101"
