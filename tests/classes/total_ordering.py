"""`total_ordering`."""

import functools


@functools.total_ordering
class A:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __lt__(self, o):
        return self.v < o.v


def use(x):
    return (
        A(x) <= A(2),
        A(x) > A(2),
        A(x) >= A(2),
        A(x) != A(2),
        sorted([A(3), A(x)])[0].v,
        A.__hash__ is None,
    )
