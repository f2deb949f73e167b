"""A dict that grows while a loop iterates over it: Python's own complaint."""

def f(d):
    for k in d:
        d[k + "x"] = 1
    return len(d)

CALLS = [({"a": 1},), ({},)]
