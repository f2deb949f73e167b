"""Exceptions of the user's."""


class E(Exception):
    def __init__(self, code, *a):
        super().__init__(code, *a)
        self.code = code

    def __str__(self):
        return f"E{self.code}"


class F(E):
    pass


def use(x):
    out = []
    for k in (E, F, KeyError):
        try:
            raise k(x)
        except F as e:
            out.append(("F", str(e), e.args, e.code))
        except E as e:
            out.append(("E", str(e), repr(e)))
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    try:
        try:
            raise E(1)
        except E as e:
            raise F(2, "x") from e
    except F as e:
        out.append((repr(e), repr(e.__cause__), e.__context__ is e.__cause__))
    return out
