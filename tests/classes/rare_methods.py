"""Special methods that are rarely written."""


class A:
    count = 0

    def __init__(self):
        type(self).count += 1

    def __getstate__(self):
        return {"s": 1}

    def __setstate__(self, s):
        self.s = s

    def __copy__(self):
        r = A.__new__(A)
        r.c = True
        return r

    def __dir__(self):
        return ["q"]

    def __sizeof__(self):
        return 99

    def __index__(self):
        return 3

    def __int__(self):
        return 4

    def __float__(self):
        return 4.5

    def __complex__(self):
        return 1j

    def __round__(self, n=0):
        return ("r", n)

    def __reversed__(self):
        return iter("ab")

    def __instancecheck__(self, o):
        return True

    def __invert__(self):
        return "inv"

    def __divmod__(self, o):
        return "dm"

    def __rpow__(self, o):
        return ("rp", o)

    def __delitem__(self, k):
        self.d = k

    def __bytes__(self):
        return b"by"

    def __class_getitem__(cls, k):
        return ("cg", k)

    def __length_hint__(self):
        return 3


def use(x):
    import copy
    import operator

    a = A()
    del a[x]
    return (
        copy.copy(a).c,
        dir(a),
        [1, 2, 3, 4][a],
        int(a),
        float(a),
        complex(a),
        round(a),
        round(a, 2),
        list(reversed(a)),
        ~a,
        divmod(a, 1),
        x**a,
        a.d,
        bytes(a),
        A[x],
        operator.length_hint(a),
        range(a),
        "%d" % a,
        A.count > 0,
    )
