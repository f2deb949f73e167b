"""Special methods of functions and of other fixed objects are read by name, also after opaque code: another object each time."""

scope = {}
exec("def hidden(value):\n    return value", scope)  # it has no source: it is not traced
hidden = scope["hidden"]

PLAIN = ("AT101", "AT203")


class Base:
    def likelihood(self, x):
        if self.score != __class__.score.__get__(self):  # overridden, so that it does not come back here
            return self.score(x) * 2
        raise NotImplementedError("override one of them")

    def score(self, x):
        if self.likelihood != __class__.likelihood.__get__(self):
            return self.likelihood(x) / 2
        raise NotImplementedError("override one of them")


class Scored(Base):
    def score(self, x):
        return hidden(x) + 1


class Likely(Base):
    def likelihood(self, x):
        return x * 6


def told(x):
    return ("told", x)


TABLE = {"call": told.__call__, "add": (5).__add__}


def f(model, x):
    hidden(x)
    bind, called = Base.score.__get__, told.__call__
    hidden(x)
    bound = bind(model, Base)
    results = [called(x), TABLE["call"](x), TABLE["add"](2), (1.5).__add__(x), bound == model.score, told.__eq__(told)]
    hidden(x)
    try:
        return results, model.score(x), model.likelihood(x), bind is Base.score.__get__, called == told.__call__
    except NotImplementedError as error:
        return results, str(error), type(bind).__name__


CALLS = [(Scored(), 2.0), (Likely(), 2.0), (Base(), 2.0), (Scored(), 3)]
BEFORE = {3: "told = lambda x: ('other', x)"}
