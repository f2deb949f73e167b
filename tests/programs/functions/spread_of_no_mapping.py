"""``**`` of an instance of a subclass of ``int`` raises what Python raises."""


class Whole(int):
    pass


def f(x):
    try:
        return {"q": 0, **x}
    except TypeError as error:
        return str(error)


CALLS = [(Whole(1),), ({"a": 1},)]
