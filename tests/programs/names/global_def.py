"""A function defined under a name that is declared `global`: it stays, so it has to be a real one."""

def f(x):
    global made

    def made(v):
        return v + x

    return made(x)

made = None
CALLS = [(1,), (2.5,)]
AFTER = "made(1)"
