"""``|`` in patterns: names take their value from the alternative that matched; subjects and guards of all kinds."""

import enum


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def found(x):
    match x:
        case Color.RED | Color.GREEN as color:
            return "color", color.name
        case [1, a] | [a, 2] | {"k": a}:
            return "alternative", a
        case ("u", v) | ("w", _, v):
            return "v", v
        case -1 | -2.5 | 1 + 2j:
            return "negative"
        case "a" | b"a" | True | None:
            return "literal"
    return "none"


def many(items):
    for item in items:
        match item:
            case [a, b]:
                yield a + b
            case {"s": s}:
                yield from s
            case int() | float():
                yield item
            case _:
                try:
                    yield len(item)
                except TypeError as error:
                    yield str(error)


def star(a, b):
    match *a, b:
        case 1, *r:
            return r
        case x, y:
            return y, x
        case x:
            return x


def f(xs, n):
    x = [3]
    while n > 0:
        n -= 1
        match n:
            case 0:
                break
            case 1:
                continue
            case k:
                x = [1, k] if k == 2 else x
    return (
        [found(one) for one in xs],
        found(x),
        list(many([[1, n], {"s": [3, 4]}, 5, "abc", None])),
        star([1, 2], n),
        star([n], 2),
        star([], 1),
    )


CALLS = [
    ((Color.RED, Color.GREEN, [1, 5], [5, 2], [1, 2]), 0),
    (({"k": 3}, ("u", 1), ("w", 1, 2), -1, -2.5), 1),
    ((1 + 2j, "a", b"a", True, None, 1, [1]), 4),
]


def noise(rng):
    return CALLS[rng.integers(len(CALLS))]
