"""`{*u}` of what may be no iterable is refused as `set` refuses it and asks no sizes; `filter` takes a test that may be `None`."""

SEEN = []

exec("def unknown(x):\n    return x")  # made by `exec`: it is not traced


class Sized:
    def __len__(self):
        SEEN.append("len")
        return 3

    def __iter__(self):
        SEEN.append("iter")
        return iter([2, 1, 2])


def told(function, x):
    try:
        found = function(x)
    except TypeError as error:
        return str(error)
    return sorted(map(str, found))


def known(x):
    return {*x}


def alone(x):
    return {*unknown(x)}


def among(x):
    u = unknown(x)
    return {0, *u, 5, *[1, 2], *u}


def in_list(x):
    return [*unknown(x), 1]


def equal_items(x):
    u = unknown(x)
    return {1, *u, True, *u}


def refused(x):
    return {*unknown([]), *unknown(x), 3}


def passed(x):
    test = unknown(None if x == [1, 2] else str)
    return list(filter(test, [0, 1, "", "a"])), [*filter(test, unknown("ab"))]


def f(x):
    ways = known, alone, among, in_list, equal_items, refused
    found = [told(way, x) for way in ways], passed(x), list(SEEN)
    SEEN.clear()
    return found


def noise(rng):
    return ([1, None, 2.5, [1, 2], "ab", Sized()][rng.integers(6)],)


CALLS = [(1,), ([1, 2],), (Sized(),), (None,), ("ab",), ([True, 0],), (2.5,), ([],)]
PLAIN = "AT101", "AT201"
