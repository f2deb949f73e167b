"""What `dict.update` and its like are given that can't be walked, or is too much, is refused in Python's words."""

def attempt(what, *args):
    held = {"a": 1}
    try:
        if what == 0:
            held.update(*args)
        elif what == 1:
            held.update([("b", 2)], None)
        elif what == 2:
            held.update(None)
        else:
            held |= args[0]
    except (TypeError, ValueError) as error:
        return type(error).__name__, str(error), held
    return held

def f(x):
    return [attempt(what, x) for what in range(4)], attempt(0, None), attempt(0, 3), attempt(3, [("c", 3)])

CALLS = [(None,), (3,), ([("k", 1)],), ({"k": 2},), ("ab",), (["ab"],)]
