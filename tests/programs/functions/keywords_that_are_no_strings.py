"""`**` of a dict whose keys are no strings: Python refuses it, whatever is called."""

import types


def takes(**given):
    return given


def f(key, x):
    found = []
    for function in (takes, dict, types.SimpleNamespace):
        try:
            found.append(str(function(**{key: x})))
        except TypeError as error:
            found.append(str(error))
    return found


CALLS = [("name", 1), (2, 1), ((1, 2), 2.5)]
PLAIN = "AT201"
