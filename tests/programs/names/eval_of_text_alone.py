"""``eval`` with a text alone is a call that is given the names which it would see, in their order."""

import numpy as np

rate, array = 3.0, np.array
told = []
held = [1.0]


def described(values, scale=2, *rest, unit="m"):
    with np.printoptions(precision=3):
        values = eval(repr(values))
    later = scale
    return values * later, unit, rest


def shown(values, text, *rest, scale=2, **options):
    first, (second, third) = values[0], values[1:3]
    del first
    if scale > 3:
        return "large"
    elif rest:
        more = second
    else:
        more = third
    with np.errstate(divide="ignore"):
        found = eval(text)
        told.append(found)
    after = more
    return found, after


def changed(values, text):
    items, table = [values, 2.0], {"a": values}
    got = eval(text)
    return got, items, table, values + rate


def kept(values, text):
    return eval(text), values.sum()


def walked(values, text):
    by, count = 2.0, len(values)
    found = eval(text)
    items = [by * one for one in values]
    return found, items, sum(one + by for one in items), count


def own(text, eval):
    got = eval(text)
    return got


def f(x, texts):
    tried = [described(x, 2)]
    for text in texts:
        for one in (shown, changed, kept, walked):
            tried.append(one(x, text))
        tried.append((own(text, len), own(text, str.upper)))
    return tried, list(map(str, told)), rate


CALLS = [
    (np.arange(3.0), ("list(locals())", "sorted(locals())[-1], rate, len(told)")),
    (np.arange(4.0), ("values.fill(5.0)", "text * 2, (found := 3), values.sum()")),
    (np.arange(3.0), ("held.append(values[1])", "globals().update(rate=values[2])", "[g for g in globals() if g == 'rate']")),
    (np.arange(3.0), ("missing",)),
    (np.arange(3.0), ("1 +",)),
    (np.arange(3.0), ("values + None",)),
]
AFTER = "held, rate"
