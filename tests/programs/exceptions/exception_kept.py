"""An exception that is kept is the object that was raised."""


def exc_value(x):
    try:
        raise ValueError("a", 2)
    except ValueError as e:
        r = e
    return r.args, r


def exc_store(x):
    errs = []
    for k in ("a", "1"):
        try:
            errs.append(int(k))
        except ValueError as e:
            errs.append(e)
    return [str(i) for i in errs], errs[0]


def exc_eq(x):
    e = ValueError("a")
    l = [e]
    try:
        raise e
    except ValueError as q:
        return q is e, q is l[0], l.index(q), q == ValueError("a")


E_4 = ValueError("shared")


def exc_twice(x):
    try:
        raise E_4
    except ValueError as q:
        return q is E_4


def f(x):
    return exc_value(x), exc_store(x), exc_eq(x), exc_twice(x)


CALLS = [(1,), (0,), (True,)]
