"""Lists and dicts that a loop changes while it iterates over them: more turns, fewer turns, other items."""

import numpy as np

class Queue:
    def __init__(self):
        self.todo = [1.0]

def f(xs, d, a):
    own = [a, 2]
    for v in own:
        if len(own) < 5:
            own.append(v + 1)
    popped = [own.pop() for _ in own]
    for v in xs:
        if v < 3:
            xs.append(v + 1)
    for i, v in enumerate(xs):
        if i + 1 < len(xs):
            xs[i + 1] = xs[i + 1] + v
    total = 0
    for v in d.values():
        d["b"] = 100
        total += v
    queue = Queue()
    for v in queue.todo:
        if v < 4:
            queue.todo.append(v * 2)
    back = []
    for v in reversed(own):
        back.append(v)
        own.pop()
    return own, popped, xs, total, d, queue.todo, back

CALLS = [
    ([1.0], {"a": 1, "b": 2}, 1.0),
    ([], {"b": 1}, 2),
    ([5, 1, 2], {"a": 1, "b": 2, "c": 3}, np.float64(1)),
]
