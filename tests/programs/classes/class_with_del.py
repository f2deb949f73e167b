"""`__del__` runs when the last name of an instance goes: only plain Python knows when that is."""

import numpy as np

PLAIN = "AT204"

class Handle:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("closed", self.name)

class Reader(Handle):
    pass

def f(x):
    handle = Reader("first")
    print("opened")
    handle = None
    print("replaced")
    return x

CALLS = [(1.0,)]
