"""Slots that hold nothing: asked for with `hasattr` and `getattr`, read, set, deleted, of objects made inside and given."""

from dataclasses import dataclass, field

class Memo:
    __slots__ = ("memo", "x")

    def __init__(self, x):
        self.x = x

    def get(self):
        if hasattr(self, "memo"):
            return "hit", self.memo
        self.memo = self.x * 2
        return self.memo

class Asking(Memo):
    __slots__ = ()

    def __getattr__(self, name):
        if name == "memo":
            return "asked"
        raise AttributeError(name)

@dataclass(slots=True)
class Lazy:
    x: float
    later: float = field(init=False)

class Below(Memo):
    pass

def told(one):
    found = [hasattr(one, "memo"), getattr(one, "memo", "default"), hasattr(one, "other"), hasattr(one, "x")]
    try:
        found.append(one.memo)
    except AttributeError:
        found.append("none")
    one.memo = one.x
    found.append(hasattr(one, "memo"))
    del one.memo
    return [*found, hasattr(one, "memo"), one.get(), one.get()]

def in_branch(x):
    one = Memo(x)
    if x > 1:
        one.memo = x
    return getattr(one, "memo", None)

def f(x, given):
    lazy = Lazy(x)
    before = hasattr(lazy, "later"), getattr(lazy, "later", 3)
    lazy.later = x
    return told(Memo(x)), told(Below(x)), told(given), before, hasattr(lazy, "later"), hasattr(Asking(x), "memo"), in_branch(x)

CALLS = [(1.0, Memo(2)), (2.0, Memo(3.0)), (3, Below(1))]
