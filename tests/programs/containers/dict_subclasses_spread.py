"""``**`` in a display looks into a subclass of ``dict`` past its methods, unless it says how it is iterated over."""


class Getting(dict):
    def __getitem__(self, key):
        return ("got", dict.__getitem__(self, key))


class Walking(dict):
    def __iter__(self):
        return iter(["b"])

    def keys(self):
        return ["k"]

    def __getitem__(self, key):
        return ("walked", key)


def f(x, n):
    found = {}
    for _ in range(n):
        found = {"q": 0, **x, **found}
    return found, dict(x), {**x}


CALLS = [(Getting(a=1), 1), (Walking(a=1), 2), ({"a": 2}, 0), ({"a": 2}, 1)]
