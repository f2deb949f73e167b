"""What comes out of a branch, a loop or a `try` is given to opaque code: it has to be a real object then."""

exec("def opaque(f, *args): return f(*args)")
exec("def keeps(held, item):\n    held.append(item)\n    return item")


class Adder:
    def __init__(self, a):
        self.a = a

    def __call__(self, k):
        return self.a + k

    def grow(self, k):
        self.a += k
        return self


class Slotted:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


def instance(x):
    v = Adder(x) if x > 1 else Adder(2)
    return opaque(v, 3)


def changed_behind(x):
    v = Adder(x) if x > 1 else Adder(2)
    v.a = v.a * 2
    same = opaque(v.grow, 3)
    return same is v, v.a, vars(v)


def nested(x):
    if x > 1:
        v = Adder(x) if x > 2 else Adder(-x)
    else:
        v = Adder([x])
    return opaque(type, v) is Adder, opaque(getattr, v, "a")


def slots(x):
    v = Slotted(x) if x > 1 else Slotted(2)
    return opaque(getattr, v, "a"), v.a


def lists(x):
    items = [x, 1] if x > 1 else [2, x]
    held = []
    keeps(held, items)
    items[0] += 10
    items.append("end")
    return held[0] is items, held, items


def dicts(x):
    table = {"a": x} if x > 1 else {"a": 0}
    held = []
    keeps(held, table)
    table["b"] = x
    return held[0] is table, held


def inside(x):
    pair = ([x], {"k": x}) if x > 1 else ([0], {"k": x})
    held = []
    keeps(held, pair[0])
    pair[0].append(1)
    keeps(held, pair[1])
    pair[1]["k"] = 2
    return held, pair, held[0] is pair[0]


def with_function(x):
    def shift(v):
        return v + x

    if x > 1:
        items, by = [x], shift
    else:
        items, by = [2 * x], lambda v: v
    held = []
    keeps(held, items)
    items.append(by(1))
    return held, items


def in_loop(x):
    held = []
    for i in range(3):
        v = Adder(x) if x > i else Adder(i)
        keeps(held, v)
        v.a += 1
    return [v.a for v in held]


def carried(x):
    held, last = [], None
    while x < 3:
        last = Adder(x) if x > 1 else Adder(-x)
        x = x + 1
    keeps(held, last)
    if last is not None:
        last.a += 1
    return [None if v is None else v.a for v in held]


def in_try(x):
    try:
        v = [x, 1 / (x - 2)] if x > 1 else [x, 0.0]
    except ZeroDivisionError:
        v = [x, "none"]
    held = []
    keeps(held, v)
    v[0] = 7
    return held, v


def returned_too(x):
    v = [x] if x > 1 else [0]
    held = []
    keeps(held, v)
    return v, held[0] is v, [v, v]


def f(x):
    return (
        instance(x),
        changed_behind(x),
        nested(x),
        slots(x),
        lists(x),
        dicts(x),
        inside(x),
        with_function(x),
        in_loop(x),
        carried(x),
        in_try(x),
        returned_too(x),
    )


CALLS = [(1,), (2,), (3,), (2.5,), (0,)]
PLAIN = "AT101"
