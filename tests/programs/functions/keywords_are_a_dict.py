"""`**options` gives a dict of its own at each call: it is returned, kept, changed, handed on, like any other."""

KEPT = []


def defaults(**options):
    options.setdefault("scale", 2.0)
    return options


def without(name, **options):
    options.pop(name, None)
    return options


def filled(x, n, **options):
    for k in range(n):
        options[f"turn {k % 2}"] = x * k
    KEPT.append(options)
    return options


def f(x, n, **options):
    """Has a docstring."""

    def later(**more):
        more.update(n=n)
        return more

    mine = defaults(**options, bias=n)
    other = without("bias", **mine)
    options["n"] = n
    count = (lambda **given: len(given))(a=1, **other)
    return options, mine, other, later(a=1), count, sorted(mine), filled(x, n, **other), dict(other) is other


CALLS = [(2.0, 0), (3.0, 2), (1.5, 3)]
AFTER = "KEPT"
