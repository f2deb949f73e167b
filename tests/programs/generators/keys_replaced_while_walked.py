"""A dict or set is changed while it is walked: Python tells, also where a key was put back."""


def replaced():
    held = {0: 0}
    try:
        for key in held:
            del held[key]
            held[key] = 0
    except RuntimeError as error:
        return str(error)


def f(n):
    out = []
    held = {k: k for k in range(3)}
    for key, value in held.items():
        held[key] = value + n
    try:
        for key in held.values():
            held.clear()
    except RuntimeError as error:
        out.append(str(error))
    try:
        members = {1, 2}
        for member in members:
            members.discard(member)
    except RuntimeError as error:
        out.append(str(error))
    return replaced(), out, held


CALLS = [(0,), (1,)]
PLAIN = "AT208"
