import numpy as np


def f(text, count):
    whole = text + text
    found = whole or "empty"
    times = text * count
    return found, 1 if whole else 2, times or "none", len(whole), type(whole).__name__


CALLS = [
    (np.str_("ab"), 2),
    (np.str_(""), 2),
    (np.bytes_(b"c"), 1),
    (np.bytes_(b""), 3),
    (np.str_("longer text"), 0),
]
