"""Mapping patterns: ``get`` is asked for each key, once; what is left is a dict of its own."""

import collections
import types

NAMES = types.SimpleNamespace(a="a", b="b")


def found(x):
    match x:
        case {"a": 1}:
            return "a is 1"
        case {"a": a, "b": [b, *c]}:
            return "nested", a, b, c
        case {"a": str() as s, **rest}:
            return "text", s, rest
        case {NAMES.b: v, "c": w}:
            return "by name", v, w
        case {NAMES.a: v, **rest}:
            return "rest", v, rest
        case {**rest}:
            return "all", rest
    return "none"


def twice(x):
    try:
        match x:
            case {NAMES.a: v, "a": w}:
                return v, w
    except ValueError as error:
        return str(error)


def f(xs, n):
    out = []
    for x in xs:
        for _ in range(n):
            out.append(found(x))
        out.append(twice(x))
    return out


CALLS = [
    (({"a": 1}, {"a": 2, "b": [1, 2, 3]}), 2),
    (({"a": "s", "z": 4}, {"b": 1, "c": 2}), 1),
    (({"a": 5}, {}, []), 1),
    (({"a": 5, "q": 1.5},), 0),
]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
