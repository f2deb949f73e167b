"""Attributes are set by names that only the running program knows: a method or the class itself may be another one by then."""

import json


class Body:
    kind = "body"

    def __init__(self, size):
        self.size = size

    def grown(self):
        return self.size + 1

    @property
    def twice(self):
        return self.size * 2


class Other(Body):
    kind = "other"

    def grown(self):
        return self.size + 100


def told(table):
    """A text that names a class or a method stands for it."""
    return {name: {"Other": Other, "upper": "text".upper}.get(value, value) for name, value in table.items()}


def made(size, table):
    body = Body(size)
    before = body.grown()
    for name, value in json.loads(table, object_hook=told).items():
        setattr(body, name, value)
    return before, body.size, body.grown(), body.twice, body.kind, type(body).__name__


def given(body, table):
    before = body.grown(), body.kind
    for name, value in json.loads(table, object_hook=told).items():
        setattr(body, name, value)
    return before, body.size, body.grown(), body.twice, body.kind, isinstance(body, Other)


def f(size, table):
    try:
        return made(size, table), given(Body(size), table)
    except AttributeError as error:
        return str(error)


CALLS = [
    (2.0, '{"size": 7.0}'),
    (2.0, '{"grown": "upper"}'),
    (2.0, '{"kind": "mine", "size": 1}'),
    (2.0, '{"__class__": "Other"}'),
    (2.0, '{"twice": 3}'),
    (2.0, "{}"),
]
PLAIN = "AT213"
