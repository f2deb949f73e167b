"""The texts of exceptions that come from outside, which differ from call to call, and change in between."""

HELD = {"error": ValueError("held")}
ERRORS = [KeyError(1), ValueError("first")]
BEFORE = {1: "HELD['error'] = ValueError('other')", 2: "HELD['error'].args = (2, 3)", 3: "ERRORS[0] = KeyError(2)"}


class Journal:
    def __init__(self):
        self.lines = []

    def __exit__(self, kind, error, trace):
        self.lines.append((kind and kind.__name__, str(error)))


def shown(error):
    return str(error), repr(error), f"{error}|{error!r}", "%s" % error, "{}".format(error), str([error])


def told(error):
    print(error, [error])
    return error.args, shown(error)


def raised(x):
    try:
        raise KeyError(x)
    except KeyError as error:
        return told(error), ERRORS[0] is error


def f(error, x):
    journal = Journal()
    journal.__exit__(type(error), error, None)
    return told(error), shown(HELD["error"]), [shown(one) for one in ERRORS], raised(x), journal.lines


CALLS = [(KeyError(1), 1), (KeyError("two"), 2), (KeyError(1, 2), 1), (OSError(2, "no"), 1), (OSError(3, "yes"), 1), (ValueError(), 0)]
