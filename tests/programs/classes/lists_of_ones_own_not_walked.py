"""Lists and dicts of one's own, held by what is captured: only the program asks for their items."""

LOG = []

class Loud(list):
    def __iter__(self):
        LOG.append("walked")
        return super().__iter__()

class Refusing(list):
    __iter__ = None

class Keys(dict):
    def keys(self):
        LOG.append("keys")
        return super().keys()

HELD = {"loud": Loud([1]), "refusing": Refusing([2]), "keys": Keys(a=1)}

def subtract(other, nothing, name):
    LOG.clear()
    made = type(HELD[name])()
    try:
        other -= nothing.k() if made is not None else None
        other -= made + ""
    except (TypeError, AttributeError) as error:
        return str(error), list(LOG)

def held(name, nothing):
    other = HELD[name]
    return subtract(other, nothing, name)

def number(name, nothing):
    return subtract(3, nothing, name)

class Has:
    def k(self):
        return 1

WAYS = (held, number)

def f(name, has):
    return [way(name, Has() if has else None) for way in WAYS]

CALLS = [(name, has) for name in HELD for has in (False, True)]
