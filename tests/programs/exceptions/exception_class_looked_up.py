"""The class of a handler is looked up when there is an exception."""

E_1 = (KeyError, IndexError)


class NS_1:
    err = ValueError


def exc_in_except_expr_ok(x):
    out = []
    for v in ("a", "b"):
        try:
            int(v)
        except NS_1.err as e:
            out.append(str(e))
        try:
            [][x]
        except E_1 as e:
            out.append(str(e))
    return out


K_2 = ValueError


def except_global_changed(x):
    global K_2
    K_2 = KeyError
    try:
        try:
            {}["q"]
        except K_2 as e:
            return "caught", e.args
    finally:
        K_2 = ValueError


def f(x):
    return exc_in_except_expr_ok(x), except_global_changed(x)


CALLS = [(1,), (0,), (True,)]
