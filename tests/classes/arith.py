"""A vector with operators, order, containment and format."""


class V:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y) if isinstance(o, V) else NotImplemented

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __eq__(self, o):
        return isinstance(o, V) and (self.x, self.y) == (o.x, o.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"V({self.x}, {self.y})"

    def __iter__(self):
        yield self.x
        yield self.y

    def __bool__(self):
        return bool(self.x or self.y)

    def __neg__(self):
        return V(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __len__(self):
        return 2

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __lt__(self, o):
        return abs(self) < abs(o)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __iadd__(self, o):
        self.x += o.x
        return self

    def __format__(self, s):
        return f"<{s}:{self.x}>"


def use(x):
    a, b = V(x, 1), V(1, x)
    c = a
    c += b
    try:
        a + 1
    except TypeError as e:
        err = str(e)
    return (
        repr(a + b),
        2 * a == a * 2,
        {a: 1}[V(x + 1, 1)],
        [*a],
        bool(V(0, 0)),
        -a == V(-x - 1, -1),
        abs(b),
        a[0],
        len(a),
        x in b,
        sorted([b, a])[0] is b,
        a @ b,
        c is a,
        f"{a:q}",
        err,
        max(a, b) is a,
    )
