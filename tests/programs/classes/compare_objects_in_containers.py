"""Methods that compare, hash or show instances run inside containers, for the caller's objects and for new ones."""

import numpy as np


class Version:
    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        return self.number < other.number

    def __eq__(self, other):
        return self.number == other.number if isinstance(other, Version) else NotImplemented

    def __hash__(self):
        return hash(self.number)

    def __repr__(self):
        return f"v{self.number}"


def f(old, new, number):
    made = Version(number)
    known = {old: "old", new: "new"}
    seen = set()
    seen.add(old)
    seen.add(made)
    asked = made == old, made != new, made == None, [made] == [new], made in (old, new), old in [made]  # noqa: E711
    return min(old, new), sorted([new, old, made]), known, len(seen), asked, [old, new, made].index(made)


CALLS = [
    (Version(1), Version(2), 3),
    (Version(4), Version(2), 2),
    (Version(2), Version(2), 2),
    (Version(np.int64(2)), Version(5), 5),
]
