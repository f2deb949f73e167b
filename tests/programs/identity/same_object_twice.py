"""One object passed as two arguments."""

def f(a, b):
    a["k"] = 1
    b["k"] = b["k"] + 1
    return a["k"], b["k"], a is b

_d = {"k": 0}
CALLS = [(_d, _d), ({"k": 0}, {"k": 5})]
